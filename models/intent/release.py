"""From labelled questions to a released intent model: fine-tune, compare with the baselines, export, track, publish."""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import pandas as pd

from knowledge_graph.home import DataDir
from models.albert import Encoder
from models.intent.baselines import IntentModel, Linear, Majority
from models.intent.categories import CATEGORIES
from models.intent.examples import SHARES, IntentExample, Split
from models.intent.exporting import Thresholds, export
from models.intent.training import IntentSettings, TrainedIntent, finetune
from models.metrics import IntentMetrics, best_alpha, measure
from models.progress import OnProgress, ignore_progress
from models.tracking import Curve, RunRecord, TrackedModel, log_intent_run, promote
from models.versions import current_version, publish, staging, use_version

ALPHA_RULE = "best chit-chat F1 on the validation questions; ties go to the alpha nearest 0.5"

_SAMPLE = 64
"""Questions on which ONNX is compared with PyTorch."""

ModelName = Literal["albert", "linear", "majority"]


@dataclass(frozen=True)
class IntentReport:
    """What came out of one training; the metrics are those on the `test` questions."""

    version: str
    in_use: bool
    """False when the model is no better than the majority and an older one stays in use."""
    albert: IntentMetrics
    linear: IntentMetrics
    majority: IntentMetrics
    alpha: float
    best_epoch: int
    epochs: int
    onnx_difference: float
    data_digest: str
    encoder: Encoder
    run_id: str
    run_url: str
    """Path to append to the address of the MLflow UI."""
    model_version: int
    seconds: float


@dataclass(frozen=True)
class _Judged:
    alpha: float
    metrics: IntentMetrics


@dataclass(frozen=True)
class _Candidate:
    """A trained model with everything that is told of it, before it has a version."""

    examples: Sequence[IntentExample]
    encoder: Encoder
    settings: IntentSettings
    trained: TrainedIntent
    judged: dict[ModelName, _Judged]

    @property
    def beats_majority(self) -> bool:
        return self.judged["albert"].metrics.macro_f1 > self.judged["majority"].metrics.macro_f1


def train_intent(
    examples: Sequence[IntentExample],
    *,
    data_dir: DataDir,
    encoder: Encoder,
    settings: IntentSettings,
    on_progress: OnProgress = ignore_progress,
) -> IntentReport:
    """Train, compare on the held-out `test` questions, export, record in MLflow and put in use.

    Put in use means: `CURRENT` names it and MLflow's `champion` points at it. That is refused to a model whose test
    macro-F1 is no better than the majority's while an older model is there. Raises `ValueError` when a split is empty.
    """
    started = time.monotonic()
    if not part(examples, "test"):
        raise ValueError("Comparing models needs test examples; found none. Add labelled questions, then split them.")
    trained = finetune(examples, encoder=encoder, settings=settings, on_progress=on_progress)
    candidate = _Candidate(examples, encoder, settings, trained, _compare(trained, examples))
    use = candidate.beats_majority or current_version(data_dir.intent) is None
    version, difference = _publish(candidate, data_dir)
    seconds = time.monotonic() - started
    run = log_intent_run(_record(candidate, version, difference, seconds, data_dir), data_dir=data_dir)
    if use:
        use_version(data_dir.intent, version)
        promote(run.model_version, data_dir=data_dir)
    return _report(candidate, version, difference, run, in_use=use, seconds=time.monotonic() - started)


def part(examples: Sequence[IntentExample], name: Split) -> list[IntentExample]:
    """The examples of one split, in order."""
    return [example for example in examples if example.split == name]


def examples_digest(examples: Sequence[IntentExample]) -> str:
    """SHA-256 over the examples in the order of their ids."""
    lines = sorted(json.dumps(asdict(example), ensure_ascii=False, sort_keys=True) for example in examples)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _compare(trained: TrainedIntent, examples: Sequence[IntentExample]) -> dict[ModelName, _Judged]:
    """Each model's alpha from the validation questions and its figures on the test questions."""
    train, valid, test = part(examples, "train"), part(examples, "valid"), part(examples, "test")
    models: dict[ModelName, IntentModel] = {"albert": trained, "linear": Linear(train), "majority": Majority(train)}
    judged: dict[ModelName, _Judged] = {}
    for name, model in models.items():
        alpha = best_alpha([example.category for example in valid], model.predict_proba(valid))
        metrics = measure([example.category for example in test], model.predict_proba(test), alpha=alpha)
        judged[name] = _Judged(alpha, metrics)
    return judged


