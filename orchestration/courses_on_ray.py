"""The daemon's way to Ray (`COTEACH_COMPUTE=ray`): several courses that changed are one run, `courses_on_ray`.

It lets a cluster build them as `coteach build` does; each is a run of Dagster of its own in there.
"""

import dataclasses
import hashlib
import time

import dagster as dg

from knowledge_graph.lake.home import DataDir
from orchestration.automation import WAVE, Wave, earlier_attempts, pause_before
from orchestration.building.build import Builder
from orchestration.building.ray_runs import cluster
from orchestration.jobs import STAGE
from orchestration.partitions import HOME_POOL
from orchestration.resources import PipelineSettings, check_home, inputs_of, settings_now, writing_as_run


class CoursesToBuild(dg.Config):
    """By course, the value of the tag `WAVE` of its run."""

    waves: dict[str, str]


@dg.op(pool=HOME_POOL, description="Courses that changed, each as a run of its own on a Ray cluster.")
def courses_of_the_wave(context: dg.OpExecutionContext, config: CoursesToBuild) -> None:
    """Build what is stale of these courses. Fails where one of them has no run that could be looked at.

    Not by the resource `data_dir`: Dagster copies a sensor whose job takes one, and warns of its own copy.
    """
    from orchestration.definitions import defs  # noqa: PLC0415  it holds this

    settings = settings_now()
    data_dir = DataDir(check_home(settings).absolute())
    builder = Builder(defs(), context.instance, inputs_of(settings), data_dir)
    lost = list[str]()
    with writing_as_run(context.run, data_dir, context.log.info), cluster():
        plans = [
            dataclasses.replace(plan, labels={WAVE: config.waves[plan.partition]})
            for plan in next(builder.stages(builder.find_registered()))
            if plan.partition in config.waves
        ]
        for outcome in builder.run_apart(plans, settings.course_resources):
            how = "done" if outcome.succeeded else f"failed: {outcome.trouble or 'its own run says why'}"
            context.log.info(f"{outcome.plan.partition}: {how} in {outcome.seconds:.1f} s")
            lost += [f"{outcome.plan.partition}: {outcome.trouble}"] if outcome.trouble else []
    if lost:
        raise dg.Failure(f"Not built on Ray: {'; '.join(lost)}")


@dg.job(
    description="Courses that changed, on a Ray cluster, where the daemon is told to build there.",
    tags={STAGE: "course"},
    executor_def=dg.in_process_executor,
)
def courses_on_ray() -> None:
    """One op."""
    courses_of_the_wave()


def request_on_ray(wave: Wave, instance: dg.DagsterInstance) -> dg.RunRequest | dg.SkipReason | None:
    """One run for all courses of a wave; `None` where this is none for Ray, which one course or no course is.

    A cluster that is away fails it, and it is tried again as whatever failed.
    """
    keys = {plan.partition: key for plan, key in wave.plans if plan.partition is not None}
    if PipelineSettings().compute != "ray" or len(keys) < 2 or len(keys) < len(wave.plans):
        return None
    key = hashlib.sha256(" ".join(sorted(keys.values())).encode()).hexdigest()[:24]
    pause = pause_before(earlier_attempts(instance, key), now=time.time())
    if pause is None:
        return dg.SkipReason("The courses could not be built on Ray again and again; it waits for a change.")
    if pause > 0:
        return dg.SkipReason("The courses could not be built on Ray; tried again soon.")
    config = dg.RunConfig({courses_of_the_wave.name: CoursesToBuild(waves=keys)})
    return dg.RunRequest(job_name=courses_on_ray.name, run_config=config, tags={WAVE: key})
