"""One version in LanceDB's tables: found by its full-text index, filtered by its scalar ones, on disk or in a store.

The terms are coteach's own, split at blanks, so that words match as they do with Tantivy. Scores are BM25 with
the same constants; it keeps exact lengths where Tantivy keeps one byte of them, so they differ by a few per cent.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from serving.index.engine import (
    MOST_TIED,
    PAIR_WEIGHT,
    TIED,
    Asked,
    EngineFacts,
    Hit,
    IndexMissing,
    Manifest,
    in_order,
    round_score,
)
from serving.index.lance_store import (
    LanceStore,
    address_of,
    frequencies_table,
    lance_made_with,
    reaching,
    rows_table,
    scope_key,
    where_clause,
    words_key,
)
from serving.index.schema import KINDS, Entry, Kind, from_payload

_REMEMBERED = 4096
"""Entries that are kept by id, the latest."""
_IDS_AT_ONCE = 1_000
_FOUND = ["payload", "_score"]


def open_version(version: Path, manifest: Manifest, facts: EngineFacts) -> "LanceReader":
    """The tables of a published version.

    Raises `IndexMissing` when they were made by another coteach, when the home of a version that shares rows was moved,
    or when LanceDB is not installed; `IndexUnreachable` when the store does not answer.
    """
    if manifest["made_with"] != lance_made_with(facts["url"]):
        raise IndexMissing(f"The index {version} was made by another coteach. Run `coteach build` again.")
    address = address_of(facts["url"], version.parent)
    if manifest["base"] != manifest["version"] and address != facts["made_at"]:
        raise IndexMissing(
            f"The index {version} shares rows with another version at {facts['made_at']}, and is now at {address}. "
            "Run `coteach build`."
        )
    return LanceReader(LanceStore(address), facts["stem"])


class LanceReader:
    """See `IndexReader`. How often terms stand is in memory, 12 bytes each; rows stay in the store."""

    takes_time = True

    def __init__(self, store: LanceStore, stem: str) -> None:
        self._address = store.address
        self._tables = {kind: store.table(rows_table(kind, stem)) for kind in KINDS}
        with reaching(self._address):
            listed = store.table(frequencies_table(stem)).to_arrow()
            self._documents = {kind: table.count_rows() for kind, table in self._tables.items()}
        self._keys = listed["key"].to_numpy()
        self._counted = listed["count"].to_numpy()
        self._known = lru_cache(maxsize=_REMEMBERED)(self._by_id)

    def best(self, kind: Kind, asked: Asked, allowed: Mapping[str, Collection[str]], k: int) -> list[Hit]:
        if not self._documents[kind]:
            return []
        limit = k + TIED
        while True:
            found = self._find(kind, asked, allowed, limit)
            scores = [round_score(score) for score in found["_score"].to_pylist()]
            if len(scores) < limit or scores[-1] < scores[k - 1] or limit > MOST_TIED:
                break
            limit *= 4
        hits = zip(found["payload"].to_pylist(), found["_score"].to_pylist(), strict=True)
        return in_order([Hit(from_payload(payload), score) for payload, score in hits], k)

    def _find(self, kind: Kind, asked: Asked, allowed: Mapping[str, Collection[str]], limit: int) -> pa.Table:
        with reaching(self._address):
            query = self._tables[kind].search(_matching(asked), query_type="fts").limit(limit).select(_FOUND)
            where = where_clause(allowed)
            return (query if where is None else query.where(where, prefilter=True)).to_arrow()

    def entries(self, kind: Kind, ids: Sequence[str]) -> list[Entry]:
        """Asked for at once, as each answer of an object store takes its time; one at a time where few are wanted."""
        if len(ids) == 1:
            found = self._known(kind, ids[0])
            return [] if found is None else [found]
        known: dict[str, Entry] = {}
        for start in range(0, len(ids), _IDS_AT_ONCE):
            part = ids[start : start + _IDS_AT_ONCE]
            known |= {one.entry_id: one for one in self._list(kind, {"entry_id": part}, len(part))}
        return [known[entry_id] for entry_id in ids if entry_id in known]

    def _by_id(self, kind: Kind, entry_id: str) -> Entry | None:
        return next(iter(self._list(kind, {"entry_id": [entry_id]}, 1)), None)

    def list_entries(self, kind: Kind, allowed: Mapping[str, Collection[str]], most: int) -> list[Entry]:
        return self._list(kind, allowed, most)

    def _list(self, kind: Kind, allowed: Mapping[str, Collection[str]], most: int) -> list[Entry]:
        with reaching(self._address):
            query = self._tables[kind].search().limit(most).select(["payload"])
            where = where_clause(allowed)
            found = (query if where is None else query.where(where)).to_arrow()
        return [from_payload(payload) for payload in found["payload"].to_pylist()]

    def counts(self, kind: Kind) -> dict[str, int]:
        with reaching(self._address):
            batches = self._tables[kind].search().select(["source"]).to_batches()
            counted = pa.Table.from_batches(batches, pa.schema([("source", pa.string())]))["source"].value_counts()
        return {one["values"]: one["counts"] for one in sorted(counted.to_pylist(), key=lambda one: str(one["values"]))}

    def documents(self) -> int:
        return sum(self._documents.values())

    def frequency(self, term: str) -> int:
        return self._count(words_key(term))

    def size(self, kind: Kind, scope: str) -> int:
        return self._count(scope_key(kind, scope))

    def _count(self, key: int) -> int:
        place = int(np.searchsorted(self._keys, np.uint64(key)))
        return int(self._counted[place]) if place < len(self._keys) and self._keys[place] == key else 0


def _matching(asked: Asked) -> Any:
    """The sum of both fields' scores."""
    from lancedb.query import BooleanQuery, MatchQuery, Occur  # noqa: PLC0415  an extra, and a second to import

    words, pairs = asked
    clauses = [(Occur.SHOULD, MatchQuery(" ".join(words), "words"))]
    if pairs:
        clauses.append((Occur.SHOULD, MatchQuery(" ".join(pairs), "pairs", boost=PAIR_WEIGHT)))
    return BooleanQuery(clauses)
