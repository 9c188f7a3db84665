"""Numbers, names, quotes and sentences: what is found in a text, and what of it stands in the evidence."""

from decimal import Decimal

import pytest
from grounding_rows import evidence
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.grounding.facts import missing
from serving.assistant.grounding.material import GroundingMaterial
from serving.assistant.grounding.names import names
from serving.assistant.grounding.numbers import numbers
from serving.assistant.grounding.quotes import quotes, verify_quotes
from serving.assistant.grounding.sentences import split, split_evidence

NUMBERS = [
    ("6,960 people", [(6960, "")]),
    ("sixty of seventy", [(60, ""), (70, "")]),
    ("two hundred and five bytes", [(205, "byte")]),
    ("3.5% and 50 percent", [("3.5", "%"), (50, "%")]),
    ("百分之五十", [(50, "%")]),
    ("the 2nd, second to the third", [(2, ""), (3, "")]),
    ("第二章有三百二十万人", [(2, ""), (3200000, "")]),
    ("3.5亿", [("350000000", "")]),
    ("一九八四年", [(1984, "")]),
    ("5 ms, 5 milliseconds and 5毫秒", [(5, "ms"), (5, "ms"), (5, "ms")]),
    ("the 1980s", [(1980, "")]),
    ("6–4", [(6, ""), (4, "")]),
    ("GPT-3, x86 and UH-1B", []),
    ("1. First, see [2]", []),
    ("一般来说，一个三角形十分重要，万一", []),
    ("one of the first", []),
]


@pytest.mark.parametrize(("text", "found"), NUMBERS)
def test_numbers_are_read_by_value_and_unit(text: str, found: list[tuple[object, str]]) -> None:
    assert [(number.value, number.unit) for number in numbers(text)] == [(Decimal(str(v)), u) for v, u in found]


NAMES = [
    ("It was led by William T. Anderson of the U.S. Army.", ["William T. Anderson of the U.S. Army"]),
    ("However, Marie Curie met him.", ["Marie Curie"]),
    ("Pretoria is large.", []),
    ("I'm sure that I saw it.", []),
    ("Call `push(x)`, pop() or quick_sort with BFS.", ["push(x)", "pop()", "quick_sort", "BFS"]),
    ("艾萨克·牛顿用Python写了它。", ["艾萨克·牛顿", "Python"]),
    ("数据结构是一门课。", []),
]


@pytest.mark.parametrize(("text", "found"), NAMES)
def test_names_are_found_where_a_capital_says_something(text: str, found: list[str]) -> None:
    assert [name.text for name in names(text)] == found


SOURCE = (
    "The “Desert Fox” was born on 15 November 1891. Breadth-first search visits 6,960 nodes. "
    "第二章讲解《算法导论》中的哈希表，占百分之五十。"
)
MISSING = [
    ("Born in 1891, the Fox visited 6960 nodes.", []),
    ("He was born in 1892.", ["1892"]),
    ("He was born in Berlin.", ["Berlin"]),
    ("BFS visits the nodes.", []),
    ("DFS visits the nodes.", ["DFS"]),
    ("It says “desert fox”.", []),
    ("It says “the fox of the desert”.", ["the fox of the desert"]),
    ("Half of it is 50%.", []),
    ("There are 50 of them.", ["50"]),
    ("《算法导论》讲到第2章。", []),
    ("《离散数学》讲到第三章。", ["离散数学", "第三章"]),
    ("Asked was Zanzibar in 2031.", []),
]


@pytest.mark.parametrize(("text", "lost"), MISSING)
def test_facts_in_no_evidence_and_not_in_the_question_are_missing(text: str, lost: list[str]) -> None:
    material = GroundingMaterial.of("Is it Zanzibar in 2031?", evidence(SOURCE))
    found = missing(text, material)
    assert [fact.text for fact in found] == lost
    assert all(text[fact.start : fact.end] == fact.text for fact in found)


QUOTES = [
    ('He said "halve it" and “go on”.', ["halve it", "go on"]),
    ("他说“二分查找”和「哈希」，见《算法》。", ["二分查找", "哈希", "算法"]),
    ("Use `a[0]`, don't use 'it'.", ["a[0]"]),
    ('5" and 6" are lengths', []),
    ("“…”", []),
]


@pytest.mark.parametrize(("text", "found"), QUOTES)
def test_quotes_are_found_by_their_marks(text: str, found: list[str]) -> None:
    assert [quote.text for quote in quotes(text)] == found


VERBATIM = [
    ("“The stack – grows Down.”", True),
    ("“the stack grows”", False),
    ("“tack”", False),
    ("“the stack ... by one”", True),
    ("“by one ... the stack”", False),
    ("「栈 向下 增长」", True),
    ("「栈向上增长」", False),
]


@pytest.mark.parametrize(("text", "found"), VERBATIM)
def test_a_quote_is_verified_word_for_word_after_normalisation(text: str, found: bool) -> None:
    source = evidence("Nothing here.", "The stack - grows\ndown by one. 栈向下增长。")
    assert [(each.is_found, each.evidence_id) for each in verify_quotes(text, source)] == [
        (found, "e2" if found else None)
    ]


WORDS = st.lists(
    st.from_regex(r"[A-Za-z0-9é]{1,8}|[\u4e00-\u9fa5]{1,4}|[,.;!?'-]", fullmatch=True), min_size=1, max_size=30
)


@given(WORDS, st.data())
def test_a_quote_copied_from_evidence_is_always_found(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    copied = " ".join(words[start : data.draw(st.integers(start + 1, len(words)))])
    checked = verify_quotes(f"It says “{copied}”.", evidence(" ".join(words)))
    assert all(each.is_found for each in checked)
    assert bool(checked) == any(char.isalnum() for char in copied)


SENTENCES = [
    ("One. Two! Three", ["One.", "Two!", "Three"]),
    ("William T. Anderson did it, e.g. here. Done.", ["William T. Anderson did it, e.g. here.", "Done."]),
    ("对吗？对。好", ["对吗？", "对。", "好"]),
    ("- a list\n- of 3.5 items", ["- a list", "- of 3.5 items"]),
    ("  \n ", []),
]


@pytest.mark.parametrize(("text", "found"), SENTENCES)
def test_sentences_are_cut_with_their_places(text: str, found: list[str]) -> None:
    pieces = split(text)
    assert [piece.text for piece in pieces] == found
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)


def test_evidence_is_cut_where_a_full_stop_lost_its_space() -> None:
    assert split_evidence("It ended in 1906.The U.S. company began.") == [
        "It ended in 1906.",
        "The U.S. company began.",
    ]


@given(st.text(max_size=200))
def test_no_character_is_lost_between_sentences(text: str) -> None:
    pieces = split(text)
    assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(text.split())
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
