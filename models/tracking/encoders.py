"""MLflow for the encoder that is pre-trained here: a run for each training, open while it goes on, with its loss.

Which model was fine-tuned from an encoder is a parameter of the runs of the experiment `intent`.
"""

from dataclasses import asdict

from models.albert import AlbertSettings, PretrainReport
from models.tracking.recording import Curve, RunContent, TrackedExperiment

ENCODERS = TrackedExperiment(
    "encoders",
    "One run for each pre-training of the small ALBERT on what the courses say and students ask; `loss` is that of "
    "masked language modelling. Runs of `intent` say which encoder they were fine-tuned from.",
)


def pretraining_content(report: PretrainReport, settings: AlbertSettings, *, texts: int) -> RunContent:
    """What came out of a pre-training. Texts are counted and not kept: they are those of the courses."""
    sizes = {name: value for name, value in asdict(settings).items() if name != "masked"}
    return RunContent(
        metrics={
            "parameters": report.parameters,
            "tokens": report.tokens,
            "steps": report.steps,
            "last_loss": report.curve[-1][1],
            "seconds": report.seconds,
            "stopped_by_time": float(report.stopped_by_time),
        },
        params={**sizes, **asdict(settings.masked), "version": report.version, "texts": texts},
        tags={"coteach.was_kept": str(report.was_kept).lower()},
        curves=[Curve("loss", report.curve)],
    )
