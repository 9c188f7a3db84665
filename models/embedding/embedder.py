"""`Embedder`: what turns texts into vectors whose cosine says how alike they are in meaning; and what is known of one.

Where vectors are stored and searched is `serving.index.dense`.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.problems import CoteachError
from models.versions import ModelBroken

Vectors = NDArray[np.float32]
"""One row per text, each of unit length."""

Tokens = NDArray[np.int8]
"""One row per token of a text: a vector of length `TOKEN_LENGTH`, of whole numbers."""

TOKEN_LENGTH = 127
"""The length of a token's vector: two of them have their product, divided by the square of this, as their cosine."""

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


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that says what each token of a text means where it stands, too (late interaction).

    `token_dimension` is 0 for one that knows nothing of tokens.
    """

    @property
    def token_dimension(self) -> int: ...
    def encode_with_tokens(self, texts: Sequence[str]) -> tuple[Vectors, list[Tokens]]:
        """The vectors of `texts` as by `encode`, and the tokens of each: (tokens, token_dimension), special ones left
        out; none for a text in a language whose tokens are not known."""
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
    token_dimension: int = 0
    """Numbers of a token's vector; 0 where only whole texts have one."""


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
