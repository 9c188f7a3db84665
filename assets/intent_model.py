"""Stage `intent`: the classifier that tells questions from chat (LittleMu 3.2.1).

Training code is imported inside the asset, for the reason that albert_pretrained.py gives.
"""

import json
from typing import TYPE_CHECKING

import dagster as dg

from assets.albert_pretrained import albert_pretrained, told
from assets.intent_examples import intent_examples, read_examples
from knowledge_graph.home import DataDir
from models.versions import current_folder
from orchestration.automation import follow
from orchestration.resources import Inputs
from orchestration.staleness import ALSO_WRITTEN

if TYPE_CHECKING:
    from models.intent.release import IntentReport

_JUDGED_BY = ("macro_f1", "chat_auc")


@dg.asset(
    deps=[intent_examples, albert_pretrained],
    group_name="intent",
    kinds={"torch", "mlflow", "onnx"},
    owners=["team:ml"],
    automation_condition=follow,
    code_version="1",
)
def intent_model(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """ALBERT fine-tuned on the labelled questions, exported to ONNX, tracked and registered in MLflow."""
    from models.albert import resolve_encoder  # noqa: PLC0415
    from models.intent.release import train_intent  # noqa: PLC0415
    from models.intent.training import IntentSettings  # noqa: PLC0415

    report = train_intent(
        read_examples(data_dir),
        data_dir=data_dir,
        encoder=resolve_encoder(inputs.albert, data_dir=data_dir),
        settings=IntentSettings(),
        on_progress=lambda progress: told(context, progress),
    )
    return dg.MaterializeResult(
        metadata={
            "dagster/uri": str(data_dir.intent / report.version),
            ALSO_WRITTEN: [str(data_dir.intent / "CURRENT")],
            "mlflow_run": dg.MetadataValue.url(f"{inputs.mlflow_url.rstrip('/')}/{report.run_url.lstrip('/')}"),
            "registered_version": report.model_version,
            "in_use": report.in_use,
            "test_figures": dg.MetadataValue.md(_figures(report)),
            "alpha": report.alpha,
            "epochs": report.epochs,
            "seconds": round(report.seconds, 1),
        },
        data_version=dg.DataVersion(report.version),
    )


def _figures(report: "IntentReport") -> str:
    lines = ["| model | accuracy | macro-F1 | chit-chat F1 | chit-chat AUC |", "|---|---|---|---|---|"]
    for name, one in (("ALBERT", report.albert), ("linear", report.linear), ("majority", report.majority)):
        auc = "–" if one.chat_auc is None else f"{one.chat_auc:.3f}"
        lines.append(f"| {name} | {one.accuracy:.3f} | {one.macro_f1:.3f} | {one.chat_f1:.3f} | {auc} |")
    return "\n".join(lines)


def _held_out_figures(data_dir: DataDir) -> dict[str, dict[str, float]]:
    """Figures on the held-out questions per model, as the card of the newest model has them."""
    folder = current_folder(data_dir.intent, what="intent model", remedy="Run `coteach build`.")
    figures: dict[str, dict[str, float]] = json.loads((folder / "card.json").read_text())["test"]
    return figures


def _compared(data_dir: DataDir, baseline: str, severity: dg.AssetCheckSeverity) -> dg.AssetCheckResult:
    figures = _held_out_figures(data_dir)
    differences = {name: figures["albert"][name] - figures[baseline][name] for name in _JUDGED_BY}
    return dg.AssetCheckResult(
        passed=all(difference > 0 for difference in differences.values()),
        severity=severity,
        description="; ".join(
            f"{name}: ALBERT {figures['albert'][name]:.3f}, {baseline} {figures[baseline][name]:.3f}"
            for name in _JUDGED_BY
        ),
        metadata={f"{name}_difference": difference for name, difference in differences.items()},
    )


@dg.asset_check(asset=intent_model, blocking=True)
def beats_the_majority(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """On held-out questions ALBERT is better than always naming the most frequent category."""
    return _compared(data_dir, "majority", dg.AssetCheckSeverity.ERROR)


@dg.asset_check(asset=intent_model)
def beats_the_linear_baseline(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """On held-out questions ALBERT is better than character n-grams with logistic regression. Warns, never blocks."""
    return _compared(data_dir, "linear", dg.AssetCheckSeverity.WARN)
