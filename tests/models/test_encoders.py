"""Encoders of other architectures: fine-tuned as they are, or refused by what they lack."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from tiny_intent import INTENT, Trained, labelled
from transformers import BertConfig, BertModel, DistilBertConfig, DistilBertModel, XLMRobertaConfig, XLMRobertaModel

from models.albert import Encoder, resolve_encoder
from models.intent.settings import IntentSettings
from models.intent.training.exporting import Thresholds, export
from models.intent.training.fine_tuning import finetune
from models.intent.training.network import load_encoder
from models.intent.training.optimisation import Learner
from models.progress import TrainingProgress
from models.versions import ModelBroken

SIZES = {"vocab_size": 400, "max_position_embeddings": 40}
_SETTINGS = IntentSettings(dropout=0.0, max_length=32)
BERT = BertConfig(**SIZES, hidden_size=24, num_hidden_layers=1, num_attention_heads=2, intermediate_size=24)
DISTILBERT = DistilBertConfig(**SIZES, dim=24, n_layers=1, n_heads=2, hidden_dim=24)
XLM_R = XLMRobertaConfig(
    **SIZES, hidden_size=24, num_hidden_layers=1, num_attention_heads=2, intermediate_size=24, type_vocab_size=1
)


@pytest.fixture
def folder(trained: Trained, tmp_path: Path) -> Path:
    """A folder with the tokenizer of the tiny ALBERT, and no weights."""
    source = Path(resolve_encoder(None, data_dir=trained.data_dir).location)
    for file in source.glob("tokenizer*"):
        shutil.copy(file, tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "model",
    [lambda: BertModel(BERT), lambda: DistilBertModel(DISTILBERT), lambda: XLMRobertaModel(XLM_R)],
    ids=["bert", "distilbert", "xlm-roberta"],
)
def test_other_architectures_are_fine_tuned_with_their_own_weights(folder: Path, model: object, tmp_path: Path) -> None:
    made = model()  # type: ignore[operator]
    made.save_pretrained(folder)
    encoder = Encoder(str(folder), "path", "other")
    network, _ = load_encoder(encoder, _SETTINGS)
    words = made.get_input_embeddings().weight
    assert torch.equal(network.encoder.get_input_embeddings().weight, words)
    trained = finetune(labelled(), encoder=encoder, settings=replace(INTENT, epochs=1))
    exported = tmp_path / "exported"
    exported.mkdir()
    export(trained, exported, refitted=None, sample=labelled()[:4], thresholds=Thresholds(0.5, "", 0), card={})


def test_layers_that_would_be_random_are_refused_by_name(folder: Path) -> None:
    BertModel(BERT).save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 2}))
    with pytest.raises(ModelBroken, match=r"lacks encoder\.layer\.1\.attention"):
        load_encoder(Encoder(str(folder), "path", "cut"), _SETTINGS)


def test_a_bert_that_says_it_is_an_albert_is_refused(folder: Path) -> None:
    BertModel(BERT).save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "albert", "embedding_size": 24}))
    with pytest.raises(ModelBroken, match=r"would be random|No encoder could be read"):
        load_encoder(Encoder(str(folder), "path", "other"), _SETTINGS)


@pytest.mark.parametrize("batches", [1, 2, 3, 9, 10, 11])
def test_a_training_of_any_number_of_steps_ends(trained: Trained, batches: int) -> None:
    encoder = resolve_encoder(None, data_dir=trained.data_dir)
    train = [replace(one, split="train") for one in labelled()][:batches]
    held = [replace(one, split="valid") for one in labelled()][-4:]
    found = finetune([*train, *held], encoder=encoder, settings=replace(INTENT, epochs=1, batch=1))
    assert np.isfinite(found.history[0].loss)


def test_the_time_limit_is_looked_at_within_an_epoch(trained: Trained, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.intent.training.optimisation._TELL_EVERY", 0.0)
    told: list[TrainingProgress] = []
    encoder = resolve_encoder(None, data_dir=trained.data_dir)
    settings = replace(INTENT, epochs=1, batch=2)
    finetune(labelled(), encoder=encoder, settings=settings, on_progress=told.append)
    within = [one for one in told if one.phase == "epoch"]
    assert len(within) > 10
    late = finetune(labelled(), encoder=encoder, settings=replace(settings, max_minutes=0.0))
    assert late.stopped_by_time


def test_the_time_limit_counts_what_was_spent_before_the_training(trained: Trained) -> None:
    encoder = resolve_encoder(None, data_dir=trained.data_dir)
    settings = replace(INTENT, max_minutes=15.0, epochs=3)
    late = finetune(labelled(), encoder=encoder, settings=settings, spent_s=15 * 60)
    assert late.stopped_by_time
    assert len(late.history) == 1
    assert late.seconds > 15 * 60
    assert not finetune(labelled(), encoder=encoder, settings=settings, spent_s=5 * 60).stopped_by_time


def test_the_time_limit_counts_what_comes_before_the_first_epoch(
    trained: Trained, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]

    class Slow(Learner):
        """Takes 20 minutes for its bags."""

        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            now[0] += 20 * 60

    clock = SimpleNamespace(monotonic=lambda: now[0], time=lambda: now[0])
    for module in ("fine_tuning", "optimisation"):
        monkeypatch.setattr(f"models.intent.training.{module}.time", clock)
    monkeypatch.setattr("models.intent.training.fine_tuning.Learner", Slow)
    encoder = resolve_encoder(None, data_dir=trained.data_dir)
    found = finetune(labelled(), encoder=encoder, settings=replace(INTENT, max_minutes=15.0))
    assert (len(found.history), found.stopped_by_time) == (1, True)
