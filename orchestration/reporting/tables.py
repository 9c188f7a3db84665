"""How assets tell Dagster what they wrote: rows, columns, data version, and the problems met on the way."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg
import pyarrow as pa
import pyarrow.parquet as pq

from knowledge_graph.graph.soundness import EdgeFindings
from knowledge_graph.labelling.analysis import FunctionReport
from knowledge_graph.lake.home import name_of
from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.schemas import FUNCTION_REPORTS
from knowledge_graph.lake.seals import seals_of
from knowledge_graph.lake.tables import Row, digest, write_table
from orchestration.building.courses import describe_gone
from orchestration.building.event_log import ALSO_WRITTEN, SEALS, URI
from orchestration.partitions import quiet_preview

if TYPE_CHECKING:
    import duckdb

CLEAN_INPUT = "input_is_clean"
"""Name of the check that carries the problems of an asset's input files."""

FOLDERS = "every_course_has_its_folder"
"""Name of the check of `graph` that names courses which were removed or renamed."""

Fact = Any
"""A metadata value; the alias Dagster has for what it takes is private."""

_SHOWN = 200
_SAMPLED = 5
_LONGEST_VALUE = 60


def clean_input_spec(asset: str, partitions: dg.PartitionsDefinition[str] | None = None) -> dg.AssetCheckSpec:
    """The check an asset that reads outside files must declare when it reports `problems`; its partitions are the
    asset's, so that a clean course does not hide another's defects."""
    with quiet_preview():
        return dg.AssetCheckSpec(
            CLEAN_INPUT,
            asset=asset,
            description="Every input file was read whole; each defect is named with its line.",
            partitions_def=partitions,
        )


def write_and_report(
    path: Path,
    rows: Iterable[Row],
    schema: pa.Schema,
    *,
    also: Sequence[Path] = (),
    metadata: Mapping[str, Fact] | None = None,
    problems: Sequence[Problem] | None = None,
) -> dg.MaterializeResult:
    """Write a table and return its materialization. `problems` other than None adds the `input_is_clean` check.

    `also` are files that the asset wrote beside the table.
    """
    count = write_table(path, rows, schema)
    return table_result(path, count, schema, also=also, metadata=metadata, problems=problems)


def table_result(
    path: Path,
    count: int,
    schema: pa.Schema,
    *,
    also: Sequence[Path] = (),
    metadata: Mapping[str, Fact] | None = None,
    problems: Sequence[Problem] | None = None,
) -> dg.MaterializeResult:
    """The materialization of a table that is written already, as are the files written `also`."""
    facts = table_facts(path, count, schema, *also)
    checks = []
    if problems is not None:
        facts |= problem_facts(problems)
        checks.append(clean_input_result(problems))
    return dg.MaterializeResult(
        metadata=facts | dict(metadata or {}), data_version=dg.DataVersion(digest(path)), check_results=checks
    )


def write_function_reports(path: Path, course_id: str, reports: Sequence[FunctionReport]) -> Path:
    """Write what a label model learnt of its functions and return the path."""
    write_table(path, [{"course_id": course_id, **asdict(report)} for report in reports], FUNCTION_REPORTS)
    return path


def edge_facts(findings: EdgeFindings) -> dict[str, Fact]:
    """What Dagster's pages show of a graph's soundness: of each defect how many there are, and the first."""
    return {
        "cycle": " → ".join(findings.cycle) or "none",
        "self_loops": show_ids(findings.self_loops),
        "dangling": show_ids([f"{a} → {b}" for a, b in findings.dangling]),
        "without_evidence": show_ids([f"{a} → {b}" for a, b in findings.without_evidence]),
        "not_opening_at_evidence": show_ids([f"{a} → {b}" for a, b in findings.not_opening]),
    }


def problem_facts(problems: Sequence[Problem]) -> dict[str, Fact]:
    """What Dagster's pages show of the defects met."""
    return {"problem_count": len(problems), "problems": problem_table(problems)}


def table_facts(path: Path, count: int, schema: pa.Schema, *also: Path) -> dict[str, Fact]:
    """What Dagster's pages show of every table."""
    facts = {"dagster/row_count": count, "dagster/column_schema": column_schema(schema), "sample": row_sample(path)}
    return facts | facts_of_files(path, *also)


def view_facts(database: Path, views: Iterable[str]) -> dict[str, dict[str, Fact]]:
    """What Dagster's pages show of views of a DuckDB file that nobody else has open, by name: rows, columns, the first
    rows. What cannot be read is left out; dbt has said why."""
    import duckdb  # noqa: PLC0415  see knowledge_graph/lake/database.py

    found: dict[str, dict[str, Fact]] = {}
    with suppress(duckdb.Error), duckdb.connect(str(database), read_only=True) as connection:
        for view in views:
            with suppress(duckdb.Error):
                found[view] = _of_relation(connection.sql(f'select * from "{view}"'))
    return found


