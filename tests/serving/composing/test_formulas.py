"""Formulas of the subjects are applied to the numbers of a question, where the material speaks of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.composing.calculation import FORMULAS
from serving.assistant.composing.formulas.formula import apply_formula, in_figures


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
        ("i帽变到(1,-2)，j帽变到(3,0)，那(2,1)会跑到哪里", "i帽变换到坐标", "(5, -4)"),
        ("i帽落在(2,0)，j帽落在(1,3)，面积变成几倍", "行列式", "6"),
        ("50 entries and 20 buckets, what's the load factor?", "load factor", "2.5"),
        ("哈希表长度为13，有10个元素，装填因子是多少？", "装填因子", "≈ 0.7692"),
        ("哈希表长度11，除以11取余，冲突就线性探测。按顺序放25、36、14，最后14落在几号位置？", "线性探测", "5"),
        ("program is cubic and takes 6 seconds at N = 2000. how long for N = 16000?", "cubic", "3072 seconds"),
        ("linear probing table of size 20 w/ 15 keys in it, how many probes on average?", "linear probing", "8.5"),
        ("linear probing, load factor 0.5: expected probes for a miss?", "linear probing", "2.5"),
        (
            "svd gives me S with 50, 30, 12, 8 on the diagonal. how much variance do i keep with k = 3",
            "99% of the variance is retained",
            "0.92 (92 %)",
        ),
        (
            "S has 5, 3, 1.5, 0.5 on the diagonal. whats the smallest k that still keeps 90% of the variance",
            "99% of the variance is retained",
            "0.95 (95 %)",
        ),
        (
            "logistic regression, theta = [-3, 1, 1], x1=1.5, x2=2. what probability for y=1",
            "the logistic function",
            "≈ 0.6225",
        ),
        (
            "J(theta)=theta^3, theta=2, epsilon=0.1. numerical gradient with the two sided formula",
            "epsilon is small",
            "12.01",
        ),
        (
            "array begins at address 2000, each element is 8 bytes. address of index 37?",
            "the address of an array",
            "2296",
        ),
        ("无向图五个顶点的度分别是3、3、2、2、4，那它一共几条边呀", "顶点的度加起来等于边数的两倍", "7"),
        ("先序是ABDECF，中序是DBEAFC，求后序序列", "后序遍历", "DEBFCA"),
        ("preorder ABC, inorder CBA: postorder?", "postorder", "CBA"),
        ("只靠两两比较给5个数排序，最坏情况下至少得比几次？", "n的阶乘", "7"),
        ("key 27 in a hash table of size 10 with mod, which slot?", "hash table", "7"),
        ("how many steps does binary search take for 1000000 elements?", "binary search", "20"),
        ("weighted quick union of 16 objects, whats the max depth?", "weighted", "4"),
        ("selection sort of 10 items: how many comparisons?", "selection sort", "45"),
        (
            "how many exchanges does selection sort do for 50 elements",
            "about N^2 / 2 compares and exactly N exchanges",
            "",
        ),
        ("how many swaps does selection sort do for 50 items", "selection sort does n minus one swaps", "49"),
        ("how many compares does insertion sort make on average for 100 items", "N squared over 4 versus N", "2500"),
        ("if N is 1000, about how many compares does mergesort need", "at most N lg N compares", "≈ 9966"),
        ("if quicksort takes 1 second for a million items how long for 10 million", "about 1.39 n log n", "≈ 11.67"),
        ("how many union operations until a million sites are connected", "a union", "999999"),
        ("how many probes does binary search need for 4 billion entries", "binary search", "32"),
        ("how many bits do i need to number 200 things", "8 bits", "8"),
        ("需要多少个比特才能区分200种状态", "比特", "8"),
        ("8位二进制能表示256个不同的值，那9位能表示多少个？", "二进制中，一个 1 或 0 叫一位", "512"),
        ("4 bits are 16 values, so how many values are 9 bits?", "bits", "512"),
        ("whats lg of 1024", "a logarithm", "10"),
        ("k=10 classes one vs all, how many classifiers do i train", "one-vs-all", ""),
        ("100x100 pixel images gray, how many features", "pixels", "10000"),
        ("32 by 32 pixels in color, how many inputs", "pixels", "3072"),
        ("what is h(x) if theta transpose x is 0", "the logistic function", "0.5"),
        ("learning rate 0.01, gradient 3, theta 1, whats the new theta", "gradient descent", "0.97"),
        ("log base 2 of 1000?", "log N", "≈ 9.966"),
        (
            "how high is a heap with a million items",
            "The height of a tree is the biggest integer less than log N.",
            "19",
        ),
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
        (
            "i have 90 right out of 120, whats my accuracy",
            "accuracy",
            "0.75 (75 %)",
        ),
        (
            "I misclassified 12 out of 300 examples, what is the error rate",
            "misclassification",
            "0.04 (4 %)",
        ),
        (
            "i got 12 of 300 wrong, what accuracy is that",
            "accuracy",
            "0.96 (96 %)",
        ),
        (
            "30 true positives, 10 false positives and 20 false negatives: precision and recall?",
            "precision",
            "0.6",
        ),
        (
            "TP 50, FP 10, FN 5, TN 935: accuracy?",
            "accuracy",
            "0.985",
        ),
        (
            "compute f1 from 20 true positives, 5 false positives and 10 false negatives",
            "f1 score",
            "≈ 0.7273",
        ),
        (
            "my classifier said positive 40 times and 30 of these were really positive, precision?",
            "precision",
            "0.75",
        ),
        (
            "Theta is 4, the learning rate is 0.1 and the derivative at that point is 3. theta after one step?",
            "gradient descent",
            "3.7",
        ),
        (
            "points (1,2), (2,3), (3,5) and my hypothesis is h(x)=2x. the cost J?",
            "cost function",
            "≈ 0.3333",
        ),
        (
            "for the 3 points (1,1),(2,2),(3,3) with theta0=0: what is J if theta1 = 0?",
            "cost function",
            "≈ 2.333",
        ),
        (
            "what is the logistic regression cost when h(x) = 0.9 and y = 1",
            "logistic regression",
            "≈ 0.1054",
        ),
        (
            "sizes run from 800 to 2800 with a mean of 1800. The mean normalized value of a house of 2200?",
            "normalization",
            "0.2",
        ),
        (
            "gaussian with mu = 5 and sigma = 2, what is p(x) at x = 7",
            "gaussian",
            "≈ 0.121",
        ),
        (
            "5000 training examples and minibatch size 10 how many update steps is one pass",
            "mini-batch",
            "500",
        ),
        (
            "point (2,3), centroids (1,1) and (4,5): which cluster is it assigned to",
            "centroid",
            "(1, 1)",
        ),
        (
            "i-hat lands on (1, -2) and j-hat lands on (3, 0). Where does the vector (2, 3) land?",
            "a basis",
            "(11, -4)",
        ),
        (
            "basis vectors (2,1) and (-1,1): how would Jennifer describe our vector (5,1) in her coordinates",
            "basis",
            "(2, -1)",
        ),
        (
            "solve 3x + 2y = 12, x + 2y = 8 with cramers rule",
            "linear systems of equations",
            "(2, 3)",
        ),
        (
            "how many nodes can a binary tree of height four have at most",
            "One node has height zero.",
            "31",
        ),
        (
            "高度为5的二叉树最多有几个结点？",
            "二叉树",
            "31",
        ),
        (
            "An array begins at address 2000, each element takes 4 bytes. The address of index 12?",
            "the address of an array element",
            "2048",
        ),
        (
            "insertion sort on 100 numbers in reverse order, about how many comparisons is that",
            "Insertion sort needs n squared over two",
            "5000",
        ),
        (
            "T(n) = 2T(n/2) + n with n = 1024. how many levels does the recursion tree have?",
            "a recursion tree",
            "11",
        ),
        (
            "graph with 50 vertices as adjacency matrix, how many entries is that",
            "an adjacency matrix",
            "2500",
        ),
        (
            "表长是23，用除留余数法，关键字200放在几号位置？",
            "哈希",
            "16",
        ),
        (
            "6个盘子的汉诺塔最少要移动多少次",
            "汉诺塔",
            "63",
        ),
        (
            "一个无向图有14条边，所有顶点的度加起来等于几？",
            "等于边数的两倍",
            "28",
        ),
        (
            "60000个有序的数做二分查找，最多大概比较几次？",
            "二分查找",
            "16",
        ),
        (
            "if an O(n^2) algorithm gets twice as much input how much longer does it take",
            "big O",
            "4 times",
        ),
        (
            "circular queue of size 8, front is 6, rear is 2. how many elements",
            "a circular queue",
            "4",
        ),
        (
            "how many comparisons does binary search need for a million items at most",
            "binary search",
            "20",
        ),
        ("layer 1 has 2 inputs, layer 2 has 4 units. how big is Theta1 then?", "a neural network", "12"),  # 4 × 3
    ],
)
def test_the_numbers_of_a_question_are_put_in(question: str, material: str, shown: str) -> None:
    worked = apply_formula(question, material, FORMULAS)
    assert worked is not None
    assert worked[1][1] == shown


@pytest.mark.parametrize(
    ("root", "children", "parent"),
    [(0, "15", "(7 − 1) / 2⌋ = 3"), (1, "2 · 7 = 14", "⌊7 / 2⌋ = 3")],
)
def test_neighbours_in_a_heap_depend_on_where_its_root_stands(root: int, children: str, parent: str) -> None:
    worked = apply_formula(
        f"heap in an array, root at index {root}: children and parent of node 7?", "a heap", FORMULAS
    )
    assert worked is not None
    assert children in worked[1][0]
    assert parent in worked[1][0]


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
    assert apply_formula(question, material, FORMULAS) is None


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    everything = "gradient descent precision recall sigmoid neural network load factor hash heap binary tree search bit"
    found = apply_formula(f"how many {text}", everything, FORMULAS)
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
    worked = apply_formula("children of index 7 in a heap", material, FORMULAS)
    assert worked is not None
    assert children in worked[1][0]


def test_where_a_heap_begins_is_not_guessed() -> None:
    assert apply_formula("children of index 7 in a heap", "a heap is a complete tree", FORMULAS) is None


def test_the_usual_split_is_that_of_the_material() -> None:
    question, said = (
        "i have 5000 examples, how many go to training, cv and test with the usual split",
        "60% … 20% … 20%",
    )
    worked = apply_formula(question, said, FORMULAS)
    assert worked is not None
    assert worked[1][0] == "60 % = 3000, 20 % = 1000, 20 % = 1000 of 5000"
    assert apply_formula(question, "a test set", FORMULAS) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("a tree of height four", "a tree of height 4"),
        ("a million of 5,000 rows", "1000000 of 5000 rows"),
        ("10k items, two kinds", "10000 items, two kinds"),
        ("三百万个数和(1,200)", "3000000个数和(1,200)"),
        ("a heap of 2^10 - 1 items, 10**6 keys and 10⁶", "a heap of 1023 items, 1000000 keys and 1000000"),
        ("x^2 at 3, and 10^400", "x^2 at 3, and 10^400"),
    ],
)
def test_large_numbers_are_put_in_figures(question: str, said: str) -> None:
    assert in_figures(question) == said


@pytest.mark.parametrize("size", ["10^400", "10^-3", "2^(5)", "1e6", "2^3^2", "10¹⁰⁰"])
def test_an_exponent_is_no_number_of_its_own(size: str) -> None:
    question = "the height of a binary heap with {} elements"
    assert apply_formula(question.format("10^6"), "a binary heap", FORMULAS) == apply_formula(
        question.format("1000000"), "a binary heap", FORMULAS
    )
    assert apply_formula(question.format(size), "a binary heap", FORMULAS) is None


def test_one_number_does_not_stand_for_two_things() -> None:
    assert apply_formula("f1 score where precision 0.8 recall", "precision", FORMULAS) is None
