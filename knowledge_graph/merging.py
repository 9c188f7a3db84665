"""The graph of all courses out of the graphs of each: fan-in of concepts and prerequisites.

Belongs here: which course's word counts when two courses know the same concept. Pure functions from rows to rows of
`lake.GRAPH_CONCEPTS` and `lake.GRAPH_PREREQUISITES`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from knowledge_graph.lake import Row
from knowledge_graph.prerequisites.repair import Edge, weakest_of_cycles

_KINDS = ("subtitle", "document", "search", "dataset", "none")  # most trusted first: the lecturer's own words
_EVIDENCE = 5


def merge_concepts(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Rows of `CONCEPTS` from any number of courses -> rows of `GRAPH_CONCEPTS`, sorted by concept id.

    The course where a concept scores best names it; the definition is the most trusted kind, then the best-scored
    course's; aliases, domains and courses are united. The order of `rows` does not matter.
    """
    by_id: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_id[row["concept_id"]].append(row)
    return [_merged_concept(by_id[key]) for key in sorted(by_id)]


def merge_prerequisites(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Accepted rows of `PREREQUISITES` from any number of courses -> rows of `GRAPH_PREREQUISITES`, acyclic.

    An edge is as probable as in the course that is surest of it. Courses may contradict each other, so cycles are
    repaired again over all courses. Sorted by prerequisite, then concept.
    """
    by_edge: defaultdict[Edge, list[Row]] = defaultdict(list)
    for row in rows:
        if row["accepted"]:
            by_edge[row["prerequisite_id"], row["concept_id"]].append(row)
    cyclic = weakest_of_cycles({edge: max(r["probability"] for r in found) for edge, found in by_edge.items()})
    return [_merged_edge(edge, by_edge[edge]) for edge in sorted(by_edge) if edge not in cyclic]


def _merged_concept(rows: Sequence[Row]) -> dict[str, Any]:
    ranked = sorted(rows, key=lambda row: (-row["score"], row["course_id"]))
    best = ranked[0]
    source = min(ranked, key=lambda row: _KINDS.index(row["definition_kind"]))  # min keeps the first of equals
    names = {alias for row in rows for alias in (row["name"], *row["aliases"])} - {best["name"]}
    return {
        "concept_id": best["concept_id"],
        "name": best["name"],
        "aliases": sorted(names),
        "lang": best["lang"],
        "score": best["score"],
        "definition": source["definition"],
        "definition_kind": source["definition_kind"],
        "definition_locator": source["definition_locator"],
        "definition_course_id": source["course_id"] if source["definition"] else None,
        "domains": sorted({domain for row in rows for domain in row["domains"]}),
        "course_ids": sorted({row["course_id"] for row in rows}),
    }


def _merged_edge(edge: Edge, rows: Sequence[Row]) -> dict[str, Any]:
    ranked = sorted(rows, key=lambda row: (-row["probability"], row["course_id"]))
    spans: list[Mapping[str, Any]] = [span for row in ranked for span in row["evidence"]]
    return {
        "prerequisite_id": edge[0],
        "concept_id": edge[1],
        "probability": ranked[0]["probability"],
        "course_ids": sorted({row["course_id"] for row in rows}),
        "evidence": spans[:_EVIDENCE],
    }