def _of_relation(rows: "duckdb.DuckDBPyRelation") -> dict[str, Fact]:
    columns = [dg.TableColumn(name, str(kind)) for name, kind in zip(rows.columns, rows.types, strict=True)]
    return {
        "dagster/row_count": rows.count("*").fetchall()[0][0],
        "dagster/column_schema": dg.TableSchema(columns),
        "sample": _markdown_table(rows.columns, rows.limit(_SAMPLED).fetchall()),
    }


def row_sample(path: Path) -> dg.MarkdownMetadataValue:
    """The first rows of a table, values cut, as people read them in Dagster's pages."""
    batch = next(pq.ParquetFile(path).iter_batches(batch_size=_SAMPLED), None)
    rows = [tuple(row.values()) for row in batch.to_pylist()] if batch is not None else []
    return _markdown_table(batch.schema.names if batch is not None else [], rows)


def _markdown_table(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> dg.MarkdownMetadataValue:
    if not rows:
        return dg.MetadataValue.md("No rows.")
    lines = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    return dg.MetadataValue.md("\n".join([*lines, *(f"| {' | '.join(map(_value, row))} |" for row in rows)]))


def _value(value: object) -> str:
    text = "" if value is None else str(value)
    return escape(_cell(text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"), quote=False)


def facts_of_files(path: Path, *also: Path) -> dict[str, Fact]:
    """What the planner must know of the files and folders that an asset wrote: names in the home, and seals.

    No metadata holds a place on this machine: a home may be moved.
    """
    facts: dict[str, Fact] = {
        URI: name_of(path),
        SEALS: {name_of(each): {k: list(astuple(v)) for k, v in seals_of(each).items()} for each in (path, *also)},
    }
    return facts | ({ALSO_WRITTEN: [name_of(each) for each in also]} if also else {})


def column_schema(schema: pa.Schema) -> dg.TableSchema:
    return dg.TableSchema([dg.TableColumn(field.name, str(field.type)) for field in schema])


def clean_input_result(problems: Sequence[Problem]) -> dg.AssetCheckResult:
    """Passed when there is no problem. A problem never blocks: what could be read is used."""
    errors = sum(problem.severity == "error" for problem in problems)
    return dg.AssetCheckResult(
        check_name=CLEAN_INPUT,
        passed=not problems,
        severity=dg.AssetCheckSeverity.WARN,
        description="\n".join(str(problem) for problem in problems[:_SHOWN]) or None,
        metadata={"errors": errors, "warnings": len(problems) - errors},
    )


def folders_result(gone: Mapping[str, str | None]) -> dg.AssetCheckResult:
    """A warning when courses without a folder are still served."""
    return dg.AssetCheckResult(
        check_name=FOLDERS,
        asset_key=dg.AssetKey("graph"),
        passed=not gone,
        severity=dg.AssetCheckSeverity.WARN,
        description=describe_gone(gone),
        metadata={"without_a_folder": sorted(gone), "renamed": {each: new for each, new in gone.items() if new}},
    )


def folders_evaluation(gone: Mapping[str, str | None]) -> dg.AssetCheckEvaluation:
    """The same as an event of its own, for whoever finds out without a run."""
    result = folders_result(gone)
    return dg.AssetCheckEvaluation(
        asset_key=dg.AssetKey("graph"),
        check_name=FOLDERS,
        passed=result.passed,
        metadata=result.metadata,
        severity=result.severity,
        description=result.description,
    )


def problem_table(problems: Sequence[Problem]) -> dg.MarkdownMetadataValue:
    """The problems as people read them in Dagster's pages."""
    if not problems:
        return dg.MetadataValue.md("None.")
    lines = ["| file | line | what | what to do |", "|---|---|---|---|"]
    lines += [
        f"| {_cell(p.file)} | {p.line or ''} | {_cell(p.message)} | {_cell(p.remedy)} |" for p in problems[:_SHOWN]
    ]
    if len(problems) > _SHOWN:
        lines.append(f"\nand {len(problems) - _SHOWN} more")
    return dg.MetadataValue.md("\n".join(lines))


def show_ids(ids: Sequence[str]) -> dict[str, Fact]:
    """How many there are, and the first of them."""
    return {"count": len(ids), "first": list(ids[:_SHOWN])}


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
