"""How sure it is that a teacher would name an edge."""

from dataclasses import replace
from typing import Any

from knowledge_graph.concepts.functions import FUNCTIONS
from knowledge_graph.lake.records import Concept
from knowledge_graph.prerequisites.confidence import WeighedEdge, confidence, features
from knowledge_graph.prerequisites.pairs import PairContext

CONTEXT = PairContext(
    time_closeness=0.9,
    meaning_closeness=0.9,
    reference_rank=0.5,
    embedded_reference_rank=0.5,
    spread_rank=0.5,
    dwelling_rank=0.0,
    first=1,
    explained=1,
    titled=0,
    known=1,
    introduced_with=0.8,
    explains=0,
    recalled=0,
    contained=1,
    kernel=1,
    shares_word=True,
)


def concept(name: str, *, definition: str | None = None, aliases: tuple[str, ...] = (), **votes: int) -> Concept:
    return Concept(
        "la", f"en:{name}", name, aliases, "en", 1, 0.9, definition, "none", None, (), 9, (), votes, definition and 0.1
    )


VECTOR = concept("vector", definition="Vectors are arrows.", aliases=("vectors",), key_to_the_course=1)
BASIS_VECTOR = concept("basis vector", aliases=("basis vectors",), called_so=1)
EDGE = WeighedEdge(VECTOR, BASIS_VECTOR, 0.99, CONTEXT, together=3, needed=False)


def sure(**changes: Concept) -> float:
    return confidence(replace(EDGE, **changes))


def test_what_is_only_a_phrase_of_the_moment_needs_nothing() -> None:
    assert sure(after=concept("unique vector", hangs_together=-1)) < sure()
    assert sure(after=concept("huge vector", begins_with_a_loose_word=-1)) < sure()


def test_what_the_course_says_often_and_defines_is_sooner_a_prerequisite_than_a_word_in_passing() -> None:
    assert sure(before=concept("computing")) < sure()
    assert sure(before=replace(VECTOR, definition=None)) < sure()


def test_a_name_of_one_word_counts_as_such_in_both_languages() -> None:
    ends = {"树": True, "二叉树": False}
    for name, one_word in ends.items():
        tree = replace(VECTOR, concept_id=f"zh:{name}", lang="zh")
        assert features(replace(EDGE, before=tree))["before_one_word"] is one_word
    assert features(EDGE)["before_one_word"] is True
    assert features(replace(EDGE, before=BASIS_VECTOR))["before_one_word"] is False


def test_only_votes_that_the_concepts_have_are_asked_for() -> None:
    asked = set()

    class Votes(dict[str, int]):
        def get(self, name: str, *default: Any) -> Any:
            asked.add(name)
            return 0

    features(replace(EDGE, before=replace(VECTOR, votes=Votes()), after=replace(BASIS_VECTOR, votes=Votes())))
    assert asked
    assert asked <= {one.name for one in FUNCTIONS}
