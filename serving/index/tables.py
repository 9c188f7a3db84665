"""The tables an index is made from, read in batches: `Rows` of QA pairs and passages, as entries with fingerprints.

DuckDB reads the Parquet files, so that a million rows are compared in a second and never all in memory.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from knowledge_graph.lake.changes import Changes
from knowledge_graph.lake.database import database, quote_path
from knowledge_graph.lake.schemas import EXPLANATIONS, PASSAGES, QA_PAIRS
from serving.index.schema import KINDS, Kind

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BATCH = 10_000
"""Rows in memory at once: 10 MB of usual QA pairs, 100 MB when every answer is a page long."""

_DUPLICATES_NAMED = 10

_QA = """
    select qa_id as id, source, course_id, lang, subject, mode, section, question as title, answer as text,
           {'entry_id': qa_id, 'kind': 'qa', 'source': source, 'course_id': course_id, 'lang': coalesce(lang, 'en'),
            'title': question, 'text': answer, 'section': section, 'subject': subject, 'mode': mode,
            'domains': domains, 'explanation': explanation, 'explanation_kind': explanation_kind,
            'locator': locator, 'origin_id': origin_id, 'reviewer': reviewer} as entry,
           content_hash, locator, domains, explanation, explanation_kind, origin_id, reviewer
    from qa_rows
"""
_EXPLAINED = """
    select pairs.* replace (
               coalesce(pairs.explanation, made.explanation) as explanation,
               case when pairs.explanation is null then made.explanation_kind else pairs.explanation_kind end
               as explanation_kind
           )
    from pair_rows as pairs
    left join (from explanation_rows where status = 'made') as made using (qa_id, content_hash)
"""
"""Pairs with the explanations that were made of them as they are now: of a changed pair the old one is not shown."""

_PASSAGE = """
    select passage_id as id, source, course_id, lang, subject, mode, null::varchar as section, title, text,
           {'entry_id': passage_id, 'kind': 'passage', 'source': source, 'course_id': course_id,
            'lang': coalesce(lang, 'en'), 'title': title, 'text': text, 'subject': subject, 'mode': mode,
            'domains': []::varchar[], 'locator': locator} as entry,
           content_hash, locator
    from passage_rows
"""
_VIEWS: dict[Kind, str] = {"qa": _QA, "passage": _PASSAGE}
_KEY: dict[Kind, str] = {"qa": "qa_id", "passage": "passage_id"}


_FACTS = "source, course_id, lang, subject, mode, content_hash, locator"
_FINGERPRINT: dict[Kind, str] = {
    "qa": f"{_FACTS}, section, domains, explanation, explanation_kind, origin_id, reviewer",
    "passage": f"{_FACTS}, title",
}


class IndexRow(NamedTuple):
    """One entry on its way into the index; `payload` is the JSON of its `Entry`."""

    id: str
    source: str
    course_id: str | None
    lang: str | None
    subject: str | None
    mode: str | None
    section: str | None
    title: str
    text: str
    payload: bytes


@dataclass(frozen=True)
class Tables:
    """The Parquet files an index is made from, with the lake's columns."""

    qa_pairs: Path
    passages: tuple[Path, ...]
    explanations: Path | None = None
    """Explanations of pairs that have none of their own; `None`, or no file there, when none were made."""


