"""`coteach search`: JSON lines in, JSON lines out, and what is told about lines that cannot be searched."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import GRAPH_CONCEPTS, GRAPH_COURSES, GRAPH_PREREQUISITES, QA_PAIRS
from knowledge_graph.lake.tables import write_table
from knowledge_graph.sources.bounded_report import BoundedTold
from orchestration.cli import search_command
from orchestration.cli.main import app
from orchestration.cli.output import OutputUnusable
from orchestration.cli.search_command import (
    Query,
    SearchFilters,
    SearchUnusable,
    read_queries,
    search_file,
    sources_of,
    strategy_of,
)
from serving.assistant.retrieval.strategies import STRATEGIES
from serving.index.build import build_index
from serving.index.engine import IndexMissing
from serving.index.search import SearchIndex
from serving.index.tables import Tables

EVERYTHING = SearchFilters()

STACK = '{"id": "1", "question": "What is a stack?"}'


def course(course_id: str) -> dict[str, Any]:
    return {**dict.fromkeys(GRAPH_COURSES.names), "course_id": course_id, "title": course_id, "lang": "en"}


def pair(qa_id: str, source: str, question: str, **more: Any) -> dict[str, Any]:
    row = {**dict.fromkeys(QA_PAIRS.names), "qa_id": qa_id, "source": source, "course_id": "ds", "lang": "en"}
    text = {"question": question, "answer": "See there.", "origin_id": f"origin of {qa_id}", "content_hash": qa_id}
    return {**row, **text, "domains": [], "also_from": [], **more}


QA = [
    pair("a1", "faq", "Is there a stack in the exam?"),
    pair("a2", "concept", "stack"),
    pair("a3", "faq", "What is a stack of plates?", course_id="art"),
    pair("a4", "catalog", "STCK 1010 The stack", mode="class", subject="computing"),
    pair("a5", "catalog", "The stack program", mode="program"),
    pair("a6", "faq", "队列是什么？", course_id="art", lang="zh"),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two courses and six QA pairs; tests only look."""
    data_dir = DataDir(tmp_path_factory.mktemp("home"))
    write_table(data_dir.graph_courses, [course("ds"), course("art")], GRAPH_COURSES)
    write_table(data_dir.graph_concepts, [], GRAPH_CONCEPTS)
    write_table(data_dir.graph_prerequisites, [], GRAPH_PREREQUISITES)
    write_table(data_dir.qa_pairs, QA, QA_PAIRS)
    build_index(Tables(data_dir.qa_pairs, ()), data_dir.index)
    return data_dir.root


def lines(folder: Path, *listed: str) -> Path:
    path = folder / "queries.jsonl"
    path.write_text("".join(f"{line}\n" for line in listed), encoding="utf-8")
    return path


