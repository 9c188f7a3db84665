"""Stage `intent`: the classifier that tells questions from chat (LittleMu 3.2.1), and whether it may answer students.

Training code is imported inside the asset, for the reason that albert_pretrained.py gives; that of the decision, with
MLflow and scikit-learn behind it, for the same reason.
"""

import json
from typing import TYPE_CHECKING

import dagster as dg
from pydantic import Field

from assets.albert_pretrained import albert_pretrained, log_progress, tell_origin
from assets.embedder import embedder, why_none
from assets.intent_examples import intent_examples, read_examples
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.seals import POINTER
from orchestration.building.courses import INTENT_SETTINGS
from orchestration.partitions import HOME_POOL
from orchestration.reporting.tables import Fact, facts_of_files
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from models.intent.release.champion import Challenger, InUse
    from models.intent.release.promotion import Contest, PromotionDecision
    from models.intent.release.release import IntentReport
    from models.statistics.metrics import IntentMetrics

_LEAD = ("cross_validated_lead", "cross_validated_lead_low", "cross_validated_lead_high")
_JUDGED_BY = ("macro_f1", "chat_auc")


class Training(dg.Config):
    """What a person can choose in Dagster's launchpad for one run."""

    search: int = Field(1, description="Settings to try, 1 to 6; the best on the validation questions is taken.")
    ablation: bool = Field(True, description="Train once more without previous turn and course, to compare.")


