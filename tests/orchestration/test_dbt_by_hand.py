"""`coteach dbt` as the documentation has it: on a home where nothing was built, and on one with a lake."""

import json
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from built_homes import copied
from small_courses import write_every_source

from assets.qa_pairs import publish_qa_pairs
from knowledge_graph.lake.dbt_sources import DBT_SOURCES
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.log_schemas import LOGS, MARTS
from knowledge_graph.lake.schemas import COURSE_CARDS, FAQ, QA_PAIRS
from knowledge_graph.lake.source_kinds import CourseTable
from knowledge_graph.lake.tables import ColumnsDiffer, read_rows, read_table, write_atomic, write_table
from orchestration.cli import dbt_command
from orchestration.cli.dbt_command import run_dbt, variables
from orchestration.resources import DBT_PROJECT

pytestmark = pytest.mark.slow

ASKED, SAID = "What do students say about loops?", "Loops end."
SAME_PAIR_BY_TRUST: tuple[tuple[CourseTable, dict[str, str]], ...] = (
    ("ta_answers", {"origin_id": "desk", "question": ASKED, "answer": SAID}),
    ("faq", {"origin_id": "row", "question": ASKED, "answer": SAID}),
    ("documents", {"document": "a.md", "section_key": "1", "heading": ASKED, "text": SAID}),
    ("catalog_pages", {"record_id": "class", "title": ASKED, "text": SAID}),
    ("concepts", {"concept_id": "loop", "name": ASKED, "definition": SAID}),
    ("scholar_records", {"record_id": "paper", "question": ASKED, "answer": SAID}),
    ("web_snippets", {"url": "https://x.example", "headline": ASKED, "text": SAID}),
    ("informal_reviews", {"review_id": "review", "about": "loops", "text": SAID}),
)
"""The same pair as each source says it, those first that people stand behind the most."""
ORIGINS = ("desk", "row", "a.md#1", "class", "loop", "paper", "https://x.example", "review")
SOURCES = ("faq", "faq", "document", "catalog", "concept", "scholar", "search", "review")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataDir:
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path / "home"))
    return DataDir(tmp_path / "home")


def write_lake(home: DataDir) -> None:
    """One course with one FAQ entry; every other source is there and empty."""
    rows = {
        "course_cards": [dict.fromkeys(COURSE_CARDS.names) | {"course_id": "trees", "title": "Trees", "lang": "en"}],
        "faq": [
            dict.fromkeys(FAQ.names)
            | {"course_id": "trees", "origin_id": "due", "question": "When?", "answer": "Today.", "lang": "en"}
        ],
    }
    for name, schema in DBT_SOURCES.items():
        write_table(home.root / "lake" / name / "trees.parquet", rows.get(name, []), schema)


def test_build_docs_and_tests_pass_on_an_empty_home(home: DataDir) -> None:
    assert run_dbt(["build"]) == 0
    assert run_dbt(["docs", "generate"]) == 0
    assert run_dbt(["test"]) == 0
    made = home.dbt_output / "by_hand"
    # dbt-duckdb writes a row of nulls where there is none.
    assert [row for row in read_rows(made / "qa_pairs.parquet") if row["qa_id"] is not None] == []
    assert {path.stem for path in (made / "marts").iterdir()} == set(MARTS)
    exposures = json.loads((made / "target" / "manifest.json").read_text())["exposures"].values()
    assert {one["name"] for one in exposures} == {"search_index", "gateway", "evaluation"}
    assert (made / "target" / "catalog.json").is_file()
    assert not (home.root / "lake").exists(), "nothing is written where readers look"


