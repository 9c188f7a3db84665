"""Stage `evaluation`: the evaluation questions in the shape of traffic, and what is found for them.

matplotlib, SciPy and the gateway's libraries are imported inside the assets, for the reason that albert_pretrained.py
gives.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import dagster as dg
import pyarrow.parquet as pq

from assets.embeddings import embeddings
from assets.evaluation.evaluation_sets import evaluation_sets
from assets.evaluation.logs import store_logs
from assets.graph import graph
from assets.search_index import search_index
from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.evaluation_schemas import RESHAPED_RANKS, RESHAPED_TURNS
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, write_table
from orchestration.building.courses import ANSWERING
from orchestration.reporting.publishing import Made, Picture, publish
from orchestration.resources import Inputs
from serving.assistant.retrieval.candidates import Strategy
from serving.index.search import SearchIndex

if TYPE_CHECKING:
    from serving.evaluation.release.reshaping import ReshapedTurn
    from serving.evaluation.release.traffic_answers import GoldRank
    from serving.evaluation.release.traffic_shape import Profile, TrafficTurn
    from serving.evaluation.release.traffic_table import TrafficComparison
    from serving.evaluation.sets.golden import Golden

SEED = 8
"""Seed of the reshaped set. A choice."""

EQUALS = tuple(range(100, 110))
"""Seeds of the reshapings that the noise floor is measured on. A choice: 45 pairs."""


@dg.asset(
    deps=[evaluation_sets, store_logs, search_index, graph],
    group_name="evaluation",
    kinds={"mlflow", "parquet"},
    owners=["team:ml"],
    code_version="1",
)
def traffic_shape(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Length, form and repetition of what is asked, and the golden questions reshaped to it by rules."""
    from serving.evaluation.release.reshaping import reshape  # noqa: PLC0415
    from serving.evaluation.release.traffic_shape import TrafficTurn, distance, profile_of  # noqa: PLC0415
    from serving.evaluation.release.traffic_table import TrafficShapes, shape_table  # noqa: PLC0415

    golden, profile, is_own = _read_golden(data_dir), *_profile(data_dir)
    turns = reshape(golden, profile, seed=SEED) if golden else ()
    path = data_dir.evaluation_set("reshaped")
    write_table(path, [_row(turn) for turn in turns], RESHAPED_TURNS)
    shapes = None
    if golden:
        written = [TrafficTurn(one.question, one.question_id, 0, one.lang) for one in golden]
        reshaped = [one.turn for one in turns]
        far, near = distance(profile, written), distance(profile, reshaped)
        shapes = TrafficShapes(profile, is_own, profile_of(written), profile_of(reshaped), far, near)
    made_of = {"questions": digest(data_dir.evaluation_set("questions")), "search_index": _version(data_dir)}
    made_of |= {"turns": digest(data_dir.logs_table("turns"))} if is_own else {}
    made = Made(shape_table(shapes), made_of, params={"seed": str(SEED)})
    return publish(context, made, data_dir=data_dir, inputs=inputs)


