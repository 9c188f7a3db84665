"""Questions of the queue in other words stand together, and one decision goes to those that the TA leaves ticked."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from desk_rows import ADA, BEN, OTHER, STUDENT
from numpy.typing import NDArray

from models.embedding.embedder import EmbeddingFailed
from serving.desk.approved_answers import read_decisions
from serving.desk.decisions import approve, reject
from serving.desk.own_questions import questions_of
from serving.desk.queue import QueueItem, ask, claim, open_questions
from serving.desk.queue_groups import (
    QueueGroup,
    QueueVectors,
    asks_for,
    count_groups,
    group_queue,
    grouping,
    of_reason,
    others_like,
)
from serving.desk.refusals import AlreadyDecided, NotFit
from serving.store.database import Store

FIRST = "May I bring a calculator to the final?"
SECOND = "is a pocket computer allowed in that examination"
FAR = "How do I hand in homework late?"
AT = datetime(2026, 11, 2, tzinfo=UTC)


class TopicEmbedder:
    """Puts a question on the axis of its topic, so that those without a common word can mean the same."""

    name, dimension, languages = "topics", 3, ("en",)

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        topics = [("calculator", "pocket"), ("late",)]
        place = [next((n for n, words in enumerate(topics) if any(w in text for w in words)), 2) for text in texts]
        return np.eye(3, dtype=np.float32)[place]


class BrokenEmbedder(TopicEmbedder):
    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbeddingFailed("no answer")


def item(number: int, question: str, **more: object) -> QueueItem:
    values: dict[str, object] = {
        "question_id": str(number),
        "same_as": f"{number:064}",
        "course_id": "ds",
        "lang": "en",
        "question": question,
        "notes": (),
        "reason": "asked",
        "waiting": 1,
        "resting": 0,
        "asked_at": AT + timedelta(minutes=number),
        "asked_by": frozenset({f"s{number}"}),
    }
    return QueueItem(**values | more)  # type: ignore[arg-type]


def by_topic(items: Sequence[QueueItem]) -> list[QueueGroup]:
    return group_queue(items, grouping(QueueVectors(), TopicEmbedder()))


def texts(groups: Sequence[QueueGroup]) -> list[list[str]]:
    return [[each.question for each in group.items] for group in groups]


def test_what_means_the_same_stands_together_and_counts_its_students_once() -> None:
    items = [item(1, FAR), item(2, FIRST), item(3, SECOND, asked_by=frozenset({"s2", "s3"}))]
    groups = by_topic(items)
    assert texts(groups) == [[FIRST, SECOND], [FAR]], "where most wait comes first"
    assert groups[0].waiting == 2
    assert others_like(groups, items[2].same_as) == (items[1],)
    assert others_like(groups, "x") == ()


def test_what_a_person_asked_for_comes_first_though_more_wait_for_the_rest() -> None:
    unsure = [item(n, f"calculator {n}", reason="low_confidence") for n in (1, 2, 3)]
    groups = by_topic([*unsure, item(4, FAR)])
    assert [group.item.question for group in groups] == [FAR, "calculator 1"]
    joined = by_topic([*unsure, item(4, FIRST)])
    assert (len(joined), count_groups(joined)["asked"]) == (1, 1), "one asked for it: the group was asked for"
    assert of_reason(joined, "low_confidence") == []
    assert of_reason(joined, None) == joined


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"course_id": "ml"}, "another course"),
        ({"lang": "zh"}, "another language"),
        ({"answer_id": "a", "reason": "source_changed"}, "has an answer of its own"),
        ({"question": "When is the calculator handed out?"}, "asks for a time"),
    ],
)
def test_what_needs_another_answer_stands_alone(change: dict[str, object], why: str) -> None:
    other = replace(item(2, SECOND), **change)  # type: ignore[arg-type]
    assert [len(group.items) for group in by_topic([item(1, FIRST), other])] == [1, 1], why


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When is the final?", "time"),
        ("what time does it start", "time"),
        ("Where is the final?", "place"),
        ("which room is the midterm in", "place"),
        ("Who marks the final?", "person"),
        ("How many points is it worth?", "amount"),
        ("why is the final so long", "reason"),
        ("May I leave when I am done?", ""),
        ("期末考试几点开始", "time"),
        ("期末考试在哪里", "place"),
        ("期末考试谁监考", "person"),
        ("为什么要考试", "reason"),
        ("可以带计算器吗", ""),
    ],
)
def test_what_a_question_asks_for_is_told(question: str, kind: str) -> None:
    assert asks_for(question) == kind


def test_each_question_is_encoded_once_and_words_are_compared_while_the_embedder_does_not_answer() -> None:
    vectors, embedder, items = QueueVectors(), TopicEmbedder(), [item(1, FIRST), item(2, SECOND)]
    for _ in range(3):
        group_queue(items, grouping(vectors, embedder))
    assert embedder.encoded == [FIRST, SECOND]
    alone = group_queue([*items, item(3, "may i bring the calculator to a final")], grouping(vectors, BrokenEmbedder()))
    assert texts(alone) == [[FIRST, "may i bring the calculator to a final"], [SECOND]]


def test_an_answer_reaches_the_other_wordings_that_stayed_ticked_and_is_found_by_them(desk: Store) -> None:
    asked = {
        question: desk.write(
            lambda db, by=by, q=question: ask(db, by.person_id, q, course_id="ds", lang="en").question_id
        )
        for question, by in ((FIRST, STUDENT), (SECOND, OTHER), (FAR, OTHER))
    }
    made = desk.write(
        lambda db: approve(
            db, asked[FIRST], question=FIRST, answer="Yes.", rests=[], by=ADA, also=[asked[SECOND], asked[SECOND]]
        )
    )
    told = {
        one.question: one.answer for by in (STUDENT, OTHER) for one in desk.read(lambda db, by=by: questions_of(db, by))
    }
    assert told == {FIRST: "Yes.", SECOND: "Yes.", FAR: None}
    assert {one.text for one in desk.read(read_decisions).approved[made.answer_id].wordings} == {FIRST, SECOND}
    assert [one.question for one in desk.read(lambda db: open_questions(db, courses=None, limit=9))] == [FAR]


def test_what_was_decided_meanwhile_is_left_out_and_a_reply_goes_to_all_that_are_rejected(desk: Store) -> None:
    first, second, third = (
        desk.write(lambda db, by=by, q=q: ask(db, by.person_id, q, course_id="ds", lang="en").question_id)
        for q, by in ((FIRST, STUDENT), (SECOND, OTHER), (FAR, OTHER))
    )
    desk.write(lambda db: approve(db, second, question=SECOND, answer="Yes.", rests=[], by=BEN))
    desk.write(lambda db: reject(db, first, reply="Ask in the forum.", by=ADA, also=[second, third]))
    told = {
        one.question: (one.state, one.reply)
        for by in (STUDENT, OTHER)
        for one in desk.read(lambda db, by=by: questions_of(db, by))
    }
    assert told == {
        FIRST: ("rejected", "Ask in the forum."),
        SECOND: ("answered", ""),
        FAR: ("rejected", "Ask in the forum."),
    }


def test_what_another_ta_has_or_needs_an_answer_of_its_own_is_refused_and_nothing_is_decided(desk: Store) -> None:
    first, second, foreign = (
        desk.write(lambda db, q=q, course=course: ask(db, "stu", q, course_id=course, lang="en").question_id)
        for q, course in ((FIRST, "ds"), (SECOND, "ds"), (FIRST, "ml"))
    )
    desk.write(lambda db: claim(db, second, BEN))
    for also, refusal, words in (([second], AlreadyDecided, SECOND), ([foreign], NotFit, "Untick")):
        with pytest.raises(refusal, match=words):
            desk.write(
                lambda db, also=also: approve(db, first, question=FIRST, answer="Yes.", rests=[], by=ADA, also=also)
            )
    assert len(desk.read(lambda db: open_questions(db, courses=None, limit=9))) == 3
