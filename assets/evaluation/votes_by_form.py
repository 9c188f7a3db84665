"""Stage `evaluation`: thumbs by form of question and their reasons, of simulated logs and of the store's."""

import dagster as dg

from assets.evaluation.feedback_marts import feedback_marts, simulated_marts
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows
from orchestration.reporting.publishing import Made, publish
from orchestration.resources import Inputs
from serving.evaluation.logs.log_design import LogDesign
from serving.evaluation.logs.votes_by_form import Votes, votes_table

_MARTS = ("thumbs_over_time", "vote_reasons")


@dg.asset(
    deps=[feedback_marts, simulated_marts],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def votes_by_form(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Multiple choice against free response, with options against without, and the reasons (Course Hero 1, 2.3)."""
    table = votes_table(_votes(data_dir, simulated=True), _votes(data_dir, simulated=False))
    made_of = {
        f"{'simulated' if simulated else 'store'}.{name}": digest(data_dir.mart(name, simulated=simulated))
        for simulated in (True, False)
        for name in _MARTS
    }
    return publish(context, Made(table, made_of), data_dir=data_dir, inputs=inputs)


def _votes(data_dir: DataDir, *, simulated: bool) -> Votes:
    thumbs, reasons = (read_rows(data_dir.mart(name, simulated=simulated)) for name in _MARTS)
    return Votes(thumbs, reasons, LogDesign.released if simulated else None)
