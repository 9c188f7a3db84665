"""Stage `evaluation`: LittleMu's Table 4 with our systems as rows. matplotlib is imported inside, for it takes 1 s."""

import dagster as dg

from assets.evaluation.system_answers import system_answers
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from orchestration.reporting.publishing import Made, Picture, publish
from orchestration.resources import Inputs


@dg.asset(
    deps=[system_answers],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="2",
)
def rouge_table(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """ROUGE-1/2/L F1 of every system that answered, for simple, complex and all questions, beside the printed rows."""
    from serving.evaluation.figures import draw  # noqa: PLC0415
    from serving.evaluation.systems import rouge_table as core  # noqa: PLC0415
    from serving.evaluation.systems.answered_systems import read_systems  # noqa: PLC0415

    paths = data_dir.systems_answered
    table = core.rouge_table(read_systems(paths))
    picture = Picture(
        "ROUGE-L of answers with 95% intervals, beside what LittleMu's Table 4 prints for other questions.",
        draw(core.painter(table), height=1.2 + 0.26 * len(table.rows)),
    )
    made_of = {path.stem: digest(path) for path in paths}
    return publish(context, Made(table, made_of, {"littlemu_4.png": picture}), data_dir=data_dir, inputs=inputs)
