"""The tables of the graph without what only courses say that somebody may not see. Pure.

A name that several courses share stays, with what is left of it: a definition of another course goes, and so do the
mentions in its lectures.
"""

from collections.abc import Collection

import pyarrow as pa

from knowledge_graph.lake.tables import Row


def visible_concepts(concepts: pa.Table, course_ids: Collection[str]) -> pa.Table:
    seen = [_concept(row, course_ids) for row in concepts.to_pylist() if not _is_hidden(row, course_ids)]
    return pa.Table.from_pylist(seen, schema=concepts.schema)


def visible_edges(edges: pa.Table, course_ids: Collection[str]) -> pa.Table:
    seen = [_part(row, course_ids) for row in edges.to_pylist() if not _is_hidden(row, course_ids)]
    return pa.Table.from_pylist(seen, schema=edges.schema)


def _is_hidden(row: Row, course_ids: Collection[str]) -> bool:
    return not any(one in course_ids for one in row["course_ids"])


def _part(row: Row, course_ids: Collection[str]) -> Row:
    return {
        **row,
        "course_ids": [one for one in row["course_ids"] if one in course_ids],
        "evidence": [one for one in row["evidence"] or () if one["course_id"] in course_ids],
    }


def _concept(row: Row, course_ids: Collection[str]) -> Row:
    part = _part(row, course_ids)
    if row["definition_course_id"] is None or row["definition_course_id"] in course_ids:
        return part
    return {
        **part,
        "definition": None,
        "definition_kind": "none",
        "definition_locator": None,
        "definition_course_id": None,
    }
