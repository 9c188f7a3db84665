"""What 7,448 ordinary questions of eight courses met, each of which a lecture answers: refusals for the sake of one
word, the order of the course where the order of things was asked, and a "No." from a sentence on something else."""

from types import SimpleNamespace
from typing import cast

import pytest
from asked_rows import IN_PLACE, MERGE_SORT, asking, spoken
from course_rows import concept
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import Mention
from serving.assistant.composing.arithmetic import find_named_value
from serving.assistant.composing.composer import Composer
from serving.assistant.composing.explain import _as_named
from serving.assistant.composing.formulas.machine_learning import _share_of_all
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.material import MaterialLine
from serving.assistant.composing.premise import _claims_nothing, _denies_nothing, deny_premise
from serving.assistant.composing.several import questions_in
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.whole_names import whole_name
from serving.assistant.composing.windows import best_windows
from serving.assistant.composing.yes_no import _denies_the_same, _settle, settles
from serving.assistant.grounding.negation import is_negated
from serving.assistant.understanding.aspects import ASPECTS
from serving.assistant.understanding.plain_wording import say_plainly
from serving.assistant.understanding.question_kind import QuestionKind, question_kind
from serving.assistant.understanding.spelling import Vocabulary, is_foreign
from serving.assistant.understanding.translation import things_in
from serving.assistant.understanding.unfinished_questions import is_cut_off

GRAPH = ConceptGraph.from_rows([concept("en:merge sort", "merge sort", None)], [], [])


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("what does the leaf look like after drying", "other"),
        ("which branch does the sap reach next", "other"),
        ("What has to be checked on the way down after a lightning strike?", "other"),
        ("what comes after grinding the wheat into flour", "other"),
        ("what comes after photosynthesis", "after"),
        ("what do we use osmosis for later on", "after"),
        ("ok done with osmosis, what next", "after"),
        ("which topic follows after osmosis", "after"),
        ("What mistake do people make in their first version of a study plan?", "other"),
        ("do i need salt before boiling the water", "other"),
        ("what gets lost when water is filtered before machine learning", "other"),
        ("what does a plant need to know before it can bloom", "other"),
        ("What does the height of a tree depend on?", "other"),
        ("what does osmosis depend on", "before"),
        ("what should i know first for osmosis to make sense", "before"),
        ("do i need chemistry before i start this course", "before"),
        ("How did the machine get better than the person who built it?", "comparison"),
        ("who built it", "people"),
        ("How do researchers work on curing the flu?", "how"),
        ("which researchers work on the flu", "people"),
        ("Why is Pasteur called the father of hygiene?", "why"),
        ("who is the father of hygiene", "people"),
    ],
)
def test_the_order_of_things_is_not_that_of_the_course_and_who_does_something_is_nobody_sought(
    question: str, kind: str
) -> None:
    found = question_kind(question)
    assert found == kind or (kind == "other" and found not in ("before", "after"))


@pytest.mark.parametrize(
    ("question", "is_cut"),
    [
        ("What was built in Rome in 44 BC?", False),
        ("everyday example of exclusive or", False),
        ("circuit for OR", False),
        ("are there plants without leaves, for example?", False),
        ("are there plants without leaves, for example", True),
        ("the difference between leaves or", True),
    ],
)
def test_a_year_a_gate_and_an_example_end_a_question(question: str, is_cut: bool) -> None:
    assert is_cut_off(say_plainly(question)) is is_cut


def test_bc_is_because_before_a_reason() -> None:
    assert say_plainly("is it dry bc the sun shone") == "is it dry because the sun shone"
    assert say_plainly("Rome in 60 BC the city") == "Rome in 60 BC the city"


def test_the_differences_of_two_short_names_are_asked_for_in_english() -> None:
    assert not is_foreign("tcp vs udp differences", Vocabulary.of([]))
    assert is_foreign("tcp gegen udp unterschied", Vocabulary.of([]))


def test_a_name_behind_a_hyphen_is_a_part_of_another() -> None:
    assert "vector product" in things_in("what is the vector product")
    assert "vector product" not in things_in("what is a matrix-vector product")


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("what is the cell wall geometrically", ""),
        ("define cell wall recursively", ""),
        ("what is the goal of grafting", ""),
        ("what is a bag of words", "bag of words"),
    ],
)
def test_how_a_thing_is_told_and_its_goal_are_no_part_of_its_name(question: str, name: str) -> None:
    at = question.find("cell wall")
    named = [Mention("en:cell wall", "cell wall", "cell wall", at, at + len("cell wall"))] if at >= 0 else []
    assert whole_name(question, named) == name


@pytest.mark.parametrize(
    ("question", "key", "is_asked"),
    [
        ("why are warnings better than errors at run time", "complexity", False),
        ("why avoid run-time errors", "complexity", False),
        ("running time of merge sort", "complexity", True),
        ("how does it put a new element in place", "extra_space", False),
        ("the kernel in place of the sum", "extra_space", False),
        ("is heapsort in place", "extra_space", True),
        ("is there a best possible algorithm for it", "best_case", False),
        ("best possible running time", "best_case", True),
        ("how well can dogs smell which way a fox goes", "complexity", False),
        ("how well does it scale", "complexity", True),
    ],
)
def test_a_word_of_an_aspect_may_be_of_something_else(question: str, key: str, is_asked: bool) -> None:
    aspect = next(one for one in ASPECTS if one.key == key)
    assert (aspect.asked.search(question) is not None) is is_asked


def asked_of_merge_sort(said: str, question: str = "is merge sort in place", near: float = 0.95) -> bool:
    return _denies_the_same(asking(question, MERGE_SORT, IN_PLACE), MaterialLine(said, meaning=near))


