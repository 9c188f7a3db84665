"""A plain name stands for the concept that the lectures say is just that."""

from types import SimpleNamespace

import pytest
from asked_rows import asking
from course_rows import concept
from spoken_rows import one_lecture

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.compared_sides import is_named
from serving.assistant.composing.comparison import _says_each_in_a_row
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.terms import QuestionUnit, terms_of
from serving.assistant.composing.told_names import _with_told_name

GRAPH = ConceptGraph.from_rows(
    [concept("zh:顺序表", "顺序表", None), concept("en:sequential list", "sequential list", None)], [], []
)


def plain(name: str) -> QuestionUnit:
    return QuestionUnit(name, (terms_of(name),), 1.0)


@pytest.mark.parametrize(
    ("said", "name", "told", "is_told"),
    [
        (("顺序表是挨着放的线性表。", "说白了，就是数组。"), "数组", "我们看顺序表。", True),
        (("顺序表，也叫数组。",), "数组", "我们看顺序表。", True),
        (("顺序表比数组长。",), "数组", "我们看顺序表。", False),
        (("A sequential list keeps its items side by side.", "That is really just an array."), "array", None, True),
        (("A sequential list is an array of items.",), "array", None, False),
    ],
)
def test_what_a_lecture_says_is_just_a_thing_is_named_by_it(
    said: tuple[str, ...], name: str, told: str | None, *, is_told: bool
) -> None:
    lang = "zh" if told else "en"
    side = (plain(name),)
    material = SimpleNamespace(lectures=CourseLectures((one_lecture(*said),)))
    request = asking(f"{name}?", *side, lang=lang, graph=GRAPH, material=material, kind="comparison")
    unit = _with_told_name(side[0], request, (side,))
    assert is_named((unit,), told or "We look at the sequential list.") is is_told


@pytest.mark.parametrize(
    ("one", "other", "text", "is_in_a_row"),
    [
        ("stack", "queue", "A stack is last in, first out. Think of plates. A queue is first in, first out.", True),
        ("stack", "queue", "A stack uses one end, whereas a queue uses both.", True),
        (
            "stack",
            "queue",
            "A stack is last in, first out. We saw in the lecture of last week that with a queue.",
            False,
        ),
        ("链表", "队列", "链表是一环扣一环的。队列是先进先出的。", True),
        ("链表", "队列", "链表等于一根链子，队列等于两个口。", True),
        ("链表", "队列", "链表是一环扣一环的。它有两种操作，后来我们还会在另外一讲里讲到队列。", False),
    ],
)
def test_what_says_in_a_row_what_each_is_compares_them(one: str, other: str, text: str, *, is_in_a_row: bool) -> None:
    sides = ((plain(one),), (plain(other),))
    assert _says_each_in_a_row(ComposedStatement(text), sides) is is_in_a_row
