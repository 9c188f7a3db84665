"""`SearchIndex`: BM25 search over one immutable index version, and `LiveIndex`, which follows `CURRENT`.

Scores are Tantivy's BM25 (k1 = 1.2, b = 0.75). What the scores mean for an answer is `serving.retrieval`'s.
"""

import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import tantivy

from knowledge_graph.problems import CoteachError
from serving.index import confidence
from serving.index.analysis import content_terms, terms
from serving.index.calibration import Beta, read_beta
from serving.index.schema import EVERY_COURSE_SOURCES, KINDS, Entry, Kind, build_schema, from_payload


class IndexMissing(CoteachError):
    """No index was built in this home."""


@dataclass(frozen=True)
class Hit:
    """An entry and its BM25 score for one query, above 0 and without an upper end."""

    entry: Entry
    score: float


class SearchIndex:
    """One version of the index. Safe to share between threads; never changes once opened."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.version = folder.name
        self._schema = build_schema()
        self._indexes = {kind: tantivy.Index.open(str(folder / kind)) for kind in KINDS}
        self._searchers = {kind: index.searcher() for kind, index in self._indexes.items()}
        self._weights = lru_cache(maxsize=65536)(self._idf)

    @classmethod
    def open(cls, folder: Path) -> "SearchIndex":
        """The version that `folder/CURRENT` names. Raises `IndexMissing` when there is none."""
        current = folder / "CURRENT"
        version = current.read_text(encoding="utf-8").strip() if current.is_file() else ""
        if not version or not (folder / version / "manifest.json").is_file():
            raise IndexMissing(f"No search index in {folder}. Run `coteach build` first.")
        return cls(folder / version)

    @property
    def beta(self) -> Beta:
        """The calibrated threshold of direct answers that belongs to this version."""
        return read_beta(self.folder)

    def counts(self) -> dict[str, dict[str, int]]:
        """Entries per kind and source, counted in the index itself."""
        return {kind: dict(sorted(found.terms_with_prefix("source", ""))) for kind, found in self._searchers.items()}

    def search(
        self,
        query: str | Sequence[str],
        *,
        kind: Kind = "qa",
        lang: str | None = None,
        course_id: str | None = None,
        sources: Collection[str] | None = None,
        k: int = 10,
    ) -> list[Hit]:
        """The `k` best entries for a text, or for terms already analysed; best first, ties by id.

        `course_id` keeps passages of that course only; of QA pairs it keeps that course's, those of no course, and
        those of `EVERY_COURSE_SOURCES`. `None` searches all courses.
        """
        wanted = list(dict.fromkeys(terms(query) if isinstance(query, str) else query))
        if not wanted or k < 1:
            return []
        filters = self._filters(kind, lang, course_id, sources)
        clauses = [(tantivy.Occur.Must, self._match(wanted))] + [(tantivy.Occur.Must, clause) for clause in filters]
        searcher = self._searchers[kind]
        found = searcher.search(tantivy.Query.boolean_query(clauses), limit=k, count=False)
        hits = [Hit(from_payload(searcher.doc(address)["payload"][0]), float(score)) for score, address in found.hits]
        return sorted(hits, key=lambda hit: (-hit.score, hit.entry.entry_id))

    def match(self, question: str, entry: Entry) -> float:
        """How well the stored question of `entry` matches `question`, from 0 to 1 (`confidence.overlap`)."""
        return confidence.overlap(content_terms(question), content_terms(entry.title), self._weights)

    def support(self, question: str, text: str) -> float:
        """How much of `question` is spoken of in `text`, from 0 to 1 (`confidence.share`)."""
        return confidence.share(content_terms(question), terms(text), self._weights)

    def idf(self, term: str) -> float:
        """Weight of a term over every entry of this version, above 0; the largest for a term never seen."""
        return self._weights(term)

    def _idf(self, term: str) -> float:
        found = self._searchers.values()
        return confidence.idf(sum(one.num_docs for one in found), sum(one.doc_freq("words", term) for one in found))

    def raw(self, kind: Kind) -> tuple[tantivy.Searcher, tantivy.Schema]:
        """Tantivy itself, to measure against."""
        return self._searchers[kind], self._schema

    def _match(self, wanted: Sequence[str]) -> tantivy.Query:
        clauses = [tantivy.Query.term_query(self._schema, "words", term, index_option="freq") for term in wanted]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, clause) for clause in clauses])

    def _filters(
        self, kind: Kind, lang: str | None, course_id: str | None, sources: Collection[str] | None
    ) -> list[tantivy.Query]:
        clauses = []
        if lang is not None:
            clauses.append(self._any_of("lang", [lang]))
        if sources is not None:
            clauses.append(self._any_of("source", sorted(sources)))
        if course_id is not None:
            own = self._any_of("course_id", [course_id] if kind == "passage" else ["", course_id])
            shared = self._any_of("source", sorted(EVERY_COURSE_SOURCES))
            allowed = [own] if kind == "passage" else [own, shared]
            clauses.append(tantivy.Query.boolean_query([(tantivy.Occur.Should, clause) for clause in allowed]))
        return [tantivy.Query.const_score_query(clause, 0.0) for clause in clauses]

    def _any_of(self, field: str, values: Sequence[str]) -> tantivy.Query:
        return tantivy.Query.term_set_query(self._schema, field, list(values))


class LiveIndex:
    """Follows `CURRENT`: each request takes `current()` once and keeps that version to its end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._stamp = self._look()
        self._index = SearchIndex.open(folder)

    def current(self) -> SearchIndex:
        """The newest version; one `stat` when nothing changed."""
        self.reload_if_changed()
        return self._index

    def reload_if_changed(self) -> bool:
        """Open the new version when `CURRENT` was swapped. Requests that hold the old one are not disturbed."""
        if self._look() == self._stamp:
            return False
        with self._lock:
            stamp = self._look()
            if stamp == self._stamp:
                return False
            self._index = SearchIndex.open(self._folder)
            self._stamp = stamp
            return True

    def _look(self) -> tuple[int, int]:
        current = self._folder / "CURRENT"
        if not current.exists():
            return (0, 0)
        found = current.stat()
        return (found.st_mtime_ns, found.st_ino)
