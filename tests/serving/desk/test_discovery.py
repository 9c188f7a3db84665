"""What is proposed for a FAQ: which questions stand together, what is left out, in which order. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray

from serving.desk.discovery.anonymization import without_names
from serving.desk.discovery.coverage import KnownEntry, Meaning
from serving.desk.discovery.groups import QuestionGroup, StudentTurn, discover
from serving.desk.discovery.similarity import alike

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATE = ("Can I submit homework 2 late?", "submit homework 2 late?", "is it ok to submit homework 2 late")
GRAPHVIZ = ("How do I install Graphviz?", "graphviz install fails")


def asked(question: str, by: str, *, days: float = 1, **more: Any) -> StudentTurn:
    return StudentTurn(f"{by}: {question}", by, question, NOW - timedelta(days=days), **more)


def several(questions: Sequence[str], **more: Any) -> list[StudentTurn]:
    """Each by somebody else."""
    return [asked(question, f"student {number}", **more) for number, question in enumerate(questions)]


def found(questions: Sequence[StudentTurn], *entries: tuple[str, str]) -> list[QuestionGroup]:
    known = [KnownEntry(str(number), *entry) for number, entry in enumerate(entries)]
    return discover(questions, known, now=NOW)


def test_questions_that_ask_the_same_are_one_proposal_with_their_wordings() -> None:
    groups = found([*several(LATE), *several(GRAPHVIZ), asked("Who was Ada Lovelace?", "ana")])
    assert [(group.people, group.count, set(group.wordings)) for group in groups] == [
        (3, 3, set(LATE)),
        (2, 2, set(GRAPHVIZ)),
    ]


def test_chinese_questions_stand_together_too() -> None:
    [group] = found(several(["期中考试什么时候？", "期中考试在什么时候考", "什么是堆？"]))
    assert set(group.wordings) == {"期中考试什么时候？", "期中考试在什么时候考"}


def test_the_same_concepts_bring_questions_together_that_share_few_words() -> None:
    asking = ["Is push amortised?", "why is push cheap on average"]
    assert found(several(asking)) == []
    [group] = found(several(asking, concept_ids=("amortised analysis", "stack")))
    assert (group.people, group.concept_ids) == (2, ("amortised analysis", "stack"))


def test_what_one_person_asks_again_and_again_is_not_proposed() -> None:
    assert found([asked(question, "ana") for question in LATE]) == []


def test_what_the_faq_answers_is_left_out() -> None:
    other = ("What is a heap?", "A tree.")
    assert len(found(several(LATE), other)) == 1
    assert found(several(LATE), other, ("Can I submit homework late?", "Homework is taken late for two days.")) == []


def test_the_very_question_of_an_entry_is_left_out_however_long_its_answer_is() -> None:
    answer = " ".join(f"word{number}" for number in range(300))
    assert found(several(LATE), (LATE[2].upper(), answer)) == []


def test_what_most_ask_and_is_answered_worst_comes_first() -> None:
    sure, unsure = several(LATE, gap=0.1), several(GRAPHVIZ, gap=0.9)
    assert [group.gap for group in found([*sure, *unsure])] == [0.9, 0.1]
    assert [group.people for group in found([*several(LATE), *several(GRAPHVIZ)])] == [3, 2]


def test_the_trend_is_the_last_week_beside_the_one_before() -> None:
    lately = [asked(LATE[0], f"a{number}", days=2) for number in range(3)]
    before = [asked(LATE[0], "b", days=9), asked(LATE[0], "c", days=40)]
    [group] = found([*lately, *before])
    assert (group.last_week, group.week_before, group.trend, group.count) == (3, 1, 2, 5)


def test_what_was_dismissed_comes_back_when_enough_others_ask_it() -> None:
    dismissed = several(LATE, is_dismissed=True)
    assert found(dismissed) == []
    assert found([*dismissed, asked(LATE[0], "new")]) == []
    [group] = found([*dismissed, asked(LATE[0], "new"), asked(LATE[1], "newer")])
    assert (group.people, len(group.trace_ids)) == (5, 2)


def test_only_words_that_two_people_used_are_shared() -> None:
    [own] = found(several(LATE))
    assert own.shared == ""
    [twice] = found(
        [asked(LATE[0], "ana"), asked(LATE[0], "ana", days=2), asked(LATE[1], "ben"), asked(LATE[1], "eve")]
    )
    assert twice.shared == LATE[1]


def test_an_approved_answer_to_one_of_the_questions_is_the_groups() -> None:
    [group] = found([asked(LATE[0], "ana", answer_id="approved"), asked(LATE[1], "ben"), asked(LATE[2], "eve")])
    assert (group.answer_id, group.people, len(group.trace_ids)) == ("approved", 3, 2)


def test_questions_are_compared_by_meaning_where_there_is_an_embedder() -> None:
    vectors = {"dropping out": [1, 0], "leave the course": [0.9, 0.436], "what is a heap": [0, 1]}

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([vectors[text] for text in texts], dtype=np.float32)

    def match(asked: NDArray[np.float32]) -> NDArray[np.float64]:
        return np.asarray(asked.astype(np.float64) @ np.array([[0.0], [1.0]]))

    meaning = Meaning(encode, match)
    [group] = discover(several(list(vectors)), [KnownEntry("heap", "Heap?", "A tree.")], now=NOW, meaning=meaning)
    assert set(group.wordings) == {"dropping out", "leave the course"}


WORDS = some.sampled_from("homework late submit graphviz install exam when heap stack 考试 时候 栈".split())
QUESTIONS = some.lists(some.lists(WORDS, min_size=1, max_size=4).map(" ".join), max_size=12)


@given(questions=QUESTIONS, chance=some.randoms(use_true_random=False))
def test_the_order_in_which_was_asked_changes_nothing(questions: list[str], chance: Random) -> None:
    listed = several(questions)
    mixed = list(listed)
    chance.shuffle(mixed)
    assert found(mixed, ("When is the exam?", "In May.")) == found(listed, ("When is the exam?", "In May."))


@given(questions=QUESTIONS)
def test_every_text_is_in_one_group(questions: list[str]) -> None:
    places = sorted(place for group in alike(questions) for place in group)
    assert places == list(range(len(questions)))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Hi Prof. Miller, can I submit late?", "can I submit late?"),
        ("My name is Ana Lopez and I cannot log in", "I cannot log in"),
        ("When is the exam? Thanks, Ben", "When is the exam?"),
        ("Why was ana.lopez@uni.edu not invited, nor @ben_k?", "Why was … not invited, nor …?"),
        ("Is 20231234567 my group?", "Is … my group?"),
        ("王老师您好，作业可以晚交吗？", "作业可以晚交吗？"),
        ("我叫李明，作业可以晚交吗？", "作业可以晚交吗？"),
        ("Is 1000000 a large n?", "Is 1000000 a large n?"),
        ("Where are the slides? - Ana Lopez", "Where are the slides?"),
        ("Which sort is best Quicksort", "Which sort is best Quicksort"),
        ("I'm Ana from group 2. When is the exam?", "When is the exam?"),
        ("I am Lost in lecture 3", "I am Lost in lecture 3"),
        ("Thanks to Dijkstra we know it. Why?", "Thanks to Dijkstra we know it. Why?"),
        ("How does Dijkstra differ from Prim?", "How does Dijkstra differ from Prim?"),
    ],
)
def test_what_names_somebody_is_taken_out_of_a_wording(said: str, shown: str) -> None:
    assert without_names(said) == shown
