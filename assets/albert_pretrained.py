"""Stage `intent`: the encoder that the intent model starts from.

torch and transformers are imported inside the asset: 5 to 15 s and 600 MB that every other use of the definitions,
Dagster's own servers among them, would pay for nothing.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import dagster as dg

from assets.intent_examples import intent_examples, read_examples
from assets.subtitles import subtitles
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import read_rows
from orchestration.building.staleness import WHEN_MISSING
from orchestration.partitions import HOME_POOL
from orchestration.reporting.tables import facts_of_files
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from models.progress import TrainingProgress


def log_progress(context: dg.AssetExecutionContext, progress: "TrainingProgress") -> None:
    """A line of a training's progress in the run's log."""
    figures = ", ".join(f"{name} {value:.3f}" for name, value in progress.figures.items())
    context.log.info(f"{progress.phase} {progress.done}/{progress.total}: {figures}")


def tell_origin(context: dg.AssetExecutionContext, *, was_kept: bool) -> None:
    """Say where a trained model comes from."""
    if was_kept:
        context.log.info("taken from the same training, done before on this machine; `coteach build --retrain` trains")
    else:
        context.log.info("trained now")


@dg.asset(
    deps=[subtitles, intent_examples],
    group_name="intent",
    kinds={"huggingface", "torch", "mlflow"},
    owners=["team:ml"],
    pool=HOME_POOL,
    tags=WHEN_MISSING,
    code_version="2",
)
def albert_pretrained(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """A compact ALBERT with its own tokenizer, trained on what the courses say and students ask.

    Made once: a new course does not retrain it. With an encoder in `intent.yaml` or `COTEACH_ALBERT` nothing is trained
    and that one is used.
    """
    from models.albert import AlbertSettings, pretrain_or_take  # noqa: PLC0415
    from models.intent.settings_file import encoder_asked_for  # noqa: PLC0415
    from models.tracking.encoders import ENCODERS, pretraining_content  # noqa: PLC0415
    from models.tracking.recording import open_run  # noqa: PLC0415

    if asked := encoder_asked_for(inputs.labels, inputs.albert):
        return dg.MaterializeResult(metadata={"origin": asked}, data_version=dg.DataVersion(asked))
    texts, settings = list(training_texts(data_dir)), AlbertSettings()
    with open_run(ENCODERS, "ALBERT", data_dir=data_dir) as live:

        def tell(progress: "TrainingProgress") -> None:
            live.tell(progress)
            log_progress(context, progress)

        report = pretrain_or_take(texts, data_dir=data_dir, settings=settings, kept=inputs.trainings, on_progress=tell)
        live.add(pretraining_content(report, settings, texts=len(texts)))
    tell_origin(context, was_kept=report.was_kept)
    return dg.MaterializeResult(
        metadata={
            **facts_of_files(data_dir.albert / report.version),
            "was_kept": report.was_kept,
            "mlflow_run": dg.MetadataValue.url(f"{inputs.mlflow_url.rstrip('/')}/{live.tracked_run.url_path}"),
            "parameters": report.parameters,
            "tokens": report.tokens,
            "steps": report.steps,
            "last_loss": round(report.curve[-1][1], 3),
            "seconds": round(report.seconds, 1),
            "stopped_by_time": report.stopped_by_time,
        },
        data_version=dg.DataVersion(report.version),
    )


def training_texts(data_dir: DataDir) -> Iterator[str]:
    """Lectures, and the questions of the training split only: nothing of the held-out ones is seen."""
    for path in data_dir.tables("cues"):
        lectures: dict[str, list[str]] = {}
        for row in read_rows(path):
            lectures.setdefault(row["video_id"], []).append(row["text"])
        yield from (" ".join(lines) for lines in lectures.values())
    yield from (example.question for example in read_examples(data_dir) if example.split == "train")
