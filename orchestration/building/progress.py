"""What a person sees while a build runs: one line per finished asset, check and step of a long one."""

import json
import logging
import sys
from collections.abc import Iterator

import dagster as dg

from orchestration.building.kept_results import KEPT

_TALKATIVE = "dbt_models"
"""The step whose informational messages are about dbt's own command line."""

_OWN = ("knowledge_graph.", "models.", "orchestration.", "serving.")
"""How the name of an error begins whose message is for people."""
_SHOWN = 500
"""Characters of one figure of a check; a list may have thousands of rows."""


class _Lines(logging.Handler):
    """Turns Dagster's log records into short lines on the real standard error, wherever libraries' output is sent."""

    def emit(self, record: logging.LogRecord) -> None:
        line = line_of(record)
        if line and sys.__stderr__ is not None:
            sys.__stderr__.write(line + "\n")
            sys.__stderr__.flush()


def line_of(record: logging.LogRecord) -> str | None:
    """The line to show for a record of Dagster's, or None for one that says nothing to a person."""
    meta: dict[str, object] = getattr(record, "dagster_meta", {})
    event = meta.get("dagster_event")
    if not isinstance(event, dg.DagsterEvent):
        worth_a_line = logging.WARNING if meta.get("step_key") == _TALKATIVE else logging.INFO
        return f"      {meta.get('orig_message', record.getMessage())}" if record.levelno >= worth_a_line else None
    if event.is_step_failure:
        return f"    ✗ {event.step_key}: {failure_reason(event)}"
    if event.event_type == dg.DagsterEventType.ASSET_MATERIALIZATION:
        return _materialization_line(event)
    if event.event_type == dg.DagsterEventType.ASSET_CHECK_EVALUATION:
        return _check_line(event.asset_check_evaluation_data)
    return None


def _materialization_line(event: dg.DagsterEvent) -> str:
    materialization = event.step_materialization_data.materialization
    if KEPT in materialization.metadata:
        return f"    = {materialization.asset_key.to_user_string()}  kept: what it reads came out the same"
    rows = materialization.metadata.get("dagster/row_count")
    count = f"  {rows.value:,} rows" if rows is not None and isinstance(rows.value, int) else ""
    return f"    ✓ {materialization.asset_key.to_user_string()}{count}"


def _check_line(check: dg.AssetCheckEvaluation) -> str | None:
    if check.passed:
        return None
    mark = "!" if check.severity == dg.AssetCheckSeverity.WARN else "✗"
    lines = (check.description.splitlines() if check.description else []) or [
        *_figure_lines(check),
        "More is in Dagster.",
    ]
    return "\n".join(
        [f"    {mark} {check.asset_key.to_user_string()}: {check.check_name}", *(f"        {x}" for x in lines)]
    )


def _figure_lines(check: dg.AssetCheckEvaluation) -> Iterator[str]:
    """What a check without words of its own found, a line for each of its figures that says anything."""
    for name, value in check.metadata.items():
        found = value.value
        if found and not (isinstance(found, dict) and not any(found.values())):
            text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False, default=str)
            yield f"{name}: {text if len(text) <= _SHOWN else text[:_SHOWN] + ' …'}"


def failure_reason(event: dg.DagsterEvent) -> str:
    """The words of the first error that is coteach's own, which says what to do; else the innermost error's."""
    error = event.step_failure_data.error
    while error is not None and error.cause is not None and not error.message.startswith(_OWN):
        error = error.cause
    return error.message.strip() if error is not None else "failed without saying why"


@dg.logger(config_schema=None, description="One line per finished asset, check and step.")
def progress_logger(_context: dg.InitLoggerContext) -> logging.Logger:
    logger = logging.getLogger("coteach.progress")
    logger.setLevel(logging.DEBUG)  # Dagster logs its events at that level
    logger.handlers = [_Lines()]
    logger.propagate = False
    return logger
