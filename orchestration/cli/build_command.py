"""What `coteach build` does and prints."""

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import dagster as dg
from rich.console import Console
from sqlalchemy.exc import DatabaseError
from yaml import YAMLError

from knowledge_graph.lake.gone_courses import keep_gone, read_gone
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.remote_folder import RemoteFolder
from knowledge_graph.sources.folders import find_left_out, find_skipped_folders
from knowledge_graph.sources.sharing import unknown_shares
from orchestration.building.build import CAN_TRAIN, Builder, RunPlan
from orchestration.building.dagster_record import open_record, prepare_instance_folder
from orchestration.building.dead_runs import fail_dead_runs
from orchestration.building.home_lock import writing
from orchestration.building.home_sharing import share_home
from orchestration.building.kept_engines import held
from orchestration.building.ray_runs import TaskResources, cluster
from orchestration.building.up_to_date import look, remember
from orchestration.definitions import defs
from orchestration.reporting.tables import folders_evaluation
from orchestration.resources import (
    CourseUnknown,
    HomeUnusable,
    Inputs,
    PipelineSettings,
    check_home,
    inputs_of,
    settings_now,
)
from serving.store.engines import parse_url, sqlite_path


class HomeDamaged(CoteachError):
    """Something in the home is damaged that no build can make again."""


_INTERRUPTED = 130
_LEAST_FREE = 20 * 2**20
"""Bytes below which it is taken for the reason that nothing can be written. A choice."""
_REASON = 200
"""Characters of what a library says."""
_JOBS = {"fan_in_build": "all courses", "intent_build": "intent model", "report_build": "evaluation"}
_OF_A_PARTITION = {"system_build": "system"}


@contextmanager
def open_instance(settings: PipelineSettings) -> Iterator[dg.DagsterInstance]:
    """The Dagster instance of the home. A home keeps its own event log: another one would not know its files.

    Raises `HomeDamaged` when the log cannot be read, `RecordUnreachable` when its database cannot be asked.
    """
    folder = prepare_instance_folder(check_home(settings) / "dagster", in_postgres=settings.dagster_url is not None)
    os.environ["DAGSTER_HOME"] = str(folder)
    try:
        with held(), open_record(folder, settings.dagster_url) as instance:
            yield instance
    except (DatabaseError, dg.DagsterInvalidConfigError, YAMLError) as error:
        reason = (str(error).splitlines() or [""])[0][:_REASON]
        raise HomeDamaged(
            f"Dagster's record of what was built, {folder}, cannot be used: {reason}. "
            f"{_remedy(shutil.disk_usage(folder).free)}"
        ) from error


def _remedy(free: int) -> str:
    """What to do about a record that cannot be used, by the bytes that are free on its disk: a full one damages
    nothing."""
    if free < _LEAST_FREE:
        return f"Its disk has {free / 2**20:.1f} MB left: make room and run the command again; nothing is lost."
    anew = "everything is built once more, and nothing else is lost"
    return f"If it is damaged, move it away and run `coteach build`: {anew}."


@contextmanager
def open_to_write(
    console: Console, settings: PipelineSettings, command: str, *, wait: bool = True, pushes: bool = True
) -> Iterator[dg.DagsterInstance]:
    """The same as the home's one writer; runs that died are marked as failed, for nothing can go on here now. A home
    that machines share is pulled first, and pushed at the end if this one `pushes`.

    Raises `HomeBusy` when somebody else writes and this one is not to `wait`, `HomeUnusable` for a shared home whose
    record is elsewhere.
    """
    if settings.home_url is not None and settings.dagster_url is not None:
        raise HomeUnusable(
            "COTEACH_HOME_URL and COTEACH_DAGSTER_URL are both set. A home that machines share has Dagster's record in "
            "it, for builds plan from it: unset one of them."
        )
    data_dir = DataDir(check_home(settings))

    def tell(line: str) -> None:
        _say(console, line, style="yellow")

    owner = f"`coteach {command}`"
    with (
        writing(data_dir, owner, wait=wait, tell=tell),
        share_home(data_dir, settings.home_url, owner, wait=wait, tell=tell, pushes=pushes),
        open_instance(settings) as instance,
    ):
        fail_dead_runs(instance, data_dir)
        yield instance


