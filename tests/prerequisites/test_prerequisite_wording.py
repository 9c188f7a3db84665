"""Sentences that explain a term, and sentences that call something back to mind."""

import pytest

from knowledge_graph.prerequisites.wording import calls_back, explains


@pytest.mark.parametrize(
    "sentence",
    [
        "Recall that a heap is a tree.",
        "As we have already seen, heaps are trees.",
        "As we've seen, heaps are trees.",
        "Last time we talked about heaps.",
        "我们先复习一下堆。",
        "上节课讲了堆。",
    ],
)
def test_sentences_that_call_something_back_to_mind(sentence: str) -> None:
    assert calls_back(sentence)


@pytest.mark.parametrize("sentence", ["A heap is a tree.", "Now we build a heap.", "堆是一种树。"])
def test_other_sentences_do_not(sentence: str) -> None:
    assert not calls_back(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "A [heap] is a tree that keeps order.",
        "The [heap], which is a tree, keeps order.",
        "A [heap] is just the tree you know.",
        "This structure is called a [heap].",
        "What is a [heap]?",
        "[堆]是一种树。",
        "这种树叫做[堆]。",
        "[堆]指的是一种树。",
    ],
)
def test_sentences_that_say_what_a_term_is(sentence: str) -> None:
    assert explains(*marked(sentence))


@pytest.mark.parametrize("sentence", ["The [heap] is empty.", "We call the [heap] twice a second.", "把数放进[堆]里。"])
def test_sentences_that_only_use_the_term(sentence: str) -> None:
    assert not explains(*marked(sentence))


def marked(sentence: str) -> tuple[str, int, int]:
    start, end = sentence.index("["), sentence.index("]") - 1
    return sentence.replace("[", "").replace("]", ""), start, end