def searched(
    home: Path,
    queries: Path,
    *,
    filters: SearchFilters = EVERYTHING,
    k: int = 10,
) -> tuple[int, list[dict[str, Any]]]:
    """The exit code and the lines written."""
    out = queries.with_name("hits.jsonl")
    code = search_file(queries, home=home, filters=filters, k=k, out=out)
    return code, [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def ids(found: dict[str, Any]) -> set[str]:
    return {hit["qa_id"] for hit in found["hits"]}


def test_each_line_of_questions_gives_a_line_of_hits_in_the_same_order(home: Path, tmp_path: Path) -> None:
    queries = lines(tmp_path, STACK, '{"id": "none", "question": "zebra"}', '{"id": 3, "question": "队列"}')
    code, found = searched(home, queries)
    assert code == 0
    assert [line["id"] for line in found] == ["1", "none", 3]
    assert found[1] == {"id": "none", "hits": []}
    assert set(found[0]) == {"id", "hits"}
    assert all(set(hit) == {"qa_id", "origin_id", "source", "score"} for hit in found[0]["hits"])
    assert [(hit["qa_id"], hit["origin_id"], hit["source"]) for hit in found[2]["hits"]] == [
        ("a6", "origin of a6", "faq")
    ]


def test_hits_are_those_of_the_index_best_first(home: Path, tmp_path: Path) -> None:
    _, found = searched(home, lines(tmp_path, STACK))
    expected = SearchIndex.open(DataDir(home).index).search("What is a stack?")
    assert [hit["qa_id"] for hit in found[0]["hits"]] == [hit.entry.entry_id for hit in expected]
    scores = [hit["score"] for hit in found[0]["hits"]]
    assert scores == pytest.approx([hit.score for hit in expected], abs=1e-4)
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(("k", "count"), [(1, 1), (2, 2), (1000, 5)])
def test_no_more_than_k_hits_are_given(home: Path, tmp_path: Path, k: int, count: int) -> None:
    _, found = searched(home, lines(tmp_path, STACK), k=k)
    assert len(found[0]["hits"]) == count


def test_a_line_may_name_its_course_and_the_option_stands_in_for_lines_that_do_not(home: Path, tmp_path: Path) -> None:
    named = '{"id": "2", "question": "What is a stack?", "course": "art"}'
    _, found = searched(home, lines(tmp_path, STACK, named), filters=SearchFilters(course_id="ds"))
    assert ids(found[0]) == {"a1", "a2", "a4", "a5"}
    assert ids(found[1]) == {"a2", "a3"}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (SearchFilters(sources=("faq",)), {"a1", "a3"}),
        (SearchFilters(sources=("faq", "concept"), course_id="ds"), {"a1", "a2"}),
        (SearchFilters(mode="class"), {"a4"}),
        (SearchFilters(mode="program"), {"a5"}),
        (SearchFilters(subject="computing"), {"a4"}),
        (SearchFilters(sources=("scholar",)), set()),
    ],
)
def test_hits_are_kept_by_source_subject_and_mode(
    home: Path, tmp_path: Path, filters: SearchFilters, expected: set[str]
) -> None:
    assert ids(searched(home, lines(tmp_path, STACK), filters=filters)[1][0]) == expected


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{not json", "Not valid JSON."),
        ("[" * 100_000, "Not valid JSON."),
        ('["a", "b"]', "Expected an object, found list."),
        ("null", "Expected an object, found NoneType."),
        ('{"question": "stack"}', "no 'id' or no 'question'"),
        ('{"id": "x"}', "no 'id' or no 'question'"),
        ('{"id": "x", "question": "  "}', "no 'id' or no 'question'"),
        ('{"id": "x", "question": 7}', "no 'id' or no 'question'"),
        ('{"id": null, "question": "stack"}', "no 'id' or no 'question'"),
        ('{"id": "half \\ud800", "question": "stack"}', "no 'id' or no 'question'"),
        ('{"id": "x", "question": "half \\udfff"}', "no 'id' or no 'question'"),
        ('{"id": 1.5, "question": "stack"}', "no 'id' or no 'question'"),
        ('{"id": true, "question": "stack"}', "no 'id' or no 'question'"),
        ('{"id": "x", "question": "stack", "course": "nope"}', "No course 'nope' is built here; there are: art, ds."),
        ('{"id": "x", "question": "stack", "course": ["ds"]}', "No course '['ds']'"),
        ('{"id": "x", "question": "stack", "course": {}}', "No course '{}'"),
        ('{"id": "x", "question": "stack", "course": 7}', "No course '7'"),
    ],
)
def test_a_line_that_is_no_query_is_told_with_its_number_and_passed_over(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, told: str
) -> None:
    code, found = searched(home, lines(tmp_path, STACK, line, STACK.replace("1", "3")))
    assert code == 1
    assert [each["id"] for each in found] == ["1", "3"]
    error = " ".join(capsys.readouterr().err.split())
    assert "queries.jsonl" in error
    assert told in error
    assert "2 searched, 1 left out" in error
    problems = BoundedTold()
    list(read_queries(lines(tmp_path, STACK, line), None, ["ds"], problems))
    assert [problem.line for problem in problems.problems] == [2]


