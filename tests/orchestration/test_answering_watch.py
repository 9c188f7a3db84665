"""The alert when questions are not answered: what counts, how few say nothing, and that a broken store is told."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest

from assets.answering import answered_to_asked, verdict
from knowledge_graph.sources.web.settings import WebSettings
from orchestration.definitions import defs
from orchestration.resources import Inputs, Watch
from serving.store.database import Store, sqlite_url
from serving.store.for_builds import QuestionCounts, count_outcomes
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import Person

WATCH = Watch(hours=6, share=0.5, least=10)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(sqlite_url(tmp_path / "store.db"))
    store.write(lambda db: db.add(Person(person_id="p")))
    store.write(lambda db: db.add(ChatSession(session_id="s", person_id="p")))
    yield store
    store.close()


def turn(position: int, route: str | None, outcome: str = "answered", **more: object) -> TurnRow:
    asked_at = NOW - timedelta(minutes=position)
    known: dict[str, object] = {"course_id": "trees", "asked_at": asked_at, **more}
    row = TurnRow(session_id="s", person_id="p", position=position, question="?", answer="", outcome=outcome)
    row.route = route
    for name, value in known.items():
        setattr(row, name, value)
    return row


def course(asked: int, answered: int) -> QuestionCounts:
    return QuestionCounts("trees", asked, answered, asked - answered, 0, 0)


def test_handed_on_failed_stopped_and_without_the_model_are_not_answered(store: Store) -> None:
    rows = [
        turn(0, "direct"),
        turn(1, "ask_ta"),
        turn(2, None, "failed", error="Boom"),
        turn(3, "teach", error="LlmUnavailable: down", degraded=True),
        turn(4, "teach", degraded=True),
        turn(5, None, "stopped"),
        turn(6, "direct", course_id=None),
        turn(7, "ask_ta", asked_at=NOW - timedelta(days=1)),
        turn(8, "chat"),
        turn(9, "refuse"),
    ]
    store.write(lambda db: db.add_all(rows))
    found = store.read(lambda db: count_outcomes(db, NOW - timedelta(hours=6)))
    assert found == [QuestionCounts(None, 1, 1, 0, 0, 0), QuestionCounts("trees", 6, 1, 1, 2, 1)]


def test_enough_answers_pass() -> None:
    assert verdict([course(10, 5)], WATCH).passed


def test_too_few_questions_say_nothing() -> None:
    assert verdict([course(9, 0)], WATCH).passed
    assert verdict([], WATCH).passed


def test_one_course_without_answers_is_told_whatever_the_others_do() -> None:
    found = verdict([QuestionCounts("graphs", 500, 500, 0, 0, 0), course(20, 7)], WATCH)
    assert not found.passed
    assert found.severity == dg.AssetCheckSeverity.WARN
    assert (found.description or "").startswith("trees: 7 of 20 questions of the last 6 hours were answered; 13 handed")


def test_an_outage_is_an_error() -> None:
    found = verdict([course(330, 9)], WATCH)
    assert (found.passed, found.severity) == (False, dg.AssetCheckSeverity.ERROR)
    assert found.metadata["share"].value == pytest.approx(9 / 330)


def run(url: str) -> dg.AssetCheckResult:
    inputs = Inputs(Path(), Path(), None, "", "", WebSettings(), url)
    found = answered_to_asked(inputs)
    assert isinstance(found, dg.AssetCheckResult)
    return found


def test_a_store_that_cannot_be_read_fails_and_none_at_all_passes(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    assert run(sqlite_url(path)).passed
    assert not path.exists()
    path.write_bytes(b"no database at all" * 500)
    broken = run(sqlite_url(path))
    assert not broken.passed
    assert "is no SQLite database" in (broken.description or "")


def test_the_hourly_job_runs_the_check_and_a_build_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(tmp_path))
    loaded = defs()
    with dg.DagsterInstance.ephemeral() as instance:
        done = loaded.resolve_job_def("answering_watch_job").execute_in_process(instance=instance)
    assert [one.asset_check_key.name for one in done.get_asset_check_evaluations()] == ["answered_to_asked"]
    of_build = {node.name for node in loaded.resolve_job_def("fan_in_build").nodes}
    assert not {name for name in of_build if "answered_to_asked" in name}
