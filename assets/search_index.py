"""Stage `search_index`: what the gateway searches."""

from dataclasses import asdict
from pathlib import Path

import dagster as dg
import pyarrow as pa
import pyarrow.parquet as pq

from assets.explanations import explanations
from assets.passages import passages
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import QA_PAIRS
from knowledge_graph.lake.seals import POINTER
from knowledge_graph.lake.source_kinds import PAIR_SOURCES, empty_sources
from orchestration.building.courses import INDEX_PLACE
from orchestration.building.materializations import build_of
from orchestration.partitions import HOME_POOL
from orchestration.reporting.column_lineage import declare_lineage
from orchestration.reporting.tables import column_schema, facts_of_files
from orchestration.resources import Inputs
from serving.index.build import build_index
from serving.index.lineage import record_build
from serving.index.search import SearchIndex
from serving.index.tables import Tables

_SHOWN_COURSES = 200
"""Courses named in a check, so that a page of a thousand opens as fast as one of ten."""

_OF_BOTH = ("source", "course_id", "lang", "subject", "mode", "locator")
_OF_PAIRS = ("section", "domains", "origin_id", "reviewer")
_OF_EXPLANATIONS = ("explanation", "explanation_kind")
_MADE_OF = {
    "entry_id": "qa_pairs.qa_id passages.passage_id",
    "title": "qa_pairs.question passages.title",
    "text": "qa_pairs.answer passages.text",
    **{name: f"qa_pairs.{name} passages.{name}" for name in _OF_BOTH},
    **{name: f"qa_pairs.{name}" for name in _OF_PAIRS},
    **{name: f"qa_pairs.{name} explanations.{name}" for name in _OF_EXPLANATIONS},
}
"""Of an `Entry`; its `kind` says which of the two tables it is from."""

_ENTRY = pa.schema(
    [
        ("kind", pa.string()),
        *((name, pa.string()) for name in ("entry_id", "title", "text")),
        *((name, QA_PAIRS.field(name).type) for name in (*_OF_BOTH, *_OF_PAIRS, *_OF_EXPLANATIONS)),
    ]
)


@dg.asset(
    deps=["qa_pairs", explanations, passages, INDEX_PLACE],
    group_name="search_index",
    kinds={"tantivy"},
    owners=["team:serving"],
    pool=HOME_POOL,
    code_version="6",
)
def search_index(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """An index of QA pairs with their explanations, and of passages, by the engine that is set; a running gateway
    follows it.

    Beside it, in `lineage.json`, stands which materializations it was made from.
    """
    tables = Tables(data_dir.qa_pairs, tuple(data_dir.tables("passages")), data_dir.explanations)
    report = build_index(tables, data_dir.index, place=inputs.index)
    record_build(data_dir.index, report.version, build_of(context, data_dir, report.version))
    changes = {kind: asdict(each) for kind, each in report.changes.items()}
    for kind, counts in changes.items():
        context.log.info(f"{kind}: " + ", ".join(f"{count:,} {what}" for what, count in counts.items()))
    return dg.MaterializeResult(
        metadata={
            **facts_of_files(data_dir.index / report.version, data_dir.index / POINTER),
            **declare_lineage(_MADE_OF),
            "dagster/column_schema": column_schema(_ENTRY),
            "dagster/row_count": sum(sum(each.values()) for each in report.counts.values()),
            "version": report.version,
            "engine": inputs.index.engine,
            "counts": report.counts,
            "changes": changes,
            "updated_in_place": report.updated,
            "beta": asdict(report.beta),
        },
        data_version=dg.DataVersion(report.version),
    )


@dg.asset_check(asset=search_index, blocking=True)
def index_counts_equal_the_tables(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """Per source, the index holds as many entries as the tables it was built from."""
    expected = {"qa": _per_source([data_dir.qa_pairs]), "passage": _per_source(data_dir.tables("passages"))}
    found = SearchIndex.open(data_dir.index).counts()
    return dg.AssetCheckResult(passed=found == expected, metadata={"tables": expected, "index": found})


@dg.asset_check(asset=search_index)
def every_kind_of_source_answers(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """Each kind of source has something to answer from (LittleMu 2.1); those that have nothing are named."""
    courses: dict[str, dict[str, int]] = {}
    for row in pq.ParquetFile(data_dir.qa_pairs).read(columns=["course_id", "source"]).to_pylist():
        counts = courses.setdefault(row["course_id"], dict.fromkeys(PAIR_SOURCES, 0))
        counts[row["source"]] += 1
    total = {str(name): sum(counts[name] for counts in courses.values()) for name in PAIR_SOURCES}
    empty = empty_sources(total)
    missing = "; ".join(f"{name}, which {PAIR_SOURCES[name].given_by} would give" for name in empty)
    return dg.AssetCheckResult(
        passed=not empty,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"No course has anything of: {missing}. Nothing is wrong where none is wanted." if empty else None,
        metadata={
            "pairs": total,
            "courses": len(courses),
            "pairs_of_courses": {name: courses[name] for name in sorted(courses)[:_SHOWN_COURSES]},
        },
    )


def _per_source(paths: list[Path]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for path in paths:
        for found in pq.ParquetFile(path).read(columns=["source"]).column("source").value_counts().to_pylist():
            counts[found["values"]] = counts.get(found["values"], 0) + found["counts"]
    return dict(sorted(counts.items()))
