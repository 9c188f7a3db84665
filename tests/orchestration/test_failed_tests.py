"""What is shown of tests of dbt that failed, asked of a database that dbt would leave."""

from pathlib import Path
from typing import Any

import dagster as dg
import duckdb
import pytest

from orchestration.reporting.failed_tests import with_failing_rows

MANIFEST: dict[str, Any] = {
    "nodes": {
        "model.coteach.pairs": {"relation_name": '"coteach"."main"."pairs"'},
        "test.coteach.not_null": {
            "package_name": "coteach",
            "original_file_path": "models/models.yml",
            "path": "not_null.sql",
            "column_name": "answer",
            "attached_node": "model.coteach.pairs",
        },
        "test.coteach.unique": {
            "package_name": "coteach",
            "original_file_path": "models/models.yml",
            "path": "unique.sql",
            "column_name": "qa_id",
            "attached_node": "model.coteach.pairs",
        },
        "test.coteach.lost": {
            "package_name": "coteach",
            "original_file_path": "tests/lost.sql",
            "path": "lost.sql",
            "column_name": None,
            "attached_node": None,
        },
    }
}
COMPILED = {
    "models/models.yml/not_null.sql": "select answer from pairs where answer is null",
    "models/models.yml/unique.sql": "select qa_id as unique_field, count(*) as n_records from pairs group by qa_id "
    "having count(*) > 1;\n",
    "tests/lost.sql": "select 3 as staged, 2 as published",
}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "coteach.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table pairs (qa_id varchar, reviewer varchar, question varchar, answer varchar)")
        rows = [["a", None, "Wh|y?", None], ["b", None, "How?\nSo?", "x" * 99], ["b", None, "When?", "Now."]]
        connection.executemany("insert into pairs values (?, ?, ?, ?)", rows)
    for name, sql in COMPILED.items():
        file = tmp_path / "target" / "compiled" / "coteach" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(sql)
    return path


def found(database: Path, test: str) -> tuple[str, str]:
    """What the command line tells, and the table that Dagster shows."""
    failed = dg.AssetCheckResult(passed=False, check_name=test, metadata={"unique_id": f"test.coteach.{test}"})
    (one,) = with_failing_rows([failed], MANIFEST, target=database.parent / "target", database=database)
    return one.description or "", str(one.metadata["rows"].value) if "rows" in one.metadata else ""


def test_a_row_without_a_value_is_named_by_what_else_it_says(database: Path) -> None:
    told, table = found(database, "not_null")
    assert told == "qa_id a, question Wh|y?, answer null"
    assert table.splitlines() == ["| qa_id | question | answer |", "| --- | --- | --- |", "| a | Wh\\|y? | null |"]


def test_every_row_of_a_doubled_key_is_shown_with_its_values_cut(database: Path) -> None:
    told, table = found(database, "unique")
    assert told.splitlines()[0].startswith("question How? So?, answer xxxx")
    assert told.splitlines()[0].endswith("x …, qa_id b")
    assert len(table.splitlines()) == 4


def test_a_test_of_no_column_shows_what_it_found(database: Path) -> None:
    assert found(database, "lost")[0] == "staged 3, published 2"


def test_a_database_that_cannot_be_asked_changes_nothing(database: Path) -> None:
    database.write_bytes(b"no database")
    assert found(database, "lost") == ("", "")
