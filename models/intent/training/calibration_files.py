"""Calibration of a published intent model: opens it, scores labelled questions, reads and writes its thresholds.

What is computed from the scores is `models.intent.training.calibration`. A version with a refit is calibrated on its
judged network, and the thresholds are carried over to the served one, which has no labelled question left that is new
to it. That is customary, and no proof: only labels that come later can tell whether the served network keeps the
promise.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter, ValidationError

from models.embedding.embedder import Embedder
from models.intent.classifier import IntentClassifier
from models.intent.labels.categories import Floats
from models.intent.labels.examples import IntentExample
from models.intent.release.seen_questions import mark, read_learnt_later, read_seen
from models.intent.scope import IntentScope
from models.intent.thresholds import read_thresholds, thresholds_path, write_thresholds
from models.intent.training.calibration import (
    ALPHA_RISK,
    IntentCalibration,
    calibrate_intent,
    judge_alpha,
    to_calibrate_on,
    to_judge_on,
)
from models.intent.training.scoring import probabilities
from models.statistics.calibration import PromiseVerdict
from models.versions import ModelBroken, ModelError, ModelMissing

_STORED = TypeAdapter(IntentCalibration)
_REMEDY = "Materialize `intent_thresholds`."


def calibrate_version(
    folder: Path, examples: Sequence[IntentExample], *, embedder: Embedder | None = None
) -> IntentCalibration:
    """Find and store the thresholds of the version in `folder`; what was found. `embedder` is the home's, if open.

    A version whose labels have changed since its training keeps what it has: most of today's validation questions may
    have been training questions to it. The check judges it by the newer labels instead.
    """
    seen = read_seen(folder)
    chosen = to_calibrate_on(IntentScope.of_version(folder).among(examples), seen)
    stored = _read_stored(folder)
    if seen is not None and stored is not None and {mark(one) for one in chosen} != set(stored.looked_at):
        return stored
    found = calibrate_intent(chosen, probabilities(IntentClassifier.open_judged(folder, embedder=embedder), chosen))
    write_thresholds(thresholds_path(folder), found.thresholds, calibration=_STORED.dump_python(found, mode="json"))
    return found


def predict_calibrated(
    folder: Path, examples: Sequence[IntentExample], *, embedder: Embedder | None = None
) -> tuple[Floats, Floats]:
    """What the judged network of a version says with the temperature of its calibration, and each question's alpha."""
    thresholds = read_thresholds(thresholds_path(folder))
    classifier = IntentClassifier.open_judged(folder, thresholds=thresholds, embedder=embedder)
    return probabilities(classifier, examples), np.array([classifier.alpha_for(one.question) for one in examples])


def _read_stored(folder: Path) -> IntentCalibration | None:
    """What was found before; None when it is missing or cannot be read, so that it is found anew."""
    try:
        return read_calibration(folder)
    except ModelError:
        return None


def judge_version(folder: Path, examples: Sequence[IntentExample]) -> Mapping[str, PromiseVerdict]:
    """What labels that took no part say of the stored promise. Raises `ModelMissing` when nothing was calibrated.

    Each question is scored by a network that has not seen it: labels newer than the training by the served one, the
    test questions, which a refit has learnt, by the judged one.
    """
    calibration, thresholds = read_calibration(folder), read_thresholds(thresholds_path(folder))
    if thresholds is None:
        raise ModelMissing(f"No thresholds for {folder}. {_REMEDY}")
    inside = IntentScope.of_version(folder).among(examples)
    chosen = to_judge_on(inside, read_seen(folder), calibration.looked_at)
    parts = [part.names for part in calibration.alpha.parts]
    return judge_alpha(thresholds, chosen, _score_unseen(folder, chosen), risk=ALPHA_RISK, parts=parts)


def _score_unseen(folder: Path, examples: Sequence[IntentExample]) -> Floats:
    later = read_learnt_later(folder)
    learnt = np.array([mark(one) in later for one in examples], dtype=np.bool_)
    scores = probabilities(IntentClassifier(folder), examples)
    if learnt.any():
        judged = [one for one, again in zip(examples, learnt, strict=True) if again]
        scores[learnt] = probabilities(IntentClassifier.open_judged(folder), judged)
    return scores


def read_calibration(folder: Path) -> IntentCalibration:
    """How the thresholds of a version were found. Raises `ModelMissing` or `ModelBroken`."""
    path = thresholds_path(folder)
    if not path.is_file():
        raise ModelMissing(f"No thresholds in {path}. {_REMEDY}")
    try:
        return _STORED.validate_python(json.loads(path.read_text(encoding="utf-8"))["calibration"], strict=False)
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise ModelBroken(f"{path} does not say how it was found: {error}. {_REMEDY}") from error
