"""The one place Dagster loads: everything in `assets/`, and how it runs. No algorithms here."""

from pathlib import Path

import dagster as dg

from orchestration.jobs import (
    answering_watch,
    course_build,
    evaluation_build,
    explanation_build,
    fan_in_build,
    faq_update,
    intent_build,
    report_build,
    system_build,
    web_update,
    weekly_build,
    weekly_report_schedule,
)
from orchestration.progress import progress_logger
from orchestration.resources import PipelineSettings, resources
from orchestration.sensors import automation, new_courses


@dg.definitions
def defs() -> dg.Definitions:
    """Assets and checks of `assets/`, with resources, jobs, the schedule and the sensors."""
    return dg.Definitions.merge(
        dg.load_from_defs_folder(path_within_project=Path(__file__).parent),
        dg.Definitions(
            resources=resources(PipelineSettings()),
            jobs=[
                course_build,
                fan_in_build,
                intent_build,
                explanation_build,
                evaluation_build,
                system_build,
                report_build,
                weekly_build,
            ],
            schedules=[answering_watch, faq_update, web_update, weekly_report_schedule],
            sensors=[new_courses, automation],
            # The multiprocess executor imports everything again for each step: 130 s where this takes 25 s.
            executor=dg.in_process_executor,
            loggers={"console": dg.colored_console_logger, "progress": progress_logger},
        ),
    )
