"""Texts as the catalogue expert compares them: golden texts, names kept whole, the same for passages and questions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import CatalogRecord, Concept, Lang, Locator, Mode, Passage
from knowledge_graph.text.preparation import known_names, name_matcher, prepare, prepare_texts

NAMES = [
    "Computer Science Major",
    "Introduction to Computer Science",
    "CMPS 1500",
    "C++",
    "Statistics",
    "计算机科学专业",
]
MATCHER = name_matcher(NAMES)


def passage(key: str, title: str, text: str, lang: Lang = "en", mode: Mode | None = "class") -> Passage:
    return Passage(key, "tulane", "catalog", title, text, None, mode, lang, Locator(), "")


def test_english_is_lower_case_lemmas_without_stop_words_and_punctuation() -> None:
    text = "The students are studying Trees, Graphs & Heaps; they have written 3.5 programs (in 2 weeks)!"
    assert prepare(text, "en", MATCHER) == "student study tree graph heap write 3.5 program 2 week"


def test_a_name_stays_whole_beside_its_lemmas() -> None:
    assert prepare("What are the requirements of the Computer Science Major?", "en", MATCHER) == (
        "requirement computer_science_major computer science major"
    )


@pytest.mark.parametrize("written", ["computer science majors", "Computer-Science Major", "COMPUTER SCIENCE MAJOR"])
def test_a_name_is_found_however_it_is_written(written: str) -> None:
    assert prepare(written, "en", MATCHER) == "computer_science_major computer science major"


def test_the_longest_name_wins_and_stop_words_stay_in_it() -> None:
    assert prepare("Take Introduction to Computer Science (CMPS 1500).", "en", MATCHER).split(" ") == [
        *["introduction_to_computer_science", "introduction", "computer", "science", "cmps_1500", "cmp", "1500"],
    ]


def test_a_name_of_one_word_is_kept_and_not_said_twice() -> None:
    assert prepare("C++ and statistics", "en", MATCHER) == "c++ statistics statistic"


def test_upper_and_lower_case_give_the_same() -> None:
    assert prepare("Data Structures For Majors", "en", MATCHER) == prepare("data structures for majors", "en", MATCHER)


def test_chinese_is_cut_into_words_and_names_stay_whole() -> None:
    assert prepare("计算机科学专业的学生需要什么？先修课程是 C++（CMPS 1500）。", "zh", MATCHER) == (
        "计算机科学专业 计算机科学 专业 学生 先 修 课程 c++ cmps_1500 cmps 1500"
    )


def test_nothing_but_stop_words_gives_nothing() -> None:
    assert prepare("What is it?", "en", MATCHER) == prepare("", "en", MATCHER) == prepare("是的。", "zh", MATCHER) == ""


def test_a_letter_that_grows_in_lower_case_does_not_move_the_names() -> None:
    assert prepare("İİİ and the Computer Science Major", "en", MATCHER).endswith(
        "computer_science_major computer science major"
    )


def test_passages_are_prepared_in_their_order_with_their_titles() -> None:
    passages = [
        passage("b", "CMPS 1500 Introduction to Computer Science", "Programs and data."),
        passage("a", "计算机科学专业", "学习算法。", "zh", "program"),
        passage("c", "CMPS 1500 Introduction to Computer Science", "Programs and data."),
    ]
    prepared = prepare_texts(passages, NAMES)
    assert [(each.passage_id, each.course_id, each.mode) for each in prepared] == [
        ("b", "tulane", "class"),
        ("a", "tulane", "program"),
        ("c", "tulane", "class"),
    ]
    assert [(each.title, each.text) for each in prepared] == [
        ("cmps_1500 cmp 1500 introduction_to_computer_science introduction computer science", "program datum"),
        ("计算机科学专业 计算机科学 专业", "学习 算法"),
        ("cmps_1500 cmp 1500 introduction_to_computer_science introduction computer science", "program datum"),
    ]


def test_no_passages_give_no_texts() -> None:
    assert prepare_texts([], NAMES) == []


def test_a_question_is_prepared_like_a_passage() -> None:
    text = "Majors take CMPS 1500 before the computer science major's last year."
    (prepared,) = prepare_texts([passage("a", "Majors", text)], NAMES)
    assert prepared.text == prepare(text, "en", MATCHER)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200), st.sampled_from(["en", "zh"]))
def test_any_text_gives_bare_words(text: str, lang: Lang) -> None:
    words = prepare(text, lang, name_matcher([]))
    assert words == " ".join(words.split())
    assert "_" not in words
    assert all(any(character.isalnum() for character in word) for word in words.split())


def test_the_known_names_are_of_programs_classes_and_concepts() -> None:
    def record(code: str | None, title: str) -> CatalogRecord:
        return CatalogRecord("t", "class", title, code, title, None, "text", "page", None, None, "en")

    concept = Concept("t", "en:heap", "heap", ("binary heap",), "en", 1, 1.0, None, "none", None, (), 1, ())
    assert known_names([record("CMPS 1500", "Data"), record(None, "Computer Science Major")], [concept]) == [
        *["CMPS 1500", "Computer Science Major", "Data", "binary heap", "heap"],
    ]
