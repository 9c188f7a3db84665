"""Recorded academic search, lines that are none, and writing what is read back."""

import json
from pathlib import Path

import pytest
from course_files import WriteCourse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge_graph.lake.records import CourseCard, ScholarRecord, Snippet
from knowledge_graph.sources.folders import CourseFolder
from knowledge_graph.sources.scholar import read_scholar_records, record_scholar_records
from knowledge_graph.sources.snippets import read_snippets, record_snippets

CARD = CourseCard("trees", "Trees", "en")
GOOD = {"kind": "paper", "id": "W1", "question": "A title", "answer": "By Ada."}


def line(*results: object, query: str = "tree") -> str:
    return json.dumps({"query": query, "results": results}) + "\n"


def test_records_keep_their_place_in_the_reply(write_course: WriteCourse) -> None:
    trend = {"type": "Trend", "id": 5, "title": "研究趋势：树", "text": "一年一千。", "url": "https://x.org/t"}
    text = line({**GOOD, "fetched_at": "2026-01-02"}, {**GOOD, "answer": " "}, trend)
    records, problems = read_scholar_records(write_course({"scholar.jsonl": text}), CARD)
    assert records == (
        ScholarRecord("trees", "paper", "W1", "tree", 1, "A title", "By Ada.", None, "2026-01-02", "en"),
        ScholarRecord("trees", "trend", "5", "tree", 3, "研究趋势：树", "一年一千。", "https://x.org/t", None, "zh"),
    )
    assert [str(problem) for problem in problems] == [
        "scholar.jsonl:1: Result 2 of 'tree' has no answer; it was left out. Add its 'answer', or remove it."
    ]


def test_bad_lines_are_told_by_number_and_the_others_read(write_course: WriteCourse) -> None:
    text = f'{line(GOOD)}{{"query": \n[1]\n{{"query": "heap"}}\n{line({**GOOD, "kind": "book"}, "x")}{line(GOOD)}'
    records, problems = read_scholar_records(write_course({"scholar.jsonl": text}), CARD)
    assert len(records) == 2
    assert [(problem.line, problem.message) for problem in problems] == [
        (2, "Not valid JSON: Expecting value at column 11."),
        (3, "Expected an object, found list."),
        (4, "The reply has no list 'results'; it was left out."),
        (5, "Result 1 of 'tree' was left out: its kind is 'book'."),
        (5, "Result 2 of 'tree' has no kind; it was left out."),
    ]


@pytest.mark.parametrize("missing", ["kind", "id", "question", "answer"])
def test_a_result_without_a_needed_field_is_left_out(write_course: WriteCourse, missing: str) -> None:
    fields = {name: value for name, value in GOOD.items() if name != missing}
    records, problems = read_scholar_records(write_course({"scholar.jsonl": line(fields)}), CARD)
    assert records == ()
    assert problems[0].remedy == f"Add its '{missing}', or remove it."


def test_a_text_too_long_and_a_date_that_is_none_are_told(write_course: WriteCourse) -> None:
    text = line({**GOOD, "question": "q" * 2_001}, {**GOOD, "fetched_at": "yesterday"})
    records, problems = read_scholar_records(write_course({"scholar.jsonl": text}), CARD)
    assert [record.fetched_at for record in records] == [None]
    assert [problem.severity for problem in problems] == ["error", "warning"]
    assert "its question has 2,001 characters, the limit is 2,000" in problems[0].message


def test_a_course_without_records_has_none_and_an_empty_file_is_told(write_course: WriteCourse) -> None:
    assert read_scholar_records(write_course({}), CARD) == ((), ())
    _, problems = read_scholar_records(write_course({"scholar.jsonl": "\n"}), CARD)
    assert problems[0].message == "The file is empty."


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\n"), min_size=1, max_size=30).map(
    lambda text: f"a{text}b"
)
ADDRESSES = st.none() | WORDS.map(lambda text: f"https://{text}")
WHEN = st.none() | st.datetimes().map(lambda when: f"{when.replace(microsecond=0).isoformat()}+00:00")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(WORDS, WORDS, WORDS, ADDRESSES, WHEN), max_size=5))
def test_whatever_is_recorded_is_read_back_the_same(
    tmp_path: Path, rows: list[tuple[str, str, str, str | None, str | None]]
) -> None:
    snippets, records, places = [], [], dict[str, int]()
    for query, headline, text, url, when in sorted(rows, key=lambda row: row[0]):
        places[query] = place = places.get(query, 0) + 1
        snippets.append(Snippet("trees", query, place, headline, text, url, when, "en"))
        records.append(ScholarRecord("trees", "paper", headline, query, place, headline, text, url, when, "en"))
    (tmp_path / "snippets.jsonl").write_text(record_snippets(snippets), encoding="utf-8", newline="")
    (tmp_path / "scholar.jsonl").write_text(record_scholar_records(records), encoding="utf-8", newline="")
    folder = CourseFolder("trees", tmp_path)
    read, read_records = read_snippets(folder, CARD)[0], read_scholar_records(folder, CARD)[0]
    assert [(each.query, each.position, each.headline, each.text, each.url, each.fetched_at) for each in read] == [
        (each.query, each.position, each.headline, each.text, each.url, each.fetched_at) for each in snippets
    ]
    assert [(each.record_id, each.question, each.answer, each.url, each.fetched_at) for each in read_records] == [
        (each.record_id, each.question, each.answer, each.url, each.fetched_at) for each in records
    ]


def test_the_sample_course_has_recorded_scholars_and_papers_without_a_problem() -> None:
    folder = CourseFolder("data-structures", Path(__file__).parents[2] / "examples/courses/data-structures")
    records, problems = read_scholar_records(folder, CARD)
    assert problems == ()
    assert sorted(record.kind for record in records) == ["paper"] * 4 + ["scholar"] * 2
