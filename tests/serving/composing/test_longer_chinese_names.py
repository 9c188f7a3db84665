"""A word before a Chinese name makes another thing of it, and what is denied is named whole."""

import pytest

from knowledge_graph.graph.records import Mention
from serving.assistant.composing.found_units import units_to_define
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.terms import QuestionUnit, phrases, terms_of, units_of, with_adjoining
from serving.assistant.composing.whole_names import whole_name


def mention(question: str, surface: str) -> Mention:
    start = question.index(surface)
    return Mention(f"zh:{surface}", surface, surface, start, start + len(surface))


@pytest.mark.parametrize(
    ("question", "concept", "name"),
    [
        ("什么是有效需求", "需求", "有效需求"),
        ("完全垄断是什么意思", "垄断", "完全垄断"),
        ("什么是间接故意", "故意", "间接故意"),
        ("什么是一般故意", "故意", ""),
        ("什么是故意犯罪", "故意", ""),
        ("什么是故意", "故意", ""),
        ("什么是故意的要件", "故意", ""),
    ],
)
def test_a_word_before_a_concept_makes_a_name_of_its_own(question: str, concept: str, name: str) -> None:
    assert whole_name(question, [mention(question, concept)]) == name


@pytest.mark.parametrize(
    ("whole", "texts", "found"),
    [
        ("间接故意", ("故意分为两种。",), [("间接故意", False)]),
        ("间接故意", ("放任结果发生的是间接故意。",), [("间接故意", True)]),
        ("法律故意", ("故意分为两种。",), [("故意", True)]),
    ],
)
def test_what_no_text_says_is_not_known_but_for_a_noun_that_says_where(
    whole: str, texts: tuple[str, ...], found: list[tuple[str, bool]]
) -> None:
    concept = QuestionUnit("故意", (terms_of("故意"),), 1.0, "zh:故意")
    name = QuestionUnit(whole, (terms_of(whole),), 1.0)
    units = units_to_define([concept], name, lambda: texts, CourseLectures(()))
    assert [(one.label, one.is_known) for one in units] == found


@pytest.mark.parametrize(
    ("question", "named"),
    [("IS-LM模型讲过吗", ["IS-LM模型"]), ("索洛模型讲过吗", ["索洛模型"]), ("德布罗意的模型讲过吗", ["模型"])],
)
def test_what_is_denied_is_named_whole(question: str, named: list[str]) -> None:
    units = [QuestionUnit(one, (terms_of(one),), 1.0, is_known=False) for one in ("模型", "索洛", "IS-LM", "德布罗意")]
    asked = [unit for unit in units if unit.label in question]
    assert phrases(with_adjoining(["模型"], asked, question), question) == named


def test_a_name_of_capitals_is_one_thing() -> None:
    units = units_of("什么是IS-LM模型", (), lambda key: pytest.fail(key), lambda _: 1.0)
    assert [one.label for one in units] == ["IS-LM", "模型"]
