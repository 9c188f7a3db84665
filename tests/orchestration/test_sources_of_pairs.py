"""From a file of every kind to a QA pair that can be found: nothing empty, nothing twice, all with an origin."""

import asyncio
from collections import Counter
from hashlib import md5
from pathlib import Path

import dagster as dg
import pytest
from built_homes import copied
from small_courses import Place, write_every_source

from assets.search_index import every_kind_of_source_answers
from knowledge_graph.graph.showing import definition_to_show
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Concept, from_row
from knowledge_graph.lake.schemas import QA_PAIRS
from knowledge_graph.lake.tables import read_rows, write_table
from serving.assistant.answer import Answer
from serving.gateway.knowledge import load_knowledge
from serving.index.search import SearchIndex
from serving.settings import Settings

pytestmark = pytest.mark.slow

CATALOGUE = {
    "class:COMP 1100": "class",
    "class:COMP 1200": "class",
    "program:ethics#home": "program",
    "program:ethics#requirements": "program",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return copied(tmp_path_factory, write_every_source, "sources")


@pytest.fixture(scope="module")
def index(place: Place) -> SearchIndex:
    return SearchIndex.open(place.data_dir.index)


def test_every_kind_of_source_becomes_pairs(place: Place) -> None:
    counts = Counter(source for source, _ in place.pairs("structures"))
    assert {source: counts[source] for source in counts if source != "concept"} == {
        "faq": 4,
        "document": 1,
        "catalog": 4,
        "search": 1,
        "scholar": 2,
        "review": 1,
    }
    concepts = [from_row(Concept, row) for row in read_rows(place.data_dir.table("concepts", "structures"))]
    shown = [concept for concept in concepts if definition_to_show(concept) is not None]
    assert counts["concept"] == len(shown) > 2
    others = Counter(source for source, _ in place.pairs("sorting") if source != "concept")
    assert others == {"faq": 2, "document": 3}


def test_the_table_has_the_columns_that_are_promised(place: Place) -> None:
    rows = read_rows(place.data_dir.qa_pairs)
    assert all(list(row) == QA_PAIRS.names for row in rows)
    assert [row["qa_id"] for row in rows] == sorted({row["qa_id"] for row in rows})


def test_no_pair_is_empty_or_without_origin(place: Place) -> None:
    for row in read_rows(place.data_dir.qa_pairs):
        assert row["question"].strip()
        assert row["answer"].strip()
        assert row["origin_id"].strip()
        name = f"{row['source']}|{row['course_id']}|{row['origin_id']}"
        assert row["qa_id"] == md5(name.encode(), usedforsecurity=False).hexdigest()


def test_a_pair_leads_back_to_where_it_comes_from(place: Place) -> None:
    pairs = place.pairs("structures")
    found = {
        kind: {(row["locator"] or {}).get(field) for (source, _), row in pairs.items() if source == kind}
        for kind, field in (("faq", "document"), ("document", "document"), ("catalog", "document"), ("search", "url"))
    }
    assert found == {
        "faq": {"faq.csv"},
        "document": {"documents/exams.md"},
        "catalog": {"catalog/comp.html", "catalog/ethics.html"},
        "search": {"https://x.example/skip"},
    }
    of_concepts = [row["locator"] for (source, _), row in pairs.items() if source == "concept"]
    assert all(locator["video_id"] == "01 - Stacks" and locator["start_ms"] is not None for locator in of_concepts)


def test_only_the_catalogue_has_a_mode_and_it_has_always_one(place: Place) -> None:
    modes = {origin: row["mode"] for (_, origin), row in place.pairs("structures").items() if row["mode"]}
    assert modes == CATALOGUE
    assert not any(row["mode"] for row in place.pairs("sorting").values())


def test_a_search_for_a_mode_finds_that_of_the_catalogue_only(index: SearchIndex) -> None:
    words = "trees stack list class certificate philosophy"
    found = {hit.entry.origin_id for hit in index.search(words, mode="program", k=50)}
    assert found == {origin for origin, mode in CATALOGUE.items() if mode == "program"}
    assert {hit.entry.origin_id for hit in index.search(words, mode="class", k=50)} == {"class:COMP 1200"}


def test_what_a_faq_and_a_document_say_alike_is_the_pair_of_the_faq(place: Place, index: SearchIndex) -> None:
    pairs = place.pairs("structures")
    (graded,) = [row for row in pairs.values() if row["question"] == "How are exams graded?"]
    assert (graded["source"], graded["origin_id"]) == ("faq", "graded")
    (other,) = graded["also_from"]
    section = next(
        row
        for row in read_rows(place.data_dir.table("documents", "structures"))
        if row["heading"] == "How are exams graded?"
    )
    assert other == f"document:documents/exams.md#{section['section_key']}"
    assert all(row["also_from"] == [] for row in pairs.values() if row is not graded)
    hits = index.search("How are exams graded?", course_id="structures")
    assert [hit.entry.origin_id for hit in hits if hit.entry.title == graded["question"]] == ["graded"]


def test_an_empty_reply_is_left_out_and_one_page_found_by_two_queries_is_one_pair(place: Place) -> None:
    pairs = place.pairs("structures")
    assert [origin for source, origin in pairs if source == "search"] == ["https://x.example/skip"]
    assert sorted(origin for source, origin in pairs if source == "scholar") == ["A7", "W1"]
    assert {row["section"] for (source, _), row in pairs.items() if source == "scholar"} == {"paper", "scholar"}


def test_a_pair_has_the_subject_and_the_language_of_its_course(place: Place) -> None:
    assert {row["subject"] for row in place.pairs("structures").values()} == {"computer science"}
    assert {row["subject"] for row in place.pairs("sorting").values()} == {None}
    assert {row["lang"] for row in read_rows(place.data_dir.qa_pairs)} == {"en"}


def test_the_index_holds_of_every_source_what_the_table_holds(place: Place, index: SearchIndex) -> None:
    rows = read_rows(place.data_dir.qa_pairs)
    counts = dict(sorted(Counter(row["source"] for row in rows).items()))
    assert index.counts()["qa"] == counts
    assert set(index.counts()["passage"]) == {"subtitle", "document", "catalog"}
    assert place.metadata("search_index", None)["counts"].value == index.counts()
    assert place.metadata("qa_pairs", None)["dagster/row_count"].value == len(rows)


def test_informal_reviews_are_found_and_answer_only_where_that_is_set_and_say_what_they_are(place: Place) -> None:
    question = "Is COMP 1200 easy?"

    def asked(**changed: bool) -> Answer:
        settings = Settings(home=place.data_dir.root).model_copy(update={"model_admission": "never", **changed})
        return asyncio.run(load_knowledge(settings, None).assistant.answer(question, course_id="structures"))

    usual, told = asked(), asked(informal_reviews=True)
    assert "start early" not in usual.text
    assert "**COMP 1200**: Easy if you start early." in told.text
    assert told.text.startswith("What students wrote informally, which nobody checked:")
    assert (told.route, told.notice) == ("direct", "From informal reviews that nobody checked.")
    index = SearchIndex.open(place.data_dir.index)
    searched = index.search(question, course_id="structures", sources=["review"])
    assert searched == []
    assert len(index.with_informal().search(question, course_id="structures", sources=["review"])) == 1


def test_a_kind_of_source_that_no_course_has_is_named_with_what_would_give_it(place: Place, tmp_path: Path) -> None:
    assert every_kind_of_source_answers(data_dir=place.data_dir).passed
    poorer = DataDir(tmp_path)
    kept = [row for row in read_rows(place.data_dir.qa_pairs) if row["source"] not in ("scholar", "faq")]
    write_table(poorer.qa_pairs, kept, QA_PAIRS)
    found = every_kind_of_source_answers(data_dir=poorer)
    assert (found.passed, found.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert "faq, which `faq.csv` or another" in str(found.description)
    assert "scholar, which `scholar.jsonl`" in str(found.description)
    assert "document," not in str(found.description)
    assert found.metadata["pairs_of_courses"].value["sorting"]["document"] == 3
    many = DataDir(tmp_path / "many")
    write_table(many.qa_pairs, [kept[0] | {"course_id": f"course-{number:04}"} for number in range(1000)], QA_PAIRS)
    told = every_kind_of_source_answers(data_dir=many).metadata
    assert (told["courses"].value, len(told["pairs_of_courses"].value)) == (1000, 200)


def test_every_pair_can_be_looked_up_in_the_index_as_it_is_in_the_table(place: Place, index: SearchIndex) -> None:
    rows = read_rows(place.data_dir.qa_pairs)
    entries = index.entries("qa", [row["qa_id"] for row in rows])
    assert [(entry.source, entry.origin_id, entry.title, entry.text) for entry in entries] == [
        (row["source"], row["origin_id"], row["question"], row["answer"]) for row in rows
    ]


def test_a_question_of_every_source_finds_it_first(index: SearchIndex) -> None:
    asked = {
        "When is the homework due?": "faq",
        "English language": "document",
        "COMP 1100 Loops": "catalog",
        "the skip list": "search",
        "Who is Ada Quill?": "scholar",
        "call stack": "concept",
    }
    assert {question: index.search(question, k=1)[0].entry.source for question in asked} == asked
