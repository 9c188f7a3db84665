"""The windows of the material that answer a question best, by words, meaning and wording. Pure.

Belongs here: scoring single sentences and growing them into something that can be read alone. What is done with the
best windows is each composer's.
"""

import operator
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from re import Pattern

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.announcements import (
    ANNOUNCES_STEPS,
    announces_more,
    announces_reasons,
    find_announcement,
)
from serving.assistant.composing.asked_aloud import (
    HALF,
    SHORTEST_MARKED,
    WHOLE_TITLE,
    begin_of_reply,
    find_asked_terms,
    find_opening,
    find_question_before,
    find_question_of_reason,
    find_terms_of_question,
    gives_reason_of_another,
    leans_on_question,
    measure_asked_before,
)
from serving.assistant.composing.cues import (
    ASKS_WHO,
    NOT_ALL,
    OF_ALL,
    PROMISES,
    SAYS_THE_REASON,
    answers_kind,
    goes_on,
    has_cue,
    is_no_fact,
    is_of_another_number,
    is_of_another_size,
    is_of_many,
    is_of_something_else,
    speaks_of_the_talk,
)
from serving.assistant.composing.defining_cues import defines
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.operands import is_operand, is_result
from serving.assistant.composing.opposites import says_condition, says_opposite
from serving.assistant.composing.reply_cues import is_taken_back
from serving.assistant.composing.taken_back import TOLD_BY_CLAIMS, is_cut, is_nearer_taken_back
from serving.assistant.composing.terms import ALL_OF_IT, Coverage, QuestionUnit, known, terms_of
from serving.assistant.composing.window import (
    LENGTH,
    LONGEST_HEADING,
    Window,
    begin_before_fragment,
    is_slide,
    not_overlapping,
    turns_away,
)
from serving.assistant.composing.window_starts import (
    begin_before_other_reasons,
    begin_with_premise,
)
from serving.assistant.grounding.negation import is_negated
from serving.assistant.understanding.aspects import Aspect
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.analysis import content_terms

LONGEST_LINE: dict[Lang, int] = {"en": 420, "zh": 160}
"""A single sentence beyond this has lost its full stops; it is shown, but wins less easily."""

FAR = 0.25
"""Meaning (stretched cosine) below which a sentence that has no word of the question begins no window. A choice."""

MOST_READ_ON = 9
"""Sentences behind the anchor that a window may reach over. A choice."""

CLEAR = 1.0
"""From which a sentence answers so clearly by itself (`_answers_alone`) that it is marked, where it names what is asked
about. A choice."""


def best_windows(
    pieces: Sequence[MaterialPiece],
    units: Sequence[QuestionUnit],
    *,
    kind: QuestionKind,
    aspects: Sequence[Aspect] = (),
    cue: Pattern[str] | None = None,
    most: int = 1,
    length: float = 1.0,
    seen: str = "",
    asked: str = "",
) -> list[Window]:
    """The `most` best windows, best first, none beside another; `length` times as long as usual.

    `cue` is a wording beside that of the kind which makes a sentence better. Sentences in `seen` begin none, and are
    half of one at most. `asked` is the question, of which a sentence may say the opposite; by default the units' names.
    """
    found = all_windows(pieces, units, kind=kind, aspects=aspects, cue=cue, length=length, seen=seen, asked=asked)
    return not_overlapping(found, most)


def all_windows(
    pieces: Sequence[MaterialPiece],
    units: Sequence[QuestionUnit],
    *,
    kind: QuestionKind,
    aspects: Sequence[Aspect] = (),
    cue: Pattern[str] | None = None,
    length: float = 1.0,
    seen: str = "",
    asked: str = "",
) -> list[Window]:
    """Every window that may be shown, best first; of one piece they overlap."""
    known_units = known(units)
    covered = Coverage(known_units)
    labels = [unit.label for unit in known_units]
    asked = asked or " ".join(labels)
    found = [
        window
        for rank, piece in enumerate(pieces, 1)
        for window in _windows(piece, rank, covered, labels, kind, aspects, cue, length, seen, asked)
    ]
    return sorted(found, key=lambda one: (-one.score, one.piece.entry.entry_id, one.start))


