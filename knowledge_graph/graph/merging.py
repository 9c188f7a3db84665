"""The graph of all courses out of the graphs of each: fan-in of concepts and prerequisites.

Belongs here: which course's word counts when two courses know the same concept. Pure functions from tables to tables of
`lake.GRAPH_CONCEPTS` and `lake.GRAPH_PREREQUISITES`, column by column, as graphs of 600,000 concepts are merged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from knowledge_graph.graph.acyclic import weakest_of_cycles
from knowledge_graph.graph.ragged_array import Numbers
from knowledge_graph.graph.showing import DEFINITION_FROM, EDGE_FROM
from knowledge_graph.lake.records import DefinitionKind
from knowledge_graph.lake.schemas import (
    CONCEPTS,
    EVIDENCE,
    GRAPH_CONCEPTS,
    GRAPH_PREREQUISITES,
    MOST_EVIDENCE,
    PREREQUISITES,
)

_KINDS = get_args(DefinitionKind)  # the most trusted first
_PEELS = 50
"""Rounds after which edges that might still lie on a cycle are left to the repair. Each round costs one pass over them;
chains of prerequisites are rarely longer than this."""


def merge_concepts(tables: Iterable[pa.Table]) -> pa.Table:
    """Tables of `CONCEPTS` from any number of courses -> one of `GRAPH_CONCEPTS`, sorted by concept id.

    The course where a concept scores best names it; the definition is the most trusted kind, then the best-scored
    course's, of those sure enough to be shown; aliases, domains and courses are united, mentions added. The order of
    the rows does not matter.
    """
    rows = _only_shown(_sort(tables, CONCEPTS, ["concept_id"], "score"))
    groups = _Groups.of(rows, ["concept_id"])
    best = rows.take(groups.firsts)
    kinds = pc.index_in(rows["definition_kind"], value_set=pa.array(_KINDS)).to_numpy()
    source = rows.take(np.lexsort((kinds, groups.numbers))[groups.firsts])
    columns = {
        **{name: best[name] for name in ("concept_id", "name", "lang", "score")},
        "aliases": _other_names(groups, rows, best["name"]),
        **{name: source[name] for name in ("definition", "definition_kind", "definition_locator")},
        "definition_course_id": pc.if_else(pc.is_valid(source["definition"]), source["course_id"], None),
        "domains": groups.unite(*groups.flat(rows["domains"])),
        "course_ids": groups.unite(groups.numbers, rows["course_id"]),
        "mention_count": np.bincount(groups.numbers, rows["mention_count"].to_numpy(), len(groups)),
        "evidence": groups.evidence(rows),
    }
    return _table(columns, GRAPH_CONCEPTS)


def merge_prerequisites(tables: Iterable[pa.Table]) -> pa.Table:
    """Accepted rows of tables of `PREREQUISITES` from any number of courses -> one of `GRAPH_PREREQUISITES`, acyclic.

    Of the accepted edges only those sure enough to be shown. How sure that is, in the course that is surest of it, is
    the edge's probability here; the label model's own stands where nobody weighed it. Courses may contradict each
    other, so cycles are repaired again over all courses. Sorted by prerequisite, then concept.
    """
    ends = ["prerequisite_id", "concept_id"]
    rows = _sort((_select_shown_edges(table) for table in tables), PREREQUISITES, ends, "probability")
    groups = _Groups.of(rows, ends)
    best = rows.take(groups.firsts)
    columns = {
        **{name: best[name] for name in (*ends, "probability")},
        "course_ids": groups.unite(groups.numbers, rows["course_id"]),
        "evidence": groups.evidence(rows),
    }
    return _acyclic(_table(columns, GRAPH_PREREQUISITES))


@dataclass(frozen=True)
class _Groups:
    """Rows that are one concept or one edge: equal rows of a sorted table stand together."""

    numbers: Numbers
    """Number of each row's group, ascending from 0."""
    firsts: Numbers
    """The first row of each group."""

    @classmethod
    def of(cls, rows: pa.Table, names: Sequence[str]) -> "_Groups":
        new = np.ones(len(rows), dtype=bool)
        if len(rows):
            changes = (pc.not_equal(rows[name][1:], rows[name][:-1]).to_numpy() for name in names)
            new[1:] = np.logical_or.reduce([*changes])
        return cls(np.cumsum(new) - 1, np.flatnonzero(new))

    def __len__(self) -> int:
        return len(self.firsts)

    def flat(self, lists: pa.ChunkedArray) -> tuple[Numbers, pa.Array]:
        """The items of a column of lists, each with the number of its group."""
        column = lists.combine_chunks()
        return self.numbers[pc.list_parent_indices(column).to_numpy()], pc.list_flatten(column)

    def unite(self, numbers: Numbers, values: pa.Array) -> pa.ListArray:
        """The different values of each group, sorted."""
        pairs = pa.table({"group": numbers, "value": values}).group_by(["group", "value"]).aggregate([])
        pairs = pairs.sort_by([("group", "ascending"), ("value", "ascending")])
        return self._lists(pairs["group"].to_numpy(), pairs["value"].combine_chunks())

    def evidence(self, rows: pa.Table) -> pa.ListArray:
        """The first few spans of each group with their courses."""
        lists = rows["evidence"].combine_chunks()
        parents = pc.list_parent_indices(lists).to_numpy()
        numbers = self.numbers[parents]
        places = np.arange(len(numbers)) - np.searchsorted(numbers, numbers)
        kept = places < MOST_EVIDENCE
        courses = rows["course_id"].combine_chunks().take(pa.array(parents[kept]))
        spans = pc.list_flatten(lists).filter(pa.array(kept))
        return self._lists(numbers[kept], pa.StructArray.from_arrays([courses, spans], fields=list(EVIDENCE)))

    def _lists(self, numbers: Numbers, values: pa.Array) -> pa.ListArray:
        offsets = np.searchsorted(numbers, np.arange(len(self) + 1))
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)


