"""What `coteach report` does and prints: runs what is stale in the evaluation and writes it as one document."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

from assets.evaluation.evaluation_report import DOCUMENT, PICTURES, RECORD
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from orchestration.building.build import Builder, RunPlan
from orchestration.cli.build_command import open_to_write, run_all
from orchestration.cli.explain_command import serve_model
from orchestration.cli.services import ending_cleanly
from orchestration.definitions import defs
from orchestration.jobs import RELEASE_ASSETS
from orchestration.resources import PipelineSettings, inputs_of
from serving.evaluation.systems.systems import SYSTEMS
from serving.settings import ModelServerSettings, Settings

_INTERRUPTED = 130


def report(console: Console, *, out: Path, with_model: bool, dry_run: bool = False) -> int:
    """Build what changed, evaluate what is stale, copy the report to `out`; return the exit code.

    0 when everything was made, 1 when something was not, a release held back included: the report is written all the
    same. Without a model the systems that need one keep the answers that they have.
    """
    settings, started = PipelineSettings(), time.monotonic()
    with ending_cleanly(), ExitStack() as stack:
        instance = stack.enter_context(open_to_write(console, settings, "report"))
        builder = Builder(defs(), instance, inputs_of(settings), DataDir(settings.home.absolute()), log="report.log")
        courses = builder.prepare()
        try:
            failed, ran = run_all(console, builder, builder.plans(courses), dry_run=dry_run)
            plans = _with_a_server(console, builder, with_model=with_model, dry_run=dry_run)
            unmade, evaluated = run_all(console, builder, plans, dry_run=dry_run)
        except KeyboardInterrupt:
            console.print("Stopped. What was made is kept; `coteach report` goes on from here.", style="yellow")
            return _INTERRUPTED
    if dry_run:
        return 0
    _tell_failed(console, [*failed, *unmade])
    folder = DataDir(settings.home).evaluation_report
    if not (folder / DOCUMENT).is_file():
        raise CoteachError("No report was made; the reasons are above and in Dagster.")
    hand_out(folder, out)
    told = f"Made {ran + evaluated} things again" if ran + evaluated else "Everything is up to date"
    console.print(f"{told} ({time.monotonic() - started:.0f} s). The report: {out / DOCUMENT}", highlight=False)
    _tell_comparison(console, settings)
    return 1 if failed or unmade else 0


def hand_out(folder: Path, out: Path) -> None:
    """Copy the report and its pictures; pictures that it no longer shows go."""
    out.mkdir(parents=True, exist_ok=True)
    for name in (DOCUMENT, RECORD):
        shutil.copyfile(folder / name, out / name)
    shutil.rmtree(out / PICTURES, ignore_errors=True)
    shutil.copytree(folder / PICTURES, out / PICTURES)


def _with_a_server(console: Console, builder: Builder, *, with_model: bool, dry_run: bool) -> Iterator[RunPlan]:
    """The plans, with a model server up while those run that need one; these are left out where none can be started."""
    needing = {name for name, system in SYSTEMS.items() if system.needs_model}
    asked = [name for name in SYSTEMS if with_model or name not in needing]
    with ExitStack() as stack:
        can_start, is_up = True, False
        for plan in builder.report_plans(asked):
            needs = plan.partition in needing
            if is_up and not needs:
                stack.close()
            if needs and not is_up and can_start and not dry_run:
                can_start = _start(console, stack)
            is_up = needs and can_start
            if is_up or not needs or dry_run:
                yield plan


def _start(console: Console, stack: ExitStack) -> bool:
    """Bring a model server up for as long as the stack is open; say so and return False when there is none."""
    try:
        os.environ["COTEACH_LLM_URL"] = stack.enter_context(serve_model(console, Settings(), ModelServerSettings()))
    except CoteachError as error:
        console.print(f"! {error} Systems that need a model keep what they have.", style="yellow", highlight=False)
        return False
    return True


def _tell_comparison(console: Console, settings: PipelineSettings) -> None:
    from models.tracking.evaluation import comparison_path  # noqa: PLC0415  MLflow takes 4 s

    path = comparison_path("systems", data_dir=DataDir(settings.home))
    if path is not None:
        console.print(f"Systems side by side in MLflow: {settings.mlflow_pages}/{path}", soft_wrap=True)


def _tell_failed(console: Console, failed: list[tuple[RunPlan, str]]) -> None:
    for plan, run_id in failed:
        names = {key.path[-1] for key in plan.assets}
        what = plan.partition or (
            "the release: it was held back" if names & set(RELEASE_ASSETS) else ", ".join(sorted(names))
        )
        console.print(
            f"Not made, all or in part: {what} (run {run_id[:8]}; the reason is above and in Dagster). What was there "
            "is kept, and the report shows it.",
            style="red",
            markup=False,
            highlight=False,
        )
