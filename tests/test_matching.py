"""What counts as a mention of a term."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_graph.text.matching import TermMatcher
from knowledge_graph.text.sentences import normal_form, plural

TERMS = [
    ("en:tree", "tree"),
    ("en:binary search tree", "binary search tree"),
    ("en:binary search tree", "BST"),
    ("en:k means", "K-means"),
    ("en:query", "query"),
    ("en:information technology", "IT"),
    ("zh:树", "树"),
    ("zh:二叉树", "二叉树"),
]


def found(text: str) -> list[tuple[str, str]]:
    return [(match.keys[0], text[match.start : match.end]) for match in TermMatcher(TERMS).find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a street is no tree", [("en:tree", "tree")]),
        ("Trees, TREES!", [("en:tree", "Trees"), ("en:tree", "TREES")]),
        ("two binary search trees", [("en:binary search tree", "binary search trees")]),
        ("a binary-search tree", [("en:binary search tree", "binary-search tree")]),
        ("k means and K-Means", [("en:k means", "k means"), ("en:k means", "K-Means")]),
        ("range queries", [("en:query", "queries")]),
        ("BSTs", [("en:binary search tree", "BSTs")]),
        ("the tree's root", [("en:tree", "tree")]),
        ("二叉树是树", [("zh:二叉树", "二叉树"), ("zh:树", "树")]),
        ("什么是树？", [("zh:树", "树")]),
        ("树立信心", []),
        ("用BST查找", [("en:binary search tree", "BST")]),
        ("😀 tree 😀", [("en:tree", "tree")]),
        ("İİ tree", [("en:tree", "tree")]),
        ("treesé treeé étree", []),
        ("buses tree_s", [("en:tree", "tree")]),
        ("", []),
    ],
)
def test_mentions_are_whole_words_longest_first(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_an_acronym_that_spells_a_small_word_is_matched_in_capitals_only() -> None:
    assert found("is it in IT") == [("en:information technology", "IT")]


def test_a_name_of_two_terms_belongs_to_both() -> None:
    matcher = TermMatcher([("en:svm", "SVM"), ("zh:svm", "SVM")])
    assert matcher.find("svm")[0].keys == ("en:svm", "zh:svm")


def test_a_matcher_without_terms_finds_nothing() -> None:
    assert TermMatcher([]).find("anything") == []


@pytest.mark.parametrize("name", ["BST", "bsts", "Binary  search-TREES"])
def test_the_owners_of_a_name_are_found_by_any_spelling(name: str) -> None:
    assert TermMatcher(TERMS).owners(name) == ("en:binary search tree",)


def test_a_small_word_is_not_the_acronym_that_spells_it() -> None:
    assert TermMatcher(TERMS).owners("it") == ()
    assert TermMatcher(TERMS).owners("IT") == ("en:information technology",)


@pytest.mark.parametrize("name", ["c++", ".net", "(.*)+", "a\\b", "[x]", "$", "<b>", "🎄", "o(n²)", "?"])
def test_signs_in_a_name_stand_for_themselves(name: str) -> None:
    text = f"is {name} (or not)?"
    assert [text[match.start : match.end] for match in TermMatcher([("key", name)]).find(text)][:1] == [name]


def reference(terms: list[str], text: str) -> set[tuple[int, int]]:
    """Every mention of English terms without regard to overlap, each term searched for by itself."""
    found = set()
    for term in terms:
        single = normal_form(term, "en")
        *before, last = single.split(" ")
        for form in {term, single, " ".join([*before, plural(last)])}:
            ending = "(?:e?s)?" if len(form) >= 3 else ""
            for match in re.finditer(rf"(?=(?<![a-z])({re.escape(form)}{ending})(?![a-z]))", text):
                found.add(match.span(1))
    return found


def longest_first(spans: set[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
        if all(end <= other or start >= stop for other, stop in kept):
            kept.append((start, end))
    return sorted(kept)


WORDS = st.sampled_from(["tree", "trees", "bus", "buses", "query", "queries", "search", "is", "x", "aes"])
PHRASE = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)


@given(st.lists(PHRASE, min_size=1, max_size=6), st.lists(WORDS, max_size=12).map(" ".join))
def test_matching_equals_searching_for_each_term_by_itself(terms: list[str], text: str) -> None:
    matcher = TermMatcher((term, term) for term in terms)
    assert [(match.start, match.end) for match in matcher.find(text)] == longest_first(reference(terms, text))


def test_a_text_of_fifty_thousand_characters_is_no_obstacle() -> None:
    matcher = TermMatcher(TERMS)
    assert len(matcher.find("tree" * 12_500)) == 0
    assert len(matcher.find("二叉树" * 16_000)) == 16_000


def test_two_words_written_as_one_are_the_same_term() -> None:
    matcher = TermMatcher([("bp", "back propagation"), ("ds", "data sets"), ("ab", "an arm")])
    text = "Backpropagation over datasets and anarm"
    assert [(match.keys, text[match.start : match.end]) for match in matcher.find(text)] == [
        (("bp",), "Backpropagation"),
        (("ds",), "datasets"),
    ]
