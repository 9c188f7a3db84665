"""Several questions in one message are answered one by one; one question is never torn apart."""

import pytest

from serving.assistant.composing.several import questions_in


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("What is a stack? And what is a queue?", 2),
        ("1) what is recursion 2) why is it slow", 2),
        ("What is F1 score and why not accuracy?", 2),
        ("什么是栈？什么是队列？", 2),
        ("快排是谁想出来的？平均复杂度多少？用不用额外的大数组？", 3),
    ],
)
def test_each_question_of_a_message_is_found(text: str, parts: int) -> None:
    assert len(questions_in(text)) == parts


@pytest.mark.parametrize(
    "text",
    [
        "What is the difference between a stack and a queue?",
        "Compare linked lists and dynamic arrays.",
        "How do I insert and delete in a heap?",
        "B树要满足哪几条性质，能逐条列出来吗",
        "I read the chapter twice. Why is quicksort fast?",
    ],
)
def test_one_question_stays_whole(text: str) -> None:
    assert questions_in(text) == (text,)
