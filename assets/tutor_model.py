"""Stage `model_exam`: the small language model, fine-tuned on the home's own courses. Optional: only a person starts it
(`coteach model tune`, job `tutor_build`), for it takes minutes of every core, and what it makes is served by nobody
until a server is started with it and it has passed its exam.
"""

from typing import TYPE_CHECKING

import dagster as dg
from pydantic import Field

from assets.albert_pretrained import log_progress
from assets.exam_questions import exam_questions
from assets.search_index import search_index
from knowledge_graph.lake.home import DataDir
from orchestration.partitions import HOME_POOL
from orchestration.project import model_folder
from orchestration.reporting.tables import facts_of_files
from serving.settings import ModelServerSettings

if TYPE_CHECKING:
    from models.tutor.fine_tuning import TutorReport


class TutorTraining(dg.Config):
    """What a person can choose in Dagster's launchpad for one run."""

    base: str = Field("", description="Model to fine-tune: a folder or a hub's id; default the one of COTEACH_LLM.")
    minutes: float = Field(10.0, gt=0, description="Longest time to learn.")
    epochs: int = Field(1, ge=1, description="Passes over the lessons, if there is time.")


@dg.asset(
    deps=[exam_questions, search_index],
    group_name="model_exam",
    kinds={"torch", "mlflow"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="1",
)
def tutor_model(
    context: dg.AssetExecutionContext, config: TutorTraining, data_dir: dg.ResourceParam[DataDir]
) -> dg.MaterializeResult:
    """LoRA on pairs of evidence and approved or composed answers, merged into a model that any server serves."""
    from models.tutor.fine_tuning import TutorSettings  # noqa: PLC0415  torch and peft take 10 s
    from serving.exam.tutoring import teach_tutor, tutor_figures  # noqa: PLC0415

    taught = teach_tutor(
        data_dir,
        base=config.base or model_folder(ModelServerSettings()),
        settings=TutorSettings(epochs=config.epochs, max_minutes=config.minutes),
        told=context.log.info,
        on_progress=lambda progress: log_progress(context, progress),
    )
    return dg.MaterializeResult(
        metadata={
            **facts_of_files(taught.folder),
            "next": dg.MetadataValue.md(_next(taught.report, str(taught.folder))),
            "mlflow": taught.run.url_path,
            "registered_version": taught.run.model_version,
            "device": taught.report.device,
            "stopped_by_time": taught.report.stopped_by_time,
            **tutor_figures(taught.report),
        },
        data_version=dg.DataVersion(taught.report.version),
    )


def _next(report: "TutorReport", folder: str) -> str:
    return (
        f"`coteach model examine {folder}` examines it; `COTEACH_LLM={folder}` serves it, and then it is examined as "
        f"any model is. Learnt from {report.lessons} lessons; what rests on the same evidence is not in its exam."
    )
