"""Stage `search_index`: the meaning of every entry as a vector, for search beside words."""

import dagster as dg

from assets.embedder import embedder, make_check_result, why_none
from assets.lecture_sentences import lecture_sentences
from assets.passages import passages
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import embeddings_schema
from knowledge_graph.lake.tables import digest
from models.embedding.published import open_embedder
from orchestration.building.courses import EMBEDDER_SOURCE, INDEX_PLACE
from orchestration.partitions import HOME_POOL
from orchestration.reporting.tables import Fact, table_facts
from orchestration.resources import Inputs
from serving.index.lance_vectors import publish_vectors
from serving.index.vectors import EntryTable, VectorsReport, embed_entries, entries_in, entries_per_language

_THREADS = 2


@dg.asset(
    deps=[embedder, EMBEDDER_SOURCE, INDEX_PLACE, "qa_pairs", passages, lecture_sentences],
    group_name="search_index",
    kinds={"onnx", "parquet"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="4",
)
def embeddings(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Vectors in the model's languages: of the question and of the answer of each pair, of each passage and of each
    sentence of a lecture or a document; and of each token of the sentences and of what is written, where the model
    knows them.

    A text is embedded once, whatever moves around it.
    """
    if reason := why_none(inputs):
        data_dir.embeddings.unlink(missing_ok=True)
        publish_vectors(data_dir.embeddings, data_dir.index, inputs.index)
        return dg.MaterializeResult(metadata={"none_because": reason}, data_version=dg.DataVersion("none"))
    report = embed_entries(
        _sources(data_dir),
        data_dir.embeddings,
        open_embedder(data_dir.embedder, api_key=inputs.embedder.api_key, threads=_THREADS),
        parts=data_dir.vector_parts,
        limit=inputs.embed_limit,
        on_line=context.log.info,
    )
    pointers = publish_vectors(data_dir.embeddings, data_dir.index, inputs.index)
    schema = embeddings_schema(report.model, report.dimension)
    return dg.MaterializeResult(
        metadata={
            **table_facts(data_dir.embeddings, report.rows, schema, *pointers),
            **_facts(report, inputs.embed_limit),
        },
        data_version=dg.DataVersion(digest(data_dir.embeddings)),
    )


def _facts(report: VectorsReport, limit: int) -> dict[str, Fact]:
    facts = {
        "model": report.model,
        "dimension": report.dimension,
        "entries": report.entries,
        "new": report.new,
        "reused": report.reused,
        "other_languages": dict(report.other_languages),
        "seconds": round(report.seconds, 1),
    }
    over = f"{report.entries:,} entries; COTEACH_EMBED_LIMIT is {limit:,}."
    return facts | ({"none_because": over} if report.over_limit else {})


@dg.asset_check(asset=embeddings)
def every_entry_has_a_vector(
    data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.AssetCheckResult:
    """Every entry in the model's languages can be found by its meaning; a warning when they are more than the limit."""
    if reason := why_none(inputs):
        return make_check_result(inputs, reason)
    counts = entries_per_language(_sources(data_dir))
    wanted = sum(count for lang, count in counts.items() if lang in inputs.embedder.all_languages)
    found = entries_in(data_dir.embeddings)
    others = ", ".join(sorted(counts.keys() - set(inputs.embedder.all_languages)))
    return dg.AssetCheckResult(
        passed=found == wanted,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"In {others} entries are found by their words alone." if others else None,
        metadata={"entries_with_a_vector": found, "entries": counts, "limit": inputs.embed_limit},
    )


def _sources(data_dir: DataDir) -> list[EntryTable]:
    return [
        EntryTable(data_dir.qa_pairs, "qa"),
        *(EntryTable(path, "passage") for path in data_dir.tables("passages")),
        *(EntryTable(path, "sentence") for path in data_dir.tables("lecture_sentences")),
        *(EntryTable(path, "sentence", is_written=True) for path in data_dir.tables("passages")),
    ]
