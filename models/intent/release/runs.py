"""What a training of the intent model leaves in MLflow: the run of the training and, nested in it, one for every model.

The nested runs have the same figures under the same names, so that MLflow's charts and tables set them side by side.
"""

from dataclasses import asdict, fields
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from models.intent.labels.categories import CATEGORIES
from models.intent.release.charts import draw_confusion, draw_learning_curves, draw_reliability
from models.intent.release.mlflow_package import LOADER, requirements
from models.intent.release.model_card import model_card
from models.intent.release.promotion import PromotionDecision
from models.intent.training.candidate import (
    JudgedModel,
    TrainedCandidate,
    examples_digest,
    figures,
    list_measured_models,
)
from models.intent.training.fine_tuning import Epoch
from models.intent.training.search import SearchTrial
from models.statistics.metrics import category_claims, chat_claims, reliability
from models.tracking.recording import Curve, DataSet, RunContent
from models.tracking.runs import EXPORT_TAG, IntentRun

_ROLE = "coteach.role"
_EPOCH_FIGURES = tuple(field.name for field in fields(Epoch) if field.name not in ("number", "ended_at"))


def intent_run(
    candidate: TrainedCandidate,
    calibrated: JudgedModel,
    decision: PromotionDecision,
    *,
    onnx_difference: float,
    seconds: float,
    model: Path,
) -> IntentRun:
    """The run of one training, whose exported model is packed in `model`; `calibrated` is the judged one as it serves.

    Its figures are prefixed by the model they are of; those of `children` are not.
    """
    digest, trained = examples_digest(candidate.examples), candidate.chosen.trained
    questions = pd.DataFrame([asdict(example) for example in candidate.examples])
    content = RunContent(
        params={
            **asdict(candidate.chosen.settings),
            "encoder": candidate.encoder.name,
            "search": len(candidate.attempts),
            "chosen": candidate.chosen.name,
            **_test_set(decision),
        },
        metrics={
            **_side_by_side(candidate, calibrated),
            **_contest_figures(decision),
            "alpha": candidate.judged["albert"].alpha,
            "onnx_difference": onnx_difference,
            "best_epoch": trained.best_epoch,
            "stopped_by_time": float(trained.stopped_by_time),
            "peak_memory_mb": (candidate.refitted or trained).peak_memory_mb,
            "refitted": float(candidate.refitted is not None),
            **_refit_figures(candidate),
            "seconds": seconds,
        },
        curves=_curves(candidate.chosen),
        tags={
            EXPORT_TAG: decision.version,
            "coteach.data": digest,
            "coteach.encoder_origin": candidate.encoder.origin,
            "coteach.verdict": decision.verdict,
            **{f"coteach.{name}": str(value) for name, value in _test_set(decision).items()},
            "mlflow.note.content": f"{decision.reason}\n\n{candidate.serving_note}",
        },
        data_sets=[DataSet("intent_examples", digest, questions, context="training", target="category")],
        texts={"model_card.md": model_card(candidate, calibrated, decision)},
        objects={"promotion.json": asdict(decision)},
        figures=_pictures(candidate, calibrated),
    )
    return IntentRun(
        name=f"albert-{decision.version[:8]}",
        content=content,
        categories=CATEGORIES,
        model=model,
        loader=LOADER,
        requirements=tuple(requirements()),
        model_description=model_card(candidate, calibrated, decision),
        nested=_list_nested(candidate, calibrated),
    )


def _test_set(decision: PromotionDecision) -> dict[str, str | int]:
    found = decision.test_set
    return {} if found is None else {"test_set": found.version, "test_set_digest": found.digest}


def _side_by_side(candidate: TrainedCandidate, calibrated: JudgedModel) -> dict[str, float]:
    models = {**list_measured_models(candidate), "calibrated": calibrated}
    if candidate.ablated is not None:
        models["without_context"] = candidate.ablated
    return {
        f"test_{name}_{figure}": value for name, one in models.items() for figure, value in figures(one.metrics).items()
    }


