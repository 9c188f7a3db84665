"""Compares a response with candidate passages by embedding vectors: stored ones where they exist, else computed.

An embedder that was not trained for a language does not compare its texts; the caller then falls back to words.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from models.embedding.embedder import Embedder
from serving.assistant.references.ranking import Response, Vectors, semantic_signals
from serving.index.schema import Entry, Kind

_MOST_REMEMBERED = 10_000
"""Most vectors kept in memory: 15 MB at 384 dimensions."""


class StoredVectors(Protocol):
    """The vectors of passages that a build has stored (`serving.index.dense.DenseIndex`)."""

    def vectors(self, ids: Sequence[str], kind: Kind) -> Mapping[str, Vectors]: ...


class Semantics:
    """Compares passages with a response by meaning. `stored` must hold vectors of the same `embedder`.

    Passages without a stored vector are embedded (80 ms each for MiniLM on one core); the latest `_MOST_REMEMBERED` are
    remembered. Safe to share between threads.
    """

    def __init__(self, embedder: Embedder, stored: StoredVectors | None = None) -> None:
        self.embedder = embedder
        self._stored = stored
        self._remembered: dict[str, Vectors] = {}
        self._lock = threading.Lock()

    def knows(self, lang: str) -> bool:
        return lang in self.embedder.languages

    def signals(self, response: Response, entries: Sequence[Entry]) -> list[dict[str, float]]:
        """Cosine and gap of each entry, in the order of `entries`. Raises `EmbeddingFailed` when the embedder fails."""
        if not entries:
            return []
        known = self._known([entry.entry_id for entry in entries])
        missing = [entry for entry in entries if entry.entry_id not in known]
        encoded = self.embedder.encode([response.text, *(text_to_embed(entry) for entry in missing)])
        computed = {entry.entry_id: row for entry, row in zip(missing, encoded[1:], strict=True)}
        self._remember(computed)
        known |= computed
        return semantic_signals(encoded[0], np.stack([known[entry.entry_id] for entry in entries]))

    def _remember(self, computed: Mapping[str, Vectors]) -> None:
        with self._lock:
            self._remembered |= computed
            for entry_id in list(self._remembered)[: max(0, len(self._remembered) - _MOST_REMEMBERED)]:
                del self._remembered[entry_id]

    def _known(self, ids: Sequence[str]) -> dict[str, Vectors]:
        with self._lock:
            remembered = {entry_id: self._remembered[entry_id] for entry_id in ids if entry_id in self._remembered}
        return remembered | (dict(self._stored.vectors(ids, "passage")) if self._stored is not None else {})


def text_to_embed(entry: Entry) -> str:
    """The text to embed for a passage without a stored vector: title and text, as the build embeds them."""
    return f"{entry.title}\n{entry.text}"
