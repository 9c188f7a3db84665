"""The strategy `catalog_expert` (Tulane 2.IV-2.VI): TF-IDF cosine plus the share of the question's words in the title.

A mode, `class` or `program`, has a space of its own: the other's documents are not there and weigh no word. How many
documents are given is decided by a token budget alone (`dynamic_top_k`): what a prompt leaves for them.

The paper's texts are prepared by spaCy, lemmas with whole names. The terms here are the index's own, which is the same
idea: lower case, stems for lemmas, no stop words, and neighbouring words as one term more, in the place of the names.
They find as well (`benchmarks/catalogue_terms.py`), and a gateway does without spaCy, which brings PyTorch with it.
"""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import get_args

from knowledge_graph.lake.records import Mode
from serving.assistant.generation.xml_context import document
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.retrieval.concept_aware import ConceptAware, SearchWeight, weigher
from serving.assistant.retrieval.direct import match
from serving.assistant.retrieval.dynamic_top_k import Count, fill
from serving.assistant.retrieval.tf_idf import TfIdf
from serving.assistant.understanding.understand import Understanding
from serving.index.analysis import analyse, content_terms
from serving.index.evidence import from_entry
from serving.index.schema import Entry
from serving.index.search import SearchIndex

TITLE_WEIGHT = 1.0
"""Weight of the title words beside the cosine: the paper adds them as they are (Tulane 2.V)."""

MOST_DOCUMENTS = 50_000
"""Documents of one space: the vectors of so many pages of 1,000 characters take about 0.5 GB."""

_KEPT_SPACES = 8
"""Spaces that are kept; the one unused for longest goes first."""

_BETWEEN = 2
"""Tokens between two documents: the ends of lines."""

Scope = tuple[str | None, Mode | None]

Room = Callable[[Understanding, str | None], int]
"""Tokens that the prompt of a question in a course leaves for documents, 0 or more."""

CATALOG_EXPERT = "catalog_expert"


@dataclass(frozen=True)
class Space:
    """The documents of one course and mode with their vectors and the words of their titles."""

    entries: tuple[Entry, ...]
    vectors: TfIdf
    titles: tuple[frozenset[str], ...]


class Spaces:
    """The spaces of one index version, each made once and kept: by `prepare` when the index is opened, else when it is
    first asked for. Safe to share by threads."""

    def __init__(self, index: SearchIndex, *, most: int = MOST_DOCUMENTS) -> None:
        self._index, self._most = index, most
        self._kept: OrderedDict[Scope, Space | None] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, course_id: str | None, mode: Mode | None) -> Space | None:
        """The space of what may answer in a course; `None` when it has more than the most documents."""
        scope = (course_id, mode)
        with self._lock:
            if scope not in self._kept:
                self._kept[scope] = self._make_space(course_id, mode)
                if len(self._kept) > _KEPT_SPACES:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(scope)
            return self._kept[scope]

    def prepare(self, course_ids: Iterable[str]) -> None:
        """Make the spaces of the courses, and of the modes that they have documents of, as many as are kept."""
        ids = list(course_ids)
        modes: tuple[Mode | None, ...] = (None, *get_args(Mode))
        scopes = ((course_id, mode) for mode in modes for course_id in ids)
        wanted = (
            one for one in scopes if one[1] is None or self._index.list_pairs(course_id=one[0], mode=one[1], most=1)
        )
        for course_id, mode in islice(wanted, _KEPT_SPACES):
            self.of(course_id, mode)

    def _make_space(self, course_id: str | None, mode: Mode | None) -> Space | None:
        entries = self._index.list_pairs(course_id=course_id, mode=mode, most=self._most + 1)
        if len(entries) > self._most:
            return None
        texts = (f"{one.section or ''}\n{one.title}\n{one.text}" for one in entries)
        titles = tuple(frozenset(content_terms(one.title)) for one in entries)
        return Space(tuple(entries), TfIdf([space_terms(text) for text in texts]), titles)


@dataclass(frozen=True)
class CatalogExpert:
    """Gives the best documents until `budget` tokens are full, or the `room` of a prompt where that is less.

    `count` counts them as they stand in a prompt, each with its tag.
    In a space with too many documents it falls back to the concept-aware ranking, with a note.
    """

    index: SearchIndex
    budget: int
    count: Count
    title_weight: float = TITLE_WEIGHT
    search_weight: SearchWeight = "h"
    decided_by: int = 5
    """Entries the direct decision looks at."""
    room: Room | None = None
    name: str = CATALOG_EXPERT
    spaces: Spaces = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "spaces", Spaces(self.index))

    async def retrieve(
        self, asked: Understanding, *, course_id: str | None, domains: Collection[str], mode: Mode | None = None
    ) -> Retrieved:
        by_words = ConceptAware(self.index, self.decided_by, self.search_weight)
        decided = await by_words.retrieve(asked, course_id=course_id, domains=domains, mode=mode)
        space = await asyncio.to_thread(self.spaces.of, course_id, mode)
        notes = () if space else (f"More than {MOST_DOCUMENTS:,} documents: ranked as concept_aware does.",)
        best_first = self._rank(asked, space, course_id, domains) if space else iter(decided.ranked)
        budget = self.budget if self.room is None else min(self.budget, self.room(asked, course_id))
        ranked = fill(best_first, budget, count=self.count, text=_text, between=_BETWEEN)
        return Retrieved(ranked, decided.best, False, self.name, (asked.question,), notes)

    def _rank(
        self, asked: Understanding, space: Space, course_id: str | None, domains: Collection[str]
    ) -> Iterator[PairCandidate]:
        """All documents of the space that score above 0, best first; made one by one, as far as they are wanted."""
        weigh = weigher(asked, course_id=course_id, domains=domains, search_weight=self.search_weight)
        scored = []
        for place, cosine, title in score_documents(asked.question, space):
            weight = weigh(space.entries[place])
            if (score := weight * (cosine + self.title_weight * title)) > 0:
                scored.append((score, space.entries[place], {"cosine": cosine, "title": title, "factor": weight}))
        for score, entry, parts in sorted(scored, key=lambda each: (-each[0], each[1].entry_id)):
            yield PairCandidate(entry, score, parts["factor"] * match(asked, entry, self.index), parts)


def score_documents(question: str, space: Space) -> list[tuple[int, float, float]]:
    """Place, cosine and title score of every document of which one is above 0."""
    asked = content_terms(question)
    cosines = space.vectors.cosines(space_terms(question)).tolist()
    return [
        (place, cosine, title)
        for place, (cosine, words) in enumerate(zip(cosines, space.titles, strict=True))
        if (title := title_score(asked, words)) + cosine > 0
    ]


def title_score(asked: Sequence[str], title: Collection[str]) -> float:
    """Share of the question's words that stand in the title, 0..1: |query & title| / |query| (Tulane 2.V)."""
    words = set(asked)
    return len(words & set(title)) / len(words) if words else 0.0


def space_terms(text: str) -> list[str]:
    """The terms of a text in the space: its content terms, repeats kept, and its pairs marked as such."""
    content = set(content_terms(text, strict=True))
    analysed = analyse(text)
    return [term for term in analysed.words if term in content] + [f"{pair} pair" for pair in analysed.pairs]


def _text(candidate: PairCandidate) -> str:
    return document(from_entry(1, candidate.entry))
