"""A stored answer, given under its own question, so that the student sees which question it answers. Pure.

Stored are the entries of the FAQ, and what a document has under a heading that asks: "What is overfitting?".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.found_units import kinds_not_taught
from serving.assistant.composing.material import MaterialLine, join_material_lines, safe, split_written_lines
from serving.assistant.composing.request import Request
from serving.assistant.composing.rule_topics import topics_in
from serving.assistant.composing.same_question import kinds_apart
from serving.assistant.composing.stored_match import (
    HALF,
    PLAIN,
    UNRELATED,
    StoredMatch,
    is_answer,
    is_near,
    match_stored,
    tells_apart,
)
from serving.assistant.composing.terms import is_doer, is_of_concept, is_spelled_in, terms_of
from serving.assistant.composing.whole_names import says_whole
from serving.assistant.composing.wording import wording
from serving.assistant.generation.direct import direct_text
from serving.assistant.retrieval.candidates import PairCandidate
from serving.assistant.understanding.comparison_terms import find_compared
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.index.analysis import content_terms, terms
from serving.index.evidence import from_entry
from serving.index.schema import Entry

MOST_CHOICES = 3
IS_CLOSE, LEADS = 0.5, 0.62
"""How near in meaning an entry's question must be to be offered as close, and to stand above what else was found. Of 19
development questions with a close entry it was nearly always the answer above the second alone. Choices."""
NEAREST_SCORE = 0.3
"""How sure an entry is that is only the nearest: not enough to count as an answer."""


def find_stored_matches(request: Request) -> list[StoredMatch]:
    """The FAQ's entries and documents' questions that were found, as they were looked up; Chinese ones nearest first.

    A question about a concept is not told by meaning from an entry of another kind: who invented quicksort is not what
    quicksort differs in.
    """
    found = [one for each in request.stored if (one := _as_asked(each)) is not None]
    by_meaning = request.lang == "zh" and all("cosine" in one.parts for one in found)
    scores = {one.entry.entry_id: one.parts["cosine"] if by_meaning else one.score for one in found}
    found.sort(key=lambda one: (-scores[one.entry.entry_id], one.entry.entry_id))
    is_free = not is_of_concept(request.units)
    matches = [
        match_stored(
            one,
            request.units,
            request.question,
            request.material.index.idf,
            lead=scores[one.entry.entry_id] - _next(found[place:], scores, UNRELATED if by_meaning else 0.0),
            by_meaning=by_meaning and (is_free or question_kind(one.entry.title) == request.kind),
        )
        for place, one in enumerate(found)
    ]
    return [one for one in matches if one.candidate.entry.source == "faq" or one.by_title >= ASKED]


def _next(found: Sequence[PairCandidate], scores: Mapping[str, float], least: float) -> float:
    """The score of what follows the first. The platform's FAQ stands below the course's own: an entry of the course is
    none the less sure for one of the platform that is like it."""
    rivals = (one for one in found[1:] if found[0].entry.is_platform or not one.entry.is_platform)
    return next((scores[one.entry.entry_id] for one in rivals), least)


ASKED = 0.5
"""Share of the question that a document's question must speak of: what its answer happens to mention was not asked. A
choice."""


def _as_asked(candidate: PairCandidate) -> PairCandidate | None:
    """An entry of the FAQ, or of a document with the question in its heading alone; `None` for any other pair."""
    entry = candidate.entry
    if entry.source == "faq":
        return candidate
    question = entry.title.rpartition(" › ")[2]
    if entry.source != "document" or ASKS.search(question) is None:
        return None
    return replace(candidate, entry=replace(entry, title=question))


ASKS = re.compile(r"[?？][\"'”’)）]*$")


def compose_stored(request: Request, *, is_alike: bool = True) -> Composed | None:
    """The FAQ entry that covers all that was asked, the course's own before the platform's; `None` where none does, as
    of a kind of concept that no text names: a splay queue is not the queue of the FAQ.

    Of kinds that have a composer that knows more (`ASKED_ALIKE`) the entry is of the same kind, unless not `is_alike`:
    then it is of the FAQ.
    """
    if any(request.graph.mentions(unit.label) for unit in kinds_not_taught(request)):
        return None
    found = [one for one in find_stored_matches(request) if not is_compared(one.candidate)]
    found = [one for one in found if is_alike or one.candidate.entry.source == "faq"]
    own = [one for one in found if not one.candidate.entry.is_platform][:1]
    for first in own if own == found[:1] else [*own, *found[:1]]:
        is_of_kind = question_kind(first.candidate.entry.title) == request.kind
        if (is_alike and request.kind in ASKED_ALIKE and not is_of_kind) or _asks_something_else(request, first):
            continue
        if is_answer(first, request.aspects) and not asks_otherwise(request, first):
            return _give(request, first)
    return None


def is_compared(candidate: PairCandidate) -> bool:
    """Whether it is an approved answer whose wordings were compared by meaning, which alone tells then
    (`approved.py`)."""
    return bool(candidate.asked_as) and "cosine" in candidate.parts


def _asks_something_else(request: Request, match: StoredMatch) -> bool:
    """Whether an entry is on a concept that is asked about, and its question is narrower, leaves out what tells it
    apart, or, in Chinese, is of another kind: how a binary tree is traversed is not how one checks that it is a search
    tree, though the answer traverses it. Neither words nor meaning tell such questions apart."""
    if _asks_more(request, match):
        return True
    if not match.is_of_concept:
        return False
    title = match.candidate.entry.title
    said = terms_of(f"{title} {match.candidate.entry.section or ''}")
    return (
        (match.is_narrower and request.kind != "other")
        or any(unit.measure_coverage(said) < 1.0 for unit in request.units if tells_apart(unit))
        or (request.lang == "zh" and question_kind(title) != request.kind)
    )


def _asks_more(request: Request, match: StoredMatch) -> bool:
    """Whether it is asked what one thing is, and an entry asks for much more of it, and not for that: how a tracker is
    set up."""
    if request.kind != "definition" or not match.is_plain or match.back >= HALF:
        return False
    return all(question_kind(one) != "definition" for one in _questions_in(match.candidate.entry.title))


ASKED_ALIKE: frozenset[QuestionKind] = frozenset({"where", "summary", "before", "after"})
"""Kinds whose own composer knows more than the FAQ, but for an entry that answers a question of the same kind: whether
a topic is in the midterm is asked as where it is taught is."""

_NO_YES: frozenset[QuestionKind] = frozenset({"definition", "list", "people"})
"""Kinds that a yes or no does not answer."""


_SAYS_NO_YES: frozenset[QuestionKind] = frozenset({"comparison", "definition", "list"})
"""Kinds that answer a yes or no question only where they speak of all of it: what a stack and a queue differ in does
not say whether one can be made of the other."""


def asks_otherwise(request: Request, match: StoredMatch) -> bool:
    """Whether an entry is of another kind in each of the questions that its title asks, or of a word that is only
    spelled nearly so."""
    title = match.candidate.entry.title
    if _is_misspelled(request, match):
        return True
    if request.kind == "yes_no" and match.by_entry < 1.0 and question_kind(title) in _SAYS_NO_YES:
        return True
    return all(_is_of_another_kind(request, part, title) for part in _questions_in(title))


def _questions_in(title: str) -> list[str]:
    """The questions that a title asks, one after the other; the whole where it asks none."""
    return [part for part in _BEHIND_A_QUESTION.split(title) if any(map(str.isalnum, part))] or [title]


def _is_misspelled(request: Request, match: StoredMatch) -> bool:
    """Whether an entry has a word that is only spelled nearly as the one thing to be defined, or as a doer."""
    text = f"{match.candidate.entry.title}\n{match.candidate.entry.text}"
    is_of_one = request.kind == "definition" and len(request.units) <= PLAIN
    spelled = (unit for unit in request.units if is_of_one or is_doer(unit.label))
    return not all(is_spelled_in(unit, text) for unit in spelled)


_BEHIND_A_QUESTION = re.compile(r"(?<=[?？])")


def _is_of_another_kind(request: Request, question: str, title: str) -> bool:
    stored = question_kind(question)
    if stored == "yes_no" and request.kind in _NO_YES:
        return True
    if stored == "comparison" and _compares_another(request, title):
        return True
    return kinds_apart(request.kind, stored)


def _compares_another(request: Request, title: str) -> bool:
    """Whether an entry compares with something that is not asked, and its question leaves out what is.

    "Is quicksort stable?" is not "Which is better, merge sort or quicksort?", though its answer speaks of both.
    """
    asked = [frozenset(terms(request.question)), *(name for unit in request.units for name in unit.names)]
    sides = [side for text in find_compared(title) if (side := frozenset(content_terms(text)))]
    is_left_out = any(max(len(side & one) for one in asked) < SAME_SIDE * len(side) for side in sides)
    said = terms_of(title)
    is_beside = any(unit.measure_coverage(said) < 1.0 for unit in request.units) or any(
        one.asked.search(title) is None for one in request.aspects
    )
    return is_left_out and is_beside


SAME_SIDE = 0.6
"""Share of the words of one of two compared things from which a name is a name of it: a binary search tree is a
balanced one, quick sort is no merge sort. A choice."""


def compose_close(request: Request, *, is_alike: bool = True) -> Composed | None:
    """The nearest entry that is not of another kind, said to be only that, and the others as questions to choose.

    Unless it is to be `is_alike`, one of any kind where no concept is asked about: of an error or a rule the answer
    helps in whatever words its question is put.
    """
    found = _close_matches(request, is_alike=is_alike)
    if not found or request.kind == "people":
        return None
    given = _give(request, found[0])
    choices = tuple(one.candidate.entry.title for one in found[1 : 1 + MOST_CHOICES])
    said = wording(request.spoken)
    note = said.faq_noted if found[0].candidate.entry.source == "faq" else said.question_noted
    return Composed(
        request.kind, "partial", given.statements, note=note, choices=choices, stored=given.stored, score=NEAREST_SCORE
    )


def with_faq_of_topics(request: Request) -> Request:
    """A request with only those entries of the FAQ that ask for the situation that it tells of, where any does: 迟交
    for 晚交."""
    topics = topics_in(request.question)
    own = tuple(
        one
        for one in request.stored
        if any(topic.asked.search(one.entry.title) or topic.said.search(one.entry.title) for topic in topics)
    )
    return replace(request, stored=own) if own else request


def compose_naming(request: Request, name: str) -> Composed | None:
    """The entry of the course's FAQ whose question has the name of a thing of which the lectures hardly speak, said to
    be only near; `None` without one."""
    for match in find_stored_matches(request):
        entry = match.candidate.entry
        if entry.source == "faq" and not entry.is_platform and says_whole(entry.title, name):
            given = _give(request, match)
            return replace(given, coverage="partial", note=wording(request.spoken).faq_noted, score=NEAREST_SCORE)
    return None


def nearest_questions(request: Request) -> tuple[str, ...]:
    """The questions of the course's FAQ that are nearest in meaning: to be chosen from where nothing answers."""
    own = (one for one in request.stored if one.entry.source == "faq" and not one.entry.is_platform)
    near = [one for one in own if one.parts.get("cosine", 0.0) >= MAY_BE_MEANT[request.lang]]
    near.sort(key=lambda one: (-one.parts["cosine"], one.entry.entry_id))
    return tuple(dict.fromkeys(one.entry.title for one in near))[:MOST_CHOICES]


