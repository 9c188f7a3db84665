"""What a message is about that follows an item of graded work: the item still, or something else. Pure.

It errs on the side of the item: what is left over is a message like "and then?", which says nothing by itself.
"""

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import GradedItem
from serving.assistant.composing.composer import ASKS_SOMETHING
from serving.assistant.composing.logistics import is_about_the_course
from serving.assistant.composing.small_talk import occasion_of
from serving.assistant.graded_work.sessions import Subject
from serving.assistant.understanding.question_kind import question_kind
from serving.index.analysis import content_words

ENOUGH_WORDS = 3
"""Words that the item does not have, from which a message without a concept is taken for a question of its own. A
choice."""

_SAYS_NOTHING = frozenset(
    "but how why when where who well now then there here much more less further really still only even again okay yes "
    "hmm sure something anything nothing else other way just very also maybe know get got want need help stuck "
    "怎么 怎么办 怎样 为什么 如何 那么 现在 然后 还是 还有 可是 但是 不会 不懂 明白 知道 其他 别的 帮忙 真的 可能 这样 "
    "那样 好吧 好的".split()
)

_ABOUT_ONE_CONCEPT = frozenset({"definition", "where", "before", "after"})


def subject_after(item: GradedItem, text: str, graph: ConceptGraph) -> Subject:
    """`concept` for a message that names one which the item does not, or asks what a concept of the item is or where
    it is taught; where the item is closed its own concepts are no other subject."""
    named = {one.concept_id for one in graph.mentions(text)}
    of_item = {one.concept_id for one in graph.mentions(item.text)}
    if named - of_item:
        return "concept"
    if named:
        is_other = item.allows != "closed" and question_kind(text) in _ABOUT_ONE_CONCEPT
        return "concept" if is_other else "none"
    if is_about_the_course(text) or (occasion_of(text) is not None and not ASKS_SOMETHING.search(text)):
        return "other"
    of_the_item = set(content_words(item.text))
    unsaid = [one for one in content_words(text) if one not in of_the_item and _says_something(one)]
    return "other" if len(unsaid) >= ENOUGH_WORDS else "none"


def _says_something(word: str) -> bool:
    return word not in _SAYS_NOTHING and len(word) >= (3 if word.isascii() else 2)
