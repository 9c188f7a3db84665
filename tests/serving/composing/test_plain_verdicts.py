"""Yes or no by one sentence: what one has to do, what a thing is not, what not all of a kind have."""

from types import SimpleNamespace

import pytest
from asked_rows import asking, spoken
from course_rows import concept

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.plain_verdicts import find_verdict
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import QuestionUnit, terms_of
from serving.assistant.composing.yes_no import add_verdict

GRAPH = ConceptGraph.from_rows([concept("en:heap", "heap", None), concept("en:tree", "tree", None)], [], [])


def unit(label: str, concept_id: str | None = None) -> QuestionUnit:
    return QuestionUnit(label, (terms_of(label),), 1.0, concept_id)


def request_on(question: str, said: tuple[str, ...], *units: QuestionUnit) -> Request:
    return asking(
        question,
        *units,
        graph=GRAPH,
        spoken="en",
        pieces=(spoken(*((one, 0.5) for one in said)),),
        material=SimpleNamespace(lectures=CourseLectures()),
    )


@pytest.mark.parametrize(
    ("question", "said", "is_so"),
    [
        ("do i have to memorise the theorem", ("You don't have to learn the theorem by heart.",), False),
        ("do i have to memorise the theorem", ("This is the theorem.", "You don't have to learn it by heart."), False),
        ("so do we still need to memorize the theorem?", ("There is no need to memorize the theorem.",), False),
        ("do i have to memorise the theorem", ("You have to memorize the theorem.",), True),
        ("do i have to memorise the theorem", ("You don't have to prove the theorem.",), None),
        ("do i have to memorise the theorem", ("You have to prove the theorem, not memorize it.",), None),
        ("do i have to memorise the theorem", ("You don't have to actually memorize the theorem.",), False),
        ("do i have to memorise the theorem", ("You don't have to learn it by heart.",), None),
        ("do i have to memorise the theorem", ("You don't have to memorize the theorem unless you teach.",), None),
        ("do i have to memorise the theorem", ("Do you have to memorize the theorem?",), None),
        ("do i have to memorise the theorem", ("If you prove it you don't have to memorize the theorem.",), None),
        (
            "do i have to memorise the theorem if i prove it",
            ("If you prove the theorem, memorizing isn't needed.",),
            False,
        ),
        ("do i have to memorise the theorem if i prove it", ("You don't have to memorize the theorem.",), None),
        ("do i have to memorise the theorem", ("Many believe you have to memorize the theorem.",), None),
        ("do i have to memorise the theorem", ("You have to memorize the theorem. Or not?",), None),
        ("how do i have to memorise the theorem", ("You don't have to memorize the theorem.",), None),
    ],
)
def test_what_has_to_be_done_is_told_by_a_sentence_on_doing_just_that(
    question: str, said: tuple[str, ...], is_so: bool | None
) -> None:
    units = [unit(one) for one in ("memorise", "memorize", "theorem", "prove") if one in question]
    told = find_verdict(request_on(question, said, *units))
    assert (told and told[0]) is is_so


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        (("A heap is not a tree, and never was.",), True),
        (("Take a heap.", "It's not really a tree at all."), True),
        (("Take a heap.", "A tree is another thing.", "It's not really a tree at all."), False),
        (("It's not really a tree at all.",), False),
        (("A heap is not a tree of numbers.",), False),
        (("A heap is a tree.",), False),
    ],
)
def test_what_a_thing_is_said_not_to_be_it_is_not_just(said: tuple[str, ...], is_told: bool) -> None:
    units = unit("heap", "en:heap"), unit("tree", "en:tree")
    for question in ("isn't a heap just a normal tree?", "but isn't a heap basically a tree in disguise"):
        told = find_verdict(request_on(question, said, *units))
        assert (told is not None) is is_told
    assert find_verdict(request_on("is a heap just a tree of numbers", said, *units)) is None


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("A heap doesn't have to have leaves.", True),
        ("Not every heap has leaves.", True),
        ("Not all leaves are in a heap.", False),
        ("A tree doesn't have to have leaves.", False),
        ("A heap doesn't have to have arms.", False),
        ("A heap has leaves.", False),
    ],
)
def test_what_one_need_not_have_not_all_have(said: str, is_told: bool) -> None:
    told = find_verdict(request_on("does every heap have leaves", (said,), unit("heap", "en:heap"), unit("leaves")))
    assert (told is not None) is is_told
    assert told is None or told[0] is False


def test_the_sentence_that_decides_stands_first_and_once() -> None:
    said = ("Take a heap.", "It's not really a tree at all.", "More of a list.")
    request = request_on("isn't a heap just a tree?", said, unit("heap", "en:heap"), unit("tree", "en:tree"))
    other = ComposedStatement("A tree has a root.")
    found = Composed("comparison", "partial", (ComposedStatement(" ".join(said)), other), note="?", after="!")
    told = add_verdict(found, request)
    assert (told.note, told.after) == ("No.", "")
    assert [one.text for one in told.statements] == [
        "Take a heap. **It's not really a tree at all.** More of a list.",
        "A tree has a root.",
    ]
    assert add_verdict(found, request_on("is it?", said)) is found
