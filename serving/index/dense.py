"""`DenseIndex`: the entries whose vectors are nearest to a question's, by exact cosine over all of them.

An entry is as near as the nearest of its vectors. What makes them is `models.embedding`, and their table `vectors.py`.
Exact, with no approximate index beside it: a search among 50,000 pairs, 100,000 vectors of 384 numbers, takes 15 ms on
one core, and they take 154 MB. Tokens of sentences are kept as they are stored, 1.7 KB a sentence.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Mode
from models.embedding.embedder import TOKEN_LENGTH, Tokens
from serving.index.engine import Vector
from serving.index.schema import VECTOR_KINDS, VectorKind, list_scopes, scopes

_BATCH = 8192
_FACTS = ("kind", "entry_id", "source", "course_id", "lang", "mode")
_DIGITS = 6
"""Digits of a cosine that count: the last bits depend on where a vector lies in memory, the order should not."""
_SAME = 10**-_DIGITS


class VectorsMissing(CoteachError):
    """There is no table of vectors, or none with any vectors in it."""


class VectorsUnfit(CoteachError):
    """The vectors were made by another model than the one that is to ask, or the table is damaged."""


@dataclass(frozen=True)
class VectorsOf:
    """Which model made a table of vectors."""

    model: str
    dimension: int
    rows: int
    token_dimension: int = 0
    """Numbers of a token; 0 where none are kept."""


@dataclass(frozen=True)
class _StoredTokens:
    """The tokens of all rows, one below the other; those of row n are `rows[starts[n]:starts[n + 1]]`."""

    rows: Tokens
    starts: NDArray[np.int64]


@dataclass(frozen=True)
class _Run:
    """Neighbouring rows of one kind, course and source."""

    kind: VectorKind
    course_id: str | None
    source: str
    start: int
    stop: int


class _Labels:
    """A column of few different values, compared by number."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
        self._numbers = {value: number for number, value in enumerate(encoded.dictionary.to_pylist())}
        self.codes: NDArray[np.int32] = encoded.indices.to_numpy()
        self.values: list[str | None] = list(self._numbers)

    def equal(self, places: NDArray[np.intp], value: str) -> NDArray[np.bool_]:
        """Which of these rows have the value."""
        return np.asarray(self.codes[places] == self._numbers.get(value, -1))