def _windows(
    piece: MaterialPiece,
    rank: int,
    covered: Coverage,
    labels: Sequence[str],
    kind: QuestionKind,
    aspects: Sequence[Aspect],
    cue: Pattern[str] | None,
    length: float,
    seen: str,
    asked: str,
) -> list[Window]:
    title = covered.find_terms_in(f"{piece.entry.title} {piece.entry.section or ''}")
    said = [covered.find_terms_in(line.text) for line in piece.lines]
    whole = covered.of(title.union(*said))
    if labels and whole == 0.0 and piece.meaning < 0.4:
        return []
    lang = piece.lang
    elsewhere = [kind == "why" and gives_reason_of_another(piece, at, said, covered) for at in range(len(piece.lines))]
    worded = [answers_kind(line.text, kind) and not other for line, other in zip(piece.lines, elsewhere, strict=True)]
    has = [cue is not None and has_cue(line.text, cue) for line in piece.lines]
    cued = [fits and (cue is None or one) for one, fits in zip(has, worded, strict=True)]
    aspect = [sum(has_cue(line.text, one.said) for one in aspects) for line in piece.lines]
    rejected = [kind != "yes_no" and is_taken_back(line.text) for line in piece.lines]
    opposite = [
        _is_of_another_thing(asked, line.text) or is_rejected
        for line, is_rejected in zip(piece.lines, rejected, strict=True)
    ]
    no_fact = [is_no_fact(asked, line.text) for line in piece.lines]
    no_fact = list(accumulate(no_fact, operator.or_)) if ASKS_WHO.search(asked) else no_fact
    asks_cost = any(one.key in ("complexity", "cost") for one in aspects)
    of_many = [asks_cost and is_of_many(asked, line.text) for line in piece.lines]
    of_all = kind == "yes_no" and OF_ALL.search(asked) is not None
    excepts = [of_all and has_cue(line.text, NOT_ALL) for line in piece.lines]
    alone = [
        _answers_alone(piece, place, covered.of(said[place] | title), covered.of(said[place]))
        + 0.1 * worded[place]
        + 0.3 * has[place]
        + (0.3 * aspect[place] / len(aspects) if aspects else 0.0)
        + 0.4 * (kind == "definition" and defines(line.text, labels))
        - 0.4 * (opposite[place] or of_many[place] or elsewhere[place])
        + 0.4 * excepts[place]
        for place, line in enumerate(piece.lines)
    ]
    meanings = [line.meaning for line in piece.lines]
    subject = _find_subject(asked, labels)
    nearness = _token_rows(piece)
    replies = [find_question_of_reason(piece, place) if kind == "why" else None for place in range(len(said))]
    clear = [
        at >= CLEAR
        and covered.names_concepts(own | find_asked_terms(piece, place, said))
        and (of_aspects > 0 or not aspects)
        and not is_of_another_size(asked, piece.lines[place].text)
        and not is_of_another_number(asked, piece.lines[place].text)
        and not of_many[place]
        and (replies[place] is None or covered.says_more(said[replies[place] or 0] | said[place]))
        and not (no_fact[place] or (opposite[place] and kind != "yes_no"))
        and not announces_more(piece.lines[place].text)
        and (kind != "yes_no" or covered.says_more(own | find_asked_terms(piece, place, said)))
        and (kind != "yes_no" or piece.wordings[place][0] or not subject or not subject.isdisjoint(own))
        for place, (at, own, of_aspects) in enumerate(zip(alone, said, aspect, strict=True))
    ]
    announced = ANNOUNCES_STEPS if kind in ("how", "calculation") else find_announcement(aspects)
    is_definition = kind == "definition"
    is_asked = piece.entry.title.rstrip("\"'”’").endswith(("?", "？")) and covered.of(title) >= WHOLE_TITLE
    found, record = [], _whole(piece)
    silent = [
        line.is_sentence and (points or asks)
        for line, (_, points, asks) in zip(piece.lines, piece.wordings, strict=True)
    ]
    of_person = ASKS_WHO.search(asked) is not None
    stands = [
        covered.of(own) >= ALL_OF_IT and (of_person or goes_on(line.text))
        for line, own in zip(piece.lines, said, strict=True)
    ]
    for anchor, line in enumerate(piece.lines):
        if (
            line.text in seen
            or (piece.wordings[anchor][2] and not record)
            or (rejected[anchor] and kind in TOLD_BY_CLAIMS)
            or any(no_fact[max(0, anchor - 1) : anchor + 1])
        ):
            continue
        replied = find_terms_of_question(piece, anchor, said, covered, kind)
        own = covered.of(said[anchor] | replied)
        opens = None if announced is None or record else find_opening(piece, anchor, said, covered, announced)
        if labels and own == 0.0 and line.meaning < FAR and not record and opens is None:
            continue
        start, stop = record or _grown(piece, anchor, silent, length)
        start = start if opens is None else opens
        near = covered.of(title.union(*said[max(0, start - 1) : stop]))
        nearest, second = _two_most(meanings[start:stop])
        beside = covered.of(said[anchor] | title)
        facts = (
            near,
            covered.of(frozenset().union(*said[start:stop])),
            own,
            beside,
            whole,
            piece.words,
            1.0 / rank,
            float(cued[anchor]),
            sum(cued[start:stop]) / (stop - start),
            aspect[anchor] / len(aspects) if aspects else 0.0,
            max(aspect[start:stop]) / len(aspects) if aspects else 0.0,
            float(is_definition and defines(line.text, labels)),
            float(is_definition and is_negated(line.text)),
            piece.meaning,
            line.meaning,
            nearest,
            second,
            0.0 if nearness is None else float(np.maximum.reduce(nearness[start:stop]).sum()),
        )
        score = sum(map(operator.mul, weights_for(lang, facts), facts)) - _flaws(piece, anchor, lang)
        is_off = opposite[anchor] or elsewhere[anchor]
        score += EXCEPTION * bool(excepts[anchor] and own) - OPPOSITE * is_off
        score += OPPOSITE * (kind == "how" and says_condition(asked, line.text))
        score -= OPPOSITE * any(of_many[start:stop])
        score += AT_HOME * piece.home + TITLED * (covered.of(title) >= WHOLE_TITLE)
        score += ASKED_ALOUD * measure_asked_before(piece, anchor) * (kind != "comparison")
        score += REASON_SAID * (
            kind == "why"
            and own >= NAMED_WITH_REASON
            and (SAYS_THE_REASON.search(line.text) is not None or announces_reasons(line.text))
        )
        score += WORKED_OUT * (is_result(asked, line.text) or (kind == "calculation" and opens is not None))
        is_of_part = kind == "how" or (kind == "aspect" and not covered.names_concepts(said[anchor]))
        names_it = _says_nothing_else(line.text, said[anchor])
        heads = is_of_part and _heads(piece, anchor, HALF if names_it else WHOLE_TITLE, beside, covered.of(title))
        begins = (is_asked and anchor == 0) or heads
        score += AT_BEGINNING * begins + HEADED * (heads and names_it) + ANNOUNCED * (opens is not None)
        has_aspect = aspect[anchor] > 0 or not aspects
        is_said_of_it = aspect[anchor] > 0 and covered.names_concepts(said[anchor]) and own >= HALF
        score += SAID_OF_IT * (is_said_of_it and kind == "yes_no" and lang == "en")
        at, key, marked = anchor, -1 if opens is None else anchor, opens is not None and clear[anchor]
        if not record and not begins and opens is None:
            key = max(range(start, stop), key=lambda place: (alone[place], -place))
            asks = piece.wordings[key][2]
            marked = clear[key] and not asks and piece.sizes[key] >= SHORTEST_MARKED[lang] and not is_cut(piece, key)
            marked = marked and not is_nearer_taken_back(piece, key, range(start, stop), said, covered)
            if not leans_on_question(piece, key, covered, said, title):
                start, stop, at = _begun_later(piece, (start, stop, anchor), key, alone, silent, length)
            start = key if key == at and stands[key] and kind != "list" else start
            if piece.wordings[key][0] and (question := find_question_before(piece, key)) is not None:
                start = min(start, question)
            start = begin_before_fragment(piece, start)
            if kind == "why":
                start, stop = _with_reasons(piece, begin_before_other_reasons(piece, start), stop, worded, silent)
        start = min(start, begin_of_reply(piece, anchor)) if replied and not record else start
        is_seen = 2 * sum(line.text in seen for line in piece.lines[start:stop]) > stop - start
        if no_fact[start] or (seen and not record and is_seen):
            continue
        has_aspect = has_aspect or (marked and start == key)  # what is marked has it
        is_announced = opens is not None or (of_person and start == key)
        is_cued = worded[anchor]
        found.append(
            Window(piece, start, stop, at, score, own, near, is_cued, has_aspect, facts, key, marked, is_announced)
        )
    return list(_end_before_announced(found)) if any(one.is_announced for one in found) else found


