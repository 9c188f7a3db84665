"""Group commit: every acknowledged write is there, whatever fails beside it; one that fails, fails alone."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from serving.store import writer as writer_module
from serving.store.database import Store, sqlite_url
from serving.store.database_errors import StoreOverloaded, StoreUnavailable
from serving.store.engines import open_engines, parse_url
from serving.store.tables.base import Meta, now
from serving.store.tables.identity import Login
from serving.store.writer import StoreWriter

Work = Callable[[Session, str], str]


def rows(store: Store) -> set[str]:
    return set(store.read(lambda db: db.scalars(select(Meta.name)).all())) - {"salt"}


def raises(db: Session, name: str) -> str:
    db.add(Meta(name=name, value=""))
    db.flush()
    raise ValueError(name)


def doubles(db: Session, name: str) -> str:
    db.execute(text("INSERT INTO meta (name, value) VALUES (:name, '')"), {"name": name})
    db.add(Meta(name=name, value=""))
    return name


def wrong_sql(db: Session, name: str) -> str:
    db.add(Meta(name=name, value=""))
    db.flush()
    db.execute(text("SELECT nothing FROM nowhere"))
    return name


def rolls_back(db: Session, name: str) -> str:
    db.add(Meta(name=name, value=""))
    db.flush()
    db.rollback()
    raise KeyError(name)


def writes(db: Session, name: str) -> str:
    db.add(Meta(name=name, value=""))
    return name


def writes_after_a_mended_error(db: Session, name: str) -> str:
    try:
        with db.begin_nested():
            doubles(db, f"{name} undone")
            db.flush()
    except IntegrityError:
        pass
    return writes(db, name)


def commits_itself(db: Session, name: str) -> str:
    writes(db, name)
    db.commit()
    return name


GOOD: tuple[Work, ...] = (writes, writes_after_a_mended_error, commits_itself)
BAD: tuple[Work, ...] = (raises, doubles, wrong_sql, rolls_back)


def together(store: Store, works: list[Callable[[Session], Any]]) -> "list[Future[Any]]":
    """Hand all in while the writer is held, so that they are one batch."""
    held, go_on = threading.Event(), threading.Event()
    store._writer.submit(lambda db: (held.set(), go_on.wait(10)))
    assert held.wait(10)
    pending = [store._writer.submit(work) for work in works]
    go_on.set()
    return pending


def outcome(pending: "Future[Any]") -> bool:
    return pending.exception(10) is None


@pytest.fixture
def commits(store: Store) -> Iterator[list[str]]:
    """Grows by one with each commit."""
    seen: list[str] = []

    def count(connection: Any) -> None:
        seen.append("commit")

    event.listen(store._engines.writer, "commit", count)
    yield seen
    event.remove(store._engines.writer, "commit", count)


def test_those_that_wait_together_are_committed_once(store: Store, commits: list[str]) -> None:
    names = [f"n{number}" for number in range(100)]
    pending = together(store, [lambda db, name=name: writes(db, name) for name in names])
    assert [one.result(10) for one in pending] == names
    assert len(commits) == 2


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kinds=st.lists(st.sampled_from([*GOOD, *BAD]), min_size=1, max_size=25), threads=st.integers(1, 8))
def test_what_was_acknowledged_is_there_and_nothing_else(store: Store, kinds: list[Work], threads: int) -> None:
    store.write(lambda db: db.execute(text("DELETE FROM meta WHERE name <> 'salt'")))
    with ThreadPoolExecutor(threads) as pool:
        pending = [pool.submit(store.write, lambda db, w=w, n=n: w(db, str(n))) for n, w in enumerate(kinds)]
    assert [outcome(one) for one in pending] == [kind in GOOD for kind in kinds]
    assert rows(store) == {one.result() for one in pending if outcome(one)}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kinds=st.lists(st.sampled_from([*GOOD, *BAD]), min_size=1, max_size=25))
def test_in_one_batch_each_fails_alone(store: Store, kinds: list[Work]) -> None:
    store.write(lambda db: db.execute(text("DELETE FROM meta WHERE name <> 'salt'")))
    pending = together(store, [lambda db, w=w, n=n: w(db, str(n)) for n, w in enumerate(kinds)])
    assert [outcome(one) for one in pending] == [kind in GOOD for kind in kinds]
    assert rows(store) == {one.result() for one in pending if outcome(one)}


def test_work_sees_what_came_before_it_but_shares_no_rows_with_it(store: Store) -> None:
    def changes(db: Session) -> Meta:
        found = db.get_one(Meta, "a")
        found.value = "changed"
        return found

    def made(db: Session) -> Meta:
        row = Meta(name="a", value="first")
        db.add(row)
        return row

    first, second = (one.result(10) for one in together(store, [made, changes]))
    assert (first.value, second.value) == ("first", "changed")


def breaks_the_commit(db: Session) -> str:
    """Every statement succeeds; the rule that it breaks is looked at in the commit."""
    if db.get_bind().dialect.name == "sqlite":
        db.execute(text("PRAGMA defer_foreign_keys=ON"))
        db.add(Login(token_sha256="t", person_id="nobody", expires_at=now()))
        db.flush()
    else:
        db.execute(text("CREATE TEMP TABLE one (id int UNIQUE DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP"))
        db.execute(text("INSERT INTO one VALUES (1), (1)"))
    return "done"


def test_a_commit_that_fails_fails_all_of_its_batch_and_nothing_after(store: Store) -> None:
    store.write(lambda db: writes(db, "before"))
    pending = together(store, [lambda db: writes(db, "a"), breaks_the_commit, lambda db: writes(db, "b")])
    for one in pending:
        with pytest.raises(IntegrityError):
            one.result(10)
    assert rows(store) == {"before"}
    store.write(lambda db: writes(db, "after"))
    assert rows(store) == {"before", "after"}


def test_a_disk_that_is_full_fails_all_of_the_batch_and_loses_nothing_older(tmp_path: Path) -> None:
    store = Store.open(sqlite_url(tmp_path / "store.db"))
    store.write(lambda db: writes(db, "before"))

    def pages(db: Session) -> int:
        return int(db.execute(text("PRAGMA page_count")).scalar_one())

    full = store.write(pages) + 5
    store.write(lambda db: db.execute(text(f"PRAGMA max_page_count={full}")))

    def big(db: Session) -> None:
        db.add(Meta(name="big", value="x" * 1_000_000))

    pending = together(store, [lambda db: writes(db, "small"), big, lambda db: writes(db, "late")])
    for one in pending:
        with pytest.raises(StoreUnavailable, match=r"cannot grow.*Free space"):
            one.result(10)
    assert rows(store) == {"before"}
    store.write(lambda db: db.execute(text("PRAGMA max_page_count=1000000")))
    store.write(lambda db: writes(db, "after"))
    assert rows(store) == {"before", "after"}
    store.close()


def test_work_that_hides_a_full_disk_is_not_acknowledged_either(tmp_path: Path) -> None:
    store = Store.open(sqlite_url(tmp_path / "store.db"))
    full = int(store.write(lambda db: db.execute(text("PRAGMA page_count")).scalar_one())) + 5
    store.write(lambda db: db.execute(text(f"PRAGMA max_page_count={full}")))

    def hides_it(db: Session) -> str:
        with contextlib.suppress(OperationalError):
            db.execute(text("INSERT INTO meta (name, value) VALUES ('big', :value)"), {"value": "x" * 1_000_000})
        return "all is well"

    pending = together(store, [lambda db: writes(db, "small"), hides_it, lambda db: writes(db, "late")])
    for one in pending:
        with pytest.raises(StoreUnavailable, match="Nothing was stored"):
            one.result(10)
    assert rows(store) == set()
    store.close()


def test_work_is_turned_away_when_too_much_waits(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "MOST_WAITING", 3)
    held, go_on = threading.Event(), threading.Event()
    store._writer.submit(lambda db: (held.set(), go_on.wait(10)))
    held.wait(10)
    pending = [store._writer.submit(lambda db, n=n: writes(db, n)) for n in "abc"]
    with pytest.raises(StoreOverloaded, match="3 writes wait"):
        store.write(lambda db: writes(db, "d"))
    go_on.set()
    assert [one.result(10) for one in pending] == ["a", "b", "c"]
    assert rows(store) == {"a", "b", "c"}


def test_work_whose_future_was_cancelled_before_it_began_is_passed_over(tmp_path: Path) -> None:
    Store.open(url := sqlite_url(tmp_path / "store.db")).close()
    writer = StoreWriter(open_engines(parse_url(url)))
    held, go_on = threading.Event(), threading.Event()
    writer.submit(lambda db: (held.set(), go_on.wait(10)))
    held.wait(10)
    dropped = writer.submit(lambda db: writes(db, "dropped"))
    assert dropped.cancel()
    go_on.set()
    assert writer.submit(lambda db: writes(db, "kept")).result(10) == "kept"
    writer.close()
    store = Store.open(url)
    assert rows(store) == {"kept"}
    store.close()


def test_a_writer_that_did_nothing_is_closed_at_once(tmp_path: Path) -> None:
    writer = StoreWriter(open_engines(parse_url(sqlite_url(tmp_path / "store.db"))))
    writer.close()
    writer.close()
