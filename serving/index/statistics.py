"""What BM25 must know of a collection, kept right when entries are removed. Pure.

Tantivy counts removed documents in the number of documents, the average length and the document frequencies until a
merge drops them, so scores after an update would differ from those of a rebuild. Two corrections make them equal:

- *ballast*: documents that match nothing, added so that tokens / documents is again the average length of the entries;
- a boost per query term, idf of the entries over idf as Tantivy counts.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from knowledge_graph.lake.tables import write_text_atomic
from serving.index.analysis import Analysed
from serving.index.confidence import idf
from serving.index.schema import KINDS, TEXT_FIELDS, Kind, TextField

FILLER = "\N{MIDDLE DOT}"
"""The only term of ballast: no analysis yields it."""


@dataclass(frozen=True)
class Totals:
    """Documents, and their tokens per text field."""

    documents: int = 0
    tokens: Mapping[TextField, int] = field(default_factory=lambda: dict.fromkeys(TEXT_FIELDS, 0))

    def __add__(self, other: "Totals") -> "Totals":
        return self._combine(other, 1)

    def __sub__(self, other: "Totals") -> "Totals":
        return self._combine(other, -1)

    def _combine(self, other: "Totals", sign: int) -> "Totals":
        tokens = {name: self.tokens[name] + sign * other.tokens[name] for name in TEXT_FIELDS}
        return Totals(self.documents + sign * other.documents, tokens)


@dataclass(frozen=True)
class Statistics:
    """Statistics of one kind of entries in one version of the index.

    `totals` counts what can be found, `ballast` the other documents; `removed` holds, per field and term, how many
    removed documents Tantivy still counts.
    """

    totals: Totals
    ballast: int = 0
    removed: Mapping[TextField, Mapping[str, int]] = field(default_factory=lambda: {name: {} for name in TEXT_FIELDS})
    removed_documents: int = 0

    @property
    def is_exact(self) -> bool:
        """Whether Tantivy counts just the entries."""
        return not self.removed_documents and not self.ballast

    def frequency(self, name: TextField, term: str, counted: int) -> int:
        """Entries that hold `term`, where Tantivy counts `counted`."""
        return counted - self.removed[name].get(term, 0)

    def correction(self, name: TextField, term: str, counted: int) -> float:
        """The boost that turns Tantivy's idf of `term` into that of the entries."""
        documents = self.totals.documents + self.removed_documents + self.ballast
        exact = idf(self.totals.documents, self.frequency(name, term, counted))
        return exact / idf(documents, counted)


@dataclass(frozen=True)
class Ballast:
    """`documents` to add; one of them holds `tokens` times the filler in each field, the others nothing."""

    documents: int
    tokens: Mapping[TextField, int]


_CHOICES = 1024
"""Numbers of ballast documents tried: the more, the nearer whole tokens come to the exact average."""


def ballast_for(totals: Totals, removed: Totals) -> Ballast:
    """The ballast beside `totals` entries that makes up for `removed` ones: average lengths become those of `totals`.

    With N entries of T tokens and r removed ones of t tokens, m documents of n tokens must give
    (T + t + n) / (N + r + m) = T / N, so n = T / N (r + m) - t, for the m >= 1 where n is nearest to a whole number.
    """
    if not totals.documents:
        return Ballast(0, dict.fromkeys(TEXT_FIELDS, 0))

    def compute_ballast(documents: int) -> dict[TextField, float]:
        each = totals.documents
        return {f: totals.tokens[f] * (removed.documents + documents) / each - removed.tokens[f] for f in TEXT_FIELDS}

    least = max([1, *(math.ceil(_documents_for(totals, removed, name)) for name in TEXT_FIELDS)])
    best = min(
        range(least, least + _CHOICES),
        key=lambda documents: (sum(abs(n - round(n)) for n in compute_ballast(documents).values()), documents),
    )
    return Ballast(best, {name: max(0, round(n)) for name, n in compute_ballast(best).items()})


def _documents_for(totals: Totals, removed: Totals, name: TextField) -> float:
    """The smallest m for which n is not below 0."""
    tokens = totals.tokens[name]
    return removed.tokens[name] * totals.documents / tokens - removed.documents if tokens else 0.0


def frequencies(analysed: Iterable[Analysed]) -> dict[TextField, dict[str, int]]:
    """Per field and term, in how many of the texts it stands."""
    words, pairs = Counter[str](), Counter[str]()
    for each in analysed:
        words.update(set(each.words))
        pairs.update(set(each.pairs))
    return {"words": dict(words), "pairs": dict(pairs)}


def write_statistics(folder: Path, statistics: Mapping[Kind, Statistics]) -> None:
    # Not asdict: it copies every term.
    listed = {kind: {**vars(each), "totals": vars(each.totals)} for kind, each in statistics.items()}
    text = json.dumps(listed, ensure_ascii=False, sort_keys=True)
    write_text_atomic(folder / "statistics.json", text + "\n")


def read_statistics(folder: Path) -> dict[Kind, Statistics]:
    """The statistics stored with an index version."""
    found = json.loads((folder / "statistics.json").read_text(encoding="utf-8"))
    return {kind: Statistics(**{**found[kind], "totals": Totals(**found[kind]["totals"])}) for kind in KINDS}
