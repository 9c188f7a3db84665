"""The vectors of one build in a LanceDB table: searched where they are, none of them in memory.

Made of the table that `vectors.py` writes, which stays the build's own record of what was embedded. A search within a
course is exact: its rows are chosen first, and neighbours in the file. Over all courses, where there are many, it goes
by an index of clusters, and what that finds is weighed exactly.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from knowledge_graph.lake.records import Mode
from knowledge_graph.lake.tables import digest, write_text_atomic
from models.embedding.embedder import Tokens
from serving.index.dense import VectorsMissing, VectorsUnfit, largest_cosines, vectors_of
from serving.index.engine import MOST_TIED, TIED, IndexMissing, IndexPlace, Vector
from serving.index.lance_store import LanceStore, address_of, new_stem, reaching, vectors_table, where_clause
from serving.index.schema import VectorKind, list_scopes, scopes

POINTER = "vectors.json"
"""In the home's index, where vectors are in LanceDB: which table, and what made it."""

CLUSTERED_FROM = 200_000
"""Vectors from which there is an index of clusters: a search through fewer of them takes under a second. A choice."""
_ROWS_OF_A_CLUSTER = 1_000
_CLUSTERS_SEARCHED = 20
_REFINED = 4
"""Times as many candidates of the clusters are compared exactly."""
_ROUNDING = 1e-4
"""Most that LanceDB's order is off: it rounds the question's vector to two bytes a number."""

_BATCH = 8192
_VECTORS_AN_ENTRY = 2
_FACTS = ("kind", "entry_id", "lang", "mode")
_KEPT_TABLES = 2


