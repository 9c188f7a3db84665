"""`Knowledge`: one consistent state of the home, opened whole: graph, index, models and the assistant over them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from knowledge_graph.graph import ConceptGraph
from knowledge_graph.home import DataDir
from knowledge_graph.records import CourseCard
from models.intent.classifier import IntentClassifier
from models.versions import ModelBroken, ModelError, ModelMissing
from serving.answering.room import room_for_material
from serving.assistant import Assistant
from serving.gateway.errors import GatewayError
from serving.index.analysis import warm_up
from serving.index.dense import VectorsMissing, VectorsUnfit
from serving.index.search import SearchIndex
from serving.intent import Intent
from serving.llm import LanguageModel
from serving.references import OffList, ReferenceChooser, Semantics, read_calibration
from serving.references.calibration import CalibrationBroken
from serving.retrieval.candidates import Strategy
from serving.retrieval.dense import open_dense
from serving.retrieval.dynamic_top_k import Count
from serving.retrieval.lookup import Dense
from serving.retrieval.reranking import Reranker
from serving.retrieval.strategies import Parts, make_strategy
from serving.retrieval.token_count import counter
from serving.settings import Settings
from serving.tracing import TraceSink

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Knowledge:
    """One state of the home. What can be done without is `None`: the intent model, the vectors."""

    graph: ConceptGraph
    index: SearchIndex
    intent: Intent | None
    dense: Dense | None
    assistant: Assistant

    @property
    def courses(self) -> Sequence[CourseCard]:
        return self.graph.courses

    def choose_course(self, named: str | None) -> str | None:
        """The course a request means: the one named, else the only one, else all of them (`None`).

        Raises `GatewayError` 404 with the list of models when the name is unknown.
        """
        ids = sorted(course.course_id for course in self.courses)
        if named is None:
            return ids[0] if len(ids) == 1 else None
        if named not in ids:
            listed = ", ".join(["coteach", *(f"coteach:{one}" for one in ids)])
            message = f"The course '{named}' does not exist. Models here: {listed}."
            raise GatewayError(message, status=404, code="model_not_found", param="model")
        return named


def load_knowledge(
    settings: Settings,
    llm: LanguageModel | None,
    *,
    last: Knowledge | None = None,
    sink: TraceSink | None = None,
    reranker: Reranker | None = None,
) -> Knowledge:
    """Open everything of a home that is built. The command line uses this too.

    `last` is what was loaded before: its intent model stays when the newer one cannot be used. `sink` gets the traces
    of answers beside the file.
    """
    data_dir = settings.data_dir
    graph = ConceptGraph.load(data_dir)
    index = SearchIndex.open(data_dir.index)
    intent = open_intent(data_dir, last=last.intent if last else None)
    dense = follow_dense(settings, last=last.dense if last else None)
    graph.warm_up()  # builds its dictionary now rather than at the first question
    if any(course.lang == "zh" for course in graph.courses):
        warm_up()
    count = counter(settings.tokenizer)
    assistant = Assistant(
        graph=graph,
        index=index,
        intent=intent,
        llm=llm,
        settings=settings,
        strategy=_strategy(settings, graph, index, dense, llm, count, reranker),
        chooser=_chooser(settings, index, dense),
        embedder=dense.embedder if dense else None,
        count=count,
        sink=sink,
    )
    return Knowledge(graph, index, intent, dense, assistant)


def _strategy(
    settings: Settings,
    graph: ConceptGraph,
    index: SearchIndex,
    dense: Dense | None,
    llm: LanguageModel | None,
    count: Count,
    reranker: Reranker | None,
) -> Strategy:
    parts = Parts(
        index=index,
        dense=dense,
        top_k=settings.top_k,
        budget=settings.context_tokens,
        count=count,
        search_weight=settings.search_weight,
        llm=llm,
        reranker=reranker,
        room=partial(room_for_material, graph=graph, budget=settings.context_tokens, count=count),
    )
    return make_strategy(settings.strategy, parts)


def _chooser(settings: Settings, index: SearchIndex, dense: Dense | None) -> ReferenceChooser:
    """References by the calibrated cut; by the program's own where none was found or it cannot be read."""
    try:
        calibration = read_calibration(settings.data_dir.references)
    except CalibrationBroken as error:
        log.warning("reference_calibration_not_used", reason=str(error))
        calibration = None
    return ReferenceChooser(
        index,
        calibration=calibration,
        semantics=Semantics(dense.embedder, dense.index) if dense else None,
        off_list=OffList(settings.no_references_for),
        candidates=settings.reference_candidates,
    )


def open_intent(data_dir: DataDir, *, last: Intent | None = None) -> Intent | None:
    """The intent model; when there is none that can be used the `last` one, with a warning in the log."""
    try:
        return IntentClassifier.open(data_dir.intent)
    except (ModelMissing, ModelBroken) as error:
        log.warning("intent_model_not_used", reason=str(error), instead="the last one" if last else "rules")
        return last


def follow_dense(settings: Settings, *, last: Dense | None = None) -> Dense | None:
    """The embedder and the vectors; `None`, and a line in the log, when the home has not both.

    While a build replaces the embedder its vectors do not fit yet, and `last` stays.
    """
    try:
        dense = open_dense(settings.data_dir, api_key=settings.embedder_key, last=last, is_awaited=True)
    except VectorsUnfit as error:
        log.warning("dense_search_not_used", reason=str(error), instead="the last one" if last else "words alone")
        return last
    except (ModelError, VectorsMissing) as error:
        log.warning("dense_search_not_used", reason=str(error), instead="words alone")
        return None
    log.info("dense_search_opened", model=dense.embedder.name, languages=dense.embedder.languages)
    return dense


def missing_artefacts(data_dir: DataDir) -> list[str]:
    """Names, relative to the home, of what a build must make before questions can be answered."""
    wanted = [data_dir.graph_concepts, data_dir.graph_prerequisites, data_dir.graph_courses, data_dir.index / "CURRENT"]
    return [str(path.relative_to(data_dir.root)) for path in wanted if not path.is_file()]
