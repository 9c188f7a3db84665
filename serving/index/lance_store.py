"""Where LanceDB keeps an index: a folder or an address in an object store, with tables that are written once.

A version has three tables, named after it: its QA pairs, its passages, and how often each word and scope stands in
them. A table is never changed after its version was published, so readers of an old version are not disturbed by a new
one; an update is a shallow clone, which shares the rows of its base. Credentials of an object store are read by LanceDB
from the environment (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL`, …) and never by coteach.
"""

import hashlib
import uuid
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pyarrow as pa

from serving.index.analysis import ANALYSIS_VERSION
from serving.index.engine import IndexMissing, IndexUnreachable
from serving.index.schema import FORMAT_VERSION, Kind

LANCE_FORMAT = "1"
"""Raise it when the tables change."""

FOLDER = "lance"
"""Folder of the home's index when no address is set."""

ROWS = pa.schema(
    [
        *((name, pa.string()) for name in ("entry_id", "source", "lang", "subject", "mode")),
        ("scope", pa.list_(pa.string())),
        *((name, pa.string()) for name in ("words", "pairs")),
        ("payload", pa.binary()),
    ]
)
"""A row is an entry: what it is filtered by, its terms as `analysis` makes them joined by blanks, and its JSON."""

FREQUENCIES = pa.schema([("key", pa.uint64()), ("count", pa.uint32())])
"""In how many entries a word stands, over both kinds, and a scope in each kind; by `frequency_key`, sorted."""

INDEX_CACHE_BYTES = 1 << 30
METADATA_CACHE_BYTES = 1 << 28
"""Most that a process keeps in memory of indexes and of what describes files; LanceDB's own choice is 6 GB and 1 GB."""

_LISTED_AT_ONCE = 1_000

_REMEDY = "Install it with `pip install 'coteach[lance]'`, or build again with COTEACH_INDEX=tantivy."


def words_key(term: str) -> int:
    """The key of a word in `FREQUENCIES`."""
    return _key(f"words\t{term}")


def scope_key(kind: Kind, scope: str) -> int:
    """The key of a scope in `FREQUENCIES`."""
    return _key(f"{kind}\t{scope}")


def _key(text: str) -> int:
    """64 bits: among ten million terms two share a key with a chance of 3 in a million."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def rows_table(kind: Kind, stem: str) -> str:
    return f"{kind}-{stem}"


def frequencies_table(stem: str) -> str:
    return f"frequencies-{stem}"


def vectors_table(stem: str) -> str:
    return f"vectors-{stem}"


def new_stem(version: str) -> str:
    """What ends the names of the tables of one writing of a version."""
    return f"{version}-{uuid.uuid4().hex[:8]}"


def address_of(url: str | None, folder: Path) -> str:
    """The current address of a store; `folder` is the home's index."""
    return str(folder.absolute() / FOLDER) if url is None else url


def lance_made_with(url: str | None) -> str:
    """See `IndexWriter.index_format`. A store elsewhere holds other tables; one in the home moves with it."""
    versions = [metadata.version("jieba"), _lance().__version__]
    return " ".join(["lance", LANCE_FORMAT, FORMAT_VERSION, ANALYSIS_VERSION, *versions, url or "home"])


class LanceStore:
    """A store that was opened: its tables, with one cache for all of them in this process."""

    def __init__(self, address: str) -> None:
        self.address = address
        with reaching(address):
            self._db = _lance().connect(address, session=_session())

    def table(self, name: str) -> Any:
        """A LanceDB table. Raises `IndexMissing` when there is none of that name."""
        with reaching(self.address):
            try:
                return self._db.open_table(name)
            except ValueError as error:
                raise IndexMissing(f"{self.address} has no table {name}. Run `coteach build`.") from error

    def has(self, name: str) -> bool:
        """Whether a table is there and its rows can be read: those of a clone lie in its base."""
        try:
            with reaching(self.address):
                return self.table(name).search().limit(1).to_arrow() is not None
        except IndexMissing:
            return False

    def create(self, name: str, data: Any, schema: pa.Schema) -> Any:
        with reaching(self.address):
            return self._db.create_table(name, data, schema=schema)

    def clone(self, name: str, source: str) -> Any:
        """A table that shares the rows of another one."""
        with reaching(self.address):
            return self._db.clone_table(name, f"{self.address.rstrip('/')}/{source}.lance", is_shallow=True)

    def drop(self, name: str) -> None:
        with reaching(self.address):
            self._db.drop_table(name, ignore_missing=True)

    def drop_of(self, version: str) -> None:
        """Drop every table of a version, those of a writing that was stopped too."""
        with reaching(self.address):
            names: list[str] = []
            token = None
            while True:
                listed = self._db.list_tables(page_token=token, limit=_LISTED_AT_ONCE)
                names += listed.tables
                token = listed.page_token
                if not token:
                    break
            for name in names:
                if f"-{version}-" in name:
                    self.drop(name)


@contextmanager
def reaching(address: str) -> Iterator[None]:
    """What fails inside is the store's: LanceDB raises several built-in errors for what is not there or damaged.

    Raises `IndexUnreachable`, with the first line of what was said.
    """
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise IndexUnreachable(
            f"The index in {address} could not be used: {said[0][:300]}. Look whether the store answers and whether "
            "this process has its credentials (AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL, …); `coteach build` makes it again."
        ) from error


def where_clause(allowed: Mapping[str, Collection[str]]) -> str | None:
    """The SQL filter for entries that have one of the values in each field; `None` when all are allowed."""
    clauses = [
        f"array_has_any(scope, [{_sql_list(values)}])" if name == "scope" else f"{name} IN ({_sql_list(values)})"
        for name, values in sorted(allowed.items())
    ]
    if not all(allowed.values()):
        return "false"
    return " AND ".join(clauses) if clauses else None


def _sql_list(values: Collection[str]) -> str:
    return ", ".join("'" + value.replace("'", "''") + "'" for value in sorted(values))


@cache
def _lance() -> Any:
    """LanceDB, an extra. Raises `IndexMissing` when it is not installed."""
    try:
        import lancedb  # noqa: PLC0415  an extra, and a second to import
    except ImportError as error:
        raise IndexMissing(f"This index is kept by LanceDB, which is not installed. {_REMEDY}") from error
    return lancedb


@cache
def _session() -> Any:
    return _lance().Session(index_cache_size_bytes=INDEX_CACHE_BYTES, metadata_cache_size_bytes=METADATA_CACHE_BYTES)