def _sort(tables: Iterable[pa.Table], schema: pa.Schema, keys: Sequence[str], measure: str) -> pa.Table:
    """All rows by `keys`, the course first that is surest; the votes are left behind. What an older build did not write
    is null.
    """
    names = [name for name in schema.names if name != "votes"]
    rows = pa.concat_tables([schema.empty_table(), *tables], promote_options="default").select(names)
    order = [*((key, "ascending") for key in keys), (measure, "descending"), ("course_id", "ascending")]
    return rows.take(pc.sort_indices(rows, order)).combine_chunks()


def _only_shown(concepts: pa.Table) -> pa.Table:
    """Concepts without the definitions that are not sure enough; they keep their evidence, the place to learn them."""
    shown = pc.fill_null(pc.greater_equal(concepts["definition_confidence"], DEFINITION_FROM), True)
    hidden = {"definition": None, "definition_kind": "none", "definition_locator": None}
    for name, instead in hidden.items():
        at = concepts.schema.get_field_index(name)
        kind = concepts.schema.field(name)
        concepts = concepts.set_column(at, kind, pc.if_else(shown, concepts[name], pa.scalar(instead, kind.type)))
    return concepts


def _select_shown_edges(edges: pa.Table) -> pa.Table:
    edges = pa.concat_tables([PREREQUISITES.empty_table(), edges], promote_options="default")
    edges = edges.filter(
        pc.and_(edges["accepted"], pc.fill_null(pc.greater_equal(edges["confidence"], EDGE_FROM), True))
    )
    at = edges.schema.get_field_index("probability")
    return edges.set_column(at, "probability", pc.coalesce(edges["confidence"], edges["probability"]))


def _other_names(groups: _Groups, rows: pa.Table, main: pa.ChunkedArray) -> pa.ListArray:
    numbers, aliases = groups.flat(rows["aliases"])
    numbers = np.concatenate([groups.numbers, numbers])
    names = pa.concat_arrays([rows["name"].combine_chunks(), aliases])
    other = pc.not_equal(names, main.combine_chunks().take(pa.array(numbers)))
    return groups.unite(numbers[other.to_numpy(zero_copy_only=False)], names.filter(other))


def _acyclic(edges: pa.Table) -> pa.Table:
    ends = [edges[name].to_pylist() for name in ("prerequisite_id", "concept_id")]
    suspects = {
        (ends[0][row], ends[1][row]): edges["probability"][row].as_py() for row in _perhaps_on_a_cycle(edges).tolist()
    }
    removed = weakest_of_cycles(suspects)
    return edges.filter(pa.array([edge not in removed for edge in zip(*ends, strict=True)], pa.bool_()))


def _perhaps_on_a_cycle(edges: pa.Table) -> Numbers:
    """Rows that are left when edges out of nodes without a way in, and into nodes without a way out, are peeled off."""
    count = len(edges)
    both = pa.chunked_array([*edges["prerequisite_id"].chunks, *edges["concept_id"].chunks], pa.string())
    codes = both.combine_chunks().dictionary_encode().indices.to_numpy()
    sources, targets = codes[:count], codes[count:]
    left = np.arange(count)
    for _ in range(_PEELS):
        entered = np.isin(sources[left], targets[left])
        left_on = np.isin(targets[left], sources[left])
        stays = entered & left_on
        if stays.all():
            break
        left = left[stays]
    return left


def _table(columns: dict[str, object], schema: pa.Schema) -> pa.Table:
    return pa.table({name: columns[name] for name in schema.names}).cast(schema)
