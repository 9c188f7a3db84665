"""Texts and items compared by wording alone, and by vectors that a stand-in gives."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from graded_home import BRACKETS, QUEUE, QUEUE_ZH, item

from knowledge_graph.lake.records import Lang
from serving.assistant.graded_work.recognition import (
    ALIKE,
    MOST_EMBEDDED,
    MOST_PIECES,
    WORK,
    Encode,
    ItemMatch,
    KnownItem,
    Vectors,
    best_match,
    fingerprints,
    marks_of,
    measure_shared_numbers,
    pieces_of,
)


def known(*texts: str, encode: Encode | None = None) -> list[KnownItem]:
    items = [item(text, number=number) for number, text in enumerate(texts, 1)]
    return [KnownItem(one, mark) for one, mark in zip(items, fingerprints(texts, encode), strict=True)]


def found(text: str, items: list[KnownItem], encode: Encode | None = None) -> ItemMatch:
    match = best_match(marks_of(text, items, encode), items)
    assert match is not None
    return match


@pytest.mark.parametrize("text", [QUEUE, BRACKETS, QUEUE_ZH])
def test_a_pasted_item_is_recognised_whatever_stands_around_it(text: str) -> None:
    around = "I have been ill all week. The lecture on trees was good. {} My laptop is broken, too. Thank you! " * 2
    for said in (text, text.upper(), f"Question 2: {text} (10 points)", around.format(text, text)):
        match = found(said, known(QUEUE, BRACKETS, QUEUE_ZH))
        assert match.is_item
        assert (match.known.item.text, match.by) == (text, "wording")


@pytest.mark.parametrize("mark", ["\u200b", "\u00ad", "\u2060"])
def test_characters_that_nobody_sees_hide_no_item(mark: str) -> None:
    assert found(mark.join(QUEUE), known(QUEUE)).is_item
    assert found(QUEUE, known(mark.join(QUEUE))).is_item


@pytest.mark.parametrize(
    "text",
    [
        "What is a queue?",
        "stack",
        "How do I implement it?",
        "栈和队列有什么区别？",
        "When is the quiz due?",
        "two",
        "",
        "?",
    ],
)
def test_ordinary_questions_are_no_items(text: str) -> None:
    assert not found(text, known(QUEUE, BRACKETS, QUEUE_ZH)).is_item


def test_a_part_of_an_item_is_recognised_by_its_wording() -> None:
    assert found("prove that each operation takes amortized O(1) time", known(QUEUE)).is_item


def test_a_few_words_of_a_long_item_in_their_order_are_no_part_of_it() -> None:
    analyse = (
        "Analyse the running time of merge sort when the recursion stops at subarrays of length k and these are sorted "
        "by insertion sort, and say for which k the total is still the same."
    )
    assert not found("What is the running time of merge sort?", known(analyse)).is_item
    assert found(analyse[:100], known(analyse)).is_item


def test_a_long_text_is_compared_in_so_many_pieces_the_whole_among_them() -> None:
    text = "This is sentence number {} of a long page. "
    page = "".join(text.format(number) for number in range(100))
    pieces = pieces_of(page)
    assert len(pieces) == MOST_PIECES
    assert pieces[0].count("sentence number") == 100
    sent: list[str] = []

    def encode(texts: Sequence[str], lang: Lang) -> Vectors:
        sent.extend(texts)
        return encoding(0.0)(texts, lang)

    assert len(marks_of(f"{page} {QUEUE[:50]}", known(QUEUE, encode=encoding(0.0)), encode)) == MOST_PIECES
    assert len(sent) == MOST_EMBEDDED


def encoding(near: float, *, across: float = 0.0) -> Callable[[Sequence[str], Lang], Vectors]:
    """Every text but the items lies this near to them, in its own language and across."""

    def encode(texts: Sequence[str], lang: Lang) -> Vectors:
        cosine = across if lang == "zh" else near
        rows = [(1.0, 0.0) if one in (QUEUE, BRACKETS) else (cosine, (1 - cosine**2) ** 0.5) for one in texts]
        return np.array(rows, dtype=np.float32)

    return encode


@pytest.mark.parametrize(("nearer", "is_item"), [(0.01, True), (-0.01, False)])
def test_meaning_is_enough_from_a_threshold_on(nearer: float, is_item: bool) -> None:
    encode = encoding(ALIKE["en"] + nearer)
    match = found("something else entirely", known(QUEUE, encode=encode), encode)
    assert (match.is_item, match.by) == (is_item, "meaning")


@pytest.mark.parametrize(
    ("text", "is_item"),
    [
        ("show me code for something else", True),
        ("give me a proof of something else", True),
        ("why is something else so fast", False),
    ],
)
def test_less_is_enough_for_a_text_that_asks_for_work(text: str, is_item: bool) -> None:
    encode = encoding(ALIKE["en"] - WORK + 0.01)
    assert found(text, known(QUEUE, encode=encode), encode).is_item == is_item


@pytest.mark.parametrize(("across", "is_item"), [(0.55, True), (0.4, False)])
def test_a_text_in_the_other_language_is_compared_across_both(across: float, is_item: bool) -> None:
    encode = encoding(0.0, across=across)
    assert found("用一对栈做一个先进先出的结构", known(QUEUE, encode=encode), encode).is_item == is_item


def test_without_an_embedder_another_wording_passes() -> None:
    assert not found("build a FIFO structure out of a pair of LIFO ones", known(QUEUE)).is_item


def test_nothing_is_compared_with_no_items() -> None:
    assert best_match(fingerprints(pieces_of(QUEUE), None), []) is None


EXERCISE = "Insert the keys 5, 28, 19, 15, 20 and 33 into a hash table with 9 slots, with h(k) = k mod 9. Draw it."


@pytest.mark.parametrize(
    ("text", "is_item"),
    [
        ("hash k mod 9, 9 buckets, what comes out for 5 28 19 15 20 33 and then 9", True),
        ("哈希表有 9 个槽，h(k)=k mod 9，依次放入 5、28、19、15、20、33，结果是什么", True),
        ("what happens with 5, 28 and 19 in a table of 9", False),
        ("the midterm is on 5, 28, 19 or 15? rooms 101, 102, 103, 104 and 105", False),
        ("why does a hash table with chaining never fill up", False),
    ],
)
def test_an_exercise_is_known_by_its_figures_in_whatever_words(text: str, is_item: bool) -> None:
    assert found(text, known(EXERCISE)).is_item == is_item


def test_a_number_counts_as_often_as_it_stands() -> None:
    mark, item_mark = fingerprints(["1 1 1 1", "1, 2, 3 and 4"], None)
    assert measure_shared_numbers(mark, item_mark) == 0.0
    assert measure_shared_numbers(*fingerprints(["2 2 3 5", "2, 2, 3, 5, 7"], None)) == 0.8
