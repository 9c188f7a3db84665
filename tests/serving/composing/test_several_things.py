"""A question that lists several things is answered for each; one that counts or qualifies them as it does."""

import re
from types import SimpleNamespace
from typing import cast

import pytest
from asked_rows import MERGE_SORT, asking
from asker import Asker
from course_rows import QUEUE, STACK
from spoken_rows import one_lecture

from serving.assistant.composing.compared_sides import list_sides
from serving.assistant.composing.comparison import _without_repeats
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.found_units import unit_as_named
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.composing.where import compose_where
from serving.assistant.composing.wording import wording
from serving.index.analysis import terms


@pytest.mark.parametrize(
    "question", ["what are stacks and queues", "define stack and queue", "explain the stack and the queue respectively"]
)
def test_each_of_several_things_is_defined_in_the_order_asked(composed_by: Asker, question: str) -> None:
    text = composed_by(question).text
    assert STACK in text
    assert QUEUE in text
    assert text.index(STACK) < text.index(QUEUE)


def test_the_other_order_too(composed_by: Asker) -> None:
    text = composed_by("what are queues and stacks").text
    assert text.index(QUEUE) < text.index(STACK)


def test_what_one_sentence_says_of_both_is_shown_once() -> None:
    both = ComposedStatement("The one to the right is called i-hat, the one straight up j-hat.")
    other = ComposedStatement("They are the basis of this plane.")
    assert _without_repeats([both, both, other]) == (both, other)


def test_what_goes_on_from_another_is_shown_in_its_place() -> None:
    short = ComposedStatement("The one to the right is called i-hat.")
    other = ComposedStatement("They are the basis of this plane.")
    whole = ComposedStatement(f"{short.text} The one straight up is j-hat.")
    assert _without_repeats([short, other, whole]) == (whole, other)


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("what are a heap and merge sort", ["heap", "merge sort"]),
        ("what are merge sort, and a heap", ["merge sort", "heap"]),
        ("什么是 merge sort 和 heap", ["merge sort", "heap"]),
        ("what is merge sort on top of a heap", []),
        ("how does merge sort use a heap", []),
    ],
)
def test_only_things_with_nothing_between_them_are_a_list(question: str, listed: list[str]) -> None:
    heap = QuestionUnit("heap", (frozenset({"heap"}),), 1.0, "en:heap")
    assert [side[0].label for side in list_sides(asking(question, MERGE_SORT, heap))] == listed


@pytest.mark.parametrize(
    "question", ["how many videos are about stacks?", "how many lectures mention the stack", "有几讲讲到 stack"]
)
def test_how_many_lectures_speak_of_something_is_counted(composed_by: Asker, question: str) -> None:
    answer = composed_by(question)
    assert answer.kind == "where"
    assert "2" in answer.text.split("\n")[0]
    assert "Stacks and queues" in answer.text


@pytest.mark.parametrize("question", ["第几讲讲了 stack", "哪几讲讲到 stack", "which lecture covers the stack"])
def test_which_lecture_it_is_asks_for_no_count(composed_by: Asker, question: str) -> None:
    text = composed_by(question).text
    assert "Stacks and queues" in text
    assert not COUNTED.search(text)


COUNTED = re.compile(r"有\d+讲|: \d+\.")


def test_how_many_there_are_at_all_still_is(composed_by: Asker) -> None:
    assert "There are 3 lectures" in composed_by("how many lectures are there?").text


def test_a_lecture_with_half_of_the_name_in_its_title_is_probably_it() -> None:
    lectures = CourseLectures(
        (
            one_lecture("We plot the error.", title="Diagnosing Bias vs. Variance"),
            one_lecture("There is a bias-variance trade-off here, too.", title="Kernels II", index=1),
            one_lecture("We trade one off for the other.", title="Trading Off Precision and Recall", index=2),
        )
    )
    bias = QuestionUnit("bias", (frozenset({"bias"}),), 1.0, "en:bias")
    rest = QuestionUnit("variance trade-off", (frozenset({"varianc", "trade", "off"}),), 1.0, "en:variance trade off")
    question = "where is the bias-variance trade-off discussed"
    material = SimpleNamespace(lectures=lectures)
    known = {"question": question, "spoken": "en", "units": (bias, rest), "material": material, "course_id": "ds"}
    found = compose_where(cast("Request", SimpleNamespace(**known)))
    assert found is not None
    assert found.note == wording("en").probably
    assert [title for one in found.statements for title in TITLES if title in one.text] == TITLES


TITLES = ["Diagnosing Bias vs. Variance", "Kernels II"]


@pytest.mark.parametrize(
    ("word", "is_known"), [("commutative", False), ("afterwards", True), ("matter", True), ("learners", True)]
)
def test_a_rare_word_of_another_course_alone_is_not_known(word: str, is_known: bool) -> None:
    unit = QuestionUnit(word, (frozenset(terms(word)),), 1.0)
    assert unit_as_named(unit, lambda: (), CourseLectures()).is_known is is_known
    assert unit_as_named(unit, lambda: (f"It is {word} here.",), CourseLectures()).is_known


def test_a_kind_of_a_thing_that_no_lecture_has_is_not_said_to_be_explained(composed_by: Asker) -> None:
    assert "explained here" in composed_by("which video talks about stacks?").text
    assert "explained here" not in composed_by("which video talks about fair stacks?").text


@pytest.mark.parametrize("question", ["is a stack commutative?", "Are stacks commutative"])
def test_whether_a_thing_is_so_is_not_answered_by_what_does_not_name_it(composed_by: Asker, question: str) -> None:
    answer = composed_by(question)
    assert answer.coverage != "full"
    assert answer.text.startswith("I did not find “commutative” in the material."), "it may say so in other words"
