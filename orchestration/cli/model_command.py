"""What `coteach model` does and prints."""

import getpass
import json
from dataclasses import asdict

import dagster as dg
from rich.console import Console
from rich.table import Column, Table

from assets.intent_examples import read_examples
from assets.intent_model import champion_facts, intent_champion
from knowledge_graph.lake.home import DataDir
from models.intent.release.champion import InUse
from models.intent.release.deletion import prune
from models.intent.release.model_comparison import ModelComparison, compare_versions
from models.intent.release.promotion import describe_contest
from models.intent.release.registry import (
    PublishedVersion,
    find_version,
    list_versions,
    put_version_in_use,
)
from models.intent.thresholds import thresholds_path
from models.intent.training.calibration_files import calibrate_version
from models.tracking.evaluation import EvaluationRun, log_evaluation
from models.tracking.recording import DataSet, TrackedRun
from models.tracking.runs import name_champion
from orchestration.building.courses import DATA_VERSION
from orchestration.cli.build_command import open_to_write
from orchestration.resources import PipelineSettings, check_home

_CODE_VERSION = "dagster/code_version"


def list_models(console: Console, *, as_json: bool) -> int:
    """Every published version with its figures, the newest last."""
    found = list_versions(_home())
    if as_json:
        console.print_json(json.dumps([asdict(one) for one in found], default=str))
        return 0
    version = Column("version", no_wrap=True, min_width=16)  # whole in any window: it is what a person copies
    table = Table(version, "state", "questions", "macro-F1", "chat AUC", "thresholds", "put in use")
    for one in found:
        table.add_row(*_cells(one))
    console.print(table)
    return 0


def use_model(console: Console, beginning: str, *, who: str | None, why: str, wait: bool = True) -> int:
    """Put a version in use and let MLflow and Dagster know. A version without thresholds gets them first.

    As the home's one writer: a run that trains would put another in use meanwhile. Raises `HomeBusy`.
    """
    with open_to_write(console, PipelineSettings(), "model use", wait=wait) as instance:
        return _use(console, instance, beginning, who=who, why=why)


def _use(console: Console, instance: dg.DagsterInstance, beginning: str, *, who: str | None, why: str) -> int:
    data_dir = _home()
    version = find_version(beginning, data_dir=data_dir)
    if not thresholds_path(data_dir.intent / version).is_file():
        calibrate_version(data_dir.intent / version, read_examples(data_dir, weak=True))
    use = put_version_in_use(version, who=who or getpass.getuser(), why=why, data_dir=data_dir)
    registered = name_champion(version, data_dir=data_dir, who=use.who, why=use.why, by_hand=True)
    instance.report_runless_asset_event(_event(InUse(version, changed=True, reason=why), registered, data_dir))
    known = f"version {registered} in MLflow" if registered else "not registered in MLflow"
    console.print(f"{version} answers students ({known}); before it {use.before or 'none'}.", highlight=False)
    return 0


def compare_models(console: Console, first: str, second: str, *, examples: int, as_json: bool) -> int:
    """Two versions on the same held-out questions."""
    data_dir = _home()
    ours, theirs = (data_dir.intent / find_version(one, data_dir=data_dir) for one in (first, second))
    found = compare_versions(ours, theirs, read_examples(data_dir), shown=examples)
    run = _track_comparison(found, data_dir)
    if as_json:
        told_of = {name: value for name, value in asdict(found).items() if name != "asked"}
        console.print_json(json.dumps(told_of, ensure_ascii=False))
    else:
        _print_comparison(console, found)
        page = f"{PipelineSettings().mlflow_pages}/{run.url_path}"
        console.print(f"In MLflow: {page}", highlight=False, soft_wrap=True)
    return 0