def _is_of_another_thing(asked: str, text: str) -> bool:
    """Whether a sentence has the opposite of what is asked, another number of it, or what is worked out by it."""
    return says_opposite(asked, text) or is_of_another_number(asked, text) or is_operand(asked, text)


def _end_before_announced(windows: Sequence[Window]) -> Iterator[Window]:
    """The windows of a piece, but those that reach over the beginning of an announced one end before it."""
    openings = sorted({window.start for window in windows if window.is_announced})
    for window in windows:
        opening = next((at for at in openings if window.start < at < window.stop), window.stop)
        if window.is_announced or opening == window.stop:
            yield window
        elif max(window.anchor, window.key) < opening:
            yield replace(window, stop=opening)


def _find_subject(asked: str, labels: Sequence[str]) -> frozenset[str]:
    """The terms of what a question begins with, of which it asks if something is so: what is the same on the Moon may
    be the mass and not the weight."""
    behind = _IS_IT_SO.sub("", asked).lower()
    return next(
        (terms_of(one) for one in labels if behind != asked.lower() and behind.startswith(one.lower())), frozenset()
    )


_IS_IT_SO = re.compile(r"^\W*(?:(?:so|and|but) )?(?:is|are|was|were) (?:(?:an?|the) )?", re.IGNORECASE)