class LanceVectors:
    """See `NearestNeighbours`. Safe to share between threads; what it finds never changes."""

    def __init__(self, store: LanceStore, name: str, *, model: str, dimension: int, rows: int) -> None:
        self.model, self.dimension, self._rows = model, dimension, rows
        self._address = store.address
        self._table = store.table(name)
        self._sizes = lru_cache(maxsize=4096)(self._size)

    @classmethod
    def open(cls, folder: Path, *, model: str, dimension: int) -> "LanceVectors":
        """The table that the pointer in `folder`, the home's index, names, if `model` made it.

        Raises `VectorsUnfit` when another model made it or the pointer is damaged, `VectorsMissing` when its table is
        gone, its store does not answer or LanceDB is not installed.
        """
        try:
            told = json.loads((folder / POINTER).read_text(encoding="utf-8"))
            name, url, made_by, rows = told["table"], told["url"], (told["model"], told["dimension"]), told["rows"]
        except (OSError, ValueError, KeyError) as error:
            raise VectorsUnfit(f"{folder / POINTER} is damaged: {error!r}. Run `coteach build`.") from error
        if made_by != (model, dimension):
            raise VectorsUnfit(
                f"The vectors of {name} are by {made_by[0]} with {made_by[1]} numbers each; the embedder in use is "
                f"{model} with {dimension}. Run `coteach build`."
            )
        if not rows:
            raise VectorsMissing(f"{name} holds no vectors. The page of the asset `embeddings` in Dagster says why.")
        try:
            return cls(LanceStore(address_of(url, folder)), name, model=model, dimension=dimension, rows=rows)
        except IndexMissing as error:
            raise VectorsMissing(str(error)) from error

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
        """See `DenseIndex.search`."""
        if k < 1:
            return []
        allowed: dict[str, Collection[str]] = {"kind": [kind]}
        named = {"lang": lang, "mode": mode}
        allowed |= {name: [value] for name, value in named.items() if value is not None}
        if course_id is not None:
            allowed["scope"] = list_scopes(kind, course_id, sources, platforms)
        elif sources is not None:
            allowed["source"] = sources
        asked, limit = self._comparable(vector), _VECTORS_AN_ENTRY * (k + TIED)
        while True:
            found, least = self._near(asked, allowed, limit)
            best = sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))[:k]
            if least is None or least < best[-1][1] - _ROUNDING or limit > MOST_TIED:
                return best
            limit *= 4

    def _near(
        self, vector: Vector, allowed: Mapping[str, Collection[str]], limit: int
    ) -> tuple[dict[str, float], float | None]:
        """Ids and the largest cosine of each, worked out here; and the least of `limit` cosines, when so many were
        found."""
        where = where_clause(allowed)
        with reaching(self._address):
            query = self._table.search(vector, query_type="vector", vector_column_name="vector").distance_type("dot")
            query = query.where(where, prefilter=True).limit(limit).select(["entry_id", "vector", "_distance"])
            if self._rows < CLUSTERED_FROM or self._sizes(where) < CLUSTERED_FROM:
                query = query.bypass_vector_index()
            else:
                query = query.nprobes(_CLUSTERS_SEARCHED).refine_factor(_REFINED)
            found = query.to_arrow()
        cosines: list[float] = (self._stack(found) @ vector).tolist()
        best: dict[str, float] = {}
        for entry_id, cosine in zip(found["entry_id"].to_pylist(), cosines, strict=True):
            best[entry_id] = max(best.get(entry_id, -1.0), round(cosine, 6))
        return best, min(cosines) if len(cosines) == limit else None

    def _stack(self, found: pa.Table) -> Vector:
        """The vectors of rows, one below the other."""
        halves = found["vector"].combine_chunks().flatten().to_numpy()
        return np.asarray(halves.reshape(-1, self.dimension), dtype=np.float32)

    def _size(self, where: str) -> int:
        return int(self._table.count_rows(where))

    def vectors(self, ids: Sequence[str], kind: VectorKind) -> dict[str, Vector]:
        """See `DenseIndex.vectors`."""
        found = self._by_id(ids, {"kind": [kind], "is_last": ["true"]})
        return {entry_id: rows[-1] for entry_id, rows in found.items()}

    def token_cosines(self, tokens: Tokens, ids: Sequence[str], kind: VectorKind) -> dict[str, Vector]:
        """See `DenseIndex.token_cosines`."""
        found = self._read_rows(ids, {"kind": [kind], "is_last": ["true"]}, "tokens")
        stored = {
            entry_id: np.frombuffer(each, dtype=np.int8).reshape(-1, tokens.shape[1])
            for entry_id, each in zip(found["entry_id"].to_pylist(), found["tokens"].to_pylist(), strict=True)
            if each
        }
        return largest_cosines(tokens, stored)

    def cosines(self, vector: Vector, ids: Sequence[str], kind: VectorKind) -> dict[str, float]:
        """See `DenseIndex.cosines`."""
        asked = self._comparable(vector)
        found = self._by_id(ids, {"kind": [kind]})
        return {entry_id: round(float((rows @ asked).max()), 6) for entry_id, rows in found.items()}

    def _by_id(self, ids: Sequence[str], allowed: Mapping[str, Collection[str]]) -> dict[str, Vector]:
        """The vectors of each entry that has any, in the order of `ids`."""
        found = self._read_rows(ids, allowed, "vector")
        rows = self._stack(found) if len(found) else np.empty((0, self.dimension), dtype=np.float32)
        places: dict[str, list[int]] = {}
        for place, entry_id in enumerate(found["entry_id"].to_pylist()):
            places.setdefault(entry_id, []).append(place)
        return {entry_id: rows[places[entry_id]] for entry_id in dict.fromkeys(ids) if entry_id in places}

    def _read_rows(self, ids: Sequence[str], allowed: Mapping[str, Collection[str]], column: str) -> pa.Table:
        """One column of the rows of these entries, beside their ids."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return pa.table({"entry_id": pa.array([], pa.string()), column: pa.array([], pa.null())})
        with reaching(self._address):
            query = self._table.search().where(where_clause({"entry_id": wanted, **allowed}))
            return query.limit(_VECTORS_AN_ENTRY * len(wanted)).select(["entry_id", column]).to_arrow()

    def _comparable(self, vector: Vector) -> Vector:
        if vector.shape != (self.dimension,):
            raise ValueError(f"A vector of {self.dimension} numbers is compared here; given is one of {vector.shape}.")
        return vector.astype(np.float32, copy=False)


def publish_vectors(path: Path, folder: Path, place: IndexPlace) -> list[Path]:
    """Put the table of vectors at `path` where the index is; the pointers to it in `folder`, the home's index.

    With Tantivy, and when there are none, vectors are read from `path` and nothing points elsewhere. Tables that were
    pointed at before stay for one publication more, for readers who hold them.
    """
    pointer = folder / POINTER
    before: list[str] = json.loads(pointer.read_text(encoding="utf-8"))["tables"] if pointer.is_file() else []
    if place.engine == "tantivy" or not path.is_file():
        pointer.unlink(missing_ok=True)
        return []
    store, version, made = LanceStore(address_of(place.url, folder)), digest(path)[:16], vectors_of(path)
    known = [one for one in before if f"-{version}-" in one and store.has(one)]
    name = known[0] if known else vectors_table(new_stem(version))
    if not known:
        _write(store, name, path, made.rows)
    tables = [name, *(one for one in before if one != name)]
    told: dict[str, object] = {"table": name, "tables": tables[:_KEPT_TABLES], "url": place.url}
    told |= {"model": made.model, "dimension": made.dimension, "rows": made.rows}
    folder.mkdir(parents=True, exist_ok=True)
    write_text_atomic(pointer, json.dumps(told, indent=2) + "\n")
    for old in tables[_KEPT_TABLES:]:
        store.drop(old)
    return [pointer]


def _write(store: LanceStore, name: str, path: Path, rows: int) -> None:
    """All rows of the table at `path`, and the indexes that a search goes by."""
    from lancedb.index import Bitmap, BTree, IvfSq, LabelList  # noqa: PLC0415  an extra, and a second to import

    with pq.ParquetFile(path) as file:
        vector = file.schema_arrow.field("vector")
        tokens = pa.field("tokens", pa.binary())
        schema = pa.schema([*((each, pa.string()) for each in (*_FACTS, "source", "is_last")), _SCOPE, vector, tokens])
        with reaching(store.address):
            data = pa.RecordBatchReader.from_batches(schema, _add_labels(file, schema))
            table = store.create(name, data, schema)
            if not rows:
                return
            table.create_index("entry_id", config=BTree())
            table.create_index("scope", config=LabelList())
            for column in ("kind", "source", "lang", "mode", "is_last"):
                table.create_index(column, config=Bitmap())
            if rows >= CLUSTERED_FROM:
                clusters = IvfSq(
                    distance_type="dot",
                    num_partitions=max(1, rows // _ROWS_OF_A_CLUSTER),
                    sample_rate=32,
                    max_iterations=10,
                )
                table.create_index("vector", config=clusters)


_SCOPE = pa.field("scope", pa.list_(pa.string()))


def _add_labels(file: pq.ParquetFile, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows with what they are filtered by; the last of an entry is marked, which may be in the batch before."""
    waiting: list[pa.Table] = []
    columns = [*_FACTS, "source", "course_id", "vector", "tokens"]
    for batch in file.iter_batches(_BATCH, columns=columns):
        table = pa.concat_tables([*waiting, pa.table(batch)]).combine_chunks()
        waiting = [table.slice(len(table) - 1)]
        yield from _mark_last(table, table.slice(1), schema)
    for last in waiting:
        yield from _mark_last(last, None, schema)


def _mark_last(table: pa.Table, following: pa.Table | None, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    own = list(zip(table["kind"].to_pylist(), table["entry_id"].to_pylist(), strict=True))
    after = (
        [None]
        if following is None
        else zip(following["kind"].to_pylist(), following["entry_id"].to_pylist(), strict=True)
    )
    is_last = ["true" if one != other else "false" for one, other in zip(own, after, strict=False)]
    kept = table.slice(0, len(is_last))
    sources, courses = kept["source"].to_pylist(), kept["course_id"].to_pylist()
    places = [scopes(source, course) for source, course in zip(sources, courses, strict=True)]
    columns = {"is_last": pa.array(is_last, pa.string()), "scope": pa.array(places, _SCOPE.type)}
    arrays = [columns[name] if name in columns else kept[name].combine_chunks() for name in schema.names]
    yield from pa.table(arrays, schema=schema).to_batches()
