"""What `coteach build` does and prints."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
from rich.console import Console
from sqlalchemy.exc import DatabaseError
from yaml import YAMLError

from knowledge_graph.home import DataDir
from knowledge_graph.problems import CoteachError
from knowledge_graph.sources.folders import left_out, skipped_folders
from orchestration.build import Builder, Plan, prepare_instance_folder
from orchestration.definitions import defs
from orchestration.resources import CourseUnknown, Inputs, PipelineSettings, checked_home, inputs_of


class HomeDamaged(CoteachError):
    """Something in the home is damaged that no build can make again."""


_INTERRUPTED = 130
_REASON = 200
"""Characters of what a library says."""
_JOBS = {"fan_in_build": "all courses", "intent_build": "intent model", "report_build": "evaluation"}
_OF_A_PARTITION = {"system_build": "system"}


@contextmanager
def open_instance(settings: PipelineSettings) -> Iterator[dg.DagsterInstance]:
    """The Dagster instance of the home. A home keeps its own event log: another one would not know its files.

    Raises `HomeDamaged` when the log cannot be read.
    """
    folder = prepare_instance_folder(checked_home(settings) / "dagster")
    os.environ["DAGSTER_HOME"] = str(folder)
    try:
        with dg.DagsterInstance.get() as instance:
            yield instance
    except (DatabaseError, dg.DagsterInvalidConfigError, YAMLError) as error:
        reason = (str(error).splitlines() or [""])[0][:_REASON]
        raise HomeDamaged(
            f"Dagster's record of what was built, {folder}, cannot be used: {reason}. If it is damaged, move it away "
            "and run `coteach build`: everything is built once more, and nothing else is lost."
        ) from error


def build_home(
    console: Console, *, only: Sequence[str], dry_run: bool, refresh: bool = False, verify: bool = False
) -> int:
    """Build what is stale or damaged and return the exit code: 0 when everything is built, 1 when something failed."""
    settings = PipelineSettings()
    inputs = inputs_of(settings)
    started = time.monotonic()
    with open_instance(settings) as instance:
        builder = Builder(defs(), instance, inputs, DataDir(settings.home.absolute()), verify=verify)
        courses = _chosen(builder.prepare(), inputs.courses, only)
        _tell_courses(console, builder, inputs, courses)
        _require_repairable(builder)
        for told in () if dry_run else builder.set_aside():
            _say(console, f"  ! {told}", style="yellow")
        try:
            failed, ran = run_all(console, builder, builder.plans(courses, refresh=refresh), dry_run=dry_run)
        except KeyboardInterrupt:
            console.print("Stopped. What was built is kept; `coteach build` goes on from here.", style="yellow")
            return _INTERRUPTED
    seconds = time.monotonic() - started
    if not ran:
        _say(console, f"Everything is up to date ({seconds:.1f} s).")
    elif not dry_run:
        _say(console, f"{'Ended' if failed else 'Built'} in {seconds:.1f} s. Home: {settings.home}")
    for plan, run_id in failed:
        _say(
            console,
            f"Not built: {plan.partition or plan.job} (run {run_id[:8]}; the reason is above and in Dagster). "
            "What was built before is kept. Mend it and run `coteach build` again.",
            style="red",
        )
    return 1 if failed else 0


def forget_course(console: Console, course_id: str) -> int:
    """Take a course whose folder is gone out of everything; return 0 when it is, 1 when a run failed."""
    settings = PipelineSettings()
    data_dir = DataDir(checked_home(settings))
    with open_instance(settings) as instance:
        builder = Builder(defs(), instance, inputs_of(settings), data_dir)
        builder.prepare()
        outcome = builder.forget(data_dir, course_id)
    if outcome.succeeded:
        _say(console, f"{course_id} is forgotten ({outcome.seconds:.1f} s): nothing of it can be found or cited.")
        return 0
    _say(
        console,
        f"The tables of {course_id} are removed, but the index was not made again (run {outcome.run_id[:8]}, see "
        "Dagster). Until then it is still served. Run the same command again.",
        style="red",
    )
    return 1


def _chosen(found: Sequence[str], folder: Path, only: Sequence[str]) -> list[str]:
    """The courses to build. Raises `CourseUnknown` when there are none, or when one asked for is missing."""
    unknown = sorted(set(only) - set(found))
    if found and not unknown:
        return [course for course in found if not only or course in only]
    wanted = f"course {', '.join(unknown)}" if unknown else "a course"
    there = f"found: {', '.join(found) or 'none'}" if folder.is_dir() else "there is no such folder"
    raise CourseUnknown(
        f"Looked for {wanted} in {folder}; {there}. A course is a folder with subtitles (.srt, .vtt), a FAQ, documents "
        "or a course.yaml. Point --courses at the folder that holds it."
    )


def _tell_courses(console: Console, builder: Builder, inputs: Inputs, courses: Sequence[str]) -> None:
    found = inputs.found()
    if [course.path for course in found] == [inputs.courses]:
        _say(console, f"One course, {inputs.courses}: {', '.join(courses)}")
    else:
        _say(console, f"Courses in {inputs.courses}: {', '.join(courses)}")
    for problem in skipped_folders(inputs.courses, is_single=inputs.is_single):
        _say(console, f"  ! {problem}", style="yellow")
    for course in found:
        for problem in left_out(course):
            _say(console, f"  ! {course.course_id}/{problem}", style="yellow")
    if builder.trouble:
        _say(console, f"  ! {builder.trouble} What was read from it before is kept.", style="yellow")
    if absent := builder.absent():
        listed = ", ".join(absent)
        _say(console, f"  ! Built earlier, not in this folder, still served: {listed}", style="yellow")
        _say(console, "    `coteach forget COURSE` takes one out of the answers.", style="yellow")


def _require_repairable(builder: Builder) -> None:
    """What is made of all courses would read it, and fail with what some library says."""
    for remedy, (path, what) in builder.beyond_repair().items():
        raise HomeDamaged(f"{path} {what}. {remedy}")


def _say(console: Console, text: str, *, style: str | None = None) -> None:
    """Text that may hold names with brackets, which must not be read as markup."""
    console.print(text, style=style, markup=False, highlight=False)


def run_all(
    console: Console, builder: Builder, plans: Iterable[Plan], *, dry_run: bool = False
) -> tuple[list[tuple[Plan, str]], int]:
    """Run one plan after the other, told on a line each. Returns the failed ones with their runs, and how many ran."""
    failed: list[tuple[Plan, str]] = []
    ran = 0
    for plan in plans:
        ran += 1
        _say(console, f"  {_title(plan)}", style="bold")
        if dry_run:
            continue
        outcome = builder.run(plan)
        console.print(f"    {'done' if outcome.succeeded else 'failed'} in {outcome.seconds:.1f} s", highlight=False)
        if not outcome.succeeded:
            failed.append((plan, outcome.run_id))
    return failed, ran


def _title(plan: Plan) -> str:
    what = f"{_OF_A_PARTITION.get(plan.job, 'course')} {plan.partition}" if plan.partition else _JOBS[plan.job]
    asset, reason = next(iter(plan.reasons.items()))
    more = f" (+{len(plan.reasons) - 1} more)" if len(plan.reasons) > 1 else ""
    return f"{what}: {asset}: {reason}{more}"
