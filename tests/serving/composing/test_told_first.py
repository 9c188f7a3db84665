"""What students tell of themselves before they ask, or behind it, does not decide what is found."""

import pytest
from asked_rows import IN_PLACE

from serving.assistant.composing.several import questions_in
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.told_first import TOLD, find_asking_part, weaken_told
from serving.assistant.understanding.plain_wording import say_plainly


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("I weighed forty lamps of two makers and their shades, which test do I use", "which test do I use"),
        ("我称了四十盏两家厂的灯，该用什么检验", "该用什么检验"),
        ("which test do I use", ""),
        ("我孩子想知道总分要到多少才算通过，多少才算优秀", ""),
        ("I took the class on lamps - can I take the one on halls, and when does it meet", ""),
        ("I weighed forty lamps of two makers, which test do I use, and how", "which test do I use, and how"),
        ("I weighed forty lamps of two makers and their shades", ""),
    ],
)
def test_what_is_asked_stands_behind_what_is_told(question: str, asks: str) -> None:
    assert find_asking_part(question) == asks


def test_what_is_only_told_weighs_less_where_the_question_names_something() -> None:
    told, asked = (QuestionUnit(name, (frozenset({name}),), 2.0) for name in ("lamps", "test"))
    question = "I weighed forty lamps of two makers and their shades, which test do I use"
    assert [one.weight for one in weaken_told([told, asked], question, "other")] == [TOLD * 2.0, 2.0]
    assert weaken_told([told, IN_PLACE], question, "other") == (told, IN_PLACE)
    assert weaken_told([told, asked], question, "logistics") == (told, asked)


def test_two_questions_behind_what_is_told_are_two() -> None:
    told = "I weighed forty lamps of two makers and which shades they have"
    assert questions_in(f"{told}, what test do I use and how do I do it in R?") == (
        f"{told}, what test do I use",
        "how do I do it in R?",
    )
    plan = "I have a day job and passed LAMP 1100. Which class can I take in Spring 2027, and when is it?"
    assert questions_in(plan) == (plan,)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "Why did the Evening Lamp get the big vote so wrong? It asked a million readers",
            "Why did the Evening Lamp get the big vote so wrong?",
        ),
        ("为什么晚灯报那次选举预测错了？它问了一百万人", "为什么晚灯报那次选举预测错了？"),
        ("Why is it so slow in the worst case of all? It uses a list", None),
        ("Why did the Evening Lamp get the big vote so wrong? I want to know the sample", None),
        ("Why did the Evening Lamp get it wrong? Was it the sample?", None),
        ("那为什么它那次选举预测错了？它问了一百万人", None),
    ],
)
def test_what_is_added_behind_a_question_that_says_all_is_left_out(text: str, plain: str | None) -> None:
    assert say_plainly(text) == (plain or text)
