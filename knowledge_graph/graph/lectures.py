"""Where concepts are taught: which passage to open for one, and which of them are taught together.

Belongs here: lectures and documents as places of evidence. Finding concepts by name or id is in `graph.py`.
"""

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from knowledge_graph.graph.ragged_array import Numbers, RaggedArray
from knowledge_graph.graph.records import GraphConcept, GraphEvidence
from knowledge_graph.lake.records import Span
from knowledge_graph.sources.videos import natural_key

NEAREST_MS = 120_000
"""How long after a concept was last spoken of a moment of the video still belongs to it. A choice."""


class Lectures:
    """The lectures and documents in which the evidence of `size` concepts stands, and the concepts of each."""

    def __init__(self, evidence: pa.Array, size: int) -> None:
        """`evidence` is the column of that name in `lake.GRAPH_CONCEPTS`."""
        found = pc.list_flatten(evidence)
        span = pc.struct_field(found, "span")
        name = pc.coalesce(pc.struct_field(span, "video_id"), pc.struct_field(span, "document"))
        places = pc.binary_join_element_wise(pc.struct_field(found, "course_id"), name, "\0").dictionary_encode()
        nowhere = len(places.dictionary)
        codes = pc.fill_null(places.indices, nowhere).to_numpy().astype(np.int64)
        pairs = np.unique(pc.list_parent_indices(evidence).to_numpy().astype(np.int64) * (nowhere + 1) + codes)
        rows, codes = np.divmod(pairs, nowhere + 1)
        somewhere = codes < nowhere
        self._codes = {name: code for code, name in enumerate(places.dictionary.to_pylist())}
        self._of = RaggedArray.group(rows[somewhere], codes[somewhere], size)
        self._concepts_in = RaggedArray.group(codes[somewhere], rows[somewhere], nowhere)

    def concepts_of(self, course_id: str, place: str) -> Numbers:
        """The rows of the concepts whose evidence stands in a video or document of a course."""
        code = self._codes.get(f"{course_id}\0{place}")
        return np.zeros(0, np.int64) if code is None else self._concepts_in[code]

    def taught_with(self, row: int, *, most: int) -> Numbers:
        """The concepts taught in the same lectures as concept `row`, at most `most`, nearest first.

        Nearness is the Jaccard index of the two sets of lectures; equal ones stand in order of their rows.
        """
        own = self._of[row]
        rows, shared = np.unique(self._concepts_in.all_of(own), return_counts=True)
        others = rows != row
        rows, shared = rows[others], shared[others]
        overlap = shared / (len(own) + self._of.lengths()[rows] - shared)
        nearest: Numbers = rows[np.lexsort((rows, -overlap))[:most]]
        return nearest


def concepts_at(concepts: Iterable[GraphConcept], course_id: str, video_id: str, at_ms: int) -> tuple[str, ...]:
    """Ids of the concepts whose evidence covers a moment of a video, else of those that ended last before it.

    Those that ended more than `NEAREST_MS` before do not count. In the order in which they are begun to be spoken of.
    """
    spans = []
    for concept in concepts:
        for one in concept.evidence:
            start, end = one.span.start_ms, one.span.end_ms
            if (one.course_id, one.span.video_id) == (course_id, video_id) and start is not None and start <= at_ms:
                spans.append((start, start if end is None else end, concept.concept_id))
    last = max((end for _, end, _ in spans), default=-NEAREST_MS - 1)
    if at_ms - last > NEAREST_MS:
        return ()
    least = min(last, at_ms)
    return tuple(dict.fromkeys(key for _, end, key in sorted(spans) if end >= least))


def place_of(concept: GraphConcept, course_id: str | None) -> GraphEvidence | None:
    """Where to learn it: its definition, else its first evidence, those of the course before those of others."""
    places = list(concept.evidence)
    at = concept.definition_locator
    if at and concept.definition_course_id and (at.video_id or at.document):
        span = Span(
            at.video_id, at.start_ms, at.end_ms, concept.definition or concept.name, at.document, at.page, at.article
        )
        places.insert(0, GraphEvidence(concept.definition_course_id, span))
    return min(places, key=lambda place: course_id not in (None, place.course_id), default=None)


def lecture_order(at: Span | None) -> tuple[int, tuple[tuple[int, int, str], ...], int]:
    """Lectures by name and time, documents by name and page after them, concepts without a place last."""
    if at is None:
        return 2, (), 0
    if at.video_id is not None:
        return 0, natural_key(at.video_id), at.start_ms or 0
    return 1, natural_key(at.document or ""), at.page or 0
