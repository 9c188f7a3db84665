"""What counts as a mention of a term."""

import pytest

from knowledge_graph.matching import TermMatcher

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
