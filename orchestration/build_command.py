"""What `coteach build` does and prints."""

import os
import time
from collections.abc import Sequence

import dagster as dg
from rich.console import Console

from knowledge_graph.home import DataDir
from knowledge_graph.sources.folders import skipped_folders
from orchestration.build import Builder, Plan, prepare_instance_folder
from orchestration.definitions import defs
from orchestration.resources import PipelineSettings, inputs_of


def open_instance(settings: PipelineSettings) -> dg.DagsterInstance:
    """The Dagster instance of the home. A home keeps its own event log: another one would not know its files."""
    os.environ["DAGSTER_HOME"] = str(prepare_instance_folder(settings.home.absolute() / "dagster"))
    return dg.DagsterInstance.get()


def build_home(console: Console, *, only: Sequence[str], dry_run: bool) -> int:
    """Build what is stale and return the exit code: 0 when everything is built, 1 when something failed."""
    settings = PipelineSettings()
    inputs = inputs_of(settings)
    started = time.monotonic()
    with open_instance(settings) as instance:
        builder = Builder(defs(), instance, inputs, log=DataDir(settings.home).logs / "build.log")
        found = builder.prepare()
        unknown = sorted(set(only) - set(found))
        if not found or unknown:
            wanted = f"course {', '.join(unknown)}" if unknown else "a course"
            console.print(
                f"Looked for {wanted} in {inputs.courses}; found: {', '.join(found) or 'none'}. A course is a folder "
                "with subtitles (.srt, .vtt) or a faq file. Point --courses at the folder that holds it.",
                style="red",
            )
            return 1
        console.print(f"Courses in {inputs.courses}: {', '.join(found)}", highlight=False)
        for problem in skipped_folders(inputs.courses):
            console.print(f"  ! {problem}", style="yellow", highlight=False)
        failed, ran = _run_all(console, builder, [c for c in found if not only or c in only], dry_run=dry_run)
    if not ran:
        console.print(f"Everything is up to date ({time.monotonic() - started:.1f} s).")
    elif not dry_run:
        console.print(
            f"{'Built' if not failed else 'Ended'} in {time.monotonic() - started:.1f} s. Home: {settings.home}"
        )
    for plan, run_id in failed:
        console.print(
            f"Not built: {plan.partition or plan.job} (run {run_id[:8]}; the reason is above and in Dagster). "
            "What was built before is kept. Mend it and run `coteach build` again.",
            style="red",
        )
    return 1 if failed else 0


def _run_all(
    console: Console, builder: Builder, courses: Sequence[str], *, dry_run: bool
) -> tuple[list[tuple[Plan, str]], int]:
    failed: list[tuple[Plan, str]] = []
    ran = 0
    for plan in builder.plans(courses):
        ran += 1
        console.print(f"  {_title(plan)}", style="bold", highlight=False)
        if dry_run:
            continue
        outcome = builder.run(plan)
        console.print(f"    {'done' if outcome.succeeded else 'failed'} in {outcome.seconds:.1f} s", highlight=False)
        if not outcome.succeeded:
            failed.append((plan, outcome.run_id))
    return failed, ran


def _title(plan: Plan) -> str:
    what = (
        f"course {plan.partition}" if plan.partition else {"fan_in_build": "all courses"}.get(plan.job, "intent model")
    )
    asset, reason = next(iter(plan.reasons.items()))
    more = f" (+{len(plan.reasons) - 1} more)" if len(plan.reasons) > 1 else ""
    return f"{what}: {asset}: {reason}{more}"
