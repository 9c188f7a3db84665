"""The things that a question compares, and whether a text names one. Pure."""

import re
from collections.abc import Sequence

from knowledge_graph.text.sentences import has_cjk
from serving.assistant.composing.called_names import set_apart_called
from serving.assistant.composing.found_units import kinds_not_taught
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import (
    QuestionUnit,
    as_asked,
    coverage,
    is_of_concept,
    is_written_in,
    terms_of,
    unit_of,
    units_of,
)
from serving.assistant.composing.whole_names import KINDS, says_in_order
from serving.assistant.understanding.comparison_terms import AND, find_compared, with_shared_head
from serving.assistant.understanding.translation import synonyms
from serving.index.analysis import terms

PLACES = 3
"""Places that are shown: as many as can be cited."""


BOTH = 0.95
"""Share of each thing that a window must name to be a contrast of them."""


Side = tuple[QuestionUnit, ...]


def names_of(side: Side) -> tuple[str, ...]:
    """How a sentence may name a side."""
    name = " ".join(unit.label for unit in side)
    return (name, *synonyms(name))


def list_sides(request: Request) -> tuple[Side, ...]:
    """The things that a question lists, "X, Y and Z", with nothing between them, as it lists them, where the graph or
    the glossary knows one at least; none where it is about something else, too."""
    units = as_asked(request.units, request.question)
    names = AND.join(re.escape(unit.label) for unit in units)
    is_list = 1 < len(units) <= PLACES and re.search(names, request.question, re.IGNORECASE) is not None
    is_of_things = any(unit.concept_id is not None or len(unit.names) > 1 for unit in units)
    return tuple((unit,) for unit in units) if is_list and is_of_things else ()


def find_sides(request: Request) -> tuple[Side, ...]:
    """What is compared: as the question's wording has it, else the concepts it names."""
    named = find_compared(request.question)
    found = tuple(side for text in named if (side := _side_of(request, text)))
    heads = tuple(_side_of(request, text) for text in with_shared_head(named))
    if has_cjk(request.question):  # "链表分别适合什么程序" is a question about 链表
        concepts = tuple(tuple(unit for unit in side if unit.concept_id is not None) or side for side in found)
        found = concepts if len(set(concepts)) == len(found) else found  # two kinds of one concept differ in the rest
    sides = tuple(
        tried if tried != one and _is_meant_with_head(request, one, tried) else one
        for one, tried in zip(found, heads, strict=False)
    )
    if len(sides) == len(named) == 2:
        return sides
    return list_sides(request) or tuple((unit,) for unit in request.units if unit.concept_id is not None)[:PLACES]


def _is_meant_with_head(request: Request, one: Side, tried: Side) -> bool:
    """Whether a thing is meant with the head of the other: it is a concept with it, or the material writes it so,
    "Trivial SSA" beside "minimal SSA"."""
    if not tried or is_of_concept(one):
        return False
    name = " ".join(unit.label for unit in tried)
    return is_of_concept(tried) or any(
        says_in_order(text, name)
        for piece in request.pieces
        for text in (piece.entry.title, *(line.text for line in piece.lines))
    )


def _side_of(request: Request, text: str) -> Side:
    """What a side names, without its last word where that says only what kind of thing it is and the material never
    writes the name so: a cohort, of "a cohort study"."""
    side = _units(request, text)
    kind = text.lower().rpartition(" ")[2].removesuffix("s")
    rest = tuple(unit for unit in side if unit.label.lower().removesuffix("s") != kind)
    if kind not in KINDS or not rest or len(rest) == len(side):
        return side
    texts = (text for piece in request.pieces for text in (piece.entry.title, *(line.text for line in piece.lines)))
    return side if any(says_in_order(one, text) for one in texts) else rest


def _units(request: Request, text: str) -> Side:
    if strange := [unit for unit in kinds_not_taught(request) if unit.label.lower() in text.lower()]:
        return tuple(strange)
    graph, index = request.graph, request.material.index
    mentions = [
        one
        for one in graph.mentions(text)
        if request.course_id is None or request.course_id in graph.concept(one.concept_id).course_ids
    ]
    aspects = frozenset(
        term for one in request.aspects for found in one.asked.finditer(text) for term in terms(found.group())
    )
    called, mentions = set_apart_called(text, mentions, request.material.lectures.called_names)
    found = units_of(text, mentions, graph.concept, index.idf, ignore=aspects, called=called)
    found = tuple(as_asked(found, text))
    return found or ((unit_of(text, index.idf),) if _IS_MADE_OF_A_VERB.search(text) and text.isalpha() else ())


def is_named(side: Side, text: str) -> bool:
    """Whether a text names a side, and not only what has a prefix to its name, or another word of its stem: a
    mini-batch is no batch, and what is comparable no comparator."""
    longer = "|".join(rf"\b\w+-{re.escape(unit.label)}\b" for unit in side)
    if coverage(side, terms_of(re.sub(longer, " ", text, flags=re.IGNORECASE))) < BOTH:
        return False
    return all(is_written_in(unit, text) for unit in side if _IS_MADE_OF_A_VERB.search(unit.label))


def are_all_named(sides: Sequence[Side], text: str) -> bool:
    """Whether a text names each of the sides; one whose name is a part of another's beside that one: demand beside
    quantity of demand."""
    return all(is_named(side, _without_longer_names(side, sides, text)) for side in sides)


def _without_longer_names(side: Side, sides: Sequence[Side], text: str) -> str:
    own, names = names_of(side)[0], (names_of(other)[0] for other in sides)
    for name in names:
        if own != name and own in name:
            text = text.replace(name, " ")
    return text


_IS_MADE_OF_A_VERB = re.compile(r"[a-z]{3}(?:[eo]r|[ai]ble)s?$", re.IGNORECASE)
"""How an English word ends for what does something, or what it can be done to: all of one verb have one stem."""