class DenseIndex:
    """The vectors of one build, in memory. Safe to share between threads; never changes once opened."""

    def __init__(self, made: VectorsOf, facts: pa.Table, vectors: Vector, tokens: _StoredTokens) -> None:
        """`facts` and `vectors` have the rows of the table, in its order: those of one entry are neighbours."""
        self.model = made.model
        self.dimension = made.dimension
        self._vectors = vectors
        self._vectors.flags.writeable = False
        self._tokens = tokens
        self._ids: list[str] = facts.column("entry_id").to_pylist()
        self._langs, self._modes = _Labels(facts.column("lang")), _Labels(facts.column("mode"))
        self._runs = _runs(facts)
        self._is_first = _first_of_entries(facts, self._runs)
        self._places: dict[VectorKind, dict[str, slice]] = {kind: {} for kind in VECTOR_KINDS}
        for run in self._runs:
            starts = (np.flatnonzero(self._is_first[run.start : run.stop]) + run.start).tolist()
            for start, stop in zip(starts, [*starts[1:], run.stop], strict=True):
                self._places[run.kind][self._ids[start]] = slice(start, stop)

    @classmethod
    def open(cls, path: Path, *, model: str, dimension: int) -> "DenseIndex":
        """The table at `path`, if `model` made it.

        Raises `VectorsMissing` when there is none or an empty one, `VectorsUnfit` when another model made it.
        """
        found = vectors_of(path)
        if (found.model, found.dimension) != (model, dimension):
            raise VectorsUnfit(
                f"The vectors of {path} are by {found.model} with {found.dimension} numbers each; the embedder in use "
                f"is {model} with {dimension}. Run `coteach build`."
            )
        if not found.rows:
            raise VectorsMissing(f"{path} holds no vectors. The page of the asset `embeddings` in Dagster says why.")
        return cls(found, *_read(path, found))

    def counts(self) -> dict[VectorKind, int]:
        """Entries with a vector, per kind."""
        return {kind: len(places) for kind, places in self._places.items()}

    def search(
        self,
        vector: Vector,
        *,
        kind: VectorKind = "qa",
        course_id: str | None = None,
        platforms: Collection[str] = (),
        sources: Collection[str] | None = None,
        lang: str | None = None,
        mode: Mode | None = None,
        k: int = 10,
    ) -> list[tuple[str, float]]:
        """The ids and cosines (-1..1) of the `k` entries nearest to `vector`; best first, ties by id.

        The cosine of an entry is the largest of its vectors'. `vector` has `dimension` numbers and length 1, else
        `ValueError`. Which entries a filter keeps is said at `SearchIndex.search`; `None` leaves it out. The FAQ
        of `platforms` answers in the course, too (`SearchIndex.platforms_for`).
        """
        places, cosines = self._compare(kind, self._comparable(vector), course_id, sources, platforms)
        for asked, labels in ((lang, self._langs), (mode, self._modes)):
            if asked is not None:
                keep = labels.equal(places, asked)
                places, cosines = places[keep], cosines[keep]
        return self._best(*self._by_entry(places, cosines), k)

    def vectors(self, ids: Sequence[str], kind: VectorKind) -> dict[str, Vector]:
        """One vector of each entry, read only: a passage's, a pair's answer. Ids without one are left out."""
        places = self._places[kind]
        return {each: self._vectors[places[each].stop - 1] for each in ids if each in places}

    def cosines(self, vector: Vector, ids: Sequence[str], kind: VectorKind) -> dict[str, float]:
        """The cosine that `search` would give each of these entries; ids without a vector are left out."""
        asked, places = self._comparable(vector), self._places[kind]
        known = [each for each in dict.fromkeys(ids) if each in places]
        if not known:
            return {}
        slices = [places[each] for each in known]
        found = np.concatenate([self._vectors[each] for each in slices]) @ asked
        starts = np.cumsum([0, *(each.stop - each.start for each in slices[:-1])])
        return {each: _round(most) for each, most in zip(known, np.maximum.reduceat(found, starts), strict=True)}

    def token_cosines(self, tokens: Tokens, ids: Sequence[str], kind: VectorKind) -> dict[str, Vector]:
        """Of each token of a text the largest cosine with a token of an entry: (tokens,), for entries that have any."""
        places, starts = self._places[kind], self._tokens.starts
        rows = {each: places[each].stop - 1 for each in dict.fromkeys(ids) if each in places}
        stored = {each: self._tokens.rows[starts[row] : starts[row + 1]] for each, row in rows.items()}
        return largest_cosines(tokens, {each: found for each, found in stored.items() if len(found)})

    def _comparable(self, vector: Vector) -> Vector:
        if vector.shape != (self.dimension,):
            raise ValueError(f"A vector of {self.dimension} numbers is compared here; given is one of {vector.shape}.")
        return vector.astype(np.float32, copy=False)

    def _compare(
        self,
        kind: VectorKind,
        vector: Vector,
        course_id: str | None,
        sources: Collection[str] | None,
        platforms: Collection[str],
    ) -> tuple[NDArray[np.intp], Vector]:
        """Rows that are in scope, and their cosines."""
        stretches = list(_stretches(self._runs, kind, course_id, sources, platforms))
        if not stretches:
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.float32)
        places = np.concatenate([np.arange(start, stop) for start, stop in stretches])
        return places, np.concatenate([self._vectors[start:stop] @ vector for start, stop in stretches])

    def _by_entry(self, places: NDArray[np.intp], cosines: Vector) -> tuple[NDArray[np.intp], Vector]:
        """The first row of each entry and the largest of its cosines. Filters keep all rows of an entry or none."""
        if not len(places):
            return places, cosines
        starts = np.flatnonzero(self._is_first[places])
        return places[starts], np.maximum.reduceat(cosines, starts)

    def _best(self, places: NDArray[np.intp], cosines: Vector, k: int) -> list[tuple[str, float]]:
        """The first `k` by cosine, then id, considering all that tie with the last."""
        if k < 1 or not len(places):
            return []
        least = np.partition(cosines, -k)[-k] if k < len(cosines) else cosines.min()
        wanted = np.flatnonzero(cosines >= least - _SAME)
        found = [(self._ids[places[each]], _round(cosines[each])) for each in wanted]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]


def largest_cosines(tokens: Tokens, stored: Mapping[str, Tokens]) -> dict[str, Vector]:
    """Of each of `tokens` the largest cosine with one of each entry's: the terms of the sum in equation 3 of Khattab
    and Zaharia 2020. Entries have at least one token."""
    if not len(tokens) or not stored:
        return {}
    together = np.concatenate(list(stored.values()), dtype=np.float32)
    cosines = (tokens.astype(np.float32) / TOKEN_LENGTH**2) @ together.T
    starts = np.cumsum([0, *(len(each) for each in stored.values())])[:-1]
    return dict(zip(stored, np.maximum.reduceat(cosines, starts, axis=1).T, strict=True))


