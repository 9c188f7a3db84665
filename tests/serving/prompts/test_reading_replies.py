"""What is made of a model's reply: the two parts of a free response, and lists of questions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.answering.prompts import CONTEXT
from serving.answering.reflection_prompts import LONGEST_LINE, read_lines
from serving.answering.tutoring import FreeResponse, read_free_response, tutor_prompt


@pytest.mark.parametrize(
    ("text", "answer", "explanation"),
    [
        ("Answer: A stack.\nExplanation: It removes the last.", "A stack.", "It removes the last."),
        ("**Answer:** A stack.\n\n**Step-by-step explanation:** 1. Push. 2. Pop.", "A stack.", "1. Push. 2. Pop."),
        ("The answer is: a stack. Explanation: last in.", "a stack.", "last in."),
        ("A stack. It removes the last first.", "A stack.", "It removes the last first."),
        ("It is e.g. a stack. Or a pile.", "It is e.g. a stack.", "Or a pile."),
        ("It takes 2.5 s. Always.", "It takes 2.5 s.", "Always."),
        ("1. Push the plate. 2. Pop it.", "1. Push the plate.", "2. Pop it."),
        ("答案：栈。\n解析：后进先出。", "栈。", "后进先出。"),
        ("栈是线性表。它后进先出。", "栈是线性表。", "它后进先出。"),
        ("Explanation: It removes the last. So it is a stack.", "It removes the last.", "So it is a stack."),
        ("a stack", "a stack", ""),
        ("", "", ""),
    ],
)
def test_a_free_response_has_an_answer_and_an_explanation(text: str, answer: str, explanation: str) -> None:
    assert read_free_response(text) == FreeResponse(answer, explanation)


@given(st.text(max_size=200))
def test_any_reply_can_be_read_and_what_is_read_was_written(text: str) -> None:
    read = read_free_response(text)
    assert read.answer in text
    assert read.explanation in text
    assert read.answer or not read.explanation


def test_the_tutor_takes_no_other_template() -> None:
    with pytest.raises(ValueError, match="Expected frq-answer@1 or tutor@1, found context@2"):
        tutor_prompt("Why?", evidence=[], lang="en", budget=500, template=CONTEXT)


def test_the_tutor_without_material_still_asks() -> None:
    assert tutor_prompt("Why?", evidence=[], lang="zh", budget=1)[0].content.endswith("Answer in Chinese.")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("What is a stack?\nHow does it work?", ("What is a stack?", "How does it work?")),
        ("1. What is a stack?\n2) How does it work?", ("What is a stack?", "How does it work?")),
        (
            "Here are three versions:\n- “What is a stack?”\n* **How does it work?**",
            ("What is a stack?", "How does it work?"),
        ),
        ("Sure! Here you go.\nwhy a stack?\n\nWHY a stack?", ("why a stack?",)),
        ("以下是三种说法：\n（1）什么叫栈？\n2、栈有什么用？", ("什么叫栈？", "栈有什么用？")),
        ("A stack is a list. It removes the last first.", ()),
        ("3.5 GB or 4 GB?", ("3.5 GB or 4 GB?",)),
        ("x" * (LONGEST_LINE + 1), ()),
        ("Why stacks?", ()),
        ("", ()),
    ],
)
def test_questions_are_read_line_by_line(text: str, lines: tuple[str, ...]) -> None:
    assert read_lines(text, question="why stacks") == lines


def test_no_more_lines_than_wanted_are_read() -> None:
    assert read_lines("a1?\nb2?\nc3?\nd4?", most=2) == ("a1?", "b2?")


@given(st.text(max_size=300))
def test_any_text_can_be_read_for_lines(text: str) -> None:
    assert len(read_lines(text, question="why?")) <= 3
