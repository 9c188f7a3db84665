"""English names that one sentence introduces, with the real tagger."""

import pytest

from knowledge_graph.concepts.introductions import find_introductions
from knowledge_graph.concepts.tagging import tag
from knowledge_graph.text.sentences import LectureSpan


def introduced(*texts: str) -> list[str]:
    return list(find_introductions(tag(LectureSpan("v", "", 0, "en", 0, 1, text) for text in texts)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A warranty is a term which matters less.", "warranty"),
        ("So the gap between the two is called the margin of safety.", "margin of safety"),
        ("Lawyers call this the mirror rule.", "mirror rule"),
        ("We call it promissory estoppel, and it is a shield.", "promissory estoppel"),
        ("That's confounding: a third thing goes with both.", "confounding"),
        ("Void means that there never was a sale at all.", "Void"),
        ("Anticipatory breach is when one side says early that it will not pay.", "Anticipatory breach"),
        ("The small oval bodies are known as mitochondria, and they burn sugar.", "mitochondria"),
    ],
)
def test_a_sentence_that_names_or_defines_something_introduces_it(text: str, name: str) -> None:
    assert introduced(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "This is a course which starts on Monday.",
        "There is a reason that nobody knows.",
        "What we have is a heap that is full.",
        "That means that the list is empty.",
        "Two and one means that the list is full.",
        "It was called again and again.",
        "A judge called Thornbury decided it.",
        "The first thing is called the first thing.",
        "He was called from his plough.",
        "The axis is called x.",
    ],
)
def test_a_sentence_that_points_counts_or_tells_of_people_introduces_nothing(text: str) -> None:
    assert introduced(text) == []
