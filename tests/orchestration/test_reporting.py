"""How an asset tells Dagster what it wrote."""

from pathlib import Path

import dagster as dg
import pyarrow as pa

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.schemas import CUES
from knowledge_graph.lake.tables import digest
from orchestration.reporting.tables import (
    CLEAN_INPUT,
    clean_input_result,
    column_schema,
    problem_table,
    write_and_report,
)

SCHEMA = pa.schema([("name", pa.string()), ("count", pa.int32())])
EMPTY = Problem("01.srt", None, "The file is empty.", "Remove it.")
CUT = Problem("02.srt", 7, "The last cue | is cut.", "Fetch it again.", "warning")


def test_columns_are_told_with_their_types() -> None:
    columns = column_schema(SCHEMA).columns
    assert [(column.name, column.type) for column in columns] == [("name", "string"), ("count", "int32")]
    assert [column.name for column in column_schema(CUES).columns] == CUES.names


def test_a_table_is_reported_with_rows_place_and_the_digest_of_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "lake" / "t.parquet"
    result = write_and_report(path, [{"name": "a", "count": 1}, {"name": "b", "count": 2}], SCHEMA)
    assert result.metadata is not None
    assert result.metadata["dagster/row_count"] == 2
    assert result.metadata["dagster/uri"] == "lake/t.parquet"  # a home may be moved
    assert result.data_version == dg.DataVersion(digest(path))
    assert not result.check_results


def test_equal_rows_have_the_same_data_version_wherever_they_are_written(tmp_path: Path) -> None:
    rows = [{"name": "a", "count": 1}]
    versions = [write_and_report(tmp_path / name, rows, SCHEMA).data_version for name in ("one", "two")]
    assert versions[0] == versions[1]
    assert write_and_report(tmp_path / "three", [*rows, *rows], SCHEMA).data_version != versions[0]


def test_problems_make_a_warning_that_names_file_and_line_and_blocks_nothing(tmp_path: Path) -> None:
    result = write_and_report(tmp_path / "t.parquet", [], SCHEMA, problems=[EMPTY, CUT])
    (check,) = result.check_results or []
    assert (check.check_name, check.passed, check.severity) == (CLEAN_INPUT, False, dg.AssetCheckSeverity.WARN)
    assert check.description == (
        "01.srt: The file is empty. Remove it.\n02.srt:7: The last cue | is cut. Fetch it again."
    )
    assert {name: value.value for name, value in check.metadata.items()} == {"errors": 1, "warnings": 1}


def test_clean_input_passes_and_says_nothing() -> None:
    check = clean_input_result([])
    assert (check.passed, check.description) == (True, None)


def test_the_table_of_problems_keeps_its_columns_whatever_the_message_holds() -> None:
    assert (problem_table([EMPTY, CUT]).md_str or "").splitlines() == [
        "| file | line | what | what to do |",
        "|---|---|---|---|",
        "| 01.srt |  | The file is empty. | Remove it. |",
        "| 02.srt | 7 | The last cue \\| is cut. | Fetch it again. |",
    ]


def test_no_problems_are_said_to_be_none() -> None:
    assert problem_table([]).md_str == "None."


def test_a_flood_of_problems_is_cut_and_counted() -> None:
    flood = [Problem("01.srt", line, "Times run backwards.", "Swap them.") for line in range(1, 251)]
    lines = (problem_table(flood).md_str or "").splitlines()
    assert lines[-1] == "and 50 more"
    assert len((clean_input_result(flood).description or "").splitlines()) == 200
    assert clean_input_result(flood).metadata["errors"].value == 250


def test_the_first_rows_are_shown_with_their_values_cut_and_no_markup(tmp_path: Path) -> None:
    rows = [{"name": f"<b>a|b</b>\n{'x' * 90}", "count": None}, *({"name": "row", "count": n} for n in range(30))]
    result = write_and_report(tmp_path / "t.parquet", rows, SCHEMA)
    assert result.metadata is not None
    shown = result.metadata["sample"].value.splitlines()
    assert shown[:2] == ["| name | count |", "|---|---|"]
    assert len(shown) == 2 + 5
    assert shown[2].startswith("| &lt;b&gt;a\\|b&lt;/b&gt; xx")
    assert shown[2].endswith("…  |  |") or shown[2].endswith("… |  |")


def test_a_table_without_rows_says_so(tmp_path: Path) -> None:
    result = write_and_report(tmp_path / "t.parquet", [], SCHEMA)
    assert result.metadata is not None
    assert result.metadata["sample"].value == "No rows."
