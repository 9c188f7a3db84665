"""Stage `model_exam`: whether the served language model may write, told to MLflow.

Only a person starts it (job `exam_build`): it takes a model server. A gateway holds the same exam by itself.
"""

import asyncio
from typing import TYPE_CHECKING

import dagster as dg

from assets.exam_questions import exam_questions
from assets.search_index import search_index
from knowledge_graph.lake.home import DataDir, name_of
from knowledge_graph.lake.tables import digest

if TYPE_CHECKING:
    from serving.exam.admission import Admission


@dg.asset(
    deps=[exam_questions, search_index],
    group_name="model_exam",
    kinds={"vllm", "mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def model_admission(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """For which languages and kinds of question the model of `COTEACH_LLM_URL` may write, with every mark."""
    from serving.exam.examiner import figures  # noqa: PLC0415
    from serving.exam.sitting import hold_exam  # noqa: PLC0415  the gateway's client libraries: 1.5 s
    from serving.exam.tracking import log_exam  # noqa: PLC0415

    found, path = asyncio.run(hold_exam(data_dir, told=context.log.info))
    run = log_exam(found, data_dir=data_dir)
    return dg.MaterializeResult(
        metadata={
            "model": found.model,
            "result": found.summary,
            "refused": dg.MetadataValue.md(_refusal_reasons(found)),
            "mlflow": run.url_path,
            "file": name_of(path),
            **dict(figures(found)),
        },
        data_version=dg.DataVersion(digest(path)),
    )


def _refusal_reasons(found: "Admission") -> str:
    return "\n".join(f"- {one.lang} {one.kind}: {'; '.join(one.reasons)}" for one in found.standings if one.reasons)
