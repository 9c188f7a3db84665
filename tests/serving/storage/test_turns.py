"""Turns come to the end of their session whoever stores them at the same time, and not into one that was deleted."""

import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from sqlalchemy import event, select
from sqlalchemy.orm import Session

from serving.llm.messages import Message
from serving.store.database import Store
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import Person
from serving.store.tables.review import Review, TaQuestion
from serving.store.turns import (
    LONGEST_SAID,
    REMEMBERED_TURNS,
    NotYours,
    Recorded,
    add_turn,
    find_session,
    forget_session,
    questions_in,
    thread_digest,
)

MING = Person(person_id="ming", is_by_session=True)


def turn(trace_id: str) -> TurnRow:
    return TurnRow(
        trace_id=trace_id, session_id="s", person_id="ming", position=0, question="?", answer="!", outcome="answered"
    )


def keep(store: Store, trace_id: str, *, is_new_session: bool = False) -> None:
    store.write(lambda db: add_turn(db, Recorded(turn(trace_id), is_new_session), person=MING, mode=None))


def positions(store: Store) -> dict[str, int]:
    def work(db: Session) -> dict[str, int]:
        return {row.trace_id: row.position for row in db.scalars(select(TurnRow).order_by(TurnRow.position))}

    return store.read(work)


@pytest.fixture
def other(store: Store) -> Iterator[Store]:
    """Another process at the same database."""
    opened = Store.open(store.url.render_as_string(hide_password=False))
    yield opened
    opened.close()


def test_two_processes_that_answer_in_one_session_at_once_lose_no_turn(store: Store, other: Store) -> None:
    keep(store, "first", is_new_session=True)
    meet = threading.Barrier(2, timeout=1)

    def wait_before_the_insert(connection: object, cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT INTO turns"):
            with suppress(threading.BrokenBarrierError):  # the other one waits for this one's commit
                meet.wait()

    engines = [each._engines.writer for each in (store, other)]
    for engine in engines:
        event.listen(engine, "before_cursor_execute", wait_before_the_insert)
    threads = [threading.Thread(target=keep, args=pair) for pair in ((store, "left"), (other, "right"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = positions(store)
    assert found.keys() == {"first", "left", "right"}
    assert list(found.values()) == [0, 1, 2]


def test_an_answer_to_a_session_that_was_deleted_meanwhile_is_not_kept(store: Store) -> None:
    keep(store, "first", is_new_session=True)
    store.write(lambda db: forget_session(db, "ming", "s"))
    with pytest.raises(NotYours):
        keep(store, "second")
    assert positions(store) == {}


def test_a_session_that_is_deleted_leaves_nothing_in_the_history_of_decisions(store: Store) -> None:
    keep(store, "first", is_new_session=True)

    def reject(db: Session) -> None:
        db.add(TaQuestion(question_id="q", question="?", reason="asked", person_id="ming", trace_id="first"))
        db.add(Review(question_id="q", decision="reject", note="You asked that on Monday."))

    store.write(reject)
    store.write(lambda db: forget_session(db, "ming", "s"))
    assert store.read(lambda db: [*db.scalars(select(Review)), *db.scalars(select(ChatSession))]) == []


def test_a_history_that_a_client_sends_is_read_as_far_back_as_the_store_remembers(store: Store) -> None:
    """A megabyte of it was read whole at each question: 8,000 messages compared with every item of graded work."""
    said = [Message("user" if place % 2 == 0 else "assistant", f"{place} " + "a" * 10_000) for place in range(400)]
    keep(store, "one", is_new_session=True)

    def work(db: Session) -> None:
        db.get_one(TurnRow, "one").thread_sha256 = thread_digest(questions_in(said))

    store.write(work)
    found = store.read(lambda db: find_session(db, "ming", session_id=None, history=said))
    assert found.session_id == "s"
    assert [one.content.split()[0] for one in found.history] == [
        str(400 - n) for n in range(2 * REMEMBERED_TURNS, 0, -1)
    ]
    assert {len(one.content) for one in found.history} == {LONGEST_SAID}
