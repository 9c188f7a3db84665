"""What is kept of a text that a model wrote."""

import pytest

from knowledge_graph.lake.records import Lang
from serving.assistant.guardrails.written_text import echoes, whole_sentences, why_unusable

STACK = "A stack is last in, first out."
QUESTION = "Which is last in, first out? A. a stack B. a queue"


@pytest.mark.parametrize(
    ("text", "finished", "kept"),
    [
        (f"{STACK} A queue is first in,", False, STACK),
        (f"{STACK} {STACK} {STACK}", True, STACK),
        (f"Explanation: {STACK}", True, STACK),
        (f"**Answer:** {STACK}", True, STACK),
        (f"The answer is: Explanation: {STACK}", True, STACK),
        ("1. Push it.\n2. Pop it.\n- Look.", True, "Push it. Pop it. Look."),
        ("Step 1: Push it. Step 2: Push it. Step 3: Push it.", True, "Step 1: Push it."),
        ("One ends. Two ends. Three ends. Four ends.", True, "One ends. Two ends. Three ends."),
        ("A stack is last in", True, "A stack is last in."),
        ("A stack is last in", False, ""),
        ("", True, ""),
    ],
)
def test_whole_sentences_are_kept_once(text: str, finished: bool, kept: str) -> None:
    assert whole_sentences(text, "en", most=3, finished=finished) == kept


def test_chinese_sentences_end_with_their_own_full_stop() -> None:
    assert whole_sentences("栈后进先出。队列先进", "zh", most=3, finished=False) == "栈后进先出。"
    assert whole_sentences("栈后进先出", "zh", most=3, finished=True) == "栈后进先出。"


@pytest.mark.parametrize(
    ("text", "lang", "reason"),
    [
        ("Plates in a pile: whoever came latest leaves earliest.", "en", None),
        ("[2]", "en", "it is too short to explain anything"),
        ("A stack is last in, first out. A queue is in.", "en", "it only says the question again"),
        ("Say in one or two short sentences why this option is the answer.", "en", "it repeats the instructions"),
        ("栈。", "zh", "it is too short to explain anything"),
        ("盘子叠在一起，最后放上去的最先取下。", "zh", None),
    ],
)
def test_a_text_that_explains_nothing_is_found(text: str, lang: Lang, reason: str | None) -> None:
    instructions = ("Say in one or two short sentences why this option is right.",)
    assert why_unusable(text, lang, question=QUESTION, instructions=instructions) == reason


def test_eight_words_in_a_row_are_an_echo_and_seven_are_not() -> None:
    prompt = "one two three four five six seven eight nine"
    assert echoes("It said: two three four five six seven eight NINE indeed", prompt)
    assert not echoes("three four five six seven eight nine", prompt)
