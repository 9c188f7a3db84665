"""Sentences over cues and normal forms."""

import pytest

from knowledge_graph.lake.records import Cue, Lang
from knowledge_graph.text.sentences import language_of, normal_form, sentences, singular, split_sentences


def cues(*lines: str, lang: Lang = "en", gap_ms: int = 0, video: str = "v1", index: int = 0) -> list[Cue]:
    step = 2000 + gap_ms
    return [Cue("c", video, "A video", index, n, n * step, n * step + 2000, line, lang) for n, line in enumerate(lines)]


def test_a_sentence_runs_over_the_cues_it_was_cut_into() -> None:
    found = sentences(cues("A stack is a list", "where only the top can", "be changed. Next comes", "the queue."))
    assert [s.text for s in found] == ["A stack is a list where only the top can be changed.", "Next comes the queue."]
    assert [(s.start_ms, s.end_ms) for s in found] == [(0, 6000), (4000, 8000)]


def test_the_initial_of_a_species_does_not_end_a_sentence() -> None:
    assert split_sentences("In E. coli it is fast. That is vector A. Then we go on.", "en") == [
        "In E. coli it is fast.",
        "That is vector A.",
        "Then we go on.",
    ]


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    assert split_sentences("Bias vs. variance, i.e. two errors. Then Dr. Ng speaks.", "en") == [
        "Bias vs. variance, i.e. two errors.",
        "Then Dr. Ng speaks.",
    ]


def test_a_variable_at_the_end_of_a_sentence_ends_it() -> None:
    assert split_sentences("We're never.. ever.. going to halt. It runs... It stops.", "en") == [
        "We're never.. ever.. going to halt.",
        "It runs...",
        "It stops.",
    ]
    assert split_sentences("There is an edge from i to j. A path is longer.", "en") == [
        "There is an edge from i to j.",
        "A path is longer.",
    ]


def test_a_decimal_number_does_not_end_a_sentence() -> None:
    assert split_sentences("The rate is 0.01 here.", "en") == ["The rate is 0.01 here."]


def test_chinese_sentences_end_at_chinese_full_stops() -> None:
    assert split_sentences("栈是一种线性表。队列也是！真的？", "zh") == ["栈是一种线性表。", "队列也是！", "真的？"]


def test_captions_without_punctuation_are_cut_at_a_pause() -> None:
    spoken = cues(*["栈是一种后进先出的线性表它只在一端插入"] * 10, lang="zh")
    late = [Cue("c", "v1", "A video", 0, 10 + n, 90_000 + n * 2000, 92_000 + n * 2000, "队列", "zh") for n in range(3)]
    found = sentences([*spoken, *late])
    assert found[-1].start_ms == 90_000
    assert found[-1].text == "队列 队列 队列"


def test_captions_without_punctuation_give_sentences_of_usual_length() -> None:
    found = sentences(cues(*["and then we look at the next node of the list"] * 100))
    assert all(len(s.text) <= 250 for s in found)
    assert sum(s.text.count("node") for s in found) == 100


def test_one_cue_of_fifty_thousand_characters_is_cut_and_nothing_is_lost() -> None:
    found = sentences(cues("x" * 25_000 + " " + "word " * 5_000))
    assert max(len(s.text) for s in found) <= 600
    assert sum(s.text.count("word") for s in found) == 5_000


def test_sentences_follow_the_order_of_the_videos_not_of_the_input() -> None:
    second = cues("Second.", video="a", index=1)
    first = cues("First.", video="b", index=0)
    assert [s.text for s in sentences(second + first)] == ["First.", "Second."]


def test_no_cues_and_empty_cues_give_no_sentences() -> None:
    assert sentences([]) == []
    assert sentences(cues("", "  ")) == []


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("trees", "tree"),
        ("queries", "query"),
        ("classes", "class"),
        ("hashes", "hash"),
        ("databases", "database"),
        ("matrices", "matrix"),
        ("vertices", "vertex"),
        ("mitochondria", "mitochondrion"),
        ("bacteria", "bacterium"),
        ("analysis", "analysis"),
        ("bias", "bias"),
        ("bayes", "bayes"),
        ("physics", "physics"),
        ("houses", "house"),
        ("clauses", "clause"),
        ("svms", "svm"),
    ],
)
def test_a_plural_has_the_singular_that_a_dictionary_gives(plural: str, expected: str) -> None:
    assert singular(plural) == expected


@pytest.mark.parametrize(
    ("term", "lang", "expected"),
    [
        ("Binary-Search Trees", "en", "binary search tree"),
        ("K-Means", "en", "k means"),
        ("  Ｈash  Table ", "en", "hash table"),
        ("Dijkstra’s algorithm", "en", "dijkstra's algorithm"),
        ("二叉 搜索树", "zh", "二叉搜索树"),
        ("SVM 分类器", "zh", "svm分类器"),
    ],
)
def test_surface_forms_of_a_term_share_one_normal_form(term: str, lang: Lang, expected: str) -> None:
    assert normal_form(term, lang) == expected


def test_the_language_is_chinese_from_a_tenth_of_chinese_characters_on() -> None:
    assert language_of("什么是 BST?") == "zh"
    assert language_of("what is a heap") == "en"
    assert language_of("") == "en"