def build_home(
    console: Console,
    *,
    only: Sequence[str],
    dry_run: bool,
    refresh: bool = False,
    verify: bool = False,
    retrain: bool = False,
    wait: bool = True,
) -> int:
    """Build what is stale or damaged and return the exit code: 0 when everything is built, 1 when something failed."""
    settings = settings_now()
    inputs = inputs_of(settings)
    started = time.monotonic()
    watched = list_watched_places(inputs)
    looked = None if watched is None or only else look(watched)
    with open_to_write(console, settings, "build", wait=wait, pushes=not dry_run) as instance:
        home = DataDir(settings.home.absolute())
        on_line = partial(_say, console)
        builder = Builder(defs(), instance, inputs, home, verify=verify, on_line=lambda line: on_line(f"  {line}"))
        courses = _choose_courses(builder.prepare(), inputs.courses, only)
        told = list(_course_lines(builder, inputs, courses))
        tell(console, told)
        _tell_gone(instance, home, builder.gone())
        _require_repairable(builder)
        for line in () if dry_run else builder.set_aside():
            _say(console, f"  ! {line}", style="yellow")
        try:
            if settings.compute == "ray" and not dry_run:
                stages = builder.stages(courses, refresh=refresh, retrain=retrain)
                failed, ran = _run_on_ray(console, builder, stages, settings.course_resources)
            else:
                failed, ran = run_all(
                    console, builder, builder.plans(courses, refresh=refresh, retrain=retrain), dry_run=dry_run
                )
        except KeyboardInterrupt:
            console.print("Stopped. What was built is kept; `coteach build` goes on from here.", style="yellow")
            return _INTERRUPTED
        published = dry_run or _publish(console, home, settings.publish_url)
    if watched and published and not failed and not builder.trouble and not (ran and dry_run):
        remember(home.root, looked, watched, told)
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
    return 0 if published and not failed else 1


def _publish(console: Console, home: DataDir, url: str | None) -> bool:
    """Publish what is built, also beside a course that failed; whether that went well. What is not built yet waits."""
    if url is None:
        return True
    from orchestration.publication import describe, publish_home  # noqa: PLC0415  only where it is set

    try:
        report = publish_home(home, url)
    except CoteachError as error:
        _say(console, f"Not published: {error} What was published before is served on.", style="red")
        return False
    if report.is_new:
        _say(console, describe(report, RemoteFolder(url).url))
    return True


def _tell_gone(instance: dg.DagsterInstance, data_dir: DataDir, gone: Mapping[str, str | None]) -> None:
    """Tell the console, and Dagster's check where it says otherwise: without a daemon nobody else does, and no run
    follows when all is up to date."""
    if read_gone(data_dir) != gone:
        instance.report_runless_asset_event(folders_evaluation(gone))
    keep_gone(data_dir, gone)


def forget_course(console: Console, course_id: str, *, wait: bool = True) -> int:
    """Take a course whose folder is gone out of everything; return 0 when it is, 1 when a run failed."""
    settings = PipelineSettings()
    data_dir = DataDir(check_home(settings))
    with open_to_write(console, settings, "forget", wait=wait) as instance:
        builder = Builder(defs(), instance, inputs_of(settings), data_dir)
        builder.prepare()
        outcome = builder.forget(data_dir, course_id)
        _tell_gone(instance, data_dir, builder.gone())
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


def _choose_courses(found: Sequence[str], folder: Path, only: Sequence[str]) -> list[str]:
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


