"""`Embedder`: what turns texts into vectors whose cosine says how alike they are in meaning; and what is known of one.

Where vectors are stored and searched is `serving.index.dense`.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.problems import CoteachError
from models.versions import ModelBroken

Vectors = NDArray[np.float32]
"""One row per text, each of unit length."""

CARD = "card.json"
REMEDY = "Materialize `embedder`."

_SMALLEST = 1e-12
"""Least length a vector is divided by, as PyTorch's `normalize` has it: a vector of zeros stays one."""


class EmbeddingFailed(CoteachError):
    """An embedding server did not answer, or not with vectors that can be used; the message says what came."""


class Embedder(Protocol):
    """A sentence-embedding model. Safe to share between threads.

    `name` is the model's with a digest, so that two different models never share one. `languages` are those it was
    trained for: what is written in another is not to be compared by its vectors.
    """

    @property
    def name(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def languages(self) -> tuple[str, ...]: ...
    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors of `texts`, in their order: (n, dimension), rows of unit length."""
        ...


@dataclass(frozen=True)
class EmbedderCard:
    """What a published embedder is: one that runs here (`onnx`), one behind an embeddings API (`http`), or several that
    run here (`by_language`), each in a folder of its own among the `parts`."""

    kind: Literal["onnx", "http", "by_language"]
    name: str
    dimension: int
    languages: tuple[str, ...]
    max_tokens: int | None = None
    """Tokens of a text that are read, of an `onnx` one."""
    url: str | None = None
    model: str | None = None
    """What the server calls it, of an `http` one."""
    parts: tuple[str, ...] = ()


def write_card(folder: Path, card: EmbedderCard) -> None:
    text = json.dumps(asdict(card), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    (folder / CARD).write_text(text, encoding="utf-8")


def read_card(folder: Path) -> EmbedderCard:
    """The card of one published version. Raises `ModelBroken` when it is not one of this program."""
    try:
        values = json.loads((folder / CARD).read_text(encoding="utf-8"))
        listed = {"languages": tuple(values["languages"]), "parts": tuple(values.get("parts", ()))}
        return EmbedderCard(**values | listed)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelBroken(f"{folder / CARD} cannot be read: {error!r}. {REMEDY}") from error


def unit_rows(vectors: NDArray[np.floating]) -> Vectors:
    """The rows of (n, dimension) scaled to length 1; rows of zeros stay as they are."""
    found = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.maximum(lengths, _SMALLEST), dtype=np.float32)
