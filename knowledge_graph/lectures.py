"""Which concepts are taught together: those whose evidence stands in the same lectures and documents.

Belongs here: concepts and lectures by number. Names and ids are in `graph.py`.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from knowledge_graph.jagged import Jagged, Numbers


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
        self._of = Jagged.grouped(rows[somewhere], codes[somewhere], size)
        self._concepts_in = Jagged.grouped(codes[somewhere], rows[somewhere], nowhere)

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
