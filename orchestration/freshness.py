"""When assets are overdue in Dagster's pages: one rule, read off the schedules.

An asset that a schedule makes, or looks at and keeps, is late when one tick went by without it, and overdue when two
did. No other asset has such a policy. Dagster's policies go by the time of the last materialization alone, and what
follows a course's files is not made again while nobody edits them: after a quiet weekend every course would be red.
Whether these follow is what the planner is asked every five seconds (automation.py).
"""

from datetime import timedelta

import dagster as dg
from dagster._utils.schedules import get_smallest_cron_interval

from orchestration.asset_tags import ALL_COURSES
from orchestration.jobs import STAGE, WEB_ASSETS, WEEKLY_ASSETS, nightly_look, web_update, weekly_report_schedule

_TO_RUN = timedelta(hours=1)
"""From a tick until what it starts is made, at most."""


def schedule_of(spec: dg.AssetSpec) -> dg.ScheduleDefinition | None:
    """The schedule that makes an asset, by its tags."""
    name = spec.key.to_user_string()
    if name in WEB_ASSETS:
        return web_update
    if name in WEEKLY_ASSETS:
        return weekly_report_schedule
    return nightly_look if spec.tags.get(STAGE) == ALL_COURSES else None


def policy_of(schedule: dg.ScheduleDefinition) -> dg.FreshnessPolicy:
    """A warning after one missed tick, overdue after two. Raises `ValueError` for several crons at once."""
    if not isinstance(schedule.cron_schedule, str):
        raise ValueError(f"{schedule.name} has several crons; a freshness policy goes by one.")
    interval = get_smallest_cron_interval(schedule.cron_schedule)
    return dg.FreshnessPolicy.time_window(fail_window=2 * interval + _TO_RUN, warn_window=interval + _TO_RUN)


def with_freshness(definitions: dg.Definitions) -> dg.Definitions:
    """The same definitions, each asset of a schedule with its policy. They have their tags."""
    return definitions.map_asset_specs(func=_with_policy)


def _with_policy(spec: dg.AssetSpec) -> dg.AssetSpec:
    schedule = schedule_of(spec)
    return spec if schedule is None else spec.replace_attributes(freshness_policy=policy_of(schedule))
