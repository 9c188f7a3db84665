"""Answers whose sources say something else since: found when a new index version is there, and kept in the store.

An answer is compared with the material as it is now, not one version with the one before: a gateway that was away
misses nothing, and several over one store find the same and keep it once.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from serving.desk.lineage.material import REVIEWED, IndexedMaterial
from serving.desk.lineage.quotable_texts import text_digest
from serving.store.tables.conversation import ChangedAnswer, RestsOn, TurnRow
from serving.store.tables.review import ReviewedAnswer
from serving.store.upserting import put

LOOKED_BACK = timedelta(days=30)
"""Older answers are not compared. A choice."""

MOST_ANSWERS = 5_000
"""The newest answers that are compared, at most. A choice: a second's work."""

SOURCES = frozenset({"faq", "subtitle", "document", "concept", "catalog"})
"""What people of a course edit. Web pages and scholarly records are not theirs, and change when they are fetched
again."""

_AT_ONCE = 400
"""Ids in one statement: SQLite takes a limited number of values."""


@dataclass(frozen=True)
class RecentAnswers:
    """The answers to compare by trace id, with what they rest on. `of_desk` are the answers of TAs and the FAQ entries
    in whose place they stand, by course and origin."""

    rests: Mapping[str, Sequence[RestsOn]]
    of_desk: frozenset[tuple[str | None, str]]


@dataclass(frozen=True)
class SourcesChange:
    """That something which an answer rests on changed: the digest of what it says now, and whether TAs alone did it."""

    sources_sha256: str
    by_desk: bool


def recent_answers(db: Session, *, version: str, courses: Collection[str], at: datetime) -> RecentAnswers:
    """The newest answers from these courses' material. Those given over this version of the index rest on nothing that
    could have changed."""
    asked = select(TurnRow.trace_id, TurnRow.index_version).where(
        TurnRow.asked_at > at - LOOKED_BACK, TurnRow.outcome == "answered"
    )
    newest = db.execute(asked.order_by(TurnRow.asked_at.desc()).limit(MOST_ANSWERS)).all()
    rests: dict[str, list[RestsOn]] = defaultdict(list)
    rests |= {trace_id: [] for trace_id, then in newest if then == version}
    for some in _batches([trace_id for trace_id, then in newest if then != version]):
        pieces = select(RestsOn).where(RestsOn.trace_id.in_(some), RestsOn.source.in_(SOURCES))
        for piece in db.scalars(pieces):
            if piece.course_id in courses:
                rests[piece.trace_id].append(piece)
    written = select(ReviewedAnswer.course_id, ReviewedAnswer.replaces).where(ReviewedAnswer.replaces.is_not(None))
    return RecentAnswers(rests, frozenset((course_id, origin or "") for course_id, origin in db.execute(written)))


def changes_of(answers: RecentAnswers, material: IndexedMaterial) -> dict[str, SourcesChange | None]:
    """By trace id what changed under each answer, `None` where nothing did."""
    known: dict[tuple[str | None, str, str], str | None] = {}
    found: dict[str, SourcesChange | None] = {}
    for trace_id, pieces in answers.rests.items():
        changed: list[tuple[RestsOn, str]] = []
        for piece in pieces:
            key = (piece.course_id, piece.entry_id, piece.text_sha256)
            if key not in known:
                known[key] = _digest_if_changed(piece, material)
            if (now_is := known[key]) is not None:
                changed.append((piece, now_is))
        found[trace_id] = _change(changed, answers.of_desk) if changed else None
    return found


def _digest_if_changed(piece: RestsOn, material: IndexedMaterial) -> str | None:
    """The digest of what a piece says now, empty for one that is gone; `None` for one that says the same."""
    state = material.state(piece)
    if state == "same":
        return None
    return text_digest(material.text_of(piece) or "") if state == "changed" else ""


def _change(changed: Sequence[tuple[RestsOn, str]], of_desk: frozenset[tuple[str | None, str]]) -> SourcesChange:
    named = sorted(f"{piece.entry_id}\0{now_is}" for piece, now_is in changed)
    by_desk = all(
        piece.source == "faq"
        and ((piece.origin_id or "").startswith(REVIEWED) or (piece.course_id, piece.origin_id) in of_desk)
        for piece, _ in changed
    )
    return SourcesChange(hashlib.sha256("\n".join(named).encode()).hexdigest(), by_desk)


def keep_changes(db: Session, found: Mapping[str, SourcesChange | None], *, version: str, at: datetime) -> list[str]:
    """Keep what was found; returns the answers of which it is news. What says the same again is changed no more.

    Repeating it does nothing. An answer that was deleted meanwhile is skipped.
    """
    news = []
    for some in _batches(sorted(found)):
        whole = [trace_id for trace_id in some if found[trace_id] is None]
        db.execute(delete(ChangedAnswer).where(ChangedAnswer.trace_id.in_(whole)))
        rows = (
            select(TurnRow.trace_id, ChangedAnswer.sources_sha256)
            .join(ChangedAnswer, ChangedAnswer.trace_id == TurnRow.trace_id, isouter=True)
            .where(TurnRow.trace_id.in_(set(some) - set(whole)))
        )
        for trace_id, known in db.execute(rows).all():
            change = found[trace_id]
            if change is not None and change.sources_sha256 != known:
                row = {"trace_id": trace_id, "index_version": version, "found_at": at, **asdict(change)}
                put(db, ChangedAnswer, row, key=("trace_id",), keep=())
                news.append(trace_id)
    return news


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))


def find_changed(db: Session, session_id: str) -> frozenset[str]:
    """The answers of a conversation whose sources say something else since."""
    query = select(ChangedAnswer.trace_id).join(TurnRow, TurnRow.trace_id == ChangedAnswer.trace_id)
    return frozenset(db.scalars(query.where(TurnRow.session_id == session_id)))
