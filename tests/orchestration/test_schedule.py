"""The schedule of a catalogue as an asset: read beside its catalogue, its defects told, refused rows kept out."""

from dataclasses import replace
from pathlib import Path

import pytest
from small_courses import CLASSES, Place, write_course

from assets import schedule
from knowledge_graph.lake.tables import read_rows
from orchestration.reporting.tables import CLEAN_INPUT

HEADER = "code,term,section,days,times,credits,seats\n"
GOOD = "COMP 1100,Spring 2027,1,MW,10:00-11:15,3,8\n"
STRANGE = "COMP 9999,Spring 2027,1,MW,10:00-11:15,4,8\n"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    files = {"catalog/comp.html": CLASSES, "schedule.csv": HEADER + GOOD + STRANGE}
    write_course(tmp_path / "courses" / "uni", files)
    return Place(tmp_path)


def test_a_schedule_is_read_beside_its_catalogue_and_no_refused_row_is_published(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert place.make("uni", "course_card", "catalog_pages", "schedule").succeeded
    path = place.data_dir.table("schedule", "uni")
    assert [row["code"] for row in read_rows(path)] == ["COMP 1100", "COMP 9999"]
    told = place.check("schedule", CLEAN_INPUT, "uni")
    assert "schedule.csv:3: COMP 9999 in Spring 2027 has no record in the catalogue" in (told.description or "")
    assert place.check("schedule", "schedule_meets_expectations", "uni").passed

    def overrated(*arguments: object) -> object:
        (first, *others), problems = read(*arguments)
        return [replace(first, credits=400.0), *others], problems

    read, before = schedule.read_schedule, path.read_bytes()
    monkeypatch.setattr(schedule, "read_schedule", overrated)
    assert not place.make("uni", "schedule").succeeded
    verdict = place.check("schedule", "schedule_meets_expectations", "uni")
    assert not verdict.passed
    assert "schedule.csv:2, offering_id 'Spring 2027/COMP1100/1'" in (verdict.description or "")
    assert "credits is 400.0" in (verdict.description or "")
    assert path.read_bytes() == before
