"""Stage `evaluation`: from which score on a passage is shown as a reference, and how often that is right.

scikit-learn and MLflow are imported inside the asset, for the reason that albert_pretrained.py gives.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import dagster as dg

from assets.course_card import course_card
from assets.embeddings import embeddings
from assets.search_index import search_index
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from models.embedding.published import open_embedder
from models.versions import current_version
from orchestration.building.courses import files_key
from orchestration.partitions import HOME_POOL
from orchestration.reporting.course_source import read_card
from orchestration.reporting.tables import Fact, facts_of_files
from orchestration.resources import Inputs
from serving.assistant.references.calibration import Scorer, read_calibration, write_calibration
from serving.assistant.references.labelled import read_labelled
from serving.assistant.references.semantic import Semantics
from serving.index.dense import DenseIndex, VectorsMissing
from serving.index.search import SearchIndex

if TYPE_CHECKING:
    from models.tracking.references import CurveRecord
    from serving.assistant.references.scorers import LabelledCourse

_UNLABELLED = (
    "No course has enough labelled answers: the cut of the sample courses is used, which promises nothing here."
)


@dg.asset(
    deps=[course_card, search_index, embeddings, files_key("gold")],
    group_name="evaluation",
    kinds={"sklearn", "mlflow"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="2",
)
def reference_cut(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Weights and cut of references, found on `gold/references.jsonl` of every course; the gateway reads them."""
    from serving.assistant.references.scorers import calibrate_references  # noqa: PLC0415

    labelled = _read_labels(data_dir, inputs)
    # To open the embedder takes a second, and most homes have nothing labelled.
    semantics = _semantics(data_dir, inputs) if any(course.answers for course in labelled) else None
    found = calibrate_references(labelled, SearchIndex.open(data_dir.index), semantics=semantics)
    path = write_calibration(data_dir.references, found.calibration)
    for lang in found.too_few:
        context.log.warning(f"Too few labelled answers in {lang!r}: the program's own cut is used.")
    scorers = [one for one in found.calibration.scorers if one.measured is not None]
    facts: dict[str, Fact] = {**facts_of_files(path), "cuts": _table(scorers), "curve": _curve_table(scorers)}
    if scorers:
        facts |= _log_figures(scorers, labelled, data_dir, inputs)
    return dg.MaterializeResult(metadata=facts, data_version=dg.DataVersion(digest(path)))


@dg.asset_check(asset=reference_cut)
def references_reach_their_precision(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """At its cut every scorer is right as often as its target says, on answers its weights never saw. Warns."""
    scorers = [one for one in read_calibration(data_dir.references).scorers if one.measured is not None]
    below = [_name(one) for one in scorers if one.measured is not None and not one.measured.reaches_target]
    told = f"Below their target: {', '.join(below)}." if below else None
    return dg.AssetCheckResult(
        passed=bool(scorers) and not below,
        severity=dg.AssetCheckSeverity.WARN,
        description=told if scorers else _UNLABELLED,
        metadata={name: value for one in scorers for name, value in _figures(one).items()},
    )


def _log_figures(
    scorers: Sequence[Scorer], labelled: "Sequence[LabelledCourse]", data_dir: DataDir, inputs: Inputs
) -> dict[str, Fact]:
    """The figures that were measured, and where MLflow shows them."""
    from models.tracking.recording import DataSet  # noqa: PLC0415
    from models.tracking.references import ReferenceRun, log_reference_run  # noqa: PLC0415

    figures = {name: value for one in scorers for name, value in _figures(one).items()}
    params = {_name(one): one.embedder or "words alone" for one in scorers}
    rows = [{"course": course.course_id, **asdict(one)} for course in labelled for one in course.answers]
    data_sets = [DataSet.of_rows("labelled_answers", rows)]
    curves = [_curve(one) for one in scorers]
    run = log_reference_run(ReferenceRun(params, figures, curves, data_sets), data_dir=data_dir)
    return {"mlflow_run": dg.MetadataValue.url(f"{inputs.mlflow_url.rstrip('/')}/{run.url_path}"), **figures}


def _read_labels(data_dir: DataDir, inputs: Inputs) -> "list[LabelledCourse]":
    from serving.assistant.references.scorers import LabelledCourse  # noqa: PLC0415

    built = {path.stem for path in data_dir.tables("course_cards")}
    courses = [course for course in inputs.find_folders() if course.course_id in built]
    return [
        LabelledCourse(course.course_id, read_card(data_dir, course.course_id).lang, read_labelled(course.path))
        for course in courses
    ]


def _semantics(data_dir: DataDir, inputs: Inputs) -> Semantics | None:
    """`None` without stored vectors: a gateway would have none either."""
    if current_version(data_dir.embedder) is None:
        return None
    embedder = open_embedder(data_dir.embedder, api_key=inputs.embedder.api_key)
    try:
        stored = DenseIndex.open(data_dir.embeddings, model=embedder.name, dimension=embedder.dimension)
    except VectorsMissing:
        return None
    return Semantics(embedder, stored)


def _name(scorer: Scorer) -> str:
    return f"{scorer.lang}_{'words' if scorer.embedder is None else 'meaning'}"


def _figures(scorer: Scorer) -> dict[str, float]:
    """For MLflow's charts and Dagster's plots."""
    found = scorer.measured
    if found is None:
        return {}
    names = ("precision", "recall", "precision_bound", "nested_precision", "nested_recall", "average_precision")
    counts = ("answers", "pairs", "relevant", "accepted")
    figures = {f"{_name(scorer)}_{name}": float(getattr(found, name)) for name in (*names, *counts)}
    return figures | {f"{_name(scorer)}_cut": scorer.cut}


def _curve(scorer: Scorer) -> "CurveRecord":
    from models.tracking.references import CurveRecord  # noqa: PLC0415

    found = scorer.measured
    if found is None:
        raise ValueError(f"{_name(scorer)} was not measured.")
    return CurveRecord(
        name=f"{scorer.lang}, by {'words' if scorer.embedder is None else 'words and meaning'}",
        points=[(point.recall, point.precision) for point in found.curve if point.accepted],
        chosen=(found.recall, found.precision),
    )


def _table(scorers: Sequence[Scorer]) -> Fact:
    lines = [
        "| scorer | answers | pairs | cut | shown | precision | at least | recall | nested precision, recall |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {_name(one)} | {found.answers} | {found.pairs} | {one.cut:.2f} | {found.accepted} | {found.precision:.3f} "
        f"| {found.precision_bound:.3f} | {found.recall:.3f} "
        f"| {found.nested_precision:.3f}, {found.nested_recall:.3f} |"
        for one in scorers
        if (found := one.measured) is not None
    ]
    return dg.MetadataValue.md("\n".join(lines))


def _curve_table(scorers: Sequence[Scorer]) -> Fact:
    lines = ["| scorer | cut | precision | recall | shown |", "|---|--:|--:|--:|--:|"]
    lines += [
        f"| {_name(one)} | {point.cut:.2f} | {point.precision:.3f} | {point.recall:.3f} | {point.accepted} |"
        for one in scorers
        if one.measured is not None
        for point in one.measured.curve[1::5]
    ]
    return dg.MetadataValue.md("\n".join(lines))
