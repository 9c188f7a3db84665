"""Sensors: one reports what came from outside, one starts what follows from it, two tell a person what failed."""

import json
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import dagster as dg

from knowledge_graph.lake.gone_courses import keep_gone
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.writer_lease import HomeBusy
from orchestration.alerts import Alert, alert_of_run, alerts_of_checks, evaluations_of, tell
from orchestration.automation import Wave, next_wave, request
from orchestration.building.build import Builder, remove
from orchestration.building.courses import (
    Outside,
    changes,
    gone_courses,
    look_outside,
    new_course_ids,
    read_observed_versions,
    register,
)
from orchestration.building.dead_runs import fail_dead_runs
from orchestration.building.home_lock import writer_of, writing
from orchestration.building.progress import failure_reason
from orchestration.building.staleness import targets_of
from orchestration.courses_on_ray import courses_on_ray, request_on_ray
from orchestration.jobs import course_build, course_update, fan_in_build, intent_build
from orchestration.partitions import courses
from orchestration.reporting.tables import folders_evaluation
from orchestration.resources import Inputs, PipelineSettings, check_home, settings_now

_LOOK_S = 10
"""Seconds between two looks of what reports and requests nothing."""

_PLAN_S = 5
"""Seconds between two looks of what starts runs. An edit is served after one of them and a run
(benchmarks/automation.py). A look at four courses takes .1 s of processor."""

_LOOK_AGAIN_S = 600
"""Seconds after which everything is planned anew, though nothing was told: a file may have been damaged."""

