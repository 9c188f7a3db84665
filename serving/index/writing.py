"""Writes entries into Tantivy: all of them, or what changed since a version that is left as it is.

What is analysed where: Python makes the terms (analysis.py), in processes of their own when there are many entries;
Tantivy only splits at blanks.
"""

import json
import math
import multiprocessing
import os
import shutil
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import tantivy

from serving.index.analysis import Analysed, analyse
from serving.index.engine import EngineFacts, IndexReader, UpdateUnfit
from serving.index.schema import KINDS, Kind, build_schema, index_format, scopes
from serving.index.statistics import (
    FILLER,
    Ballast,
    Statistics,
    Totals,
    ballast_for,
    frequencies,
    read_statistics,
    write_statistics,
)
from serving.index.tables import BATCH, IndexRow, Rows, VersionDifference
from serving.index.tantivy_reader import TantivyReader

WRITER_BYTES = 256_000_000
_THREADS = 2
PARALLEL_ABOVE = 5 * BATCH
"""Entries from which processes of their own are worth their start, about half a second."""


MOST_SEGMENTS = 6
"""Most segments of one size in an index that is updated: Tantivy merges eight, and then no longer counts what was
removed."""
_LEAST_SIZE, _ALIKE = 10_000, 0.75
"""Documents below which segments are of one size, and within how many doublings larger ones are (`LogMergePolicy`)."""


MOST_BALLAST = 10_000
"""Documents of ballast, 0.1 s to write; a field that is nearly empty could ask for any number."""


class IndexTerms(NamedTuple):
    """What Tantivy is given of an entry: terms joined by blanks, and how many they are."""

    words: str
    pairs: str
    word_count: int
    pair_count: int


class TantivyWriter:
    """See `IndexWriter`: a version is a folder of the home with everything in it."""

    grace_s = 0.0

    def index_format(self) -> str:
        return index_format()

    def facts(self) -> EngineFacts | None:
        return None

    def write(self, rows: Rows, draft: Path, base: Path | None) -> None:
        counts = rows.counts()
        if base is None:
            statistics = {kind: write_all(rows, kind, draft / kind, count=sum(counts[kind].values())) for kind in KINDS}
        else:
            before, changes = read_statistics(base), rows.difference(base / "entries.parquet")
            statistics = {
                kind: write_changes(rows, kind, changes[kind], draft / kind, base=base, before=before[kind])
                for kind in KINDS
            }
        write_statistics(draft, statistics)

    def open(self, draft: Path) -> IndexReader:
        return TantivyReader(draft)

    def may_update(self, base: Path) -> bool:
        return all(count_alike(_documents(base / kind)) <= MOST_SEGMENTS for kind in KINDS)

    def holds(self, version: Path) -> bool:
        return True

    def remove(self, version: str) -> None:
        return None


def write_all(rows: Rows, kind: Kind, folder: Path, *, count: int) -> Statistics:
    """Index every entry of a kind into a new folder; `count` says how many to expect."""
    folder.mkdir(parents=True)
    index = tantivy.Index(build_schema(), path=str(folder))
    writer = index.writer(WRITER_BYTES, _THREADS)
    totals = Totals()
    for batch, terms in with_terms(rows.batches(kind), parallel=count > PARALLEL_ABOVE):
        totals += _add(writer, batch, terms)
    _finish(writer)
    return Statistics(totals)


def write_changes(
    rows: Rows, kind: Kind, change: VersionDifference, folder: Path, *, base: Path, before: Statistics
) -> Statistics:
    """Make `folder` an index that shares the files of the version `base` and has its entries changed as told.

    Tantivy never changes a file of documents, so links suffice; only its lists of files are copied. Raises
    `UpdateUnfit`.
    """
    _share(base / kind, folder)
    if change == VersionDifference():
        return before
    index = tantivy.Index.open(str(folder))
    gone = TantivyReader(base).entries(kind, [*change.changed, *change.removed])
    writer = index.writer(WRITER_BYTES, 1)
    for entry in gone:
        writer.delete_documents_by_term("entry_id", entry.entry_id)
    added = Totals()
    for batch, terms in with_terms(rows.batches(kind, only=[*change.added, *change.changed]), parallel=False):
        added += _add(writer, batch, terms)
    old = [analyse_entry(entry.section, entry.title, entry.text) for entry in gone]
    removed = _totals([_join([each]) for each in old])
    totals = before.totals - removed + added
    ballast = ballast_for(totals, removed)
    if ballast.documents > MOST_BALLAST:
        writer.rollback()
        raise UpdateUnfit(f"The update of {folder} needs {ballast.documents:,} documents of ballast.")
    _add_ballast(writer, ballast)
    _finish(writer)
    if sum(segments(folder)) != len(gone):
        raise UpdateUnfit(f"Tantivy dropped removed documents of {folder}, which would be subtracted once more.")
    return Statistics(totals, ballast.documents, frequencies(old), len(gone))