@dg.asset_check(asset=traffic_shape)
def reshaped_has_the_shape(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """The reshaped set is within a stated distance of the traffic it stands for. Warns: few questions cannot be."""
    from knowledge_graph.lake.tables import read_rows  # noqa: PLC0415
    from serving.evaluation.release.traffic_shape import LIMIT, TrafficTurn, distance, farthest  # noqa: PLC0415

    rows = read_rows(data_dir.evaluation_set("reshaped"))
    turns = [TrafficTurn(row["question"], row["session"], row["position"], row["lang"]) for row in rows]
    parts = distance(_profile(data_dir)[0], turns) if turns else {}
    found = farthest(parts) if parts else 0.0
    return dg.AssetCheckResult(
        passed=found <= LIMIT,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"Distance {found:.3f}, at most {LIMIT}." if parts else "There are no questions to reshape.",
        metadata={name: round(value, 4) for name, value in parts.items()},
    )


@dg.asset(
    deps=[traffic_shape, search_index, embeddings, graph, ANSWERING],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def traffic_retrieval(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Hit@1, recall@3 and MRR@10 of questions as written and in the shape of traffic, by length, with paired tests."""
    from serving.evaluation.figures import draw  # noqa: PLC0415
    from serving.evaluation.release.traffic_table import paint, retrieval_table  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    golden, strategy = _read_golden(data_dir), Settings(home=data_dir.root).strategy
    asked = _ask(golden, data_dir, strategy) if golden else None
    ranks = [] if asked is None else [_rank_row(one) for one in asked.reshaped]
    write_table(data_dir.reshaped_ranks, ranks, RESHAPED_RANKS)
    caption = "Recall@3 by the length of the reshaped question: the same questions as written and reshaped."
    pictures = {} if asked is None else {"traffic_recall.png": Picture(caption, draw(partial(paint, asked=asked)))}
    made_of = {"reshaped": digest(data_dir.evaluation_set("reshaped")), "search_index": _version(data_dir)}
    made = Made(retrieval_table(asked), made_of, pictures, params={"strategy": strategy, "seed": str(SEED)})
    return publish(context, made, data_dir=data_dir, inputs=inputs)


def _ask(golden: "Sequence[Golden]", data_dir: DataDir, name: str) -> "TrafficComparison":
    """The questions as written, reshaped, and reshaped in as many other ways as the noise floor needs."""
    from serving.evaluation.release.paired_comparison import floor_of_equals  # noqa: PLC0415
    from serving.evaluation.release.reshaping import reshape  # noqa: PLC0415
    from serving.evaluation.release.traffic_answers import MEASURES, ask_in_sessions, ask_written, figures  # noqa: PLC0415
    from serving.evaluation.release.traffic_table import TrafficComparison  # noqa: PLC0415

    strategy, concepts, profile = _strategy(data_dir, name), ConceptGraph.load(data_dir), _profile(data_dir)[0]

    async def ask() -> TrafficComparison:
        sets = [reshape(golden, profile, seed=seed) for seed in (SEED, *EQUALS)]
        found = [await ask_in_sessions(strategy, turns, graph=concepts) for turns in sets]
        equals = [figures(one) for one in found[1:]]
        floors = {measure: floor_of_equals([one[measure] for one in equals]) for measure in MEASURES}
        return TrafficComparison(
            await ask_written(strategy, golden, graph=concepts), found[0], floors, name, len(equals)
        )

    return asyncio.run(ask())


def _strategy(data_dir: DataDir, name: str) -> Strategy:
    from serving.assistant.generation.chain_of_teach import estimate_tokens  # noqa: PLC0415
    from serving.assistant.retrieval.dense import find_dense  # noqa: PLC0415
    from serving.assistant.retrieval.evaluating import DEPTH  # noqa: PLC0415
    from serving.assistant.retrieval.strategies import STRATEGIES, Parts, make_strategy  # noqa: PLC0415

    budget = 1_000_000  # of tokens, for `catalog_expert`: enough for `DEPTH` results of any length
    parts = Parts(SearchIndex.open(data_dir.index), find_dense(data_dir)[0], DEPTH, budget, estimate_tokens)
    return make_strategy(next(one for one in STRATEGIES if one == name), parts)


def _read_golden(data_dir: DataDir) -> "tuple[Golden, ...]":
    from serving.evaluation.sets.evaluation_sets import read_questions  # noqa: PLC0415
    from serving.evaluation.sets.golden import golden_questions, titles_of  # noqa: PLC0415

    columns = ["course_id", "qa_id", "origin_id", "question"]
    rows = pq.ParquetFile(data_dir.qa_pairs).read(columns=columns).to_pylist()
    questions = read_questions(data_dir.evaluation_set("questions"))
    return golden_questions(questions, titles=titles_of(rows), graph=ConceptGraph.load(data_dir))


def _profile(data_dir: DataDir) -> "tuple[Profile, bool]":
    """The shape of this home's own turns, and that it is; the published one where there are too few."""
    from serving.evaluation.release.traffic_shape import LEAST, PUBLISHED, profile_of  # noqa: PLC0415

    turns = _turns(data_dir)
    return (profile_of(turns), True) if len(turns) >= LEAST else (PUBLISHED, False)


def _turns(data_dir: DataDir) -> "list[TrafficTurn]":
    """Turns of the store that were written in a language that is known, in sessions."""
    from serving.evaluation.release.traffic_shape import TrafficTurn  # noqa: PLC0415

    path = data_dir.logs_table("turns")
    if not path.is_file():
        return []
    names = ["question", "session", "position", "lang", "form"]
    rows = pq.ParquetFile(path).read(columns=names).to_pylist()
    return [
        TrafficTurn(row["question"], row["session"], row["position"], row["lang"], row["form"] or "")
        for row in rows
        if row["question"] and row["lang"] in ("en", "zh")
    ]


def _row(turn: "ReshapedTurn") -> dict[str, object]:
    golden = turn.golden
    return {
        **{name: getattr(turn, name) for name in ("session", "position", "lang", "question")},
        "course_id": turn.course_id,
        "question_id": golden.question_id if golden else None,
        "original": golden.question if golden else None,
        "gold": sorted(golden.gold) if golden else [],
        "is_repeat": turn.is_repeat,
    }


def _rank_row(found: "GoldRank") -> dict[str, object]:
    return {"question_id": found.golden.question_id, "question": found.question, "hit_rank": found.rank}


def _version(data_dir: DataDir) -> str:
    return SearchIndex.open(data_dir.index).version
