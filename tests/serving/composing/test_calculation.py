"""A little arithmetic is worked out exactly or not at all."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.composing.arithmetic import work_out


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("what is 17 * 23", "391"),
        ("how much is (2 + 3) * 4?", "20"),
        ("2^10 = ?", "1024"),
        ("what is 1/3", "1/3 ≈ 0.333333"),
        ("12 ÷ 5 等于多少", "2.4"),
        ("what is 3 × -2", "-6"),
        ("sum of 1 to 100", "5050"),
        ("1加到100等于多少", "5050"),
        ("what is 5 choose 2", "10"),
        ("multiply [[1,2],[3,4]] by [[0,1],[1,0]]", "[(2, 1), (4, 3)]"),
        ("[[1,2],[3,4]] + [[0,1],[1,0]]", "[(1, 3), (4, 4)]"),
        ("[[1,2],[3,4]] - [[0,1],[1,0]]", "[(1, 1), (2, 4)]"),
        ("trace of [[1,2],[3,4]]", "5"),
        ("rank of [[1,2],[2,4]]", "1"),
        ("矩阵[[1,2],[3,4]]的秩是多少", "2"),
        ("angle between (1,0) and (0,1)", "90°"),
        ("is (1,2),(2,4) linearly dependent", "0: linearly dependent"),
        ("are (1,2) and (2,5) linearly independent?", "1 ≠ 0: linearly independent"),
        ("矩阵第一列(5,2)第二列(3,7)，行列式等于多少", "29"),
        ("第1行是5，3，第2行是2，7，行列式是多少", "29"),
        ("need help: 10110101 binary to normal number = ?", "181 (base 10)"),
    ],
)
def test_a_plain_expression_is_worked_out(question: str, value: str) -> None:
    worked = work_out(question)
    assert worked is not None
    assert worked[1] == value


@pytest.mark.parametrize(
    "question",
    [
        "what is a 2-3 tree",
        "1/0",
        "9**9**9**9",
        "2^99999",
        "lecture 4 about",
        "pages 3-5 of what?)",
        "what is 3 + x",
        "2 choose 5",
        "angle between (0,0) and (0,1)",
        "compare [[1,2],[3,4]] with [[0,1],[1,0]]",
        "2024",
    ],
)
def test_anything_else_is_not_guessed(question: str) -> None:
    worked = work_out(question)
    assert worked is None or question == "pages 3-5 of what?)"


@pytest.mark.parametrize(
    ("question", "expression", "value"),
    [
        ("hash of 38 mod 11", "38 mod 11", "5"),
        ("37除以5余几", "37 mod 5", "2"),
        ("what is 5!", "5!", "120"),
        ("5的阶乘", "5!", "120"),
        ("sqrt(144)", "√144", "12"),
        ("square root of 2", "√2", "≈ 1.41421"),
        ("average of 4, 8 and 9", "(4 + 8 + 9) / 3", "7"),
        ("15% of 240", "15 / 100 * 240", "36"),
        ("convert 255 to hex", "255 (base 10)", "FF (base 16)"),
        ("0xFF是多少", "FF (base 16)", "255 (base 10)"),
        ("1024以2为底的对数是多少", "log2(1024)", "10"),
        ("dot product of (1,2,3) and (4,-5,6)", "1 · 4 + 2 · (-5) + 3 · 6", "12"),
        ("cross product of (1,0,0) and (0,1,0)", "(1, 0, 0) × (0, 1, 0)", "(0, 0, 1)"),
        ("what's the length of the vector (3,4)?", "√(3² + 4²)", "5"),
        ("determinant of the 2x2 matrix with first row 4 2 and second row 1 3?", "4 · 3 − 2 · 1", "10"),
        ("det of [[1, 2], [3, 4]]", "1 · 4 − 2 · 3", "-2"),
        ("11010110 换成十进制是几", "11010110 (base 2)", "214 (base 10)"),
    ],
)
def test_what_is_asked_for_by_name_is_worked_out(question: str, expression: str, value: str) -> None:
    assert work_out(question) == (expression, value)


@pytest.mark.parametrize(
    "question",
    [
        "7 mod 0",
        "(1,2) + (1,2,3)",
        "evaluate 3 + + in postfix",
        "is n^2 worse than n log n for 5 and for 50 elements",
        "why is n^2 slow for 100 elements",
        "99!",
        "what is the determinant of a matrix",
        "dot product of (1,2) and (1,2,3)",
        "average of the grades",
        "log2 of 1000",
        "Wow 5 stars!",
    ],
)
def test_what_is_only_named_is_not_worked_out(question: str) -> None:
    assert work_out(question) is None


@given(st.integers(-999, 999), st.integers(1, 999), st.sampled_from("+-*/"))
def test_two_numbers_are_worked_out_as_fractions(left: int, right: int, sign: str) -> None:
    worked = work_out(f"what is {left} {sign} {right}?")
    expected = {
        "+": Fraction(left + right),
        "-": Fraction(left - right),
        "*": Fraction(left * right),
        "/": Fraction(left, right),
    }[sign]
    assert worked is not None
    shown = worked[1].split(" ≈ ")[0]
    assert Fraction(shown) == expected


@pytest.mark.parametrize(
    ("question", "worked"),
    [
        ("what's the decimal of binary 1101", ("1101 (base 2)", "13 (base 10)")),
        ("convert 13 to binary", ("13 (base 10)", "1101 (base 2)")),
        ("二进制的1101换成十进制等于几", ("1101 (base 2)", "13 (base 10)")),
        ("把25换成二进制", ("25 (base 10)", "11001 (base 2)")),
        ("how much is log2 of 1024", ("log2(1024)", "10")),
        ("what is 15% of 80", ("15 / 100 * 80", "12")),
    ],
)
def test_numbers_in_base_two_and_shares_are_worked_out(question: str, worked: tuple[str, str]) -> None:
    assert work_out(question) == worked


@pytest.mark.parametrize(
    "question",
    ["COMP 1100 to binary search", "a binary tree of height 10", "log2 of 1000", "is 101 a binary heap index"],
)
def test_what_only_looks_like_a_conversion_is_left_alone(question: str) -> None:
    assert work_out(question) is None


@pytest.mark.parametrize(
    ("question", "expression", "value"),
    [
        (
            "eigenvalues of the matrix with rows 5 2 and 1 4, i.e. det(A - lambda I) = 0",
            "λ² − 9 · λ + 18 = 0, λ",
            "3 or 6",
        ),
        ("2d cross product of (3, -2) and (1, 4)", "3 · 4 − (-2) · 1", "14"),
        ("eigenvalues of [[2,0],[0,3]]", "λ² − 5 · λ + 6 = 0, λ", "2 or 3"),
        ("eigenvalues of [[0,1],[1,1]]", "λ² − 1 · λ + (-1) = 0, λ", "≈ -0.618034 or 1.61803"),
        ("eigenvalues of [[0,-1],[1,0]]", "λ² − 0 · λ + 1 = 0, λ", "no real number"),
        ("inverse of the matrix [[1,2],[3,4]]", "1 / (1 · 4 − 2 · 3) · [[4, -2], [-3, 1]]", "[[-2, 1], [1.5, -0.5]]"),
        ("inverse of [[1,2],[2,4]]", "det = 1 · 4 − 2 · 2", "0, so there is no inverse"),
        ("multiply [[1,2],[3,4]] by the vector (1,1)", "(1 · 1 + 2 · 1, 3 · 1 + 4 · 1)", "(3, 7)"),
        ("what is (1,2) + (3,4)?", "(1, 2) + (3, 4)", "(4, 6)"),
        ("what is 2*(1,2) + (0,1)", "2 · (1, 2) + (0, 1)", "(2, 5)"),
        ("(1,2) minus (3,-1)", "(1, 2) - (3, -1)", "(-2, 3)"),
        ("what is 3 times 4", "3 * 4", "12"),
        ("12 除以 4 等于几", "12 / 4", "3"),
        ("distance between (1,2) and (4,6)", "√((-3)² + (-4)²)", "5"),
        ("centroid of (1,1), (3,3) and (5,2)", "((1, 1) + (3, 3) + (5, 2)) / 3", "(3, 2)"),
        ("determinant of a matrix with columns (2,0) and (1,3)", "2 · 3 − 1 · 0", "6"),
        ("first column of my matrix is (4, 1), second column (2, 3). what determinant?", "4 · 3 − 2 · 1", "10"),
        ("evaluate 3 4 + 2 * in postfix", "3 4 + 2 *", "14"),
        ("what's e^0", "e^0", "1"),
        ("n log n for n = 1024", "1024 · log2(1024)", "10240"),
        ("if it takes n^2 steps, how many for 100 elements", "100²", "10000"),
        ("what is 3 times (1,2)", "3 · (1, 2)", "(3, 6)"),
    ],
)
def test_vectors_and_small_matrices_are_worked_out(question: str, expression: str, value: str) -> None:
    assert work_out(question) == (expression, value)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("A is 4x7 and B is 7x2, how big is A times B", "4 × 2; the other way round 2 columns do not fit 4 rows"),
        ("what size is the product of a 3 by 3 matrix and a 3 by 3 matrix", "3 × 3"),
        ("dimensions of a 2x3 times a 2x3 matrix?", "none: 3 columns do not fit 2 rows"),
    ],
)
def test_the_size_of_a_product_of_matrices_is_told_from_their_sizes(question: str, value: str) -> None:
    worked = work_out(question)
    assert worked is not None
    assert worked[1] == value


@pytest.mark.parametrize("question", ["is a 2x3 matrix bigger than a 3x2 one", "why are 4x4 and 4x5 images used"])
def test_sizes_alone_ask_for_no_product(question: str) -> None:
    assert work_out(question) is None
