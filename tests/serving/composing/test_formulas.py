"""Formulas of the subjects are applied to the numbers of a question, where the material speaks of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.composing.formulas import apply_formula


@pytest.mark.parametrize(
    ("question", "material", "shown"),
    [
        ("If precision is 0.5 and recall is 0.4, what is the F1 score?", "precision", "≈ 0.4444"),
        ("compute the f1 score for P=0.8 R=0.6", "precision", "≈ 0.6857"),
        ("precision with 8 TP 2 FP", "precision", "0.8"),
        ("with 80 true positives and 20 false positives what's the precision", "precision", "0.8"),
        ("recall for TP = 30, FN = 10?", "recall", "0.75"),
        ("alpha is 0.1 and the gradient is 20, how much does theta change?", "gradient descent", "-2"),
        ("what is sigmoid(0)?", "the sigmoid", "0.5"),
        ("50 entries and 20 buckets, what's the load factor?", "load factor", "2.5"),
        ("哈希表长度为13，有10个元素，装填因子是多少？", "装填因子", "≈ 0.7692"),
        ("key 27 in a hash table of size 10 with mod, which slot?", "hash table", "7"),
        ("how many steps does binary search take for 1000000 elements?", "binary search", "20"),
        ("weighted quick union of 16 objects, whats the max depth?", "weighted", "4"),
        ("selection sort of 10 items: how many comparisons?", "selection sort", "45"),
        ("how many edges has a tree with 7 nodes", "tree", "6"),
        ("高度为5的满二叉树一共几个结点", "二叉树", "31"),
        ("8位二进制能表示多少个数？", "二进制", "256"),
        ("10个点两两都连上一共几条边？", "图", "45"),
        ("height of a complete binary tree with 1000 nodes?", "A tree with only one node has height zero.", "9"),
        ("a heap has 100 nodes, what is its height", "A tree with only one node has height zero.", "6"),
        ("1000个结点的完全二叉树有多高？", "我们这门课统一从一开始数", "10"),
        (
            "where does the vector (4,3) end up if i turn everything 90 degrees counterclockwise",
            "a rotation",
            "(-3, 4)",
        ),
        ("if theta0 = 1 and theta1 = 2, what does h predict for x = 3", "linear regression", "7"),
        ("theta is 2, alpha is 0.1, the gradient is 5. theta after one step?", "gradient descent", "1.5"),
        ("how many parameters has a net with 3 inputs, 5 hidden units and 1 output", "a neural network", "26"),
        ("1% of patients have cancer and i always predict no. accuracy?", "skewed classes", "0.99"),
        ("it takes 2 seconds for 1000 items and is O(n^2), how long for 2000?", "big O", "8"),
        ("merge sort of 8 elements: how many levels?", "merge sort", "4"),
        ("the determinant is 3, what becomes of an area of 2?", "the determinant", "6"),
        ("how many nodes has a perfect binary tree of height 4", "One node has height zero.", "31"),
        ("how many edges has an undirected graph with 6 vertices at most", "a graph", "15"),
        ("layer 1 has 2 inputs, layer 2 has 4 units. how big is Theta1 then?", "a neural network", "12"),  # 4 × 3
    ],
)
def test_the_numbers_of_a_question_are_put_in(question: str, material: str, shown: str) -> None:
    worked = apply_formula(question, material)
    assert worked is not None
    assert worked[1] == shown


@pytest.mark.parametrize(
    ("root", "children", "parent"),
    [(0, "15", "(7 − 1) / 2⌋ = 3"), (1, "2 · 7 = 14", "⌊7 / 2⌋ = 3")],
)
def test_neighbours_in_a_heap_depend_on_where_its_root_stands(root: int, children: str, parent: str) -> None:
    worked = apply_formula(f"heap in an array, root at index {root}: children and parent of node 7?", "a heap")
    assert worked is not None
    assert children in worked[0]
    assert parent in worked[0]


@pytest.mark.parametrize(
    ("question", "material"),
    [
        ("If precision is 0.5 and recall is 0.4, what is the F1 score?", "nothing of it"),
        ("If precision is 1.5 and recall is 0.4, what is the F1 score?", "precision"),
        ("What is the F1 score?", "precision"),
        ("What is the load factor with 20 buckets?", "load factor"),
        ("50 entries and 0 buckets, what's the load factor?", "load factor"),
        ("In a heap, where is the parent of node 11?", "a heap"),
        ("高度5的AVL树最少几个结点？", "AVL树"),
    ],
)
def test_a_formula_is_not_applied_without_its_numbers_or_without_the_material(question: str, material: str) -> None:
    assert apply_formula(question, material) is None


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    everything = "gradient descent precision recall sigmoid neural network load factor hash heap binary tree search bit"
    found = apply_formula(f"how many {text}", everything)
    assert found is None or len(found) == 2


@pytest.mark.parametrize(
    ("material", "children"),
    [
        ("The heap: root at index zero, children at two i plus one and two i plus two.", "2 · 7 + 1 = 15"),
        ("In the heap the children of k are at 2k and 2k + 1.", "2 · 7 = 14"),
        ("堆是完全二叉树，第i个结点的左孩子就是2i，右孩子就是2i加1。", "2 · 7 = 14"),
    ],
)
def test_where_a_heap_begins_is_taken_from_the_material(material: str, children: str) -> None:
    worked = apply_formula("children of index 7 in a heap", material)
    assert worked is not None
    assert children in worked[0]


def test_where_a_heap_begins_is_not_guessed() -> None:
    assert apply_formula("children of index 7 in a heap", "a heap is a complete tree") is None


def test_one_number_does_not_stand_for_two_things() -> None:
    assert apply_formula("f1 score where precision 0.8 recall", "precision") is None
