"""Writes a fine-tuned model as the files that serving opens: ONNX, tokenizer, labels, thresholds and a card.

If the model was refitted on all labelled questions, serving opens that one, and the model from before the refit is
written beside it, to score held-out questions (classifier.py).

Weights stay float32. Dynamic int8 quantisation was tried on 400 held-out Chinese questions (AVX2, one thread): p50
0.45 ms instead of 0.41 ms, chit-chat F1 .738 instead of .747, AUC the same, 2.3 MB instead of 4.0 MB. It saves no time
on the processors used here.
"""

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import Tensor, nn
from torch.jit._trace import TracerWarning

from models.intent.classifier import EMBEDDER, JUDGED, SERVED
from models.intent.labels.categories import CATEGORIES
from models.intent.labels.examples import IntentExample
from models.intent.labels.pairs import PairEncoder
from models.intent.training.fine_tuning import TrainedIntent
from models.intent.training.network import IntentNetwork, beside_tokens, predict, tensors
from models.intent.training.refitting import RefittedIntent

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
VECTOR_INPUTS = ("vectors", "vector_language")
"""Further inputs, after `INPUTS`, of a network with heads over sentence embeddings (`VectorBatch`)."""
OUTPUT = "probabilities"

TOLERANCE = 1e-4
"""Largest accepted difference between a probability from ONNX and from PyTorch."""

_OPSET = 17


@dataclass(frozen=True)
class Thresholds:
    """Alpha, the threshold on h, and the rule that chose it."""

    alpha: float
    rule: str
    questions: int
    """Labelled questions that the rule was applied to."""


class ExportError(RuntimeError):
    """The exported model gives other probabilities than the trained one."""


class _Probabilities(nn.Module):
    def __init__(self, model: IntentNetwork) -> None:
        super().__init__()
        self.model = model

    def forward(self, *inputs: Tensor) -> Tensor:
        return torch.softmax(self.model(*inputs), dim=-1)


def export(
    trained: TrainedIntent,
    folder: Path,
    *,
    refitted: RefittedIntent | None,
    sample: Sequence[IntentExample],
    thresholds: Thresholds,
    card: Mapping[str, object],
) -> float:
    """Write the model to `folder` and return the largest difference of a probability between ONNX and PyTorch on
    `sample`, 0..1.

    Raises `ExportError` when that is more than `TOLERANCE`, for either network.
    """
    difference = _write_network(trained.model, trained.pairs, folder / (JUDGED if refitted else SERVED), sample)
    if refitted is not None:
        difference = max(difference, _write_network(refitted.model, refitted.pairs, folder / SERVED, sample))
    trained.pairs.tokenizer.save(str(folder / "tokenizer.json"))
    settings: dict[str, object] = {"categories": list(CATEGORIES), **trained.pairs.settings()}
    if (heads := trained.model.heads) is not None:
        settings[EMBEDDER] = {"version": heads.known.version, "name": heads.known.name}
    _write_json(folder / "labels.json", settings)
    _write_json(
        folder / "thresholds.json",
        {"alpha": thresholds.alpha, "rule": thresholds.rule, "questions": thresholds.questions},
    )
    _write_json(folder / "card.json", card)
    return difference


def _write_network(model: IntentNetwork, pairs: PairEncoder, path: Path, sample: Sequence[IntentExample]) -> float:
    """Export one network; return its largest difference from PyTorch. NaN is refused, too."""
    _write_onnx(model, pairs, path)
    difference = _difference(model, pairs, path, sample)
    if not difference <= TOLERANCE:
        raise ExportError(
            f"ONNX and PyTorch differ by {difference:.2e} in a probability of {path.name}; "
            f"at most {TOLERANCE} is accepted."
        )
    return difference


def _write_onnx(model: IntentNetwork, pairs: PairEncoder, path: Path) -> None:
    example: tuple[Tensor, ...] = tensors(
        pairs.batch([("a previous turn", "a course", "a question"), ("", "", "a longer question?")])
    )
    axes = {name: {0: "questions", 1: "tokens"} for name in INPUTS}
    names = list(INPUTS)
    if (heads := model.heads) is not None:
        example = *example, torch.zeros(2, heads.known.dimension), torch.tensor([0, 1])
        names += VECTOR_INPUTS
        axes |= {name: {0: "questions"} for name in VECTOR_INPUTS}
    with warnings.catch_warnings():
        # The dynamo exporter needs packages that are not installed, and was slower here. The legacy exporter warns that
        # it is deprecated, and its tracer warns about shapes that `axes` declares dynamic.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", TracerWarning)
        warnings.filterwarnings("ignore", "Exporting aten::index operator", UserWarning)
        torch.onnx.export(
            _Probabilities(model).eval(),
            example,
            str(path),
            input_names=names,
            output_names=[OUTPUT],
            dynamic_axes={**axes, OUTPUT: {0: "questions"}},
            opset_version=_OPSET,
            dynamo=False,
        )


def _difference(model: IntentNetwork, pairs: PairEncoder, path: Path, sample: Sequence[IntentExample]) -> float:
    batch = pairs.batch([(one.previous, one.course, one.question) for one in sample])
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    given = [*tensors(batch), *beside_tokens(model, [one.question for one in sample])]
    feed = {name: one.numpy() for name, one in zip((*INPUTS, *VECTOR_INPUTS), given, strict=False)}
    (exported,) = session.run([OUTPUT], feed)
    return float(np.abs(exported - predict(model, pairs, sample)).max())


def _write_json(path: Path, content: Mapping[str, object]) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n", encoding="utf-8")
