"""From cues to ranked concepts, with the real taggers."""

from dataclasses import replace
from typing import Any

import pytest
from term_facts import facts

from knowledge_graph.concepts.candidate import TermCandidate
from knowledge_graph.concepts.candidates import word_use
from knowledge_graph.concepts.counting import blocks_of, collect
from knowledge_graph.concepts.extract import _keep_best, default_limit
from knowledge_graph.concepts.extract import extract_concepts as extract
from knowledge_graph.concepts.given_names import GivenNames, include
from knowledge_graph.concepts.ranking import Ranked
from knowledge_graph.concepts.tagging import chinese_tagger, english_tagger, tag
from knowledge_graph.lake.records import Concept, CourseCard, Cue, DocumentSection, FaqEntry, Lang, Snippet, Statement
from knowledge_graph.statements.edits import GivenTerm
from knowledge_graph.text.sentences import sentences

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


def extract_concepts(cues: list[Cue], card: CourseCard, **sources: Any) -> list[Concept]:
    return list(extract(cues, card, **sources).concepts)


def given(name: str, lang: Lang = "en") -> GivenTerm:
    return GivenTerm(name, (), lang, None, None, Statement("ds", "concept", "seed", name, None, None, "seeds.txt", 1))


def written(*paragraphs: str, document: str = "notes.md", lang: Lang = "en") -> DocumentSection:
    return DocumentSection("ds", document, "Notes", 0, "a1", 3, None, None, "\n".join(paragraphs), lang)


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


def test_documents_and_search_replies_define_what_the_lectures_do_not() -> None:
    document = DocumentSection(
        "ds", "notes.md", "Notes", 0, "a1", None, None, "Time", "Insertion is an operation that adds a key.", "en"
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


def test_the_limit_grows_with_the_words_of_the_course() -> None:
    assert [default_limit(words) for words in (100, 20_000, 200_000, 3_000_000)] == [70, 120, 570, 800]
    assert len(extract_concepts(CUES, CARD, limit=3)) == 3


def test_likely_terms_are_kept_beyond_the_limit_and_the_others_are_not() -> None:
    ranked = [Ranked(facts(name), probability, {}) for name, probability in (("a b", 0.9), ("c d", 0.7), ("e f", 0.3))]
    assert [each.probability for each in _keep_best(ranked, 1, beyond=2)] == [0.9, 0.7]
    assert [each.probability for each in _keep_best(ranked, 1)] == [0.9]
    assert [each.probability for each in _keep_best(ranked, 3)] == [0.9, 0.7, 0.3]


def test_a_likely_term_that_a_sentence_introduces_takes_no_place_of_a_fair_one() -> None:
    ranked = [
        Ranked(replace(facts("a b"), introduced=True), 0.9, {}),
        Ranked(replace(facts("c d"), introduced=True), 0.4, {}),
        Ranked(facts("e f"), 0.35, {}),
        Ranked(facts("g h"), 0.2, {}),
    ]
    assert [each.probability for each in _keep_best(ranked, 2, beyond=2)] == [0.9, 0.4, 0.35]


def test_one_sentence_that_introduces_a_name_is_enough() -> None:
    lines = [*HEAPS, *TREES, "The share of slots in use is called the degree of filling.", *["We go on with it."] * 400]
    assert "degree of filling" in by_name(extract_concepts(course(("1", lines)), CARD))


def test_who_teaches_the_course_is_no_concept_of_it() -> None:
    lines = [
        "Mara Lindqvist draws a heap.",
        "A heap is a tree.",
        "Mara Lindqvist draws a stack.",
        "Ask Mara Lindqvist.",
    ]
    card = replace(CARD, instructors=("Mara Lindqvist",))
    assert "mara lindqvist" not in {name.lower() for name in by_name(extract_concepts(course(("1", lines)), card))}


def test_the_same_cues_give_the_same_concepts_in_any_order() -> None:
    assert extract_concepts(CUES[::-1], CARD) == extract_concepts(CUES, CARD)


def test_a_course_of_documents_alone_has_concepts_with_their_places() -> None:
    concepts = by_name(extract_concepts([], CARD, documents=[written(*HEAPS, *TREES)]))
    evidence = concepts["binary heap"].evidence
    assert concepts["binary heap"].rank <= 3
    assert {(span.video_id, span.document, span.page) for span in evidence} == {(None, "notes.md", 3)}


def test_what_only_the_papers_around_a_course_say_ranks_below_what_is_taught() -> None:
    papers = written("Late homework loses marks.", "The late homework form is online.", "No late homework form.")
    concepts = by_name(extract_concepts(CUES, CARD, documents=[papers]))
    taught = max(concepts[name].rank for name in ("binary heap", "priority queue", "binary search tree"))
    assert all(each.rank > taught for each in concepts.values() if "homework" in each.name or "form" in each.name)


def test_every_concept_says_who_voted_for_it() -> None:
    concepts = by_name(extract_concepts(CUES, CARD))
    assert concepts["binary heap"].votes["named_in_a_title"] == 1
    assert concepts["binary search tree"].votes["has_an_acronym"] == 1
    assert all(set(concept.votes.values()) <= {1, -1} for concept in concepts.values())


def test_the_work_of_every_function_is_reported() -> None:
    reports = {report.name: report for report in extract(CUES, CARD).reports}
    assert reports["several_words"].coverage > 0.9
    assert reports["named_in_a_title"].yes >= 2


def test_a_given_term_is_kept_whatever_its_grammar_and_votes_say() -> None:
    seeds = [given("leaves first"), given("never said")]
    concepts = by_name(extract_concepts(CUES, CARD, terms=seeds, limit=1))
    assert concepts["leaves first"].votes["given_as_a_seed"] == 1
    assert concepts["leaves first"].evidence[0].text.startswith("A priority queue")
    assert "never said" not in concepts


def test_with_a_limit_of_nought_the_given_terms_alone_are_kept_and_defined() -> None:
    (heap,) = extract_concepts(CUES, CARD, terms=[given("binary heap")], limit=0)
    assert (heap.name, heap.definition_kind) == ("binary heap", "subtitle")


def test_a_given_chinese_term_is_kept_whole() -> None:
    concepts = by_name(extract_concepts(course(("", CHINESE), lang="zh"), CARD_ZH, terms=[given("后进先出", "zh")]))
    assert concepts["后进先出"].votes["given_as_a_seed"] == 1


def test_terms_near_the_given_ones_rank_above_the_rest() -> None:
    near = [f"The hash table keeps the load factor of the {word} low." for word in ("array", "bucket", "chain")] * 4
    far = ["You need the parking permit on weekdays.", "Without the parking permit you cannot stop."] * 6
    names = ("hash table", "array", "bucket", "chain", "table")
    concepts = by_name(extract_concepts(course(("", near), ("", far)), CARD, terms=[given(name) for name in names]))
    assert concepts["load factor"].rank < concepts["parking permit"].rank


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [""],
        ["um, so, and then you go there."],
        ["😀😀 🎉", "\u200b"],
        ["x" * 50_000],
        ["1 2 3 4 5 + - * / = ? !"],
        ["\x00\x07\x1b[0m \ufffd\u202e"],
    ],
)
def test_lectures_without_a_term_give_no_concepts(lines: list[str]) -> None:
    assert extract_concepts(course(("", lines)), CARD) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    "line",
    [
        "Ein binärer Heap ist ein fast vollständiger Baum, und der Heap ist schnell.",
        "Двоичная куча — это почти полное дерево; двоичная куча быстрая.",
        "ヒープは完全二分木です。ヒープは速い。",
        "二叉堆 is a 完全二叉树 and 二叉堆 is fast 😀",
        "heap\x00heap \u200bheap heap",
        "the " * 12_000,
        "heap tree queue " * 3_000,
        "堆栈队列" * 12_000,
    ],
)
def test_no_text_in_no_language_stops_the_course(line: str, lang: Lang) -> None:
    concepts = extract_concepts(course(("堆 Heap", [line, line]), lang=lang), CARD)
    assert [concept.rank for concept in concepts] == list(range(1, len(concepts) + 1))


