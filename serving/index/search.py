"""`SearchIndex`: BM25 search over one immutable index version.

Scores are Tantivy's BM25 (k1 = 1.2, b = 0.75) of the words plus `PAIR_WEIGHT` times that of the pairs. What they mean
for an answer is `serving.assistant.retrieval`'s.
"""

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import structlog
import tantivy

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Mode
from knowledge_graph.lake.tables import digest
from serving.index import confidence
from serving.index.analysis import content_terms, query_terms, terms
from serving.index.calibration import Beta, read_beta
from serving.index.schema import (
    KINDS,
    Entry,
    Kind,
    TextField,
    build_schema,
    from_payload,
    made_with,
    scopes,
    scopes_asked,
)
from serving.index.statistics import read_statistics

_REMOVALS = 5

log = structlog.get_logger(__name__)

PAIR_WEIGHT = 0.3
"""Weight of neighbouring words beside single ones: .2 to .5 do equally well on course FAQs (hit@1 .82 without, .87)."""

_AMPLY = 4
"""Times as many entries are looked for where some may have to be left out. A choice."""

_TIED = 4
_MOST_TIED = 2_000
"""Entries with the same score that are looked at to order them by id."""

REMEMBERED = 256
"""Searches whose hits are kept, the latest: some dozen questions'. A version never changes, so they stay true."""

_BROAD = 0.5
"""Share of all entries from which on a scope is looked up in what was found, and no filter of the search. A choice."""


class IndexMissing(CoteachError):
    """No index was built in this home, or none that this program can read."""


class IndexDamaged(IndexMissing):
    """An index was built, and its files are no longer what they were."""


def _require_whole(version: Path, files: Mapping[str, str]) -> None:
    """Compare each file with its SHA-256: Tantivy reads a wrong byte as it stands, and answers wrongly or fails."""
    for name, content in files.items():
        path = version / name
        if not path.is_file() or digest(path) != content:
            what = "is not what was built" if path.is_file() else "is gone"
            raise IndexDamaged(f"The search index is damaged: {path} {what}. Run `coteach build`.")


Shares = Callable[[str | None, str | None], bool]
"""Whether what the first course has may be shown in the second (`ConceptGraph.shares`)."""

