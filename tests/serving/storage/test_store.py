"""What a store promises to those who work on it, on SQLite and on PostgreSQL."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from postgres import Postgres
from sqlalchemy import func, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from serving.store.database import Store
from serving.store.database_errors import ReadWrote, StoreClosed, StoreUnavailable
from serving.store.tables.base import Meta
from serving.store.tables.identity import Person


def put(db: Session, name: str, value: str = "x") -> str:
    db.add(Meta(name=name, value=value))
    return name


def names(store: Store) -> set[str]:
    return set(store.read(lambda db: db.scalars(select(Meta.name)).all())) - {"salt"}


def test_what_is_written_is_read_by_another_store(store: Store) -> None:
    store.write(lambda db: put(db, "one"))
    again = Store.open(store.url.render_as_string(hide_password=False))
    assert names(again) == {"one"}
    again.close()


def test_work_that_raises_leaves_nothing_behind(store: Store) -> None:
    def half(db: Session) -> None:
        put(db, "half")
        db.flush()
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        store.write(half)
    assert names(store) == set()


def test_a_row_that_is_there_already_is_the_writers_own_error(store: Store) -> None:
    store.write(lambda db: put(db, "one"))
    with pytest.raises(IntegrityError):
        store.write(lambda db: put(db, "one"))
    store.write(lambda db: put(db, "two"))
    assert names(store) == {"one", "two"}


def test_rows_that_work_returns_can_be_read_afterwards(store: Store) -> None:
    def made(db: Session) -> Person:
        person = Person()
        db.add(person)
        return person

    person = store.write(made)
    assert (person.role, person.created_at.tzinfo) == ("student", UTC)


def test_times_come_back_as_they_were(store: Store) -> None:
    at = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)
    store.write(lambda db: db.add(Person(person_id="p", created_at=at)))
    assert store.read(lambda db: db.get_one(Person, "p").created_at) == at


def test_a_read_cannot_change_rows(store: Store) -> None:
    with pytest.raises(ReadWrote, match="Give it to `write`"):
        store.read(lambda db: put(db, "lost"))
    with pytest.raises(ReadWrote, match="Give it to `write`"):
        store.read(lambda db: db.execute(text("DELETE FROM meta")))
    store.write(lambda db: put(db, "kept"))
    assert names(store) == {"kept"}


def test_work_cannot_wait_for_other_work(store: Store) -> None:
    with pytest.raises(TypeError, match="cannot wait"):
        store.write(lambda db: store.write(lambda inner: put(inner, "inside")))


def test_a_read_does_not_wait_for_a_write(store: Store) -> None:
    writing, go_on = threading.Event(), threading.Event()

    def slow(db: Session) -> None:
        put(db, "slow")
        db.flush()
        writing.set()
        assert go_on.wait(10)

    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(store.write, slow)
        assert writing.wait(10)
        assert names(store) == set()
        go_on.set()
        pending.result()
    assert names(store) == {"slow"}


def test_a_read_sees_one_moment(store: Store) -> None:
    def twice(db: Session) -> tuple[int, int]:
        count = select(func.count()).select_from(Meta)
        before = db.scalar(count) or 0
        store.write(lambda other: put(other, "meanwhile"))
        return before, db.scalar(count) or 0

    before, after = store.read(twice)
    assert before == after


def test_texts_that_no_database_takes_are_mended(store: Store) -> None:
    store.write(lambda db: put(db, "odd", "null \x00 and half \ud83d a smile"))
    assert store.read(lambda db: db.get_one(Meta, "odd").value) == "null \ufffd and half \ufffd a smile"


async def write_many(store: Store, count: int) -> list[str]:
    return await asyncio.gather(*(store.writing(lambda db, n=n: put(db, str(n))) for n in range(count)))


def test_many_tasks_write_at_once(store: Store) -> None:
    assert asyncio.run(write_many(store, 300)) == [str(n) for n in range(300)]
    assert len(names(store)) == 300


def test_one_that_is_cancelled_harms_nobody(store: Store) -> None:
    async def scene() -> list[str | BaseException]:
        gate = threading.Event()
        first = asyncio.create_task(store.writing(lambda db: (gate.wait(10), put(db, "first"))[1]))
        await asyncio.sleep(0.05)
        waiting = [asyncio.create_task(store.writing(lambda db, n=n: put(db, f"w{n}"))) for n in range(5)]
        await asyncio.sleep(0.05)
        waiting[2].cancel()
        gate.set()
        return await asyncio.gather(first, *waiting, return_exceptions=True)

    results = asyncio.run(scene())
    assert [str(one) for one in results if not isinstance(one, BaseException)] == ["first", "w0", "w1", "w3", "w4"]
    assert isinstance(results[3], asyncio.CancelledError)
    # What was handed over is done all the same.
    assert names(store) == {"first", "w0", "w1", "w2", "w3", "w4"}


def test_closing_writes_what_waits_and_takes_no_more(store_url: str) -> None:
    store = Store.open(store_url)
    gate = threading.Event()
    with ThreadPoolExecutor(8) as pool:
        pending = [pool.submit(store.write, lambda db: (gate.wait(10), put(db, "0"))[1])]
        time.sleep(0.05)
        pending += [pool.submit(store.write, lambda db, n=n: put(db, str(n))) for n in range(1, 6)]
        time.sleep(0.05)
        closing = pool.submit(store.close)
        gate.set()
        closing.result()
        assert [one.result() for one in pending] == [str(n) for n in range(6)]
    with pytest.raises(StoreClosed, match="shutting down"):
        store.write(lambda db: put(db, "late"))


def test_connections_that_the_server_ended_are_made_anew(postgres: Postgres, migrated: str) -> None:
    store = Store.open(postgres.url(postgres.new_database(template=migrated)))
    store.write(lambda db: put(db, "before"))
    postgres.drop_connections()
    assert names(store) == {"before"}
    postgres.drop_connections()
    store.write(lambda db: put(db, "after"))
    assert names(store) == {"before", "after"}
    store.close()


def test_a_connection_lost_in_the_middle_is_tried_once_more(postgres: Postgres, migrated: str) -> None:
    store = Store.open(postgres.url(postgres.new_database(template=migrated)))
    attempts = []

    def loses_it_once(db: Session) -> None:
        attempts.append(1)
        put(db, f"attempt {len(attempts)}")
        db.flush()
        if len(attempts) == 1:
            postgres.drop_connections()
            db.execute(text("SELECT 1"))

    store.write(loses_it_once)
    assert names(store) == {"attempt 2"}
    with pytest.raises(StoreUnavailable, match=r"cannot be reached|shutting down") as told:
        store.write(lambda db: (postgres.drop_connections(), db.execute(text("SELECT 1"))))
    assert "correct-horse" not in str(told.value)
    assert names(store) == {"attempt 2"}
    store.close()


def test_a_read_does_not_wait_for_other_work_on_threads(store: Store) -> None:
    async def some_time() -> float:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        busy = asyncio.create_task(asyncio.to_thread(time.sleep, 0.5))
        await asyncio.sleep(0)
        began = time.perf_counter()
        await store.reading(lambda db: db.scalar(select(1)))
        took = time.perf_counter() - began
        await busy
        return took

    assert asyncio.run(some_time()) < 0.4


def test_a_read_after_the_end_says_that_the_store_is_closed(store_url: str) -> None:
    closed = Store.open(store_url)
    closed.close()
    with pytest.raises(StoreClosed):
        asyncio.run(closed.reading(lambda db: db.scalar(select(1))))
