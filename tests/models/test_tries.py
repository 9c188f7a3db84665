"""Tries on the same test questions: the chance of a lucky win is spent over all of them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from knowledge_graph.lake.home import DataDir
from models.intent.labels.categories import CATEGORIES, Floats
from models.intent.release.promotion import compare
from models.intent.release.tries import Try, next_try, record_try, spent
from models.statistics.paired import LEVEL

MARKS = [f"mark {number}" for number in range(40)]


@pytest.fixture
def home(tmp_path: Path) -> DataDir:
    data_dir = DataDir(tmp_path)
    data_dir.intent.mkdir(parents=True)
    return data_dir


def test_all_tries_together_spend_no_more_than_the_level() -> None:
    assert sum(spent(number) for number in range(1, 1000)) < LEVEL


def test_a_second_model_on_the_same_questions_is_a_second_try(home: DataDir) -> None:
    record_try("a", MARKS, data_dir=home)
    assert next_try("b", MARKS, data_dir=home) == Try(2, LEVEL / 6)


def test_the_same_model_asked_again_is_the_same_try(home: DataDir) -> None:
    record_try("a", MARKS, data_dir=home)
    assert next_try("a", MARKS, data_dir=home).number == 1


def test_fresh_test_questions_start_a_new_count(home: DataDir) -> None:
    record_try("a", MARKS, data_dir=home)
    fresh = [f"fresh {number}" for number in range(40)]
    assert next_try("b", [*MARKS[:10], *fresh], data_dir=home).number == 1
    assert next_try("b", [*MARKS, *fresh[:39]], data_dir=home).number == 2


def answers(source: np.random.Generator, labels: list[int]) -> Iterator[Floats]:
    """Models that are equally good: each right on two questions of three, of its own."""
    while True:
        right = source.random(len(labels)) < 2 / 3
        named = np.where(right, labels, (np.array(labels) + source.integers(1, 4, len(labels))) % 4)
        yield np.eye(len(CATEGORIES))[named]


def changes(source: np.random.Generator, *, models: int) -> bool:
    """Whether the champion changes while equal models are tried one after the other."""
    labels = source.integers(0, 4, 60).tolist()
    categories = [("simple", "complex", "platform_faq", "other")[label] for label in labels]
    numbers = [CATEGORIES.index(name) for name in categories]  # type: ignore[arg-type]
    found = answers(source, numbers)
    champion = next(found)
    return any(
        compare(categories, next(found), champion, name="champion", at=Try(k, spent(k))).won  # type: ignore[arg-type]
        for k in range(1, models + 1)
    )


def test_ten_equal_models_in_a_row_change_the_champion_in_at_most_one_of_twenty_sequences() -> None:
    source = np.random.default_rng(11)
    assert sum(changes(source, models=10) for _ in range(200)) <= 0.05 * 200
