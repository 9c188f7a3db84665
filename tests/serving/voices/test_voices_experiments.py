"""Experiments: who gets what, what is refused, the log, and results on logs whose truth is known."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session
from voices_rows import NOON, add_people, add_turn

from serving.feedback.experiment_results import Sums, design_effect, results_of
from serving.feedback.experiments import (
    ExperimentRefused,
    Trial,
    Variant,
    check_variants,
    sample_ratio,
    trial_for,
    variant_of,
)
from serving.gateway.running_experiments import Trials
from serving.settings import Settings
from serving.store.database import Store
from serving.store.experiments import (
    ExperimentUnknown,
    create_experiment,
    expose,
    read_results,
    running,
    stop_experiment,
)
from serving.store.tables.conversation import Feedback, TurnRow
from serving.store.tables.experiment import Experiment, Exposure

SETTINGS = Settings()
HALVES = (Variant("control", 1, {}), Variant("short", 1, {"max_tokens": 64}))
PEOPLE = [f"person-{number}" for number in range(4000)]

weights = st.lists(st.integers(1, 9), min_size=2, max_size=5)


def trial(*weights: float, name: str = "e1") -> Trial:
    return Trial(name, name, None, tuple(Variant(f"v{place}", one, {}) for place, one in enumerate(weights)))


@settings(max_examples=15, deadline=None)
@given(weights)
def test_buckets_are_as_large_as_their_weights_say(given_weights: list[int]) -> None:
    found = Counter(variant_of(trial(*given_weights), person).name for person in PEOPLE)
    for place, weight in enumerate(given_weights):
        expected = weight / sum(given_weights)
        assert found[f"v{place}"] / len(PEOPLE) == pytest.approx(expected, abs=4 * (0.25 / len(PEOPLE)) ** 0.5)


@settings(max_examples=15, deadline=None)
@given(weights, st.randoms(use_true_random=False))
def test_the_order_and_the_scale_of_weights_change_nothing(given_weights: list[int], rng: random.Random) -> None:
    before = trial(*given_weights)
    mixed = [replace(one, weight=one.weight * 7) for one in before.variants]
    rng.shuffle(mixed)
    after = replace(before, variants=tuple(mixed))
    assert all(variant_of(before, one).name == variant_of(after, one).name for one in PEOPLE[:500])


def test_people_move_only_to_a_variant_that_grew_or_from_one_that_was_renamed() -> None:
    before, grown = trial(1, 1, 1), trial(1, 1, 2)
    moved = {(variant_of(before, one).name, variant_of(grown, one).name) for one in PEOPLE}
    assert {pair for pair in moved if pair[0] != pair[1]} == {("v0", "v2"), ("v1", "v2")}
    first, second, third = before.variants
    renamed = replace(before, variants=(first, second, replace(third, name="other")))
    moved = {(variant_of(before, one).name, variant_of(renamed, one).name) for one in PEOPLE}
    assert ("v0", "v1") not in moved
    assert ("v1", "v0") not in moved


def test_another_experiment_mixes_people_anew_and_the_bucket_of_one_is_known_by_heart() -> None:
    one, other = trial(1, 1), trial(1, 1, name="e2")
    both = Counter((variant_of(one, person).name, variant_of(other, person).name) for person in PEOPLE)
    assert all(count == pytest.approx(1000, abs=120) for count in both.values())
    assert [variant_of(one, person).name for person in PEOPLE[:6]] == ["v1", "v1", "v0", "v0", "v0", "v1"]


def test_a_question_takes_part_in_the_oldest_experiment_of_its_course() -> None:
    ds, everywhere = replace(trial(1, 1), course_id="ds"), trial(1, 1, name="e2")
    assert trial_for([ds, everywhere], "ds") == ds
    assert trial_for([ds, everywhere], "law") == everywhere
    assert trial_for([ds], None) is None


def test_the_sample_ratio_is_kohavis_worked_example() -> None:
    # Trustworthy Online Controlled Experiments (2020), chapter 21: 821,588 and 815,482 users, p = 1.8E-6.
    assert sample_ratio({"a": 821_588, "b": 815_482}, {"a": 1, "b": 1}) == pytest.approx(1.8e-6, rel=0.02)
    assert sample_ratio({"a": 210_000, "b": 96_000}, {"a": 210, "b": 96}) == pytest.approx(1)
    assert sample_ratio({}, {"a": 1, "b": 1}) is None
    assert sample_ratio({"a": 50}, {"a": 1, "b": 1}) == pytest.approx(1.5e-12, rel=0.1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"temprature": 0.3}, "may change alpha, .*top_k; found temprature"),
        ({"home": "/etc"}, "found home"),
        ({"temperature": 9}, "temperature: Input should be less than or equal to 2; found 9"),
        ({"strategy": "magic"}, "strategy: Input should be"),
        ({"graders": ["magic"]}, "Graders are material, llm or none"),
        ({"llm_url": "http://elsewhere/v1"}, "found llm_url"),
    ],
)
def test_a_variant_that_could_not_answer_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ExperimentRefused, match=message):
        check_variants((HALVES[0], Variant("new", 1, change)), SETTINGS)


def test_variants_need_different_names_and_weights_above_nothing() -> None:
    with pytest.raises(ExperimentRefused, match="compares 2 to 10 variants; found 1"):
        check_variants(HALVES[:1], SETTINGS)
    with pytest.raises(ExperimentRefused, match="same name: control"):
        check_variants((HALVES[0], HALVES[0]), SETTINGS)
    with pytest.raises(ExperimentRefused, match=r"weight of short must be above 0 .* found 0"):
        check_variants((HALVES[0], replace(HALVES[1], weight=0)), SETTINGS)
    with pytest.raises(ExperimentRefused, match="1 to 60 characters"):
        check_variants((HALVES[0], replace(HALVES[1], name="a\nb")), SETTINGS)
    assert check_variants((HALVES[0], Variant("b", 2, {"llm_url": "http://gpu/v1"})), SETTINGS, by_hand=True)


def test_nobody_takes_part_in_two_experiments(store: Store) -> None:
    def begin(name: str, course_id: str | None) -> None:
        store.write(lambda db: create_experiment(db, name, HALVES, settings=SETTINGS, course_id=course_id))

    begin("one", "ds")
    begin("two", "law")
    for name, course_id in (("three", "ds"), ("three", None)):
        with pytest.raises(ExperimentRefused, match=r"is running for .* Stop it first"):
            begin(name, course_id)
    store.write(lambda db: stop_experiment(db, "one"))
    with pytest.raises(ExperimentRefused, match="There was an experiment 'one' before"):
        begin("one", "ds")
    begin("three", "ds")
    assert [one.name for one in store.read(running)] == ["two", "three"]
    with pytest.raises(ExperimentUnknown, match="no experiment 'four'"):
        store.write(lambda db: stop_experiment(db, "four"))


def test_trials_follow_the_store(store: Store) -> None:
    trials = Trials(store, SETTINGS)
    assert trials.variant_for("p", "ds") is None
    store.write(lambda db: create_experiment(db, "one", HALVES, settings=SETTINGS, course_id="ds"))
    asyncio.run(trials.refresh())
    found = trials.variant_for("p", "ds")
    assert found is not None
    assert (found[0], found[1].name in ("control", "short")) == ("one", True)
    chosen = trials.choose("p", "ds")
    assert chosen is not None
    assert (chosen.experiment, chosen.variant, chosen.settings) == ("one", found[1].name, found[1].settings)
    assert trials.choose("p", "law") is None
    store.write(lambda db: stop_experiment(db, "one"))
    asyncio.run(trials.refresh())
    assert trials.choose("p", "ds") is None


def test_the_first_meeting_with_a_variant_is_logged_once(store: Store) -> None:
    def write(db: Session) -> None:
        add_people(db)
        create_experiment(db, "one", HALVES, settings=SETTINGS)
        for place, name in enumerate(("one", "one", None, "gone")):
            add_turn(db, f"t{place}", experiment=name, variant="short")
            turn = db.get(TurnRow, f"t{place}")
            assert turn is not None
            expose(db, turn)

    store.write(write)
    [row] = store.read(lambda db: list(db.scalars(select(Exposure))))
    assert (row.person_id, row.variant, row.at) == ("student-1", "short", NOON)


def test_results_count_questions_answers_and_thumbs_by_variant(store: Store) -> None:
    def write(db: Session) -> None:
        create_experiment(db, "one", HALVES, settings=SETTINGS)
        add_of("control", "p1", db, routes=["direct", "ask_ta", "chat"], ups=[1])
        add_of("short", "p2", db, routes=["direct", "teach"], ups=[1, -1])
        add_of("short", "p3", db, routes=["teach"], ups=[])

    store.write(write)
    found = store.read(lambda db: read_results(db, "one"))
    control, short = found.variants
    assert (control.people, short.people) == (1, 2)
    assert (control.coverage.trials, control.coverage.successes) == (2, 1)
    assert (short.coverage.trials, short.coverage.successes, short.coverage.people) == (3, 3, 2)
    assert (short.thumbs_up.trials, short.thumbs_up.rate.value) == (2, 0.5)
    assert (control.coverage.lift, short.coverage.lift and short.coverage.lift.value) == (None, 1.0)
    assert "Too few yet" in found.warnings[0]


def add_of(variant: str, person_id: str, db: Session, *, routes: list[str], ups: list[int]) -> None:
    for place, route in enumerate(routes):
        name = f"{person_id}-{place}"
        add_turn(db, name, person_id=person_id, route=route, experiment="one", variant=variant)
        turn = db.get(TurnRow, name)
        assert turn is not None
        expose(db, turn)
        if place < len(ups):
            db.add(Feedback(trace_id=name, person_id=person_id, thumb=ups[place]))
    db.flush()


def test_an_experiment_without_anybody_and_one_with_an_empty_bucket_have_results(store: Store) -> None:
    store.write(lambda db: create_experiment(db, "one", HALVES, settings=SETTINGS))
    nothing = store.read(lambda db: read_results(db, "one"))
    assert (nothing.sample_ratio, nothing.variants[1].coverage.rate.value, nothing.warnings) == (None, None, ())
    lonely = results_of(HALVES, {"control": 40}, {"control": Sums(40, 40, 30, 40, 30, 30)}, {})
    assert lonely.variants[1].coverage.difference is not None
    assert lonely.variants[1].coverage.difference.value is None
    assert lonely.warnings[0].startswith("Sample ratio mismatch (p = 2.5e-10)")
    assert "(control 40, short 0)" in lonely.warnings[0]


def sums(trials: list[tuple[int, int]]) -> Sums:
    return Sums(
        people=len(trials),
        x=sum(x for x, _ in trials),
        y=sum(y for _, y in trials),
        xx=sum(x * x for x, _ in trials),
        xy=sum(x * y for x, y in trials),
        yy=sum(y * y for _, y in trials),
    )


def test_the_design_effect_is_ten_when_everybodys_ten_answers_are_alike_and_one_when_they_are_not() -> None:
    alike = sums([(10, 10), (10, 0)] * 500)
    assert design_effect(alike) == pytest.approx(10, rel=0.01)
    assert design_effect(sums([(1, 1), (1, 0)] * 500)) == pytest.approx(1, rel=0.01)
    assert design_effect(Sums()) == 1


def test_synthetic_logs_give_back_the_papers_lifts() -> None:
    rng = random.Random(5)

    def people(n: int, rate: float) -> Sums:
        return sums([(1, int(rng.random() < rate)) for _ in range(n)])

    variants = (Variant("GPT-3.5", 210, {}), Variant("GPT-4", 96, {}))
    found = results_of(
        variants,
        {"GPT-3.5": 21_000, "GPT-4": 9_600},
        {"GPT-3.5": people(21_000, 0.5), "GPT-4": people(9_600, 0.7)},
        {"GPT-3.5": people(21_000, 0.6), "GPT-4": people(9_600, 0.6 * 1.12)},
    )
    second = found.variants[1]
    for measured, lift in ((second.coverage, 0.40), (second.thumbs_up, 0.12)):
        assert measured.lift is not None
        assert measured.lift.low is not None
        assert measured.lift.high is not None
        assert measured.lift.low < lift < measured.lift.high
        assert measured.lift.value == pytest.approx(lift, abs=0.03)
    assert found.warnings == ()


def test_the_intervals_hold_for_nineteen_of_twenty_experiments_though_peoples_answers_are_alike() -> None:
    rng, held = random.Random(11), 0
    for _ in range(400):
        tastes = [[rng.betavariate(2, 2) for _ in range(150)] for _ in range(2)]
        logs = [
            sums([(n, sum(rng.random() < taste for _ in range(n))) for taste in one for n in [rng.randrange(1, 9)]])
            for one in tastes
        ]
        found = results_of(HALVES, {}, {"control": logs[0], "short": logs[1]}, {})
        apart = found.variants[1].coverage.difference
        assert apart is not None
        assert apart.low is not None
        assert apart.high is not None
        held += apart.low <= 0 <= apart.high
    assert 0.925 <= held / 400 <= 0.975


def test_the_command_line_reads_variants_and_their_settings(tmp_path: Path) -> None:
    from orchestration.cli.experiment_command import read_variants

    read = read_variants(["control=2", "short=1.5"], ["short.max_tokens=64", "short.graders=none"])
    assert read == [Variant("control", 2, {}), Variant("short", 1.5, {"max_tokens": "64", "graders": "none"})]
    assert check_variants(read, SETTINGS) == tuple(read)
    with pytest.raises(ExperimentRefused, match="NAME=WEIGHT, such as control=1; found 'control'"):
        read_variants(["control"], [])
    with pytest.raises(ExperimentRefused, match=r"variant of control; found 'short.top_k=3'"):
        read_variants(["control=1"], ["short.top_k=3"])


def test_the_command_line_begins_shows_and_stops_an_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rich.console import Console

    from orchestration.cli import experiment_command

    monkeypatch.setenv("COTEACH_HOME", str(tmp_path))
    console = Console(width=200)
    begun = experiment_command.create(
        console, "shorter", variants=["control=1", "short=1"], settings=["short.llm_url=http://gpu/v1"], course="ds"
    )
    assert begun == experiment_command.show(console, "shorter", as_json=False) == 0
    assert (
        experiment_command.stop(console, "shorter") == experiment_command.list_experiments(console, as_json=False) == 0
    )
    told = capsys.readouterr().out
    assert "The experiment shorter is running." in told
    assert "Nobody took part yet." in told
    assert "stopped" in told
    assert experiment_command.show(console, "shorter", as_json=True) == 0
    assert '"sample_ratio": null' in capsys.readouterr().out


def test_an_experiment_that_this_program_cannot_run_keeps_nobody_from_an_answer(store: Store) -> None:
    of_a_newer_coteach = [{"name": name, "weight": 1, "settings": {"strategy": "telepathy"}} for name in ("a", "b")]
    store.write(lambda db: db.add(Experiment(name="next year's", course_id="ds", variants=of_a_newer_coteach)))
    store.write(lambda db: create_experiment(db, "ours", HALVES, settings=SETTINGS, course_id="law"))
    trials = Trials(store, SETTINGS)
    with structlog.testing.capture_logs() as told:
        asyncio.run(trials.refresh())
        asyncio.run(trials.refresh())
    assert [(one["event"], one["experiment"]) for one in told] == [("experiment_not_run", "next year's")]
    assert trials.choose("p", "ds") is None
    assert trials.choose("p", "law") is not None
