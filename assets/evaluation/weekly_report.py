"""Stage `evaluation`: the report for the weekly meeting, of the store as it is. A schedule makes it each Monday."""

from datetime import UTC, date, datetime

import dagster as dg
from pydantic import Field

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_text_atomic
from orchestration.building.decisions import TURNS, existing_store
from orchestration.reporting.tables import facts_of_files
from orchestration.resources import Inputs


class WeekToReport(dg.Config):
    """Which seven days."""

    ending: str | None = Field(None, description="Last day, 2026-03-01; without, the Sunday that ended the last week.")


@dg.asset(deps=[TURNS], group_name="evaluation", kinds={"markdown"}, owners=["team:ml"], code_version="1")
def weekly_report(
    config: WeekToReport, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """What students asked in vain and liked least, what changed, and whether routes have shifted (LittleMu 4.2.3)."""
    from serving.evaluation.logs.weekly_report import (  # noqa: PLC0415  SciPy takes 0.2 s
        as_html,
        as_markdown,
        read_week,
        report_of,
    )

    last = ending(config.ending, datetime.now(UTC).date())
    with existing_store(inputs.store_url) as store:
        found = None if store is None else store.read(lambda db: read_week(db, last))
    report = report_of(found, last)
    path = data_dir.weekly_reports / f"{last}.html"
    write_text_atomic(path.with_suffix(".md"), as_markdown(report))
    write_text_atomic(path, as_html(report))
    return dg.MaterializeResult(
        metadata={
            "report": dg.MetadataValue.md(as_markdown(report)),
            **facts_of_files(path),
            "unanswered": len(found.unanswered) if found else 0,
            "disliked": len(found.disliked) if found else 0,
            **({"drift_p": found.drift} if found and found.drift is not None else {}),
        }
    )


def ending(chosen: str | None, today: date) -> date:
    """The last day of the week to report. Raises `dg.Failure` for a text that is no day."""
    from serving.evaluation.logs.weekly_report import last_full_week  # noqa: PLC0415

    if chosen is None:
        return last_full_week(today)
    try:
        return date.fromisoformat(chosen)
    except ValueError as error:
        raise dg.Failure(f"ending: expected a day such as 2026-03-01; found {chosen[:40]!r}.") from error
