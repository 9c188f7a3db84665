"""Stage `intent`: temperature and alpha of the intent model in use, with a promise, and whether newer labels break it.

Calibration and MLflow are imported inside the asset, for the reason that albert_pretrained.py gives: SciPy takes 1 s,
MLflow 4 s.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg

from assets.intent_examples import intent_examples, read_examples
from assets.intent_model import intent_champion
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from models.intent.thresholds import thresholds_path
from models.versions import current_folder
from orchestration.partitions import HOME_POOL
from orchestration.reporting.tables import Fact, facts_of_files
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from models.intent.training.calibration import IntentCalibration
    from models.statistics.calibration import PromiseVerdict


@dg.asset(
    deps=[intent_examples, intent_champion],
    group_name="intent",
    kinds={"json", "mlflow"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="1",
)
def intent_thresholds(data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]) -> dg.MaterializeResult:
    """Temperature and alpha, by question length where labels allow, chosen for a stated risk with stated confidence."""
    from models.intent.training.calibration_files import calibrate_version  # noqa: PLC0415
    from models.tracking.calibration import log_calibration  # noqa: PLC0415

    folder = _in_use(data_dir)
    found = calibrate_version(folder, read_examples(data_dir, weak=True))
    run = log_calibration(folder.name, _figures(found), data_dir=data_dir)
    link = {} if run is None else {"mlflow_run": f"{inputs.mlflow_url.rstrip('/')}/{run.url_path}"}
    path = thresholds_path(folder)
    return dg.MaterializeResult(
        metadata={
            **facts_of_files(path),
            **{name: dg.MetadataValue.url(address) for name, address in link.items()},
            "model": folder.name,
            "promise": _summary(found),
            "cuts": _table(found),
            **_figures(found),
        },
        data_version=dg.DataVersion(digest(path)),
    )


@dg.asset_check(asset=intent_thresholds)
def a_cut_keeps_the_promise(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """The labels are enough for an alpha with the promised risk. Warns: without one nothing is promised."""
    from models.intent.training.calibration import in_words  # noqa: PLC0415
    from models.intent.training.calibration_files import read_calibration  # noqa: PLC0415

    promise = read_calibration(_in_use(data_dir)).alpha.overall
    return dg.AssetCheckResult(
        passed=promise.cut is not None,
        severity=dg.AssetCheckSeverity.WARN,
        description=in_words(promise),
        metadata={"upper_bound": promise.upper_bound, "questions": promise.questions},
    )


@dg.asset_check(asset=intent_thresholds)
def newer_labels_keep_the_promise(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """Labels that took no part in training or calibration do not refute the promise. Warns, never blocks.

    Test questions, which the served network has learnt when it was refitted, are scored by the one before it.
    """
    from models.intent.training.calibration_files import judge_version  # noqa: PLC0415

    verdicts = judge_version(_in_use(data_dir), read_examples(data_dir, weak=True))
    return dg.AssetCheckResult(
        passed=not any(verdict.is_broken for verdict in verdicts.values()),
        severity=dg.AssetCheckSeverity.WARN,
        description="; ".join(_judgement(name, verdict) for name, verdict in verdicts.items()),
        metadata={"verdicts": _verdict_table(verdicts)},
    )


def _in_use(data_dir: DataDir) -> Path:
    return current_folder(data_dir.intent, what="intent model", remedy="Run `coteach build`.")


def _figures(found: "IntentCalibration") -> dict[str, float]:
    """For MLflow's charts and Dagster's plots; an alpha that no cut kept is left out."""
    alpha = found.alpha.overall
    figures = {
        "promise_risk": alpha.risk,
        "promise_delta": alpha.delta,
        "promise_upper_bound": alpha.upper_bound,
        "promise_coverage": alpha.coverage,
        "promise_questions": float(alpha.questions),
        "temperature": found.thresholds.temperature,
    }
    figures |= {} if alpha.cut is None else {"promise_alpha": alpha.cut}
    if found.temperature is not None:
        names = ("nll_before", "nll_after", "ece_before", "ece_after")
        figures |= {f"calibration_{name}": getattr(found.temperature, name) for name in names}
    return figures


def _summary(found: "IntentCalibration") -> Fact:
    from models.intent.training.calibration import in_words  # noqa: PLC0415

    parts = [f"- {', '.join(part.names)} characters: {in_words(part.promise)}" for part in found.alpha.parts]
    return dg.MetadataValue.md("\n".join([in_words(found.alpha.overall), *parts]))


def _table(found: "IntentCalibration") -> Fact:
    lines = ["| length | alpha | labelled | called chat | of them none | bound |", "|---|--:|--:|--:|--:|--:|"]
    rows = [("any", found.alpha.overall), *((", ".join(part.names), part.promise) for part in found.alpha.parts)]
    for name, one in rows:
        cut = "–" if one.cut is None else f"{one.cut:.2f}"
        lines.append(f"| {name} | {cut} | {one.questions} | {one.accepted} | {one.errors} | {one.upper_bound:.3f} |")
    return dg.MetadataValue.md("\n".join(lines))


def _judgement(name: str, verdict: "PromiseVerdict") -> str:
    outcome = "broken" if verdict.is_broken else "not refuted"
    return (
        f"{name}: {verdict.errors} of {verdict.accepted} called chat are none; the risk is at least "
        f"{verdict.lower_bound:.3f} with confidence {verdict.confidence:.1%}, promised {verdict.risk}: {outcome}"
    )


def _verdict_table(verdicts: Mapping[str, "PromiseVerdict"]) -> Fact:
    lines = ["| length | called chat | of them none | lower bound | promised |", "|---|--:|--:|--:|--:|"]
    lines += [
        f"| {name} | {one.accepted} | {one.errors} | {one.lower_bound:.3f} | {one.risk} |"
        for name, one in verdicts.items()
    ]
    return dg.MetadataValue.md("\n".join(lines))