def test_only_the_first_bad_lines_are_told_one_by_one(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = searched(home, lines(tmp_path, *["no"] * 50, STACK))
    error = capsys.readouterr().err
    assert (code, len(found)) == (1, 1)
    assert "30 more like those above" in error
    assert error.count("Not valid JSON") == 20


def test_a_byte_order_mark_blank_lines_and_windows_line_ends_are_read_over(home: Path, tmp_path: Path) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_bytes(b"\xef\xbb\xbf" + f"{STACK}\r\n\r\n   \n{STACK}".encode())
    code, found = searched(home, queries)
    assert code == 0
    assert [line["id"] for line in found] == ["1", "1"]


def test_bytes_that_are_no_utf_8_do_not_end_the_search(home: Path, tmp_path: Path) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_bytes(b'{"id": "1", "question": "stack caf\xe9"}\n\xff\xfe\x00\n')
    code, found = searched(home, queries)
    assert code == 1
    assert ids(found[0])


def test_a_file_in_utf_16_is_read(home: Path, tmp_path: Path) -> None:
    queries = tmp_path / "queries.jsonl"
    queries.write_text(STACK + "\n", encoding="utf-16")
    code, found = searched(home, queries)
    assert code == 0
    assert ids(found[0])


def test_a_folder_in_the_place_of_the_hits_is_named(home: Path, tmp_path: Path) -> None:
    with pytest.raises(OutputUnusable, match="is a folder: name the file"):
        search_file(lines(tmp_path, STACK), home=home, filters=EVERYTHING, k=10, out=tmp_path)


def test_an_unknown_source_is_refused_with_the_list_of_those_there_are() -> None:
    assert sources_of(["search", "faq"]) == ("search", "faq")
    assert sources_of([]) is None
    with pytest.raises(SearchUnusable, match="No source 'nope'; there are: concept, search"):
        sources_of(["faq", "nope"])


def test_an_empty_file_gives_an_empty_file(home: Path, tmp_path: Path) -> None:
    assert searched(home, lines(tmp_path)) == (0, [])


def test_words_in_other_scripts_are_written_as_they_are(home: Path, tmp_path: Path) -> None:
    searched(home, lines(tmp_path, '{"id": "问题", "question": "队列"}'))
    assert '"问题"' in (tmp_path / "hits.jsonl").read_text(encoding="utf-8")


def test_an_unknown_course_ends_the_command_with_the_list_of_those_there_are(home: Path, tmp_path: Path) -> None:
    with pytest.raises(SearchUnusable, match=r"No course 'nope' is built in .*; there are: art, ds\."):
        searched(home, lines(tmp_path, STACK), filters=SearchFilters(course_id="nope"))
    assert not (tmp_path / "hits.jsonl").exists()


def test_a_home_without_an_index_names_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="coteach build"):
        searched(tmp_path / "nothing", lines(tmp_path, STACK))


