"""Vectors that are remembered: bounded, and safe when several threads compare at once."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import course_rows as rows
import numpy as np
import pytest
from numpy.typing import NDArray

from serving.assistant.references import Semantics, semantic
from serving.assistant.references.ranking import Response
from serving.index.schema import Entry


class Counting:
    """Tells texts apart by length; counts what it embeds."""

    name = "counting"
    dimension = 2
    languages = ("en",)

    def __init__(self) -> None:
        self.embedded = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded += len(texts)
        turned = np.array([len(text) / 10 for text in texts])
        return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


def entry(place: int) -> Entry:
    return rows.entry(rows.pair(f"e{place}", "document", "Heap", "x" * (place % 17)))


RESPONSE = Response("What is a heap?", "A tree.", "en")


def test_a_passage_is_embedded_once() -> None:
    embedder = Counting()
    semantics = Semantics(embedder)
    first = semantics.signals(RESPONSE, [entry(1), entry(2)])
    assert semantics.signals(RESPONSE, [entry(1), entry(2)]) == first
    assert embedder.embedded == 2 + 1 + 1  # the response each time


def test_only_the_latest_are_remembered_however_many_threads_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "_MOST_REMEMBERED", 50)
    semantics = Semantics(Counting())
    alone = Semantics(Counting()).signals(RESPONSE, [entry(place) for place in range(20)])

    def ask(start: int) -> list[dict[str, float]]:
        return semantics.signals(RESPONSE, [entry(start % 100 + place) for place in range(20)])

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(400)))
    assert len(semantics._remembered) == 50
    assert found[0] == found[100] == alone
