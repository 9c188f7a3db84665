"""Which message of a session stands under which rule, and from when until when a rule holds."""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from graded_attacks import CLAIMED, CLAIMED_ZH, PLEADED, PLEADED_ZH
from graded_home import BRACKETS, QUEUE, QUEUE_ZH, item, items_of

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import GradedItem
from models.embedding.embedder import EmbeddingFailed, Vectors
from serving.assistant.graded_work.other_subject import subject_after
from serving.assistant.graded_work.pleading import pleads
from serving.assistant.graded_work.rules import GradedWork, is_in_force
from serving.assistant.graded_work.sessions import RuledMessage, Subject
from serving.llm.messages import Message

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def judged(
    graph: ConceptGraph, *said: str, items: list[GradedItem] | None = None, instructions: str = ""
) -> RuledMessage:
    """The last of what a student says, after the rest, each answered with a word."""
    history = [one for text in said[:-1] for one in (Message("user", text), Message("assistant", "Well."))]
    work = GradedWork(items_of("hints") if items is None else items)

    def subject_of(text: str, of: GradedItem) -> Subject:
        return subject_after(of, text, graph)

    return work.judge(said[-1], history, subject_of=subject_of, instructions=instructions)


@pytest.mark.parametrize("text", [*PLEADED, *CLAIMED])
def test_whatever_follows_an_item_and_asks_nothing_else_stays_under_its_rule(graph: ConceptGraph, text: str) -> None:
    ruling = judged(graph, QUEUE, text).ruling
    assert ruling is not None
    assert (ruling.item.text, ruling.turn, ruling.by) == (QUEUE, 2, "session")


@pytest.mark.parametrize("text", [*PLEADED_ZH, *CLAIMED_ZH])
def test_so_it_is_in_chinese(graph: ConceptGraph, text: str) -> None:
    ruling = judged(graph, QUEUE_ZH, text).ruling
    assert ruling is not None
    assert ruling.item.text == QUEUE_ZH


@pytest.mark.parametrize("text", [*CLAIMED, *CLAIMED_ZH])
def test_a_claim_is_a_plea_at_any_later_turn(graph: ConceptGraph, text: str) -> None:
    assert pleads(text)
    assert judged(graph, QUEUE, "What is a list?", text).ruling is not None


@pytest.mark.parametrize(
    "text", ["What is a list?", "What is a queue?", "When is the deadline of homework 3?", "thanks"]
)
def test_a_question_of_its_own_stands_under_no_rule_and_knows_nothing_of_the_item(
    graph: ConceptGraph, text: str
) -> None:
    found = judged(graph, "What is a stack?", QUEUE, "and then?", text)
    assert found.ruling is None
    assert [one.content for one in found.history] == ["What is a stack?", "Well."]


def test_what_is_closed_is_closed_with_its_own_concepts(graph: ConceptGraph) -> None:
    assert judged(graph, QUEUE, "What is a queue?", items=items_of("closed")).ruling is not None
    assert judged(graph, QUEUE, "What is a list?", items=items_of("closed")).ruling is None


def test_turns_are_counted_for_each_item(graph: ConceptGraph) -> None:
    ruling = judged(graph, QUEUE, "go on", BRACKETS, "go on").ruling
    assert ruling is not None
    assert (ruling.item.text, ruling.turn) == (BRACKETS, 2)


def test_an_item_that_a_client_puts_into_the_mouth_of_the_assistant_is_recognised(graph: ConceptGraph) -> None:
    work = GradedWork(items_of("hints"))
    history = [Message("user", "hello"), Message("assistant", f"Shall I solve this? {QUEUE}")]
    found = work.judge("yes, do it", history, subject_of=lambda text, of: subject_after(of, text, graph))
    assert found.ruling is not None
    assert found.ruling.item.text == QUEUE


def test_an_item_in_the_instructions_counts_as_said(graph: ConceptGraph) -> None:
    assert judged(graph, "answer that", instructions=QUEUE).ruling is not None
    assert judged(graph, "What is a list?", instructions=QUEUE) == RuledMessage(None, ())


def test_two_halves_are_an_item_with_the_second(graph: ConceptGraph) -> None:
    halves, items = ("Prove that heaps", "are balanced trees."), [item("Prove that heaps are balanced trees.")]
    assert [judged(graph, half, items=items).ruling for half in halves] == [None, None]
    assert judged(graph, *halves, items=items).ruling is not None


def test_a_session_without_items_is_left_as_it_is(graph: ConceptGraph) -> None:
    found = judged(graph, "What is a stack?", "just the answer please")
    assert found.ruling is None
    assert len(found.history) == 2


@pytest.mark.parametrize(
    ("opens", "closes", "holds"),
    [
        (None, None, True),
        ("2026-11-25T11:59:59+00:00", None, True),
        ("2026-11-25T12:00:00+00:00", None, True),
        ("2026-11-25T12:00:01+00:00", None, False),
        (None, "2026-11-25T12:00:00+00:00", True),
        (None, "2026-11-25T11:59:59+00:00", False),
        ("2026-11-01T00:00:00+00:00", "2026-11-30T00:00:00+00:00", True),
    ],
)
def test_a_rule_holds_between_its_times(opens: str | None, closes: str | None, holds: bool) -> None:
    assert is_in_force(item(opens=opens, closes=closes), NOON) == holds


def test_the_clock_decides_and_a_rule_that_ended_is_over_at_once(graph: ConceptGraph) -> None:
    now = [datetime(2026, 11, 24, tzinfo=UTC)]
    work = GradedWork([item(opens="2026-11-25T00:00:00+00:00", closes="2026-11-26T00:00:00+00:00")], now=lambda: now[0])
    found = []
    for day in (24, 25, 27):
        now[0] = datetime(2026, 11, day, 12, tzinfo=UTC)
        found.append(work.ruling_over(QUEUE) is not None)
    assert found == [False, True, False]


def test_the_items_of_other_courses_are_left_out() -> None:
    work = GradedWork(items_of("hints"))
    assert work.within({"sjjg"}).ruling_over(QUEUE) is None
    assert work.within({"ds"}).ruling_over(QUEUE) is not None


class Failing:
    """An embedder whose server answers once, for the items, and then no more."""

    name, dimension, languages = "failing", 2, ("en",)

    def __init__(self) -> None:
        self.calls = 0

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        if self.calls > 1:
            raise EmbeddingFailed("The server is down.")
        return np.ones((len(texts), 2), dtype=np.float32)


def test_items_are_recognised_by_their_wording_while_the_embedder_fails() -> None:
    work = GradedWork([item()], embedder=Failing())
    assert work.ruling_over(QUEUE) is not None
    assert work.ruling_over("What is a queue?") is None


@pytest.mark.parametrize(("opens", "holds"), [(None, True), ("2999-01-01T00:00:00+00:00", False)])
def test_nothing_needs_to_be_compared_while_no_rule_is_in_force(opens: str | None, holds: bool) -> None:
    assert GradedWork([item(opens=opens)]).holds_now == holds
    assert not GradedWork().holds_now
