"""Sensors: one looks outside for courses and changed files, one runs what the automation conditions ask for."""

import dagster as dg

from orchestration.courses import changes, look_outside, new_course_ids, observed_versions
from orchestration.partitions import courses
from orchestration.resources import Inputs


@dg.sensor(minimum_interval_seconds=30, default_status=dg.DefaultSensorStatus.RUNNING)
def new_courses(context: dg.SensorEvaluationContext, inputs: dg.ResourceParam[Inputs]) -> dg.SensorResult:
    """Registers new course folders, reports changed files and what people decided in the store.

    It requests no runs: automation conditions do.
    """
    outside = look_outside(inputs)
    current = outside.versions
    if outside.trouble:
        context.log.warning(outside.trouble)
    new = new_course_ids(current, context.instance.get_dynamic_partitions(courses.name or "courses"))
    found = changes(current, observed_versions(context.instance, current), outside.tallies)
    return dg.SensorResult(
        dynamic_partitions_requests=[courses.build_add_request(new)] if new else [],
        asset_events=[change.event() for change in found],
    )


automation = dg.AutomationConditionSensorDefinition(
    "automation",
    target=dg.AssetSelection.all(),
    default_status=dg.DefaultSensorStatus.RUNNING,
    minimum_interval_seconds=30,
)
"""The platform runs by itself as soon as the daemon does."""
