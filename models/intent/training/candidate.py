"""A trained model before it has a version: how it was judged beside the baselines, and the card it is exported with."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np

from models.albert import Encoder
from models.intent.labels.categories import Category, Floats
from models.intent.labels.examples import SHARES, IntentExample, Split
from models.intent.training.baselines import Linear, Majority, QuestionScorer
from models.intent.training.refitting import RefittedIntent, Rehearsal, describe_refit
from models.intent.training.search import SearchTrial, without_context
from models.intent.training.systems import TrainedBag
from models.statistics.metrics import IntentMetrics, best_alpha, measure

ModelName = Literal["albert", "bag", "linear", "majority"]


@dataclass(frozen=True)
class JudgedModel:
    """One model's alpha, from the validation questions, and its figures and probabilities on the test questions."""

    alpha: float
    metrics: IntentMetrics
    probabilities: Floats


@dataclass(frozen=True)
class TrainedCandidate:
    """The chosen training with everything that is told of it."""

    examples: Sequence[IntentExample]
    encoder: Encoder
    attempts: tuple[SearchTrial, ...]
    chosen: SearchTrial
    refitted: RefittedIntent | None
    """What is to be served, if anything but the chosen training itself; none of the figures are of it."""
    rehearsed: JudgedModel | None
    """The refit without the test questions, on these, at the alpha of the chosen training. None without a refit, or
    time for it."""
    rehearsal_worse: bool
    """Than the chosen training, beyond chance: then nothing is refitted."""
    judged: dict[ModelName, JudgedModel]
    ablation: SearchTrial | None
    ablated: JudgedModel | None

    @property
    def beats_majority(self) -> bool:
        """In macro-F1 and, where there is chit-chat and something else, in its AUC, as the blocking check asks."""
        ours, theirs = self.judged["albert"].metrics, self.judged["majority"].metrics
        sorts = ours.chat_auc is None or theirs.chat_auc is None or ours.chat_auc > theirs.chat_auc
        return ours.macro_f1 > theirs.macro_f1 and sorts

    @property
    def serving_note(self) -> str:
        """In words: which model is served, and which one the figures are of."""
        refit = describe_refit(self.refitted, self.chosen.settings, worse=self.rehearsal_worse)
        return f"{refit} {self.vectors_note}"

    @property
    def vectors_note(self) -> str:
        """What the model reads beside the tokens, in words."""
        heads, settings = self.chosen.trained.model.heads, self.chosen.settings
        if heads is not None:
            languages = zip(heads.known.languages, heads.share[1:].tolist(), strict=True)
            able = ", ".join(lang for lang, share in languages if share) or "no language"
            return (
                f"Its answers are the mean of the network's and of linear heads over sentence embeddings of "
                f"{heads.known.name}, for questions in {able}; any other is answered by the network alone."
            )
        if not settings.embedding_share:
            return "The settings give sentence embeddings no share: the network answers alone."
        if len(self.examples) > settings.most_embedded:
            return (
                f"{len(self.examples)} labelled questions are more than most_embedded, {settings.most_embedded}: the "
                "network answers alone, without sentence embeddings."
            )
        return "This home has no embedder that runs from files: the network answers alone."

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


def judge(model: QuestionScorer, examples: Sequence[IntentExample]) -> JudgedModel:
    """Cut by the `valid` examples, measure on the `test` examples."""
    valid, test = part(examples, "valid"), part(examples, "test")
    alpha = best_alpha([example.category for example in valid], model.predict_proba(valid))
    probabilities = model.predict_proba(test)
    return JudgedModel(
        alpha, measure([example.category for example in test], probabilities, alpha=alpha), probabilities
    )


def judge_all(chosen: SearchTrial, linear: Linear, examples: Sequence[IntentExample]) -> dict[ModelName, JudgedModel]:
    """The model beside the baselines, which learn from the same `train` examples."""
    train = part(examples, "train")
    models: dict[ModelName, QuestionScorer] = {
        "albert": chosen.trained,
        "bag": TrainedBag(chosen.trained.model, chosen.trained.pairs),
        "linear": linear,
        "majority": Majority(train),
    }
    return {name: judge(model, examples) for name, model in models.items()}


def judge_rehearsal(rehearsal: Rehearsal, judged: JudgedModel, examples: Sequence[IntentExample]) -> JudgedModel:
    """The rehearsed refit at the alpha of the judged model: the validation questions, which chose it, it has learnt."""
    labels = [example.category for example in part(examples, "test")]
    metrics = measure(labels, rehearsal.probabilities, alpha=judged.alpha)
    return JudgedModel(judged.alpha, metrics, rehearsal.probabilities)


def judge_calibrated(probabilities: Floats, alphas: Floats, examples: Sequence[IntentExample]) -> JudgedModel:
    """The judged model as it serves: what it says at its temperature of the test questions, each with its own alpha.

    Temperature and alpha were found on the validation questions.
    """
    labels = [example.category for example in part(examples, "test")]
    return JudgedModel(float(np.median(alphas)), measure(labels, probabilities, alpha=alphas), probabilities)


def judge_ablation(ablation: SearchTrial, examples: Sequence[IntentExample]) -> JudgedModel:
    """The model that was trained without context, asked without it."""
    return judge(ablation.trained, without_context(examples))


def figures(metrics: IntentMetrics) -> dict[str, float]:
    """The single figures of a model, those that could be measured."""
    names = ("accuracy", "macro_f1", "chat_accuracy", "chat_f1", "chat_auc", "ece", "chat_ece")
    values = {name: getattr(metrics, name) for name in names}
    return {name: round(float(value), 6) for name, value in values.items() if value is not None}


def list_measured_models(candidate: TrainedCandidate) -> dict[str, JudgedModel]:
    """Every model that was asked the test questions, by name."""
    found: dict[str, JudgedModel] = {str(name): one for name, one in candidate.judged.items()}
    return found if candidate.rehearsed is None else {**found, "rehearsal": candidate.rehearsed}


def card(candidate: TrainedCandidate) -> dict[str, object]:
    """What the model is; no times and no paths, so that the same training gives the same card."""
    return {
        "task": "six-way intent of a student's question (LittleMu 3.2.1, eq. 2-4)",
        "data": {
            "digest": examples_digest(candidate.examples),
            "questions": {name: len(part(candidate.examples, name)) for name in SHARES},
            "test_set": examples_digest(part(candidate.examples, "test"))[:16],
            "languages": sorted({example.lang for example in candidate.examples}),
        },
        "encoder": {"origin": candidate.encoder.origin, "name": candidate.encoder.name},
        "settings": asdict(candidate.chosen.settings),
        "embedder": None if (heads := candidate.chosen.trained.model.heads) is None else heads.known.name,
        "best_epoch": candidate.chosen.trained.best_epoch,
        "refitted": candidate.refitted is not None,
        "served": candidate.serving_note,
        "test": {
            name: {"alpha": one.alpha, **figures(one.metrics)} for name, one in list_measured_models(candidate).items()
        },
    }
