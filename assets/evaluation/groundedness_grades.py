"""Stage `evaluation`: how well the groundedness grader tells supported answers from others, on gold of the courses.

What grades is imported inside: `serving` takes a second, MLflow four.
"""

from dataclasses import asdict
from typing import TYPE_CHECKING

import dagster as dg

from assets.evaluation.evaluation_sets import evaluation_sets
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from orchestration.building.courses import ANSWERING
from orchestration.reporting.publishing import Made, publish
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from serving.evaluation.sets.groundedness_table import GradedAnswer

_SHOWN = 20
"""Answers that a check names."""


@dg.asset(
    deps=[evaluation_sets, ANSWERING],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="2",
)
def groundedness_grades(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """The grader's score of every answer of `gold/groundedness.jsonl` beside what people say of it, and of 272 facts
    and falsehoods in two languages that were written by hand."""
    from models.tracking.recording import DataSet  # noqa: PLC0415
    from serving.evaluation.sets.groundedness_pairs import PROBES  # noqa: PLC0415
    from serving.evaluation.sets.groundedness_table import grader_version, groundedness_table  # noqa: PLC0415

    path, graded = data_dir.evaluation_set("groundedness"), _read_grades(data_dir)
    made_of = {"groundedness": digest(path), "probes": digest(PROBES), "weights": grader_version()}
    sets = [DataSet.of_rows("groundedness", [asdict(one) for one in graded])]
    made = Made(groundedness_table(graded), made_of, data_sets=sets)
    return publish(context, made, data_dir=data_dir, inputs=inputs)


@dg.asset_check(asset=groundedness_grades)
def the_grader_is_never_certainly_wrong(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """No answer or probe is graded otherwise than people say, so certainly that no model would be asked. Warns."""
    wrong = [one.id for one in _read_grades(data_dir) if one.is_certainly_wrong]
    return dg.AssetCheckResult(
        passed=not wrong,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"Certain, and otherwise than people say: {', '.join(wrong[:_SHOWN])}." if wrong else None,
        metadata={"certainly_wrong": len(wrong)},
    )


def _read_grades(data_dir: DataDir) -> "tuple[GradedAnswer, ...]":
    from serving.evaluation.sets.evaluation_sets import read_groundedness  # noqa: PLC0415
    from serving.evaluation.sets.groundedness_table import grade_all, grade_probes  # noqa: PLC0415

    return (*grade_all(read_groundedness(data_dir.evaluation_set("groundedness"))), *grade_probes())
