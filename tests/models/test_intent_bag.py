"""The n-gram bag: what it counts, what it learns, and that the graph computes what was fitted."""

from typing import Any

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from torch import Tensor

from models.intent.labels.categories import CATEGORIES
from models.intent.labels.pairs import PaddedBatch
from models.intent.training.bag import (
    BUCKETS,
    NgramBag,
    bag_probabilities,
    fill_bag,
    fit_bag,
    ngram_buckets,
    predict_unseen,
)

CLS, SEP, WHAT, IS, HEAP, TREE, HELLO, FRIEND = range(2, 10)


def row(*tokens: int) -> tuple[list[int], list[int]]:
    return [CLS, SEP, *tokens, SEP], [0, 0, *[1] * len(tokens), 1]


def batch(*rows: tuple[list[int], list[int]]) -> PaddedBatch:
    shape = (len(rows), max(len(ids) for ids, _ in rows))
    found = PaddedBatch(*(np.zeros(shape, np.int64) for _ in range(3)))
    for number, (ids, segments) in enumerate(rows):
        found.input_ids[number, : len(ids)] = ids
        found.attention_mask[number, : len(ids)] = 1
        found.token_type_ids[number, : len(ids)] = segments
    return found


def tensors(given: PaddedBatch) -> tuple[Tensor, Tensor, Tensor]:
    ids, mask, segments = given.input_ids, given.attention_mask, given.token_type_ids
    return torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(segments)


QUESTIONS = batch(row(WHAT, IS, HEAP), row(WHAT, IS, TREE), row(HELLO, FRIEND), row(HELLO, TREE))
SIMPLE, CHAT = CATEGORIES.index("simple"), CATEGORIES.index("general_chat")
LABELS = np.array([SIMPLE, SIMPLE, CHAT, CHAT])


def test_the_graph_computes_the_probabilities_that_were_fitted() -> None:
    found = fit_bag(QUESTIONS, LABELS)
    bag = NgramBag()
    fill_bag(bag, found)
    computed = torch.softmax(bag(*tensors(QUESTIONS)).double(), dim=-1).numpy()
    assert computed == pytest.approx(bag_probabilities(QUESTIONS, found), abs=1e-5)


def test_a_bag_knows_its_questions_and_leaves_other_categories_improbable() -> None:
    probabilities = bag_probabilities(QUESTIONS, fit_bag(QUESTIONS, LABELS))
    assert probabilities.argmax(axis=1).tolist() == LABELS.tolist()
    others = [column for column in range(len(CATEGORIES)) if column not in (SIMPLE, CHAT)]
    assert probabilities[:, others].max() < 1e-3


def test_three_categories_have_weights_of_their_own() -> None:
    labels = np.array([SIMPLE, 1, CHAT, CHAT])
    assert bag_probabilities(QUESTIONS, fit_bag(QUESTIONS, labels)).argmax(axis=1).tolist() == labels.tolist()


def test_questions_of_one_category_teach_just_that() -> None:
    found = bag_probabilities(QUESTIONS, fit_bag(QUESTIONS, np.full(4, CHAT)))
    assert found.argmax(axis=1).tolist() == [CHAT] * 4


def test_padding_changes_nothing() -> None:
    found = fit_bag(QUESTIONS, LABELS)
    alone = bag_probabilities(batch(row(WHAT, IS)), found)
    padded = bag_probabilities(batch(row(WHAT, IS), row(WHAT, IS, HEAP, TREE, HELLO)), found)
    assert padded[0] == pytest.approx(alone[0])


def test_the_same_token_counts_apart_in_context_and_in_question() -> None:
    context = ([CLS, HEAP, SEP, SEP], [0, 0, 0, 1])
    buckets = ngram_buckets(*tensors(batch(row(HEAP), context)))
    assert set(buckets[0].tolist()) != set(buckets[1].tolist())
    assert buckets.min() > 0
    assert buckets.max() < BUCKETS


def test_order_matters_to_pairs() -> None:
    one, other = ngram_buckets(*tensors(batch(row(HEAP, TREE), row(TREE, HEAP)))).tolist()
    assert set(one) != set(other)


def test_soft_labels_come_from_bags_that_did_not_see_the_text() -> None:
    rows = [row(WHAT, IS, HEAP)] * 6 + [row(HELLO, FRIEND)] * 6 + [row(WHAT, IS, TREE), row(HELLO, TREE)]
    labels = np.array([SIMPLE] * 6 + [CHAT] * 6 + [SIMPLE, CHAT])
    labels[0] = CHAT  # one label is wrong, five equal texts say so, and they are held out together with it
    texts = ["what is a heap"] * 6 + ["hello friend"] * 6 + ["what is a tree", "hello tree"]
    found = predict_unseen(batch(*rows), labels, np.ones(len(labels)), texts, seed=7)
    assert found.sum(axis=1) == pytest.approx(np.ones(14))
    assert found[0] == pytest.approx(found[1])
    assert found[0].argmax() == SIMPLE


def test_the_solver_carries_what_questions_have_and_nothing_else_has_a_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(solver: LogisticRegression, features: Any, *given: Any, **named: Any) -> LogisticRegression:
        widths.append(features.shape[1])
        return real(solver, features, *given, **named)

    widths = list[int]()
    real = LogisticRegression.fit
    monkeypatch.setattr(LogisticRegression, "fit", counted)
    found = fit_bag(QUESTIONS, LABELS)
    buckets = set(ngram_buckets(*tensors(QUESTIONS)).flatten().tolist())
    assert set(np.flatnonzero(found.weights.any(axis=1)).tolist()) <= buckets
    assert widths[0] <= len(buckets)


def test_blank_questions_are_told_apart_by_how_many_there_are() -> None:
    blank = batch(*([([CLS, SEP, SEP], [0, 0, 0])] * 4))
    probabilities = bag_probabilities(blank, fit_bag(blank, LABELS))
    assert probabilities[:, [SIMPLE, CHAT]] == pytest.approx(0.5, abs=1e-3)


def test_the_same_questions_give_the_same_bag() -> None:
    one, other = fit_bag(QUESTIONS, LABELS), fit_bag(QUESTIONS, LABELS)
    assert (one.weights == other.weights).all()
    assert (one.strength == other.strength).all()


def test_a_question_of_little_weight_hardly_counts() -> None:
    doubtful = np.append(LABELS, CHAT)  # the first question again, with another label
    twice = PaddedBatch(*(np.concatenate([part, part[:1]]) for part in vars(QUESTIONS).values()))
    weights = np.array([1.0, 1.0, 1.0, 1.0, 1e-6])
    ignored = bag_probabilities(QUESTIONS, fit_bag(twice, doubtful, weights))
    counted = bag_probabilities(QUESTIONS, fit_bag(twice, doubtful, np.ones(5)))
    assert ignored[0, LABELS[0]] > counted[0, LABELS[0]]
