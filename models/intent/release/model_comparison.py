"""Two published intent models on the same held-out questions, which neither was trained on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.intent.classifier import IntentClassifier
from models.intent.labels.categories import CATEGORIES, Category, Floats
from models.intent.labels.examples import IntentExample
from models.intent.release.promotion import Contest, compare
from models.intent.release.seen_questions import mark, read_seen
from models.intent.scope import IntentScope
from models.intent.training.scoring import probabilities
from models.versions import ModelMissing


@dataclass(frozen=True)
class Differing:
    """A question on which only one of the two is right."""

    question: str
    label: Category
    first: Category
    second: Category


@dataclass(frozen=True)
class ModelComparison:
    """Of the first model with the second."""

    first: str
    second: str
    contest: Contest
    examples: tuple[Differing, ...]
    asked: tuple[IntentExample, ...] = ()
    """The questions that both were asked."""


def compare_versions(first: Path, second: Path, examples: Sequence[IntentExample], *, shown: int) -> ModelComparison:
    """Compare the judged networks of two published versions on the test questions that neither has seen, of the
    languages and categories of both.

    Raises `ModelMissing` when no such question is left.
    """
    inside = IntentScope.of_version(second).among(IntentScope.of_version(first).among(examples))
    test = [one for one in inside if one.split == "test"]
    seen = (read_seen(first) or frozenset()) | (read_seen(second) or frozenset())
    fair = [one for one in test if mark(one) not in seen]
    if not fair:
        raise ModelMissing(f"No held-out question is left that neither {first.name} nor {second.name} was trained on.")
    ours, theirs = (probabilities(IntentClassifier.open_judged(folder), fair) for folder in (first, second))
    contest = compare([one.category for one in fair], ours, theirs, name=second.name, left_out=len(test) - len(fair))
    return ModelComparison(first.name, second.name, contest, _differing(fair, ours, theirs)[:shown], tuple(fair))


def _differing(examples: Sequence[IntentExample], ours: Floats, theirs: Floats) -> tuple[Differing, ...]:
    named = [
        (CATEGORIES[int(one.argmax())], CATEGORIES[int(other.argmax())])
        for one, other in zip(ours, theirs, strict=True)
    ]
    return tuple(
        Differing(example.question, example.category, *pair)
        for example, pair in zip(examples, named, strict=True)
        if pair[0] != pair[1] and example.category in pair
    )