@dg.asset(
    deps=[intent_examples, albert_pretrained, embedder, INTENT_SETTINGS],
    group_name="intent",
    kinds={"torch", "mlflow", "onnx"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="7",
)
def intent_model(
    context: dg.AssetExecutionContext,
    config: Training,
    data_dir: dg.ResourceParam[DataDir],
    inputs: dg.ResourceParam[Inputs],
) -> dg.MaterializeResult:
    """ALBERT fine-tuned on the labelled questions, and linear heads over sentence embeddings beside it; their mean is
    exported to ONNX and registered in MLflow as `challenger`.

    Judged with questions held out, then fitted once more on all of them: the figures are those of the judged one.
    It answers nobody yet: `intent_champion` puts it in use, if it earned that.
    """
    from models.albert import resolve_encoder  # noqa: PLC0415
    from models.embedding.published import open_local  # noqa: PLC0415
    from models.intent.release.release import TrainingPlan, train_intent  # noqa: PLC0415
    from models.intent.settings_file import encoder_asked_for, read_intent_settings  # noqa: PLC0415

    report = train_intent(
        read_examples(data_dir, weak=True),
        data_dir=data_dir,
        encoder=resolve_encoder(encoder_asked_for(inputs.labels, inputs.albert), data_dir=data_dir),
        settings=read_intent_settings(inputs.labels),
        plan=TrainingPlan(search=config.search, ablation=config.ablation),
        embedder=open_local(data_dir.embedder) if why_none(inputs) is None else None,
        kept=inputs.trainings,
        on_progress=lambda progress: log_progress(context, progress),
    )
    tell_origin(context, was_kept=report.was_kept)
    return dg.MaterializeResult(
        metadata={
            **facts_of_files(data_dir.intent / report.version),
            "was_kept": report.was_kept,
            "mlflow_run": dg.MetadataValue.url(_mlflow_page(inputs, report.run.url_path)),
            "mlflow_experiment": dg.MetadataValue.url(
                _mlflow_page(inputs, f"#/experiments/{report.run.experiment_id}")
            ),
            "registered_version": report.run.model_version,
            "decision": dg.MetadataValue.md(_decision(report.decision)),
            "test_figures": dg.MetadataValue.md(_figures(report)),
            "served": report.served,
            "settings": report.chosen,
            "alpha": report.alpha,
            "epochs": report.epochs,
            "seconds": round(report.seconds, 1),
        },
        data_version=dg.DataVersion(report.version),
    )


def _mlflow_page(inputs: Inputs, path: str) -> str:
    return f"{inputs.mlflow_url.rstrip('/')}/{path.lstrip('/')}"


def _figures(report: "IntentReport") -> str:
    lines = [
        "| model | accuracy | macro-F1 | chit-chat F1 | chit-chat AUC | ECE |",
        "|---|---|---|---|---|---|",
        _row("the model as it serves, with temperature and thresholds", report.calibrated),
        _row("the same without", report.albert),
    ]
    if report.without_context is not None:
        lines.append(_row("ALBERT without previous turn and course", report.without_context))
    if report.rehearsal is not None:
        lines.append(_row("the refit, rehearsed without these questions", report.rehearsal))
    baselines = (("n-gram bag alone", report.bag), ("linear", report.linear), ("majority", report.majority))
    return "\n".join([*lines, *(_row(name, one) for name, one in baselines)])


def _row(name: str, one: "IntentMetrics") -> str:
    auc = "–" if one.chat_auc is None else f"{one.chat_auc:.3f}"
    return f"| {name} | {one.accuracy:.3f} | {one.macro_f1:.3f} | {one.chat_f1:.3f} | {auc} | {one.ece:.3f} |"


def _decision(decision: "PromotionDecision") -> str:
    """The decision, and a table of the contests it rests on."""
    contests = [one for one in (decision.linear, decision.against_champion) if one is not None]
    return "\n".join(
        [
            f"**{decision.verdict}**: {decision.reason}",
            "",
            *([decision.test_set.description, ""] if decision.test_set else []),
            "| against | questions | macro-F1 (95 %) | p | chit-chat AUC (95 %) | p | right alone | McNemar p |",
            "|---|---|---|---|---|---|---|---|",
            *(_contest_row(one) for one in contests),
        ]
    )


def _contest_row(one: "Contest") -> str:
    f1, auc = one.macro_f1, one.chat_auc
    area = "– | –" if auc is None else f"{auc.value:+.3f} ({auc.low:+.3f} to {auc.high:+.3f}) | {auc.p_better:.3f}"
    return (
        f"| {one.opponent} | {one.questions} | {f1.value:+.3f} ({f1.low:+.3f} to {f1.high:+.3f}) | {f1.p_better:.3f} | "
        f"{area} | {one.only_challenger_right} to {one.only_opponent_right} | {one.mcnemar_p:.3f} |"
    )


@dg.asset(
    deps=[intent_model],
    group_name="intent",
    kinds={"mlflow", "onnx"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="1",
)
def intent_champion(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """The intent model that answers students: `CURRENT` names it, and MLflow's alias `champion` points at it.

    A new model takes the place only as `earns_promotion` says. That check comes first, but it does not stop this asset:
    that a new model is not better is an answer, not a failure of the build, and training again would not mend it. So
    the decision is data, written with the model; the check shows it, and this asset carries it out.

    Models above `COTEACH_KEPT_INTENT_MODELS` that are neither in use nor behind an alias are deleted then.
    """
    from models.intent.release.champion import put_in_use  # noqa: PLC0415
    from models.intent.release.deletion import SpaceNotFreed, prune  # noqa: PLC0415
    from models.intent.release.uses import BUILD  # noqa: PLC0415
    from models.tracking.runs import name_champion  # noqa: PLC0415

    found = put_in_use(data_dir)
    registered = None
    if found.version is not None:
        who, why = (BUILD, found.reason) if found.changed else ("", "")
        registered = name_champion(found.version, data_dir=data_dir, who=who, why=why)
    try:
        pruned = prune(data_dir, keep=inputs.kept_intent_models)
    except SpaceNotFreed as error:
        context.log.warning(str(error))
    else:
        if pruned.gone or pruned.runs:
            context.log.info(f"deleted {pruned.description}")
    return dg.MaterializeResult(
        metadata=champion_facts(found, registered, data_dir), data_version=dg.DataVersion(found.version or "none")
    )


def champion_facts(used: "InUse", registered: int | None, data_dir: DataDir) -> dict[str, Fact]:
    """What Dagster shows of the model in use; `registered` is its number in MLflow."""
    return {
        **({} if used.version is None else facts_of_files(data_dir.intent / POINTER)),
        "version": used.version or "none",
        "registered_version": "not registered" if registered is None else registered,
        "changed": used.changed,
        "reason": used.reason,
    }


@dg.asset_check(asset=intent_champion)
def the_champion_is_what_serves(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """The version that answers students is MLflow's champion, and the one that was put in use last."""
    from models.intent.release.aliases import disagreement  # noqa: PLC0415

    found = disagreement(data_dir)
    return dg.AssetCheckResult(
        passed=found is None, severity=dg.AssetCheckSeverity.WARN, description=found or "They are the same version."
    )


def _newest(data_dir: DataDir) -> "Challenger":
    from models.intent.release.champion import read_challenger  # noqa: PLC0415

    return read_challenger(data_dir)


@dg.asset_check(asset=intent_model, blocking=True)
def beats_the_majority(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """On held-out questions the new model is better than always naming the most frequent category."""
    card = data_dir.intent / _newest(data_dir).decision.version / "card.json"
    figures: dict[str, dict[str, float]] = json.loads(card.read_text(encoding="utf-8"))["test"]
    names = [name for name in _JUDGED_BY if name in figures["albert"]]
    differences = {name: figures["albert"][name] - figures["majority"][name] for name in names}
    return dg.AssetCheckResult(
        passed=all(difference > 0 for difference in differences.values()),
        description="; ".join(
            f"{name}: ALBERT {figures['albert'][name]:.3f}, majority {figures['majority'][name]:.3f}" for name in names
        ),
        metadata={f"{name}_difference": difference for name, difference in differences.items()},
    )


@dg.asset_check(asset=intent_model)
def beats_the_linear_baseline(
    data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.AssetCheckResult:
    """The new model is better than character n-grams with logistic regression: on the same held-out questions by a
    paired test or, where these are too few to tell, on all labels by cross-validation, if `intent_systems` was made of
    these labels. Warns, never blocks."""
    from models.intent.release.promotion import describe_contest  # noqa: PLC0415

    contest, lead = _newest(data_dir).decision.linear, cross_validated_lead(data_dir, inputs)
    by_all = lead is not None and lead[1] > 0 and not contest.worse_in
    crossed = (
        "; not cross-validated on these labels: materialize `intent_systems`"
        if lead is None
        else f"; by cross-validation on all labels macro-F1 {lead[0]:+.3f} (95 %: {lead[1]:+.3f} to {lead[2]:+.3f})"
    )
    return dg.AssetCheckResult(
        passed=contest.won or by_all,
        severity=dg.AssetCheckSeverity.WARN,
        description=describe_contest(contest) + crossed,
        metadata={
            **_contest_metadata(contest),
            **({} if lead is None else dict(zip(_LEAD, lead, strict=True))),
        },
    )


def cross_validated_lead(data_dir: DataDir, inputs: Inputs) -> tuple[float, float, float] | None:
    """How far what the settings serve is ahead of the linear baseline in macro-F1, with the 95 % interval, by the
    cross-validation that was published last; None where that was of other labels, or not of what is served."""
    from knowledge_graph.lake.tables import digest  # noqa: PLC0415
    from models.intent.settings_file import read_intent_settings  # noqa: PLC0415
    from models.intent.training.systems import find_served  # noqa: PLC0415
    from orchestration.reporting.publishing import read_shown  # noqa: PLC0415
    from serving.evaluation.systems.intent_table import NAME, metric_name  # noqa: PLC0415

    path, serves = data_dir.evaluation_tables / f"{NAME}.json", find_served(read_intent_settings(inputs.labels))
    if serves is None or not path.is_file() or not inputs.labels.is_dir():
        return None
    shown = read_shown(path)
    if shown.made_of.get("labels") != digest(inputs.labels):
        return None
    found, name = shown.table.metrics(), f"labels/{metric_name(serves)}/ahead"
    low, value, high = (found.get(f"{name}{end}") for end in (".low", "", ".high"))
    return None if low is None or value is None or high is None else (value, low, high)


@dg.asset_check(asset=intent_model, blocking=True)
def earns_promotion(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """On the same held-out questions the new model is better than the one in use and than the linear baseline.

    It comes before `intent_champion` (that is what blocking is for here) and only warns: see there.
    """
    decision = _newest(data_dir).decision
    against = decision.against_champion
    return dg.AssetCheckResult(
        passed=decision.is_earned,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{decision.verdict}: {decision.reason}",
        metadata={
            "verdict": decision.verdict,
            "put_in_use": decision.promote,
            "test_set": decision.test_set.description if decision.test_set else "of before there were versions",
            "champion": decision.champion or "none",
            **({} if against is None else _contest_metadata(against)),
        },
    )


def _contest_metadata(contest: "Contest") -> dict[str, float | int | str]:
    found: dict[str, float | int | str] = {
        "opponent": contest.opponent,
        "questions": contest.questions,
        "left_out": "not known" if contest.left_out is None else contest.left_out,
        "macro_f1_difference": contest.macro_f1.value,
        "macro_f1_p": contest.macro_f1.p_better,
        "mcnemar_p": contest.mcnemar_p,
    }
    if contest.chat_auc is not None:
        found |= {"chat_auc_difference": contest.chat_auc.value, "chat_auc_p": contest.chat_auc.p_better}
    return found
