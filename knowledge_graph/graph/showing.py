"""What is fit to be shown to students: from which confidence on a definition or a prerequisite is.

Belongs here: the cuts and what follows from them for one record. How the confidences come about is in
`definitions/confidence.py` and `prerequisites/confidence.py`; why these cuts, in docs/decisions/0019.
"""

from collections.abc import Iterable
from dataclasses import replace

from knowledge_graph.lake.records import Concept, Prerequisite

DEFINITION_FROM = 0.80
"""The smallest of .50, .55, ... from which on 94% of the development labels were right (two points above the aim), each
judged by weights that had not seen it. `dbt_project.yml` has the same figure for the SQL."""
EDGE_FROM = 0.80
"""Likewise for prerequisites, at 87%, over all and without the samples."""
GIVEN_CONFIDENCE = 1.0
"""Confidence of what people state."""


def definition_to_show(concept: Concept) -> str | None:
    """The definition if it may be shown; one that nobody weighed is shown as it is."""
    sure = concept.definition_confidence is None or concept.definition_confidence >= DEFINITION_FROM
    return concept.definition if sure else None


def concept_as_shown(concept: Concept) -> Concept:
    """The concept without a definition that may not be shown: its evidence then says where it is spoken of."""
    if definition_to_show(concept) is not None:
        return concept
    return replace(concept, definition=None, definition_kind="none", definition_locator=None)


def edges_as_shown(edges: Iterable[Prerequisite]) -> list[Prerequisite]:
    """Those that are shown, as probable as they are sure."""
    return [
        one if one.confidence is None else replace(one, probability=one.confidence) for one in edges if is_shown(one)
    ]


def is_shown(edge: Prerequisite) -> bool:
    """Whether an edge is accepted and sure enough; one that nobody weighed is shown as it is."""
    return edge.accepted and (edge.confidence is None or edge.confidence >= EDGE_FROM)