def test_a_course_of_one_video_gives_its_terms() -> None:
    assert "binary heap" in by_name(extract_concepts(course(("", HEAPS)), CARD))


def test_a_lecture_of_ten_hours_is_read_in_seconds_beside_its_tagger() -> None:
    lines = [f"{line} In step {n} the binary heap moves." for n in range(1_500) for line in HEAPS]
    cues = course(("Heaps", lines))
    assert by_name(extract_concepts(cues, CARD))["binary heap"].mention_count > 1_500


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


def test_the_video_named_after_a_term_is_among_its_evidence_in_both_languages() -> None:
    asides = [f"Part {number}: a binary heap is used." for number in range(8)]
    english = course(("Sorting", asides), ("Binary heap", ["Now to the binary heap.", *HEAPS]))
    assert "v1" in {span.video_id for span in by_name(extract_concepts(english, CARD))["binary heap"].evidence}
    chinese = course(("排序", ["我们用二叉树排序", *CHINESE] * 4), ("二叉树", ["再看二叉树", *CHINESE]), lang="zh")
    card = CourseCard("ds", "数据结构", "zh")
    assert "v1" in {span.video_id for span in by_name(extract_concepts(chinese, card))["二叉树"].evidence}


def test_a_given_term_that_the_grammar_passes_over_stands_in_the_blocks_of_its_sentences() -> None:
    tagged = list(tag(sentences(course(("Sorting", ["We divide and conquer."] * 3)))))
    moved = [replace(item, sentence=replace(item.sentence, video_index=7)) for item in tagged]
    found: dict[str, TermCandidate] = {}
    include(found, moved, blocks_of(moved), GivenNames(["divide and conquer"]))
    assert dict(found["en:divide and conquer"].blocks) == {0: 3}


def test_a_heading_of_a_document_is_not_part_of_the_sentence_below_it() -> None:
    notes = written("Heaps", "A heap is a tree that keeps its smallest key on top.", "The heap is small.")
    heap = by_name(extract_concepts([], CARD, documents=[notes]))["heap"]
    assert heap.definition == "A heap is a tree that keeps its smallest key on top."


def test_a_chinese_term_at_the_beginning_of_a_caption_line_is_not_cut_off() -> None:
    tagged = list(tag(sentences(course(("树", ["树是一种结构", "二叉树的高度", "二叉树的结点"] * 5), lang="zh"))))
    assert any(" " in item.words for item in tagged)
    found = collect(tagged, word_use(tagged), 1, blocks=blocks_of(tagged))
    assert found["zh:二叉树"].cut_off == 0
