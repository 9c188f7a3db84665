"""Stage `evaluation`: LittleMu's Figure 3b, of the store's logs once it has some, before that of simulated ones."""

from typing import Literal

import dagster as dg

from assets.evaluation.feedback_marts import feedback_marts, simulated_marts
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows
from orchestration.building.courses import EVALUATION_FILES
from orchestration.reporting.publishing import Made, Picture, publish
from orchestration.resources import Inputs
from serving.evaluation.logs.log_design import LogDesign
from serving.evaluation.logs.releases import DatedRelease, read_releases

_MARTS = ("sessions_over_time", "satisfaction_over_time")


class UseOverTime(dg.Config):
    """What a row of the table is."""

    period: Literal["week", "month"] = "month"


@dg.asset(
    deps=[feedback_marts, simulated_marts, EVALUATION_FILES],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="2",
)
def use_over_time(
    context: dg.AssetExecutionContext,
    config: UseOverTime,
    data_dir: dg.ResourceParam[DataDir],
    inputs: dg.ResourceParam[Inputs],
) -> dg.MaterializeResult:
    """Mean session rounds and satisfaction by period with releases marked (LittleMu, Figure 3b)."""
    from serving.evaluation.logs.use_over_time import CAPTION, use_by_period, use_picture, use_table  # noqa: PLC0415

    simulated = not read_rows(data_dir.mart(_MARTS[0]))
    paths = {name: data_dir.mart(name, simulated=simulated) for name in _MARTS}
    sessions, satisfaction = (read_rows(path) for path in paths.values())
    use = use_by_period(sessions, satisfaction, config.period)
    releases = _releases(inputs, simulated=simulated)
    made = Made(
        use_table(use, releases, period=config.period, simulated=simulated),
        made_of={name: digest(path) for name, path in paths.items()} | _digest_of_releases(inputs, simulated=simulated),
        pictures={
            "use_over_time.png": Picture(
                f"{'Simulated logs. ' if simulated else ''}{CAPTION}",
                use_picture(use, releases, simulated=simulated),
            )
        },
        params={"period": config.period, "simulated": str(simulated).lower()},
    )
    return publish(context, made, data_dir=data_dir, inputs=inputs)


def _releases(inputs: Inputs, *, simulated: bool) -> tuple[DatedRelease, ...]:
    """Simulated logs have a release of their own."""
    if simulated:
        return (DatedRelease(LogDesign.released, "generation"),)
    return read_releases(inputs.evaluation.releases) if inputs.evaluation.releases else ()


def _digest_of_releases(inputs: Inputs, *, simulated: bool) -> dict[str, str]:
    path = None if simulated else inputs.evaluation.releases
    return {"releases": digest(path)} if path else {}
