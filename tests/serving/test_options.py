"""Options in the shapes people write them in, told from the stem."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.text.invisible import visible
from serving.assistant.understanding.form import question_form

STEM = "Which structure serves whoever came first ( )?"
OPTIONS = ("a stack", "a queue of people", "a tree", "a graph")

SHAPES = {
    "(A)": "(A) (B) (C) (D)",
    "(a)": "(a) (b) (c) (d)",
    "a)": "a) b) c) d)",
    "A.": "A. B. C. D.",
    "A、": "A、 B、 C、 D、",
    "A:": "A: B: C: D:",
    "（A）": "（A） （B） （C） （D）",
    "Ａ．": "Ａ． Ｂ． Ｃ． Ｄ．",
    "[A]": "[A] [B] [C] [D]",
    "**A.**": "**A.** **B.** **C.** **D.**",
    "(1)": "(1) (2) (3) (4)",
    "1.": "1. 2. 3. 4.",
    "1)": "1) 2) 3) 4)",
    "①": "① ② ③ ④",
    "⑴": "⑴ ⑵ ⑶ ⑷",
    "•": "• • • •",
}

WORDS = st.lists(
    st.sampled_from("stack queue tree O(n) x=1; 栈 队列 f(a) 3.5 i(i-1)/2 A2B".split()), min_size=1, max_size=6
)


def rendered(marks: str, options: tuple[str, ...], between: str) -> str:
    return between.join(f"{mark} {option}" for mark, option in zip(marks.split(), options, strict=True))


def assert_taken_from(text: str) -> None:
    """Of a whole question every option says something; options and the lines of the stem stand in what one sees."""
    form, seen = question_form(text), (text, visible(text))
    assert all(any(line in one for one in seen) for line in form.stem.split("\n"))
    assert all(any(option.text in one for one in seen) for option in form.options)
    assert all(option.text or not form.is_whole for option in form.options)


def texts(question: str) -> list[str]:
    return [option.text for option in question_form(question).options]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("between", ["\n", "  ", "; "])
def test_options_are_found_in_every_shape(shape: str, between: str) -> None:
    form = question_form(f"{STEM}\n{rendered(SHAPES[shape], OPTIONS, between)}")
    assert (form.form, form.is_whole, form.stem) == ("mcq", True, STEM)
    assert [option.text for option in form.options] == list(OPTIONS)


def test_labels_are_as_written_and_bullets_are_numbered() -> None:
    assert question_form(f"{STEM} b) x").options == ()
    assert [one.label for one in question_form(f"{STEM} (a) x (b) y (c) z").options] == ["a", "b", "c"]
    assert [one.label for one in question_form(f"{STEM}\n① x\n② y\n③ z").options] == ["①", "②", "③"]
    assert [one.label for one in question_form(f"{STEM}\n- x\n- y\n- z").options] == ["1", "2", "3"]


def test_chinese_options_without_blanks_between_them_are_told_apart() -> None:
    form = question_form("磁盘设备的I/O控制主要采取()方式。A.位B.字节C.帧D.DMA")
    assert form.stem == "磁盘设备的I/O控制主要采取()方式。"
    assert [option.text for option in form.options] == ["位", "字节", "帧", "DMA"]


def test_options_two_to_a_line_are_told_apart() -> None:
    assert texts(f"{STEM}\nA. a stack      B. a queue\nC. a tree       D. a graph") == [
        "a stack",
        "a queue",
        "a tree",
        "a graph",
    ]


def test_what_separates_options_within_a_line_does_not_belong_to_them() -> None:
    assert texts("Which of the following is last in, first out? a) stack, b) queue, or c) tree") == [
        "stack",
        "queue",
        "tree",
    ]


def test_a_heading_before_the_options_and_a_line_after_them_are_not_options() -> None:
    form = question_form("Which is last in, first out?\nOptions:\nA. stack\nB. queue\nC. tree\n\nIt was in the quiz.")
    assert form.stem == "Which is last in, first out?\nIt was in the quiz."
    assert [option.text for option in form.options] == ["stack", "queue", "tree"]


def test_statements_in_the_stem_are_not_the_options() -> None:
    form = question_form("下列说法中正确的是（ ）。① 栈先进先出 ② 队列先进先出 ③ 树有环\nA. ①②\nB. ②\nC. ③")
    assert [option.text for option in form.options] == ["①②", "②", "③"]
    form = question_form("① 栈先进先出 ② 队列先进先出 ③ 树有环，以上说法正确的是（ ）。")
    assert (form.form, form.is_whole) == ("mcq", False)


def test_options_without_marks_are_found_on_lines_of_their_own() -> None:
    assert texts("Which of the following is a queue?\nfirst in, first out\nlast in, first out") == [
        "first in, first out",
        "last in, first out",
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which of the following is last in, first out: a stack, a queue or a tree?", ["a stack", "a queue", "a tree"]),
        ("下列哪个是后进先出的：栈、队列还是树？", ["栈", "队列", "树"]),
        ("Which of these is linear? list / tree / graph", ["list", "tree", "graph"]),
    ],
)
def test_options_without_marks_are_found_within_a_line(question: str, expected: list[str]) -> None:
    assert texts(question) == expected


def test_options_sent_alone_belong_to_the_turn_before() -> None:
    form = question_form("A. a stack\nB. a queue\nC. a tree", previous="Which of the following is first in, first out?")
    assert form.is_whole
    assert form.stem == "Which of the following is first in, first out?"


@given(
    options=st.lists(WORDS.map(" ".join), min_size=3, max_size=4, unique=True),
    shape=st.sampled_from(sorted(SHAPES)),
    stem=st.sampled_from([STEM, "下列哪一项是线性结构？", "Which of the following is right?", "它是（ ）。"]),
)
@settings(deadline=None)
def test_what_is_written_line_by_line_is_read_back(options: list[str], shape: str, stem: str) -> None:
    marks = " ".join(SHAPES[shape].split()[: len(options)])
    form = question_form(f"{stem}\n{rendered(marks, tuple(options), chr(10))}")
    assert (form.form, form.is_whole, form.stem) == ("mcq", True, stem)
    assert [option.text for option in form.options] == options


@given(text=st.text(alphabet=st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp")), max_size=300))
@settings(deadline=None)
def test_of_any_text_options_and_stem_are_taken_from_it(text: str) -> None:
    assert_taken_from(text)


@given(text=st.text(alphabet=st.characters(), max_size=300))
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    form = question_form(text)
    assert form.options == () or (form.form == "mcq" and all(option.text for option in form.options[:-1]))


@given(
    parts=st.lists(st.sampled_from(["A.", "(b)", "①", "\n", " ", "- ", "(", ")", "?", "下列", "哪", "x"]), max_size=80)
)
@settings(deadline=None)
def test_of_any_heap_of_marks_options_and_stem_are_taken_from_it(parts: list[str]) -> None:
    assert_taken_from("".join(parts))


@pytest.mark.parametrize(
    "unit", ["A. ", "A. x B. y C. z ", "(", "① ② ", "下列", "which of the following ", " ", "\n", "- x\n", "haha ", "a"]
)
def test_a_hundred_thousand_characters_are_read_in_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.perf_counter()
    question_form(text)
    assert time.perf_counter() - started < 1.5  # 0.4 s at worst on the machine it was written on


def test_many_short_lists_after_many_cues_are_read_in_time() -> None:
    lists = "".join(f"\n{rendered(marks, OPTIONS, end)}" for marks in SHAPES.values() for end in (" ", "\n"))
    text = "下列" * ((10_000 - len(lists)) // 2) + lists
    started = time.perf_counter()
    question_form(text)
    assert time.perf_counter() - started < 1.5  # 0.3 s at worst on the machine it was written on
