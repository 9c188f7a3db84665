"""Experiments: designed effects are found again, unequal buckets too, lost people are seen, an empty bucket is told."""

import pytest

from models.statistics.intervals import lift
from serving.evaluation.logs.answer_experiments import LOST, experiments_table, own_results
from serving.evaluation.logs.experiment_designs import (
    DESIGNS,
    EXPLANATIONS,
    MODELS,
    Design,
    simulate_trial,
    trial_results,
    without_some,
)
from serving.evaluation.tables import MeasuredNumber, Published, markdown
from serving.feedback.experiments import MISMATCH


def bucket_rows(name: str, place: int, exposed: int, x: int, y: int) -> list[dict[str, object]]:
    """As the mart has them; every person asked one question and voted on none."""
    known = {"experiment": "prompts", "variant": name, "place": place, "weight": 1.0, "exposed": exposed}
    sums = {"people": x, "x": x, "y": y, "xx": x, "xy": y, "yy": y}
    return [{**known, "measure": "coverage", **sums}, {**known, "measure": "thumbs_up", **dict.fromkeys(sums, 0)}]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda one: one.slug)
def test_a_design_has_the_effects_and_users_of_the_paper(design: Design) -> None:
    lifts = [round(design.lift(one), 2) for one in design.effects]
    assert lifts == {"models": [0.4, 0.4, -0.06, 0.06, 0.12], "explanations": [0.75]}[design.slug]
    assert [one.users for one in design.buckets] in ([147_000] * 3, [210_000, 96_000])


def test_the_interval_of_a_lift_holds_what_was_put_in_in_nineteen_of_twenty_draws() -> None:
    held = 0
    for seed in range(60):
        results = trial_results(simulate_trial(MODELS, seed, people=2_000))
        search, _, four = (one.coverage.rate for one in results.variants)
        found = lift(four, search)
        assert found.low is not None
        assert found.high is not None
        held += found.low < 0.4 < found.high
    assert held >= 52  # 57 are expected; fewer than 52 would come by chance in 1 of 300


def test_one_persons_answers_are_alike_and_the_analysis_says_so() -> None:
    results = trial_results(simulate_trial(MODELS, 0, people=20_000))
    assert all(one.coverage.design_effect > 1.05 for one in results.variants)


def test_unequal_buckets_are_no_mismatch_and_lost_people_are() -> None:
    logs = simulate_trial(EXPLANATIONS, 0, people=60_000)
    whole = trial_results(logs)
    people = [one.people for one in whole.variants]
    assert sum(people) == 60_000
    assert people[1] / 60_000 == pytest.approx(96 / 306, abs=0.01)
    assert whole.sample_ratio is not None
    assert whole.sample_ratio > MISMATCH
    broken = trial_results(without_some(logs, "explained", 0.1))
    assert broken.sample_ratio is not None
    assert broken.sample_ratio < MISMATCH
    assert broken.variants[0].thumbs_up == whole.variants[0].thumbs_up


def test_the_same_seed_gives_the_same_table() -> None:
    def shown() -> str:
        logs = simulate_trial(MODELS, 5, people=500)
        broken = trial_results(without_some(logs, "GPT-4", LOST))
        return markdown(experiments_table([(MODELS, trial_results(logs), broken)], {}))

    assert shown() == shown()
    assert "Our store has no experiments yet." in shown()


def test_what_was_put_in_stands_beside_what_was_found_and_published() -> None:
    found = trial_results(simulate_trial(EXPLANATIONS, 1, people=30_000))
    table = experiments_table([(EXPLANATIONS, found, found)], {})
    (row,) = [row for row in table.rows if "explained against answer" in str(row[1])]
    assert row[2:4] == (Published("75% higher"), "+75.0%")
    assert isinstance(row[4], MeasuredNumber)
    assert row[4].low is not None
    assert row[4].high is not None
    assert row[4].low < 0.75 < row[4].high


def test_a_bucket_that_nobody_met_has_no_rate_and_is_told() -> None:
    own = own_results([*bucket_rows("plain", 0, 10, 10, 5), *bucket_rows("{new}", 1, 0, 0, 0)])
    (plain, new) = own["prompts"].variants
    assert (plain.coverage.rate.value, new.coverage.rate.value, new.coverage.lift) == (
        0.5,
        None,
        lift(new.coverage.rate, plain.coverage.rate),
    )
    shown = markdown(experiments_table([], own))
    assert "prompts: nobody has met {new}." in shown
    assert "| prompts | users of {new} | – | weight 1 | 0 |" in shown


def test_experiments_come_by_name_and_their_variants_in_their_order() -> None:
    own = own_results([*bucket_rows("b", 1, 4, 4, 1), *bucket_rows("a", 0, 4, 4, 2)])
    assert [one.name for one in own["prompts"].variants] == ["a", "b"]
    assert own["prompts"].variants[1].coverage.trials == 4
