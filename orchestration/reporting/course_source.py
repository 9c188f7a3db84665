"""`course_source`: the asset of one kind of input file, and the Great Expectations check that guards it.

FAQ, replies, catalogues and documents differ in what reads them and what must hold, in nothing else.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg
import pyarrow as pa
from sqlalchemy.orm import Session

from knowledge_graph.lake.data_docs import keep_validation, page_of
from knowledge_graph.lake.expectations import Expectation, FailingRow, Unmet, Validation, failing_rows, validate
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import CourseCard, from_row, to_row
from knowledge_graph.lake.source_kinds import INPUT_KINDS, CourseTable, InputKind
from knowledge_graph.lake.source_reports import keep_report
from knowledge_graph.lake.tables import digest, read_rows, write_table
from knowledge_graph.sources.course import CourseFolder
from knowledge_graph.sources.course_files.reading import digests_by_file
from knowledge_graph.sources.own_expectations import read_own_expectations
from orchestration.building.courses import files_key
from orchestration.building.decisions import existing_store, show_url
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, courses, quiet_preview
from orchestration.reporting.tables import clean_input_result, clean_input_spec, problem_facts, table_facts
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True)
class Reading:
    """What a reader may use. `log` takes a line of progress."""

    course_id: str
    data_dir: DataDir
    inputs: Inputs
    log: Callable[[str], None]

    @property
    def card(self) -> CourseCard:
        """The card as `course_card` wrote it."""
        return read_card(self.data_dir, self.course_id)

    @property
    def folder(self) -> CourseFolder:
        """The course's files."""
        return self.inputs.course(self.course_id)


@dataclass(frozen=True)
class Read:
    """What a reader found: records, what was wrong, and what else Dagster's pages should show."""

    records: "Sequence[DataclassInstance]"
    problems: Sequence[Problem] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


Reader = Callable[[Reading], Read]


def of_files(
    read: "Callable[[CourseFolder, CourseCard], tuple[Sequence[DataclassInstance], Sequence[Problem]]]",
) -> Reader:
    """A reader of a course's files alone."""
    return lambda reading: Read(*read(reading.folder, reading.card))


def of_store(table: CourseTable, kind: type, read: Callable[[Session, str], Read]) -> Reader:
    """A reader of a course's part of the store. A store that is gone takes nothing away: the rows stay, told."""

    def reader(reading: Reading) -> Read:
        url = reading.inputs.store_url
        with existing_store(url) as store:
            if store is not None:
                return store.read(lambda db: read(db, reading.course_id))
        published = reading.data_dir.table(table, reading.course_id)
        kept: list[DataclassInstance] = (
            [from_row(kind, row) for row in read_rows(published)] if published.is_file() else []
        )
        message = f"There is no store; what was read of it before ({len(kept)} rows) was kept."
        remedy = "Bring it back, or name it in COTEACH_STORE_URL."
        return Read(kept, [Problem(show_url(url), None, message, remedy, "warning")] if kept else [])

    return reader


_ROWS_SHOWN = 20

SUITES = set[str]()
"""The tables that have a suite, so that a team can add to it: those of every `course_source`."""


def read_card(data_dir: DataDir, course_id: str) -> CourseCard:
    """The card as `course_card` wrote it."""
    return from_row(CourseCard, read_rows(data_dir.table("course_cards", course_id))[0])


