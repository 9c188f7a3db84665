"""The tutor's prompt, and lists of questions read from a model's reply."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.generation.prompts import CONTEXT
from serving.assistant.generation.tutoring import tutor_prompt
from serving.assistant.reflection.prompts import LONGEST_LINE, read_lines


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
