"""A trained model before it has a version: how it was judged beside the baselines, and the card it is exported with."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from models.albert import Encoder
from models.intent.baselines import IntentModel, Linear, Majority
from models.intent.categories import Category, Floats
from models.intent.examples import SHARES, IntentExample, Split
from models.intent.refitting import RefittedIntent, told_refit
from models.intent.search import Attempt, without_context
from models.metrics import IntentMetrics, best_alpha, measure

ModelName = Literal["albert", "linear", "majority"]


@dataclass(frozen=True)
class Judged:
    """One model's alpha, from the validation questions, and its figures and probabilities on the test questions."""

    alpha: float
    metrics: IntentMetrics
    probabilities: Floats


@dataclass(frozen=True)
class Candidate:
    """The chosen training with everything that is told of it."""

    examples: Sequence[IntentExample]
    encoder: Encoder
    attempts: tuple[Attempt, ...]
    chosen: Attempt
    refitted: RefittedIntent | None
    """What is to be served, if anything but the chosen training itself; none of the figures are of it."""
    judged: dict[ModelName, Judged]
    ablation: Attempt | None
    ablated: Judged | None

    @property
    def beats_majority(self) -> bool:
        """In macro-F1 and, where there is chit-chat and something else, in its AUC, as the blocking check asks."""
        ours, theirs = self.judged["albert"].metrics, self.judged["majority"].metrics
        sorts = ours.chat_auc is None or theirs.chat_auc is None or ours.chat_auc > theirs.chat_auc
        return ours.macro_f1 > theirs.macro_f1 and sorts

    @property
    def served(self) -> str:
        """In words: which model is served, and which one the figures are of."""
        return told_refit(self.refitted, self.chosen.settings)

    @property
    def labels(self) -> list[Category]:
        """Of the test questions."""
        return [example.category for example in part(self.examples, "test")]


def part(examples: Sequence[IntentExample], name: Split) -> list[IntentExample]:
    """The examples of one split, in order."""
    return [example for example in examples if example.split == name]


def examples_digest(examples: Sequence[IntentExample]) -> str:
    """SHA-256 over the examples in the order of their ids."""
    lines = sorted(json.dumps(asdict(example), ensure_ascii=False, sort_keys=True) for example in examples)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def judge(model: IntentModel, examples: Sequence[IntentExample]) -> Judged:
    """Cut by the `valid` examples, measure on the `test` examples."""
    valid, test = part(examples, "valid"), part(examples, "test")
    alpha = best_alpha([example.category for example in valid], model.predict_proba(valid))
    probabilities = model.predict_proba(test)
    return Judged(alpha, measure([example.category for example in test], probabilities, alpha=alpha), probabilities)


def judge_all(chosen: Attempt, examples: Sequence[IntentExample]) -> dict[ModelName, Judged]:
    """The model beside the baselines, which learn from the same `train` examples."""
    train = part(examples, "train")
    models: dict[ModelName, IntentModel] = {
        "albert": chosen.trained,
        "linear": Linear(train),
        "majority": Majority(train),
    }
    return {name: judge(model, examples) for name, model in models.items()}


def judge_ablation(ablation: Attempt, examples: Sequence[IntentExample]) -> Judged:
    """The model that was trained without context, asked without it."""
    return judge(ablation.trained, without_context(examples))


def figures(metrics: IntentMetrics) -> dict[str, float]:
    """The single figures of a model, those that could be measured."""
    names = ("accuracy", "macro_f1", "chat_accuracy", "chat_f1", "chat_auc", "ece", "chat_ece")
    values = {name: getattr(metrics, name) for name in names}
    return {name: round(float(value), 6) for name, value in values.items() if value is not None}


def card(candidate: Candidate) -> dict[str, object]:
    """What the model is; no times and no paths, so that the same training gives the same card."""
    return {
        "task": "six-way intent of a student's question (LittleMu 3.2.1, eq. 2-4)",
        "data": {
            "digest": examples_digest(candidate.examples),
            "questions": {name: len(part(candidate.examples, name)) for name in SHARES},
            "languages": sorted({example.lang for example in candidate.examples}),
        },
        "encoder": {"origin": candidate.encoder.origin, "name": candidate.encoder.name},
        "settings": asdict(candidate.chosen.settings),
        "best_epoch": candidate.chosen.trained.best_epoch,
        "refitted": candidate.refitted is not None,
        "served": candidate.served,
        "test": {name: {"alpha": one.alpha, **figures(one.metrics)} for name, one in candidate.judged.items()},
    }