def course_source(
    name: CourseTable,
    *,
    group: str,
    description: str,
    read: Reader,
    schema: pa.Schema,
    expectations: Sequence[Expectation],
    deps: Sequence[str | dg.AssetKey] = (),
    code_version: str = "3",
) -> dg.AssetsDefinition:
    """The asset `name` per course with its two checks.

    Rows are published when they meet the expectations.
    Otherwise the check fails and blocks, and what was published before stays: dbt reads every course's file, so a
    refused row must not be in it.
    """
    SUITES.add(name)
    meets = f"{name}_meets_expectations"
    with quiet_preview():
        guard = dg.AssetCheckSpec(
            meets,
            asset=name,
            description="Great Expectations over every row, before dbt reads them.",
            blocking=True,
            partitions_def=courses,
        )

    @dg.asset(
        name=name,
        description=description,
        deps=[*([files_key(name)] if name in INPUT_KINDS else []), files_key("expectations"), "course_card", *deps],
        check_specs=[clean_input_spec(name, courses), guard],
        partitions_def=courses,
        group_name=group,
        kinds={"parquet"},
        owners=["team:teaching"],
        pool=HOME_POOL,
        code_version=code_version,
    )
    @unless_unchanged
    def source(
        context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
    ) -> dg.MaterializeResult:
        course_id = context.partition_key
        found = read(Reading(course_id, data_dir, inputs, context.log.info))
        staged, published = data_dir.staging_file(name, course_id, context.run_id), data_dir.table(name, course_id)
        count = write_table(staged, [to_row(record) for record in found.records], schema)
        version = digest(staged)
        own = read_own_expectations(inputs.course(course_id), SUITES)
        problems = [*found.problems, *own.problems.get(name, ())]
        suite = [*expectations, *own.by_table.get(name, ())]
        verdict = _verdict(staged, suite, name=meets, kept=data_dir.validation(name, course_id), inputs=inputs)
        if verdict.passed or verdict.severity == dg.AssetCheckSeverity.WARN:
            published.parent.mkdir(parents=True, exist_ok=True)
            staged.replace(published)
        keep_report(
            data_dir,
            name,
            course_id,
            digests=digests_by_file(inputs.course(course_id), *_kinds_of(name)),
            records=_records_by_file(found.records),
            problems=problems,
            refused=verdict.description if not published.exists() or staged.exists() else None,
        )
        return dg.MaterializeResult(
            metadata=_facts(published, count, schema) | problem_facts(problems) | dict(found.facts),
            data_version=dg.DataVersion(version),
            check_results=[clean_input_result(problems), verdict],
        )

    return source


def _kinds_of(name: CourseTable) -> tuple[InputKind, ...]:
    """What files a source reads. Items of graded work are named by the card, and some lie in `gold/`."""
    own = tuple(kind for kind in INPUT_KINDS if kind == name)
    return ("card", "gold") if name == "graded_items" else own


def _records_by_file(records: "Sequence[DataclassInstance]") -> dict[str, int]:
    """How many came of each file, for records that say so."""
    named = (getattr(record, "file", None) or getattr(record, "document", None) for record in records)
    return dict(sorted(Counter(str(name) for name in named if name).items()))


def _facts(published: Path, count: int, schema: pa.Schema) -> dict[str, Any]:
    """The facts of the published table; a table whose first rows were refused has none but that."""
    return table_facts(published, count, schema) if published.exists() else {"dagster/row_count": 0}


def _verdict(
    path: Path, expectations: Sequence[Expectation], *, name: str, kept: Path, inputs: Inputs
) -> dg.AssetCheckResult:
    """Run a suite over a table, and keep what Great Expectations says of it for its data docs."""
    validation = validate(path, expectations)
    when = keep_validation(kept, validation)
    result = expectation_result(path, expectations, validation, name=name)
    if when is None:
        return result
    page = f"{inputs.data_docs_url.rstrip('/')}/{page_of(kept, when)}"
    return result._replace(metadata={**result.metadata, "data_docs": dg.MetadataValue.url(page)})


def expectation_result(
    path: Path, expectations: Sequence[Expectation], validation: Validation | None, *, name: str
) -> dg.AssetCheckResult:
    """The failing rows of a table, listed by key, place and value; a warning when no critical expectation failed."""
    unmet = validation.unmet if validation else ()
    is_critical = any(one.is_critical for one in unmet)
    failing = {one: failing_rows(path, one, limit=_ROWS_SHOWN) for one in unmet}
    facts: dict[str, Any] = {
        "expectations": len(expectations),
        "unmet": len(unmet),
        "failing_rows": sum(len(one.rows) for one in unmet),
    }
    if unmet:
        facts["rows"] = dg.MetadataValue.md(_row_table(failing))
    return dg.AssetCheckResult(
        check_name=name,
        passed=not unmet,
        severity=dg.AssetCheckSeverity.ERROR if is_critical or not unmet else dg.AssetCheckSeverity.WARN,
        description="\n".join(_describe(one, rows) for one, rows in failing.items()) or None,
        metadata=facts,
    )


def _describe(unmet: Unmet, rows: Sequence[FailingRow]) -> str:
    more = f" and {len(unmet.rows) - len(rows):,} more" if len(unmet.rows) > len(rows) else ""
    return f"{unmet.expectation} on {unmet.column}: {'; '.join(map(str, rows)) or unmet.reason or 'rows unknown'}{more}"


def _row_table(failing: Mapping[Unmet, Sequence[FailingRow]]) -> str:
    lines = ["| expectation | read from | key | found |", "|---|---|---|---|"]
    for unmet, rows in failing.items():
        for row in rows:
            key, found = (", ".join(f"{k} {v}" for k, v in told.items()) for told in (row.key, row.values))
            cells = (f"{unmet.expectation} on {unmet.column}", row.place or "", key, found)
            lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(lines)
