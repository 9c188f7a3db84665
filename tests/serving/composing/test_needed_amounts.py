"""How much of something is needed: an amount in speech is of the topic that was last opened."""

from types import SimpleNamespace

import pytest
from asked_rows import asking
from spoken_rows import one_lecture

from serving.assistant.composing import needed_amounts
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.lectures import CourseLectures
from serving.assistant.composing.needed_amounts import compose_needed_amount
from serving.assistant.composing.terms import QuestionUnit, terms_of
from serving.assistant.composing.topics import is_heading_of_something

SAID = (
    "Metals are in every food.",
    "We call those large of which you need more than fifty milligrams: copper, tin, silver and gold.",
    "Copper.",
    "There is copper in nuts.",
    "It is in the liver.",
    "It is in the blood.",
    "It is in bone.",
    "Adults need about ninety milligrams a day.",
    "A glass of wine has three.",
    "Tin.",
    "Cans are made of tin.",
    "Tin also heals horses, seven grams for a week.",
    "Lead is another matter.",
)


def unit(label: str, concept_id: str | None = None) -> QuestionUnit:
    return QuestionUnit(label, (terms_of(label),), 1.0, concept_id)


def ask(question: str, *units: QuestionUnit, said: tuple[str, ...] = SAID, **more: object) -> Composed | None:
    lectures = CourseLectures((one_lecture(*said),))
    material = SimpleNamespace(lectures=lectures)
    spoken = {"spoken": "en", "lang": "en", "kind": "other", "course_id": "ml", "material": material}
    return compose_needed_amount(asking(question, *units, **(spoken | more)))


def test_an_amount_without_its_subject_is_of_the_topic_last_opened() -> None:
    found = ask("how much copper do we need", unit("copper"))
    assert found is not None
    assert found.note == ""
    assert found.statements[0].text.startswith(
        "Copper. … **Adults need about ninety milligrams a day.** A glass of wine"
    )


def test_what_is_said_of_another_topic_is_left_out_behind_it() -> None:
    found = ask("how much copper should adults eat", unit("copper"), unit("adults"))
    assert found is not None
    assert "Tin" not in found.statements[0].text


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("how much tin do adults need", "tin"),
        ("recommended daily intake of silver", "silver"),
        ("how much lead should I eat per day", "lead"),
    ],
)
def test_an_amount_of_another_thing_or_for_something_else_is_none(
    monkeypatch: pytest.MonkeyPatch, question: str, thing: str
) -> None:
    said = Composed("other", "partial", (ComposedStatement("Adults need ninety."), ComposedStatement(f"Of {thing}.")))
    monkeypatch.setattr(needed_amounts, "compose_explanation", lambda _: said)
    monkeypatch.setattr(needed_amounts, "replace", _replace)
    found = ask(question, unit(thing), *(unit(one) for one in ("adults",) if one in question))
    assert found is not None
    assert found.note == (
        f"The material speaks of {thing}, but I did not find the amount that is needed in it. What it does say:"
    )
    assert [one.text for one in found.statements] == [f"Of {thing}."]


def _replace(record: object, **changes: object) -> object:
    return type(record)(**(vars(record) | changes))


def test_what_opens_far_before_an_amount_is_not_its_topic_but_for_a_heading() -> None:
    filling = tuple(f"That is fact {number} of many." for number in range(20))
    told = "Adults need about ninety milligrams."
    under_heading = ask(
        "how much copper do we need", unit("copper"), said=("Copper.", "We eat copper.", *filling, told)
    )
    assert under_heading is not None
    assert told in under_heading.statements[0].text
    begun = ("Copper is in nuts.", *filling, told)
    assert ask("how much copper do we need", unit("copper"), unit("x", "en:x"), said=begun) is None


def test_an_amount_of_both_is_of_what_was_named_right_before() -> None:
    said = ("Copper is in nuts.", "So are tin and gold.", "You need ninety grams of both.")
    assert ask("how much copper do we need", unit("copper"), unit("x", "en:x"), said=said) is None


def test_an_amount_is_found_in_chinese() -> None:
    said = ("铜。", "铜在坚果里。", "成人每天需要90毫克。", "锡。", "锡用来做罐头。")
    found = ask("我们每天需要多少铜", unit("铜"), said=said, lang="zh", spoken="zh")
    assert found is not None
    assert "**成人每天需要90毫克。**" in found.statements[0].text


@pytest.mark.parametrize("question", ["how much copper is in nuts", "how much homework do we need to hand in"])
def test_any_other_question_is_not_for_what_is_needed(question: str) -> None:
    assert ask(question, unit("copper"), unit("nuts")) is None


def test_what_no_lecture_names_is_left_to_what_is_written() -> None:
    assert ask("how much gravel does a path need", unit("gravel")) is None


@pytest.mark.parametrize(
    ("text", "is_heading"),
    [("Copper.", True), ("The copper.", True), ("Meh.", False), ("More.", False), ("Copper is red.", False)],
)
def test_a_heading_said_aloud_names_what_is_spoken_of_around_it(text: str, *, is_heading: bool) -> None:
    assert is_heading_of_something(text, terms_of("There is copper in nuts.")) is is_heading