def vectors_of(path: Path) -> VectorsOf:
    """What made a table of vectors. Raises `VectorsMissing` when there is no file, `VectorsUnfit` for a damaged one."""
    if not path.is_file():
        raise VectorsMissing(f"No vectors in {path}. Run `coteach build`.")
    try:
        with pq.ParquetFile(path) as file:
            told = file.schema_arrow.metadata or {}
            token_dimension = int(told.get(b"token_dimension", 0))
            return VectorsOf(told[b"model"].decode(), int(told[b"dimension"]), file.metadata.num_rows, token_dimension)
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise VectorsUnfit(f"{path} cannot be read as a table of vectors: {error!r}. Run `coteach build`.") from error


def _read(path: Path, made: VectorsOf) -> tuple[pa.Table, Vector, _StoredTokens]:
    vectors = np.empty((made.rows, made.dimension), dtype=np.float32)
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            facts = file.read(columns=list(_FACTS))
            tokens = _read_tokens(file, made)
            done = 0
            for batch in file.iter_batches(_BATCH, columns=["vector"]):
                vectors[done : done + len(batch)] = batch.column(0).flatten().to_numpy().reshape(-1, made.dimension)
                done += len(batch)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise VectorsUnfit(f"{path} is damaged: {error}. Run `coteach build`.") from error
    return facts, vectors, tokens


def _read_tokens(file: pq.ParquetFile, made: VectorsOf) -> _StoredTokens:
    """The tokens of all rows; of a table that keeps none, none."""
    if not made.token_dimension:
        return _StoredTokens(np.empty((0, 1), dtype=np.int8), np.zeros(made.rows + 1, dtype=np.int64))
    found = [
        np.frombuffer(each or b"", dtype=np.int8)
        for batch in file.iter_batches(_BATCH, columns=["tokens"])
        for each in batch.column(0).to_pylist()
    ]
    sizes = [len(each) // made.token_dimension for each in found]
    rows = np.concatenate(found).reshape(-1, made.token_dimension) if found else np.empty((0, made.token_dimension))
    return _StoredTokens(np.asarray(rows, dtype=np.int8), np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]))


def _runs(facts: pa.Table) -> list[_Run]:
    """The table's runs; it is written so that they are few (`vectors.py`)."""
    kinds, course_ids, sources = (_Labels(facts.column(name)) for name in ("kind", "course_id", "source"))
    codes = np.stack([kinds.codes, course_ids.codes, sources.codes])
    starts = np.flatnonzero(np.append(True, (codes[:, 1:] != codes[:, :-1]).any(0))).tolist()
    return [
        _Run(
            kind=_kind(kinds.values[codes[0, start]]),
            course_id=course_ids.values[codes[1, start]],
            source=str(sources.values[codes[2, start]]),
            start=start,
            stop=stop,
        )
        for start, stop in zip(starts, [*starts[1:], len(facts)], strict=True)
    ]


def _kind(value: str | None) -> VectorKind:
    return next(kind for kind in VECTOR_KINDS if kind == value)


def _first_of_entries(facts: pa.Table, runs: Sequence[_Run]) -> NDArray[np.bool_]:
    """Which rows are the first of their entry."""
    ids = _Labels(facts.column("entry_id")).codes
    is_first = np.append(True, ids[1:] != ids[:-1])
    is_first[[run.start for run in runs]] = True
    return is_first


def _round(cosine: np.float32) -> float:
    return round(float(cosine), _DIGITS)


def _stretches(
    runs: Sequence[_Run],
    kind: VectorKind,
    course_id: str | None,
    sources: Collection[str] | None,
    platforms: Collection[str],
) -> Iterator[tuple[int, int]]:
    """Rows that may answer, as (start, stop) with neighbours joined."""
    wanted = None if course_id is None else set(list_scopes(kind, course_id, sources, platforms))
    start = stop = 0
    for run in runs:
        if run.kind != kind:
            continue
        if wanted is None:
            kept = sources is None or run.source in sources
        else:
            kept = not wanted.isdisjoint(scopes(run.source, run.course_id))
        if not kept:
            continue
        if run.start != stop:
            if stop > start:
                yield start, stop
            start = run.start
        stop = run.stop
    if stop > start:
        yield start, stop
