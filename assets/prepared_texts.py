"""Stage `search_index`: texts as the catalogue expert compares them, prepared once (Tulane 2.II, 3.III)."""

import dagster as dg

from assets.catalog_pages import catalog_pages
from assets.concepts import concepts, read_concepts
from assets.passages import passages
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CatalogRecord, Passage, from_row, to_row
from knowledge_graph.lake.schemas import PREPARED_TEXTS
from knowledge_graph.lake.tables import read_rows
from orchestration.building.unchanged import unless_unchanged
from orchestration.partitions import HOME_POOL, courses
from orchestration.reporting.column_lineage import declared_lineage
from orchestration.reporting.tables import write_and_report

_MADE_OF = {name: f"passages.{name}" for name in ("passage_id", "course_id", "mode", "title", "text")}


@dg.asset(
    deps=[passages, catalog_pages, concepts],
    partitions_def=courses,
    group_name="search_index",
    kinds={"spacy", "parquet"},
    owners=["team:pipeline"],
    pool=HOME_POOL,
    code_version="1",
)
@unless_unchanged
def prepared_texts(context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """Passages of catalogues and documents in lemmas, with the names of programs, classes and concepts kept whole."""
    from knowledge_graph.text.preparation import known_names, prepare_texts  # noqa: PLC0415  spaCy brings torch: 3 to 6 s

    course_id = context.partition_key
    found = [from_row(Passage, row) for row in read_rows(data_dir.table("passages", course_id))]
    records = [from_row(CatalogRecord, row) for row in read_rows(data_dir.table("catalog_pages", course_id))]
    names = known_names(records, read_concepts(data_dir, course_id))
    prepared = prepare_texts([passage for passage in found if passage.source != "subtitle"], names)
    return write_and_report(
        data_dir.table("prepared_texts", course_id),
        [to_row(text) for text in prepared],
        PREPARED_TEXTS,
        metadata={"names": len(names), **declared_lineage(_MADE_OF)},
    )
