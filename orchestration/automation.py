"""What the daemon runs, and when: it asks the planner of `coteach build`, one stage at a time.

It reads Dagster's event log and run records and starts nothing: sensors.py does. Why Dagster's own conditions are not
used is said in docs/decisions/0025-the-daemon-asks-the-planner.md.
"""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import dagster as dg

from orchestration.building.build import Builder, RunPlan

WAVE = "coteach/wave"
"""Tag of the runs that a sensor starts: what they are for, and what came from outside by then."""

ATTEMPTS = 3
"""Runs for the same thing that may fail one after the other: what is transient is over by then, the rest waits for a
change or a person."""

FIRST_PAUSE_S = 30.0
"""Before the second attempt; twice that before the third."""

_IN_CIRCLES_S = 600.0
"""As many runs for the same thing in so short a time go in circles."""


@dataclass(frozen=True)
class Wave:
    """What to start now. `waiting` is what failed and is tried again later, `given_up` what is not."""

    plans: tuple[tuple[RunPlan, str], ...] = ()
    """Each with the value of its tag `WAVE`."""
    waiting: tuple[str, ...] = ()
    given_up: tuple[str, ...] = ()


def next_wave(builder: Builder, instance: dg.DagsterInstance, course_ids: Sequence[str]) -> Wave:
    """The first stage that has anything to run: the courses that changed; then, once, what is made of all of them; then
    the intent model. A course that keeps failing does not hold up the others.

    What changed in one course alone is one run, with what is made of all courses in it."""
    waiting, given_up = list[str](), list[str]()
    for stage in builder.stages(course_ids):
        ready, failed_before = list[tuple[RunPlan, str]](), False
        for plan in stage:
            key = wave_key(plan, builder.outside_of(plan))
            earlier = earlier_attempts(instance, key)
            pause = pause_before(earlier, now=time.time())
            if pause is None:
                given_up.append(name_of(plan))
            elif pause > 0:
                waiting.append(name_of(plan))
            else:
                ready.append((plan, key))
                failed_before |= any(attempt.status == dg.DagsterRunStatus.FAILURE for attempt in earlier)
        if len(ready) == 1 and ready[0][0].partition and not (waiting or given_up or failed_before):
            (plan, key), *_ = ready
            ready = [(builder.with_all_courses(plan, course_ids), key)]
        if ready:
            return Wave(tuple(ready), tuple(waiting), tuple(given_up))
    return Wave((), tuple(waiting), tuple(given_up))


def wave_key(plan: RunPlan, outside: Mapping[str, str | None]) -> str:
    """The same for the same plan as long as the same came from outside, whatever the run before it left behind."""
    told = json.dumps([plan.job, plan.partition, sorted(outside.items())])
    return hashlib.sha256(told.encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Attempt:
    """An earlier run for the same thing."""

    status: dg.DagsterRunStatus
    ended: float


def pause_before(earlier: Sequence[Attempt], *, now: float) -> float | None:
    """Seconds until the next attempt may start, newest `earlier` first; None when there is to be none.

    Only failures since the last success count. What a person stopped is not started again. What succeeds again and
    again in a short time and is still not up to date has a fault of its own: it waits, too.
    """
    succeeded = [attempt for attempt in earlier if attempt.status == dg.DagsterRunStatus.SUCCESS]
    if len(succeeded) >= ATTEMPTS:
        return max(0.0, succeeded[ATTEMPTS - 1].ended + _IN_CIRCLES_S - now)
    failures = 0
    for attempt in earlier:
        if attempt.status == dg.DagsterRunStatus.CANCELED:
            return None
        if attempt.status != dg.DagsterRunStatus.FAILURE:
            break
        failures += 1
    if failures >= ATTEMPTS:
        return None
    if not failures:
        return 0.0
    pause: float = FIRST_PAUSE_S * 2 ** (failures - 1)
    return max(0.0, earlier[0].ended + pause - now)


def name_of(plan: RunPlan) -> str:
    """A plan in words."""
    return f"{plan.job} of {plan.partition}" if plan.partition else plan.job


def request(plan: RunPlan, key: str) -> dg.RunRequest:
    """What starts a run of a plan: exactly its assets, and their checks."""
    return dg.RunRequest(
        job_name=plan.job,
        partition_key=plan.partition,
        asset_selection=list(plan.assets),
        tags={WAVE: key, **plan.tags},
    )


def earlier_attempts(instance: dg.DagsterInstance, key: str) -> list[Attempt]:
    """The runs with this tag `WAVE`, the newest first."""
    records = instance.get_run_records(dg.RunsFilter(tags={WAVE: key}), limit=ATTEMPTS)
    return [Attempt(record.dagster_run.status, record.end_time or time.time()) for record in records]
