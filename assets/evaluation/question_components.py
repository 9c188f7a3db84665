"""Stage `evaluation`: what students' questions are made of, by the six categories of LittleMu, Table 1."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import dagster as dg

from assets.evaluation.logs import store_logs
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows
from knowledge_graph.sources.bounded_report import BoundedTold
from models.intent.labels.categories import category_of
from models.intent.labels.files import read_label_files
from orchestration.building.courses import EVALUATION_FILES, LABEL_FILES
from orchestration.reporting.publishing import Made, publish
from orchestration.resources import Inputs
from serving.evaluation.sets.labelled_data import read_intents
from serving.evaluation.sets.question_components import Labelled, components_table
from serving.evaluation.sets.session_sample import PUBLISHED_QUESTIONS, AskedQuestion, sample_sessions

_SEED = 2023
"""Seed of the sample of this home's questions. A choice: the paper's year."""


@dg.asset(
    deps=[LABEL_FILES, EVALUATION_FILES, store_logs],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def question_components(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Numbers and shares of six categories: the paper's, those of the labels, and those of this home's questions."""
    made_of: dict[str, str] = {}
    sets = [
        *_public(inputs.evaluation.intents, made_of),
        *_labels(inputs.labels, made_of),
        *_sample_asked(data_dir.logs_table("turns"), made_of),
    ]
    params: Mapping[str, str] = {"sample.seed": str(_SEED), "sample.questions": str(PUBLISHED_QUESTIONS)}
    made = Made(components_table(sets), made_of, params=params)
    return publish(context, made, data_dir=data_dir, inputs=inputs)


def _public(path: Path | None, made_of: dict[str, str]) -> Iterator[Labelled]:
    if path is not None:
        found = read_intents(path)
        made_of["intents"] = digest(path)
        categories = [row.category for row in found.rows]
        yield Labelled("file", "labelled file", "the file of COTEACH_EVAL_INTENTS.", categories, found.blank)


def _labels(folder: Path, made_of: dict[str, str]) -> Iterator[Labelled]:
    """What the intent model learns from; its own asset tells what is wrong with it."""
    rows = read_label_files(folder, BoundedTold()).rows if folder.is_dir() else []
    known = [row.category for row in rows if row.category is not None]
    if known:
        made_of["labels"] = digest(folder)
        about = "what the intent model learns from, chosen to have every category and not to be like the traffic."
        yield Labelled("labels", "labels of this home", about, known, len(rows) - len(known))


def _sample_asked(path: Path, made_of: dict[str, str]) -> Iterator[Labelled]:
    """A sample of the questions asked here, by whole sessions as in the paper, with the intent model's categories."""
    rows = read_rows(path) if path.is_file() else []
    if rows:
        made_of["turns"] = digest(path)
        turns = [AskedQuestion(row["session"], row["asked_at"], row["category"]) for row in rows]
        drawn = sample_sessions(turns, questions=PUBLISHED_QUESTIONS, seed=_SEED)
        known = [category for turn in drawn if (category := category_of(turn.category or "")) is not None]
        about = (
            "what was asked in this home, whole sessions drawn evenly over time; the intent model named the category."
        )
        yield Labelled("asked", "asked here", about, known, len(drawn) - len(known))
