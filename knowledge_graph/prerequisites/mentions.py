"""Where the concepts of a course are mentioned, explained and called back to mind, sentence by sentence.

Belongs here: one pass over the text with the matcher, and the stretches that count as one talk. What follows from it
for two concepts is in `measures.py`.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from knowledge_graph.lake.records import Concept
from knowledge_graph.prerequisites.names import ConceptName, names_of
from knowledge_graph.prerequisites.wording import calls_back, explains
from knowledge_graph.text.matching import TermMatcher
from knowledge_graph.text.sentences import LectureSpan

LONGEST_STRETCH = 150
"""Sentences: a longer lecture or document is cut into equal stretches, so that what meets in one talk is near."""


@dataclass(frozen=True)
class Mentions:
    """The concepts that the text mentions, in the order given. Positions count sentences from the course's start."""

    concepts: tuple[Concept, ...]
    names: tuple[ConceptName, ...]
    positions: tuple[tuple[int, ...], ...]
    """By concept, ascending: the sentences that mention it."""
    by_sentence: tuple[tuple[int, ...], ...]
    """By sentence: the concepts (row numbers) it mentions, ascending."""
    explained: tuple[int | None, ...]
    """By concept: the first sentence that says what it is."""
    explained_with: tuple[frozenset[int], ...]
    """By concept: the other concepts that stand in a sentence that explains it, or in its definition."""
    titled: tuple[int | None, ...]
    """By concept: the first stretch whose title names it."""
    recalling: frozenset[int]
    """Sentences that call something back to mind."""
    stretch: tuple[int, ...]
    """By sentence: the number of the video, part of a long video, or document it belongs to."""

    @property
    def stretches(self) -> int:
        return self.stretch[-1] + 1 if self.stretch else 0


def find_mentions(concepts: Sequence[Concept], sentences: Sequence[LectureSpan]) -> Mentions:
    """One pass over the sentences of lectures and documents; concepts that are nowhere mentioned are left out."""
    matcher = TermMatcher((str(row), name) for row, one in enumerate(concepts) for name in (one.name, *one.aliases))
    positions: defaultdict[int, list[int]] = defaultdict(list)
    explained: dict[int, int] = {}
    explained_with: defaultdict[int, set[int]] = defaultdict(set)
    for at, sentence in enumerate(sentences):
        matches = [(int(key), match) for match in matcher.find(sentence.text) for key in match.keys]
        present = {row for row, _ in matches}
        for row in present:
            positions[row].append(at)
        for row in {row for row, match in matches if explains(sentence.text, match.start, match.end)}:
            explained.setdefault(row, at)
            explained_with[row] |= present - {row}
    for row, concept in enumerate(concepts):
        explained_with[row] |= _in(concept.definition or "", matcher) - {row}
    stretch = _stretches(sentences)
    titled = _title_mentions(sentences, stretch, matcher)
    return _compact(concepts, positions, explained, explained_with, titled, sentences, stretch)


def _compact(
    concepts: Sequence[Concept],
    positions: dict[int, list[int]],
    explained: dict[int, int],
    explained_with: dict[int, set[int]],
    titled: dict[int, int],
    sentences: Sequence[LectureSpan],
    stretch: tuple[int, ...],
) -> Mentions:
    kept = sorted(positions)
    place = {row: new for new, row in enumerate(kept)}
    by_sentence: list[list[int]] = [[] for _ in sentences]
    for row in kept:
        for at in positions[row]:
            by_sentence[at].append(place[row])
    return Mentions(
        concepts=tuple(concepts[row] for row in kept),
        names=tuple(names_of([(concepts[row].concept_id.partition(":")[2], concepts[row].lang) for row in kept])),
        positions=tuple(tuple(positions[row]) for row in kept),
        by_sentence=tuple(map(tuple, by_sentence)),
        explained=tuple(explained.get(row) for row in kept),
        explained_with=tuple(frozenset(place[o] for o in explained_with[row] if o in place) for row in kept),
        titled=tuple(titled.get(row) for row in kept),
        recalling=frozenset(at for at, one in enumerate(sentences) if by_sentence[at] and calls_back(one.text)),
        stretch=stretch,
    )


def _in(text: str, matcher: TermMatcher) -> set[int]:
    return {int(key) for match in matcher.find(text) for key in match.keys}


def _title_mentions(sentences: Sequence[LectureSpan], stretch: Sequence[int], matcher: TermMatcher) -> dict[int, int]:
    first: dict[int, int] = {}
    seen: set[tuple[str, str]] = set()
    for sentence, number in zip(sentences, stretch, strict=True):
        if (sentence.video_id, sentence.video_title) not in seen:
            seen.add((sentence.video_id, sentence.video_title))
            for row in sorted(_in(sentence.video_title, matcher)):
                first.setdefault(row, number)
    return first


def _stretches(sentences: Sequence[LectureSpan]) -> tuple[int, ...]:
    numbers: list[int] = []
    for _, group in groupby(sentences, key=lambda one: (one.document, one.video_id)):
        length = sum(1 for _ in group)
        parts = -(-length // LONGEST_STRETCH)
        start = numbers[-1] + 1 if numbers else 0
        numbers += [start + at * parts // length for at in range(length)]
    return tuple(numbers)


def mention_counts(mentions: Mentions) -> list[Counter[int]]:
    """By concept: in how many sentences of each stretch it is mentioned."""
    return [Counter(mentions.stretch[at] for at in positions) for positions in mentions.positions]