OPPOSITE = 0.8
"""What a window loses that begins with the opposite of what is asked, too small where too big was meant, with another
one of a numbered thing, or with the reason of something else; and what one gains that begins with the very condition of
which it is asked what happens. A choice."""

SAID_OF_IT = 2.0
"""What a window gains whose first sentence has the aspect of which something is claimed, and names what it is claimed
of. A choice."""

EXCEPTION = 2.0
"""What a window gains that begins with what is not so of all, where that is asked of all of them. A choice."""

ASKED_ALOUD = 1.0
"""What a window gains that replies to the very question, asked aloud in the lecture. How two things differ is said of
both, and not right behind a question. A choice."""

REASON_SAID, NAMED_WITH_REASON = 1.0, 0.6
"""What a window gains whose first sentence calls something the reason, and what share of the question that sentence
must speak of. Choices."""

WORKED_OUT = 1.5
"""What a window gains that begins with how what is asked for is worked out, or says that this follows. A choice."""

HEADED = 1.0
"""What a window gains beside that which begins with a heading of nothing but what is asked: "Insert." A choice."""

ANNOUNCED = 1.5
"""What a window gains that begins where the lecturer says that the explanation, or the use, follows. A choice."""


def _heads(piece: MaterialPiece, place: int, least: float, beside: float, of_title: float) -> bool:
    """Whether a sentence is a heading, said aloud, that names with the title what is asked, `least` of it, where the
    title alone does not: "Insert." in a lecture on heaps begins how to insert."""
    leans, _, asks = piece.wordings[place]
    is_short = piece.sizes[place] <= LONGEST_HEADING[piece.lang] and not (leans or asks)
    return is_short and beside >= least and beside > of_title


def _says_nothing_else(text: str, asked: frozenset[str]) -> bool:
    """Whether all that a sentence says is asked about."""
    return bool(asked) and frozenset(content_terms(text, strict=True)) <= asked


def _answers_alone(piece: MaterialPiece, place: int, near: float, own: float) -> float:
    """How well a sentence answers by itself, as far as its kind is not asked: by its meaning and its words, less where
    it asks, points at something unseen, says what is going to be said or leans on another, more where it follows a
    question that means the same. The weights are choices: of 196 English development questions the best sentence so
    said all that had to be said in .34, the first of the window in .25; of 54 Chinese ones in .46 and .20."""
    leans, points, asks = piece.wordings[place]
    asked = find_question_before(piece, place)
    line = piece.lines[place]
    score = line.meaning + 0.3 * near + 0.1 * own - 0.15 * leans - 0.3 * points - 0.5 * asks
    score -= 0.7 * has_cue(line.text, PROMISES)
    return score + (0.0 if asked is None else 0.3 * piece.lines[asked].meaning)


LATER = 0.4
"""How much less than the key the sentence that a window begins with may answer by itself: with more of them left out
fewer questions are answered, with fewer the answer comes later. A choice."""


