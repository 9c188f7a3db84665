"""What tells two questions apart that are alike in meaning: another week, another thing, the opposite. Pure.

Belongs here: what words tell. How near two questions mean is measured elsewhere.
"""

import re
from collections import Counter
from collections.abc import Collection

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.stored_match import APART, APART_ZH
from serving.assistant.grounding.directions import directions
from serving.assistant.grounding.numbers import numbers
from serving.assistant.grounding.statements import DENIAL
from serving.assistant.understanding.asked_for import asks_for
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.analysis import content_terms, terms

_APART: frozenset[QuestionKind] = frozenset({"definition", "why", "how", "comparison", "list", "people"})


def kinds_apart(left: QuestionKind, right: QuestionKind) -> bool:
    """Whether one is not answered by the other, however alike the words: how it works is not why it fails."""
    return left in _APART and right in _APART and left != right


def are_told_apart(asked: str, wording: str, graph: ConceptGraph) -> bool:
    """Whether a number, a denial, an aspect, a concept or a direction makes another question of the one asked."""
    asked, wording = _plain(asked), _plain(wording)
    return (
        _values(asked) != _values(wording)
        or _is_denied(asked) != _is_denied(wording)
        or {one.key for one in find_aspects(asked)} != {one.key for one in find_aspects(wording)}
        or _asks_for_another(asked, wording)
        or _is_swapped(_find_distinctions(asked), _find_distinctions(wording))
        or _is_swapped(_concepts(asked, graph), _concepts(wording, graph))
        or _is_turned(asked, wording)
        or _points_elsewhere(_without_names(asked, graph), _without_names(wording, graph))
    )


def _plain(question: str) -> str:
    """A question with what is put in two ways put in one: 能不能 denies nothing, both are two."""
    return _BOTH.sub("two", _EITHER_ZH.sub(r"\1", question.lower()))


_EITHER_ZH = re.compile(r"([\u3400-\u9fff])(?:[\u3400-\u9fff])?[不没]\1")
_BOTH = re.compile(r"\bboth\b")


def _values(text: str) -> Counter[str]:
    """The numbers of a text, whatever they count: the third quiz is quiz 3."""
    return Counter(f"{one.value.normalize():f}" for one in numbers(text))


def _is_denied(text: str) -> bool:
    return len(DENIAL.findall(text)) % 2 == 1


def _asks_for_another(asked: str, wording: str) -> bool:
    """Whether a time, a place or a person is asked for, and not by the other. Amounts and reasons are put in many ways:
    the cost of it is how much it costs."""
    return asks_for(asked) in ("time", "place", "person") and asks_for(asked) != asks_for(wording)


def _find_distinctions(text: str) -> frozenset[str]:
    """What of a text tells questions apart that are alike in all else."""
    latin = frozenset(_SAME_ACT.get(term, term) for term in APART.intersection(terms(text)))
    return latin | frozenset(word for word in APART_ZH if word in text)


_SAME_ACT = {
    **dict.fromkeys(terms("remove delete deletion"), "delete"),
    **dict.fromkeys(terms("insert insertion"), "insert"),
}


def _concepts(text: str, graph: ConceptGraph) -> frozenset[str]:
    return frozenset(one.concept_id for one in graph.mentions(text))


def _is_swapped(left: Collection[str], right: Collection[str]) -> bool:
    """Whether each has something that the other has not: what only one names may be left out by the other."""
    return bool(set(left) - set(right)) and bool(set(right) - set(left))


def _is_turned(asked: str, wording: str) -> bool:
    """Whether what one prefers the other passes over: chaining over probing, probing over chaining."""
    sides = [_sides(text) for text in (asked, wording)]
    if not all(sides):
        return False
    (first, second), (third, fourth) = sides
    return bool((first - third) & fourth) and bool((third - first) & second)


def _sides(text: str) -> tuple[frozenset[str], ...]:
    """The terms before and behind what compares; nothing where nothing does."""
    parts = _PREFERS.split(text, maxsplit=1)
    return tuple(frozenset(content_terms(part)) for part in parts) if len(parts) == 2 else ()


_PREFERS = re.compile(r"\b(?:over|instead of|rather than|than)\b|而不是|不如|优于|胜过|比")


def _without_names(text: str, graph: ConceptGraph) -> str:
    """A text without the names of concepts: quicksort says of nothing that it is quick."""
    for mention in sorted(graph.mentions(text), key=lambda one: -one.start):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return text


def _points_elsewhere(left: str, right: str) -> bool:
    """Whether two texts point at opposite ends of an axis: fast and slow, same and different."""
    mine, theirs = _ends(left), _ends(right)
    return any(mine[axis].isdisjoint(theirs[axis]) for axis in mine.keys() & theirs.keys())


def _ends(text: str) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for one in directions(text):
        if one.axis in _TURNING:
            found.setdefault(one.axis, set()).add(one.end_of)
    return found


_TURNING = frozenset("add speed order same side length size often worth extreme growth".split())
"""Axes whose other end is another question. Of others a word stands for many things: to prefer one over another."""