def _track_comparison(found: ModelComparison, data_dir: DataDir) -> TrackedRun:
    """A run of the comparison, with the questions on which only one is right."""
    contest = found.contest
    measured = {"macro_f1": contest.macro_f1, "chat_auc": contest.chat_auc}
    differences = {name: one for name, one in measured.items() if one is not None}
    rows = [f"| {one.question} | {one.label} | {one.first} | {one.second} |" for one in found.examples]
    table = ["| question | label | first | second |", "|---|---|---|---|", *rows]
    return log_evaluation(
        EvaluationRun(
            kind="comparisons",
            name=f"{found.first[:8]}-{found.second[:8]}",
            metrics={
                "questions": contest.questions,
                "mcnemar_p": contest.mcnemar_p,
                "right_alone.first": contest.only_challenger_right,
                "right_alone.second": contest.only_opponent_right,
                **{f"{name}.difference": one.value for name, one in differences.items()},
                **{f"{name}.low": one.low for name, one in differences.items()},
                **{f"{name}.high": one.high for name, one in differences.items()},
                **{f"{name}.p_better": one.p_better for name, one in differences.items()},
            },
            params={"first": found.first, "second": found.second},
            data_sets=[DataSet.of_rows("held_out_questions", [asdict(one) for one in found.asked])],
            texts={"comparison.md": f"{found.first} is {describe_contest(contest)}\n\n" + "\n".join(table) + "\n"},
        ),
        data_dir=data_dir,
    )


def prune_models(console: Console, *, keep: int, dry_run: bool, wait: bool = True) -> int:
    """Delete what is neither in use, nor behind an alias, nor among the last `keep`.

    As the home's one writer: what a run publishes is no leftover. Raises `HomeBusy`.
    """
    if dry_run:
        return _prune(console, keep=keep, dry_run=True)
    with open_to_write(console, PipelineSettings(), "model prune", wait=wait):
        return _prune(console, keep=keep, dry_run=False)


def _prune(console: Console, *, keep: int, dry_run: bool) -> int:
    data_dir = _home()
    found = prune(data_dir, keep=keep, dry_run=dry_run)
    done = "Would delete" if dry_run else "Deleted"
    console.print(
        f"{done} {found.description}; kept: {', '.join(found.kept) or 'nothing'}.", highlight=False, soft_wrap=True
    )
    return 0


def _home() -> DataDir:
    return DataDir(check_home(PipelineSettings()))


def _event(used: InUse, registered: int | None, data_dir: DataDir) -> dg.AssetMaterialization:
    """What the asset itself would have reported, so that what reads from it is built again."""
    code = intent_champion.specs_by_key[intent_champion.key].code_version
    return dg.AssetMaterialization(
        intent_champion.key,
        metadata=champion_facts(used, registered, data_dir),
        tags={DATA_VERSION: used.version or "none", _CODE_VERSION: code or ""},
    )


def _cells(one: PublishedVersion) -> tuple[str, ...]:
    state = ", ".join([*(["in use"] if one.in_use else []), *one.aliases])
    used = f"{one.used.at:%Y-%m-%d %H:%M} by {one.used.who}: {one.used.why[:60]}" if one.used else ""
    figures = [f"{one.figures[name]:.3f}" if name in one.figures else "" for name in ("macro_f1", "chat_auc")]
    return one.version, state, f"{one.questions:,}", *figures, "yes" if one.calibrated else "none", used


def _print_comparison(console: Console, found: ModelComparison) -> None:
    contest = found.contest
    f1, auc = contest.macro_f1, contest.chat_auc
    console.print(f"{found.first} is {describe_contest(contest)}", highlight=False, markup=False)
    console.print(f"  macro-F1 {f1.value:+.3f} (95 % {f1.low:+.3f} to {f1.high:+.3f})", highlight=False)
    if auc is not None:
        console.print(f"  chat AUC {auc.value:+.3f} (95 % {auc.low:+.3f} to {auc.high:+.3f})", highlight=False)
    for one in found.examples:
        console.print(f"  {one.question!r} is {one.label}: {one.first}, {one.second}", highlight=False, markup=False)