Asked = tuple[tuple[str, ...], tuple[str, ...]]
"""The words and the pairs that are searched for."""


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
        self._statistics = read_statistics(folder)
        self.beta: Beta = read_beta(folder)
        """The calibrated threshold of direct answers that belongs to this version."""
        self._weights = lru_cache(maxsize=65536)(self._idf)
        self._sizes = lru_cache(maxsize=65536)(self._size)
        self._matches = lru_cache(maxsize=64)(self._match)  # one question is searched in several groups of sources
        self._docs = lru_cache(maxsize=16 * REMEMBERED)(self._doc)
        self._known = lru_cache(maxsize=16 * REMEMBERED)(self._by_id)
        self._found = lru_cache(maxsize=REMEMBERED)(self._within)
        self._visible: frozenset[str] | None = None
        self._shares: Shares | None = None

    @classmethod
    def open(cls, folder: Path, *, own_copy: bool = False) -> "SearchIndex":
        """The version that `folder/CURRENT` names.

        Its files are mapped into memory, and a file that is cut while it is mapped ends the process. `own_copy` maps a
        copy that nobody else can name: it is removed as soon as it is open, and its room is free when it is closed.

        Raises `IndexMissing` when there is none that can be read, `IndexDamaged` when its files are not what was built.
        """
        current = folder / "CURRENT"
        version = current.read_text(encoding="utf-8", errors="replace").strip() if current.is_file() else ""
        manifest = folder / version / "manifest.json"
        if not version or not manifest.is_file():
            raise IndexMissing(f"No search index in {folder}. Run `coteach build` first.")
        try:
            told = json.loads(manifest.read_text(encoding="utf-8"))
        except ValueError as error:
            raise IndexDamaged(f"{manifest} is damaged: {error}. Run `coteach build`.") from error
        if told.get("made_with") != made_with():
            raise IndexMissing(f"The search index in {folder} was made by another coteach. Run `coteach build` again.")
        if own_copy:
            return cls._copied(folder / version, told.get("files", {}))
        _require_whole(folder / version, told.get("files", {}))
        return cls(folder / version)

    @classmethod
    def _copied(cls, version: Path, files: Mapping[str, str]) -> "SearchIndex":
        """Over a copy, when the disk has room for one; what is compared with its digests is what will be read."""
        place: Path | None = None
        try:
            try:
                place = Path(tempfile.mkdtemp(prefix=".open-", dir=version.parent))
                copied = place / version.name
                shutil.copytree(version, copied)
            except (OSError, shutil.Error) as error:
                log.warning("index_not_copied", reason=str(error)[:200])
                _require_whole(version, files)
                return cls(version)
            _require_whole(copied, files)
            opened = cls(copied)
            opened.folder = version
            return opened
        finally:
            if place is not None:
                _remove(place)

    def within(self, visible: Collection[str] | None, shares: Shares | None) -> "SearchIndex":
        """The same index without entries of courses that are not `visible` (`None`: all are), and without those that
        their course does not share with the one that is asked."""
        seen = copy(self)
        seen._visible = None if visible is None else frozenset(visible)
        seen._shares = shares
        return seen

    def allows(self, entry: Entry, course_id: str | None) -> bool:
        """Whether an entry may be shown to those who ask in a course."""
        if entry.course_id is None or entry.course_id == course_id:
            return True
        is_seen = self._visible is None or entry.course_id in self._visible
        return is_seen and (self._shares is None or self._shares(entry.course_id, course_id))

    def counts(self) -> dict[Kind, dict[str, int]]:
        """Entries per kind and source, counted in the index itself."""
        return {kind: self._counts(kind) for kind in KINDS}

    def _counts(self, kind: Kind) -> dict[str, int]:
        searcher = self._searchers[kind]
        named = sorted(source for source, _ in searcher.terms_with_prefix("source", ""))
        queries = {source: tantivy.Query.term_query(self._schema, "source", source) for source in named}
        counted = {
            source: searcher.search(query, limit=1, count=True).count  # type: ignore[attr-defined]
            for source, query in queries.items()
        }
        return {source: count for source, count in counted.items() if count}

    def search(
        self,
        query: str | Sequence[str],
        *,
        kind: Kind = "qa",
        lang: str | None = None,
        course_id: str | None = None,
        sources: Collection[str] | None = None,
        subject: str | None = None,
        mode: Mode | None = None,
        k: int = 10,
    ) -> list[Hit]:
        """The `k` best entries for a text, or for terms already analysed; best first, ties by id.

        A text is searched by its content words and pairs, terms by themselves. `course_id` keeps passages of that
        course only; of QA pairs it keeps that course's, those of no course, and those of `EVERY_COURSE_SOURCES`. A
        `mode` keeps what a catalogue expert of that mode knows. `None` leaves a filter out.
        """
        words, pairs = query_terms(query) if isinstance(query, str) else (dict.fromkeys(query), ())
        if not words or k < 1:
            return []
        asked = (tuple(words), tuple(pairs))
        named = {"lang": lang, "subject": subject, "mode": mode}
        exact = tuple((name, value) for name, value in named.items() if value is not None)
        amply = k if self._visible is None and self._shares is None else _AMPLY * k
        found = self._found(kind, asked, exact, course_id, None if sources is None else tuple(sources), amply)
        return [hit for hit in found if self.allows(hit.entry, course_id)][:k]

    def _within(
        self,
        kind: Kind,
        asked: Asked,
        named: tuple[tuple[str, str], ...],
        course_id: str | None,
        sources: tuple[str, ...] | None,
        k: int,
    ) -> list[Hit]:
        """The `k` best; remembered by `_found`, as strategies and composers ask for the same again."""
        exact: dict[str, Collection[str]] = {name: [value] for name, value in named}
        if course_id is None:
            return self._filtered(kind, asked, exact if sources is None else exact | {"source": sources}, k)
        places = [place for place in scopes_asked(kind, course_id, sources) if self._sizes(kind, place)]
        if not places:
            return []
        found = None if exact else self._best_of_most(kind, asked, places, k)
        return self._filtered(kind, asked, exact | {"scope": places}, k) if found is None else found

    def _best_of_most(self, kind: Kind, asked: Asked, places: Sequence[str], k: int) -> list[Hit] | None:
        """The `k` best within scopes that most entries are in: searched without them, what is elsewhere passed over.

        `None` when it does not pay, or too few are found so. Over 50,000 pairs of one course this takes a fifth of the
        time that it takes Tantivy to walk through the list of those in the scope.
        """
        searcher, limit, within = self._searchers[kind], 2 * (k + _TIED), frozenset(places)
        if max(self._sizes(kind, place) for place in places) < _BROAD * searcher.num_docs:
            return None
        hits: list[Hit] = []
        found = searcher.search(self._matches(kind, *asked), limit=limit, count=False).hits
        for score, address in found:
            if len(hits) >= k and _rounded(score) < _rounded(hits[k - 1].score):
                return _in_order(hits, k)
            hit = self._hit(kind, score, address)
            if not within.isdisjoint(scopes(hit.entry.source, hit.entry.course_id)):
                hits.append(hit)
        return _in_order(hits, k) if len(found) < limit else None

    def _filtered(self, kind: Kind, asked: Asked, allowed: Mapping[str, Collection[str]], k: int) -> list[Hit]:
        filters = self._filters(allowed)
        clauses = [(tantivy.Occur.Must, clause) for clause in (self._matches(kind, *asked), *filters)]
        return self._best(kind, tantivy.Query.boolean_query(clauses) if filters else clauses[0][1], k)

    def _best(self, kind: Kind, query: tantivy.Query, k: int) -> list[Hit]:
        """The first `k` in the order of score, then id: all that tie with the last must be looked at."""
        searcher, limit = self._searchers[kind], k + _TIED
        while True:
            found = searcher.search(query, limit=limit, count=False).hits
            scores = [_rounded(score) for score, _ in found]
            if len(found) < limit or scores[-1] < scores[k - 1] or limit > _MOST_TIED:
                break
            limit *= 4
        wanted = [each for each, score in zip(found, scores, strict=True) if score >= scores[min(k, len(found)) - 1]]
        return _in_order([self._hit(kind, score, address) for score, address in wanted], k)

    def _hit(self, kind: Kind, score: float, address: tantivy.DocAddress) -> Hit:
        return Hit(self._docs(kind, address.segment_ord, address.doc), float(score))

    def _doc(self, kind: Kind, segment: int, doc: int) -> Entry:
        """What is stored at an address; several searches of one question find the same."""
        address = tantivy.DocAddress(segment, doc)
        return from_payload(self._searchers[kind].doc(address)["payload"][0])

    def entries(self, kind: Kind, ids: Iterable[str]) -> list[Entry]:
        """The entries with these ids, in their order; ids that are not there are passed over."""
        found = (entry for entry_id in ids if (entry := self._known(kind, entry_id)) is not None)
        return [entry for entry in found if self._visible is None or entry.course_id in (None, *self._visible)]

    def _by_id(self, kind: Kind, entry_id: str) -> Entry | None:
        query = tantivy.Query.term_query(self._schema, "entry_id", entry_id, index_option="basic")
        hits = self._searchers[kind].search(query, limit=1, count=False).hits
        return self._docs(kind, hits[0][1].segment_ord, hits[0][1].doc) if hits else None

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
        total = sum(each.totals.documents for each in self._statistics.values())
        return confidence.idf(total, sum(self._frequency(kind, "words", term)[1] for kind in KINDS))

    def _frequency(self, kind: Kind, name: TextField, term: str) -> tuple[int, int]:
        """In how many documents a term stands, as Tantivy counts and without removed ones."""
        counted = self._searchers[kind].doc_freq(name, term)
        return counted, self._statistics[kind].frequency(name, term, counted)

    def _size(self, kind: Kind, place: str) -> int:
        """How many entries a scope has, removed ones among them."""
        return self._searchers[kind].doc_freq("scope", place)

    def raw(self, kind: Kind) -> tuple[tantivy.Searcher, tantivy.Schema]:
        """Tantivy itself, to measure against."""
        return self._searchers[kind], self._schema

    def _match(self, kind: Kind, words: Sequence[str], pairs: Sequence[str]) -> tantivy.Query:
        clauses = [self._term(kind, "words", term, 1.0) for term in words]
        clauses += [self._term(kind, "pairs", term, PAIR_WEIGHT) for term in pairs]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, clause) for clause in clauses])

    def _term(self, kind: Kind, name: TextField, term: str, weight: float) -> tantivy.Query:
        query = tantivy.Query.term_query(self._schema, name, term, index_option="freq")
        statistics = self._statistics[kind]
        if not statistics.is_exact:
            weight *= statistics.correction(name, term, self._searchers[kind].doc_freq(name, term))
        return query if weight == 1 else tantivy.Query.boost_query(query, weight)

    def _filters(self, allowed: Mapping[str, Collection[str]]) -> list[tantivy.Query]:
        """Clauses that each keep the entries with one of the values of a field, and leave scores as they are."""
        listed = [(name, sorted(values)) for name, values in allowed.items()]
        return [tantivy.Query.const_score_query(self._any_of(name, values), 0.0) for name, values in listed]

    def _any_of(self, field: str, values: Sequence[str]) -> tantivy.Query:
        """Plain term queries: on a million entries Tantivy's set query takes five times as long."""
        terms = [tantivy.Query.term_query(self._schema, field, value, index_option="basic") for value in values]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])


def _in_order(hits: Iterable[Hit], k: int) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-_rounded(hit.score), hit.entry.entry_id))[:k]


def _rounded(score: float) -> float:
    """Five digits: the last bits of a score depend on how the index was written, the order of hits should not."""
    return float(f"{score:.5g}")


def _remove(folder: Path) -> None:
    """Remove a folder in which the index that was opened in it may still write a lock file."""
    for _ in range(_REMOVALS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.01)
    log.warning("index_copy_not_removed", folder=str(folder))
