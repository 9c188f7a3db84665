"""What of the material may be shown for an item: where to read, the concepts it names, and a definition to begin with.

Reads one index version and the graph. The item's own text decides what is found, not the words of who asks, so the same
item gets the same aids however it is put.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import GradedItem
from serving.assistant.references import can_be_opened
from serving.assistant.understanding.question_kind import question_kind
from serving.index.evidence import Evidence, from_definition, from_entry
from serving.index.schema import Entry
from serving.index.search import SearchIndex

MOST_PLACES = 3
LOOKED_AT = 20
"""Passages among which the places are chosen: several of one lecture count once."""
SPEAKS_OF = 0.1
"""Share of an item, by weight, that a passage must speak of to be named. A choice: items are long."""
APART_MS = 120_000
"""Places of one lecture that lie nearer to each other are one. A choice."""

GIVES_AWAY = 0.6
"""Share of an item, by weight, from which a definition may say too much of it. A choice."""

_ASKS_WHAT_IS_DEFINED = frozenset({"definition", "comparison", "aspect", "list", "yes_no"})
"""Kinds of items that a definition of their own concepts would answer."""


@dataclass(frozen=True)
class Aids:
    """`places` to read, best first; the names of the item's `concepts`; `step`, a concept whose definition is a first
    step and no answer, `None` where there is none; `is_before`: it is one that comes before the item's own."""

    places: tuple[Evidence, ...] = ()
    concepts: tuple[str, ...] = ()
    step: Evidence | None = None
    is_before: bool = False


def find_aids(
    item: GradedItem, graph: ConceptGraph, index: SearchIndex, *, hides: Callable[[Entry], bool] = lambda entry: False
) -> Aids:
    """The aids for an item; nothing is among them that stores an answer to a question."""
    own = concepts_of(item, graph)
    step, is_before = _first_step(item, own, graph, index)
    return Aids(
        places=find_places(item, graph, index, hides=hides),
        concepts=tuple(one.name for one in own),
        step=None if step is None else from_definition(0, step),
        is_before=is_before,
    )


def concepts_of(item: GradedItem, graph: ConceptGraph) -> list[GraphConcept]:
    """The concepts of the item's course that it names, in order."""
    named = dict.fromkeys(one.concept_id for one in graph.mentions(item.text, item.lang))
    return [one for one in map(graph.concept, named) if item.course_id in one.course_ids]


def find_places(
    item: GradedItem, graph: ConceptGraph, index: SearchIndex, *, hides: Callable[[Entry], bool] = lambda entry: False
) -> tuple[Evidence, ...]:
    """Lectures and documents of the item's course that speak of it, those that name most of its concepts first, each
    part of them once; where the concepts are defined when none does."""
    own = concepts_of(item, graph)
    wanted = {one.concept_id for one in own}
    found: list[tuple[int, Evidence]] = []
    for hit in index.search(item.text, kind="passage", course_id=item.course_id, k=LOOKED_AT):
        entry = hit.entry
        whole = f"{entry.title}\n{entry.text}"
        named = len(wanted & {one.concept_id for one in graph.mentions(whole, item.lang)})
        titled = len(wanted & {one.concept_id for one in graph.mentions(entry.title, item.lang)})
        is_near = index.support(item.text, whole) >= SPEAKS_OF and (named > 0 or not wanted)
        if is_near and can_be_opened(from_entry(0, entry)) and not hides(entry):
            found.append((named + titled, from_entry(0, entry)))
    places: list[Evidence] = []
    for _, place in sorted(found, key=lambda one: -one[0]):
        if not any(_is_one_place(place, other) for other in places):
            places.append(place)
    return tuple(places[:MOST_PLACES]) or _introductions(own, item)


def _introductions(own: Sequence[GraphConcept], item: GradedItem) -> tuple[Evidence, ...]:
    """Where the course defines the concepts that the item names."""
    defined = (from_definition(0, one) for one in own if one.definition and one.definition_course_id == item.course_id)
    return tuple(one for one in defined if can_be_opened(one))[:MOST_PLACES]


def _is_one_place(one: Evidence, other: Evidence) -> bool:
    here, there = one.locator, other.locator
    if here is None or there is None or (here.video_id, here.document) != (there.video_id, there.document):
        return False
    if here.video_id is None:
        return (here.page, here.article) == (there.page, there.article)
    return abs((here.start_ms or 0) - (there.start_ms or 0)) < APART_MS


def _first_step(
    item: GradedItem, own: list[GraphConcept], graph: ConceptGraph, index: SearchIndex
) -> tuple[GraphConcept | None, bool]:
    """A concept that the item uses and does not ask for; of one that asks what is defined, a concept before its own."""
    asks_for_them = question_kind(item.text) in _ASKS_WHAT_IS_DEFINED
    known = {one.concept_id for one in own}
    before = [each for one in own for each in graph.prerequisites(one.concept_id) if each.concept_id not in known]
    fit = (
        one
        for one in (before if asks_for_them else own)
        if one.definition
        and one.definition_course_id == item.course_id
        and index.support(item.text, one.definition) < GIVES_AWAY
    )
    return next(fit, None), asks_for_them
