"""Whether questions are still answered: the share of the last ones that were, and the alert when it is low.

Why: an assistant of this kind was down for nine days, with 9 of 330 questions answered, before anybody saw it. Answers
without the model count as not answered here, since students get them when the model server is down. Small talk and
what was declined or asked back do not count: nothing is broken when a question is declined.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

import structlog

from serving.desk.insights.queries import read_latest
from serving.desk.insights.scope import InsightScope
from serving.settings import Settings
from serving.store.database import Store
from serving.store.tables.base import now

log = structlog.get_logger(__name__)

LAST = 50
WINDOW = timedelta(hours=24)
"""The last so many questions of each course, none older than this: soon in a busy hour, and still in a quiet one."""

LOOK_SECONDS = 15.0
"""How often the store is read. A choice."""


@dataclass(frozen=True)
class Ratio:
    """How many of the last `asked` questions of a course (`None`: of no single course) were answered in full."""

    course_id: str | None
    asked: int
    answered: int

    @property
    def value(self) -> float:
        """0..1; 1 when nothing was asked."""
        return self.answered / self.asked if self.asked else 1.0


@dataclass(frozen=True)
class CoverageAlert:
    """A course whose questions are not answered. `threshold` is the share, 0..1, that was expected."""

    course_id: str | None
    asked: int
    answered: int
    threshold: float


def compute_ratios(rows: Iterable[tuple[str | None, int, int]]) -> list[Ratio]:
    """By course, in the order of their names; `None` first."""
    return sorted((Ratio(*row) for row in rows), key=lambda ratio: ratio.course_id or "")


def alerts(ratios: Iterable[Ratio], *, threshold: float, fewest: int) -> list[CoverageAlert]:
    """Courses below `threshold`, among those with at least `fewest` questions."""
    return [
        CoverageAlert(one.course_id, one.asked, one.answered, threshold)
        for one in ratios
        if one.asked >= fewest and one.value < threshold
    ]


class CoverageWatch:
    """Follows the store; logs once when a course falls below the threshold, and once when it recovers."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._ratios: list[Ratio] = []
        self._alerts: dict[str | None, CoverageAlert] = {}

    @property
    def alerts(self) -> list[CoverageAlert]:
        return list(self._alerts.values())

    def ratios(self) -> Mapping[str, float]:
        """The share answered by course, for Prometheus; `` stands for questions of no one course. Only where enough was
        asked for an alert, so that one failed question at night wakes nobody."""
        fewest = self._settings.answered_ratio_questions
        return {one.course_id or "": one.value for one in self._ratios if one.asked >= fewest}

    async def look(self) -> None:
        """Count once, and say what changed."""
        at = now()
        scope = InsightScope(None, at - WINDOW, at + timedelta(minutes=1))
        rows = await self._store.reading(lambda db: read_latest(db, scope, last=LAST))
        self._ratios = compute_ratios(rows)
        found = alerts(
            self._ratios, threshold=self._settings.answered_ratio, fewest=self._settings.answered_ratio_questions
        )
        before, self._alerts = self._alerts, {one.course_id: one for one in found}
        for one in found:
            if one.course_id not in before:
                log.error(
                    "answered_ratio_low",
                    course=one.course_id,
                    asked=one.asked,
                    answered=one.answered,
                    threshold=one.threshold,
                    remedy="Look at the model server and at /healthz.",
                )
        for course_id in before.keys() - self._alerts.keys():
            log.info("answered_ratio_back", course=course_id)

    async def follow(self) -> None:
        """Check until cancelled; a store that cannot be read now is read again later."""
        while True:
            try:
                await self.look()
            except Exception:
                log.exception("answered_ratio_unknown", retry_seconds=LOOK_SECONDS)
            await asyncio.sleep(LOOK_SECONDS)
