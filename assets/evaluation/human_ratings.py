"""Stage `evaluation`: what people rated, by aspect, by course category, and how far they agree (LittleMu, Table 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import dagster as dg

from assets.evaluation.logs import store_logs
from assets.graph import graph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows
from orchestration.building.courses import EVALUATION_FILES
from orchestration.reporting.publishing import Made, Picture, publish, rating_sets
from orchestration.reporting.tables import clean_input_result, clean_input_spec
from orchestration.resources import Inputs
from serving.evaluation.figures import draw
from serving.evaluation.ratings.human_ratings import ASPECTS, HumanRatings, read_human_ratings
from serving.evaluation.ratings.own_ratings import own_system
from serving.evaluation.ratings.rating_categories import (
    category_means,
    category_of,
    category_table,
    paint_categories,
)
from serving.evaluation.ratings.rating_table import SystemRow, rating_table, rows_of
from serving.evaluation.ratings.reliability import reliability_of
from serving.evaluation.ratings.reliability_table import reliability_table

_CAPTION = (
    "Mean of the six aspects by course category, five bars for each system, with 95% intervals over answers, after "
    "Figure 3a of LittleMu."
)


@dataclass(frozen=True)
class _Rated:
    """Everything rated: the given folder's systems and this home's own."""

    rows: tuple[SystemRow, ...]
    given: HumanRatings
    made_of: Mapping[str, str]


@dg.asset(
    deps=[store_logs, EVALUATION_FILES],
    check_specs=[clean_input_spec("human_ratings")],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="3",
)
def human_ratings(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Means of six aspects with the paper's intervals and wider ones, beside Table 3; which cells differ, and why."""
    found = _read_ratings(data_dir, inputs)
    made = Made(
        rating_table(found.rows), found.made_of, data_sets=rating_sets("human_ratings", _flat(found), found.made_of)
    )
    result = publish(context, made, data_dir=data_dir, inputs=inputs)
    return dg.MaterializeResult(
        metadata=result.metadata,
        data_version=result.data_version,
        check_results=[clean_input_result(found.given.problems)],
    )


@dg.asset(
    deps=[store_logs, graph, EVALUATION_FILES],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="3",
)
def ratings_by_category(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """The same by course category, with the picture of Figure 3a; of this home's own by the domains of its courses."""
    path = data_dir.graph_courses
    courses = read_rows(path) if path.is_file() else []
    found = _read_ratings(data_dir, inputs, {row["course_id"]: category_of(row["domains"] or ()) for row in courses})
    means = category_means(found.rows)
    width = max(7.2, 1.1 * len(means))
    picture = Picture(_CAPTION, draw(partial(paint_categories, means=means), width=width)) if means else None
    pictures = {"ratings_by_category.png": picture} if picture else {}
    made = Made(category_table(found.rows, means), found.made_of, pictures)
    return publish(context, made, data_dir=data_dir, inputs=inputs)


@dg.asset(
    deps=[store_logs, EVALUATION_FILES],
    group_name="evaluation",
    kinds={"sklearn", "mlflow"},
    owners=["team:ml"],
    code_version="2",
)
def rater_reliability(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Kappa and alpha by aspect and system; copied and single ratings named, unreliable columns marked."""
    found = _read_ratings(data_dir, inputs)
    made = Made(reliability_table(found.rows), found.made_of)
    return publish(context, made, data_dir=data_dir, inputs=inputs)


def _flat(found: _Rated) -> list[dict[str, object]]:
    """One row for each rater of each answer, as tables of MLflow take it; `None` where an aspect was not rated."""
    return [
        {"system": row.name, "file": file.name, "rater": file.rater, "question": one.question}
        | dict(zip(ASPECTS, one.scores, strict=True))
        for row in found.rows
        if row.system is not None
        for file in row.system.files
        for one in file.rows
    ]


def _read_ratings(data_dir: DataDir, inputs: Inputs, categories: Mapping[str, str] | None = None) -> _Rated:
    folder = inputs.evaluation.ratings
    given = read_human_ratings(folder) if folder is not None else HumanRatings(())
    made_of = {"ratings": digest(folder)} if folder is not None and folder.is_dir() else {}
    ratings, turns = (data_dir.logs_table(name) for name in ("ratings", "turns"))
    own = None
    if ratings.is_file() and turns.is_file():
        own = own_system(read_rows(ratings), read_rows(turns), categories)
        made_of |= {"own_ratings": digest(ratings), "own_turns": digest(turns)} if own is not None else {}
        made_of |= {"categories": repr(sorted(categories.items()))} if own is not None and categories else {}
    systems = (*given.systems, own) if own is not None else given.systems
    return _Rated(rows_of(systems, [reliability_of(one) for one in systems]), given, made_of)
