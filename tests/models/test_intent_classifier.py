"""Models that serving must refuse, though they can be opened."""

import json
import shutil
import warnings
from pathlib import Path

import pytest
import torch
from tiny_intent import Trained
from torch import Tensor, nn

from models.intent.classifier import IntentClassifier
from models.versions import ModelBroken

INPUTS = ["input_ids", "attention_mask", "token_type_ids"]


class _OfAnotherVersion(nn.Module):
    """Answers every question with `categories` equal numbers that add up to `total`."""

    def __init__(self, categories: int, total: float) -> None:
        super().__init__()
        self.answer = torch.full((1, categories), total / categories)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        used = (input_ids + attention_mask + token_type_ids).sum(dim=1, keepdim=True) * 0.0
        return self.answer + used


@pytest.fixture
def copied(trained: Trained, tmp_path: Path) -> Path:
    """The files of a good model, to be damaged."""
    found = tmp_path / trained.report.version
    shutil.copytree(trained.data_dir.intent / trained.report.version, found)
    return found


def replace_network(folder: Path, *, categories: int = 6, total: float = 1.0, output: str = "probabilities") -> None:
    example = tuple(torch.ones(1, 3, dtype=torch.int64) for _ in INPUTS)
    axes = {name: {0: "questions", 1: "tokens"} for name in INPUTS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            _OfAnotherVersion(categories, total),
            example,
            str(folder / "model.onnx"),
            input_names=INPUTS,
            output_names=[output],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )


def test_a_network_of_the_same_shape_is_accepted(copied: Path) -> None:
    replace_network(copied)
    assert IntentClassifier(copied).classify("hi").h == pytest.approx(2 / 6)


def test_a_network_with_another_output_is_refused(copied: Path) -> None:
    replace_network(copied, output="logits")
    with pytest.raises(ModelBroken, match="does not answer as this version of coteach asks"):
        IntentClassifier(copied)


def test_a_network_with_another_number_of_categories_is_refused(copied: Path) -> None:
    replace_network(copied, categories=2)
    with pytest.raises(ModelBroken, match=r"\(1, 2\) numbers.*6 probabilities"):
        IntentClassifier(copied)


def test_a_network_whose_answers_are_no_probabilities_is_refused(copied: Path) -> None:
    replace_network(copied, total=3.0)
    with pytest.raises(ModelBroken, match=r"add up to 3\.000"):
        IntentClassifier(copied)


def test_a_network_with_fewer_tokens_than_the_tokenizer_is_refused(copied: Path) -> None:
    tokenizer = json.loads((copied / "tokenizer.json").read_text())
    words = tokenizer["model"]["vocab"]
    tokenizer["model"]["vocab"] = {word: number + (1_000_000 if number > 4 else 0) for word, number in words.items()}
    (copied / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(ModelBroken, match="does not answer as this version of coteach asks"):
        IntentClassifier(copied)


def test_a_truncated_network_is_refused(copied: Path) -> None:
    whole = (copied / "model.onnx").read_bytes()
    (copied / "model.onnx").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelBroken, match="not an ONNX model"):
        IntentClassifier(copied)


def test_a_missing_tokenizer_is_named(copied: Path) -> None:
    (copied / "tokenizer.json").unlink()
    with pytest.raises(ModelBroken, match="cannot be read"):
        IntentClassifier(copied)
