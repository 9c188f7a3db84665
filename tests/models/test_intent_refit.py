"""What is served has learnt from every labelled question; what is measured has not."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny_intent import INTENT, Trained, labelled

from models.albert import Encoder, resolve_encoder
from models.intent.classifier import JUDGED, SERVED, IntentClassifier
from models.intent.labels.categories import CATEGORIES, Category
from models.intent.labels.examples import IntentExample
from models.intent.release.release import is_worse
from models.intent.training.candidate import JudgedModel
from models.intent.training.exporting import ExportError, Thresholds, export
from models.intent.training.fine_tuning import TrainedIntent, finetune
from models.intent.training.network import predict
from models.intent.training.refitting import RefittedIntent, describe_refit, refit, rehearse
from models.intent.training.scoring import probabilities
from models.progress import TrainingProgress
from models.statistics.metrics import measure

SAD = IntentExample("sad", "I am sad and tired", "", "", "", "emotional_chat", "en", "test")
SETTINGS = replace(INTENT, epochs=4)


@pytest.fixture(scope="module")
def encoder(trained: Trained) -> Encoder:
    return resolve_encoder(None, data_dir=trained.data_dir)


@pytest.fixture(scope="module")
def judged(encoder: Encoder) -> TrainedIntent:
    return finetune(labelled(), encoder=encoder, settings=SETTINGS)


@pytest.fixture(scope="module")
def refitted(encoder: Encoder, judged: TrainedIntent) -> RefittedIntent:
    found = refit([*labelled(), SAD], judged, encoder=encoder, settings=SETTINGS)
    assert found is not None
    return found


def test_a_category_of_the_test_questions_alone_is_learnt_by_the_refit(
    judged: TrainedIntent, refitted: RefittedIntent
) -> None:
    sad = CATEGORIES.index("emotional_chat")
    bags = [model.bag.bias[sad].item() for model in (judged.model, refitted.model)]
    assert bags[0] < -5 < bags[1]


def test_a_refit_is_as_long_as_the_training_it_follows(
    encoder: Encoder, judged: TrainedIntent, refitted: RefittedIntent
) -> None:
    told: list[TrainingProgress] = []
    again = refit([*labelled(), SAD], judged, encoder=encoder, settings=SETTINGS, on_progress=told.append)
    assert again is not None
    assert [one.phase for one in told] == ["refit"] * judged.best_epoch
    assert (again.epochs, again.questions) == (judged.best_epoch, len(labelled()) + 1)
    weights = refitted.model.state_dict()
    assert all(torch.equal(value, weights[name]) for name, value in again.model.state_dict().items())


def test_how_often_both_models_agree_is_a_share(refitted: RefittedIntent) -> None:
    assert 0 <= refitted.agreement <= 1


def test_the_rehearsal_is_the_refit_without_the_test_questions(encoder: Encoder, judged: TrainedIntent) -> None:
    told: list[TrainingProgress] = []
    examples = [*labelled(), SAD]
    known, asked = ([one for one in examples if (one.split == "test") is held] for held in (False, True))
    found = rehearse(examples, judged, encoder=encoder, settings=SETTINGS, on_progress=told.append)
    without = refit(known, judged, encoder=encoder, settings=SETTINGS)
    assert found is not None
    assert without is not None
    assert found.questions == len(known)
    assert (found.probabilities == predict(without.model, without.pairs, asked)).all()
    assert {one.phase for one in told} == {"rehearsal"}


def test_the_rehearsal_takes_from_the_time_of_the_refit(encoder: Encoder, judged: TrainedIntent) -> None:
    assert refit(labelled(), judged, encoder=encoder, settings=SETTINGS, rehearsed_s=15 * 60) is None


def scored(labels: list[Category], right: int) -> JudgedModel:
    """A model that names the first `right` questions rightly, and the others something else."""
    chosen = [
        CATEGORIES.index(one) if place < right else (CATEGORIES.index(one) + 1) % len(CATEGORIES)
        for place, one in enumerate(labels)
    ]
    probabilities = np.eye(len(CATEGORIES))[chosen] * 0.8 + 0.2 / len(CATEGORIES)
    return JudgedModel(0.5, measure(labels, probabilities, alpha=0.5), probabilities)


def test_a_refit_whose_rehearsal_is_worse_beyond_chance_is_not_served() -> None:
    test = [IntentExample(str(n), str(n), "", "", "", CATEGORIES[n % 3], "en", "test") for n in range(60)]
    labels = [one.category for one in test]
    assert is_worse(test, scored(labels, 40), scored(labels, 58))
    assert not is_worse(test, scored(labels, 57), scored(labels, 58))
    assert not is_worse(test, scored(labels, 58), scored(labels, 40))
    assert "was worse" in describe_refit(None, SETTINGS, worse=True)


def test_a_training_tells_how_its_refit_was_judged(trained: Trained) -> None:
    card = json.loads((trained.data_dir.intent / trained.report.version / "card.json").read_text(encoding="utf-8"))
    assert trained.report.rehearsal is not None
    assert card["test"]["rehearsal"]["accuracy"] == pytest.approx(trained.report.rehearsal.accuracy, abs=1e-6)
    assert {"albert", "bag", "linear", "majority", "rehearsal"} == set(card["test"])


def test_switched_off_the_judged_model_is_served_and_said_to_be(encoder: Encoder, judged: TrainedIntent) -> None:
    off = replace(SETTINGS, refit=False)
    assert refit(labelled(), judged, encoder=encoder, settings=off) is None
    assert describe_refit(None, off).endswith("is switched off.")


def test_a_training_that_took_all_the_time_leaves_none(encoder: Encoder, judged: TrainedIntent) -> None:
    slow = replace(judged, seconds=SETTINGS.max_minutes * 60 + 1)
    assert refit(labelled(), slow, encoder=encoder, settings=SETTINGS) is None
    assert "no time was left of 15 minutes" in describe_refit(None, SETTINGS)


def test_half_a_refit_is_none(encoder: Encoder, judged: TrainedIntent) -> None:
    told: list[TrainingProgress] = []
    nearly = replace(judged, seconds=SETTINGS.max_minutes * 60 - 0.001, best_epoch=2)
    assert refit(labelled(), nearly, encoder=encoder, settings=SETTINGS, on_progress=told.append) is None
    assert len(told) == 1


def test_the_judged_network_of_a_version_gives_the_figures_and_the_other_one_is_served(trained: Trained) -> None:
    folder = trained.data_dir.intent / trained.report.version
    test = [one for one in labelled() if one.split == "test"]
    found = probabilities(IntentClassifier.open_judged(folder), test)
    right = found.argmax(axis=1) == [CATEGORIES.index(one.category) for one in test]
    assert float(np.mean(right)) == trained.report.albert.accuracy
    assert trained.report.refitted
    assert (folder / JUDGED).read_bytes() != (folder / SERVED).read_bytes()
    assert np.abs(probabilities(IntentClassifier(folder), test) - found).max() > 0


def test_without_a_refit_the_judged_network_is_the_served_one(
    judged: TrainedIntent, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("version")
    sample = labelled()[:4]
    export(judged, folder, refitted=None, sample=sample, thresholds=Thresholds(0.5, "", 0), card={})
    assert not (folder / JUDGED).exists()
    ours, theirs = (
        probabilities(one, sample) for one in (IntentClassifier(folder), IntentClassifier.open_judged(folder))
    )
    assert (ours == theirs).all()


def test_a_refit_that_answers_no_numbers_is_not_exported(
    judged: TrainedIntent, encoder: Encoder, tmp_path_factory: pytest.TempPathFactory
) -> None:
    broken = refit(labelled(), judged, encoder=encoder, settings=SETTINGS)
    assert broken is not None
    torch.nn.init.constant_(broken.model.head.weight, float("nan"))
    folder, nothing = tmp_path_factory.mktemp("version"), Thresholds(0.5, "", 0)
    with pytest.raises(ExportError, match=r"nan in a probability of model\.onnx"):
        export(judged, folder, refitted=broken, sample=labelled()[:4], thresholds=nothing, card={})