def list_watched_places(inputs: Inputs) -> list[str] | None:
    """Where inputs come from, those that are not there, too; None when some of it is not to be seen in files."""
    store = parse_url(inputs.store_url)
    database = sqlite_path(store) if store.get_backend_name() == "sqlite" else None
    if database is None:
        return None
    evaluated = [path for path in vars(inputs.evaluation).values() if path is not None]
    places = [inputs.courses, inputs.labels, *evaluated, database, database.with_name(f"{database.name}-wal")]
    return [*map(str, places), *map(os.path.abspath, inputs.embedder.places)]


def tell(console: Console, lines: Sequence[str]) -> None:
    """Which courses there are; what is amiss with them in another colour."""
    for line in lines:
        _say(console, line, style="yellow" if line.startswith(" ") else None)


def _course_lines(builder: Builder, inputs: Inputs, courses: Sequence[str]) -> Iterator[str]:
    found = inputs.find_folders()
    if [course.path for course in found] == [inputs.courses]:
        yield f"One course, {inputs.courses}: {', '.join(courses)}"
    else:
        yield f"Courses in {inputs.courses}: {', '.join(courses)}"
    for problem in find_skipped_folders(inputs.courses, is_single=inputs.is_single):
        yield f"  ! {problem}"
    for course in found:
        for problem in find_left_out(course):
            yield f"  ! {course.course_id}/{problem}"
    for problem in unknown_shares(found, builder.absent()):
        yield f"  ! {problem}"
    if not CAN_TRAIN:
        yield "  ! No intent model is trained: rules tell chat from questions. `pip install 'coteach[training]'`."
    elif not inputs.trains_intent:
        yield "  ! No intent model is trained here (COTEACH_INTENT_TRAINING): rules tell chat from questions."
    if builder.trouble:
        yield f"  ! {builder.trouble} What was read from it before is kept."
    if absent := builder.gone():
        listed = ", ".join(f"{each} (now {new}: served twice)" if new else each for each, new in absent.items())
        yield f"  ! Built earlier, not in this folder, still served: {listed}"
        yield "    `coteach forget COURSE` takes one out of the answers."


def _require_repairable(builder: Builder) -> None:
    """What is made of all courses would read it, and fail with what some library says."""
    for remedy, (path, what) in builder.beyond_repair().items():
        raise HomeDamaged(f"{path} {what}. {remedy}")


def _say(console: Console, text: str, *, style: str | None = None) -> None:
    """Text that may hold names with brackets, which must not be read as markup."""
    console.print(text, style=style, markup=False, highlight=False)


def run_all(
    console: Console, builder: Builder, plans: Iterable[RunPlan], *, dry_run: bool = False
) -> tuple[list[tuple[RunPlan, str]], int]:
    """Run one plan after the other, told on a line each. Returns the failed ones with their runs, and how many ran."""
    failed: list[tuple[RunPlan, str]] = []
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


def _run_on_ray(
    console: Console, builder: Builder, stages: Iterable[Iterable[RunPlan]], each: TaskResources
) -> tuple[list[tuple[RunPlan, str]], int]:
    """The same, the courses of a stage at once; what is made of all of them here."""
    failed: list[tuple[RunPlan, str]] = []
    ran = 0
    for stage in stages:
        plans = list(stage)
        apart = [plan for plan in plans if plan.partition is not None]
        if len(apart) > 1:
            _say(console, f"  {len(apart)} courses on Ray", style="bold")
            with cluster():
                for outcome in builder.run_apart(apart, each):
                    how = "done" if outcome.succeeded else f"failed{f': {outcome.trouble}' if outcome.trouble else ''}"
                    _say(console, f"    {outcome.plan.partition}: {how} in {outcome.seconds:.1f} s")
                    failed += [] if outcome.succeeded else [(outcome.plan, outcome.run_id)]
            ran += len(apart)
            plans = [plan for plan in plans if plan.partition is None]
        more, ran_here = run_all(console, builder, plans)
        failed, ran = failed + more, ran + ran_here
    return failed, ran


def _title(plan: RunPlan) -> str:
    what = f"{_OF_A_PARTITION.get(plan.job, 'course')} {plan.partition}" if plan.partition else _JOBS[plan.job]
    return f"{what}: {plan.summary}"
