"""Marks in a stream: what is one, what is code or data, and that pieces make no difference."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serving.assistant.references import CitationFilter, find_cited_evidence, verify_references, without_citations
from serving.index.evidence import Evidence


def evidence(number: int) -> Evidence:
    return Evidence(number, f"e{number}", "concept", "ds", f"title {number}", "text")


KNOWN = (1, 2)
EVIDENCE = [evidence(number) for number in KNOWN]


def shown(*pieces: str) -> str:
    marks = CitationFilter(KNOWN)
    return "".join(marks.feed(piece) for piece in pieces) + marks.flush()


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("A stack [1].", "A stack [1]."),
        ("A stack [7].", "A stack ."),
        ("[1][2][7]", "[1][2]"),
        ("Both [1, 2].", "Both [1][2]."),
        ("Both [1,7].", "Both [1]."),
        ("Both [1; 2] [1、2] [1 2]", "Both [1][2] [1][2] [1][2]"),
        ("All [1-3] and [1–2]", "All [1][2] and [1][2]"),
        ("栈是线性表【1】。", "栈是线性表[1]。"),
        ("栈是线性表［２］。", "栈是线性表[2]。"),
        ("栈【9】队列【1，2】【7，8】", "栈队列[1][2]"),
        ("A stack 【1†source】.", "A stack [1]."),
        ("See [1](https://example.org/made-up) and [7](x).", "See [1] and ."),
        ("[1](x)(y) and [7](x)(y)", "[1] and "),
        ("[1] (as said)", "[1] (as said)"),
        ("[[7]9] and [1[7]]", "[[]9] and [1[7]]"),
    ],
)
def test_marks_of_this_turn_are_written_one_by_one_and_others_dropped(written: str, becomes: str) -> None:
    assert shown(written) == becomes


@pytest.mark.parametrize(
    "written",
    [
        "a[0] is the first",
        "Sort [5, 3, 8] and [7, 8].",
        "[12 3]",
        "[0, 1, 2]",
        "(1) first (2) second",
        "[x] [1, x] [] [ ] [1",
        "`a[7]` and ``b[8]`` and `[1, 2]`",
        "```python\na[7] = [1, 2]\n```\n",
        "```\nb[9]",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]",
    ],
)
def test_code_data_and_text_stay_as_they_are(written: str) -> None:
    assert shown(written) == written
    assert verify_references(written, EVIDENCE).cited == ()


@pytest.mark.parametrize(
    "written",
    [
        "arr[5] holds it",
        "arr[5].",
        "f(x)[7], a[0][9] and a[7][1] = 3",
        "a[1].next, x[1]+y[2] and g[1](2)",
        "m[1, 2] and m[7, 8].",
        "a[1][7] is no citation.",
    ],
)
def test_an_index_after_a_word_or_a_bracket_is_text(written: str) -> None:
    assert shown(written) == shown(*written) == written


@pytest.mark.parametrize(
    ("written", "cited"),
    [
        ("It is a stack[1].", (1,)),
        ("A stack[1] is", (1,)),
        ("a stack[2]", (2,)),
        ("a stack[1][2].", (1, 2)),
        ("(a stack)[1], a **queue[2]**", (1, 2)),
        ("它是Stack[1]。而Queue[2]是", (1, 2)),
        ("arr[5] holds it [1].", (1,)),
        ("arr[1](x), arr[1].next, arr[1]+arr[2]*x", ()),
        ("arr[7][8].", ()),
    ],
)
def test_a_known_mark_right_after_a_word_cites_where_a_sentence_goes_on_or_ends(
    written: str, cited: tuple[int, ...]
) -> None:
    assert shown(written) == written
    assert verify_references(written, EVIDENCE).cited == cited
    assert verify_references(written, EVIDENCE).holds


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("- [1] A stack.\n- [2] A queue.", "- A stack.\n- A queue."),
        ("A stack [1] is", "A stack is"),
        ("A stack [1].", "A stack."),
        ("A stack. [1]", "A stack."),
        ("A stack [1][2], a queue [1, 2]", "A stack, a queue [1, 2]"),
        ("栈是线性表【1】。", "栈是线性表。"),
        ("See [1] `x[1]` and arr[5].", "See `x[1]` and arr[5]."),
        ("[[7]9]", "[[]9]"),
        ("a ` b `[1]``` c", "a ` b `[]``` c"),
        ("```\na[1]\n```\n[2]", "```\na[1]\n```\n"),
        ("", ""),
    ],
)
def test_a_text_without_its_citations_has_no_holes_where_they_stood(text: str, becomes: str) -> None:
    assert without_citations(text) == becomes


def test_a_backtick_that_never_closes_hides_no_mark() -> None:
    assert shown("a ` b [7]") == "a ` b "
    assert shown("a ` b [7]\n` [8]") == "a ` b \n` "
    assert shown("text ``` [7]") == "text ``` "


def test_what_is_certain_is_shown_at_once() -> None:
    marks = CitationFilter(KNOWN)
    fed = [marks.feed(piece) for piece in ("A stack", " [", "1", "]", ".", " `a", "[7]", "`", " b")]
    assert fed == ["A stack", " ", "", "", "[1].", " ", "", "", "`a[7]` b"]


def test_code_blocks_are_not_held_back() -> None:
    marks = CitationFilter(KNOWN)
    assert marks.feed("```\nfor a[7]\n") == "```\nfor a[7]\n"


PARTS = [
    "[",
    "]",
    "1",
    "2",
    "7",
    "12",
    ",",
    " ",
    "-",
    "`",
    "``",
    "```",
    "\n",
    "a",
    ".",
    "(",
    ")",
    "【",
    "】",
    "［",
    "］",
    "†",
    "、",
    "栈",
]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=40).map("".join)


@given(text=TEXTS, cuts=st.lists(st.integers(0, 60), max_size=12))
def test_pieces_make_no_difference(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert shown(*pieces) == shown(text)


@given(text=TEXTS)
def test_letter_by_letter_makes_no_difference(text: str) -> None:
    assert shown(*text) == shown(text)


@settings(max_examples=500)
@given(text=TEXTS)
def test_what_was_filtered_has_no_mark_that_cannot_be_resolved(text: str) -> None:
    found = verify_references(shown(text), EVIDENCE)
    assert found.holds
    assert [one.number for one in find_cited_evidence(shown(text), EVIDENCE)] == list(found.cited)


@given(text=TEXTS)
def test_without_citations_nothing_is_cited(text: str) -> None:
    assert verify_references(without_citations(text), ()).unresolvable == ()


def test_cited_evidence_is_in_order_of_first_use() -> None:
    assert [one.number for one in find_cited_evidence("x [2] y [1] z [2] [9]", EVIDENCE)] == [2, 1]
    assert [one.number for one in find_cited_evidence("[1, 2] and `[1]`", EVIDENCE)] == [1, 2]


def test_evidence_without_a_mark_is_not_cited() -> None:
    assert find_cited_evidence("x [4]", [evidence(4)]) == ()


def test_verifying_names_what_cannot_be_resolved() -> None:
    found = verify_references("x [2] y [9] z [1] [9]", EVIDENCE)
    assert (found.cited, found.unresolvable, found.holds) == ((2, 1), (9,), False)
