"""Alerts of failed runs and checks: a line in the home's log of alerts, and a webhook if one is set."""

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import httpx

_TIMEOUT_S = 10.0
_CHARACTERS = 500
"""Most characters of an error's message."""


@dataclass(frozen=True)
class Alert:
    """What a person should know."""

    at: str
    what: str
    """The run or the check, in words."""
    why: str
    run_id: str

    def __str__(self) -> str:
        return f"{self.at} {self.what}: {self.why} (run {self.run_id[:8]})"


def alert_of_run(run: dg.DagsterRun, reason: str) -> Alert:
    """A run that failed."""
    partition = run.tags.get("dagster/partition")
    of_course = f" of {partition}" if partition else ""
    return Alert(_now(), f"{run.job_name}{of_course} failed", reason[:_CHARACTERS] or "no reason was told", run.run_id)


def alerts_of_checks(run: dg.DagsterRun, evaluations: Sequence[dg.AssetCheckEvaluation]) -> list[Alert]:
    """Checks of a run that failed as errors; warnings are for Dagster's pages."""
    return [
        Alert(
            _now(),
            f"check {one.check_name} of {one.asset_key.to_user_string()} failed",
            (one.description or "see its metadata in Dagster")[:_CHARACTERS],
            run.run_id,
        )
        for one in evaluations
        if not one.passed and one.severity == dg.AssetCheckSeverity.ERROR
    ]


def tell(alert: Alert, *, log: Path, url: str | None, logger: logging.Logger) -> None:
    """Write a line, and post JSON to `url`. A webhook that does not answer is a line more, never a failure."""
    logger.error(str(alert))
    _append(log, str(alert))
    if url is None:
        return
    try:
        # `text` is what chat services show.
        httpx.post(url, json={"text": str(alert), **asdict(alert)}, timeout=_TIMEOUT_S).raise_for_status()
    except httpx.HTTPError as error:
        _append(log, f"{_now()} the alert of run {alert.run_id[:8]} did not reach the webhook: {type(error).__name__}")


def evaluations_of(instance: dg.DagsterInstance, run_id: str) -> list[dg.AssetCheckEvaluation]:
    """What the checks of a run found."""
    wanted = {dg.DagsterEventType.ASSET_CHECK_EVALUATION}
    records = instance.get_records_for_run(run_id, of_type=wanted).records
    events = [record.event_log_entry.dagster_event for record in records]
    return [event.asset_check_evaluation_data for event in events if event is not None]


def _append(log: Path, line: str) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False)[1:-1] + "\n")  # one line, whatever an error says


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
