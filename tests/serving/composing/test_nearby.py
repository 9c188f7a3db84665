"""What is added under an answer that is not sure: the nearest passages that it does not show, and no more."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from knowledge_graph.lake.records import Locator
from serving.assistant.composing.composed import Composed, ComposedStatement, Coverage
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.nearby import MOST, add_nearby
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import QuestionUnit
from serving.index.schema import Entry


def piece(name: str, start_s: int, *, words: float = 1.0, source: str = "subtitle") -> MaterialPiece:
    """A passage of ten seconds with a sentence of its own and one that is read on behind it."""
    at = Locator(video_id="v", start_ms=1000 * start_s, end_ms=1000 * start_s + 10_000)
    entry = Entry(name, "passage", source, "ds", "en", "Stacks", name, locator=at)
    own = MaterialLine(f"{name} says so.", 1000 * start_s, 1000 * start_s + 5_000)
    after = MaterialLine("This is read on.", 1000 * start_s + 10_000, 1000 * start_s + 15_000)
    return MaterialPiece(entry, (own, after), words=words)


def asked(*pieces: MaterialPiece, kind: str = "why", units: tuple[QuestionUnit, ...] = ()) -> Request:
    return cast(Request, SimpleNamespace(kind=kind, spoken="en", pieces=pieces, units=units, question="Why?"))


def answer(shown: MaterialPiece, coverage: Coverage = "partial") -> Composed:
    return Composed("why", coverage, (ComposedStatement("Because.", shown.evidence(shown.lines[:1])),))


def test_the_nearest_passages_that_are_not_shown_are_added_in_their_order() -> None:
    pieces = [piece(name, 60 * place) for place, name in enumerate("ABCDE")]
    found = add_nearby(answer(pieces[0]), asked(*pieces))
    assert [one.text for one in found.statements] == [
        "Because.",
        "Also near to the question:",
        *(f"{name} says so." for name in "BCDE"[:MOST]),
    ]


def test_a_stretch_of_the_lecture_that_is_shown_already_is_passed_over() -> None:
    shown, over = piece("A", 60), piece("B", 62)
    assert add_nearby(answer(shown), asked(shown, over)) == answer(shown)


def test_a_passage_that_is_found_much_less_well_is_not_near() -> None:
    shown, far = piece("A", 0), piece("B", 60, words=0.4)
    assert add_nearby(answer(shown), asked(shown, far)) == answer(shown)


@pytest.mark.parametrize(
    ("kind", "coverage"), [("why", "full"), ("why", "none"), ("where", "partial"), ("people", "partial")]
)
def test_sure_answers_and_those_that_lead_to_the_material_stay_as_they_are(kind: str, coverage: Coverage) -> None:
    shown, other = piece("A", 0), piece("B", 60)
    assert add_nearby(answer(shown, coverage), asked(shown, other, kind=kind)) == answer(shown, coverage)


def test_records_of_a_catalogue_are_complete() -> None:
    shown, other = piece("A", 0, source="catalog"), piece("B", 60)
    assert add_nearby(answer(shown), asked(shown, other)) == answer(shown)


def test_beside_a_rule_of_the_course_no_lecture_is_near() -> None:
    rule, lecture, other = piece("A", 0, source="document"), piece("B", 60), piece("C", 120, source="document")
    found = add_nearby(answer(rule), asked(rule, lecture, other, kind="logistics"))
    assert [one.text for one in found.statements] == ["Because.", "Also near to the question:", "C says so."]


def test_where_no_other_place_can_be_cited_nothing_is_said_to_be_near() -> None:
    pieces = [piece(name, 60 * place) for place, name in enumerate("ABCDEFGH")]
    full = Composed(
        "why", "partial", tuple(ComposedStatement(one.lines[0].text, one.evidence(one.lines[:1])) for one in pieces[:6])
    )
    assert add_nearby(full, asked(*pieces)) == full
    almost = Composed("why", "partial", full.statements[:5])
    assert [one.text for one in add_nearby(almost, asked(*pieces)).statements[5:]] == [
        "Also near to the question:",
        "F says so.",
    ]


def test_what_is_composed_as_a_summary_stays_as_it_is_whatever_the_question_looked_like() -> None:
    shown, other = piece("A", 0), piece("B", 60)
    summary = Composed("summary", "partial", answer(shown).statements)
    assert add_nearby(summary, asked(shown, other, kind="list")) == summary


@pytest.mark.parametrize(
    ("shown", "other", "title", "is_added"),
    [
        ("A queue and an undo", "An undo by a queue", "Graphs", True),
        ("A queue and an undo", "A queue alone", "Graphs", False),
        ("A queue and an undo", "A graph", "Graphs", False),
        ("A queue and an undo", "A graph", "Stacks", True),
        ("A queue and nothing", "A queue alone", "Graphs", True),
        ("A queue and nothing", "A graph", "Graphs", False),
        ("Nothing", "A graph", "Graphs", True),
    ],
)
def test_a_passage_of_another_lecture_that_names_less_than_half_of_what_is_asked_is_not_near(
    shown: str, other: str, title: str, *, is_added: bool
) -> None:
    units = tuple(
        QuestionUnit(name, (frozenset({name}),), weight)
        for name, weight in (("undo", 1.0), ("queue", 0.9), ("fast", 0.1))
    )
    units = units if "nothing" not in shown else (units[0], replace(units[1], weight=2.0))
    units = units if "undo" not in shown else units[:2]
    first, second = piece(shown, 0), piece(other, 60)
    second = replace(second, entry=replace(second.entry, title=title))
    said = replace(answer(first), statements=(ComposedStatement(shown, first.evidence(first.lines[:1])),))
    found = add_nearby(said, asked(first, second, units=units))
    assert (len(found.statements) > 1) is is_added


@pytest.mark.parametrize("greeting", ["Hello. All of this is new.", "嗨，欢迎收看。"])
def test_the_opening_of_a_lecture_is_not_near_a_question_on_a_concept(greeting: str) -> None:
    shown, opening, other = (piece(name, 60 * place) for place, name in enumerate(("A", greeting, "C")))
    stack = QuestionUnit("stack", (frozenset({"stack"}),), 1.0, "en:stack")
    texts = [one.text for one in add_nearby(answer(shown), asked(shown, opening, other, units=(stack,))).statements]
    assert texts == ["Because.", "Also near to the question:", "C says so."]
    before = add_nearby(answer(shown), asked(shown, opening, other, kind="before", units=(stack,)))
    assert any(greeting in one.text for one in before.statements)


def test_a_passage_of_which_half_is_shown_already_is_not_near() -> None:
    shown = piece("A", 0)
    said = ComposedStatement("It begins so. **The heap is a tree of which every level is full.** Its top is least.")
    other = piece("It goes on to say. The heap is a tree of which every level is full. Its top is least. B", 60)
    found = replace(answer(shown), statements=(replace(said, evidence=shown.evidence(shown.lines[:1])),))
    assert add_nearby(found, asked(shown, other)) == found