def _begun_later(
    piece: MaterialPiece,
    window: tuple[int, int, int],
    key: int,
    alone: Sequence[float],
    silent: Sequence[bool],
    length: float,
) -> tuple[int, int, int]:
    """Start, stop and anchor of a window without the sentences before its key that say much less, read on behind it for
    as long."""
    start, stop, anchor = window
    begin = next(place for place in range(start, key + 1) if alone[place] >= alone[key] - LATER)
    if begin == start:
        return window
    start, stop = _grown(piece, begin, silent, length)
    return start, max(stop, key + 1), anchor if anchor >= start else key


def _with_reasons(
    piece: MaterialPiece, start: int, stop: int, gives_reason: Sequence[bool], silent: Sequence[bool]
) -> tuple[int, int]:
    """A window with the sentence right before it and the two right behind it, as far as these give a reason and the
    first leans on nothing: what is cut off at the edge of a quote is the reason more often than anything else."""
    leans, _, asks = piece.wordings[start - 1]
    if start > 0 and gives_reason[start - 1] and not (silent[start - 1] or leans or asks):
        start -= 1
    start = begin_with_premise(piece, start)
    for _ in range(MOST_REASONS):
        if stop == len(gives_reason) or silent[stop] or not gives_reason[stop]:
            break
        stop += 1
    return start, stop


MOST_REASONS = 2
"""Sentences with a reason that are read on behind a window. A choice."""


def _two_most(values: Sequence[float]) -> tuple[float, float]:
    """The greatest value and the one after it; twice the only one."""
    if len(values) < 2:
        return values[0], values[0]
    first, second = (values[0], values[1]) if values[0] >= values[1] else (values[1], values[0])
    for value in values[2:]:
        if value > first:
            first, second = value, first
        elif value > second:
            second = value
    return first, second


def weights_for(lang: Lang, facts: Sequence[float]) -> tuple[float, ...]:
    """The weights of a window's facts, by what is known of it: whether sentences, whether tokens were compared."""
    *_, nearest, _, by_tokens = facts
    return BY_WORDS if nearest <= 0.0 else (BY_TOKENS if by_tokens > 0.0 else BY_MEANING)[lang]


def _token_rows(piece: MaterialPiece) -> NDArray[np.float32] | None:
    """The cosines of the question's tokens with each line, divided by how many tokens there are: (lines, tokens);
    `None` where tokens are not compared."""
    width = max((len(line.token_cosines) for line in piece.lines), default=0)
    if not width:
        return None
    rows = np.zeros((len(piece.lines), width), dtype=np.float32)
    for row, line in zip(rows, piece.lines, strict=True):
        row[: len(line.token_cosines)] = line.token_cosines
    rows /= width
    return rows


BY_MEANING: dict[Lang, tuple[float, ...]] = {
    "en": (2.05, 0.38, -0.87, 0.0, 1.16, 0.0, 0.89, 0.37, 0.4, 0.0, 1.52, 0.33, -1.57, 3.06, 0.86, 2.73, 0.79, 0.0),
    "zh": (0.86, 0.57, -0.29, 0.0, 0.67, 0.0, 0.47, 0.28, 0.22, 0.0, 1.35, 1.37, -0.85, 1.43, 0.31, 1.58, 0.82, 0.0),
}

BY_TOKENS: dict[Lang, tuple[float, ...]] = BY_MEANING | {"en": (*BY_MEANING["en"][:-3], 1.37, 0.79, 20.0)}

BY_WORDS = (0.8, 0.0, 0.5, 0.5, 0.4, 0.25, 0.0, 0.35, 0.0, 0.6, 0.0, 0.4, -0.3, 0.0, 0.0, 0.0, 0.0, 0.0)
"""Weights of what is known of a window, with vectors, with tokens besides, and without any: the shares of the question
that it and its title, that its sentences, that its first sentence, that this and the title, and that the whole piece
speak of; how well words found the piece, and one over its rank; whether the first sentence has the wording of an
answer, and the share of sentences that have; the aspects asked for in the first sentence and in the window; whether the
first sentence defines, or denies, what is to be defined; how near in meaning the piece, the first, the nearest and the
second nearest sentence are; how near its nearest token is to a token of the question, on average over these (Khattab
and Zaharia 2020, eq. 3).

`benchmarks/window_weights.py` fits them to which windows answer the questions of the development half. The English ones
were so fitted in the order in use before, where the best one, two and three windows answered .56, .68 and .74 of 631
questions; of a course left out .57, .71 and .76 by the fit. The weight of tokens was one number beside the others: by
it the best one, two and three answered .60, .73 and .82 where they did .58, .71 and .80. It was raised from 8, and that
of the nearest sentence halved, on 2,323 questions whose place in a lecture is known (`placed_questions.py`): the window
that has it is the best, among the three and the five best in .515, .705 and .796 of them (.505, .697 and .781 before),
and of 738 development questions the best one, two and three answer .640, .688 and .725 (.625, .678 and .717). All
weights fitted anew to those, a course left out, find .516, .712 and .798, and gradient boosting no more. A fit to
the 197 Chinese questions is worse than what is in use,
and tokens of the Chinese model change nothing (.766, .858, .878 at best beside .766, .853, .878)."""

