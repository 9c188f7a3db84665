"""One version in Tantivy: files of the home, mapped into memory.

Scores are Tantivy's BM25 of the words plus `PAIR_WEIGHT` times that of the pairs, corrected for removed entries that it
still counts (`statistics.py`).
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import tantivy

from serving.index.engine import MOST_TIED, PAIR_WEIGHT, TIED, Asked, Hit, in_order, round_score
from serving.index.schema import KINDS, Entry, Kind, TextField, build_schema, from_payload, scopes
from serving.index.statistics import read_statistics

_BROAD = 0.5
"""Share of all entries from which on a scope is looked up in what was found, and no filter of the search. A choice."""

_REMEMBERED = 4096
"""Entries that are kept by address and by id, the latest."""


class TantivyReader:
    """See `IndexReader`."""

    takes_time = False

    def __init__(self, folder: Path) -> None:
        self._schema = build_schema()
        self._indexes = {kind: tantivy.Index.open(str(folder / kind)) for kind in KINDS}
        self._searchers = {kind: index.searcher() for kind, index in self._indexes.items()}
        self._statistics = read_statistics(folder)
        self._sizes = lru_cache(maxsize=65536)(self._size)
        self._matches = lru_cache(maxsize=64)(self._match)  # one question is searched in several groups of sources
        self._docs = lru_cache(maxsize=_REMEMBERED)(self._doc)
        self._known = lru_cache(maxsize=_REMEMBERED)(self._by_id)

    def best(self, kind: Kind, asked: Asked, allowed: Mapping[str, Collection[str]], k: int) -> list[Hit]:
        if allowed.keys() == {"scope"}:
            found = self._best_of_most(kind, asked, allowed["scope"], k)
            if found is not None:
                return found
        filters = self._filters(allowed)
        clauses = [(tantivy.Occur.Must, clause) for clause in (self._matches(kind, *asked), *filters)]
        return self._best(kind, tantivy.Query.boolean_query(clauses) if filters else clauses[0][1], k)

    def _best_of_most(self, kind: Kind, asked: Asked, places: Collection[str], k: int) -> list[Hit] | None:
        """The `k` best within scopes that most entries are in: searched without them, what is elsewhere skipped.

        `None` when it does not pay, or too few are found so. Over 50,000 pairs of one course this takes a fifth of the
        time that it takes Tantivy to walk through the list of those in the scope.
        """
        searcher, limit, within = self._searchers[kind], 2 * (k + TIED), frozenset(places)
        if max(self._sizes(kind, place) for place in places) < _BROAD * searcher.num_docs:
            return None
        hits: list[Hit] = []
        found = searcher.search(self._matches(kind, *asked), limit=limit, count=False).hits
        for score, address in found:
            if len(hits) >= k and round_score(score) < round_score(hits[k - 1].score):
                return in_order(hits, k)
            hit = self._hit(kind, score, address)
            if not within.isdisjoint(scopes(hit.entry.source, hit.entry.course_id)):
                hits.append(hit)
        return in_order(hits, k) if len(found) < limit else None

    def _best(self, kind: Kind, query: tantivy.Query, k: int) -> list[Hit]:
        """The first `k` by score, then id: all that tie with the last must be read."""
        searcher, limit = self._searchers[kind], k + TIED
        while True:
            found = searcher.search(query, limit=limit, count=False).hits
            scores = [round_score(score) for score, _ in found]
            if len(found) < limit or scores[-1] < scores[k - 1] or limit > MOST_TIED:
                break
            limit *= 4
        wanted = [each for each, score in zip(found, scores, strict=True) if score >= scores[min(k, len(found)) - 1]]
        return in_order([self._hit(kind, score, address) for score, address in wanted], k)

    def _hit(self, kind: Kind, score: float, address: tantivy.DocAddress) -> Hit:
        return Hit(self._docs(kind, address.segment_ord, address.doc), float(score))

    def _doc(self, kind: Kind, segment: int, doc: int) -> Entry:
        """What is stored at an address; several searches of one question find the same."""
        address = tantivy.DocAddress(segment, doc)
        return from_payload(self._searchers[kind].doc(address)["payload"][0])

    def entries(self, kind: Kind, ids: Sequence[str]) -> list[Entry]:
        return [entry for entry_id in ids if (entry := self._known(kind, entry_id)) is not None]

    def _by_id(self, kind: Kind, entry_id: str) -> Entry | None:
        query = tantivy.Query.term_query(self._schema, "entry_id", entry_id, index_option="basic")
        hits = self._searchers[kind].search(query, limit=1, count=False).hits
        return self._docs(kind, hits[0][1].segment_ord, hits[0][1].doc) if hits else None

    def list_entries(self, kind: Kind, allowed: Mapping[str, Collection[str]], most: int) -> list[Entry]:
        searcher = self._searchers[kind]
        clauses = [tantivy.Query.all_query(), *(self._any_of(name, list(values)) for name, values in allowed.items())]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Must, clause) for clause in clauses])
        found = searcher.search(query, limit=most, count=False).hits
        payloads = (searcher.doc(address) for _, address in found)
        return [from_payload(document["payload"][0]) for document in payloads if document["payload"]]

    def counts(self, kind: Kind) -> dict[str, int]:
        searcher = self._searchers[kind]
        named = sorted(source for source, _ in searcher.terms_with_prefix("source", ""))
        queries = {source: tantivy.Query.term_query(self._schema, "source", source) for source in named}
        counted = {
            source: searcher.search(query, limit=1, count=True).count  # type: ignore[attr-defined]
            for source, query in queries.items()
        }
        return {source: count for source, count in counted.items() if count}

    def documents(self) -> int:
        return sum(each.totals.documents for each in self._statistics.values())

    def frequency(self, term: str) -> int:
        return sum(
            self._statistics[kind].frequency("words", term, self._searchers[kind].doc_freq("words", term))
            for kind in KINDS
        )

    def size(self, kind: Kind, scope: str) -> int:
        """Removed entries among them."""
        return self._sizes(kind, scope)

    def _size(self, kind: Kind, place: str) -> int:
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
