"""Which concepts a student knows who wants to be remembered. It follows from the cards of their quizzes alone: nothing
more is kept, and what is forgotten there is not known any more."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import GraphConcept
from serving.gateway.quiz.items import definition_id
from serving.store.caller import Caller
from serving.store.database import Store
from serving.store.quiz_cards import KnownCard, cards_of

TIMES = 2
"""How often a definition was asked before its concept counts as known, if it was right the last time. A choice: one in
four is right once by chance."""


@dataclass(frozen=True)
class RememberedConcept:
    """A concept that a student knows, and the card by which."""

    concept_id: str
    name: str
    course_id: str
    item_id: str


def known_among(concepts: Iterable[GraphConcept], cards: Mapping[str, KnownCard]) -> list[RememberedConcept]:
    """Those of `concepts` that a student with these cards knows, by the definition in any course."""
    found = []
    for concept in concepts:
        for course_id in concept.course_ids:
            item_id = definition_id(course_id, concept)
            card = cards.get(item_id)
            if card is not None and card.was_right and card.reviews >= TIMES:
                found.append(RememberedConcept(concept.concept_id, concept.name, course_id, item_id))
                break
    return found


async def known_by(store: Store, caller: Caller, graph: ConceptGraph) -> list[RememberedConcept]:
    """The concepts of a graph that a caller knows; none for a person who is not remembered."""
    if caller.is_new:
        return []
    cards = await store.reading(lambda db: cards_of(db, caller.person_id))
    if not cards:
        return []
    return known_among((graph.concept(concept_id) for concept_id, _ in graph.concepts_of(None)), cards)
