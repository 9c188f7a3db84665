"""From cues to ranked concepts, with the real taggers."""

import pytest

from knowledge_graph.concepts.extract import default_limit, extract_concepts
from knowledge_graph.concepts.tagging import chinese_tagger, english_tagger
from knowledge_graph.records import Concept, CourseCard, Cue, FaqEntry, Lang, Section, Snippet

CARD = CourseCard("ds", "Data Structures", "en", subject="computer science")
CARD_ZH = CourseCard("sjjg", "数据结构", "zh", domains=("计算机",))

HEAPS = [
    "So, a binary heap is a complete binary tree",
    "in which every node is smaller than its children.",
    "Insertion into a binary heap takes logarithmic time.",
    "A priority queue is an abstract list where the smallest element leaves first.",
    "We build the priority queue on a binary heap.",
]
TREES = [
    "A binary search tree (BST) is a binary tree that keeps its keys in order.",
    "Insertion into a BST follows the keys down the binary tree.",
    "Searching a binary search tree of small height is fast, as in the last video.",
]
CHINESE = [
    "栈是一种后进先出的线性表",
    "二叉树是每个结点最多有两个孩子的树",
    "遍历二叉树的时候我们用栈",
    "线性表用数组存储",
]


def course(*videos: tuple[str, list[str]], lang: Lang = "en") -> list[Cue]:
    return [
        Cue("ds", f"v{index}", title, index, n, n * 4000, n * 4000 + 3900, line, lang)
        for index, (title, lines) in enumerate(videos)
        for n, line in enumerate(lines)
    ]


CUES = course(("Trees", TREES), ("Binary Heaps", HEAPS))


def by_name(concepts: list[Concept]) -> dict[str, Concept]:
    return {concept.name: concept for concept in concepts}


def test_a_course_gives_its_terms_ranked_and_defined() -> None:
    concepts = extract_concepts(CUES, CARD)
    heap = by_name(concepts)["binary heap"]
    assert [c.rank for c in concepts] == list(range(1, len(concepts) + 1))
    assert [c.score for c in concepts] == sorted((c.score for c in concepts), reverse=True)
    assert heap.rank <= 3
    assert heap.concept_id == "en:binary heap"
    assert (
        heap.definition == "A binary heap is a complete binary tree in which every node is smaller than its children."
    )
    assert heap.definition_kind == "subtitle"
    assert heap.definition_locator is not None
    assert (heap.definition_locator.video_id, heap.definition_locator.start_ms) == ("v1", 0)
    assert heap.definition_locator.end_ms == 7900


def test_an_acronym_is_an_alias_and_not_a_concept_of_its_own() -> None:
    concepts = by_name(extract_concepts(CUES, CARD))
    assert concepts["binary search tree"].aliases == ("BST",)
    assert "BST" not in concepts


def test_every_concept_carries_up_to_five_mentions_in_lecture_order() -> None:
    for concept in extract_concepts(CUES, CARD):
        assert 1 <= len(concept.evidence) <= 5
        places = [(span.video_id, span.start_ms) for span in concept.evidence]
        assert places == sorted(places)


def test_words_of_teaching_are_no_concepts() -> None:
    assert not {"video", "last video", "time", "element"} & set(by_name(extract_concepts(CUES, CARD)))


def test_domains_are_given_or_else_the_subject_or_else_the_title() -> None:
    plain = CourseCard("ds", "Data Structures", "en")
    given = CourseCard("ds", "Data Structures", "en", subject="computer science", domains=("algorithms",))
    found = [extract_concepts(CUES, card)[0].domains for card in (plain, CARD, given)]
    assert found == [("Data Structures",), ("computer science",), ("algorithms",)]


def test_documents_and_search_replies_define_what_the_lectures_do_not() -> None:
    document = Section(
        "ds", "notes.md", "Notes", 0, "a1", None, None, "Time", "Insertion is the adding of a key.", "en"
    )
    reply = Snippet("ds", "key", 1, "Key", "A key is a value that identifies a record.", "https://e.org", None, "en")
    concepts = by_name(extract_concepts(CUES, CARD, documents=[document], snippets=[reply]))
    assert concepts["insertion"].definition_kind == "document"


def test_what_people_ask_about_ranks_higher() -> None:
    entry = FaqEntry("ds", "1", None, "What is insertion?", "…", None, None, None, "faq.csv", 1, "en")
    asked = by_name(extract_concepts(CUES, CARD, faq=[entry]))["insertion"]
    assert asked.score > by_name(extract_concepts(CUES, CARD))["insertion"].score


def test_chinese_concepts_are_found_and_defined() -> None:
    concepts = by_name(extract_concepts(course(("栈和树", CHINESE), lang="zh"), CARD_ZH))
    assert concepts["二叉树"].concept_id == "zh:二叉树"
    assert (concepts["二叉树"].definition or "").startswith("二叉树是每个结点最多有两个孩子的树")
    assert "时候" not in concepts


def test_the_limit_grows_with_the_course_up_to_four_hundred() -> None:
    assert [default_limit(videos) for videos in (1, 10, 90, 1000)] == [44, 80, 400, 400]
    assert len(extract_concepts(CUES, CARD, limit=3)) == 3


def test_the_same_cues_give_the_same_concepts_in_any_order() -> None:
    assert extract_concepts(CUES[::-1], CARD) == extract_concepts(CUES, CARD)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [""],
        ["um, so, and then you go there."],
        ["😀😀 🎉", "\u200b"],
        ["x" * 50_000],
        ["1 2 3 4 5 + - * / = ? !"],
    ],
)
def test_lectures_without_a_term_give_no_concepts(lines: list[str]) -> None:
    assert extract_concepts(course(("", lines)), CARD) == []


def test_one_cue_of_fifty_thousand_characters_still_gives_its_terms() -> None:
    concepts = extract_concepts(course(("", ["A binary heap is a complete binary tree. " * 1_200])), CARD)
    assert "binary heap" in by_name(concepts)


def test_a_course_in_two_languages_is_read_by_the_language_of_each_cue() -> None:
    english = course(("Heaps", HEAPS))
    chinese = [Cue("ds", "z", "栈", 9, n, n, n + 1, line, "zh") for n, line in enumerate(CHINESE)]
    assert {c.lang for c in extract_concepts(english + chinese, CARD)} == {"en", "zh"}


def test_the_taggers_are_loaded_once() -> None:
    assert english_tagger() is english_tagger()
    assert chinese_tagger() is chinese_tagger()
