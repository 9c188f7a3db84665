""" "Why this answer" as it is told of a stored turn: the kind of question, how well it is covered, each of several
questions; without a browser."""

from typing import Any

import pytest

from serving.assistant.understanding.question_kind import KINDS
from serving.pages.why import state_of, why_html
from serving.pages.words import words
from serving.store.tables.conversation import TurnRow

FULL: dict[str, Any] = {"coverage": "full", "sufficiency": 1.0}


def shown(route: str, record: dict[str, Any], lang: Any = "en") -> str:
    turn = TurnRow(
        trace_id="t1",
        session_id="s1",
        person_id="p1",
        position=1,
        question="What is a <stack>?",
        answer="A list.",
        outcome="answered",
        route=route,
        degraded=False,
        shown={},
    )
    return why_html(turn, {"route": route, **record}, words("why", lang))


def part(question: str, kind: str, coverage: str, sufficiency: float, *, stored: bool = False) -> dict[str, Any]:
    told = {"question_kind": kind, "coverage": coverage, "sufficiency": sufficiency}
    return {"question": question, **told, "stored": stored}


def test_the_kind_of_question_and_its_coverage_are_told() -> None:
    page = shown("teach", {"question_kind": "comparison", "coverage": "partial", "sufficiency": 0.6, "model": None})
    assert "<h2>Taken as</h2><p>Asks for a comparison</p>" in page
    assert '<p class="state likely">Answered from the material, as far as it speaks of it' in page
    assert "(sure to 60%)" in page
    assert "No AI wrote it." in page


def test_what_a_model_wrote_is_not_said_to_be_put_together() -> None:
    page = shown("teach", {"question_kind": "comparison", "coverage": "partial", "sufficiency": 0.6, "model": "m"})
    assert "No AI wrote it." not in page


def test_each_of_several_questions_is_told_with_its_kind_and_state() -> None:
    parts = [
        part("What is a <heap>?", "definition", "partial", 0.6),
        part("How many late days?", "logistics", "full", 0.89, stored=True),
        part("Who made it?", "people", "partial", 0.3),
        part("Why?", "why", "none", 0.0),
    ]
    page = shown("ask_ta", {"question_kind": "other", "coverage": "partial", "sufficiency": 0.0, "parts": parts})
    assert page.count("<li>") >= len(parts)
    assert 'What is a &lt;heap&gt;?</span><span class="small">Asks what something is</span>' in page
    for state in ("likely", "stored", "near", "none"):
        assert f'<span class="state {state}">' in page
    assert "Not every one of the questions is answered well enough" in page
    assert "<h2>Taken as</h2>" not in page, "the whole message is of no one kind"


def test_a_question_that_was_asked_back_is_no_gap_of_the_material() -> None:
    page = shown("clarify", {"question_kind": "plan", "coverage": "none", "sufficiency": None})
    assert "Asks for a semester to be planned" in page
    assert "Something has to be known first" in page
    assert "Not found in the material" not in page


def test_an_answer_of_an_older_program_has_no_kind() -> None:
    assert "<h2>Taken as</h2>" not in shown("direct", {})


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_question_has_words(kind: str, lang: str) -> None:
    page = shown("teach", {"question_kind": kind, **FULL}, lang)
    assert f">{kind}<" not in page


@pytest.mark.parametrize(
    ("coverage", "sufficiency", "stored", "state"),
    [
        ("full", 1.0, False, "full"),
        ("full", 1.0, True, "stored"),
        ("partial", 0.6, False, "likely"),
        ("partial", 0.59, False, "near"),
        ("none", 1.0, True, "none"),
    ],
)
def test_the_state_of_an_answer(coverage: str, sufficiency: float, stored: bool, state: str) -> None:
    assert state_of({"coverage": coverage, "sufficiency": sufficiency}, stored=stored) == state


@pytest.mark.parametrize("allows", ["closed", "references", "hints"])
@pytest.mark.parametrize("by", ["wording", "meaning", "session"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_rule_about_graded_work_is_told(allows: str, by: str, lang: Any) -> None:
    rule = {"course_id": "ds", "assessment": "Quiz <1>", "number": 1, "allows": allows, "turn": 2, "by": by}
    page = shown("teach", {**FULL, "question_kind": "task", "model": None, "rule": rule}, lang)
    say = words("why", lang)
    assert say("route_ruled") in page
    assert f"<h2>{say('rule')}</h2>" in page
    assert "Quiz &lt;1&gt;" in page
    assert say(f"rule_by_{by}") in page


def test_an_answer_under_no_rule_says_nothing_of_rules() -> None:
    page = shown("teach", {**FULL, "question_kind": "task", "model": None, "rule": None})
    assert words("why", "en")("rule") not in page
