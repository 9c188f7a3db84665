"""Stage `evaluation`: retrieval strategies side by side on labelled questions, told to MLflow.

Only a person starts it (job `evaluation_build`): it asks some hundred questions of every strategy, and its latencies
mean something only on a machine that does nothing else.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import dagster as dg
from pydantic import Field

from assets.embeddings import embeddings
from assets.graph import graph
from assets.search_index import search_index
from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from orchestration.building.courses import files_key
from orchestration.resources import Inputs
from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.assistant.retrieval.candidates import Strategy
from serving.assistant.retrieval.comparison import Figures, compare, markdown_table
from serving.assistant.retrieval.dense import find_dense
from serving.assistant.retrieval.evaluating import DEPTH
from serving.assistant.retrieval.question_sets import FILE, LabelledQuestion, read_question_set
from serving.index.search import SearchIndex

_BUDGET = 1_000_000
"""Tokens that `catalog_expert` may fill: enough for the first `DEPTH` of any length, so that it is measured at all."""


class QuestionSets(dg.Config):
    """Files of labelled questions beside those of the courses: lines of {"question", "gold", "course"}."""

    paths: list[str] = Field(default_factory=list)
    only_paths: bool = False


@dataclass(frozen=True)
class _Set:
    """One file of questions."""

    name: str
    path: Path
    questions: tuple[LabelledQuestion, ...]

    @property
    def rows(self) -> list[dict[str, object]]:
        """As MLflow keeps them."""
        return [{**asdict(one), "gold": "; ".join(sorted(one.gold))} for one in self.questions]


@dg.asset(
    deps=[search_index, embeddings, graph, files_key("gold")],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def retrieval_table(
    context: dg.AssetExecutionContext,
    config: QuestionSets,
    data_dir: dg.ResourceParam[DataDir],
    inputs: dg.ResourceParam[Inputs],
) -> dg.MaterializeResult:
    """Strategies by hit@1, recall@5, MRR@10, nDCG@10 and latency, by question length, on `gold/questions.jsonl`."""
    import pandas as pd  # noqa: PLC0415

    from models.tracking.recording import DataSet  # noqa: PLC0415  MLflow takes 4 s
    from models.tracking.retrieval import StrategyRecord, log_retrieval_run  # noqa: PLC0415

    sets = _question_sets(inputs, config)
    strategies, why_no_dense = _strategies(data_dir)
    concepts = ConceptGraph.load(data_dir)
    figures: dict[str, Mapping[str, Figures]] = {
        each.name: asyncio.run(compare(strategies, each.questions, graph=concepts, tell=context.log.info))
        for each in sets
    }
    table = "\n\n".join(f"**{name}**\n\n{markdown_table(found)}" for name, found in figures.items())
    asked = {each.name: DataSet(each.name, digest(each.path), pd.DataFrame(each.rows)) for each in sets}
    records = [
        StrategyRecord(strategy, asked[name], found)
        for name, of_set in figures.items()
        for strategy, found in of_set.items()
    ]
    params = {"index_version": SearchIndex.open(data_dir.index).version, "without_dense": why_no_dense or "no"}
    run = log_retrieval_run(records, params=params, table=table, data_dir=data_dir)
    return dg.MaterializeResult(
        metadata={
            "strategies": dg.MetadataValue.md(table),
            "questions": sum(len(each.questions) for each in sets),
            "mlflow_run": dg.MetadataValue.url(f"{inputs.mlflow_url.rstrip('/')}/{run.url_path}"),
            **({"searched_by_words_alone_because": why_no_dense} if why_no_dense else {}),
        }
    )


def _question_sets(inputs: Inputs, config: QuestionSets) -> Sequence[_Set]:
    """The courses' own sets and those named. Fails when there is none, as there is nothing to show."""
    courses = () if config.only_paths else inputs.find_folders()
    files = [(folder.course_id, folder.path / FILE, folder.course_id) for folder in courses]
    found = [(name, path, course) for name, path, course in files if path.is_file()]
    named = [(path.stem, path, None) for path in map(Path, config.paths)]
    sets = [_Set(name, path, read_question_set(path, course_id=course)) for name, path, course in [*found, *named]]
    if not sets:
        raise dg.Failure(f"No labelled questions: write {FILE} in a course folder, or name files in `paths`.")
    return sets


def _strategies(data_dir: DataDir) -> tuple[dict[str, Strategy], str]:
    """Every strategy, the second weight of eq. 6 (`openness`), and either half of `hybrid` alone."""
    from serving.assistant.retrieval.strategies import STRATEGIES, Parts, make_strategy  # noqa: PLC0415  OpenAI's client: 0.6 s

    dense, why_none = find_dense(data_dir)
    parts = Parts(SearchIndex.open(data_dir.index), dense, DEPTH, _BUDGET, estimate_tokens)
    found: dict[str, Strategy] = {name: make_strategy(name, parts) for name in STRATEGIES}
    variants = {"concept_aware, openness": make_strategy("concept_aware", replace(parts, search_weight="openness"))}
    if dense is not None:
        variants["hybrid, words alone"] = make_strategy("hybrid", replace(parts, dense=None))
        variants["hybrid, meaning alone"] = make_strategy("hybrid", replace(parts, lexical=False))
    return {**found, **variants}, why_none