def _publish(candidate: _Candidate, data_dir: DataDir) -> tuple[str, float]:
    """Export to a version that is not yet in use; the version and how far ONNX is from PyTorch."""
    valid = part(candidate.examples, "valid")
    with staging(data_dir.intent) as staged:
        difference = export(
            candidate.trained,
            staged,
            sample=part(candidate.examples, "test")[:_SAMPLE],
            thresholds=Thresholds(candidate.judged["albert"].alpha, ALPHA_RULE, len(valid)),
            card=_card(candidate),
        )
        return publish(data_dir.intent, staged, use=False), difference


def _card(candidate: _Candidate) -> dict[str, object]:
    """What the model is; no times and no paths, so that the same training gives the same card."""
    return {
        "task": "six-way intent of a student's question (LittleMu 3.2.1, eq. 2-4)",
        "data": {
            "digest": examples_digest(candidate.examples),
            "questions": {name: len(part(candidate.examples, name)) for name in SHARES},
            "languages": sorted({example.lang for example in candidate.examples}),
        },
        "encoder": {"origin": candidate.encoder.origin, "name": candidate.encoder.name},
        "settings": asdict(candidate.settings),
        "best_epoch": candidate.trained.best_epoch,
        "test": {name: {"alpha": one.alpha, **_figures(one.metrics)} for name, one in candidate.judged.items()},
    }


def _figures(metrics: IntentMetrics) -> dict[str, float]:
    names = ("accuracy", "macro_f1", "chat_accuracy", "chat_f1", "chat_auc")
    values = {name: getattr(metrics, name) for name in names}
    return {name: round(float(value), 6) for name, value in values.items() if value is not None}


def _record(candidate: _Candidate, version: str, difference: float, seconds: float, data_dir: DataDir) -> RunRecord:
    finals = {
        f"test_{name}_{figure}": value
        for name, one in candidate.judged.items()
        for figure, value in _figures(one.metrics).items()
    }
    history = candidate.trained.history
    figures = ("loss", "valid_accuracy", "valid_macro_f1")
    digest = examples_digest(candidate.examples)
    return RunRecord(
        name=f"albert-{version[:8]}",
        params={**asdict(candidate.settings), "encoder": candidate.encoder.name},
        metrics={
            **finals,
            "alpha": candidate.judged["albert"].alpha,
            "onnx_difference": difference,
            "best_epoch": candidate.trained.best_epoch,
            "seconds": seconds,
        },
        curves=tuple(Curve(name, tuple((e.number, float(getattr(e, name))) for e in history)) for name in figures),
        tags={"coteach.version": version, "coteach.data": digest, "coteach.encoder_origin": candidate.encoder.origin},
        questions=pd.DataFrame([asdict(example) for example in candidate.examples]),
        questions_digest=digest,
        confusion=candidate.judged["albert"].metrics.confusion,
        categories=CATEGORIES,
        model=data_dir.intent / version,
    )


def _report(
    candidate: _Candidate, version: str, difference: float, run: TrackedModel, *, in_use: bool, seconds: float
) -> IntentReport:
    return IntentReport(
        version=version,
        in_use=in_use,
        albert=candidate.judged["albert"].metrics,
        linear=candidate.judged["linear"].metrics,
        majority=candidate.judged["majority"].metrics,
        alpha=candidate.judged["albert"].alpha,
        best_epoch=candidate.trained.best_epoch,
        epochs=len(candidate.trained.history),
        onnx_difference=difference,
        data_digest=examples_digest(candidate.examples),
        encoder=candidate.encoder,
        run_id=run.run_id,
        run_url=run.url_path,
        model_version=run.model_version,
        seconds=seconds,
    )
