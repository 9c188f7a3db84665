"""What was asked and answered at the gateway, as the pipeline watches it: an outage must not be silent."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import dagster as dg

from orchestration.building.decisions import TURNS, existing_store
from orchestration.resources import Inputs, Watch
from serving.store.database_errors import StoreUnavailable
from serving.store.for_builds import QuestionCounts, count_outcomes

_OUTAGE = 0.5
"""Below this part of the least share the check is an error, above it a warning. A choice."""


@dg.asset_check(asset=TURNS, description="Of the questions of the last hours enough were answered, in every course.")
def answered_to_asked(inputs: dg.ResourceParam[Inputs]) -> dg.AssetCheckResult:
    """Fails when a course's share of answered questions is too low, and when the store cannot be read."""
    since = datetime.now(UTC) - timedelta(hours=inputs.watch.hours)
    try:
        with existing_store(inputs.store_url) as store:
            counts = store.read(lambda db: count_outcomes(db, since)) if store else []
    except StoreUnavailable as error:
        return dg.AssetCheckResult(passed=False, description=str(error))
    return verdict(counts, inputs.watch)


def verdict(counts: Sequence[QuestionCounts], watch: Watch) -> dg.AssetCheckResult:
    """What the counts of each course come to. Questions of no course are a course of their own."""
    weighed = [one for one in counts if one.asked >= watch.least]
    low = [one for one in weighed if one.answered < watch.share * one.asked]
    is_outage = any(one.answered < _OUTAGE * watch.share * one.asked for one in low)
    asked, answered = sum(one.asked for one in counts), sum(one.answered for one in counts)
    return dg.AssetCheckResult(
        passed=not low,
        severity=dg.AssetCheckSeverity.ERROR if is_outage else dg.AssetCheckSeverity.WARN,
        description="\n".join(_sentence(one, watch) for one in low) or None,
        metadata={
            "hours": watch.hours,
            "asked": asked,
            "answered": answered,
            **({"share": answered / asked} if asked else {}),
            "courses": [asdict(one) for one in counts],
        },
    )


def _sentence(one: QuestionCounts, watch: Watch) -> str:
    return (
        f"{one.course_id or 'no course'}: {one.answered} of {one.asked} questions of the last {watch.hours:g} hours "
        f"were answered; {one.handed_on} handed to TAs, {one.without_model} answered without the model, "
        f"{one.failed} failed. See `coteach status` and the gateway's log."
    )
