"""Who answers students: paired tests on answers written by hand, and every way a contest can end."""

import numpy as np
import pytest
from sklearn.metrics import f1_score, roc_auc_score

from models.intent.labels.categories import CATEGORIES, CHAT, Category, Floats, chat_scores
from models.intent.release.promotion import (
    LEAST,
    LEVEL,
    Contest,
    Difference,
    PromotionDecision,
    compare,
    decide,
    describe_contest,
)

QUESTIONS = 120
LABELS: list[Category] = [CATEGORIES[number % len(CATEGORIES)] for number in range(QUESTIONS)]


def answers(*, wrong: set[int], labels: list[Category] = LABELS) -> Floats:
    """Probabilities of a model that is right everywhere but there, where it names the category after the label's."""
    found = np.full((len(labels), len(CATEGORIES)), 0.02)
    for number, label in enumerate(labels):
        found[number, (CATEGORIES.index(label) + (number in wrong)) % len(CATEGORIES)] = 0.9
    return found


def every(step: int) -> set[int]:
    return set(range(0, QUESTIONS, step))


def guesses(source: np.random.Generator, labels: list[Category], share: float) -> Floats:
    """Probabilities of a model that is right about this often, its confidence drawn at random."""
    found: Floats = source.dirichlet(np.ones(len(CATEGORIES)), len(labels))
    for number, label in enumerate(labels):
        if source.random() < share:
            found[number, CATEGORIES.index(label)] += 2
    found /= found.sum(axis=1, keepdims=True)
    return found


def test_mcnemar_counts_what_only_one_of_them_got_right() -> None:
    found = compare(LABELS, answers(wrong={0, 1}), answers(wrong=set(range(1, 11))), name="old")
    assert (found.only_challenger_right, found.only_opponent_right) == (9, 1)
    assert found.mcnemar_p == pytest.approx(2 * 11 / 2**10)  # of ten coins, at most one on either side


def test_the_same_answers_are_a_draw() -> None:
    found = compare(LABELS, answers(wrong={0}), answers(wrong={0}), name="old")
    assert (found.mcnemar_p, found.macro_f1.value) == (1.0, 0.0)
    assert not found.won
    assert found.worse_in == ()


def test_the_differences_are_those_of_scikit_learn() -> None:
    source = np.random.default_rng(1)
    ours, theirs = guesses(source, LABELS, 0.6), guesses(source, LABELS, 0.4)
    found = compare(LABELS, ours, theirs, name="old")
    truth, chat = [CATEGORIES.index(label) for label in LABELS], [label in CHAT for label in LABELS]
    f1s = [f1_score(truth, one.argmax(axis=1), average="macro") for one in (ours, theirs)]
    areas = [roc_auc_score(chat, chat_scores(one)) for one in (ours, theirs)]
    assert found.macro_f1.value == pytest.approx(f1s[0] - f1s[1])
    assert found.chat_auc is not None
    assert found.chat_auc.value == pytest.approx(areas[0] - areas[1])
    assert found.macro_f1.low < found.macro_f1.value < found.macro_f1.high


def test_a_comparison_gives_the_same_figures_each_time() -> None:
    ours, theirs = answers(wrong=every(7)), answers(wrong=every(5))
    assert compare(LABELS, ours, theirs, name="old") == compare(LABELS, ours, theirs, name="old")


def test_labels_of_one_side_leave_the_area_out() -> None:
    labels: list[Category] = ["simple", "complex"] * 20
    assert (
        compare(labels, answers(wrong={0}, labels=labels), answers(wrong={1}, labels=labels), name="old").chat_auc
        is None
    )


def test_without_questions_there_is_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="held-out questions that it has not seen"):
        compare([], np.zeros((0, 6)), np.zeros((0, 6)), name="old")


def test_a_clear_winner_wins_and_the_loser_does_not() -> None:
    better, worse = answers(wrong=every(20)), answers(wrong=every(3))
    assert compare(LABELS, better, worse, name="old").won
    lost = compare(LABELS, worse, better, name="old")
    assert not lost.won
    assert "accuracy" in lost.worse_in


