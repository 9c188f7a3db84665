"""The weekly report: over a store, over an empty week, without a store; and students' words shown as they are."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest

from assets.evaluation.weekly_report import ending, weekly_report
from knowledge_graph.lake.home import DataDir
from knowledge_graph.sources.web.settings import WebSettings
from orchestration.resources import Inputs
from serving.evaluation.logs.weekly_report import as_html, as_markdown, last_full_week, read_week, report_of
from serving.store.database import Store, sqlite_url
from serving.store.tables.conversation import ChatSession, Feedback, TurnRow
from serving.store.tables.identity import Person

SUNDAY = date(2026, 3, 1)
NASTY = "Why | does\n<script>alert(1)</script> [this](javascript:x) fail?"


def fill(store: Store) -> None:
    store.write(lambda db: db.add(Person(person_id="p")))
    store.write(lambda db: db.add(ChatSession(session_id="s", person_id="p")))
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    rows = [turn(place, "direct", noon - timedelta(hours=place)) for place in range(20)]
    rows += [turn(20 + place, "ask_ta", noon - timedelta(hours=place), NASTY) for place in range(3)]
    rows += [turn(30 + place, "teach", noon - timedelta(days=7, hours=place)) for place in range(20)]
    store.write(lambda db: db.add_all(rows))
    store.write(lambda db: db.add(Feedback(trace_id="t-4", person_id="p", thumb=-1)))


def turn(position: int, route: str, at: datetime, question: str = "What is a heap?") -> TurnRow:
    return TurnRow(
        trace_id=f"t-{position}",
        session_id="s",
        person_id="p",
        position=position,
        asked_at=at,
        question=question,
        answer="",
        outcome="answered",
        route=route,
        course_id="trees",
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> DataDir:
    data_dir = DataDir(tmp_path_factory.mktemp("weekly"))
    store = Store.open(sqlite_url(data_dir.store))
    fill(store)
    store.close()
    return data_dir


def make(data_dir: DataDir, last: str | None) -> dg.ExecuteInProcessResult:
    inputs = Inputs(Path(), Path(), None, "", "", WebSettings(), sqlite_url(data_dir.store))
    chosen = {"ops": {"weekly_report": {"config": {"ending": last}}}} if last else None
    with dg.DagsterInstance.ephemeral() as instance:
        return dg.materialize(
            [weekly_report],
            resources={"data_dir": data_dir, "inputs": inputs},
            run_config=chosen,
            instance=instance,
        )


def test_a_report_says_what_changed_what_was_asked_in_vain_and_what_was_disliked(home: DataDir) -> None:
    done = make(home, "2026-03-01")
    assert done.success
    (made,) = done.asset_materializations_for_node("weekly_report")
    assert {name: made.metadata[name].value for name in ("unanswered", "disliked")} == {"unanswered": 1, "disliked": 1}
    text = (home.weekly_reports / "2026-03-01.md").read_text()
    assert text.startswith("# The week from 2026-02-23 to 2026-03-01\n")
    assert (
        "| Answered of asked | 87.0% (67.9% to 95.5%), n = 23 | 100.0% (83.9% to 100.0%), n = 20 | -13.0 points" in text
    )
    assert "The mix of routes has shifted against the week before" in text
    assert "| 1 | 0 | trees | What is a heap? | t-4 |" in text.replace("\\", "")


def test_students_words_are_no_markup(home: DataDir) -> None:
    assert make(home, "2026-03-01").success
    text = (home.weekly_reports / "2026-03-01.md").read_text()
    assert r"| 3 | Why \| does \<script\>alert(1)\</script\> \[this\](javascript:x) fail? | 1 |" in text
    page = (home.weekly_reports / "2026-03-01.html").read_text()
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_an_empty_week_has_dashes_and_no_division_by_zero(home: DataDir) -> None:
    store = Store.open(sqlite_url(home.store))
    report = report_of(store.read(lambda db: read_week(db, date(2025, 1, 5))), date(2025, 1, 5))
    store.close()
    text = as_markdown(report)
    assert "| Answered of asked | – | – | – |" in text
    assert "Too few questions in one of the weeks" in text
    assert "Every question of the week was answered, or none was asked." in text
    assert as_html(report).count("<table>") == 1


def test_without_a_store_the_report_says_so_and_makes_none(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    assert make(data_dir, None).success
    (page,) = data_dir.weekly_reports.glob("*.md")
    assert "There is no store yet" in page.read_text()
    assert not data_dir.store.exists()


@pytest.mark.parametrize("today", [date(2026, 3, 2), date(2026, 3, 4), date(2026, 3, 8)])
def test_the_last_full_week_ended_on_the_sunday_before_today(today: date) -> None:
    assert last_full_week(today) == SUNDAY
    assert ending(None, today) == SUNDAY


def test_a_day_that_is_none_is_told() -> None:
    with pytest.raises(dg.Failure, match="expected a day such as 2026-03-01; found 'soon'"):
        ending("soon", SUNDAY)
