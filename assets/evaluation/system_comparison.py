"""Stage `evaluation`: systems side by side, and what each part of the pipeline is worth."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import dagster as dg

from assets.evaluation.system_answers import system_answers
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from orchestration.reporting.publishing import Made, publish
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from serving.evaluation.systems.answered_systems import AnsweredSystem
    from serving.evaluation.tables import Table


@dg.asset(deps=[system_answers], group_name="evaluation", kinds={"mlflow"}, owners=["team:ml"], code_version="3")
def system_comparison(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """A row for each system: how much it answers, how right it is, what it cites, how long it takes."""
    from serving.evaluation.systems.system_table import comparison_table  # noqa: PLC0415

    return publish(context, _make_table(comparison_table, data_dir), data_dir=data_dir, inputs=inputs)


@dg.asset(deps=[system_answers], group_name="evaluation", kinds={"mlflow"}, owners=["team:ml"], code_version="3")
def system_ablations(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """A row for each part of the pipeline: the same questions with it and without it, and the difference."""
    from serving.evaluation.systems.system_table import ablation_table  # noqa: PLC0415

    return publish(context, _make_table(ablation_table, data_dir), data_dir=data_dir, inputs=inputs)


def _make_table(table: "Callable[[Sequence[AnsweredSystem]], Table]", data_dir: DataDir) -> Made:
    from serving.evaluation.systems.answered_systems import read_systems  # noqa: PLC0415

    paths = data_dir.systems_answered
    return Made(table(read_systems(paths)), {path.stem: digest(path) for path in paths})
