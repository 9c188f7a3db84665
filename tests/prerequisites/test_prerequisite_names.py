"""What two names say about each other."""

import pytest

from knowledge_graph.lake.records import Lang
from knowledge_graph.prerequisites.names import find_containment, kernels_contained, names_of, share_a_word, stem


@pytest.mark.parametrize(
    ("a", "b", "lang", "expected"),
    [
        ("tree", "binary tree", "en", 1),
        ("binary tree", "tree", "en", -1),
        ("binary tree", "binary search tree", "en", 1),
        ("tree", "street", "en", 0),
        ("tree", "tree", "en", 0),
        ("树", "二叉树", "zh", 1),
        ("栈", "二叉树", "zh", 0),
    ],
)
def test_the_name_inside_the_other_comes_first(a: str, b: str, lang: Lang, expected: int) -> None:
    signs = find_containment(names_of([(a, lang), (b, lang)]))
    assert signs[0, 1] == expected == -signs[1, 0]


@pytest.mark.parametrize(
    ("word", "short"),
    [
        ("sorting", "sort"),
        ("sort", "sort"),
        ("selection", "select"),
        ("stopping", "stop"),
        ("normalization", "normal"),
        ("ring", "ring"),
        ("bed", "bed"),
    ],
)
def test_inflections_of_a_word_meet_in_its_stem(word: str, short: str) -> None:
    assert stem(word) == short


def test_a_head_that_many_names_share_says_little() -> None:
    names = names_of([(name, "en") for name in ("sorting problem", "search problem", "flow problem", "merge sort")])
    signs = kernels_contained(names)
    assert signs[0, 3] == 1
    assert signs[1, 3] == 0
    assert not signs[:3, :3].any()


def test_without_many_of_its_kind_a_head_still_counts() -> None:
    names = names_of([("sorting problem", "en"), ("merge sort", "en")])
    assert kernels_contained(names)[0, 1] == 0


def test_a_chinese_head_that_many_names_share_says_little() -> None:
    names = names_of([(name, "zh") for name in ("排序算法", "查找算法", "遍历算法", "快速排序")])
    assert kernels_contained(names)[0, 3] == 1
    assert kernels_contained(names)[1, 3] == 0


def test_names_share_a_word_in_any_inflection() -> None:
    shared = share_a_word(names_of([("sorting problem", "en"), ("merge sort", "en"), ("binary tree", "en")]))
    assert shared[0, 1]
    assert not shared[0, 2]
