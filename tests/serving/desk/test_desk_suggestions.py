"""The help beside a question: what TAs said before, stored pairs, passages, and the answer the student got."""

from dataclasses import dataclass
from pathlib import Path

import course_rows as rows
from desk_rows import faq, lake_of, turn
from test_desk_overlay import overlay_of, reviewed

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.desk.course_tables import CourseTables
from serving.desk.suggestions import read_given_answer, suggestions
from serving.gateway.links import reference_path
from serving.index.search import SearchIndex
from serving.store.database import Store

HOMEWORK = "When is the deadline of homework 3?"


@dataclass(frozen=True)
class Known:
    graph: ConceptGraph
    index: SearchIndex


def tables(root: Path) -> CourseTables:
    return lake_of(root, cues=rows.CUES, entries=[faq("faq#1", HOMEWORK, "Sunday at 23:59.")])


def test_stored_pairs_come_with_what_they_rest_on_and_where_they_open(
    graph: ConceptGraph, index: SearchIndex, tmp_path: Path
) -> None:
    found = suggestions(Known(graph, index), "ds", HOMEWORK, tables=tables(tmp_path), address=reference_path)
    best = found[0]
    assert (best.kind, best.text, best.match, best.url) == ("qa", "Sunday at 23:59.", 1.0, "/courses/ds/faq/faq%231")
    assert [unit.unit for unit in best.units] == ["faq:faq#1"]


def test_passages_come_with_the_cues_that_are_spoken_there(
    graph: ConceptGraph, index: SearchIndex, tmp_path: Path
) -> None:
    found = suggestions(Known(graph, index), "ds", "push a plate on the stack", tables=tables(tmp_path))
    passage = next(one for one in found if one.kind == "passage")
    assert [unit.text for unit in passage.units] == ["a stack is <b>last in</b>"]


def test_a_lecture_is_called_as_its_course_does(graph: ConceptGraph, index: SearchIndex, tmp_path: Path) -> None:
    later = {**rows.CUES[0], "video_id": "09 stacks", "video_index": 9}
    two = lake_of(tmp_path, cues=[*rows.CUES, later], entries=[])
    found = suggestions(Known(graph, index), "ds", "push a plate on the stack", tables=two)
    passage = next(one for one in found if one.kind == "passage")
    assert passage.label == "Stacks and queues (1/2) @ 03:12"
    assert [unit.label for unit in passage.units] == ["Stacks and queues (1/2) @ 03:12"]


def test_what_tas_said_to_such_a_question_comes_first(graph: ConceptGraph, index: SearchIndex, tmp_path: Path) -> None:
    overlay = overlay_of(reviewed("1", "When is homework 3 due, its deadline?", "Monday."))
    found = suggestions(Known(graph, index), "ds", HOMEWORK, tables=tables(tmp_path), overlay=overlay)
    assert [(one.kind, one.text) for one in found[:2]] == [("reviewed", "Monday."), ("qa", "Sunday at 23:59.")]


def test_a_replaced_entry_is_not_suggested(graph: ConceptGraph, index: SearchIndex, tmp_path: Path) -> None:
    overlay = overlay_of(reviewed("1", HOMEWORK, "Monday."), replaced=frozenset({("ds", "faq#1")}))
    found = suggestions(Known(graph, index), "ds", HOMEWORK, tables=tables(tmp_path), overlay=overlay)
    assert "Sunday at 23:59." not in [one.text for one in found]


def test_a_course_that_is_gone_suggests_nothing(graph: ConceptGraph, index: SearchIndex, tmp_path: Path) -> None:
    assert suggestions(Known(graph, index), "gone", HOMEWORK, tables=tables(tmp_path)) == []


def test_the_answer_that_the_student_got_is_shown(desk: Store) -> None:
    trace_id = desk.write(lambda db: turn(db, HOMEWORK, shown={"notice": "From the FAQ."}, confidence=0.4).trace_id)
    found = desk.read(lambda db: read_given_answer(db, trace_id))
    assert found is not None
    assert (found.answer, found.notice, found.confidence) == ("I do not know.", "From the FAQ.", 0.4)
    assert desk.read(lambda db: read_given_answer(db, None)) is None
