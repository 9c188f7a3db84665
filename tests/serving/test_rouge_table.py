"""LittleMu's Table 4 with rows of ours."""

import pytest
from system_rows import answer, answered

from serving.evaluation.figures import draw
from serving.evaluation.systems.answered_systems import AnsweredSystem
from serving.evaluation.systems.rouge_table import PUBLISHED, painter, rouge_table
from serving.evaluation.tables import MeasuredNumber, Published, Table, markdown


def row_of(table: Table, name: str, questions: str) -> dict[str, object]:
    (found,) = [row for row in table.rows if row[:2] == (name, questions)]
    return dict(zip(table.columns, found, strict=True))


def value(cell: object) -> float | None:
    assert isinstance(cell, MeasuredNumber)
    return cell.value


def test_without_any_answer_the_printed_rows_stand_and_a_note_says_why() -> None:
    table = rouge_table([])
    assert len(table.rows) == len(PUBLISHED) == 9
    assert table.metrics() == {}
    assert "Nothing of ours" in markdown(table)


def test_the_best_printed_row_is_littlemus() -> None:
    found = row_of(rouge_table([]), "LittleMu (130B)", "LittleMu's")
    assert [found[f"{title}, all"] for title in ("R1", "R2", "RL")] == [
        Published("22.4"),
        Published("11.3"),
        Published("18.5"),
    ]


def test_scores_are_means_times_100_by_kind() -> None:
    rows = (answer(1, rougel=0.2), answer(2, rougel=0.4), answer(3, rougel=0.9, kind="complex"))
    found = row_of(rouge_table([AnsweredSystem("retrieval_only", None, rows)]), "retrieval_only", "the courses'")
    assert [round(value(found[f"RL, {kind}"]) or 0, 6) for kind in ("all", "simple", "complex")] == [50, 30, 90]
    assert value(found["asked"]) == 3


def test_an_interval_lies_around_its_score() -> None:
    rows = tuple(answer(number, rougel=number / 20) for number in range(20))
    found = row_of(rouge_table([AnsweredSystem("retrieval_only", None, rows)]), "retrieval_only", "the courses'")
    cell = found["RL, all"]
    assert isinstance(cell, MeasuredNumber)
    assert cell.value == pytest.approx(47.5)
    assert 30 < (cell.low or 0) < 47.5 < (cell.high or 0) < 65


def test_the_public_set_has_rows_of_its_own_and_the_note_says_how_they_were_answered() -> None:
    rows = (answer(1), answer(2, section="public", route="ask_ta"), answer(3, section="public"))
    table = rouge_table([AnsweredSystem("retrieval_only", None, rows)])
    assert value(row_of(table, "retrieval_only", "the public set")["asked"]) == 2
    assert table.metrics()["public/ask_ta"] == 0.5
    assert "COTEACH_EVAL_ANSWERS" not in markdown(table)


def test_questions_without_a_reference_are_not_counted() -> None:
    table = rouge_table([answered("retrieval_only", 3, rouge1=None, rouge2=None, rougel=None)])
    assert len(table.rows) == len(PUBLISHED)


def test_each_model_of_a_system_has_its_row() -> None:
    table = rouge_table(
        [answered("chain_of_teach", 2, model="models/Small-1"), answered("chain_of_teach", 2, model="Big")]
    )
    assert [row[0] for row in table.rows[9:]] == ["chain_of_teach (Small-1)", "chain_of_teach (Big)"]
    assert "chain_of_teach.small_1/course/all/rougel" in table.metrics()


def test_the_picture_is_the_same_twice() -> None:
    table = rouge_table([answered("retrieval_only", 3)])
    assert draw(painter(table)) == draw(painter(table))