@dataclass(frozen=True)
class VersionDifference:
    """The ids of entries that one version has and another has not, or has with other content; sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Rows:
    """Every entry of the tables, through one DuckDB connection."""

    def __init__(self, connection: "DuckDBPyConnection") -> None:
        self._db = connection
        self._made: dict[Path | None, str] = {}

    def version(self, salt: str) -> str:
        """A digest of all entries, whatever their order, and of `salt`."""
        query = "select kind, count(*), bit_xor(hash(id, fingerprint)), sum(hash(fingerprint, id)) from entries"
        found = self._db.execute(f"{query} group by kind order by kind").fetchall()
        return hashlib.sha256(json.dumps([salt, metadata.version("duckdb"), *found], default=str).encode()).hexdigest()[
            :16
        ]

    def find_repeated_ids(self) -> list[str]:
        """The first ids that stand for two entries of a kind; empty when all is well."""
        # By digests first: that takes half the time, and nearly always ends it.
        if self._db.execute("select count(*) = count(distinct hash(kind, id)) from entries").fetchall()[0][0]:
            return []
        query = "select id from entries group by kind, id having count(*) > 1 order by id limit ?"
        return [row[0] for row in self._db.execute(query, [_DUPLICATES_NAMED]).fetchall()]

    def counts(self) -> dict[Kind, dict[str, int]]:
        """Entries per kind and source."""
        return {kind: dict(each) for kind, each in self._counts.items()}

    @cached_property
    def _counts(self) -> dict[Kind, dict[str, int]]:
        found: dict[Kind, dict[str, int]] = {kind: {} for kind in KINDS}
        query = "select kind, source, count(*) from entries group by all order by all"
        for kind, source, count in self._db.execute(query).fetchall():
            found[kind][source] = count
        return found

    def changes(self, fingerprints: Path | None) -> dict[Kind, Changes]:
        """How much changed since `fingerprints` were written; everything is new to `None`."""
        query = f"select kind, what, count(*) from {self._compare_once(fingerprints)} group by all"
        found: dict[Kind, dict[str, int]] = {kind: {} for kind in KINDS}
        for kind, what, count in self._db.execute(query).fetchall():
            found[kind][what] = count
        return {kind: Changes(**each) for kind, each in found.items()}

    def difference(self, fingerprints: Path) -> dict[Kind, VersionDifference]:
        """What changed since `fingerprints` were written."""
        query = f"select kind, what, id from {self._compare_once(fingerprints)} order by id"
        found: dict[Kind, dict[str, list[str]]] = {kind: {} for kind in KINDS}
        for kind, what, entry_id in self._db.execute(query).fetchall():
            found[kind].setdefault(what, []).append(entry_id)
        return {
            kind: VersionDifference(**{what: tuple(ids) for what, ids in each.items()}) for kind, each in found.items()
        }

    def _compare_once(self, fingerprints: Path | None) -> str:
        """The name of a table of what differs, made once for each past."""
        if fingerprints not in self._made:
            name = f"compared_{len(self._made)}"
            past = f"read_parquet({quote_path(fingerprints)})" if fingerprints else "(from entries limit 0)"
            self._db.execute(f"""
                create table {name} as
                select kind, id,
                       case when past.id is null then 'added' when now.id is null then 'removed' else 'changed' end
                       as what
                from entries as now full join {past} as past using (kind, id)
                where now.fingerprint is distinct from past.fingerprint
            """)
            self._made[fingerprints] = name
        return self._made[fingerprints]

    def write_fingerprints(self, path: Path) -> None:
        """Keep what a later `difference` compares with."""
        self._db.execute(f"copy (from entries) to {quote_path(path)} (format parquet, compression uncompressed)")

    def batches(self, kind: Kind, *, only: Sequence[str] | None = None) -> Iterator[list[IndexRow]]:
        """Entries of a kind, all of them or the `only` ones, `BATCH` at a time."""
        # Inside the view: DuckDB would otherwise make the JSON of every row before it chooses.
        chosen = "" if only is None else f"where {kind}_rows.{_KEY[kind]} in (select unnest(?::varchar[]))"
        columns = ", ".join(IndexRow._fields[:-1])
        query = f"select {columns}, encode(to_json(entry)::varchar) as payload from ({_VIEWS[kind]} {chosen})"
        for batch in self._db.sql(query, params=[] if only is None else [list(only)]).to_arrow_reader(BATCH):
            yield list(map(IndexRow._make, zip(*(column.to_pylist() for column in batch.columns), strict=True)))

    def faq_sample(self, size: int) -> list[str]:
        """The ids of at most `size` FAQ entries, always the same ones for the same rows."""
        query = "select id from entries where kind = 'qa' and source = 'faq' order by md5(id), id limit ?"
        return [row[0] for row in self._db.execute(query, [size]).fetchall()]


@contextmanager
def open_tables(tables: Tables) -> Iterator[Rows]:
    """The rows of `tables`; files may be replaced meanwhile, a rename does not disturb an open one."""
    with database() as db:
        explanations = [path for path in (tables.explanations,) if path is not None and path.exists()]
        for name, paths, schema in (
            ("pair_rows", (tables.qa_pairs,), QA_PAIRS),
            ("passage_rows", tables.passages, PASSAGES),
            ("explanation_rows", explanations, EXPLANATIONS),
        ):
            db.register(f"no_{name}", schema.empty_table())
            files = ", ".join(quote_path(path) for path in paths)
            db.execute(f"create view {name} as from {f'read_parquet([{files}])' if files else f'no_{name}'}")
        db.execute(f"create view qa_rows as {_EXPLAINED if explanations else 'from pair_rows'}")
        for kind, query in _VIEWS.items():
            db.execute(f"create view {kind}_entries as {query}")
        # Not the texts: their hash is a column, and reading it instead of them takes half the time.
        fingerprints = " union all ".join(
            f"select '{kind}' as kind, id, source, hash({facts}) as fingerprint from {kind}_entries"
            for kind, facts in _FINGERPRINT.items()
        )
        db.execute(f"create table entries as {fingerprints}")
        yield Rows(db)
