"""Stage `evaluation`: references as experts see them, by subject, and over the threshold (Course Hero 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial

import dagster as dg

from assets.evaluation.logs import store_logs
from assets.reference_cut import reference_cut
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.tables import digest, read_rows
from knowledge_graph.sources.bounded_report import BoundedTold
from orchestration.building.courses import files_key
from orchestration.reporting.publishing import Made, Picture, publish, rating_sets
from orchestration.reporting.tables import clean_input_result, clean_input_spec
from orchestration.resources import Inputs
from serving.assistant.references.calibration import FILE as CALIBRATION
from serving.assistant.references.calibration import Scorer, read_calibration
from serving.evaluation.figures import draw
from serving.evaluation.ratings.reference_review import FILE as REVIEWS
from serving.evaluation.ratings.reference_review import ReferenceReview, by_subject, own_reviews, read_reviews
from serving.evaluation.ratings.reference_tables import paint_subjects, review_table, subject_table
from serving.evaluation.ratings.reference_threshold import scorer_name, threshold_table

_SUBJECTS = "Relevant and irrelevant references by subject, each order as in Figures 3a and 3b, with 95% intervals."
_CURVES = (
    "Precision of references over recall as the threshold falls, one line for each scorer; a dot is the threshold in "
    "use, the cross what Course Hero chose."
)


@dg.asset(
    deps=[files_key("gold"), store_logs],
    check_specs=[clean_input_spec("reference_review")],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="2",
)
def reference_review(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Seven ways to rate a reference, collapsed as in Table 4, with both denominators beside the published counts."""
    reviews, made_of, problems = _reviews(data_dir, inputs)
    sets = rating_sets("reference_reviews", [asdict(one) for one in reviews], made_of)
    made = Made(review_table(reviews), made_of, data_sets=sets)
    result = publish(context, made, data_dir=data_dir, inputs=inputs)
    return dg.MaterializeResult(
        metadata=result.metadata, data_version=result.data_version, check_results=[clean_input_result(problems)]
    )


@dg.asset(
    deps=[files_key("gold"), store_logs],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="2",
)
def reference_subjects(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """The same by subject, in both orders of Figure 3, subjects with few reviews hidden."""
    reviews, made_of, _ = _reviews(data_dir, inputs)
    counts, hidden = by_subject(reviews)
    pictures = {}
    if counts:
        content = draw(partial(paint_subjects, counts=counts), width=9, height=1.4 + 0.4 * len(counts))
        pictures["reference_subjects.png"] = Picture(_SUBJECTS, content)
    made = Made(subject_table(counts, hidden), made_of, pictures)
    return publish(context, made, data_dir=data_dir, inputs=inputs)


@dg.asset(
    deps=[reference_cut], group_name="evaluation", kinds={"sklearn", "mlflow"}, owners=["team:ml"], code_version="3"
)
def reference_threshold(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Precision and recall over the threshold, with the point in use and the published one."""
    path = data_dir.references / CALIBRATION
    scorers = read_calibration(data_dir.references).scorers
    made_of = {"calibration": digest(path)} if path.is_file() else {}
    made = Made(threshold_table(scorers), made_of, _curves(scorers))
    return publish(context, made, data_dir=data_dir, inputs=inputs)


def _reviews(data_dir: DataDir, inputs: Inputs) -> tuple[list[ReferenceReview], Mapping[str, str], Sequence[Problem]]:
    """Those of the course folders and those given on the TAs' desk, with what they are made of."""
    told = BoundedTold()
    reviews: list[ReferenceReview] = []
    made_of = {}
    for course in inputs.find_folders():
        found = read_reviews(course.path, told)
        told.close()
        if (course.path / REVIEWS).is_file():
            made_of[f"reviews.{course.course_id}"] = digest(course.path / REVIEWS)
        reviews += found
    ratings, turns = (data_dir.logs_table(name) for name in ("ratings", "turns"))
    if all(path.is_file() for path in (ratings, turns, data_dir.graph_courses)):
        subjects = {row["course_id"]: row["subject"] for row in read_rows(data_dir.graph_courses)}
        own = own_reviews(read_rows(ratings), read_rows(turns), subjects)
        made_of |= {"own_ratings": digest(ratings), "own_turns": digest(turns)} if own else {}
        reviews += own
    return reviews, made_of, told.problems


def _curves(scorers: Sequence[Scorer]) -> dict[str, Picture]:
    from models.tracking.references import CurveRecord, paint_curves  # noqa: PLC0415  MLflow takes 4 s

    curves = [
        CurveRecord(
            name=scorer_name(scorer),
            points=[(point.recall, point.precision) for point in found.curve if point.accepted],
            chosen=(found.recall, found.precision),
        )
        for scorer in scorers
        if (found := scorer.measured) is not None
    ]
    content = draw(partial(paint_curves, curves=curves), width=6.4, height=5.0)
    return {"reference_threshold.png": Picture(_CURVES, content)} if curves else {}