def analyse_entry(section: str | None, title: str, text: str) -> Analysed:
    """The terms an entry is found by: those of its section, title and text; pairs do not reach across."""
    parts = _analyse(section, title, text)
    return Analysed([term for part in parts for term in part.words], [pair for part in parts for pair in part.pairs])


def _analyse(*parts: str | None) -> list[Analysed]:
    return [analyse(part) for part in parts if part]


def with_terms(
    batches: Iterable[list[IndexRow]], *, parallel: bool
) -> Iterator[tuple[list[IndexRow], list[IndexTerms]]]:
    if not parallel:
        for batch in batches:
            yield batch, _terms(_texts(batch))
        return
    # spawn: a fork of a process with threads, as Dagster's is, may wait for ever on a lock one of them held.
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting: deque[tuple[list[IndexRow], Future[list[IndexTerms]]]] = deque()
        for batch in batches:
            waiting.append((batch, pool.submit(_terms, _texts(batch))))
            if len(waiting) > workers:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()


def _texts(batch: Sequence[IndexRow]) -> list[tuple[str | None, str, str]]:
    return [(row.section, row.title, row.text) for row in batch]


def _terms(texts: Sequence[tuple[str | None, str, str]]) -> list[IndexTerms]:
    return [_join(_analyse(*each)) for each in texts]


def _join(parts: Sequence[Analysed]) -> IndexTerms:
    words, pairs = [part.words for part in parts], [part.pairs for part in parts]
    return IndexTerms(_blanks(words), _blanks(pairs), sum(map(len, words)), sum(map(len, pairs)))


def _blanks(parts: Iterable[list[str]]) -> str:
    return " ".join(" ".join(part) for part in parts)


def _add(writer: tantivy.IndexWriter, batch: Sequence[IndexRow], terms: Sequence[IndexTerms]) -> Totals:
    for row, found in zip(batch, terms, strict=True):
        writer.add_document(_document(row, found))
    return _totals(terms)


def _totals(terms: Sequence[IndexTerms]) -> Totals:
    words, pairs = sum(each.word_count for each in terms), sum(each.pair_count for each in terms)
    return Totals(len(terms), {"words": words, "pairs": pairs})


def _document(row: IndexRow, found: IndexTerms) -> tantivy.Document:
    return tantivy.Document(
        entry_id=row.id,
        source=row.source,
        scope=scopes(row.source, row.course_id),
        lang=row.lang or "en",
        subject=row.subject or [],
        mode=row.mode or [],
        words=found.words,
        pairs=found.pairs,
        payload=row.payload,
    )


def _add_ballast(writer: tantivy.IndexWriter, ballast: Ballast) -> None:
    filler: dict[str, str] = {name: " ".join([FILLER] * count) for name, count in ballast.tokens.items()}
    for place in range(ballast.documents):
        writer.add_document(tantivy.Document(**({} if place else filler)))


def _finish(writer: tantivy.IndexWriter) -> None:
    writer.commit()
    writer.wait_merging_threads()


def count_alike(documents: Iterable[int]) -> int:
    """How many segments at most are of one size for Tantivy, by the numbers of their documents; 0 for none."""
    levels, largest = [0], math.inf
    for size in sorted((math.log2(max(one, _LEAST_SIZE)) for one in documents), reverse=True):
        if size < largest - _ALIKE:
            levels.append(0)
            largest = size
        levels[-1] += 1
    return max(levels)


def _documents(folder: Path) -> list[int]:
    """The documents of each segment, those that were removed among them."""
    listed = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["segments"]
    return [int(one["max_doc"]) for one in listed]


def segments(folder: Path) -> list[int]:
    """How many removed documents each segment of an index still holds."""
    listed = json.loads((folder / "meta.json").read_text(encoding="utf-8"))["segments"]
    return [(segment["deletes"] or {}).get("num_deleted_docs", 0) for segment in listed]


def _share(base: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    for path in sorted(base.iterdir()):
        if path.suffix == ".json":
            shutil.copyfile(path, folder / path.name)
        elif path.suffix != ".lock":
            _link(path, folder / path.name)


def _link(path: Path, target: Path) -> None:
    try:
        os.link(path, target)
    except OSError:
        shutil.copyfile(path, target)  # a file system without links
