"""Everything the labelling functions may look at, computed once for a course.

Belongs here: where each concept is mentioned, and the `PairContext` of two concepts. Opinions are in `votes.py`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.matching import TermMatcher
from knowledge_graph.records import Concept
from knowledge_graph.text import Sentence, normal_form

_NEAR = 2  # sentences before and after a mention that are still about the concept
_RECALL = re.compile(
    r"\b(?:recall|remember|as a reminder|remind|we (?:have )?(?:already )?(?:saw|seen|talked about|learned|defined)|"
    r"last (?:time|week|lecture)|previous(?:ly)?|earlier|before we|already know|you know about|based on|building on|"
    r"review|relies on|depends on|need to know|as we know)\b"
    r"|复习|回顾|回忆|上节课|上一节|前面(?:讲|学|说|提|介绍)|之前(?:讲|学|说|提|介绍)|已经(?:讲|学|知道|介绍)|学过|讲过|还记得|基于|建立在",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ConceptContext:
    """One concept as the course shows it. Positions count sentences from the course's start."""

    concept: Concept
    normal: str
    mentions: frozenset[int]
    recalled: frozenset[int]
    """Mentions in sentences that call something back to mind."""
    first: int
    defined: int | None
    """Position of the definition when a lecture gives it."""
    titled: int | None
    """`video_index` of the first video named after the concept."""
    video_count: int
    in_definition: frozenset[str]
    """Ids of the concepts that its definition mentions."""


@dataclass(frozen=True)
class PairContext:
    """An ordered pair: should `a` be known before `b`? Shares lie between 0 and 1, `length` counts sentences."""

    a: ConceptContext
    b: ConceptContext
    together: int
    """Sentences about `b` that mention `a`, and the reverse, added."""
    a_near_b: float
    """Share of the mentions of `b` that have `a` nearby."""
    b_near_a: float
    a_recalled_near_b: int
    """Sentences that call `a` back to mind while `b` is taught."""
    b_recalled_near_a: int
    length: int

    def reverse(self) -> "PairContext":
        return PairContext(
            self.b, self.a, self.together, self.b_near_a, self.a_near_b, self.b_recalled_near_a,
            self.a_recalled_near_b, self.length,
        )  # fmt: skip


def concept_contexts(concepts: Sequence[Concept], spoken: Sequence[Sentence]) -> list[ConceptContext]:
    """The contexts of the concepts that the lectures mention, in the order given."""
    matcher = TermMatcher((c.concept_id, name) for c in concepts for name in (c.name, *c.aliases))
    mentions: dict[str, list[int]] = {concept.concept_id: [] for concept in concepts}
    for position, sentence in enumerate(spoken):
        for match in matcher.find(sentence.text):
            for key in match.keys:
                mentions[key].append(position)
    titles = _titles(spoken)
    recalls = {at for at, sentence in enumerate(spoken) if _RECALL.search(sentence.text)}
    return [
        _context(concept, frozenset(found), recalls, spoken, titles, matcher)
        for concept in concepts
        if (found := mentions[concept.concept_id])
    ]


def related_pairs(contexts: Sequence[ConceptContext], length: int, *, least_together: int = 2) -> Iterator[PairContext]:
    """Pairs that have anything to do with each other, each in one direction.

    They are taught together, or one stands in the other's name or definition.
    """
    if len(contexts) < 2:
        return
    near = _near_counts(contexts, length, [context.mentions for context in contexts])
    recalled = _near_counts(contexts, length, [context.recalled for context in contexts])
    for i, j in combinations(range(len(contexts)), 2):
        a, b = contexts[i], contexts[j]
        together = int(near[i, j] + near[j, i])
        if together >= least_together or _linked_by_words(a, b):
            yield PairContext(
                a, b, together,
                a_near_b=float(near[i, j]) / len(b.mentions),
                b_near_a=float(near[j, i]) / len(a.mentions),
                a_recalled_near_b=int(recalled[j, i]),
                b_recalled_near_a=int(recalled[i, j]),
                length=length,
            )  # fmt: skip


def _near_counts(
    contexts: Sequence[ConceptContext], length: int, said: Sequence[frozenset[int]]
) -> NDArray[np.float32]:
    """Entry (i, j): how many of the sentences `said[j]` lie near a mention of concept i."""
    around = np.zeros((len(contexts), length), dtype=np.float32)
    exact = np.zeros((len(contexts), length), dtype=np.float32)
    for row, context in enumerate(contexts):
        for position in context.mentions:
            around[row, max(0, position - _NEAR) : position + _NEAR + 1] = 1
        exact[row, sorted(said[row])] = 1
    counts: NDArray[np.float32] = around @ exact.T
    return counts


def _linked_by_words(a: ConceptContext, b: ConceptContext) -> bool:
    return (
        contains(a, b)
        or contains(b, a)
        or a.concept.concept_id in b.in_definition
        or b.concept.concept_id in a.in_definition
    )


def contains(longer: ConceptContext, shorter: ConceptContext) -> bool:
    """Whether one name adds words to the other: "binary tree" to "tree", "left leaning red black tree" to "black tree".

    The added words may stand inside when the head is the same: "binary search tree" contains "binary tree".
    """
    if longer.normal == shorter.normal:
        return False
    if longer.concept.lang == "zh":
        return shorter.normal in longer.normal
    if f" {shorter.normal} " in f" {longer.normal} ":
        return True
    words, parts = longer.normal.split(" "), shorter.normal.split(" ")
    return words[-1] == parts[-1] and set(parts) < set(words)


def _titles(spoken: Sequence[Sentence]) -> dict[int, str]:
    return {s.video_index: f" {normal_form(s.video_title, s.lang)} " for s in spoken}


def _context(
    concept: Concept,
    mentions: frozenset[int],
    recalls: set[int],
    spoken: Sequence[Sentence],
    titles: Mapping[int, str],
    matcher: TermMatcher,
) -> ConceptContext:
    normal = concept.concept_id.partition(":")[2]
    named = f" {normal} " if concept.lang == "en" else normal
    in_definition = {key for match in matcher.find(concept.definition or "") for key in match.keys}
    return ConceptContext(
        concept=concept,
        normal=normal,
        mentions=mentions,
        recalled=frozenset(mentions & recalls),
        first=min(mentions),
        defined=_defined_at(concept, mentions, spoken),
        titled=min((index for index, title in titles.items() if named in title), default=None),
        video_count=len({spoken[position].video_index for position in mentions}),
        in_definition=frozenset(in_definition - {concept.concept_id}),
    )


def _defined_at(concept: Concept, mentions: frozenset[int], spoken: Sequence[Sentence]) -> int | None:
    where = concept.definition_locator
    if where is None or where.video_id is None:
        return None
    at = (p for p in mentions if (spoken[p].video_id, spoken[p].start_ms) == (where.video_id, where.start_ms))
    return min(at, default=None)
