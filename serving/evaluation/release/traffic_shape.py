"""The shape of traffic: how long, how asked and how often repeated questions are, and how far a set is from that.

Belongs here: measuring turns, the shape that was published of real ones, and the distance. Making a set of that shape
is `reshaping`'s.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from knowledge_graph.lake.records import Lang
from serving.assistant.understanding.follow_up_words import WORDS
from serving.index.analysis import normalize_question

POSITIONS = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
"""The quantiles of lengths that are looked at: those that are known of the public data."""

LETTERS = 3
"""Characters of English that say as much as one of Chinese. A choice: 数据结构 is 4, "data structure" 14; 截止时间 is
4, "deadline" 8. Used only where a language has no lengths of its own."""

LEAST = 30
"""Turns of a language below which its own lengths say little, and those of the other are used. A choice."""

LIMIT = 0.05
"""A set whose distance is at most this has the shape. A choice: no share and no quantile is off by more than that."""

MARKS = ("?", "？")


@dataclass(frozen=True)
class TrafficTurn:
    """One message of a student. `position` is 0-based in its session; `form` is "mcq" or "frq", "" where unknown."""

    question: str
    session: str
    position: int
    lang: Lang
    form: str = ""


@dataclass(frozen=True)
class Profile:
    """The shape of many turns. Shares are 0..1; `None` is not known.

    `lengths` are characters at `POSITIONS` by language. `question_marks` is the share of turns with one anywhere,
    `repeats` of those that repeat an earlier turn, `single` of sessions with one turn; `turns` is the mean number of
    turns of a session. `points_back` is the share of turns with a pronoun that leans on what was said, `fragments` of
    those without a mark or word of a question, `multiple_choice` of those with options.
    """

    lengths: Mapping[Lang, tuple[float, ...]]
    question_marks: float
    repeats: float
    single: float
    turns: float
    points_back: float | None = None
    fragments: float | None = None
    multiple_choice: float | None = None
    count: int = 0
    counts: Mapping[Lang, int] = field(default_factory=dict)

    def lengths_in(self, lang: Lang) -> tuple[float, ...]:
        """Characters at `POSITIONS` in a language; those of the other language, scaled by `LETTERS`, where it has
        none of its own. Raises `ValueError` for a profile without lengths."""
        if lang in self.lengths:
            return self.lengths[lang]
        if not self.lengths:
            raise ValueError("A profile without lengths has no shape.")
        scale = LETTERS if lang == "en" else 1 / LETTERS
        return tuple(max(1.0, float(round(one * scale))) for one in next(iter(self.lengths.values())))


PUBLISHED = Profile(lengths={"zh": (3, 4, 7, 9, 14, 50)}, question_marks=0.293, repeats=0.266, single=0.63, turns=2.06)
"""The profile of LittleMu's public log of 4,002 questions (THU-KEG/VTA), all Chinese, counted in its intent file."""


def profile_of(turns: Iterable[TrafficTurn]) -> Profile:
    """The shape of turns, in the order of `turns`. Raises `ValueError` without any.

    A language has lengths from `LEAST` turns on, or when there is no other.
    """
    listed = list(turns)
    if not listed:
        raise ValueError("Without turns there is no shape.")
    by_lang: dict[Lang, list[int]] = {}
    for turn in listed:
        by_lang.setdefault(turn.lang, []).append(len(turn.question.strip()))
    most = max(map(len, by_lang.values()))
    sessions = Counter(turn.session for turn in listed)
    known = [turn.form for turn in listed if turn.form]
    return Profile(
        lengths={
            lang: tuple(float(_quantile(sorted(found), share)) for share in POSITIONS)
            for lang, found in sorted(by_lang.items())
            if len(found) >= min(LEAST, most)
        },
        question_marks=fmean(any(mark in turn.question for mark in MARKS) for turn in listed),
        repeats=1 - len({normalize_question(turn.question) for turn in listed}) / len(listed),
        single=fmean(count == 1 for count in sessions.values()),
        turns=len(listed) / len(sessions),
        points_back=fmean(points_back(turn.question, turn.lang) for turn in listed),
        fragments=fmean(not WORDS[turn.lang].asks.search(turn.question) for turn in listed),
        multiple_choice=fmean(form == "mcq" for form in known) if known else None,
        count=len(listed),
        counts={lang: len(found) for lang, found in sorted(by_lang.items())},
    )


def points_back(question: str, lang: Lang) -> bool:
    """Whether it has a pronoun that leans on what was said before, by the rules that follow-ups are known by."""
    words = WORDS[lang]
    return bool(words.reference.search(question)) and not words.no_reference.search(question)


def distance(profile: Profile, turns: Sequence[TrafficTurn]) -> Mapping[str, float]:
    """How far turns are from a profile, by part, each 0..1; the distance is the largest of them (`farthest`).

    Lengths, by language: the largest distance at `POSITIONS` between the two distribution functions (Kolmogorov and
    Smirnov's, at the points that the profile has); a step of the turns' function counts as all that it passes.
    Shares: their difference. Mean turns of a session: |a - b| / max(a, b). Forms and pronouns are no part of it:
    rules make neither options nor concepts where there are none.
    """
    found = profile_of(turns)
    parts = {
        f"lengths_{lang}": _apart(profile.lengths_in(lang), [turn for turn in turns if turn.lang == lang])
        for lang in sorted({turn.lang for turn in turns})
    }
    return {
        **parts,
        "question_marks": abs(profile.question_marks - found.question_marks),
        "repeats": abs(profile.repeats - found.repeats),
        "single": abs(profile.single - found.single),
        "turns": abs(profile.turns - found.turns) / max(profile.turns, found.turns),
    }


def farthest(parts: Mapping[str, float]) -> float:
    """The distance of a set: that of the part that is farthest off."""
    return max(parts.values())


def length_at(points: Sequence[float], share: float) -> int:
    """The length, at least 1, that a share 0..1 of turns do not exceed; straight lines between `POSITIONS`."""
    shares = (0.0, *POSITIONS, 1.0)
    known = (1.0, *points, points[-1] * 1.2)
    place = min(max(bisect_left(shares, share), 1), len(shares) - 1)
    within = (share - shares[place - 1]) / (shares[place] - shares[place - 1])
    return max(1, round(known[place - 1] + within * (known[place] - known[place - 1])))


def _apart(points: Sequence[float], turns: Sequence[TrafficTurn]) -> float:
    lengths = sorted(len(turn.question.strip()) for turn in turns)
    found = []
    for share, length in zip(POSITIONS, points, strict=True):
        below, up_to = bisect_left(lengths, length) / len(lengths), bisect_right(lengths, length) / len(lengths)
        found.append(max(0.0, below - share, share - up_to))
    return max(found)


def _quantile(ordered: Sequence[int], share: float) -> int:
    """The smallest value that at least `share` of the ordered values do not exceed (nearest rank)."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
