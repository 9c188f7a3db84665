"""A follow-up is answered by what it asks itself, and not by what it leans on."""

from types import SimpleNamespace
from typing import cast

import pytest
from asker import Asker

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.follow_up_answers import (
    drop_context,
    is_told_alone,
    note_repetition,
    own_question,
    weaken_context,
)
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
    two = known("paper", "loops", "edge")
    assert [one.weight for one in weaken_context(two, "what about the paper loops (back edge)")] == [2.0, 2.0, 1.0]
    assert weaken_context(two, "do paper loops count (back edge)") == tuple(two)
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


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("and how do you rename the variables afterwards (when do we place a join)", "how do you rename the variables"),
        ("那变量的重命名是怎么实现的 (什么时候插入汇合)", "变量的重命名是怎么实现的"),
        ("how do you rename the variables", ""),  # leans on nothing
        ("and how do you rename it for variables (a join)", ""),
        ("what about renaming local variables (a join)", ""),
        ("and why is that (a join)", ""),
    ],
)
def test_a_follow_up_that_is_whole_is_looked_for_alone(question: str, own: str) -> None:
    assert own_question(question) == own


def test_what_is_told_alone_leads_where_it_alone_speaks_of_all_that_a_follow_up_names() -> None:
    def led_by(text: str) -> Composed:
        return Composed("how", "partial", (ComposedStatement(text, Evidence(1, "Slide", "document", "ds", "", "")),))

    own = "how do you rename the variables"
    joins, renaming = led_by("At each join the variables meet."), led_by("Walk the tree, renaming variables.")
    assert is_told_alone(renaming, joins, own)
    assert not is_told_alone(joins, renaming, own)
    assert not is_told_alone(renaming, renaming, own)


def test_a_whole_follow_up_is_answered_as_it_would_be_alone(composed_by: Asker) -> None:
    before, question = "why is a queue served from the front", "how is the height of a stack measured in items"
    alone = composed_by(question).text
    assert "number of its items" in alone.split("[1]")[0]
    assert composed_by(before, f"and {question}").text.split("[1]")[0] == alone.split("[1]")[0]
