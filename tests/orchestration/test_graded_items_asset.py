"""The items of graded work as an asset: made from the card and `gold/`, their defects told, and kept apart."""

from pathlib import Path

import pytest
from small_courses import CLASSES, Place, write_course

from knowledge_graph.lake.tables import read_rows
from orchestration.reporting.tables import CLEAN_INPUT

CARD = """title: Trees
lang: en
assessments:
  - name: Quiz
    closes: 2026-11-27T23:59:00Z
    allows: hints
    file: gold/quiz.txt
  - allows: closed
    items: [Define a tree and its leaves.]
"""
ITEM = "Prove that a tree with n nodes has n - 1 edges."


@pytest.fixture
def place(tmp_path: Path) -> Place:
    files = {"catalog/comp.html": CLASSES, "course.yaml": CARD, "gold/quiz.txt": f"{ITEM}\n"}
    write_course(tmp_path / "courses" / "trees", files)
    return Place(tmp_path)


def test_the_items_are_kept_in_a_table_of_their_own_and_defects_are_told(place: Place) -> None:
    assert place.make("trees", "course_card", "graded_items").succeeded
    (row,) = read_rows(place.data_dir.table("graded_items", "trees"))
    assert (row["assessment"], row["number"], row["text"], row["allows"]) == ("Quiz", 1, ITEM, "hints")
    assert (row["opens"], row["closes"]) == (None, "2026-11-27T23:59:00+00:00")
    told = place.check("graded_items", CLEAN_INPUT, "trees")
    assert "course.yaml:8: An entry of 'assessments' has no name" in (told.description or "")
    assert place.check("graded_items", "graded_items_meets_expectations", "trees").passed
    (card,) = read_rows(place.data_dir.table("course_cards", "trees"))
    assert "Prove" not in repr(card)
