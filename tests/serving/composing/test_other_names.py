"""Another name that a question gives a thing is no second thing that has to be met."""

import pytest

from serving.assistant.composing.other_names import join_other_names
from serving.assistant.composing.terms import NEVER, QuestionUnit, coverage, terms_of, unit_of

UNKNOWN = "kommutative"


def units(*labels: str) -> list[QuestionUnit]:
    return [unit_of(label, lambda term: 9.0 if term in (NEVER, UNKNOWN) else 2.0) for label in labels]


@pytest.mark.parametrize(
    ("question", "labels", "text"),
    [
        ("what is a wide tree (deep tree)", ("wide tree", "deep tree"), "A deep tree has many levels."),
        ("what is a random forest (RF)?", ("random forest", "rf"), "An RF votes."),
        ("is the product kommutative, i.e. does order matter?", (UNKNOWN, "order"), "The order is all the same."),
        ("is a stack (also called a pile) fast", ("stack", "pile"), "A pile is fast."),
        ("哈希表，也叫散列表，是什么", ("哈希表", "散列表"), "散列表按关键字存放。"),
    ],
)
def test_either_name_covers_a_thing(question: str, labels: tuple[str, str], text: str) -> None:
    (joined,) = join_other_names(units(*labels), question)
    assert joined.label == labels[0]
    assert joined.is_known
    assert coverage([joined], terms_of(text)) == 1.0


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("what is recall (machine learning)", ("recall", "machine learning")),
        ("what is a heap (in memory)", ("heap", "memory")),
        ("what is a stack and a queue", ("stack", "queue")),
    ],
)
def test_what_brackets_say_more_closely_stays_a_thing_of_its_own(question: str, labels: tuple[str, str]) -> None:
    assert join_other_names(units(*labels), question) == tuple(units(*labels))
