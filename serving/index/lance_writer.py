"""Writes versions of the index as LanceDB tables: all rows, or a clone of another version with its changes.

Of a clone LanceDB's full-text index goes on counting removed rows, so it is made again over all rows: then hits and
scores are those of a full version. Rows that stay are not written again.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from serving.index.engine import EngineFacts, IndexReader, Manifest
from serving.index.lance_reader import LanceReader
from serving.index.lance_store import (
    FREQUENCIES,
    ROWS,
    LanceStore,
    address_of,
    frequencies_table,
    lance_made_with,
    new_stem,
    reaching,
    rows_table,
    scope_key,
    where_clause,
    words_key,
)
from serving.index.schema import KINDS, TEXT_FIELDS, Kind, scopes
from serving.index.tables import IndexRow, Rows, VersionDifference
from serving.index.writing import PARALLEL_ABOVE, IndexTerms, with_terms

_AT_ONCE = 5_000
"""Ids in one filter."""

_LABELLED = ("source", "lang", "subject", "mode")
"""Columns of few values, with a bitmap each."""

Counts = Counter[int]
"""Entries by the keys of `FREQUENCIES`."""


class LanceWriter:
    """See `IndexWriter`. `url` is the address of the store; `None`: in `folder`, the home's index."""

    grace_s = 600.0

    def __init__(self, url: str | None, folder: Path) -> None:
        self._url, self._folder = url, folder
        self._stem = ""
        self._opened: LanceStore | None = None

    @property
    def _store(self) -> LanceStore:
        if self._opened is None:
            self._opened = LanceStore(address_of(self._url, self._folder))
        return self._opened

    def index_format(self) -> str:
        return lance_made_with(self._url)

    def facts(self) -> EngineFacts | None:
        """Facts of the version that was written last."""
        at = address_of(self._url, self._folder)
        return {"name": "lance", "url": self._url, "made_at": at, "stem": self._stem}

    def write(self, rows: Rows, draft: Path, base: Path | None) -> None:
        draft.mkdir(parents=True)
        self._stem = new_stem(draft.name)
        with reaching(self._store.address):
            counted = Counts()
            if base is None:
                known = FREQUENCIES.empty_table()
                for kind in KINDS:
                    self._write_all(rows, kind, counted)
            else:
                stem = _facts_in(base)["stem"]
                known = self._store.table(frequencies_table(stem)).to_arrow()
                changes = rows.difference(base / "entries.parquet")
                for kind in KINDS:
                    self._write_changes(rows, kind, changes[kind], stem, counted)
            self._store.create(frequencies_table(self._stem), _add_counts(known, counted), FREQUENCIES)

    def _write_all(self, rows: Rows, kind: Kind, counted: Counts) -> None:
        count = sum(rows.counts()[kind].values())
        batches = with_terms(rows.batches(kind), parallel=count > PARALLEL_ABOVE)
        data = pa.RecordBatchReader.from_batches(ROWS, _counting(batches, kind, counted))
        _index(self._store.create(rows_table(kind, self._stem), data, ROWS))

    def _write_changes(self, rows: Rows, kind: Kind, change: VersionDifference, base: str, counted: Counts) -> None:
        table = self._store.clone(rows_table(kind, self._stem), rows_table(kind, base))
        if change == VersionDifference():
            return
        gone = [*change.changed, *change.removed]
        for start in range(0, len(gone), _AT_ONCE):
            where = where_clause({"entry_id": gone[start : start + _AT_ONCE]})
            old = table.search().where(where).limit(_AT_ONCE).select(["scope", "words"]).to_arrow()
            counted.subtract(_counts(kind, old["scope"].to_pylist(), old["words"].to_pylist()))
            table.delete(where)
        batches = with_terms(rows.batches(kind, only=[*change.added, *change.changed]), parallel=False)
        for batch in _counting(batches, kind, counted):
            table.add(pa.Table.from_batches([batch]))
        _index(table)

    def open(self, draft: Path) -> IndexReader:
        return LanceReader(self._store, self._stem)

    def may_update(self, base: Path) -> bool:
        return True

    def holds(self, version: Path) -> bool:
        stem = _facts_in(version)["stem"]
        return all(
            self._store.has(name) for name in (*(rows_table(kind, stem) for kind in KINDS), frequencies_table(stem))
        )

    def remove(self, version: str) -> None:
        self._store.drop_of(version)


def _facts_in(version: Path) -> EngineFacts:
    """What the manifest of a version says of its tables."""
    manifest: Manifest = json.loads((version / "manifest.json").read_text(encoding="utf-8"))
    return manifest["engine"]


def _counting(
    batches: Iterable[tuple[list[IndexRow], list[IndexTerms]]], kind: Kind, counted: Counts
) -> Iterator[pa.RecordBatch]:
    """The rows as LanceDB is given them; what they hold is added to `counted` on the way."""
    for rows, terms in batches:
        places = [scopes(row.source, row.course_id) for row in rows]
        counted.update(_counts(kind, places, [each.words for each in terms]))
        columns: dict[str, Sequence[object]] = {
            "entry_id": [row.id for row in rows],
            "source": [row.source for row in rows],
            "lang": [row.lang or "en" for row in rows],
            "subject": [row.subject for row in rows],
            "mode": [row.mode for row in rows],
            "scope": places,
            "words": [each.words for each in terms],
            "pairs": [each.pairs for each in terms],
            "payload": [row.payload for row in rows],
        }
        yield pa.RecordBatch.from_arrays([pa.array(columns[field.name], field.type) for field in ROWS], schema=ROWS)


def _counts(kind: Kind, places: Sequence[Sequence[str]], words: Sequence[str]) -> Counts:
    stand, lie = Counter[str](), Counter[str]()
    for each in words:
        stand.update(set(each.split()))
    for scoped in places:
        lie.update(scoped)
    counted = Counts({words_key(term): count for term, count in stand.items()})
    counted.update({scope_key(kind, scope): count for scope, count in lie.items()})
    return counted


def _add_counts(known: pa.Table, counted: Counts) -> pa.Table:
    """The table of frequencies with more, or fewer, of some; sorted by key, without those that are 0."""
    more = (np.fromiter(values, dtype, len(counted)) for values, dtype in ((counted, "u8"), (counted.values(), "i8")))
    keys, counts = (
        np.concatenate([known[name].to_numpy().astype(dtype), new])
        for name, dtype, new in zip(("key", "count"), ("u8", "i8"), more, strict=True)
    )
    order, places = np.unique(keys, return_inverse=True)
    total = np.zeros(len(order), "i8")
    np.add.at(total, places, counts)
    return pa.table({"key": order[total > 0], "count": total[total > 0].astype("u4")}, schema=FREQUENCIES)


def _index(table: Any) -> None:
    """Make the indexes of all columns; text is split at blanks and otherwise left as it is.

    Those of a clone are made anew, too, and its rows are never compacted: LanceDB 0.40 looks for indexes that a
    compaction rewrote where the base lies. There are none over no rows.
    """
    from lancedb.index import FTS, Bitmap, BTree, LabelList  # noqa: PLC0415  an extra, and a second to import

    text = FTS(
        base_tokenizer="whitespace",
        max_token_length=None,
        lower_case=False,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
    )
    if not table.count_rows():
        return
    labels = {"entry_id": BTree(), "scope": LabelList()} | {name: Bitmap() for name in _LABELLED}
    for name, config in ({name: text for name in TEXT_FIELDS} | labels).items():
        table.create_index(name, config=config, replace=True)
