"""Stage `graph_scores`: how good a course's concepts and prerequisites are, told to MLflow at every build."""

from collections.abc import Sequence

import dagster as dg

from assets.concepts import concepts, read_concepts
from assets.documents import documents, read_sections
from assets.prerequisites import prerequisites, read_accepted
from assets.subtitles import read_cues, subtitles
from knowledge_graph.concepts.corpus import course_sentences
from knowledge_graph.concepts.evaluation import evaluate_concepts
from knowledge_graph.graph.showing import edges_as_shown
from knowledge_graph.labelling.analysis import FunctionReport
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Concept, Prerequisite, from_row
from knowledge_graph.lake.schemas import GRAPH_SCORES
from knowledge_graph.lake.source_reports import keep_report
from knowledge_graph.lake.tables import Row, read_rows
from knowledge_graph.prerequisites.evaluation import evaluate_pairs
from knowledge_graph.sources.course_files.reading import digests_by_file
from knowledge_graph.sources.gold import Gold, read_gold
from orchestration.building.courses import files_key
from orchestration.building.kept_results import unless_unchanged
from orchestration.partitions import HOME_POOL, courses
from orchestration.reporting.column_lineage import declare_lineage
from orchestration.reporting.tables import Fact, clean_input_spec, write_and_report
from orchestration.resources import Inputs

COTEACH, SHOWN = "coteach", "shown"
"""Systems of the table beside the baselines: all that a build accepts, and what of it students are shown."""

_TOP = 100

_MADE_OF = {
    "course_id": "concepts.course_id",
    "value": "concepts.name concepts.aliases concepts.rank subtitles.text documents.text "
    + " ".join(f"prerequisites.{name}" for name in ("prerequisite", "concept", "accepted", "confidence")),
}
"""The rest says of what kind a figure is."""


@dg.asset(
    deps=[concepts, prerequisites, subtitles, documents, files_key("gold")],
    check_specs=[clean_input_spec("graph_scores", courses)],
    partitions_def=courses,
    group_name="evaluation",
    kinds={"mlflow", "parquet"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="3",
)
@unless_unchanged
def graph_scores(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Figures against `gold/`, beside baselines, and every labelling function's record; no gold, no figures."""
    from models.tracking.graph import GraphRun, log_graph_run  # noqa: PLC0415  MLflow takes 4 s

    course_id = context.partition_key
    folder = inputs.course(course_id)
    gold, problems = read_gold(folder)
    digests = digests_by_file(folder, "gold")
    keep_report(data_dir, "graph_scores", course_id, digests=digests, records={}, problems=problems)
    found, edges = read_concepts(data_dir, course_id), read_accepted(data_dir, course_id)
    scores = _concept_scores(course_id, found, gold) + _pair_scores(data_dir, course_id, found, edges, gold)
    run = log_graph_run(
        GraphRun(
            course_id=course_id,
            params={
                "gold_concepts": gold.concepts_digest or "none",
                "gold_prerequisites": gold.pairs_digest or "none",
            },
            metrics=_counts(found, edges) | {_metric(row): row["value"] for row in scores},
            gold=gold,
            functions={of: _reports(data_dir, course_id, of) for of in ("concepts", "prerequisites")},
        ),
        data_dir=data_dir,
    )
    return write_and_report(
        data_dir.table("graph_scores", course_id),
        scores,
        GRAPH_SCORES,
        metadata={
            **declare_lineage(_MADE_OF),
            "mlflow_run": dg.MetadataValue.url(f"{inputs.mlflow_url.rstrip('/')}/{run.url_path}"),
            "scores": _score_table(scores),
        },
        problems=problems,
    )


def _metric(row: Row) -> str:
    """The figures of a build keep their name; those beside them begin with whose they are."""
    system = "" if row["system"] == COTEACH else f"{row['system']}."
    return f"{row['of']}.{system}{row['measure']}"


def _counts(found: Sequence[Concept], edges: Sequence[Prerequisite]) -> dict[str, float]:
    """What can be compared between builds without gold."""
    best = sorted(found, key=lambda concept: concept.rank)[:_TOP]
    defined = sum(concept.definition is not None for concept in best)
    return {
        "concepts.count": float(len(found)),
        f"concepts.defined_of_top_{_TOP}": defined / len(best) if best else 0.0,
        "prerequisites.accepted": float(len(edges)),
    }


def _concept_scores(course_id: str, found: Sequence[Concept], gold: Gold) -> list[Row]:
    if not gold.concepts:
        return []
    measures = evaluate_concepts(found, gold.concepts).measures()
    return _rows(course_id, "concepts", COTEACH, measures, gold.concepts_digest)


def _pair_scores(
    data_dir: DataDir, course_id: str, found: Sequence[Concept], edges: Sequence[Prerequisite], gold: Gold
) -> list[Row]:
    if not gold.pairs:
        return []
    spoken, written = course_sentences(read_cues(data_dir, course_id), read_sections(data_dir, course_id))
    accepted = [(edge.prerequisite, edge.concept) for edge in edges]
    shown = [(edge.prerequisite, edge.concept) for edge in edges_as_shown(edges)]
    scores = evaluate_pairs(accepted, found, [*spoken, *written], gold.pairs, shown=shown)
    counts = {name: float(getattr(scores, name)) for name in ("labelled", "covered", "instances", "positives")}
    rows = _rows(course_id, "prerequisites", COTEACH, vars(scores.scores) | counts, gold.pairs_digest)
    for name, baseline in ((SHOWN, scores.shown), *scores.baselines.items()):
        rows += _rows(course_id, "prerequisites", name, vars(baseline), gold.pairs_digest)
    return rows


def _rows(course_id: str, of: str, system: str, measures: dict[str, float], digest: str | None) -> list[Row]:
    return [
        {
            "course_id": course_id,
            "of": of,
            "system": system,
            "measure": measure,
            "value": float(value),
            "gold_digest": digest,
        }
        for measure, value in measures.items()
    ]


def _reports(data_dir: DataDir, course_id: str, of: str) -> tuple[FunctionReport, ...]:
    table = data_dir.table("concept_functions" if of == "concepts" else "prerequisite_functions", course_id)
    return tuple(from_row(FunctionReport, row) for row in read_rows(table))


def _score_table(scores: list[Row]) -> Fact:
    if not scores:
        return dg.MetadataValue.md("The course has no `gold/concepts.txt` and no `gold/prerequisites.tsv`.")
    lines = ["| of | system | measure | value |", "|---|---|---|--:|"]
    lines += [f"| {row['of']} | {row['system']} | {row['measure']} | {row['value']:.3f} |" for row in scores]
    return dg.MetadataValue.md("\n".join(lines))
