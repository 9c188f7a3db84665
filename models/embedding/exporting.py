"""From a sentence-embedding model in the layout of sentence-transformers to the files that `OnnxEmbedder` opens.

Needs torch and transformers; sentence-transformers is not needed. Pooling and scaling to unit length are in the
exported network, so what opens it need not know how a model pools.

Weights stay float32. Dynamic int8 quantisation was tried on 2,123 questions to 947 course FAQs: hit@1 .720 instead of
.718 and twice as many texts in a second of the processor, but vectors that PyTorch's cannot be compared with.
"""

import hashlib
import json
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.jit._trace import TracerWarning
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging as transformers_logging
from transformers.utils.hub import cached_file

from models.embedding.embedder import EmbedderCard, write_card
from models.embedding.onnx_embedder import INPUTS, NETWORK, OUTPUT, TOKEN_OUTPUT, TOKENIZER, OnnxEmbedder
from models.embedding.token_basis import BASIS
from models.versions import ModelBroken, publish, staging

Pooling = Literal["mean", "cls"]

MAX_TOKENS = 256
"""Tokens of a text that are read at most: what all-MiniLM-L6-v2 was given in training, and a choice for others."""

CENTRE = "centre.json"
"""In a model's folder the vector, if there is one, that is taken from those of its texts."""

TOLERANCE = 1e-5
"""Largest accepted difference between a number of a vector from ONNX and from PyTorch."""

_OPSET = 17

_SAMPLE = (
    "How do I install it?",
    "",
    "The exam is on 12 May; bring a pencil.",
    "链表和数组有什么区别？",
    "A heap is a tree in which every parent is at least as large as its children. " * 40,
)


@dataclass(frozen=True)
class ExportReport:
    """What an export did; `difference` is the largest one between ONNX and PyTorch in a number of a vector."""

    version: str
    card: EmbedderCard
    difference: float
    seconds: float


