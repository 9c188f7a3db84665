"""What the console shows, before it is put on a page."""

from datetime import UTC, datetime, timedelta

import pytest

from serving.desk.difference import difference
from serving.pages.console_answer import _why as facts_of
from serving.pages.console_changes import mark_new, mark_old
from serving.pages.console_reading import age_of, code_of
from serving.pages.tables import table_markup
from serving.pages.words import words
from serving.store.tables.conversation import TurnRow

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_the_words_that_differ_are_marked_on_their_own_side() -> None:
    pieces = difference("keys are less than the node", "keys are smaller than the node")
    assert mark_old(pieces) == "keys are <del>less</del> than the node"
    assert mark_new(pieces) == "keys are <ins>smaller</ins> than the node"


def test_in_chinese_it_is_characters() -> None:
    pieces = difference("装填因子是零点七", "装填因子是零点八")
    assert mark_old(pieces) == "装填因子是零点<del>七</del>"


def test_markup_in_the_material_is_shown_as_text() -> None:
    assert mark_new(difference("a", "<b>x</b>")).count("<b>") == 0
    assert "<script>" not in table_markup(["<script>"], [["<script>"]])


@pytest.mark.parametrize(
    ("past", "told"),
    [
        (timedelta(seconds=59), ("now", 0)),
        (timedelta(minutes=59), ("minutes", 59)),
        (timedelta(hours=23), ("hours", 23)),
        (timedelta(days=3, hours=5), ("days", 3)),
        (timedelta(hours=-2), ("now", 0)),
    ],
)
def test_ages_are_told_in_the_largest_unit_and_a_clock_that_jumps_does_no_harm(
    past: timedelta, told: tuple[str, int]
) -> None:
    assert age_of(NOW - past, NOW) == told


def test_a_person_is_a_short_code_that_is_not_their_id() -> None:
    assert len(code_of("a" * 32)) == 4
    assert code_of("a" * 32) == code_of("a" * 32) != code_of("b" * 32)
    assert code_of("a" * 32) != "aaaa"


@pytest.mark.parametrize("allows", ["closed", "references", "hints"])
def test_a_ta_reads_under_which_rule_about_graded_work_an_answer_was_given(allows: str) -> None:
    rule = {"course_id": "ds", "assessment": "Quiz 1", "number": 1, "allows": allows, "turn": 3, "by": "session"}
    turn = TurnRow(
        trace_id="t1",
        session_id="s1",
        person_id="p1",
        position=2,
        question="and?",
        answer="Read there.",
        outcome="answered",
        route="teach",
        degraded=False,
        shown={"rule": rule},
    )
    told = " ".join(facts_of(turn, words("console", "en")))
    assert "Graded work “Quiz 1”" in told
    assert "(message 3 about it)" in told
