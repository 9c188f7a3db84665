"""What an engine of the index must do: the seam between what is coteach's and who keeps rows and finds them.

Above it, once for every engine: which terms a text has (`analysis`), which scopes may answer (`schema`), the order of
hits, what a match is worth (`confidence`), thresholds (`calibration`), versions and their publication (`build`), and
how words and meaning become one ranking (`serving.assistant.retrieval`). Below it: Tantivy, in files of the home that
one machine maps into memory, and LanceDB, in tables on a path or in an object store.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NotRequired, Protocol, TypedDict

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Mode
from models.embedding.embedder import Tokens
from serving.index.schema import Entry, Kind, VectorKind, index_format

if TYPE_CHECKING:
    from serving.index.tables import Rows

EngineName = Literal["tantivy", "lance"]

PAIR_WEIGHT = 0.3
"""Weight of neighbouring words beside single ones: .2 to .5 do equally well on course FAQs (hit@1 .82 without, .87)."""

TIED = 4
"""Entries looked for beyond those that are wanted, to see whether the last of them ties with the next."""
MOST_TIED = 2_000
"""Entries of equal score that are read to order them by id."""

Asked = tuple[tuple[str, ...], tuple[str, ...]]
"""The words and the pairs that are searched for."""

Vector = NDArray[np.float32]
"""A vector of unit length from an `Embedder`; a table of vectors has one row for each."""


class IndexMissing(CoteachError):
    """No index was built in this home, or none that this program can read."""


class IndexDamaged(IndexMissing):
    """An index was built, and its files are no longer what they were."""


class IndexUnreachable(IndexMissing):
    """An index was published, and where its tables are does not answer."""


@dataclass(frozen=True)
class Hit:
    """An entry and its BM25 score for one query, above 0 and without an upper end."""

    entry: Entry
    score: float


@dataclass(frozen=True)
class IndexPlace:
    """Where the next version of an index is to be built. `url` is a path or an object store's address, of LanceDB
    alone; `None`: in the home."""

    engine: EngineName = "tantivy"
    url: str | None = None

    def version(self) -> str:
        """What the planner compares: the engine, its address and what its files depend on, for an index that was made
        with anything else is refused."""
        library = [f"lancedb {metadata.version('lancedb')}"] if self.engine == "lance" else []
        return " ".join([self.engine, *([self.url] if self.url else []), index_format(), *library])


class EngineFacts(TypedDict):
    """What the manifest of a version says of an engine that keeps rows elsewhere; Tantivy's has none.

    `stem` ends the names of the version's tables, which no other tables ever had: what a process keeps in memory of a
    table is never another's. `made_at` is where they were when they were written: a version that shares rows with its
    base names them by that address.
    """

    name: EngineName
    url: str | None
    made_at: str
    stem: str


class Manifest(TypedDict):
    """`manifest.json` of a version; `base` is the full version it shares files with, itself when it is one.

    `files` holds the SHA-256 of each file that is searched, which a gateway compares when it opens the version.
    """

    version: str
    base: str
    made_with: str
    counts: dict[str, dict[str, int]]
    files: dict[str, str]
    engine: NotRequired[EngineFacts]


class IndexReader(Protocol):
    """One published version, opened by an engine. Safe to share between threads; what it finds never changes.

    `allowed` names fields of `FILTERS` with the values that an entry must have one of; an empty mapping allows all.
    """

    takes_time: bool
    """Whether a search may take so long, as in a store, that nobody else should wait for it meanwhile."""

    def best(self, kind: Kind, asked: Asked, allowed: Mapping[str, Collection[str]], k: int) -> list[Hit]:
        """The `k` best by BM25 (k1 = 1.2, b = 0.75) of the words plus `PAIR_WEIGHT` times that of the pairs, in the
        order of `in_order`."""
        ...

    def entries(self, kind: Kind, ids: Sequence[str]) -> list[Entry]:
        """The entries with these ids, in their order; ids that are not there are skipped."""
        ...

    def list_entries(self, kind: Kind, allowed: Mapping[str, Collection[str]], most: int) -> list[Entry]:
        """At most `most` of the entries that are allowed, in no order."""
        ...

    def counts(self, kind: Kind) -> dict[str, int]:
        """Entries per source, counted in the index itself."""
        ...

    def documents(self) -> int:
        """How many entries of all kinds there are."""
        ...

    def frequency(self, term: str) -> int:
        """In how many entries of all kinds a word stands."""
        ...

    def size(self, kind: Kind, scope: str) -> int:
        """About how many entries a scope has; 0 only when it has none."""
        ...


class IndexWriter(Protocol):
    """Writes versions of an index where its engine keeps them. `build.build_index` says when, and publishes them."""

    grace_s: float
    """How long a version that is no longer kept stays for readers who hold it, in seconds after the next was published;
    0 where open files outlast their removal."""

    def index_format(self) -> str:
        """What the rows of a version depend on; one made with anything else cannot be read."""
        ...

    def facts(self) -> EngineFacts | None:
        """What the manifest is to say of the engine."""
        ...

    def write(self, rows: "Rows", draft: Path, base: Path | None) -> None:
        """Make the version `draft.name` from the rows, or from the version `base` and what differs from it. What stays
        in the home is written below `draft`.

        Raises `UpdateUnfit` when `base` is not fit for it.
        """
        ...

    def open(self, draft: Path) -> IndexReader:
        """The version that was just written."""
        ...

    def may_update(self, base: Path) -> bool:
        """Whether a whole version can be the base of an update."""
        ...

    def holds(self, version: Path) -> bool:
        """Whether everything of a version that is not a file of the home is there."""
        ...

    def remove(self, version: str) -> None:
        """Remove what the engine keeps of a version, if anything."""
        ...


class UpdateUnfit(Exception):
    """An update that would not score as a rebuild does, or cost too much: everything is to be indexed again."""


class NearestNeighbours(Protocol):
    """The vectors of one build: ids and cosines, scoped as in `SearchIndex.search`."""

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
    ) -> list[tuple[str, float]]: ...
    def vectors(self, ids: Sequence[str], kind: VectorKind) -> dict[str, Vector]: ...
    def cosines(self, vector: Vector, ids: Sequence[str], kind: VectorKind) -> dict[str, float]: ...
    def token_cosines(self, tokens: Tokens, ids: Sequence[str], kind: VectorKind) -> dict[str, Vector]: ...


def in_order(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The first `k` by score, then by id: so ties are the same for every engine and every layout of its files."""
    return sorted(hits, key=lambda hit: (-round_score(hit.score), hit.entry.entry_id))[:k]


def round_score(score: float) -> float:
    """Five digits: the last bits of a score depend on how the index was written, the order of hits should not."""
    return float(f"{score:.5g}")