class Pooled(nn.Module):
    """An encoder with its pooling: token ids and mask, each (texts, tokens), to unit vectors (texts, dimension).

    A `centre` is taken from the unit vectors, which are scaled to unit length again: what all texts share says nothing.
    With a `basis` (`token_basis.py`) the tokens' unit vectors along its directions follow: (texts, tokens, directions).
    """

    centre: Tensor
    basis: Tensor

    def __init__(
        self,
        encoder: nn.Module,
        pooling: Pooling,
        centre: Sequence[float] | None = None,
        basis: NDArray[np.float32] | None = None,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.pooling = pooling
        self.is_centred = centre is not None
        self.token_dimension = 0 if basis is None else len(basis) - 1
        if centre is not None:
            self.register_buffer("centre", torch.tensor(centre, dtype=torch.float32))
        if basis is not None:
            self.register_buffer("basis", torch.tensor(basis, dtype=torch.float32))

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor | tuple[Tensor, Tensor]:
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        pooled = states[:, 0] if self.pooling == "cls" else (states * mask).sum(1) / mask.sum(1)
        vectors = nn.functional.normalize(pooled, dim=-1)
        vectors = nn.functional.normalize(vectors - self.centre, dim=-1) if self.is_centred else vectors
        if not self.token_dimension:
            return vectors
        tokens = (nn.functional.normalize(states, dim=-1) - self.basis[0]) @ self.basis[1:].T
        return vectors, nn.functional.normalize(tokens, dim=-1)


def export_embedder(location: str, folder: Path, *, languages: tuple[str, ...]) -> ExportReport:
    """Export the model at `location` (a folder, or a hub's id) into `folder` and make it the current version.

    Raises `ModelBroken` when it is no model of this layout, or when ONNX does not answer as PyTorch does.
    """
    started = time.monotonic()
    pooling, max_tokens = read_layout(location)
    with staging(folder) as staged:
        card, difference = _export(location, staged, pooling, max_tokens, languages)
        version = publish(folder, staged)
    return ExportReport(version, card, difference, time.monotonic() - started)


def export_by_language(sources: Sequence[tuple[str, tuple[str, ...]]], folder: Path) -> EmbedderCard:
    """Export several models, each with its languages, into `folder` and make them the current version as one embedder.

    Raises `ModelBroken` as `export_embedder` does, and for models whose vectors are of different dimensions.
    """
    with staging(folder) as staged:
        parts = []
        for location, languages in sources:
            part = "-".join(languages)
            (staged / part).mkdir()
            parts.append((part, _export(location, staged / part, *read_layout(location), languages)[0]))
        if len(dimensions := {card.dimension for _, card in parts}) != 1:
            raise ModelBroken(f"Embedders of one home need vectors of one dimension; these have {sorted(dimensions)}.")
        languages = tuple(lang for _, card in parts for lang in card.languages)
        name = "+".join(card.name for _, card in parts)
        whole = EmbedderCard(
            "by_language",
            name,
            parts[0][1].dimension,
            languages,
            parts=tuple(each for each, _ in parts),
            token_dimension=max(card.token_dimension for _, card in parts),
        )
        write_card(staged, whole)
        publish(folder, staged)
    return whole


def read_layout(location: str) -> tuple[Pooling, int]:
    """How a model pools and how many tokens it reads, from the files sentence-transformers keeps beside it.

    A model without them is pooled by the mean. Raises `ModelBroken` for steps that are not exported here.
    """
    modules = _read_json(location, "modules.json") or []
    steps = [str(module["type"]).rsplit(".", 1)[-1] for module in modules]
    if unknown := sorted(set(steps) - {"Transformer", "Pooling", "Normalize"}):
        raise ModelBroken(f"{location} has the steps {unknown}, which cannot be exported. Choose another embedder.")
    pooling = _read_json(location, "1_Pooling/config.json") or {}
    chosen = sorted(name for name, value in pooling.items() if name.startswith("pooling_mode_") and value is True)
    if chosen not in ([], ["pooling_mode_mean_tokens"], ["pooling_mode_cls_token"]):
        raise ModelBroken(f"{location} pools by {chosen}; only the mean or the first token can be exported.")
    longest = (_read_json(location, "sentence_bert_config.json") or {}).get("max_seq_length") or MAX_TOKENS
    return ("cls" if chosen == ["pooling_mode_cls_token"] else "mean"), min(int(longest), MAX_TOKENS)


def _export(
    location: str, staged: Path, pooling: Pooling, max_tokens: int, languages: tuple[str, ...]
) -> tuple[EmbedderCard, float]:
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        encoder = AutoModel.from_pretrained(location, attn_implementation="eager", dtype=torch.float32)
        tokenizer = AutoTokenizer.from_pretrained(location)
    except (OSError, ValueError) as error:
        raise ModelBroken(f"No embedding model can be read at {location}: {error}. Check COTEACH_EMBEDDER.") from error
    size, centre = int(encoder.config.hidden_size), _read_json(location, CENTRE)
    if centre is not None and not (isinstance(centre, list) and len(centre) == size):
        raise ModelBroken(f"{location}/{CENTRE} is no list of {size} numbers. Delete the folder and run `make setup`.")
    network = Pooled(encoder, pooling, centre, _read_basis(location, size)).eval()
    tokenizer.backend_tokenizer.save(str(staged / TOKENIZER))
    write_onnx(network, staged / NETWORK)
    name = f"{_short_name(location)}@{_digest(network, staged / TOKENIZER, max_tokens)[:8]}"
    card = EmbedderCard("onnx", name, size, languages, max_tokens, token_dimension=network.token_dimension)
    write_card(staged, card)
    difference = _difference(network, tokenizer, staged, max_tokens)
    if difference > TOLERANCE:
        raise ModelBroken(f"{location}: ONNX and PyTorch differ by {difference:.1e}; at most {TOLERANCE} is accepted.")
    return card, difference


def write_onnx(network: Pooled, path: Path) -> None:
    """Trace a network to ONNX, with texts and tokens of any number."""
    example = torch.tensor([[2, 3, 4, 5, 6], [2, 3, 4, 0, 0]])
    with warnings.catch_warnings(), torch.no_grad():
        # The exporter of torch.export (dynamo) needs packages that are not installed; the one used says that it is
        # deprecated, and its tracer warns of shapes that are given as dynamic below.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", TracerWarning)
        warnings.filterwarnings("ignore", "Exporting aten::index operator", UserWarning)
        outputs = [OUTPUT, TOKEN_OUTPUT] if network.token_dimension else [OUTPUT]
        axes = {name: {0: "texts", 1: "tokens"} for name in (*INPUTS, *outputs)}
        torch.onnx.export(
            network,
            (example, (example > 0).long()),
            str(path),
            input_names=list(INPUTS),
            output_names=outputs,
            dynamic_axes=axes | {OUTPUT: {0: "texts"}},
            opset_version=_OPSET,
            dynamo=False,
        )


def _difference(network: Pooled, tokenizer: Any, staged: Path, max_tokens: int) -> float:
    read = tokenizer(list(_SAMPLE), padding=True, truncation=True, max_length=max_tokens, return_tensors="pt")
    with torch.no_grad():
        found = network(read["input_ids"], read["attention_mask"])
    expected = (found[0] if isinstance(found, tuple) else found).numpy()
    return float(np.abs(OnnxEmbedder(staged).encode(_SAMPLE) - expected).max())


def _digest(network: Pooled, tokenizer: Path, max_tokens: int) -> str:
    """SHA-256 of everything the vectors depend on."""
    found = hashlib.sha256(json.dumps([network.pooling, max_tokens]).encode())
    found.update(tokenizer.read_bytes())
    for name, weights in sorted(network.state_dict().items()):
        found.update(name.encode())
        found.update(weights.contiguous().numpy().tobytes())
    return found.hexdigest()


def _short_name(location: str) -> str:
    return location.rstrip("/").rsplit("/", 1)[-1].lower()


def _read_basis(location: str, size: int) -> NDArray[np.float32] | None:
    """What is kept of a token's vector, where the model's folder says."""
    path = Path(location) / BASIS
    if not path.is_file():
        return None
    found = np.load(path)
    if found.ndim != 2 or found.shape[1] != size or len(found) < 2:
        raise ModelBroken(
            f"{path} is {found.shape}, expected (1 + directions, {size}). Delete the folder and run `make setup`."
        )
    return np.asarray(found, dtype=np.float32)


def _read_json(location: str, name: str) -> Any:
    """A file of the model, None when it has none of that name."""
    path = Path(location) / name if Path(location).is_dir() else _from_hub(location, name)
    return json.loads(path.read_text(encoding="utf-8")) if path and path.is_file() else None


def _from_hub(location: str, name: str) -> Path | None:
    try:
        found = cached_file(location, name, _raise_exceptions_for_missing_entries=False)
    except OSError as error:
        raise ModelBroken(f"No embedding model can be read at {location}: {error}. Check COTEACH_EMBEDDER.") from error
    return Path(found) if found else None
