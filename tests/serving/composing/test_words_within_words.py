"""Chinese cues that stood within another word or name, and names of capitals that were translated."""

import pytest
from spoken_rows import one_lecture

from serving.assistant.composing.logistics import is_about_the_course
from serving.assistant.composing.people import _DATED, is_answered_at, maker_at
from serving.assistant.composing.terms import strike_words_of_questions, unit_of
from serving.assistant.understanding.aspects import find_aspects
from serving.assistant.understanding.question_kind import question_kind
from serving.assistant.understanding.translation import english_names_in, is_of_capitals, translate


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("四个阶段分别由谁来保证", "other"),
        ("蒸汽机由谁发明", "people"),
        ("我明明浇了水，叶子还是很黄，根好像也烂了，为什么", "why"),
        ("用陶盆还是木盆好", "comparison"),
    ],
)
def test_a_cue_is_a_word_of_its_own(question: str, kind: str) -> None:
    assert question_kind(question) == kind


@pytest.mark.parametrize(
    ("question", "is_so"), [("组提交是什么", False), ("两阶段提交怎么做", False), ("作业提交到哪里", True)]
)
def test_what_is_committed_is_nothing_handed_in(question: str, *, is_so: bool) -> None:
    assert is_about_the_course(question) is is_so


def test_what_is_the_problem_with_a_thing_asks_for_its_drawbacks() -> None:
    assert [one.key for one in find_aspects("陶盆有什么问题")] == ["drawback"]


def test_of_which_year_only_the_year_is_asked() -> None:
    assert strike_words_of_questions("蒸汽机是哪一年做的").strip() == "蒸汽机"


def test_a_lecturers_own_question_for_the_maker_is_answered_by_what_follows() -> None:
    said = one_lecture("蒸汽机是谁提出来的？", "是托马斯·纽科门，一个英国人。").sentences
    thing = [unit_of("蒸汽机", lambda _: 1.0)]
    assert is_answered_at(said, 0, thing)
    assert not is_answered_at(said, 1, thing)
    assert maker_at(said, 0) is None
    spoken = one_lecture("Who came up with the steam pump?", "It was Thomas Newcomen.").sentences
    assert is_answered_at(spoken, 0, [unit_of("steam pump", lambda _: 1.0)])


@pytest.mark.parametrize(
    "said", ["Rudolf和McCreight，1972年在西雅图搞出来的。", "用的是ARIES，是IBM的Mohan他们1992年发表的。"]
)
def test_a_maker_in_a_chinese_lecture_may_have_a_latin_name(said: str) -> None:
    assert maker_at(one_lecture(said).sentences, 0, said_so=_DATED) == 0


def test_a_name_of_capitals_that_the_course_says_stays_as_it_is() -> None:
    assert is_of_capitals("2PL")
    assert not is_of_capitals("Heap")
    assert translate("what does EXPLAIN do", "zh", says=lambda name: name == "explain") == "EXPLAIN"
    assert translate("what does EXPLAIN do", "zh") == "解释"


def test_a_word_of_a_latin_name_is_not_translated() -> None:
    text = "SQL Server默认用什么"
    assert "Server" not in [text[start:end] for start, end, _ in english_names_in(text)]
    assert [text[start:end] for text in ("server挂了怎么办",) for start, end, _ in english_names_in(text)] == ["server"]