def _refit_figures(candidate: TrainedCandidate) -> dict[str, float]:
    """Of what is served, beside what its rehearsal reached on the test questions."""
    found = candidate.refitted
    if found is None:
        return {}
    return {"refit_questions": found.questions, "refit_agreement": found.agreement, "refit_seconds": found.seconds}


def _contest_figures(decision: PromotionDecision) -> dict[str, float]:
    """Differences on the same questions with their p-values: one-sided, but McNemar's."""
    found: dict[str, float] = {}
    for name, contest in (("linear", decision.linear), ("champion", decision.against_champion)):
        if contest is not None:
            found[f"against_{name}_macro_f1"] = contest.macro_f1.value
            found[f"against_{name}_macro_f1_p"] = contest.macro_f1.p_better
            found[f"against_{name}_mcnemar_p"] = contest.mcnemar_p
            found[f"against_{name}_level"] = contest.level
            found[f"against_{name}_try"] = contest.number
            if contest.chat_auc is not None:
                found[f"against_{name}_chat_auc"] = contest.chat_auc.value
                found[f"against_{name}_chat_auc_p"] = contest.chat_auc.p_better
    return found


def _pictures(candidate: TrainedCandidate, calibrated: JudgedModel) -> dict[str, Figure]:
    albert, labels = candidate.judged["albert"], candidate.labels
    history = candidate.chosen.trained.history
    curves = {name: tuple((e.number, float(getattr(e, name))) for e in history) for name in _EPOCH_FIGURES}
    return {
        "confusion_matrix.png": draw_confusion(albert.metrics.confusion, CATEGORIES),
        "reliability.png": draw_reliability(
            {
                "category": reliability(*category_claims(labels, calibrated.probabilities)),
                "chit-chat (h)": reliability(*chat_claims(labels, calibrated.probabilities)),
            }
        ),
        "learning_curves.png": draw_learning_curves(curves, best_epoch=candidate.chosen.trained.best_epoch),
    }


def _list_nested(candidate: TrainedCandidate, calibrated: JudgedModel) -> tuple[tuple[str, RunContent], ...]:
    found = [("as it serves", RunContent(_test_figures(calibrated), tags={_ROLE: "calibrated"}))]
    for attempt in candidate.attempts:
        chosen = attempt is candidate.chosen
        found.append(
            _of_attempt(attempt, "full" if chosen else "search", candidate.judged["albert"] if chosen else None)
        )
    if candidate.ablation is not None and candidate.ablated is not None:
        found.append(_of_attempt(candidate.ablation, "ablation", candidate.ablated))
    if candidate.rehearsed is not None:
        found.append(("refit, rehearsed", RunContent(_test_figures(candidate.rehearsed), tags={_ROLE: "rehearsal"})))
    baselines = [(name, one) for name, one in candidate.judged.items() if name != "albert"]
    found += [(name, RunContent(_test_figures(one), tags={_ROLE: "baseline"})) for name, one in baselines]
    return tuple(found)


def _of_attempt(attempt: SearchTrial, role: str, judged: JudgedModel | None) -> tuple[str, RunContent]:
    """Test figures are for what was chosen: those of the rest of a search would invite choosing by them."""
    metrics = {
        "best_epoch": attempt.trained.best_epoch,
        "best_valid_macro_f1": attempt.valid_macro_f1,
        "seconds": attempt.seconds,
        **({} if judged is None else _test_figures(judged)),
    }
    content = RunContent(metrics, asdict(attempt.settings), {_ROLE: role}, _curves(attempt))
    return f"albert, {attempt.name}", content


def _test_figures(judged: JudgedModel) -> dict[str, float]:
    return {f"test_{name}": value for name, value in figures(judged.metrics).items()}


def _curves(attempt: SearchTrial) -> tuple[Curve, ...]:
    history = attempt.trained.history
    return tuple(
        Curve(name, tuple((e.number, float(getattr(e, name)), e.ended_at) for e in history)) for name in _EPOCH_FIGURES
    )
