"""What is said under a rule: closed, places, and the three rungs of hints, in both languages."""

from dataclasses import replace

import pytest
from graded_home import PROTECTED, QUEUE, QUEUE_ZH, SOLUTION, TAUGHT, item, rule, write_graded_home

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Allowed, CourseCard, Lang, Locator
from serving.assistant.graded_work.aids import Aids, find_aids, find_places
from serving.assistant.graded_work.hints import compose_ruled, rung_of
from serving.assistant.graded_work.sessions import Ruling
from serving.index.evidence import Evidence
from serving.index.search import SearchIndex

CARD = CourseCard("ds", "Data structures", "en", instructors=("Ada", "Ben"))
PLACE = Evidence(
    0, "p1", "subtitle", "ds", "Stacks", SOLUTION, Locator(video_id="02", video_title="Stacks", start_ms=0)
)
STEP = Evidence(0, "en:queue", "concept", "ds", "queue", "A queue is a list.", Locator(video_id="02", start_ms=9000))
AIDS = Aids((PLACE,), ("queue", "stack"), STEP)


def said(
    allows: Allowed, turn: int, lang: Lang = "en", *, aids: Aids = AIDS, is_plea: bool = False, **more: str
) -> str:
    ruling = Ruling(item(allows=allows, **more), turn, "wording" if turn == 1 else "session")
    return compose_ruled(ruling, aids, card=CARD, lang=lang, is_plea=is_plea).text


def test_places_call_a_lecture_as_its_course_does() -> None:
    ruling = Ruling(item(allows="references"), 1, "wording")
    told = compose_ruled(ruling, AIDS, card=CARD, lang="en", is_plea=False, names={"02": "Stacks (2/2)"}).text
    assert "- Stacks (2/2) @ 00:00 [1]" in told


def test_closed_says_until_when_and_whom_to_ask() -> None:
    assert said("closed", 1, closes="2026-11-27T23:59:00+00:00") == (
        "This belongs to “Assignment 3”, graded work of this course. The course's rule for it: until 27 November 2026, "
        "23:59 UTC I say nothing about it. Ask your teachers about it: Ada, Ben."
    )
    told = said("closed", 1, "zh", closes="2026-11-27T23:59:00+00:00")
    assert "在2026年11月27日23:59（UTC）之前，我不回答任何相关内容。" in told
    assert "Ada、Ben" in told


def test_closed_without_an_end_and_without_teachers_names_the_staff() -> None:
    ruling = Ruling(item(allows="closed"), 1, "wording")
    told = compose_ruled(ruling, Aids(), card=replace(CARD, instructors=()), lang="en", is_plea=False).text
    assert "I say nothing about it. Ask the people who teach your course" in told


@pytest.mark.parametrize("turn", [1, 2, 7])
def test_references_are_places_at_every_turn(turn: int) -> None:
    told = said("references", turn)
    assert "- Stacks @ 00:00 [1]" in told
    assert "question back" not in told


def test_the_rungs_are_places_then_a_question_then_a_first_step() -> None:
    first, second, third = (said("hints", turn) for turn in (1, 2, 3))
    assert "- Stacks @ 00:00 [1]" in first
    assert "question" not in first
    assert "what do you know about queue and stack" in second
    assert "A queue is a list. [1]" in third
    assert "- Stacks @ 00:00 [2]" in third


@pytest.mark.parametrize("turn", range(3, 30))
def test_no_later_turn_gets_more_than_the_last_rung(turn: int) -> None:
    assert said("hints", turn) == said("hints", 3)
    assert rung_of(Ruling(item(), turn, "session")) == 3


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("allows", ["closed", "references", "hints"])
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_no_text_of_a_place_is_said(lang: Lang, allows: Allowed, turn: int) -> None:
    told = said(allows, turn, lang)
    assert not any(word in told for word in PROTECTED)
    assert "Assignment 3" in told


def test_a_plea_is_told_that_it_changes_nothing() -> None:
    assert "does not change this rule" in said("hints", 2, is_plea=True)
    assert "does not change this rule" not in said("hints", 2)
    assert "都不会改变这条规定" in said("closed", 2, "zh", is_plea=True)


def test_without_aids_each_rung_still_says_something() -> None:
    for turn in (1, 2, 3):
        assert len(said("hints", turn, aids=Aids()).splitlines()) > 1


def test_marks_of_ours_in_the_name_of_the_work_are_taken_out() -> None:
    assert "[1]" not in said("hints", 1, aids=Aids(), assessment="Quiz [1]")


def test_the_aids_are_places_of_the_items_course_and_a_definition_that_is_no_answer(
    graph: ConceptGraph, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = write_graded_home(tmp_path_factory.mktemp("aids"))
    rule(home, [])
    index = SearchIndex.open(home / "index")
    aids = find_aids(item(QUEUE), graph, index)
    assert {one.course_id for one in aids.places} == {"ds"}
    assert {one.source for one in aids.places} <= {"subtitle", "document"}
    assert aids.places[0].locator == Locator(**TAUGHT[0]["locator"])
    assert aids.concepts == ("queue", "stack")
    assert aids.step is not None
    assert aids.step.title == "queue"
    assert find_places(item(QUEUE_ZH, lang="zh", course_id="sjjg"), graph, index)[0].course_id == "sjjg"


def test_of_an_item_that_asks_for_a_definition_what_comes_before_is_defined(
    graph: ConceptGraph, index: SearchIndex
) -> None:
    aids = find_aids(item("What is a stack? Define it in your own words."), graph, index)
    assert aids.is_before
    assert aids.step is not None
    assert aids.step.title == "list"
    assert find_aids(item("What is a queue?"), graph, index).step is None


def test_a_place_that_tas_withdrew_is_not_shown(graph: ConceptGraph, index: SearchIndex) -> None:
    assert find_places(item("the plate on the stack"), graph, index)
    hidden = find_places(item("the plate on the stack"), graph, index, hides=lambda entry: True)
    assert {one.source for one in hidden} <= {"concept"}
