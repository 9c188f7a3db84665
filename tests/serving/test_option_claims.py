"""What a text claims of a question's options, row by row."""

import pytest

from serving.assistant.generation.option_claims import contradiction, option_of, read_claims
from serving.assistant.understanding.options import Option

QUEUES = (Option("A", "a stack"), Option("B", "a queue"), Option("C", "a priority queue"))
NUMBERS = (Option("A", "10"), Option("B", "100"), Option("C", "5 km"))
CHINESE = (Option("A", "栈"), Option("B", "队列"), Option("C", "优先队列"))

NOTHING: set[str] = set()


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("The correct answer is B because it is first in, first out.", {"B"}, NOTHING),
        ("The correct answer is (B) a queue.", {"B"}, NOTHING),
        ("The answer is: **B**.", {"B"}, NOTHING),
        ("The answer is indeed C.", {"C"}, NOTHING),
        ('The answer is "B. a queue" as it keeps the order.', {"B"}, NOTHING),
        ("The right option is a priority queue, as it orders by key.", {"C"}, NOTHING),
        ("Option A is correct. Option C is incorrect.", {"A"}, {"C"}),
        ("A queue is the correct answer here.", {"B"}, NOTHING),
        ("Both A and B are correct.", {"B"}, NOTHING),
        ("C is not correct, since it sorts.", NOTHING, {"C"}),
        ("Option B isn't the right one.", NOTHING, {"B"}),
        ("The correct answer is not B.", NOTHING, NOTHING),
        ("The correct answer is A list of two things.", NOTHING, NOTHING),
        ("A is correct if the list is empty.", NOTHING, NOTHING),
        ("A stack removes what was added last.", NOTHING, NOTHING),
        ("It is correct to say that stacks grow.", NOTHING, NOTHING),
    ],
)
def test_english_claims_are_read(text: str, right: set[str], wrong: set[str]) -> None:
    found = read_claims(text, QUEUES)
    assert (set(found.right), set(found.wrong)) == (right, wrong)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("正确答案是B，因为先进先出。", {"B"}, set()),
        ("所以选C。", {"C"}, set()),
        ("选项A错误，栈是后进先出。", set(), {"A"}),
        ("B正确。", {"B"}, set()),
        ("答案为队列。", {"B"}, set()),
        ("选项C不正确。", set(), {"C"}),
        ("栈后进先出。", set(), set()),
    ],
)
def test_chinese_claims_are_read(text: str, right: set[str], wrong: set[str]) -> None:
    found = read_claims(text, CHINESE)
    assert (set(found.right), set(found.wrong)) == (right, wrong)


def test_of_two_options_that_begin_alike_the_longer_one_is_meant() -> None:
    assert read_claims("The correct answer is 100.", NUMBERS).right == {"B"}
    assert read_claims("The correct answer is 10.", NUMBERS).right == {"A"}


def test_where_the_wrong_one_is_asked_for_incorrect_is_no_verdict() -> None:
    stem = "Which of these statements is incorrect?"
    assert contradiction("Option B is incorrect, so it is the answer.", QUEUES, chosen="B", stem=stem) is None
    assert contradiction("The answer is C.", QUEUES, chosen="B", stem=stem) == "it calls C right, and the answer is B"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A queue keeps the order of arrival.", None),
        ("The correct answer is B.", None),
        ("Option A is wrong because it reverses the order.", None),
        ("The correct answer is A.", "it calls A right, and the answer is B"),
        ("Option B is incorrect.", "it calls B wrong, which is the answer"),
    ],
)
def test_a_text_that_speaks_against_the_answer_is_found(text: str, reason: str | None) -> None:
    assert contradiction(text, QUEUES, chosen="B") == reason


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("B", "B"),
        ("b.", "B"),
        ("(b) a queue", "B"),
        ("A queue.", "B"),
        ("Option C", "C"),
        ("答案：A", "A"),
        ("B. a stack", None),
        ("a heap", None),
        ("Because it is last in, first out.", None),
    ],
)
def test_the_option_that_a_stored_answer_is(answer: str, label: str | None) -> None:
    found = option_of(answer, QUEUES)
    assert (found.label if found else None) == label
