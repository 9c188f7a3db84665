"""Few-shot retriever (Maastricht 1.5): the stored QA pairs most like a question, as examples of how it is answered."""

from collections.abc import Collection
from dataclasses import dataclass

from serving.assistant.retrieval.fusion import in_order
from serving.assistant.retrieval.hybrid import DENSE_WEIGHT, combine_scores, supports
from serving.assistant.retrieval.lookup import Lookup
from serving.assistant.understanding.understand import Understanding
from serving.index.engine import Vector
from serving.index.schema import Entry

SOURCES = frozenset({"faq"})
"""Pairs that people wrote as question and answer; the others only stand in that form."""


@dataclass(frozen=True)
class FewShot:
    """The nearest pairs by words and meaning."""

    lookup: Lookup
    sources: frozenset[str] = SOURCES

    def nearest(
        self,
        asked: Understanding,
        vector: Vector | None = None,
        *,
        course_id: str | None,
        count: int,
        exclude: Collection[str] = (),
    ) -> tuple[Entry, ...]:
        """At most `count` pairs of the question's language, nearest first; by words alone without its `vector`.

        `exclude` names entries or origins to leave out. Whoever evaluates excludes the pair the question was taken
        from, or its answer would be in the prompt.
        """
        found = self.lookup.find(asked, asked.question, vector, course_id=course_id, domains=())
        scores = combine_scores(found, DENSE_WEIGHT, supports(found, found.factors))
        nearest = (found.entries[key] for key in in_order(scores))
        kept = [one for one in nearest if self._may_show(one, asked) and not _is_named(one, exclude)]
        return tuple(kept[:count])

    def _may_show(self, entry: Entry, asked: Understanding) -> bool:
        return entry.source in self.sources and entry.lang == asked.lang


def _is_named(entry: Entry, names: Collection[str]) -> bool:
    return entry.entry_id in names or entry.origin_id in names