AT_BEGINNING = 0.8
"""What the first sentence under a title that asks the same gains: it begins the answer. A choice."""

TITLED, AT_HOME = 1.0, 1.0
"""What a window gains whose title speaks of what is asked (`WHOLE_TITLE`), and one that is of the part of the course in
which all that is asked about is taught. With .8 for the part alone three fewer of 1,211 development questions are
answered. 2 for the title loses one of them; a gain for titles that only name the concepts answers none more."""


def _flaws(piece: MaterialPiece, place: int, lang: Lang) -> float:
    """What is taken off for a sentence that asks, points at something unseen, runs on, or is of something else, the
    lecture among it. Choices."""
    _, points, asks = piece.wordings[place]
    text = piece.lines[place].text
    is_of_another = is_of_something_else(text) or speaks_of_the_talk(text)
    return 0.4 * asks + 0.8 * points + 0.2 * (piece.sizes[place] > LONGEST_LINE[lang]) + 1.5 * is_of_another


LONGEST_WHOLE = {"catalog": 700, "document": 400}
"""Characters of a catalogue's record and of an article that are shown whole: its fields belong together, and one
sentence of a rule says when the other holds. Choices."""

LONGEST_LISTED = 700
"""Characters of a slide, or of a part of a document with a list, that are shown whole: lines and items say little
without each other. A choice."""


def _whole(piece: MaterialPiece) -> tuple[int, int] | None:
    """All of a record of a catalogue, of an article or of a slide with its list, if it is short and tells something: no
    list of questions to its readers."""
    longest = LONGEST_WHOLE.get(piece.entry.source, 0)
    if piece.entry.source == "document" and (is_slide(piece.entry) or any(line.is_item for line in piece.lines)):
        longest = LONGEST_LISTED
    is_told = 2 * sum(asks for _, _, asks in piece.wordings) < len(piece.lines)
    return (0, len(piece.lines)) if is_told and sum(piece.sizes) <= longest else None


def _grown(piece: MaterialPiece, anchor: int, silent: Sequence[bool], length: float) -> tuple[int, int]:
    """From what the anchor leans on to where there is enough to read; `silent` sentences are not counted."""
    wordings, sizes = piece.wordings, piece.sizes
    start, budget = anchor, LENGTH[piece.lang] * length
    while start > 0 and anchor - start < 2 and wordings[start][0]:
        start -= 1
    if piece.lines[anchor].is_item:
        start = _above(piece, anchor, budget)
    stop = anchor + 1
    size = sum(sizes[start:stop])
    for place in range(stop, min(stop + MOST_READ_ON, len(sizes))):
        size += 0 if silent[place] else sizes[place]
        if size > budget:
            break
        stop += 1
    while stop > anchor + 1 and turns_away(piece, stop - 1, stop):
        stop -= 1
    while stop < len(sizes) and _ENDS_IN_NUMBER.search(piece.lines[stop - 1].text):
        stop += 1
    return start, stop


_ENDS_IN_NUMBER = re.compile(r"\s\d[.、]$")
"""The number of an item, cut from it by its full stop."""


def _above(piece: MaterialPiece, item: int, budget: float) -> int:
    """Where to begin for an item to be understood: at what leads to its list, where that is near, else at the item that
    it is one of."""
    lines = piece.lines
    first = item
    while first > 0 and lines[first - 1].is_item:
        first -= 1
    lead = first - 1 if first > 0 and lines[first - 1].text.rstrip().endswith((":", "：")) else first
    if sum(piece.sizes[lead : item + 1]) <= budget:
        return lead
    start = item
    while start > first and _level(lines[start]) > 0:
        level = _level(lines[start])
        start -= 1
        while start > first and _level(lines[start]) >= level:
            start -= 1
    return start if sum(piece.sizes[start : item + 1]) <= budget else item


def _level(line: MaterialLine) -> int:
    return line.block.level if line.block is not None else 0
