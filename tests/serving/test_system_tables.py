"""Systems side by side, the measures they are compared by, and what a part of the pipeline is worth."""

import math

import pytest
from system_rows import answer, answered

from models.statistics.bootstrap import difference_of_pairs, share
from serving.evaluation.systems.answered_systems import AnsweredSystem
from serving.evaluation.systems.system_measures import MEASURES, metrics
from serving.evaluation.systems.system_table import ABLATIONS, NOT_RUN, ablation_table, comparison_table
from serving.evaluation.systems.systems import SYSTEMS
from serving.evaluation.tables import MeasuredNumber, Table, markdown

ALL = frozenset[str]()


def part(table: Table, name: str) -> dict[str, object]:
    (found,) = [row for row in table.rows if name in str(row[0])]
    return dict(zip(table.columns, found, strict=True))


def test_a_precision_is_over_citations_and_not_over_answers() -> None:
    rows = [answer(1, citations=1, supported_citations=1), answer(2, citations=9, supported_citations=0)]
    assert MEASURES["citation_precision"].of(rows).value == 0.1


def test_what_says_nothing_is_no_zero() -> None:
    rows = [answer(1, recall5=None, hit_rank=None), answer(2)]
    assert MEASURES["hit_at_1"].of(rows).value == 1
    assert MEASURES["hit_at_1"].of(rows).n == 1
    assert MEASURES["unsupported"].of([answer(1, grounded=None)]).value is None


def test_a_reciprocal_rank_by_hand() -> None:
    rows = [answer(1, hit_rank=1), answer(2, hit_rank=4), answer(3, hit_rank=None)]
    assert MEASURES["mrr"].of(rows).value == pytest.approx((1 + 1 / 4) / 3)


def test_every_system_has_the_same_metric_names() -> None:
    sampled = frozenset({"q000"})
    first = metrics(answered("retrieval_only", 3).rows, sampled=sampled)
    second = metrics(answered("chain_of_teach", 1, model="Small").rows, sampled=sampled)
    assert {name for name in first if name.startswith("sample/")} == {
        name for name in second if name.startswith("sample/")
    }
    assert first["course/questions"] == 3
    assert not any(name.startswith("course/") for name in second)


def test_a_latency_is_the_nearest_rank() -> None:
    rows = [answer(number, total_ms=float(number)) for number in range(1, 21)]
    found = metrics(rows, sampled=ALL)
    assert (found["course/p50_ms"], found["course/p95_ms"]) == (10, 19)


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    """200 samples of 60 questions with 30% right: at least 90% of the intervals hold .3 (95% are expected)."""
    import numpy as np

    drawn = np.random.default_rng(3).random((200, 60)) < 0.3
    found = [share([(float(hit), 1.0) for hit in sample]) for sample in drawn]
    held = sum((one.low or 0) <= 0.3 <= (one.high or 0) for one in found)
    assert held >= 180


def test_a_paired_difference_knows_what_a_question_has_in_common() -> None:
    """Questions differ widely, the systems by .1 on each: the interval is that .1, and not as wide as the questions."""
    easy = [(number / 100, 1.0) for number in range(80)]
    better = [(value + 0.1, 1.0) for value, _ in easy]
    found = difference_of_pairs(better, easy)
    assert (found.value, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))


def test_pairs_of_different_lengths_are_an_error() -> None:
    with pytest.raises(ValueError, match="found 1 and 2"):
        difference_of_pairs([(1, 1)], [(1, 1), (0, 1)])


def test_with_no_answer_every_system_is_not_run() -> None:
    assert [row[1] for row in comparison_table([]).rows] == [NOT_RUN] * len(SYSTEMS)
    assert [row[2] for row in ablation_table([]).rows] == [NOT_RUN] * len(ABLATIONS)


def test_the_shared_questions_are_those_that_the_smallest_system_was_asked() -> None:
    table = comparison_table([answered("retrieval_only", 5), answered("chain_of_teach", 2, model="Small")])
    asked = [(row[0], row[1], row[2].value) for row in table.rows if isinstance(row[2], MeasuredNumber)]
    assert asked == [
        ("retrieval_only", "all of the courses", 5),
        ("retrieval_only", "those asked of all", 2),
        ("chain_of_teach (Small)", "those asked of all", 2),
    ]


def test_safeguards_are_measured_on_the_questions_that_both_were_asked() -> None:
    guarded = answered("chain_of_teach", 4, model="Small", grounded=True)
    open_rows = tuple(answer(n, system="without_safeguards", served="Small", grounded=n % 2 == 0) for n in range(6))
    found = part(ablation_table([guarded, AnsweredSystem("without_safeguards", "Small", open_rows)]), "safeguards")
    cell, asked = found["unsupported answers"], found["asked"]
    assert isinstance(cell, MeasuredNumber)
    assert isinstance(asked, MeasuredNumber)
    assert (asked.value, cell.value) == (4, -0.5)
    assert (cell.low or 0) < -0.5 < (cell.high or 0) <= 0


def test_two_models_are_not_held_against_each_other() -> None:
    table = ablation_table(
        [answered("chain_of_teach", 3, model="Small"), answered("without_reflection", 3, model="Big")]
    )
    assert part(table, "reflection")["asked"] == NOT_RUN


def test_no_difference_has_an_interval_that_holds_zero() -> None:
    found = part(ablation_table([answered("retrieval_only", 4), answered("concept_aware", 4)]), "meaning")["hit@1"]
    assert isinstance(found, MeasuredNumber)
    assert (found.value, found.low, found.high) == (0, 0, 0)


def test_the_note_calls_the_checker_what_it_is() -> None:
    assert "automatic proxy" in markdown(ablation_table([]))
    assert all(math.isfinite(value) for value in comparison_table([answered("fused", 3)]).metrics().values())