MAY_BE_MEANT: dict[Lang, float] = {"en": 0.45, "zh": 0.38}
"""Cosine from which a question of the FAQ may be the one that was meant. A choice: what is about nothing of a course is
below it, and what its FAQ has in quite other words mostly above."""


def leads(request: Request) -> bool:
    """Whether the close entry is near enough to stand first, and does not plainly ask something else of a concept."""
    nearest = _near_enough(request)
    if nearest is None:
        return False
    return len(request.units) > PLAIN or not _asks_something_else(request, nearest)


def _near_enough(request: Request) -> StoredMatch | None:
    """The close entry if it may stand first; the platform's never does before the course's own."""
    nearest = next(iter(_close_matches(request)), None)
    if nearest is None or nearest.candidate.entry.is_platform or _meaning(nearest) < LEADS:
        return None
    return nearest


def with_related(found: Composed, request: Request) -> Composed:
    """An answer from sentences with the entry of the course's FAQ behind it that means nearly the same as the question,
    whichever kind it is of, or asks something else nearby: it stands under its own question."""
    own = (one for one in find_stored_matches(request) if one.candidate.entry.source == "faq")
    near = [one for one in own if one.candidate.parts.get("cosine", 0.0) >= RELATED]
    nearest = max(near, key=_meaning) if near else _near_enough(request)
    if found.coverage != "partial" or nearest is None:
        return found
    given = _give(request, nearest)
    is_shown = any(given.statements[0].text in one.text for one in found.statements)
    return found if is_shown else replace(found, statements=(*found.statements, *given.statements))


