"""The label model on synthetic truth with known parameters, and its formulas on cases worked by hand."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from knowledge_graph.labelling.analysis import analyse, as_markdown
from knowledge_graph.labelling.functions import VoteMatrix, apply, labelling_functions
from knowledge_graph.labelling.model import LabelModel, independence

TRUE_TABLE = {  # name: (coverage, accuracy on yes, accuracy on no)
    "good": (0.9, 0.9, 0.9),
    "fair": (0.8, 0.75, 0.75),
    "says_no_well": (0.6, 0.55, 0.95),
    "coin": (0.9, 0.5, 0.5),
}


def synthetic(items: int, prior: float, seed: int) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    random = np.random.default_rng(seed)
    truth = random.random(items) < prior
    columns = []
    for coverage, on_yes, on_no in TRUE_TABLE.values():
        right = random.random(items) < np.where(truth, on_yes, on_no)
        vote = np.where(right == truth, 1, -1)
        columns.append(np.where(random.random(items) < coverage, vote, 0))
    return np.array(columns, dtype=np.int8).T, truth


UNSURE = dict.fromkeys(TRUE_TABLE, 0.7)


def test_accuracies_are_learnt_without_labels_to_within_four_hundredths() -> None:
    votes, truth = synthetic(20_000, 0.4, seed=7)
    model = LabelModel.fit(list(TRUE_TABLE), votes, prior=0.4, beliefs=UNSURE, strength=200)
    for at, (coverage, on_yes, on_no) in enumerate(TRUE_TABLE.values()):
        assert model.table[1, at, 2] / (model.table[1, at, 0] + model.table[1, at, 2]) == pytest.approx(
            on_yes, abs=0.04
        )
        assert model.table[0, at, 0] / (model.table[0, at, 0] + model.table[0, at, 2]) == pytest.approx(on_no, abs=0.04)
        assert 1 - model.table[:, at, 1] == pytest.approx([coverage, coverage], abs=0.04)
    found = model.probabilities(votes)
    assert ((found > 0.5) == truth).mean() > ((votes.sum(axis=1) > 0) == truth).mean()


def test_probabilities_are_calibrated_on_synthetic_truth() -> None:
    votes, truth = synthetic(20_000, 0.4, seed=8)
    found = LabelModel.fit(list(TRUE_TABLE), votes, prior=0.4, beliefs=UNSURE, strength=200).probabilities(votes)
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        inside = (found >= low) & (found < low + 0.2)
        assert truth[inside].mean() == pytest.approx(found[inside].mean(), abs=0.07)


def test_a_few_labels_right_a_belief_that_is_wrong() -> None:
    votes, truth = synthetic(3_000, 0.4, seed=9)
    wrong = UNSURE | {"good": 0.5, "coin": 0.95}
    labels = {n: bool(truth[n]) for n in range(300)}
    blind = LabelModel.fit(list(TRUE_TABLE), votes, prior=0.4, beliefs=wrong, strength=300)
    told = LabelModel.fit(list(TRUE_TABLE), votes, prior=0.4, beliefs=wrong, strength=300, gold=labels)
    rest = slice(300, None)
    assert ((told.probabilities(votes)[rest] > 0.5) == truth[rest]).mean() > (
        (blind.probabilities(votes)[rest] > 0.5) == truth[rest]
    ).mean()


def test_gold_rows_keep_their_label() -> None:
    votes = np.array([[1], [-1], [1]], dtype=np.int8)
    model = LabelModel.fit(["f"], votes, prior=0.5, beliefs={"f": 0.7}, strength=3, gold={0: False})
    assert model.probabilities(votes, gold={0: False})[0] == 0.0


@pytest.mark.parametrize(("prior", "yes", "no"), [(0.5, 3 / 4, 1 / 4), (0.2, 3 / 7, 1 / 13)])
def test_with_nothing_to_learn_from_beliefs_alone_decide(prior: float, yes: float, no: float) -> None:
    """A vote believed right three times in four moves the odds threefold: from 1:4 to 3:4 or to 1:12."""
    votes = np.array([[1]] * 10 + [[0]] * 980 + [[-1]] * 10, dtype=np.int8)
    model = LabelModel.fit(["f"], votes, prior=prior, beliefs={"f": 0.75}, strength=1e9)
    assert model.probabilities(votes)[[0, -1]] == pytest.approx([yes, no], abs=0.02)


def test_a_function_that_counts_half_moves_the_odds_by_the_root() -> None:
    votes = np.array([[1]] * 10 + [[0]] * 980 + [[-1]] * 10, dtype=np.int8)
    model = LabelModel.fit(["f"], votes, prior=0.5, beliefs={"f": 0.75}, strength=1e9)
    half = replace(model, shares=np.array([0.5]))
    assert half.log_odds(votes) == pytest.approx(model.log_odds(votes) / 2)


def with_copies(votes: NDArray[np.int8], at: int, times: int) -> NDArray[np.int8]:
    return np.hstack([votes, *[votes[:, [at]]] * times])


def fitted(votes: NDArray[np.int8], prior: float, strength: float) -> LabelModel:
    names = [f"f{number}" for number in range(votes.shape[1])]
    return LabelModel.fit(names, votes, prior=prior, beliefs=dict.fromkeys(names, 0.7), strength=strength)


USERS = [
    pytest.param(0.1, 4_000, id="concepts"),
    pytest.param(0.2, 4_000, id="prerequisites"),
    pytest.param(0.175, 500, id="questions"),
]
"""Prior and strength, as each of the three users of the model states them."""


@pytest.mark.parametrize(("prior", "strength"), USERS)
def test_where_nobody_votes_the_prior_stays(prior: float, strength: float) -> None:
    votes, _ = synthetic(4_000, prior, seed=10)
    silent = np.zeros((1, votes.shape[1]), dtype=np.int8)
    assert fitted(votes, prior, strength).probabilities(silent) == pytest.approx([prior])


@pytest.mark.parametrize(("prior", "strength"), USERS)
def test_a_function_copied_five_times_misleads_nobody(prior: float, strength: float) -> None:
    votes, truth = synthetic(4_000, prior, seed=11)
    doubled = with_copies(votes, at=list(TRUE_TABLE).index("coin"), times=5)
    once, often = (fitted(each, prior, strength).probabilities(each) for each in (votes, doubled))
    assert roc_auc_score(truth, often) > roc_auc_score(truth, once) - 0.005


def test_functions_that_say_the_same_count_once_together() -> None:
    votes = np.array([[1, 1, 1], [-1, -1, 1], [1, 1, -1], [-1, -1, -1]] * 10, dtype=np.int8)
    assert independence(votes, np.full(40, 0.5)) == pytest.approx([0.5, 0.5, 1.0])


def test_a_function_that_never_votes_disturbs_nobody() -> None:
    votes = np.array([[1, 0], [-1, 0]] * 10, dtype=np.int8)
    assert independence(votes, np.full(20, 0.5)) == pytest.approx([1.0, 1.0])


def test_functions_that_agree_as_both_are_right_do_not_share_a_voice() -> None:
    votes, truth = synthetic(4_000, 0.4, seed=12)
    assert independence(votes, truth.astype(np.float64)) == pytest.approx(np.ones(4), abs=0.01)
    assert independence(votes, np.full(4_000, 0.4))[0] < 0.95  # the classes mixed, what is true looks like dependence


def test_a_function_that_speaks_where_another_is_silent_does_not_share_its_voice() -> None:
    votes = np.array([[1, 0], [0, -1]] * 20, dtype=np.int8)
    assert independence(votes, np.full(40, 0.5)) == pytest.approx([1.0, 1.0])


def test_of_a_handful_of_items_no_dependence_is_read() -> None:
    votes = np.array([[1, 1], [-1, -1], [0, 0]], dtype=np.int8)
    assert independence(votes, np.full(3, 0.5)) == pytest.approx([1.0, 1.0])


def test_no_items_are_no_error() -> None:
    model = LabelModel.fit(["f"], np.zeros((0, 1), dtype=np.int8), prior=0.2, beliefs={"f": 0.7}, strength=1)
    assert len(model.probabilities(np.zeros((0, 1), dtype=np.int8))) == 0


@pytest.mark.parametrize(
    ("prior", "beliefs", "said"),
    [
        (0.0, {"f": 0.7}, "prior"),
        (0.5, {"g": 0.7}, "for each of"),
        (0.5, {}, "for each of"),
        (0.5, {"f": 0.4}, "from 0.5"),
    ],
)
def test_numbers_out_of_range_are_refused(prior: float, beliefs: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        LabelModel.fit(["f"], np.zeros((1, 1), dtype=np.int8), prior=prior, beliefs=beliefs, strength=1)


def long_word(word: str) -> int:
    """Long words are terms."""
    return 1 if len(word) > 6 else 0


def all_lower(word: str) -> int:
    """Names are capitalised.

    More that nobody reads.
    """
    return -1 if word.islower() else 1


def test_functions_take_name_and_reason_from_the_code() -> None:
    matrix = apply(labelling_functions(long_word, all_lower), ["gradient", "of", "Bayes"])
    assert matrix.names == ("long_word", "all_lower")
    assert matrix.reasons == ("Long words are terms.", "Names are capitalised.")
    assert matrix.votes.tolist() == [[1, -1], [0, -1], [0, 1]]
    assert matrix.cast(1) == {"all_lower": -1}


def test_a_function_without_a_reason_is_refused() -> None:
    with pytest.raises(ValueError, match="no docstring"):
        labelling_functions(lambda word: 1)


def test_coverage_overlap_and_conflict_are_those_worked_by_hand() -> None:
    votes = np.array([[1, 1, 0], [1, -1, 0], [0, 0, 1], [0, 1, 0]], dtype=np.int8)
    reports = analyse(VoteMatrix(("a", "b", "c"), ("", "", ""), votes), np.array([1.0, 0.5, 0.0, 1.0]))
    assert [(r.coverage, r.overlap, r.conflict) for r in reports] == [(0.5, 0.5, 0.25), (0.75, 0.5, 0.25), (0.25, 0, 0)]
    assert [r.accuracy for r in reports] == pytest.approx([0.75, 2.5 / 3, 0.0])
    assert [(r.yes, r.no) for r in reports] == [(2, 0), (2, 1), (1, 0)]
    assert as_markdown(reports).count("\n") == 4
