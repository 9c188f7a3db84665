"""What is wrong with a database is told with what to do about it, and never with a password."""

import os
import socket
import sqlite3
import stat
import threading
from pathlib import Path

import pytest
from postgres import Postgres
from sqlalchemy import text

from serving.store import engines
from serving.store.database import Store, sqlite_url
from serving.store.database_errors import StoreUnavailable
from serving.store.tables.base import Meta


def reason(url: str) -> str:
    with pytest.raises(StoreUnavailable) as told:
        Store.open(url).close()
    return str(told.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("store.db", "is no URL of a database. Expected sqlite:////path/store.db or postgresql://"),
        ("postgresql://me:geh@im@host:port/db", "is no URL of a database"),
        ("mysql://me:geheim@host/db", "mysql://me:***@host/db is neither SQLite nor PostgreSQL"),
        ("sqlite://", "A store in memory would be lost"),
        ("postgresql+pg8000://me:geheim@host/db", "No driver for postgresql+pg8000"),
    ],
)
def test_a_url_that_cannot_be_used_is_told_without_its_password(url: str, expected: str) -> None:
    told = reason(url)
    assert expected in told
    assert "geh" not in told


def test_a_wrong_password_is_told_but_not_repeated(postgres: Postgres) -> None:
    told = reason(postgres.url("postgres", password="geheim"))
    assert 'password authentication failed for user "postgres"' in told
    assert "user, password" in told
    assert "geheim" not in told


def test_a_password_in_the_query_of_a_url_is_not_repeated(postgres: Postgres) -> None:
    told = reason(f"postgresql://postgres@/postgres?host={postgres.folder}&password=geheim")
    assert "password authentication failed" in told
    assert "geheim" not in told


def test_a_server_that_does_not_run_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        told = reason(f"postgresql://me:geheim@127.0.0.1:{taken.getsockname()[1]}/store")
    assert "cannot be reached" in told
    assert "Check that the server runs" in told
    assert "geheim" not in told


def test_a_database_that_is_not_there_is_told(postgres: Postgres) -> None:
    assert 'database "nowhere" does not exist' in reason(postgres.url("nowhere"))


def test_a_user_who_may_not_create_tables_is_told_so(postgres: Postgres) -> None:
    database = postgres.new_database()
    postgres.run("DROP ROLE IF EXISTS guest")
    postgres.run("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    told = reason(f"postgresql://guest:guest@/{database}?host={postgres.folder}")
    assert "permission denied for schema public" in told
    assert "Grant the user the right to create tables" in told


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_text("these are notes of a lecture, and not a database\n" * 100)
    before = path.read_bytes()
    assert "is no SQLite database" in reason(sqlite_url(path))
    assert path.read_bytes() == before


def test_a_file_that_is_damaged_is_told(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    Store.open(sqlite_url(path)).close()
    content = bytearray(path.read_bytes())
    content[4096 : 4096 * 4] = b"\xff" * 4096 * 3
    path.write_bytes(content)
    assert "is damaged" in reason(sqlite_url(path))


def test_a_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    assert "cannot be opened" in reason(sqlite_url(tmp_path))


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    assert "cannot be opened" in reason(sqlite_url(tmp_path / "home" / "store.db"))


def test_a_file_that_cannot_be_written_is_told_and_can_still_be_read(tmp_path: Path) -> None:
    store = Store.open(sqlite_url(tmp_path / "store.db"))
    store.write(lambda db: db.add(Meta(name="one", value="")))
    store.close()
    reading = Store.open(f"sqlite:///file:{tmp_path / 'store.db'}?mode=ro&uri=true")
    assert reading.read(lambda db: db.get(Meta, "one")) is not None
    with pytest.raises(StoreUnavailable, match=r"cannot be written to: attempt to write a readonly database. Give the"):
        reading.write(lambda db: db.add(Meta(name="two", value="")))
    reading.close()


def test_another_process_that_never_stops_writing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0.1)
    store = Store.open(sqlite_url(tmp_path / "store.db"))
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match=r"written to by another process.*Wait for it, or stop it"):
        store.write(lambda db: db.add(Meta(name="late", value="")))
    other.rollback()
    store.write(lambda db: db.add(Meta(name="now", value="")))
    other.close()
    store.close()


def test_when_the_other_process_ends_meanwhile_nobody_notices(tmp_path: Path) -> None:
    store = Store.open(sqlite_url(tmp_path / "store.db"))
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    ending = threading.Timer(0.3, other.rollback)
    ending.start()
    store.write(lambda db: db.add(Meta(name="kept", value="")))
    ending.join()
    other.close()
    store.close()


def test_an_error_in_a_statement_does_not_repeat_what_students_wrote(store: Store) -> None:
    with pytest.raises(Exception, match="meta") as told:
        store.write(lambda db: db.execute(text("INSERT INTO meta (name, value) VALUES (:n, NULL)"), {"n": "my name"}))
    assert "my name" not in str(told.value).partition("DETAIL")[0]


@pytest.mark.parametrize("mask", [0o022, 0o000])
def test_only_its_owner_may_read_the_file_and_its_log(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        store = Store.open(sqlite_url(tmp_path / "store.db"))
        store.write(lambda db: db.add(Meta(name="one", value="")))
    finally:
        os.umask(before)
    rights = {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in tmp_path.iterdir()}
    assert rights == {"store.db": "0o600", "store.db-wal": "0o600", "store.db-shm": "0o600"}
    store.close()


def test_each_commit_is_flushed_and_rules_between_tables_hold(tmp_path: Path) -> None:
    store = Store.open(sqlite_url(tmp_path / "store.db"))
    names = ("journal_mode", "foreign_keys", "synchronous", "secure_delete", "busy_timeout")
    found = store.read(lambda db: {name: db.scalar(text(f"PRAGMA {name}")) for name in names})
    assert found == {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "synchronous": 2,
        "secure_delete": 1,
        "busy_timeout": 10_000,
    }
    store.close()
