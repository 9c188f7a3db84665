"""The product's own words: what they name can be read off them again."""

import pytest

from serving.assistant.composing.wording import find_name_in, wording


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_thing_that_a_note_was_written_of_is_found_in_it(lang):
    template = wording(lang).hardly_named
    assert find_name_in(template.format(name="red-black tree"), template) == "red-black tree"


@pytest.mark.parametrize("text", ["", "The lectures hardly speak", wording("en").nothing])
def test_a_text_of_another_template_names_nothing(text):
    assert find_name_in(text, wording("en").hardly_named) == ""
