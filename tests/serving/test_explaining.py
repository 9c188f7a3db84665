"""Explanations of stored answers: the prompts, and which replies are taken."""

from dataclasses import replace

import pytest

from serving.assistant.generation.explaining import (
    Explained,
    StoredPair,
    leaves_out,
    pair_messages,
    read_pair,
    why_contradicted,
)

NAILS = StoredPair(
    "1",
    "A person bites her nails but wants to stop. The behavior she wants to change (biting her nails) is called the:",
    "Target behavior",
    "en",
)
NAILS_EXPLAINED = (
    'In the field of psychology, particularly in behavior modification, the term "target behavior" is used to describe '
    "the behavior that a person wants to change. In this case, the person wants to stop biting her nails. Therefore, "
    'the behavior she wants to change, which is nail biting, is referred to as the "target behavior". This term is '
    "used to identify and specify exactly what behavior is to be changed, which is the first step in any behavior "
    "modification program."
)
"""Course Hero, Table 2."""

LATE = StoredPair("2", "May I hand in late?", "Yes, homework handed in up to 2 days late is accepted.", "en")
HEAP = StoredPair("5", "Why does building a heap take O( n ) time?", "Most nodes can sink only a few levels.", "en")
AMYLOID = StoredPair(
    "3",
    "Alzheimer's leads to the accumulation of ____ in the brain.\n(a) glucose\n(b) amyloid deposits\n(c) arachidonic "
    "acid\n(d) serotonin",
    "b. amyloid deposits",
    "en",
)
AMYLOID_EXPLAINED = (
    "The correct answer is (b) amyloid deposits: these plaques are clumps of protein that build up between nerve "
    "cells. (a) Glucose is the energy source of the brain. (c) Arachidonic acid is a fatty acid. (d) Serotonin is a "
    "neurotransmitter."
)
"""After Course Hero, Figure 1."""


def test_the_worked_example_of_the_paper_goes_through_the_explanation_path() -> None:
    system, user = pair_messages(NAILS)
    assert "academic tutor" in system.content
    assert "You write only the explanation." in system.content
    assert user.content == (
        "Question: A person bites her nails but wants to stop. The behavior she wants to change (biting her nails) is "
        "called the:\nAnswer: Target behavior\n\nExplain step by step why this is the answer."
    )
    assert read_pair(NAILS_EXPLAINED, NAILS, finished=True) == Explained.accept(NAILS_EXPLAINED)


def test_a_question_with_options_has_its_own_prompt_with_the_options_and_the_stored_one() -> None:
    assert pair_messages(AMYLOID)[1].content == (
        "Question: Alzheimer's leads to the accumulation of ____ in the brain.\na. glucose\nb. amyloid deposits\n"
        "c. arachidonic acid\nd. serotonin\nAnswer: b. amyloid deposits\n\n"
        "Explain step by step why this option is the answer and the others are not."
    )
    assert read_pair(AMYLOID_EXPLAINED, AMYLOID, finished=True) == Explained.accept(AMYLOID_EXPLAINED)


def test_an_answer_that_is_none_of_the_options_is_explained_as_free_response() -> None:
    pair = replace(AMYLOID, answer="Tau proteins")
    assert pair.choice is None
    assert pair_messages(pair)[1].content.endswith("Explain step by step why this is the answer.")


@pytest.mark.parametrize(
    ("pair", "text", "reason"),
    [
        (LATE, "Everybody is ill sometimes, and so late homework is accepted and marked for two days.", None),
        (LATE, "There are two reasons for late homework. People fall ill on many days, and machines break.", None),
        (LATE, "Step 1: read the rules. Step 2: homework that comes late still counts when 2 days have gone by.", None),
        (LATE, "Teachers like students who read rules with care.", "it hardly speaks of the answer"),
        (HEAP, "Half of them are leaves without children, so most nodes sink a few levels in O(n) time.", None),
        (HEAP, "Most nodes sink a few levels, which takes O(n log n) time.", "'O(n log n)' is in neither"),
        (LATE, "Late homework is marked down after 5 days of waiting for it.", "the number '5 days' is in neither"),
        (LATE, "Homework handed in late is not accepted by anybody.", "it turns 'Yes, homework handed in"),
        (LATE, "No, that is never allowed by the teachers here.", "it says 'No', and the answer 'Yes'"),
        (LATE, "The given answer is wrong, since teachers are strict people.", "it denies the answer: 'The given"),
        (NAILS, "The correct answer is operant conditioning of some kind.", "it gives another answer: 'The correct"),
        (AMYLOID, "Option (d) is correct because serotonin levels fall.", "it calls d right, and the answer is b"),
        (AMYLOID, "(b) is incorrect, since plaques are harmless.", "it calls b wrong, which is the answer"),
        (AMYLOID, "No.", "it is too short"),
    ],
)
def test_what_contradicts_the_stored_answer_is_rejected_with_the_reason(
    pair: StoredPair, text: str, reason: str | None
) -> None:
    found = read_pair(text, pair, finished=True)
    if reason is None:
        assert found == Explained.accept(text)
    else:
        assert found.status == "rejected"
        assert (found.reason or "").startswith(reason)


@pytest.mark.parametrize(
    ("text", "contradicts"),
    [
        ("因为同学可能生病，所以作业晚交也会收。", False),
        ("作业晚交两天不会被接受。", True),
        ("这个答案错误。", True),
        ("晚交5天也可以。", True),
    ],
)
def test_chinese_explanations_are_checked_alike(text: str, contradicts: bool) -> None:
    pair = StoredPair("4", "作业可以晚交吗？", "作业晚交两天会被接受。", "zh")
    assert (why_contradicted(text, pair) is not None) == contradicts


def test_an_explanation_speaks_of_every_option_or_leaves_some_out() -> None:
    assert AMYLOID.choice is not None
    question, _ = AMYLOID.choice
    assert not leaves_out(AMYLOID_EXPLAINED, question)
    assert leaves_out("(b) It builds up between nerve cells.", question)
