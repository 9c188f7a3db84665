"""Names that a lecturer of law, statistics or medicine says in part, in initials or in words, and none that is denied
for it."""

from types import SimpleNamespace
from typing import cast

import pytest
from course_rows import concept
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.records import Mention
from serving.assistant.composing.compared_sides import find_sides
from serving.assistant.composing.found_units import kinds_of_concepts, units_to_define
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import NEVER, QuestionUnit, unit_of, units_of
from serving.assistant.composing.whole_names import stands_alone, whole_name
from serving.assistant.understanding.comparison_terms import find_compared
from serving.assistant.understanding.initials import expand_initials, names_by_initials
from serving.assistant.understanding.spelling import Vocabulary, correct
from serving.assistant.understanding.written_forms import write_as_said
from serving.index.analysis import content_words

GRAPH = ConceptGraph.from_rows([concept("en:regression", "regression", None)], [], [])


def weigh(term: str) -> float:
    return 2.0 if term == NEVER else 1.0


def units(question: str, *concepts: str) -> tuple[QuestionUnit, ...]:
    """The units of a question in which the graph found concepts."""
    starts = {one: question.index(one) for one in concepts}
    mentions = [Mention(f"en:{one}", one, one, at, at + len(one)) for one, at in starts.items()]
    graph = ConceptGraph.from_rows([concept(f"en:{one}", one, None) for one in concepts], [], [])
    return units_of(question, mentions, graph.concept, weigh)


@pytest.mark.parametrize(
    ("name", "said", "label", "is_known"),
    [
        ("the Delacroix case", ["In Delacroix, the mill had burnt down."], "Delacroix", True),
        ("the Delacroix case", ["Delacroix v Mill Company, 1871."], "Delacroix", True),
        ("the Turing test", ["A Turing machine has a tape."], "Turing test", False),
        ("an ordinal variable", ["Then comes ordinal.", "It has an order."], "ordinal", True),
        ("a type two error", ["This is type two, a miss."], "type two", True),
        ("a ratio scale", ["Each scale has a name.", "And finally ratio, with a real zero."], "ratio", True),
        ("a ratio scale", ["The ratio bracket is on the shelf.", "Each scale has a name."], "ratio scale", False),
        (
            "delacroixs mill model",
            ["That is by Delacroix, eighteen seventy-one.", "The mill model."],
            "delacroixs mill model",
            True,
        ),
        ("the Delacroix engine", ["In Delacroix, the mill had burnt down."], "Delacroix engine", False),
    ],
)
def test_a_kind_of_thing_behind_a_name_is_often_left_out_in_speech(
    name: str, said: list[str], label: str, *, is_known: bool
) -> None:
    lectures = CourseLectures((one_lecture(*said),))
    whole = whole_name(f"what is {name}", [])
    parts = tuple(unit_of(word, weigh) for word in content_words(whole))
    found = units_to_define(parts, unit_of(whole, weigh), tuple, lectures)
    assert " ".join(one.label for one in found).lower() == label.lower()
    assert all(one.is_known for one in found) is is_known


def test_a_name_with_another_noun_behind_it_does_not_stand_alone() -> None:
    assert stands_alone("We begin with Delacroix.", "Delacroix")
    assert not stands_alone("The Delacroix engine smokes.", "Delacroix")


def test_what_a_lecture_called_by_it_says_to_be_linear_is_linear_regression() -> None:
    asked = units("which assumptions has linear regression", "regression")
    titled = CourseLectures((one_lecture("Assumptions, quickly.", "The relation is linear.", title="Regression"),))
    other = CourseLectures((one_lecture("The relation is linear.", title="Maps"),))
    question = "which assumptions has linear regression"
    assert all(one.is_known for one in kinds_of_concepts(asked, question, tuple, titled))
    assert not all(one.is_known for one in kinds_of_concepts(asked, question, tuple, other))


def test_estoppel_by_convention_is_a_whole_name() -> None:
    assert whole_name("What is sorting by height", [Mention("en:sorting", "sorting", "sorting", 8, 15)]) != ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what does a share of 0.36 mean", {"zero", "point", "three", "six"}),
        ("what does a share of 2.5 mean", {"two", "point", "five"}),
        ("what is a type 2 slip", {"type", "two"}),
        ("what is a type II slip", {"type", "two"}),
        ("which lecture talks about q-harvesting", {"q", "harvest"}),
    ],
)
def test_numbers_and_lettered_names_are_found_as_they_are_spoken(question: str, said: set[str]) -> None:
    assert any(said in one.names for one in units_of(question, [], GRAPH.concept, weigh))


def test_in_favour_of_is_no_thing() -> None:
    assert {one.label for one in units_of("why in favour of the miller", [], GRAPH.concept, weigh)} == {"miller"}


def test_two_sides_that_differ_by_a_number_share_what_they_are() -> None:
    assert find_compared("What's the difference between type 1 and type 2 errors?") == ("type 1", "type 2")
    assert find_compared("the difference between phase 1 and step 2") == ("phase 1", "step 2")


def test_the_kind_behind_a_side_need_not_be_said() -> None:
    piece = SimpleNamespace(
        entry=SimpleNamespace(title="Orchards"), lines=[SimpleNamespace(text="The graft comes next.")]
    )
    request = cast(
        "Request",
        SimpleNamespace(
            question="what is the difference between a graft experiment and a pot experiment",
            units=(),
            aspects=(),
            pieces=[piece],
            course_id=None,
            graph=GRAPH,
            material=SimpleNamespace(index=SimpleNamespace(idf=weigh), lectures=CourseLectures()),
        ),
    )
    assert [[one.label for one in side] for side in find_sides(request)] == [["graft"], ["pot"]]
    piece.lines[0].text = "A pot experiment is short, a graft experiment long."
    assert [[one.label for one in side] for side in find_sides(request)] == [
        ["graft", "experiment"],
        ["pot", "experiment"],
    ]


def test_initials_are_the_one_name_of_the_course_that_has_them() -> None:
    meant = names_by_initials(["basal metabolic rate", "basal metabolic rates", "water table", "wine tasting"])
    assert meant == {"bmr": "basal metabolic rate"}
    assert expand_initials("what is BMR?", meant, is_unknown=lambda _: True) == (
        "what is basal metabolic rate?",
        ["basal metabolic rate"],
    )
    assert expand_initials("what is BMR?", meant, is_unknown=lambda _: False) == ("what is BMR?", [])


def test_a_word_cut_short_is_the_one_that_it_begins() -> None:
    words = Vocabulary.of(["misrepresentation misrepresentations consideration considerable"])
    cut = correct("remedies for misrep", words)
    assert cut is not None
    assert cut.text == "remedies for misrepresentation"
    assert cut.words == ("misrepresentation",)
    assert correct("is there enough photosynthes", words) is None


def test_units_of_energy_are_said_in_full() -> None:
    assert (
        write_as_said("how many kcal has fat", lambda name: name == "kilocalories")[0]
        == "how many kilocalories has fat"
    )