def test_a_lake_that_is_whole_is_read_and_a_missing_one_is_empty(home: DataDir, tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    assert Path(variables(home, made)["lake"]).is_relative_to(made)
    assert {path.stem for path in Path(variables(home, made)["logs"]).iterdir()} == set(LOGS)
    write_lake(home)
    assert Path(variables(home, made)["lake"]) == home.root / "lake"


def test_what_is_there_is_read_where_one_source_is_missing_and_tests_pass_when_the_lake_is_whole(home: DataDir) -> None:
    write_lake(home)
    shutil.rmtree(home.tables_folder("concepts"))
    assert run_dbt(["build"]) == 0
    made = home.dbt_output / "by_hand" / "qa_pairs.parquet"
    assert [row["question"] for row in read_rows(made)] == ["When?"]
    assert not home.tables_folder("concepts").exists()
    write_lake(home)
    assert run_dbt(["build"]) == 0, "the links make way for the lake"
    assert run_dbt(["test", "--select", "qa_pairs"]) == 0
    assert [(row["source"], row["question"]) for row in read_rows(made)] == [("faq", "When?")]
    assert [field.name for field in read_table(made).schema] == QA_PAIRS.names


def test_of_the_same_pair_in_several_sources_the_one_stays_that_people_stand_behind_the_most(home: DataDir) -> None:
    write_lake(home)
    for best in range(len(SAME_PAIR_BY_TRUST)):
        course = f"from-{best}"
        rows = {"course_cards": {"title": course}, **dict(SAME_PAIR_BY_TRUST[best:])}
        for table, row in rows.items():
            schema = DBT_SOURCES[table]
            whole = dict.fromkeys(schema.names) | row | {"course_id": course, "lang": "en"}
            write_table(home.root / "lake" / table / f"{course}.parquet", [whole], schema)
    assert run_dbt(["build", "--select", "+qa_pairs"]) == 0
    found = {row["course_id"]: row for row in read_rows(home.dbt_output / "by_hand" / "qa_pairs.parquet")}
    assert found.keys() - {"trees"} == {f"from-{best}" for best in range(len(ORIGINS))}, "one pair of each course"
    for best, (source, origin) in enumerate(zip(SOURCES, ORIGINS, strict=True)):
        row = found[f"from-{best}"]
        assert (row["source"], row["origin_id"]) == (source, origin)
        others = zip(SOURCES[best + 1 :], ORIGINS[best + 1 :], strict=True)
        assert row["also_from"] == sorted(f"{other}:{where}" for other, where in others)


def test_a_pair_of_a_course_that_nobody_knows_is_named_with_what_is_amiss(home: DataDir) -> None:
    write_lake(home)
    entry = dict.fromkeys(FAQ.names) | {"course_id": "shrubs", "question": "When?", "answer": "Today.", "lang": "en"}
    write_table(home.root / "lake" / "faq" / "shrubs.parquet", [entry], FAQ)
    assert run_dbt(["build", "--select", "stg_courses", "stg_faq"]) != 0
    with duckdb.connect(str(home.dbt_output / "by_hand" / "coteach.duckdb")) as database:
        compiled = (home.dbt_output / "by_hand" / "target" / "compiled").rglob("whole_pairs_stg_faq*.sql")
        found = database.execute(next(compiled).read_text()).fetchall()
    assert [row[0] for row in found] == ["no origin_id, no such course"]


@pytest.mark.timeout(600)
def test_build_docs_and_tests_pass_on_a_built_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = copied(tmp_path_factory, write_every_source, "by hand")
    before = place.tables()
    monkeypatch.setenv("COTEACH_HOME", str(place.data_dir.root))
    assert [run_dbt(arguments) for arguments in (["build"], ["docs", "generate"], ["test"])] == [0, 0, 0]
    by_hand = place.data_dir.dbt_output / "by_hand" / "qa_pairs.parquet"
    assert read_rows(by_hand) == read_rows(place.data_dir.qa_pairs)
    served = {path: digest for path, digest in place.tables().items() if "by_hand" not in path}
    assert served == before, "nothing that answers students changes"


def test_a_column_that_is_added_to_a_mart_alone_breaks_its_contract(
    home: DataDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    project = shutil.copytree(DBT_PROJECT, tmp_path / "dbt", ignore=shutil.ignore_patterns("target"))
    mart = project / "models" / "marts" / "qa_pairs.sql"
    text = mart.read_text()
    assert text.count("    pairs.updated_at\n") == 1
    mart.write_text(text.replace("    pairs.updated_at\n", "    pairs.updated_at,\n    1 as votes\n"))
    monkeypatch.setattr(dbt_command, "DBT_PROJECT", project)
    write_lake(home)
    assert run_dbt(["run", "--select", "+qa_pairs"]) != 0
    assert "votes" in capfd.readouterr().out


def test_a_column_that_readers_do_not_know_is_not_dropped_without_a_word(home: DataDir) -> None:
    more = QA_PAIRS.append(pa.field("votes", pa.int64()))
    write_atomic(home.dbt_output / "qa_pairs.parquet", pa.Table.from_pylist([], schema=more))
    with pytest.raises(ColumnsDiffer, match=r"votes.*schemas\.py"):
        publish_qa_pairs(home)
    fewer = pa.schema([field for field in QA_PAIRS if field.name != "mode"])
    write_atomic(home.dbt_output / "qa_pairs.parquet", pa.Table.from_pylist([], schema=fewer))
    with pytest.raises(ColumnsDiffer, match="lacks the columns mode"):
        publish_qa_pairs(home)
    assert not home.qa_pairs.exists()