RELATED = 0.73
"""Cosine from which an entry's question means nearly the same as what is asked. A choice."""


def _close_matches(request: Request, *, is_alike: bool = True) -> list[StoredMatch]:
    near = [one for one in find_stored_matches(request) if is_near(one) and _is_close(request, one, is_alike=is_alike)]
    return sorted(near, key=lambda one: one.candidate.entry.is_platform)


def _is_close(request: Request, match: StoredMatch, *, is_alike: bool) -> bool:
    if is_alike or match.is_of_concept:
        return _meaning(match) >= IS_CLOSE and not asks_otherwise(request, match)
    needs_meaning = match.is_plain or match.is_by_meaning
    is_told = match.is_same and (not needs_meaning or _meaning(match) >= IS_CLOSE) and not _asks_more(request, match)
    return match.candidate.entry.source == "faq" and is_told and not _is_misspelled(request, match)


def _meaning(match: StoredMatch) -> float:
    """How near the entry's question is in meaning; as near as can be where nothing was embedded."""
    return match.candidate.parts.get("cosine", 1.0)


def _give(request: Request, match: StoredMatch) -> Composed:
    return give_stored(match.candidate.entry, kind=request.kind, spoken=request.spoken, score=match.score)


def give_stored(entry: Entry, *, kind: QuestionKind, spoken: Lang, score: float = 1.0) -> Composed:
    """A stored answer under its own question, as sure as `score` says, 0..1."""
    evidence = from_entry(0, entry)
    said = wording(spoken)
    faq = said.platform_faq if entry.is_platform else said.faq
    headline = (faq if entry.source == "faq" else said.question).format(question=safe(entry.title))
    text = f"**{headline}**\n{safe(direct_text(entry) if entry.source == 'faq' else _beginning(entry))}"
    return Composed(kind, "full", (ComposedStatement(text, evidence),), stored=evidence, score=score)


LONGEST: dict[Lang, int] = {"en": 1200, "zh": 450}
"""Characters of a document's answer that are shown, in whole sentences. A choice."""


def _beginning(entry: Entry) -> str:
    """The first lines of a document's answer, as far as there is room, laid out as they are written."""
    lang: Lang = "zh" if entry.lang == "zh" else "en"
    room, shown = LONGEST[lang], list[MaterialLine]()
    for line in split_written_lines(entry):
        room -= len(line.text)
        if room < 0 and shown:
            break
        shown.append(line)
    return join_material_lines(shown, lang)
