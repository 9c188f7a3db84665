"""Thumbs: whose, how often, changed, taken back, and what enters the queue."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select
from voices_rows import OTHER, STUDENT, with_turns

from serving.desk.refusals import NotFit
from serving.feedback.reasons import DOWN_REASONS, UP_REASONS, FeedbackRefused
from serving.store.database import Store
from serving.store.feedback import thumb, thumb_of
from serving.store.tables.conversation import Feedback
from serving.store.tables.review import TaQuestion
from serving.store.turns import NotYours


def test_a_thumb_is_kept_changed_and_taken_back(store: Store) -> None:
    with_turns(store, "t1")
    first = store.write(lambda db: thumb(db, STUDENT, "t1", 1, ["thorough_explanation"], " good "))
    assert first is not None
    assert (first.thumb, first.reasons, first.comment) == (1, ["thorough_explanation"], "good")
    second = store.write(lambda db: thumb(db, STUDENT, "t1", -1, ["too_slow", "incorrect", "incorrect"]))
    assert second is not None
    assert (second.thumb, second.reasons, second.created_at) == (-1, ["incorrect", "too_slow"], first.created_at)
    assert store.write(lambda db: thumb(db, STUDENT, "t1", 0)) is None
    assert store.read(lambda db: thumb_of(db, STUDENT, "t1")) is None
    assert store.write(lambda db: thumb(db, STUDENT, "t1", 0)) is None


def test_nobody_speaks_of_anothers_answer_or_of_none(store: Store) -> None:
    with_turns(store, "t1")
    for trace_id in ("t1", "t2"):
        with pytest.raises(NotYours, match=trace_id):
            store.write(lambda db, trace_id=trace_id: thumb(db, OTHER, trace_id, 1))
    assert store.read(lambda db: db.scalar(select(func.count()).select_from(Feedback))) == 0


def test_a_thumb_down_enters_the_queue_once_and_stays_there(store: Store) -> None:
    with_turns(store, "t1")
    store.write(lambda db: thumb(db, STUDENT, "t1", 1))
    assert store.read(lambda db: list(db.scalars(select(TaQuestion)))) == []
    store.write(lambda db: thumb(db, STUDENT, "t1", -1, comment="wrong end"))
    store.write(lambda db: thumb(db, STUDENT, "t1", -1, ["incorrect"], "wrong end"))
    store.write(lambda db: thumb(db, STUDENT, "t1", 0))
    [item] = store.read(lambda db: list(db.scalars(select(TaQuestion))))
    assert (item.reason, item.trace_id, item.note, item.state) == ("thumbs_down", "t1", "wrong end", "open")


def test_reasons_go_with_their_thumb(store: Store) -> None:
    with_turns(store, "t1")
    with pytest.raises(FeedbackRefused, match=r"Reasons of a thumb up are .*thorough_explanation.*; found too_slow"):
        store.write(lambda db: thumb(db, STUDENT, "t1", 1, ["too_slow"]))
    with pytest.raises(NotFit, match="comment has 2001 characters"):
        store.write(lambda db: thumb(db, STUDENT, "t1", 1, comment="x" * 2001))


def test_a_comment_may_hold_anything_that_can_be_written(store: Store) -> None:
    with_turns(store, "t1")
    kept = store.write(lambda db: thumb(db, STUDENT, "t1", -1, comment="<script>alert(1)</script>\x00 很好 🙂"))
    assert kept is not None
    assert kept.comment == "<script>alert(1)</script> 很好 🙂"


def test_many_thumbs_at_once_are_one(store: Store) -> None:
    with_turns(store, "t1")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda value: store.write(lambda db: thumb(db, STUDENT, "t1", value)), [1, -1] * 20))
    assert store.read(lambda db: db.scalar(select(func.count()).select_from(Feedback))) == 1
    assert store.read(lambda db: db.scalar(select(func.count()).select_from(TaQuestion))) == 1


def test_every_reason_has_words_in_both_languages_and_the_papers_are_among_them() -> None:
    assert (UP_REASONS[0].en, DOWN_REASONS[0].en) == ("Thorough explanation", "Needs more explanation")
    codes = [reason.code for reason in (*UP_REASONS, *DOWN_REASONS)]
    assert len(codes) == len(set(codes))
    assert all(reason.en and not reason.zh.isascii() for reason in (*UP_REASONS, *DOWN_REASONS))
