"""What "how fast", "how long" and "how thick" ask for, and the amounts that tell it."""

import pytest

from serving.assistant.composing.course_kinds import kind_of
from serving.assistant.understanding.aspects import Aspect, find_aspects


def _find_only(question: str) -> Aspect:
    (aspect,) = find_aspects(question)
    return aspect


@pytest.mark.parametrize(
    ("question", "name", "sentence"),
    [
        (
            "How fast does sound travel in air?",
            "the speed",
            "Sound goes about three hundred and forty metres per second.",
        ),
        ("how fast does yeast divide", "the speed", "Yeast does so every ninety minutes."),
        ("How long did the siege last?", "the duration", "The siege went on for a hundred and sixteen days."),
        ("how long does it take", "the duration", "It is done in half an hour."),
        ("how long do cats sleep", "the duration", "They are asleep for seventy percent of the day."),
        ("写报告要花多少时间", "时长", "大家80％时间都在改图。"),
        ("How efficient is a steam engine?", "the efficiency", "Of the heat about eight percent becomes work."),
        (
            "What is the efficiency of a solar cell?",
            "the efficiency",
            "A good one turns 22% of the light into current.",
        ),
        ("How many steps are in the tax procedure?", "the number of steps", "It has four formal steps."),
        ("How thick is the crust?", "the size", "The crust is only five to seventy kilometres thick."),
        ("How heavy is a neutron star?", "the size", "A spoon of it weighs a billion tonnes."),
        ("光有多快", "速度", "光每秒走三十万公里。"),
        ("地壳有多厚？", "大小", "地壳厚约三十公里。"),
    ],
)
def test_what_is_asked_of_a_thing_is_told_by_an_amount_with_a_unit(question: str, name: str, sentence: str) -> None:
    aspect = _find_only(question)
    assert name in (aspect.en, aspect.zh)
    assert aspect.said.search(sentence) is not None


@pytest.mark.parametrize(
    "question", ["How fast does sound travel?", "How long did it last?", "How thick is the crust?"]
)
def test_a_sentence_without_an_amount_tells_no_measure(question: str) -> None:
    assert (
        _find_only(question).said.search("A second reason is that three kings ruled, and two of them fought.") is None
    )


@pytest.mark.parametrize(
    "question", ["How fast is merge sort, in big O?", "how long is the running time of it", "complexity of a search"]
)
def test_a_complexity_is_called_so_where_it_is_asked_for_by_its_name(question: str) -> None:
    assert [one.en for one in find_aspects(question)] == ["complexity"]


def test_how_fast_an_algorithm_is_may_still_be_told_by_its_growth() -> None:
    assert _find_only("how fast is insertion sort").said.search("Its cost is quadratic in the length of the list.")


def test_what_is_asked_how_long_is_no_part_of_the_wording() -> None:
    question = "how long does the water cycle take"
    assert _find_only(question).asked.sub("", question) == " does the water cycle take"


def test_how_big_a_thing_is_asks_for_an_amount_and_how_big_it_should_be_for_a_choice() -> None:
    assert kind_of("how big is a grain of sand")[0] == "aspect"
    assert find_aspects("how big should the brush be") == ()