def test_one_answer_more_is_not_shown_to_be_better() -> None:
    found = compare(LABELS, answers(wrong={1}), answers(wrong={1, 2}), name="old")
    assert found.macro_f1.value > 0
    assert not found.won


def test_a_handful_of_questions_decides_nothing() -> None:
    few = LABELS[: LEAST - 1]
    found = compare(few, answers(wrong=set(), labels=few), answers(wrong=set(range(29)), labels=few), name="old")
    assert found.macro_f1.p_better <= LEVEL
    assert not found.won
    assert f"fewer than {LEAST}" in describe_contest(found)


def test_of_equals_hardly_more_than_one_in_twenty_is_taken_for_better() -> None:
    """100 contests between equals: with a true rate of .05, more than 12 wins come 1.5 times in 1,000."""
    source = np.random.default_rng(3)
    contests = [
        compare(LABELS, guesses(source, LABELS, 0.6), guesses(source, LABELS, 0.6), name="equal") for _ in range(100)
    ]
    assert sum(one.won for one in contests) <= 12


def test_what_is_much_better_is_mostly_found_out() -> None:
    source = np.random.default_rng(4)
    contests = [
        compare(LABELS, guesses(source, LABELS, 0.75), guesses(source, LABELS, 0.5), name="worse") for _ in range(40)
    ]
    assert sum(one.won for one in contests) >= 36


def outcome(*, won: bool, name: str = "old", left_out: int | None = 0) -> Contest:
    p = 0.01 if won else 0.4
    return Contest(name, 200, left_out, 20, 15, 0.5, Difference(0.02, -0.01, 0.05, p, 1 - p), None)


def decided(
    *,
    linear: bool,
    champion: str | None = "old",
    against: Contest | None = None,
    beats_majority: bool = True,
    works: bool = True,
) -> PromotionDecision:
    return decide(
        "new",
        champion,
        beats_majority=beats_majority,
        linear=outcome(won=linear, name="linear"),
        against_champion=against,
        champion_works=works,
    )


def test_better_than_both_is_put_in_use() -> None:
    found = decided(linear=True, against=outcome(won=True))
    assert (found.verdict, found.promote, found.is_earned) == ("better", True, True)


@pytest.mark.parametrize(("linear", "champion"), [(True, False), (False, True), (False, False)])
def test_the_champion_stays_unless_both_are_beaten(linear: bool, champion: bool) -> None:
    found = decided(linear=linear, against=outcome(won=champion))
    assert (found.verdict, found.promote, found.is_earned) == ("kept", False, False)
    assert found.reason.startswith("old stays in use")


def test_the_first_model_is_put_in_use_and_it_is_said_that_it_did_not_earn_it() -> None:
    found = decided(linear=False, champion=None)
    assert (found.verdict, found.promote, found.is_earned) == ("first", True, False)
    assert "not shown to be better than linear" in found.reason


def test_the_first_model_that_beats_linear_earned_it() -> None:
    assert decided(linear=True, champion=None).is_earned


@pytest.mark.parametrize("champion", [None, "old"])
def test_what_does_not_beat_the_majority_is_never_put_in_use(champion: str | None) -> None:
    against = None if champion is None else outcome(won=True)
    found = decided(linear=True, champion=champion, against=against, beats_majority=False)
    assert (found.verdict, found.promote) == ("kept", False)


def test_a_champion_that_cannot_be_opened_is_replaced_like_none() -> None:
    assert decided(linear=False, works=False).verdict == "first"


def test_a_champion_that_has_seen_every_question_stays() -> None:
    found = decided(linear=True)
    assert (found.verdict, found.is_earned) == ("kept", False)
    assert "has seen every held-out question" in found.reason


def test_the_same_weights_again_change_nothing() -> None:
    assert (decided(linear=True, champion="new").verdict, decided(linear=True, champion="new").promote) == (
        "same",
        False,
    )


def test_questions_the_champion_was_trained_on_are_mentioned() -> None:
    assert "12 left out that it was trained on" in describe_contest(outcome(won=True, left_out=12))
    assert "what it was trained on is not known" in describe_contest(outcome(won=True, left_out=None))
