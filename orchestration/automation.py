"""When assets run by themselves: named conditions, each with its reason.

The command line does not use these: `coteach build` plans from what changed (build.py). Both follow the same lineage.
"""

from datetime import timedelta

import dagster as dg

per_course = dg.AutomationCondition.eager().with_label("per_course")
"""Run a course's asset when something it reads changed for that course, once everything it reads exists."""

fan_in = dg.AutomationCondition.eager().without(~dg.AutomationCondition.any_deps_missing()).with_label("fan_in")
"""Run with the courses that are ready. Plain `eager` would wait until no course is missing: one bad course would
block everybody."""

once = dg.AutomationCondition.on_missing().with_label("once")
"""Run only when there is none yet. A new course must not retrain anything (LittleMu, section 1: tuning-free)."""

follow = dg.AutomationCondition.eager().with_label("follow")
"""Run when what an unpartitioned asset reads was updated."""

read_each_night = dg.FreshnessPolicy.time_window(fail_window=timedelta(hours=49), warn_window=timedelta(hours=25))
"""Of what a schedule reads each night (LittleMu 3.2.2): a warning when a night was missed, overdue after two."""
