"""`course_source`: the asset of one kind of input file, and the Great Expectations check that guards it.

FAQ, replies, catalogues and documents differ in what reads them and what must hold, in nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg
import pyarrow as pa
from sqlalchemy.orm import Session

from knowledge_graph.expectations import Expectation, unmet_expectations
from knowledge_graph.home import CourseTable, DataDir
from knowledge_graph.lake import digest, read_rows, write_table
from knowledge_graph.problems import Problem
from knowledge_graph.records import CourseCard, from_row
from knowledge_graph.sources.course import CourseFolder
from orchestration.automation import per_course, read_each_night
from orchestration.courses import INPUT_KINDS, files_key
from orchestration.decisions import existing_store, shown_url
from orchestration.partitions import courses, quiet_preview
from orchestration.reporting import clean_input_result, clean_input_spec, problem_facts, table_facts
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
        return Read(kept, [Problem(shown_url(url), None, message, remedy, "warning")] if kept else [])

    return reader


_ROWS_SHOWN = 20


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
    nightly: bool = False,
    code_version: str = "2",
) -> dg.AssetsDefinition:
    """The asset `name` per course with its two checks.

    A `nightly` one is overdue when no schedule has read it again. Rows are published when they meet the expectations.
    Otherwise the check fails and blocks, and what was published before stays: dbt reads every course's file, so a
    refused row must not be in it.
    """
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
        deps=[*([files_key(name)] if name in INPUT_KINDS else []), "course_card", *deps],
        check_specs=[clean_input_spec(name, courses), guard],
        partitions_def=courses,
        group_name=group,
        kinds={"parquet"},
        owners=["team:teaching"],
        automation_condition=per_course,
        freshness_policy=read_each_night if nightly else None,
        code_version=code_version,
    )
    def source(
        context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
    ) -> dg.MaterializeResult:
        course_id = context.partition_key
        found = read(Reading(course_id, data_dir, inputs, context.log.info))
        staged, published = data_dir.staged(name, course_id), data_dir.table(name, course_id)
        count = write_table(staged, [asdict(record) for record in found.records], schema)
        version = digest(staged)
        verdict = expectation_result(staged, expectations, name=meets)
        if verdict.passed:
            published.parent.mkdir(parents=True, exist_ok=True)
            staged.replace(published)
        return dg.MaterializeResult(
            metadata=table_facts(published, count, schema) | problem_facts(found.problems) | dict(found.facts),
            data_version=dg.DataVersion(version),
            check_results=[clean_input_result(found.problems), verdict],
        )

    return source


def expectation_result(path: Path, expectations: Sequence[Expectation], *, name: str) -> dg.AssetCheckResult:
    """Run a Great Expectations suite over a table; the failing rows are listed."""
    unmet = unmet_expectations(path, expectations)
    lines = [
        f"{one.expectation} on {one.column}: rows {', '.join(map(str, one.rows[:_ROWS_SHOWN])) or 'unknown'}"
        f"{' …' if len(one.rows) > _ROWS_SHOWN else ''}"
        for one in unmet
    ]
    facts: dict[str, Any] = {
        "expectations": len(expectations),
        "unmet": len(unmet),
        "failing_rows": sum(len(one.rows) for one in unmet),
    }
    return dg.AssetCheckResult(check_name=name, passed=not unmet, description="\n".join(lines) or None, metadata=facts)
