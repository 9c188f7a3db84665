"""Whether a message that follows an item asks about something else, so that the item's rule does not hold for it. Pure.

It errs on the side of the rule: what is left over is a message like "and then?", which says nothing by itself.
"""

from knowledge_graph.graph import ConceptGraph
from knowledge_graph.records import GradedItem
from serving.assistant.composing.logistics import is_about_the_course
from serving.assistant.composing.small_talk import occasion_of
from serving.index.analysis import content_terms
from serving.understanding.question_kind import question_kind

ENOUGH_TERMS = 3
"""Terms that the item does not have, from which a message without a concept is taken for a question of its own. A
choice."""

_ABOUT_ONE_CONCEPT = frozenset({"definition", "where", "before", "after"})


def is_of_another_subject(text: str, item: GradedItem, graph: ConceptGraph) -> bool:
    """Whether it names a concept that the item does not, asks what a concept of the item is or where it is taught,
    asks about the course's life, or is small talk; where the item is closed its own concepts are no other subject."""
    named = {one.concept_id for one in graph.mentions(text)}
    of_item = {one.concept_id for one in graph.mentions(item.text)}
    if named - of_item:
        return True
    if named:
        return item.allows != "closed" and question_kind(text) in _ABOUT_ONE_CONCEPT
    if occasion_of(text) is not None or is_about_the_course(text):
        return True
    unsaid = set(content_terms(text, strict=True)) - set(content_terms(item.text, strict=True))
    return len(unsaid) >= ENOUGH_TERMS
