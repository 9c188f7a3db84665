"""The golden questions in the shape of traffic: shorter, without marks, repeated, in sessions. By rules, no model.

Belongs here: who becomes how short, which marks stay, what is repeated, and which turns make a session. The rules for
one question are `shortening`'s; the shape is `traffic_shape`'s. What is right for a question stays right for it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from random import Random

import numpy as np
from scipy.optimize import linear_sum_assignment

from knowledge_graph.lake.records import Lang
from serving.evaluation.release.shortening import ShortenedQuestion, join_words, keeps_a_key, wordings
from serving.evaluation.release.traffic_shape import Profile, TrafficTurn, length_at
from serving.evaluation.sets.golden import Golden
from serving.index.analysis import content_terms, normalize_question

LED = 0.1
"""Share of questions that are asked in two turns, a concept and then what is asked of "it", where they can be. A
choice: SOLA counted 21.6 % of messages that point back, but turns like "why" have nothing by which they are judged."""

_IT: dict[Lang, str] = {"en": "it", "zh": "它"}
_ARTICLE = re.compile(r"\b(?:an?|the)\s+$", re.IGNORECASE)
_AUXILIARY = frozenset("do does did is are was can could will would should may might must".split())
_LEAST = 4
"""Words, in Chinese characters, that a turn with a pronoun has."""
_UNFIT: dict[Lang, re.Pattern[str]] = {
    "en": re.compile(r"(?:\b(?:and|or|vs|versus|than|between)|,) it\b|\bit (?:and|or|vs|versus|than)\b|\bit's\b"),
    "zh": re.compile("[^，。；、\\s]它|它(?:的是|[和与跟、里])"),
}
"""Where a pronoun would not stand for the concept alone, or not be what anybody writes."""


@dataclass(frozen=True)
class ReshapedTurn:
    """One turn of the reshaped set. `golden` is the question it asks, `None` for a turn that only leads to the next."""

    question: str
    lang: Lang
    course_id: str | None
    golden: Golden | None
    is_repeat: bool = False
    session: str = ""
    position: int = 0

    @property
    def turn(self) -> TrafficTurn:
        return TrafficTurn(self.question, self.session, self.position, self.lang)


_LOT = 0.5
"""Characters that a wording may be farther off for the lot to fall otherwise. A choice: seeds then differ."""

Unit = tuple[ReshapedTurn, ...]
"""Turns that stay together: one, or a concept and what is asked of it."""


def reshape(questions: Sequence[Golden], profile: Profile, *, seed: int) -> tuple[ReshapedTurn, ...]:
    """The questions as turns of sessions, in a shape near `profile`; the same for the same seed.

    Every question is asked once; repeats are added to that. Every wording, with the turn before it where it leans on
    one, keeps a term of `Golden.keys`. Raises `ValueError` without questions.
    """
    if not questions:
        raise ValueError("There are no questions to reshape.")
    ordered = sorted(questions, key=lambda one: (one.lang, one.question_id))
    units: list[Unit] = []
    for lang, group in groupby(ordered, key=lambda one: one.lang):
        units += _units(list(group), profile, lang, Random(f"{seed} {lang}"))
    units = _add_marks(units, profile.question_marks, Random(f"{seed} marks"))
    units += _repeat(units, profile.repeats, Random(f"{seed} repeats"))
    return tuple(_in_sessions(units, profile, Random(f"{seed} sessions")))


def split_into_turns(golden: Golden) -> Unit | None:
    """The question in two turns, a concept and what is asked of "it"; `None` where it names none or not alone."""
    if len(golden.names) != 1:
        return None
    ((start, end),) = golden.names
    concept, before = golden.question[start:end].lower(), _ARTICLE.sub("", golden.question[:start])
    parts = (before.strip(), _IT[golden.lang], golden.question[end:].strip())
    rest = join_words([part for part in parts if part]).lower().rstrip("?？!！.。… ")
    if golden.lang == "en" and not _leaves_a_noun_out(before, golden.question[end:]):
        return None
    too_short = len(rest.split() if golden.lang == "en" else rest) < _LEAST
    if too_short or _UNFIT[golden.lang].search(rest) or not keeps_a_key(concept, golden.keys):
        return None
    lead = ReshapedTurn(concept, golden.lang, golden.course_id, None)
    return lead, replace(lead, question=rest, golden=golden)


def _leaves_a_noun_out(before: str, after: str) -> bool:
    """Whether the concept between them is no part of a longer noun: "hash [lookup]", "[stack] overflow"."""
    left, right = before.split()[-1:], after.strip().split()[:1]
    is_asked = bool(left) and left[0].lower() in _AUXILIARY
    return not content_terms(" ".join(left), strict=True) and (
        is_asked or not content_terms(" ".join(right), strict=True)
    )


def _units(group: list[Golden], profile: Profile, lang: Lang, random: Random) -> Iterator[Unit]:
    """Every question of one language, worded so that the lengths of all are those of the profile."""
    random.shuffle(group)
    pairs = {one.question_id: pair for one in group if (pair := split_into_turns(one)) is not None}
    chosen = list(pairs)[: round(LED * len(group))]
    yield from (pairs[key] for key in chosen)
    plain = [one for one in group if one.question_id not in chosen]
    there = [len(turn.question) for key in chosen for turn in pairs[key]]
    points, count = profile.lengths_in(lang), len(plain) + len(there)
    wanted = [length_at(points, (place + 0.5) / count) for place in range(count)]
    for length in there:
        wanted.remove(min(wanted, key=lambda one: abs(one - length)))
    for golden, text in _choose_wordings(plain, wanted, random):
        yield (ReshapedTurn(text, lang, golden.course_id, golden),)


def _choose_wordings(plain: Sequence[Golden], wanted: Sequence[int], random: Random) -> Iterator[tuple[Golden, str]]:
    """The wanted lengths to questions so that their wordings miss them by the least in all; equals are drawn by lot."""
    if not plain:
        return
    seed = random.randrange(1 << 30)
    options = [wordings(one.question, one.lang, keys=one.keys, names=one.names, seed=seed) for one in plain]
    missed = [[_miss(some, length) + random.uniform(0, _LOT) for length in wanted] for some in options]
    for row, column in zip(*linear_sum_assignment(np.array(missed)), strict=True):
        length = wanted[column]
        yield plain[row], min(options[row], key=lambda one: (abs(len(one.text) - length), -len(one.text))).text


def _miss(options: Sequence[ShortenedQuestion], length: int) -> int:
    return min(abs(len(one.text) - length) for one in options)


def _add_marks(units: Sequence[Unit], share: float, random: Random) -> list[Unit]:
    """As many turns with a question mark as the share says, drawn among those that are judged."""
    turns = sum(map(len, units))
    judged = [place for place, unit in enumerate(units) if unit[-1].golden is not None]
    marked = frozenset(random.sample(judged, min(len(judged), round(share * turns))))
    return [
        (*unit[:-1], replace(unit[-1], question=_with_mark(unit[-1], asked=place in marked)))
        for place, unit in enumerate(units)
    ]


def _with_mark(turn: ReshapedTurn, *, asked: bool) -> str:
    bare = turn.question.replace("?", "").replace("？", "").strip() or turn.question
    return f"{bare}{'？' if turn.lang == 'zh' else '?'}" if asked else bare


def _repeat(units: Sequence[Unit], share: float, random: Random) -> list[Unit]:
    """Copies of turns until the share of repeats is reached, evenly over lengths and marks."""
    single = [unit[0] for unit in units if len(unit) == 1]
    turns = [turn for unit in units for turn in unit]
    there = len(turns) - len({normalize_question(turn.question) for turn in turns})
    missing = max(0, round((share * len(turns) - there) / (1 - share)))
    if not missing or not single:
        return []
    ordered = sorted(
        single, key=lambda one: (one.lang, "?" in one.question or "？" in one.question, len(one.question), one.question)
    )
    offset, step = random.random(), len(ordered) / missing
    places = [int((number + offset) * step) % len(ordered) for number in range(missing)]
    return [(replace(ordered[place], is_repeat=True),) for place in places]


def _in_sessions(units: Sequence[Unit], profile: Profile, random: Random) -> Iterator[ReshapedTurn]:
    """Units as turns of numbered sessions, each of one course, in as many sessions as the profile's turns make."""
    by_course = sorted(units, key=lambda unit: unit[0].course_id or "")
    for course, group in groupby(by_course, key=lambda unit: unit[0].course_id or ""):
        listed = list(group)
        random.shuffle(listed)
        listed.sort(key=len, reverse=True)
        sessions = _fill(listed, _sizes(sum(map(len, listed)), profile))
        for number, session in enumerate(sessions):
            for position, turn in enumerate(turn for unit in session for turn in unit):
                yield replace(turn, session=f"{course}/{number:04d}", position=position)


def _sizes(turns: int, profile: Profile) -> list[int]:
    """Turns of each session, largest first: as many sessions with one as the profile says, the others alike."""
    sessions = min(turns, max(1, round(turns / profile.turns)))
    alone = round(profile.single * sessions)
    others = sessions - alone
    if not others or turns - alone < 2 * others:
        others = min(max(1, others), turns // 2)
        alone = min(alone, turns - 2 * others)
    if not others:
        return [1] * turns
    each, over = divmod(turns - alone, others)
    return [each + 1] * over + [each] * (others - over) + [1] * alone


def _fill(units: Sequence[Unit], sizes: Sequence[int]) -> list[list[Unit]]:
    """Units, longest first, each into the session with the most room left."""
    room: list[int] = list(sizes)
    sessions: list[list[Unit]] = [[] for _ in sizes]
    for unit in units:
        place = max(range(len(room)), key=lambda one: (room[one], -one))
        room[place] -= len(unit)
        sessions[place].append(unit)
    return [session for session in sessions if session]
