"""The one place Dagster loads: everything in `assets/`, and how it runs. No algorithms here."""

import warnings
from functools import cache

import dagster as dg

import assets
from knowledge_graph.lean_imports import collect_garbage_rarely
from orchestration.asset_tags import with_tags
from orchestration.building.kept_engines import keep_engines
from orchestration.building.progress import progress_logger
from orchestration.building.warm_workers import keep_workers_warm
from orchestration.courses_on_ray import courses_on_ray
from orchestration.freshness import with_freshness
from orchestration.jobs import (
    answering_watch,
    course_build,
    course_update,
    evaluation_build,
    exam_build,
    explanation_build,
    fan_in_build,
    intent_build,
    nightly_look,
    report_build,
    system_build,
    tutor_build,
    web_update,
    weekly_build,
    weekly_report_schedule,
)
from orchestration.publication import publication, publishing
from orchestration.resources import resources, settings_now
from orchestration.sensors import automation, failed_checks, failed_runs, new_courses


@cache
def _of_assets() -> dg.Definitions:
    """Everything in `assets/`, which reads no setting.

    Not by `load_from_defs_folder`: it also looks at every component that some installed package offers, a tenth of the
    processor time of a small build, and outside a checkout no project file says where the folder is.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dg.PreviewWarning)  # pinned, and held by a test of the wheel
        return with_freshness(with_tags(dg.load_definitions_from_package_module(assets)))


@dg.definitions
def defs() -> dg.Definitions:
    """Assets and checks of `assets/`, with resources, jobs, the schedule and the sensors."""
    collect_garbage_rarely()
    keep_engines()
    keep_workers_warm()
    settings = settings_now()
    publishes = settings.publish_url is not None
    return dg.Definitions.merge(
        _of_assets(),
        dg.Definitions(
            resources=resources(settings),
            jobs=[
                course_build,
                course_update,
                courses_on_ray,
                fan_in_build,
                intent_build,
                explanation_build,
                evaluation_build,
                exam_build,
                tutor_build,
                system_build,
                report_build,
                weekly_build,
                *([publication] if publishes else []),
            ],
            schedules=[answering_watch, web_update, nightly_look, weekly_report_schedule],
            sensors=[new_courses, automation, failed_runs, failed_checks, *([publishing] if publishes else [])],
            # The multiprocess executor imports everything again for each step: 130 s where this takes 25 s.
            executor=dg.in_process_executor,
            loggers={"console": dg.colored_console_logger, "progress": progress_logger},
        ),
    )
