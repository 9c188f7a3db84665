"""`coteach store` and `coteach student`, as a person and as a script run them."""

import json
import sqlite3
import stat
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from orchestration.cli.main import app
from serving.store.database import Store, sqlite_url
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import Person


def run(home: Path, *arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, [*arguments, "--home", str(home)], input=typed)


def told(home: Path, *arguments: str) -> str:
    """What an error says to the person."""
    with pytest.raises(CoteachError) as error:
        CliRunner().invoke(app, [*arguments, "--home", str(home)], catch_exceptions=False)
    return str(error.value)


@pytest.fixture(autouse=True)
def settings_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verbs set COTEACH_HOME for what they start."""
    for name in ("COTEACH_HOME", "COTEACH_STORE_URL", "COTEACH_RETENTION_DAYS"):
        monkeypatch.setenv(name, "")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store with one question of 2024 by Ming, and one of today by Ana."""
    store = Store.open(sqlite_url(DataDir(tmp_path).store))
    for name, asked in (("ming", datetime(2024, 1, 1, tzinfo=UTC)), ("ana", datetime.now(UTC))):
        store.write(lambda db, name=name, asked=asked: add(db, name, asked))  # type: ignore[misc]
    store.close()
    return tmp_path


def add(db, name: str, asked: datetime) -> None:  # type: ignore[no-untyped-def]
    db.add(Person(person_id=name, created_at=asked))
    db.flush()
    db.add(ChatSession(session_id=f"{name}-session", person_id=name, updated_at=asked))
    db.flush()
    who = {"trace_id": f"{name}-trace", "session_id": f"{name}-session", "person_id": name}
    db.add(TurnRow(**who, position=0, asked_at=asked, question=f"{name}'s question", answer="", outcome="answered"))


def people(home: Path) -> Sequence[str]:
    store = Store.open(sqlite_url(DataDir(home).store))
    found = store.read(lambda db: [one.person_id for one in db.query(Person).order_by(Person.person_id)])
    store.close()
    return found


def test_the_status_says_where_the_store_is_and_what_it_holds(home: Path) -> None:
    done = run(home, "store", "status", "--json")
    found = json.loads(done.output)
    assert done.exit_code == 0
    assert (found["rows"]["turns"], found["is_current"], found["url"]) == (2, True, f"sqlite:///{home}/store.db")
    shown = run(home, "store", "status").output
    assert "up to date" in shown
    assert "answers since 2024-01-01, kept for good" in shown


def test_a_store_that_is_not_there_is_not_made_by_a_look_at_it(tmp_path: Path) -> None:
    for command in (["store", "status"], ["store", "backup", "x"], ["student", "export", "--person", "x"]):
        assert "There is no store at" in told(tmp_path, *command)
    assert list(tmp_path.iterdir()) == []


def test_a_store_of_a_newer_coteach_is_not_to_be_upgraded_but_this_coteach(home: Path) -> None:
    with sqlite3.connect(home / "store.db") as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    shown = " ".join(run(home, "store", "status").output.split())
    assert "made by a newer coteach: upgrade this one" in shown
    assert "store upgrade" not in shown


def test_an_empty_file_is_migrated(tmp_path: Path) -> None:
    (tmp_path / "store.db").touch()
    assert run(tmp_path, "store", "status").exit_code == 1
    assert "went from nothing to" in run(tmp_path, "store", "migrate").output
    assert "already" in run(tmp_path, "store", "migrate").output
    assert run(tmp_path, "store", "status").exit_code == 0


def test_a_backup_is_a_whole_store_for_its_owner_alone(home: Path, tmp_path: Path) -> None:
    store = Store.open(sqlite_url(home / "store.db"))
    copy = tmp_path / "copy.db"
    assert run(home, "store", "backup", str(copy)).exit_code == 0
    store.close()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM turns").fetchone() == (2,)
    connection.close()
    assert sorted(path.name for path in tmp_path.glob("*copy*")) == ["copy.db"]
    assert "is there already" in told(home, "store", "backup", str(copy))


def test_postgresql_is_backed_up_by_its_own_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_STORE_URL", "postgresql://me:geheim@127.0.0.1/lectures")
    reason = told(tmp_path, "store", "backup", "copy")
    assert "pg_dump --format=custom --file=copy lectures" in reason
    assert "geheim" not in reason


def test_a_purge_needs_to_know_how_long_answers_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "COTEACH_RETENTION_DAYS" in told(home, "store", "purge", "--yes")
    monkeypatch.setenv("COTEACH_RETENTION_DAYS", "100")
    done = run(home, "store", "purge", "--yes", "--json")
    assert json.loads(done.output) == {"turns": 1, "questions": 0, "sessions": 1, "logins": 0, "people": 1}
    assert people(home) == ["ana"]


def test_nothing_is_deleted_when_the_answer_is_no(home: Path) -> None:
    assert run(home, "store", "purge", "--days", "1", typed="n\n").exit_code == 1
    assert run(home, "student", "delete", "--person", "ming", typed="n\n").exit_code == 1
    assert people(home) == ["ana", "ming"]


def test_a_student_is_exported_and_deleted_by_a_session(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "ming.json"
    assert run(home, "student", "export", "--session", "ming-session", "--out", str(out)).exit_code == 0
    assert [one["question"] for one in json.loads(out.read_text())["turns"]] == ["ming's question"]
    done = run(home, "student", "delete", "--session", "ming-session", typed="y\n")
    assert "Deleted 1 people, 1 sessions, 1 turns." in done.output
    assert people(home) == ["ana"]


def test_a_script_deletes_without_being_asked(home: Path) -> None:
    done = run(home, "student", "delete", "--person", "ming", "--yes", "--json")
    assert json.loads(done.output) == {"person_id": "ming", "deleted": {"people": 1, "sessions": 1, "turns": 1}}


@pytest.mark.parametrize("named", [[], ["--person", "ming", "--session", "s"], ["--key", "k"], ["--user", "u"]])
def test_a_student_is_named_in_one_way(home: Path, named: list[str]) -> None:
    assert "one of the three" in told(home, "student", "export", *named)
