"""Two systems on the same questions: by hand, and what a person sees of it."""

import pytest
from system_rows import answer, answered

from serving.evaluation.systems.answered_systems import AnsweredSystem
from serving.evaluation.systems.two_systems import TwoSystems, compare_systems, comparison_tables
from serving.evaluation.tables import MeasuredNumber, page

NAMES = ("old", "new")


def system(*rows: object) -> AnsweredSystem:
    return AnsweredSystem("composed", None, tuple(rows))  # type: ignore[arg-type]


def compared(old: AnsweredSystem, new: AnsweredSystem, shown: int = 5) -> TwoSystems:
    return compare_systems(old, new, names=NAMES, shown=shown)


def test_a_question_that_only_one_was_asked_is_left_out_and_counted() -> None:
    found = compared(answered("composed", 10), system(*answered("composed", 8).rows, answer(99)))
    assert (found.questions, found.left_out) == (8, 3)
    assert {one.difference.value for one in found.comparisons} == {0.0}
    assert {one.verdict for one in found.comparisons} == {"no difference shown"}


def test_what_is_clearly_better_and_slower_is_said_to_be() -> None:
    old = system(*(answer(n, hit_rank=2, rougel=0.2, total_ms=10.0 + n) for n in range(40)))
    new = system(*(answer(n, hit_rank=1, rougel=0.6, total_ms=30.0 + n) for n in range(40)))
    found = {one.measure: one for one in compared(old, new).comparisons}
    assert (found["hit_at_1"].only_before, found["hit_at_1"].only_after) == (0, 40)
    assert found["hit_at_1"].verdict == "better"
    assert found["milliseconds"].difference.value == pytest.approx(20.0)
    table, _ = comparison_tables(compared(old, new))
    words = {str(row[0]): row[-1] for row in table.rows}
    assert words["Milliseconds"] == "slower"
    assert words["ROUGE-L of the answer"] == "better"
    assert words["Answered"] == "no difference shown"


def test_a_measure_is_of_the_questions_that_have_it_on_both_sides() -> None:
    old, new = system(answer(1), answer(2, recall5=None)), system(answer(1), answer(2))
    table, _ = comparison_tables(compared(old, new))
    counts = {str(row[0]): row[1] for row in table.rows}
    assert [isinstance(counts[name], MeasuredNumber) and counts[name].value for name in ("Hit@1", "Answered")] == [1, 2]


def test_the_questions_that_differ_most_are_shown_those_that_gained_first() -> None:
    old = system(*(answer(n, rougel=0.5) for n in range(4)))
    new = system(answer(0, rougel=0.5), answer(1, rougel=0.6), answer(2, rougel=0.1), answer(3, rougel=0.9))
    found = compared(old, new, shown=2)
    assert [pair[0].question for pair in found.examples] == ["Question 3?", "Question 2?"]


def test_the_page_holds_figures_and_answers_and_no_markup_of_theirs() -> None:
    old, new = system(answer(1, answer="<script>alert(1)</script>")), system(answer(1, answer="x" * 80, rougel=0.9))
    shown = page(*comparison_tables(compared(old, new)))
    assert "<script>" not in shown
    assert f"<td class=text>{'x' * 80}</td>" in shown
    assert "<h2>Where they differ most</h2>" in shown


def test_systems_without_a_question_in_common_are_not_compared() -> None:
    with pytest.raises(ValueError, match="old and new were asked no question in common"):
        compared(system(answer(1)), system(answer(2)))
