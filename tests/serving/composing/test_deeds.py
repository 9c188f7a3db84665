"""What something does, as a lecturer says it, and definitions that do not say it or lean on what was said before."""

from types import SimpleNamespace

import pytest
from asked_rows import asking
from spoken_rows import one_lecture

from serving.assistant.composing import definition
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.deeds import ASKS_FOR_DEEDS, TELLS_DEEDS, find_deeds
from serving.assistant.composing.defining_cues import leans_on_before
from serving.assistant.composing.definition import _compose_deeds, _give_definition
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.terms import QuestionUnit, terms_of


def lectures(*said: str) -> CourseLectures:
    return CourseLectures((one_lecture(*said),))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            ("A pump does, as you will see, two things.", "It lifts water.", "And it cools.", "Valves are small."),
            ["A pump does, as you will see, two things.", "It lifts water.", "And it cools."],
        ),
        (
            ("The engine drives a pump, which does the reverse of a valve.", "Valves are small."),
            ["The engine drives a pump, which does the reverse of a valve."],
        ),
        (("水泵有两个作用。", "第一是抽水。", "阀门很小。"), ["水泵有两个作用。", "第一是抽水。"]),
        (("A pump is the heart of the mill.", "It is red."), []),
        (("A pump doesn't do the same.",), []),
    ],
)
def test_what_a_thing_does_is_told_with_what_goes_on(said: tuple[str, ...], told: list[str]) -> None:
    assert [one.text for one in find_deeds(["pump", "水泵"], lectures(*said))] == told


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What does a pump do?", True),
        ("what do pumps actually do", True),
        ("水泵是干什么的", True),
        ("what is a pump", False),
        ("what does a pump do with water", False),
    ],
)
def test_what_a_thing_does_is_asked_of_it_alone(question: str, *, asks: bool) -> None:
    assert (ASKS_FOR_DEEDS.search(question) is not None) is asks


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("A pump is a machine that lifts water.", True),
        ("A pump is a machine for lifting water.", True),
        ("水泵是把水抽上来的机器。", True),
        ("The pump is the heart of the mill, that's how my father put it.", False),
    ],
)
def test_a_definition_may_say_only_what_a_thing_is(text: str, *, tells: bool) -> None:
    assert (TELLS_DEEDS.search(text) is not None) is tells


@pytest.mark.parametrize(
    ("text", "leans"),
    [
        ("An idle pump is one that's neither.", True),
        ("A gear pump is the other one.", True),
        ("A hand pump does the same.", True),
        ("齿轮泵则相反。", True),
        ("A pump is neither a valve nor a tap.", False),
        ("An invariant is what stays the same.", False),
        ("A pump is a machine that lifts water.", False),
    ],
)
def test_a_definition_may_lean_on_the_sentence_before_it(text: str, *, leans: bool) -> None:
    assert leans_on_before(text) is leans


PUMP = QuestionUnit("pump", (terms_of("pump"),), 1.0, "en:pump")


def _asking(question: str, defined: str, *said: str) -> tuple[object, SimpleNamespace]:
    concept = SimpleNamespace(
        concept_id="en:pump",
        name="pump",
        aliases=(),
        definition=defined,
        definition_kind="subtitle",
        definition_course_id="ml",
        definition_locator=None,
    )
    graph = SimpleNamespace(concept=lambda _: concept)
    material = SimpleNamespace(lectures=lectures(*said))
    request = asking(question, PUMP, kind="definition", spoken="en", course_id="ml", graph=graph, material=material)
    return request, concept


def test_a_metaphor_is_no_sure_answer_to_what_a_thing_does(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Composed("definition", "partial", (ComposedStatement("It lifts water."),))
    monkeypatch.setattr(definition, "compose_explanation", lambda _: found)
    request, _ = _asking("What does a pump do?", "The pump is the heart of the mill.", "The pump is the heart.")
    assert _compose_deeds(request) is found  # type: ignore[arg-type]


def test_a_definition_that_leans_is_given_with_what_stands_before_it_and_is_not_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(definition, "compose_explanation", lambda _: None)
    said = ("Some lift and some push.", "And a dead pump is one that's neither.")
    request, concept = _asking("what is a dead pump", "A dead pump is one that's neither.", *said)
    found = _give_definition(request, concept, None)  # type: ignore[arg-type]
    assert found.coverage == "partial"
    assert found.note != ""
    assert found.statements[0].text == " ".join(said)
