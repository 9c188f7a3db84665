"""The daily sample: a few answers of each day and course, for an expert to say whether they satisfy (LittleMu 4.2.3).

It is drawn when first asked for. The same day, course and seed give the same answers, whoever asks.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from sqlalchemy.orm import Session

from serving.store.batch_sampling import Draw, drawn
from serving.store.batches import ANYBODY, BatchRefused
from serving.store.tables.base import now
from serving.store.tables.rating import Batch, BatchItem
from serving.store.upserting import put_new

PER_DAY = 20
"""Answers of one course and day. A choice: 20 a day are 600 a month, a rate within 4 percentage points either way."""


def daily_batch(
    db: Session, course_id: str, day: date, *, seed: int = 0, answers: int = PER_DAY, today: date | None = None
) -> Batch | None:
    """The batch of a day that is over (UTC), for any TA to rate; `None` when nothing was answered on it.

    Raises `BatchRefused` for a day that is not over: its sample would change with the next question.
    """
    if day >= (today or now().date()):
        raise BatchRefused(f"The sample of {day} is drawn when that day is over (UTC); ask for an earlier day.")
    batch_id = hashlib.sha256(f"daily:{course_id}:{day}:{seed}".encode()).hexdigest()[:32]
    if (batch := db.get(Batch, batch_id)) is not None:
        return batch
    since = datetime(day.year, day.month, day.day, tzinfo=UTC)
    draw = Draw(answers, seed, (course_id,), since=since, until=since + timedelta(days=1))
    found = drawn(db, draw)
    if not found:
        return None
    _write(db, batch_id, course_id, day, draw, found)
    return db.get(Batch, batch_id)


def _write(db: Session, batch_id: str, course_id: str, day: date, draw: Draw, found: Sequence[str]) -> None:
    batch = {
        "batch_id": batch_id,
        "name": f"{course_id} {day}",
        "form": "satisfaction",
        "course_id": course_id,
        "seed": draw.seed,
        "drawn_from": {"daily": str(day), "answers": draw.answers, "found": len(found)},
        "created_by": None,
        "created_at": now(),
    }
    items = [
        {"batch_id": batch_id, "trace_id": trace_id, "assigned_to": ANYBODY, "position": place, "finished_at": None}
        for place, trace_id in enumerate(found)
    ]
    put_new(db, Batch, [batch])
    put_new(db, BatchItem, items)
