"""Stage `evaluation`: Course Hero's experiments from simulated logs of their size, and the store's own."""

import dagster as dg

from assets.evaluation.feedback_marts import feedback_marts
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows
from orchestration.reporting.publishing import Made, publish
from orchestration.resources import Inputs
from serving.evaluation.logs.answer_experiments import LOST, experiments_table, own_results
from serving.evaluation.logs.experiment_designs import DESIGNS, simulate_trial, trial_results, without_some


class AnswerExperiments(dg.Config):
    """The draw of the simulated logs."""

    seed: int = 0


@dg.asset(deps=[feedback_marts], group_name="evaluation", kinds={"mlflow"}, owners=["team:ml"], code_version="2")
def answer_experiments(
    context: dg.AssetExecutionContext,
    config: AnswerExperiments,
    data_dir: dg.ResourceParam[DataDir],
    inputs: dg.ResourceParam[Inputs],
) -> dg.MaterializeResult:
    """Coverage, thumbs up and lifts by bucket, with the sample-ratio check (Course Hero 2.2, 2.4)."""
    designs = []
    for design in DESIGNS:
        logs = simulate_trial(design, config.seed)
        broken = without_some(logs, design.buckets[-1].name, LOST)
        designs.append((design, trial_results(logs), trial_results(broken)))
    path = data_dir.mart("experiment_buckets")
    table = experiments_table(designs, own_results(read_rows(path)))
    made = Made(table, made_of={"experiment_buckets": digest(path)}, params={"seed": str(config.seed)})
    return publish(context, made, data_dir=data_dir, inputs=inputs)
