"""Scores are BM25 as in its formula, filters leave them alone, and ties have one order."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import course_rows as rows
import pytest
from generated_rows import collection

from serving.index.analysis import Analysed, query_terms
from serving.index.build import build_index
from serving.index.engine import PAIR_WEIGHT
from serving.index.schema import KINDS, Kind
from serving.index.search import SearchIndex
from serving.index.writing import analyse_entry

K1, B = 1.2, 0.75
EXACT = 40
"""Tokens up to which Tantivy stores the length of a document as it is, not rounded into a byte."""

Collection = tuple[list[rows.Row], list[rows.Row]]


def short_rows() -> Collection:
    found = collection(5, 250, 250)
    kept = [[row for row in table if all(len(part) < EXACT for part in analysed(row))] for table in found]
    return kept[0], kept[1]


def analysed(row: rows.Row) -> Analysed:
    if "qa_id" in row:
        return analyse_entry(row["section"], row["question"], row["answer"])
    return analyse_entry(None, row["title"], row["text"])


def key(row: rows.Row) -> str:
    return str(row.get("qa_id") or row["passage_id"])


class Bm25:
    """BM25 written from its formula (Robertson and Zaragoza 2009, 3.9), with Lucene's idf, which is never negative."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._counts = [Counter(document) for document in documents]
        self._lengths = [len(document) for document in documents]
        self._average = sum(self._lengths) / len(documents)
        self._frequency = Counter(term for counts in self._counts for term in counts)

    def score(self, asked: Sequence[str], place: int) -> float:
        norm = K1 * (1 - B + B * self._lengths[place] / self._average)
        counts = self._counts[place]
        return math.fsum(self._idf(term) * counts[term] * (K1 + 1) / (counts[term] + norm) for term in asked)

    def _idf(self, term: str) -> float:
        found = self._frequency[term]
        return math.log(1 + (len(self._counts) - found + 0.5) / (found + 0.5))


def reference(table: Sequence[rows.Row], question: str) -> dict[str, float]:
    """The score of every row that shares a term with the question."""
    stored = [analysed(row) for row in table]
    words, pairs = Bm25([each.words for each in stored]), Bm25([each.pairs for each in stored])
    asked = query_terms(question)
    scores = {
        key(row): words.score(asked.words, place) + PAIR_WEIGHT * pairs.score(asked.pairs, place)
        for place, row in enumerate(table)
    }
    return {entry_id: score for entry_id, score in scores.items() if score > 0}


SHORT = short_rows()
QUESTIONS = (
    "stack",
    "栈",
    "What is the deadline of homework?",
    "docker container install error",
    "graph graph graph node",
    "二叉树是什么？",
    "stack 和 queue 的考试",
    "never written anywhere",
)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> SearchIndex:
    folder = tmp_path_factory.mktemp("short")
    build_index(rows.tables(folder / "t", *SHORT), folder / "index")
    return SearchIndex.open(folder / "index")


def test_the_short_documents_of_these_tests_are_many() -> None:
    assert min(map(len, SHORT)) > 50


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_scores_equal_those_of_bm25_written_from_its_formula(short: SearchIndex, kind: Kind, question: str) -> None:
    expected = reference(SHORT[KINDS.index(kind)], question)
    found = {hit.entry.entry_id: hit.score for hit in short.search(question, kind=kind, k=1000)}
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("question", QUESTIONS[:-1])
@pytest.mark.parametrize("filters", [{"course_id": "ds", "sources": ["faq"]}, {"lang": "zh"}, {"subject": "computing"}])
def test_a_filter_takes_hits_away_and_leaves_their_scores(
    short: SearchIndex, question: str, filters: dict[str, object]
) -> None:
    expected = reference(SHORT[0], question)
    hits = short.search(question, k=1000, **filters)  # type: ignore[arg-type]
    allowed = {
        key(row)
        for row in SHORT[0]
        if all(row[name] == value for name, value in filters.items() if name != "sources")
        and row["source"] in filters.get("sources", [row["source"]])  # type: ignore[operator]
    }
    wanted = {entry_id: score for entry_id, score in expected.items() if entry_id in allowed}
    assert {hit.entry.entry_id: hit.score for hit in hits} == pytest.approx(wanted, rel=1e-6)


