"""A name that a course gives and no dictionary has is one thing, and no part of it is what is asked about."""

from types import SimpleNamespace

import pytest
from asked_rows import asking
from spoken_rows import one_lecture

from knowledge_graph.graph.records import Mention
from serving.assistant.composing.called_names import find_called_names, set_apart_called
from serving.assistant.composing.comparison import _is_one_only_named
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.terms import unit_of, units_of

SAID = (
    "他有个概念叫最近浮力区：自己能做到的，和别人帮着能做到的。",
    "左边有个达布林区，坏了就说不出来。",
    "负推力，拿走挡板。",
    "结果是漂流曲线：先快后慢。",
    "换句话说，很简单。",
    "这叫什么，你们想一想。",
    "举个例子，有个问题，先别急。",
)


def mention(question: str, surface: str) -> Mention:
    start = question.index(surface)
    return Mention(f"zh:{surface}", surface, surface, start, start + len(surface))


@pytest.mark.parametrize(
    ("question", "concepts", "names", "left"),
    [
        ("什么是最近浮力区", ["浮力"], ["最近浮力区"], []),
        ("负推力和推力有什么不同", ["推力"], ["负推力"], ["推力"]),
        ("达布林区和别的区坏了会怎样", [], ["达布林区"], []),
        ("漂流曲线是谁发现的", ["漂流"], ["漂流曲线"], []),
        ("换句话说，最近浮力区呢", [], ["最近浮力区"], []),
        ("举个例子，这叫什么，有问题先别急", [], [], []),
        ("负推力曲线是什么", ["推力曲线"], [], ["推力曲线"]),
        ("推力是什么", ["推力"], [], ["推力"]),
    ],
)
def test_a_name_that_the_course_gives_is_one_and_holds_no_concept(
    question: str, concepts: list[str], names: list[str], left: list[str]
) -> None:
    mentions = [mention(question, one) for one in concepts]
    if question.count("推力") > 1:  # the second names the concept alone
        mentions.append(Mention("zh:推力", "推力", "推力", question.rindex("推力"), question.rindex("推力") + 2))
    spans, kept = set_apart_called(question, mentions, find_called_names(SAID))
    assert [question[start:end] for start, end in spans] == names
    assert [one.surface for one in kept] == left


def test_titles_that_end_alike_are_kinds_of_one_thing() -> None:
    question = "学社会心理学之前要看什么"
    titles = ("心理学是什么", "发展心理学", "社会心理学", "中央处理器")
    spans, kept = set_apart_called(question, [mention(question, "心理学")], find_called_names((), titles))
    assert ([question[start:end] for start, end in spans], kept) == (["社会心理学"], [])
    question = "中央处理器怎么工作"
    mentions = [mention(question, "处理器")]
    assert set_apart_called(question, mentions, find_called_names((), titles)) == ((), mentions)


def test_a_called_name_is_one_unit_whatever_words_it_is_made_of() -> None:
    lectures = CourseLectures((one_lecture(*SAID),))
    question = "什么是最近浮力区"
    spans, mentions = set_apart_called(question, [mention(question, "浮力")], lectures.called_names)
    units = units_of(question, mentions, lambda key: pytest.fail(key), lambda _: 1.0, called=spans)
    assert [one.label for one in units] == ["最近浮力区"]


def test_a_name_that_the_course_gives_is_no_stranger_to_it() -> None:
    lectures = CourseLectures((one_lecture(*SAID),))
    request = asking("", material=SimpleNamespace(lectures=lectures))
    named, strange = (unit_of(one, lambda _: 1.0) for one in ("负推力", "显卡"))
    assert not _is_one_only_named(request, [(named,)])
    assert _is_one_only_named(request, [(strange,)])
