"""What the pages say: everything in both languages, and nothing that is missing passes unseen."""

import string

import pytest

from knowledge_graph.lake.records import LANGS
from serving.pages.words import FOLDER, WordsMissing, find_unsaid, pages_with_words, read_words, words


@pytest.mark.parametrize("page", pages_with_words())
def test_every_word_of_a_page_is_there_in_both_languages(page: str) -> None:
    assert find_unsaid(page) == []


@pytest.mark.parametrize("page", pages_with_words())
def test_both_languages_have_the_same_gaps(page: str) -> None:
    def gaps(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    said = read_words(FOLDER / f"{page}.yaml")
    assert [key for key, texts in said.items() if gaps(texts["en"]) != gaps(texts["zh"])] == []


def test_words_are_said_in_the_language_asked_for_with_their_gaps_filled() -> None:
    assert [words("chat", lang)("ta_answered", reviewer="Ada") for lang in LANGS] == ["Answered by Ada", "由 Ada 回答"]


def test_a_word_that_is_not_there_names_the_file_to_add_it_to() -> None:
    with pytest.raises(WordsMissing, match=r"words/chat\.yaml has no 'nothing'"):
        words("chat", "en")("nothing")
