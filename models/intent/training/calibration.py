"""Fits the intent model's temperature and alpha on scored, labelled questions, and later checks alpha's risk guarantee.

The promise: of the questions called chat, at most `ALPHA_RISK` are none. It is about distinct question texts: the same
text twice is one observation (its first label counts), so "hello" sent a hundred times does not make it easier to meet.
Questions of one session count as separate observations; docs/decisions/0012 says how far that holds.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from models.intent.labels.categories import CATEGORIES, CHAT, Floats, chat_scores
from models.intent.labels.examples import IntentExample
from models.intent.labels.question_text import question_key
from models.intent.release.seen_questions import mark, marks_of_seen
from models.intent.thresholds import LENGTHS, IntentThresholds, Length, length_of, temper
from models.statistics.calibration import Cuts, PromiseVerdict, RiskPromise, choose_cuts, judge
from models.statistics.metrics import best_alpha
from models.statistics.temperature import Temperature, fit_temperature

ALPHA_RISK = 0.2
"""Largest share of real questions among those classified as chat. Not calibrated: labels of students' questions
contradict each other so often that no threshold can guarantee half of it. What names a concept or stands in the FAQ is
never chat."""

ALPHA_DELTA = 0.1
"""Probability that the guarantee fails. Not calibrated."""

LOWEST_ALPHA = 0.5
"""Alpha is never lower: a question taken for chat costs a student more than chat taken for a question (decision 8)."""

CONFIDENCE = 0.95
"""Confidence of the check that refutes a guarantee. Not calibrated."""

EVERYTHING = "all"


@dataclass(frozen=True)
class IntentCalibration:
    """What calibration found on one set of questions."""

    temperature: Temperature | None
    """None without questions, or with labels of one category only: then the model's own probabilities are used."""
    alpha: Cuts
    unpromised: float
    """The alpha with the best chit-chat F1, at this temperature: the fallback when no threshold meets the guarantee."""
    looked_at: tuple[str, ...]
    """Marks of the question texts it was fitted on, sorted."""

    @property
    def thresholds(self) -> IntentThresholds:
        """The part that serving needs."""
        by_length: dict[Length, float] = {}
        for part in self.alpha.parts:
            if part.promise.cut is not None:
                by_length |= {name: part.promise.cut for name in LENGTHS if name in part.names}
        value = 1.0 if self.temperature is None else round(self.temperature.value, 6)
        cut = self.alpha.overall.cut
        return IntentThresholds(self.unpromised if cut is None else cut, cut is not None, value, by_length)


def calibrate_intent(examples: Sequence[IntentExample], probabilities: Floats) -> IntentCalibration:
    """Temperature and alpha from questions that the model was not trained on.

    `probabilities`: one row per example as the model gives them, columns in the order of `CATEGORIES`. The temperature
    is fitted on the same questions as the threshold: one more parameter, whose effect on the guarantee decision 0012
    measures. Raises `ValueError` when rows and examples differ in number or a score is not finite.
    """
    if probabilities.shape != (len(examples), len(CATEGORIES)):
        raise ValueError(f"Expected {len(examples)} rows of {len(CATEGORIES)}; found {probabilities.shape}.")
    first = distinct(examples)
    kept, scores = [examples[number] for number in first], probabilities[first]
    labels = np.array([CATEGORIES.index(one.category) for one in kept], dtype=np.int64)
    temperature = fit_temperature(scores, labels) if len(np.unique(labels)) > 1 else None
    value = 1.0 if temperature is None else round(temperature.value, 6)
    tempered = temper(scores, value)
    alpha = choose_cuts(
        chat_scores(tempered),
        _are_questions(kept),
        [length_of(one.question) for one in kept],
        order=LENGTHS,
        risk=ALPHA_RISK,
        delta=ALPHA_DELTA,
        lowest=LOWEST_ALPHA,
    )
    unpromised = best_alpha([one.category for one in kept], tempered) if kept else LOWEST_ALPHA
    return IntentCalibration(temperature, alpha, unpromised, tuple(sorted(mark(one) for one in kept)))


def judge_alpha(
    thresholds: IntentThresholds,
    examples: Sequence[IntentExample],
    probabilities: Floats,
    *,
    risk: float,
    parts: Sequence[tuple[str, ...]] = (),
) -> Mapping[str, PromiseVerdict]:
    """Whether later labels refute the guarantee: for all lengths together, and for each group of lengths in `parts`.

    Verdicts hold together with confidence `CONFIDENCE`. `probabilities` as the model gives them, row by row.
    """
    first = distinct(examples)
    kept = [examples[number] for number in first]
    h = chat_scores(temper(probabilities[first], thresholds.temperature)) if kept else np.zeros(0)
    cuts = np.array([thresholds.alpha_for(one.question) for one in kept], dtype=np.float64)
    called = (h > cuts) & thresholds.promised
    questions, lengths = _are_questions(kept), np.array([length_of(one.question) for one in kept], dtype=object)
    groups: dict[str, tuple[str, ...]] = {EVERYTHING: LENGTHS}
    groups |= {", ".join(names): names for names in parts}
    confidence = 1 - (1 - CONFIDENCE) / len(groups)
    return {
        name: judge(questions[called & np.isin(lengths, some)], risk=risk, confidence=confidence)
        for name, some in groups.items()
    }


def distinct(examples: Sequence[IntentExample]) -> list[int]:
    """Positions of the first example of every question text, in order."""
    first: dict[str, int] = {}
    for number, example in enumerate(examples):
        first.setdefault(question_key(example.question), number)
    return list(first.values())


def to_calibrate_on(examples: Sequence[IntentExample], seen: Collection[str] | None) -> list[IntentExample]:
    """The validation examples. If labels have changed since training, only those whose text it has not seen.

    `seen`: marks of the texts the judged network was trained on or chosen by; None when that was not recorded.
    """
    valid = [one for one in examples if one.split == "valid"]
    if seen is None or are_those_of_training(examples, seen):
        return valid
    return [one for one in valid if mark(one) not in seen]


def to_judge_on(
    examples: Sequence[IntentExample], seen: Collection[str] | None, looked_at: Collection[str]
) -> list[IntentExample]:
    """Examples whose text was used neither in training nor in calibration: those of `test`, and newer labels."""
    if seen is None:
        return [one for one in examples if one.split == "test" and mark(one) not in looked_at]
    known = {*seen, *looked_at}
    return [one for one in examples if one.label_kind == "human" and mark(one) not in known]


def are_those_of_training(examples: Sequence[IntentExample], seen: Collection[str]) -> bool:
    """Whether the model learnt from, and was chosen by, exactly these examples outside `test`."""
    return set(marks_of_seen(examples)) == set(seen)


def in_words(promise: RiskPromise) -> str:
    """The guarantee on alpha, in words."""
    asked = f"at most {promise.risk:.0%} of the questions called chat are none, with confidence {1 - promise.delta:.1%}"
    if promise.cut is None:
        return (
            f"On {promise.questions} labelled questions no cut promises that {asked}. "
            "The alpha with the best chit-chat F1 is used, which promises nothing."
        )
    return (
        f"Above {promise.cut:.2f}, {asked}. On {promise.questions} labelled questions: {promise.accepted} called chat "
        f"({promise.coverage:.1%}), {promise.errors} of them none; exact bound {promise.upper_bound:.3f}."
    )


def _are_questions(examples: Sequence[IntentExample]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([one.category not in CHAT for one in examples], dtype=np.bool_)
