"""What the rating page shows: batches with their progress, and the next answer with the text of its references.

Reading and putting side by side; no NiceGUI. What may be rated is decided in `serving.feedback.rating_forms` and
`serving.store`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.feedback.rating_forms import FormName
from serving.index.search import SearchIndex
from serving.store.batches import BatchProgress, batch_for, batches_for, may_manage, next_item, progress
from serving.store.caller import Caller
from serving.store.ratings import AnswerToRate, answer_to_rate
from serving.store.tables.rating import Batch, BatchItem

MOST_BATCHES = 50
"""Batches in the list, the newest. A choice."""


@dataclass(frozen=True)
class ShownBatch:
    """A batch for one visitor. `mine_left` is what they have still to rate, what is for anybody counted in."""

    batch: Batch
    progress: tuple[BatchProgress, ...]
    mine_left: int
    may_manage: bool

    @property
    def done(self) -> int:
        return sum(one.done for one in self.progress)

    @property
    def total(self) -> int:
        return sum(one.total for one in self.progress)

    @property
    def form(self) -> FormName:
        return cast(FormName, self.batch.form)


@dataclass(frozen=True)
class Next:
    """The next answer; `None` when nothing is left but what was skipped. `left` counts it and all after it."""

    answer: AnswerToRate | None
    left: int


def list_batches(db: Session, caller: Caller) -> list[ShownBatch]:
    """What the caller may see: those with something left for them first, then the newest."""
    found = [_to_shown_batch(db, caller, batch) for batch in batches_for(db, caller)[:MOST_BATCHES]]
    return sorted(found, key=lambda one: one.mine_left == 0)


def one_batch(db: Session, caller: Caller, batch_id: str) -> ShownBatch:
    """Raises `BatchUnknown`."""
    return _to_shown_batch(db, caller, batch_for(db, caller, batch_id))


def next_answer(db: Session, caller: Caller, batch_id: str, skipped: Collection[str]) -> Next:
    """The caller's first answer that is not rated and not `skipped`; else one that nobody has. May write."""
    batch = batch_for(db, caller, batch_id)
    waiting = select(BatchItem.trace_id).where(
        BatchItem.batch_id == batch_id, BatchItem.assigned_to == caller.person_id, BatchItem.finished_at.is_(None)
    )
    own = list(db.scalars(waiting.order_by(BatchItem.position)))
    wanted = next((one for one in own if one not in skipped), None)
    if wanted is None and not own:
        item = next_item(db, caller, batch_id)
        wanted = item.trace_id if item is not None else None
    answer = answer_to_rate(db, caller, wanted, cast(FormName, batch.form)) if wanted is not None else None
    return Next(answer, _count_left(db, caller, batch_id))


def reference_text(index: SearchIndex, graph: ConceptGraph, reference: dict[str, Any]) -> str:
    """What a reference says, as the index has it, or the graph; empty when they have it no more."""
    key = str(reference.get("evidence_id") or "")
    found = [*index.entries("qa", [key]), *index.entries("passage", [key])]
    if found:
        return found[0].text
    return (graph.definition(key) or "") if key in graph else ""


def _to_shown_batch(db: Session, caller: Caller, batch: Batch) -> ShownBatch:
    parts = tuple(progress(db, batch.batch_id))
    return ShownBatch(batch, parts, _count_left(db, caller, batch.batch_id), may_manage(caller, batch))


def _count_left(db: Session, caller: Caller, batch_id: str) -> int:
    query = select(func.count()).where(
        BatchItem.batch_id == batch_id,
        BatchItem.assigned_to.in_((caller.person_id, "")),
        BatchItem.finished_at.is_(None),
    )
    return db.scalar(query) or 0