def test_a_search_that_fails_midway_leaves_nothing_new_and_the_old_file_as_it_was(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries, out = lines(tmp_path, STACK, STACK), tmp_path / "hits.jsonl"
    written = 0

    def fails_at_the_second(*_: object) -> dict[str, object]:
        nonlocal written
        written += 1
        if written == 2:
            raise KeyboardInterrupt
        return {"id": "1", "hits": []}

    monkeypatch.setattr(search_command, "_to_json", fails_at_the_second)
    out.write_text("as it was")
    with pytest.raises(KeyboardInterrupt):
        search_file(queries, home=home, filters=SearchFilters(), k=10, out=out)
    assert {path.name: path.read_text() for path in tmp_path.iterdir() if path != queries} == {
        "hits.jsonl": "as it was"
    }


def test_the_file_of_questions_may_be_the_file_of_hits(home: Path, tmp_path: Path) -> None:
    queries = lines(tmp_path, STACK)
    assert search_file(queries, home=home, filters=SearchFilters(), k=10, out=queries) == 0
    assert set(json.loads(queries.read_text())) == {"id", "hits"}


def test_the_order_of_ids_is_kept_and_they_may_repeat(tmp_path: Path) -> None:
    queries = lines(tmp_path, *(f'{{"id": {number % 3}, "question": "q"}}' for number in range(7)))
    found = list(read_queries(queries, "ds", ["ds"], BoundedTold()))
    assert found == [Query(number % 3, "q", "ds") for number in range(7)]


def test_the_command_writes_hits_to_standard_output_and_words_to_people_to_standard_error(
    home: Path, tmp_path: Path
) -> None:
    queries = lines(tmp_path, STACK, "no")
    ran = CliRunner().invoke(app, ["search", str(queries), "--course", "ds", "--k", "2", "--home", str(home)])
    assert ran.exit_code == 1
    assert [len(json.loads(line)["hits"]) for line in ran.stdout.splitlines()] == [2]
    assert "Not valid JSON" in ran.stderr


@pytest.mark.parametrize("arguments", [["--k", "0"], ["--mode", "nope"]])
def test_an_option_that_cannot_be_is_refused(home: Path, tmp_path: Path, arguments: list[str]) -> None:
    ran = CliRunner().invoke(app, ["search", str(lines(tmp_path, STACK)), "--home", str(home), *arguments])
    assert ran.exit_code == 2


def test_a_missing_file_of_questions_is_told_in_one_sentence(home: Path, tmp_path: Path) -> None:
    command = "from orchestration.cli.main import main; main()"
    arguments = ["search", str(tmp_path / "nope.jsonl"), "--home", str(home), "--out", str(tmp_path / "hits.jsonl")]
    ran = subprocess.run([sys.executable, "-c", command, *arguments], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "could not be read: No such file" in " ".join((ran.stdout + ran.stderr).split())
    assert "Traceback" not in ran.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_strategy_writes_the_same_lines(home: Path, tmp_path: Path, strategy: str, capsys: Any) -> None:
    queries, out = (
        lines(tmp_path, '{"id": "1", "question": "Is there a stack in the exam?", "course": "ds"}'),
        tmp_path / "out",
    )
    filters = SearchFilters(sources=("faq",))
    assert search_file(queries, home=home, filters=filters, k=1, out=out, strategy=strategy_of(strategy)) == 0
    (found,) = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(hit["qa_id"], hit["origin_id"], hit["source"]) for hit in found["hits"]] == [("a1", "origin of a1", "faq")]
    told = "Searched by words alone" in capsys.readouterr().err
    assert told == (strategy in ("hybrid", "fused")), "the home has no vectors"


def test_a_strategy_keeps_the_catalogue_mode(home: Path, tmp_path: Path) -> None:
    queries, out = lines(tmp_path, '{"id": "1", "question": "stack", "course": "ds"}'), tmp_path / "out"
    for strategy in STRATEGIES:
        search_file(queries, home=home, filters=SearchFilters(mode="class"), k=9, out=out, strategy=strategy)
        assert [hit["qa_id"] for hit in json.loads(out.read_text())["hits"]] == ["a4"]


def test_a_strategy_that_does_not_exist_is_named_with_those_that_do() -> None:
    assert strategy_of(None) is None
    with pytest.raises(SearchUnusable, match="concept_aware, hybrid, catalog_expert, fused"):
        strategy_of("psychic")


def test_the_faq_of_the_platform_is_found_in_the_courses_with_which_it_shares(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / "home")
    platform = course("platform") | {"is_platform": True, "shares_with": ["ds"]}
    write_table(data_dir.graph_courses, [course("ds"), course("art"), platform], GRAPH_COURSES)
    for path, schema in (
        (data_dir.graph_concepts, GRAPH_CONCEPTS),
        (data_dir.graph_prerequisites, GRAPH_PREREQUISITES),
    ):
        write_table(path, [], schema)
    write_table(data_dir.qa_pairs, [*QA, pair("p1", "faq", "Where are captions?", course_id="platform")], QA_PAIRS)
    build_index(Tables(data_dir.qa_pairs, ()), data_dir.index)
    asked = [f'{{"id": "{one}", "question": "captions", "course": "{one}"}}' for one in ("ds", "art")]
    _, (in_ds, in_art) = searched(data_dir.root, lines(tmp_path, *asked))
    assert (ids(in_ds), ids(in_art)) == ({"p1"}, set())
