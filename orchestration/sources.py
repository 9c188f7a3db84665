"""`course_source`: the asset of one kind of input file, and the Great Expectations check that guards it.

FAQ, search replies and documents differ in what reads them and what must hold, in nothing else.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg
import pyarrow as pa

from knowledge_graph.expectations import Expectation, unmet_expectations
from knowledge_graph.home import CourseTable, DataDir
from knowledge_graph.lake import read_rows
from knowledge_graph.problems import Problem
from knowledge_graph.records import CourseCard, from_row
from knowledge_graph.sources.course import CourseFolder
from orchestration.automation import per_course
from orchestration.courses import files_key
from orchestration.partitions import course_check, courses
from orchestration.reporting import clean_input_spec, write_and_report
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Reader = Callable[[CourseFolder, CourseCard], "tuple[Sequence[DataclassInstance], Sequence[Problem]]"]

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
) -> tuple[dg.AssetsDefinition, dg.AssetChecksDefinition]:
    """The asset `name` per course and its blocking check."""

    @dg.asset(
        name=name,
        description=description,
        deps=[files_key(name), "course_card"],
        check_specs=[clean_input_spec(name, courses)],
        partitions_def=courses,
        group_name=group,
        kinds={"parquet"},
        owners=["team:teaching"],
        automation_condition=per_course,
        code_version="1",
    )
    def source(
        context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
    ) -> dg.MaterializeResult:
        course_id = context.partition_key
        records, problems = read(inputs.course(course_id), read_card(data_dir, course_id))
        return write_and_report(
            data_dir.table(name, course_id), [asdict(record) for record in records], schema, problems=problems
        )

    @course_check(
        source,
        name=f"{name}_meets_expectations",
        description="Great Expectations over every row, before dbt reads them.",
    )
    def guard(context: dg.AssetCheckExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
        return expectation_result(data_dir.table(name, context.partition_key), expectations)

    return source, guard


def expectation_result(path: Path, expectations: Sequence[Expectation]) -> dg.AssetCheckResult:
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
    return dg.AssetCheckResult(passed=not unmet, description="\n".join(lines) or None, metadata=facts)
