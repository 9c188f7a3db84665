"""Students' questions on a sheet, filled by two people, compared, and read as labels again."""

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from knowledge_graph.sources.bounded_report import BoundedTold
from models.intent.labels.files import read_label_file
from orchestration.cli.label_command import SheetUnfit, show_agreement
from orchestration.cli.main import app
from serving.store.database import Store, sqlite_url
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import Person

ASKED = ("what is a stack", "=HYPERLINK(1)", "thanks!", "What is a stack?", "when is it due")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Students asked, and one of their questions is labelled already."""
    (tmp_path / "labels" / "intents").mkdir(parents=True)
    (tmp_path / "labels" / "intents" / "a.csv").write_text("question,category\nWhen is it due?,platform_faq\n")
    monkeypatch.setenv("COTEACH_LABELS", str(tmp_path / "labels"))
    monkeypatch.delenv("COTEACH_STORE_URL", raising=False)
    (tmp_path / "home").mkdir()
    store = Store.open(sqlite_url(tmp_path / "home" / "store.db"))

    def ask(db: object) -> None:
        person = Person()
        db.add(person)  # type: ignore[attr-defined]
        db.flush()  # type: ignore[attr-defined]
        session = ChatSession(person_id=person.person_id, course_id="ds", title="t")
        db.add(session)  # type: ignore[attr-defined]
        db.flush()  # type: ignore[attr-defined]
        for position, text in enumerate(ASKED):
            db.add(  # type: ignore[attr-defined]
                TurnRow(
                    session_id=session.session_id,
                    person_id=person.person_id,
                    position=position,
                    question=text,
                    answer="",
                    outcome="answered",
                    course_id="ds",
                    lang="en",
                    shown={},
                )
            )

    store.write(ask)
    store.close()
    return tmp_path / "home"


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _fill(sheet: Path, out: Path, *categories: str) -> Path:
    rows = [{**row, "category": category} for row, category in zip(_rows(sheet), categories, strict=True)]
    with out.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return out


def test_a_sheet_goes_out_is_filled_twice_and_comes_back_as_labels(home: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    done = CliRunner().invoke(app, ["labels", "sheet", str(sheet), "--home", str(home)])
    assert done.exit_code == 0, done.output
    rows = _rows(sheet)
    assert [row["question"] for row in rows] == ["what is a stack", "'=HYPERLINK(1)", "thanks!"]
    assert [row["previous"] for row in rows][:2] == ["", "what is a stack"]
    assert {row["category"] for row in rows} == {""}
    assert len({row["session_id"] for row in rows}) == 1

    first = _fill(sheet, tmp_path / "ada.csv", "simple", "other", "general_chat")
    second = _fill(sheet, tmp_path / "bo.csv", "simple", "other", "other")
    agreed, undecided = tmp_path / "agreed.csv", tmp_path / "undecided.csv"
    told = CliRunner().invoke(
        app,
        ["labels", "compare", str(first), str(second), "--agreed", str(agreed), "--undecided", str(undecided)],
    )
    assert told.exit_code == 0, told.output
    assert "2 of 3 alike; Cohen's kappa: 0.50." in told.output
    assert "thanks!" in told.output
    labels = read_label_file(agreed, BoundedTold()).rows
    assert (labels[0].question, labels[0].category) == ("what is a stack", "simple")
    assert len(labels) == 2
    assert [(row["first"], row["second"], row["category"]) for row in _rows(undecided)] == [
        ("general_chat", "other", "")
    ]


def test_sheets_without_a_row_in_common_are_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"id,question,category\n{name},What?,simple\n")
    with pytest.raises(SheetUnfit, match="no labelled row in common"):
        show_agreement(None, tmp_path / "a.csv", tmp_path / "b.csv")  # type: ignore[arg-type]
    with pytest.raises(SheetUnfit, match="no sheet"):
        show_agreement(None, tmp_path / "a.csv", tmp_path / "gone.csv")  # type: ignore[arg-type]