def test_terms_already_analysed_are_scored_without_pairs(short: SearchIndex) -> None:
    words = Bm25([analysed(row).words for row in SHORT[0]])
    found = {hit.entry.entry_id: hit.score for hit in short.search(["stack", "queue", "stack"], k=1000)}
    expected = {key(row): words.score(["stack", "queue"], place) for place, row in enumerate(SHORT[0])}
    assert found == pytest.approx({each: score for each, score in expected.items() if score}, rel=1e-6)


@pytest.mark.parametrize("k", [1, 2, 9, 10, 11, 100, 299, 300, 1000])
@pytest.mark.parametrize("course", [None, "ds"])
def test_equal_entries_are_ordered_by_id_also_at_the_border_of_k(tmp_path: Path, k: int, course: str | None) -> None:
    same = [rows.pair(f"e{(7 * number) % 300:03}", "faq", "same words", "same answer") for number in range(300)]
    best = rows.pair("z", "faq", "same words words", "words")
    build_index(rows.tables(tmp_path / "t", [*same, best], []), tmp_path / "index")
    hits = SearchIndex.open(tmp_path / "index").search("words", k=k, course_id=course)
    expected = ["z", *(f"e{number:03}" for number in range(300))]
    assert [hit.entry.entry_id for hit in hits] == expected[:k]


@pytest.mark.parametrize("k", [0, -1])
def test_no_hits_are_given_when_none_are_asked_for(short: SearchIndex, k: int) -> None:
    assert short.search("stack", k=k) == []


@pytest.mark.parametrize("question", ["", "  ", "?!", "🙂", "\x00"])
def test_a_question_without_a_word_finds_nothing(short: SearchIndex, question: str) -> None:
    assert short.search(question) == []


CATALOGUE = [
    rows.pair("c1", "catalog", "MATH 1010 Algebra", "Algebra for everyone.", mode="class"),
    rows.pair("c2", "catalog", "Mathematics", "A program with algebra.", mode="program"),
    rows.pair("c3", "catalog", "MATH 2020 Algebra II", "More algebra.", mode="class", subject="mathematics"),
    rows.pair("c4", "catalog", "Music", "A program without, yet algebra.", mode="program", course_id="other"),
    rows.pair("c5", "faq", "Is algebra hard?", "No."),
    rows.pair("c6", "concept", "algebra", "Algebra is arithmetic with letters.", course_id="other"),
    rows.pair("c7", "search", "Algebra on the web", "Algebra.", course_id=None),
    rows.pair("c8", "document", "Algebra exam", "Algebra is examined.", course_id="other", lang="zh"),
]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, "c1 c2 c3 c4 c5 c6 c7 c8"),
        ({"mode": "class"}, "c1 c3"),
        ({"mode": "program"}, "c2 c4"),
        ({"mode": "program", "course_id": "ds"}, "c2"),
        ({"subject": "mathematics"}, "c3"),
        ({"subject": "mathematics", "mode": "program"}, ""),
        ({"course_id": "ds"}, "c1 c2 c3 c5 c6 c7"),
        ({"course_id": "other"}, "c4 c6 c7 c8"),
        ({"course_id": "nowhere"}, "c6 c7"),
        ({"course_id": "ds", "sources": ["catalog", "faq"]}, "c1 c2 c3 c5"),
        ({"course_id": "ds", "sources": ["concept", "faq"]}, "c5 c6"),
        ({"sources": ["document"]}, "c8"),
        ({"sources": []}, ""),
        ({"sources": ["no such source"]}, ""),
        ({"lang": "zh"}, "c8"),
    ],
    ids=str,
)
def test_filters_keep_just_what_they_say(tmp_path: Path, filters: dict[str, object], expected: str) -> None:
    build_index(rows.tables(tmp_path / "t", CATALOGUE, []), tmp_path / "index")
    hits = SearchIndex.open(tmp_path / "index").search("algebra", **filters)  # type: ignore[arg-type]
    assert sorted(hit.entry.entry_id for hit in hits) == expected.split()


def test_a_course_whose_id_is_the_mark_of_every_course_gets_no_more_than_its_own(tmp_path: Path) -> None:
    build_index(rows.tables(tmp_path / "t", CATALOGUE, []), tmp_path / "index")
    found = SearchIndex.open(tmp_path / "index").search("algebra", course_id="*", sources=["faq", "catalog"])
    assert found == []