@pytest.mark.parametrize(
    "said",
    [
        "Although we haven't been thinking of merge sort as in place, it is a merge sort in place.",
        "Sort those in place that the merge has not yet seen.",
        "Merge sort in place--don't judge it by its name.",
        "I don't go into details, but merge sort is a sort in place.",
        "Merge sort in place is not limited to short lists.",
    ],
)
def test_what_is_denied_in_passing_says_no_to_nothing(said: str) -> None:
    assert not asked_of_merge_sort(said)
    assert asked_of_merge_sort("They say that merge sort is not in place.")


@pytest.mark.parametrize(
    ("question", "is_told"), [("is merge sort in place or outside", False), ("is merge sort in place", True)]
)
def test_a_choice_between_two_is_told_neither_yes_nor_no(question: str, *, is_told: bool) -> None:
    piece = spoken(("Merge sort does not work in place at all.", 1.0))
    windows = best_windows([piece], [MERGE_SORT, IN_PLACE], kind="yes_no")
    request = asking(question, MERGE_SORT, IN_PLACE, pieces=(piece,), graph=GRAPH)
    assert (_settle(request, windows) is not None) is is_told


def test_the_lecturers_own_no_before_a_sentence_is_counted_once() -> None:
    assert settles(asking("is merge sort in place", MERGE_SORT, IN_PLACE), "No, merge sort is not in place.") is False


def test_what_is_so_in_one_case_is_not_said_to_be_so_always() -> None:
    asked = asking("is merge sort always in place", MERGE_SORT, IN_PLACE)
    assert settles(asked, "Merge sort is in place.") is None
    assert settles(asked, "Merge sort is always in place.") is True
    assert settles(asked, "Merge sort is in place so far.") is None


def test_not_limited_to_and_not_just_deny_nothing() -> None:
    assert not is_negated("We are not limited to three rows.")
    assert not is_negated("It is not just a shrub.")
    assert is_negated("It is not a shrub.")


@pytest.mark.parametrize(
    ("kind", "question", "claims"),
    [
        ("why", "why is it hard to grow orchids", False),
        ("why", "why is grafting so difficult", False),
        ("other", "roots of a willow", False),
        ("why", "what makes a plant a shrub", False),
        ("how", "how did the old king die", True),
        ("why", "why is grafting safe", True),
    ],
)
def test_what_asks_why_a_thing_is_hard_or_only_names_it_claims_nothing(
    kind: QuestionKind, question: str, claims: bool
) -> None:
    assert _claims_nothing(kind, question) is not claims


@pytest.mark.parametrize(
    "said",
    [
        "I've almost never seen anyone spend too little time on pruning.",
        "It won't take you long to prune it.",
        "Often people do not consider this step before pruning.",
        "The main loop is while the basket is not empty we pick an apple.",
    ],
)
def test_what_is_never_too_little_and_what_people_leave_out_denies_nothing(said: str) -> None:
    assert _denies_nothing(said)
    assert not _denies_nothing("You do not prune roses.")


def test_of_a_question_that_denies_a_thing_itself_the_opposite_word_denies_nothing() -> None:
    even = QuestionUnit("balanced", (frozenset({"balanc"}),), 1.0)
    for question, is_denied in (
        ("how do i go on if merge sort is not balanced", False),
        ("is merge sort balanced", True),
    ):
        request = asking(
            question,
            MERGE_SORT,
            even,
            kind="yes_no" if is_denied else "how",
            spoken="en",
            graph=GRAPH,
            course_id="ml",
            pieces=(),
            material=SimpleNamespace(lectures=CourseLectures((one_lecture("Merge sort is unbalanced."),))),
        )
        assert (deny_premise(request) is not None) is is_denied


def test_a_word_that_the_lectures_say_is_looked_up_as_it_stands() -> None:
    words = SimpleNamespace(words=Vocabulary.of(["generics generic pruning"]))
    composer = cast("Composer", SimpleNamespace(_lectures=SimpleNamespace(of=lambda _: words)))
    for word, is_said in (("generics", True), ("generic", True), ("grafts", False)):
        assert Composer._says_word(composer, word, "botany") is is_said


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("how does a triode turn current on", "triode"),
        ("how does radix sort work", "radix sort"),
        ("how did people program an Altair 8800", "Altair 8800"),
    ],
)
def test_what_a_thing_does_is_no_part_of_its_name(question: str, name: str) -> None:
    labels = ("triode", "turn", "radix", "sort", "altair", "8800")
    units = [QuestionUnit(one, (frozenset({one}),), 1.0) for one in labels if one in question.lower()]
    assert _as_named(name.split()[0], asking(question, *units)) == name


@pytest.mark.parametrize(
    ("message", "count"),
    [
        ("How small and how fast are modern pumps?", 1),
        ("How many eggs and how many larvae come out of one nest?", 1),
        ("what is the difference between what the root does and what the leaf does", 1),
        ("Does it matter which bowl I call left and which I call right?", 1),
        ("Which pots are used for roses and which for lilies?", 1),
        ("What do I do when a seed is new and when I've sown it before?", 1),
        ("why water at night when a morning shower can also do that", 1),
        ("What is grafting and how does it work?", 2),
        ("What is the fastest pump and which is the cheapest one?", 2),
        ("When is the pot red and when is it blue?", 2),
    ],
)
def test_one_question_for_two_things_is_not_taken_apart(message: str, count: int) -> None:
    assert len(questions_in(message)) == count


def test_a_sum_in_base_two_is_no_number_to_put_into_it_and_a_kind_of_error_no_share() -> None:
    assert find_named_value("what is 1 + 1 in binary") is None
    assert find_named_value("what is 5 in binary") == ("5 (base 10)", "101 (base 2)")
    assert _share_of_all("when is the 0/1 error one") is None
    assert _share_of_all("3/12 are wrong, what is the error") is not None