UNFINISHED = [
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


@dg.sensor(minimum_interval_seconds=_LOOK_S, default_status=dg.DefaultSensorStatus.RUNNING)
def new_courses(context: dg.SensorEvaluationContext, inputs: dg.ResourceParam[Inputs]) -> dg.SensorResult:
    """Registers new course folders, reports changed files, what people decided in the store, and courses that are gone.

    It requests no runs: `automation` does.
    """
    outside = look_outside(inputs)
    current = outside.versions
    if outside.trouble:
        context.log.warning(outside.trouble)
    new = new_course_ids(current, context.instance.get_dynamic_partitions(courses.name or "courses"))
    home = check_home(PipelineSettings())
    known = _is_reported(context.instance, home, outside)
    found = [] if known else changes(current, read_observed_versions(context.instance, current), outside.tallies)
    gone = gone_courses(context.instance, {partition for _, partition in current if partition})
    keep_gone(DataDir(home), gone)
    told = json.dumps(gone, sort_keys=True)
    evaluations = [folders_evaluation(gone)] if told != context.cursor else []
    return dg.SensorResult(
        dynamic_partitions_requests=[courses.build_add_request(new)] if new else [],
        asset_events=[*(change.event() for change in found), *evaluations],
        cursor=told,
    )


@dg.sensor(
    jobs=[course_build, course_update, courses_on_ray, fan_in_build, intent_build],
    minimum_interval_seconds=_PLAN_S,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def automation(
    context: dg.SensorEvaluationContext, inputs: dg.ResourceParam[Inputs]
) -> dg.SensorResult | dg.SkipReason:
    """Starts what `coteach build` would build: one run for each course whose data changed, or on Ray one for them
    together, then one for all courses.

    While anything runs, it waits: what changes meanwhile becomes part of the next wave. It looks at the folders itself:
    `new_courses` may be a while away.
    """
    data_dir = DataDir(check_home(PipelineSettings()))
    fail_dead_runs(context.instance, data_dir)
    if reason := busy(context.instance, data_dir):
        return dg.SkipReason(reason)
    outside = look_outside(inputs)
    _report(context.instance, data_dir.root, outside)
    state = _state(context.instance, inputs)
    if context.cursor == state:
        return dg.SkipReason("Nothing happened since the last look.")
    builder = Builder(_definitions(), context.instance, inputs, data_dir)
    wave = next_wave(builder, context.instance, builder.find_registered())
    try:
        _make_way(wave, data_dir)
    except HomeBusy as error:
        return dg.SkipReason(str(error))
    if wave.given_up:
        context.log.warning(f"Failed again and again, waits for a change: {', '.join(wave.given_up)}")
    at_rest = not wave.plans and not wave.waiting
    together = request_on_ray(wave, context.instance)
    if isinstance(together, dg.SkipReason):
        return together
    return dg.SensorResult(
        run_requests=[request(plan, key) for plan, key in wave.plans] if together is None else [together],
        cursor=state if at_rest else "",
        skip_reason=None if wave.plans else dg.SkipReason(_resting(wave)),
    )


@dg.run_failure_sensor(default_status=dg.DefaultSensorStatus.RUNNING, minimum_interval_seconds=30)
def failed_runs(context: dg.RunFailureSensorContext) -> None:
    """Tells a person of every run that failed."""
    steps = "; ".join(failure_reason(event) for event in context.get_step_failure_events())
    _tell(context, [alert_of_run(context.dagster_run, steps or context.failure_event.message or "")])


@dg.run_status_sensor(
    run_status=dg.DagsterRunStatus.SUCCESS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    minimum_interval_seconds=30,
)
def failed_checks(context: dg.RunStatusSensorContext) -> None:
    """Tells a person of every check that failed in a run which did not: it blocks nothing, and is an error."""
    _tell(context, alerts_of_checks(context.dagster_run, evaluations_of(context.instance, context.dagster_run.run_id)))


def _tell(context: dg.RunStatusSensorContext, alerts: Sequence[Alert]) -> None:
    settings = PipelineSettings()
    log = DataDir(check_home(settings)).logs / "alerts.log"
    for alert in alerts:
        tell(alert, log=log, url=settings.alert_url, logger=context.log)


@cache
def _definitions() -> dg.Definitions:
    from orchestration.definitions import defs  # noqa: PLC0415  it holds the sensors

    return defs()


def busy(instance: dg.DagsterInstance, data_dir: DataDir) -> str | None:
    """Why nothing may start now."""
    if settings_now().home_url is not None:
        return "Machines share this home (COTEACH_HOME_URL): `coteach build` builds it, not the daemon."
    under_way = instance.get_runs(dg.RunsFilter(statuses=UNFINISHED), limit=1)
    if under_way:
        return f"Run {under_way[0].run_id[:8]} of {under_way[0].job_name} is under way."
    writer = writer_of(data_dir)
    return f"{writer} writes in the home." if writer else None


def _state(instance: dg.DagsterInstance, inputs: Inputs) -> str:
    """Another text whenever there may be something to do: something was reported, a run ended, a while went by."""
    newest = [(run.run_id, run.status.value) for run in instance.get_runs(limit=1)]
    found = sorted(folder.course_id for folder in inputs.find_folders())
    return json.dumps([_newest_reports(instance), newest, found, time.time() // _LOOK_AGAIN_S])


_reported: dict[Path, tuple[Outside, list[int]]] = {}
"""By home, what the last look of this process found outside when all of it was reported, and the
newest report then. With a thousand courses, asking the event log for each costs more than looking at their files."""


def _report(instance: dg.DagsterInstance, home: Path, outside: Outside) -> None:
    """Register courses and report what changed, unless all of it is known to be reported."""
    if _is_reported(instance, home, outside):
        return
    before = _newest_reports(instance)
    register(instance, outside.versions, outside.tallies)
    if _newest_reports(instance) == before:  # nothing was left to report, and nobody else reported meanwhile
        _reported[home] = (outside, before)


def _is_reported(instance: dg.DagsterInstance, home: Path, outside: Outside) -> bool:
    return _reported.get(home) == (outside, _newest_reports(instance))


def _newest_reports(instance: dg.DagsterInstance) -> list[int]:
    """The place in the event log of the newest report of each thing that comes from outside, sorted."""
    outside = [key for key, target in targets_of(_definitions()).items() if target.code_version is None]
    return sorted(
        record.storage_id for key in outside for record in instance.fetch_materializations(key, limit=1).records
    )


def _resting(wave: Wave) -> str:
    if wave.waiting:
        return f"Failed, tried again soon: {', '.join(wave.waiting)}."
    return "Everything that came from outside is built."


def _make_way(wave: Wave, data_dir: DataDir) -> None:
    """Remove what is damaged, as the command line does. Raises `HomeBusy` when somebody began to write."""
    damaged = [path for plan, _ in wave.plans for path in plan.damaged]
    if damaged:
        with writing(data_dir, "the sensor `automation`", wait=False):
            for path in damaged:
                remove(path)
