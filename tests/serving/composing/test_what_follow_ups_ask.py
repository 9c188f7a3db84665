"""A follow-up is answered by what it asks itself, and not by what it leans on."""

from types import SimpleNamespace
from typing import cast

import pytest
from asker import Asker

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.follow_up_answers import drop_context, note_repetition, weaken_context
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.wording import wording
from serving.index.evidence import Evidence
from serving.llm.messages import Message


@pytest.mark.parametrize(
    ("question", "asking_part"),
    [
        ("and how do i delete a key (chaining vs probing)", "and how do i delete a key (…)"),
        ("那怎么避免 (栈和队列有什么区别)", "那怎么避免 (…)"),
        ("and path sensitive (give an example of flow sensitivity)", None),
        ("what about a full table (why do we double it)", None),
    ],
)
def test_the_kind_is_told_by_what_a_follow_up_asks_itself(question: str, asking_part: str | None) -> None:
    assert drop_context(question) == (asking_part or question)


def test_what_a_follow_up_leans_on_weighs_less_where_it_names_enough_itself() -> None:
    question = "what about loops that share a header (back edge)"
    weakened = weaken_context(known("loops", "share", "header", "edge"), question)
    assert [unit.weight for unit in weakened] == [2.0, 2.0, 2.0, 1.0]
    few = known("loops", "edge")
    assert weaken_context(few, "what about loops (back edge)") == tuple(few)


def known(*labels: str) -> list[QuestionUnit]:
    return [QuestionUnit(label, (frozenset({label}),), 2.0) for label in labels]


def evidence(text: str) -> Evidence:
    return Evidence(0, "e", "c", "subtitle", "Lecture", text)


def test_the_last_answer_once_more_is_said_to_be_no_more() -> None:
    said = ComposedStatement("**A stack overflows.**", evidence("A stack overflows."))
    found = Composed("how", "partial", (said,), note="I am not sure.")
    last = Message("assistant", "I am not sure.\n\nA stack overflows. [1]")
    longer = Message("assistant", "A stack overflows. [1]\n\nA queue does not. [2]")

    def note(question: str, last: Message, *units: QuestionUnit) -> str:
        catalogue = SimpleNamespace(classes={})
        request = SimpleNamespace(question=question, units=units, catalogue=catalogue, spoken="en")
        return note_repetition(found, cast(Request, request), (last,)).note

    question = "how do I avoid that (stack)"
    assert note(question, last, *known("avoid", "stack")) == wording("en").no_more
    assert note(question, longer, *known("avoid", "stack")) == found.note
    assert note("what overflows there (stack)", last, *known("overflow", "stack")) == found.note


def test_what_the_turn_before_was_taken_as_is_not_said_again(composed_by: Asker) -> None:
    assert "Taken as" in composed_by("why is a stakc not a fair waiting line").text
    assert "Taken as" not in composed_by("why is a stakc not a fair waiting line", "so what do I do instead?").text
