"""The search over settings, and questions without their context; trainings themselves are in test_intent_model.py."""

from dataclasses import asdict

import pytest

from models.intent.labels.examples import IntentExample
from models.intent.settings import IntentSettings
from models.intent.training.search import variations, without_context


def test_a_search_of_one_tries_the_settings_as_they_are() -> None:
    assert variations(IntentSettings(), 1) == (("as set", IntentSettings()),)


def test_each_variation_changes_one_thing() -> None:
    given = asdict(IntentSettings())
    for _, settings in variations(IntentSettings(), 6)[1:]:
        assert len([name for name, value in asdict(settings).items() if value != given[name]]) == 1


@pytest.mark.parametrize("size", [0, 7])
def test_a_search_of_another_size_says_what_there_is(size: int) -> None:
    with pytest.raises(ValueError, match=r"1 to 6 settings \(as set; half the learning rate.*not"):
        variations(IntentSettings(), size)


def test_without_context_only_the_question_and_its_label_remain() -> None:
    asked = IntentExample("1", "and why?", "what is a heap?", "Data Structures", "s", "complex", "en", "test")
    (found,) = without_context([asked])
    assert (found.question, found.previous, found.course) == ("and why?", "", "")
    assert (found.category, found.split) == ("complex", "test")
