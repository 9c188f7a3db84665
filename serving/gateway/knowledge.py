"""`Knowledge`: one consistent state of the home, opened whole: graph, index, models and the assistant over them."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

import structlog

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import CourseCard
from models.embedding.embedder import Embedder
from models.intent.classifier import IntentClassifier
from models.versions import ModelBroken, ModelError, ModelMissing
from serving.assistant.answer_cache import AnswerCache
from serving.assistant.assistant import Assistant
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.semester.offers import Catalogues
from serving.assistant.generation.prompt_budget import room_for_material
from serving.assistant.graded_work.rules import NO_RULES, GradedWork
from serving.assistant.references import OffList, ReferenceChooser, Semantics, read_calibration
from serving.assistant.references.calibration import CalibrationBroken
from serving.assistant.retrieval.candidates import Strategy
from serving.assistant.retrieval.dense import open_dense
from serving.assistant.retrieval.dynamic_top_k import Count
from serving.assistant.retrieval.lookup import Dense
from serving.assistant.retrieval.reranking import Reranker
from serving.assistant.retrieval.reviewed import NOTHING_REVIEWED, Reviewed
from serving.assistant.retrieval.strategies import Parts, make_strategy
from serving.assistant.retrieval.token_count import counter
from serving.assistant.understanding.intent import Intent
from serving.exam.admission import Admitting
from serving.index.analysis import warm_up
from serving.index.dense import VectorsMissing, VectorsUnfit
from serving.index.search import SearchIndex
from serving.llm.language_model import LanguageModel
from serving.llm.per_language import MODEL_NAMES, MODEL_URLS, PerLanguage
from serving.settings import Settings

log = structlog.get_logger(__name__)


MOST_VARIANTS = 64
"""Assistants that are kept, of experiments and of sets of courses; others are made again. A choice."""

MODEL_SETTINGS = (*MODEL_URLS, *MODEL_NAMES)
"""Settings that name another model."""


@dataclass(frozen=True)
class VisibleKnowledge:
    """Graph and index restricted to what a caller who sees some courses may know."""

    graph: ConceptGraph
    index: SearchIndex


@dataclass(frozen=True)
class Knowledge:
    """One state of the home. What can be done without is `None`: the intent model, the vectors."""

    graph: ConceptGraph
    index: SearchIndex
    intent: Intent | None
    dense: Dense | None
    assistant: Assistant
    make_assistant: Callable[[Mapping[str, object], frozenset[str] | None], Assistant] = field(repr=False)
    """An assistant over the same material, or some courses' part of it, with some `Settings` changed; raises
    `ValidationError` for wrong ones."""
    see: Callable[[frozenset[str] | None], VisibleKnowledge] = field(repr=False)
    """Graph and index of some courses alone; `None`: of all."""
    graded_work: GradedWork = field(default=NO_RULES, repr=False)
    """The rules of all courses about graded work."""
    _variants: dict[str, Assistant] = field(default_factory=dict, repr=False)

    @property
    def courses(self) -> Sequence[CourseCard]:
        return self.graph.courses

    def assistant_with(self, changes: Mapping[str, object], courses: Collection[str] | None = None) -> Assistant:
        """The assistant of a variant of an experiment, made once; the usual one when nothing is changed.

        It knows what whoever may see `courses` (`None`: all) may know, and nothing of other courses.
        """
        visible = self._visible(courses)
        if not changes and visible is None:
            return self.assistant
        key = json.dumps([changes, sorted(visible or ())], sort_keys=True, default=str)
        if key not in self._variants:
            if len(self._variants) >= MOST_VARIANTS:
                self._variants.pop(next(iter(self._variants)))
            self._variants[key] = self.make_assistant(changes, visible)
        return self._variants[key]

    def visible_to(self, courses: Collection[str] | None, asked: str | None = None) -> VisibleKnowledge:
        """Graph and index as whoever may see `courses` may know them, without what is not shared with the course that
        is `asked`."""
        named = self.course_ids if courses is None else [one for one in self.course_ids if one in courses]
        return self.see(self._visible([one for one in named if self.graph.shares(one, asked)]))

    def rules_for(self, courses: Collection[str] | None) -> GradedWork:
        """The rules about graded work of the courses that a caller may see; `None`: of all."""
        visible = self._visible(courses)
        return self.graded_work if visible is None else self.graded_work.within(visible)

    def _visible(self, courses: Collection[str] | None) -> frozenset[str] | None:
        return None if courses is None or set(courses) >= set(self.course_ids) else frozenset(courses)

    @property
    def course_ids(self) -> list[str]:
        """Sorted."""
        return sorted(course.course_id for course in self.courses)


def load_knowledge(
    settings: Settings,
    llm: LanguageModel | None,
    *,
    own_models: Mapping[str, LanguageModel | None] | None = None,
    last: Knowledge | None = None,
    reranker: Reranker | None = None,
    reviewed: Callable[[], Reviewed] = lambda: NOTHING_REVIEWED,
    models_for: Callable[[Settings], PerLanguage[LanguageModel | None]] | None = None,
    admission: Callable[[], Admitting | None] = lambda: None,
    own_copy: bool = False,
) -> Knowledge:
    """Open everything of a home that is built. The command line uses this too.

    `last` is what was loaded before: its intent model stays when the newer one cannot be used. `reviewed` gives what
    TAs decided since; `models_for` the clients of a variant that names another model; `admission` what came of the
    exams of the models that are served, which says nothing of another one. `own_models` write in place of `llm` in
    their languages. `own_copy` is for who serves on while the home
    changes (`SearchIndex.open`).
    """
    data_dir = settings.data_dir
    graph = ConceptGraph.load(data_dir)
    index = SearchIndex.open(data_dir.index, own_copy=own_copy)
    index = index.with_informal() if settings.informal_reviews else index
    index = index.with_platforms(course.course_id for course in graph.courses if course.is_platform)
    dense = follow_dense(settings, last=last.dense if last else None)
    embedder = dense.embedder if dense else None
    intent = open_intent(data_dir, last=last.intent if last else None, embedder=embedder)
    graph.warm_up()  # builds its dictionary now rather than at the first question
    if any(course.lang == "zh" for course in graph.courses):
        warm_up()
    count = counter(settings.tokenizer)
    lectures = CourseLectureIndex(data_dir)
    catalogues = Catalogues(data_dir)
    graded_work = GradedWork.load(data_dir, embedder=embedder)
    graded_work = graded_work.within({course.course_id for course in graph.courses})
    lectures.warm_up(course.course_id for course in graph.courses)

    @lru_cache(MOST_VARIANTS)
    def see(visible: frozenset[str] | None) -> VisibleKnowledge:
        shares = graph.shares if any(one.shares_with is not None for one in graph.courses) else None
        own = index if visible is None and shares is None else index.within(visible, shares)
        return VisibleKnowledge(graph if visible is None else graph.within(visible), own)

    usual_models = PerLanguage(llm, own_models or {})
    answers = AnswerCache(settings.kept_answers)

    def make(changes: Mapping[str, object], visible: frozenset[str] | None) -> Assistant:
        seen = see(visible)
        changed = Settings.model_validate(settings.model_dump() | dict(changes)) if changes else settings
        asks_another = any(name in changes for name in MODEL_SETTINGS) and models_for is not None
        models = models_for(changed) if asks_another and models_for is not None else usual_models
        model = models.others
        ranks = None if model is None and settings.reranker == "llm" else reranker
        return Assistant(
            graph=seen.graph,
            index=seen.index,
            intent=intent,
            llm=model,
            own_models=models.own,
            settings=changed,
            strategy=_strategy(changed, seen.graph, seen.index, dense, model, count, ranks),
            chooser=_chooser(changed, seen.index, dense, lectures),
            embedder=embedder,
            count=count,
            reviewed=reviewed,
            dense=dense,
            lectures=lectures,
            catalogues=catalogues,
            admission=admission if models is usual_models else lambda: None,
            graded_work=graded_work if visible is None else graded_work.within(visible),
            cache=None if "kept_answers" in changes else answers,
        )

    usual = make({}, None)
    usual.warm_up()
    return Knowledge(graph, index, intent, dense, usual, make, see, graded_work)


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


def _chooser(
    settings: Settings, index: SearchIndex, dense: Dense | None, lectures: CourseLectureIndex
) -> ReferenceChooser:
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
        names_of=lectures.names_of,
    )


def open_intent(data_dir: DataDir, *, last: Intent | None = None, embedder: Embedder | None = None) -> Intent | None:
    """The intent model; when there is none that can be used the `last` one, with a warning in the log.

    It shares the `embedder` that is open, if it reads the vectors of that one: a question is embedded once.
    """
    try:
        return IntentClassifier.open(data_dir.intent, embedder=embedder)
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


@dataclass(frozen=True)
class Damaged:
    """Something that is there and cannot be used. Without what is not needed, questions are answered less well."""

    reason: str
    is_needed: bool


def find_damaged_artefacts(settings: Settings) -> list[Damaged]:
    """What a question needs, tried as a gateway tries it, and what only helps."""
    data_dir, found, opened = settings.data_dir, list[Damaged](), list[Dense]()
    needed: Sequence[Callable[[], object]] = (
        lambda: ConceptGraph.load(data_dir),
        lambda: SearchIndex.open(data_dir.index),
        lambda: GradedWork.load(data_dir),
    )
    helping: Sequence[Callable[[], object]] = (
        lambda: opened.append(open_dense(data_dir, api_key=settings.embedder_key, is_awaited=True)),
        lambda: IntentClassifier.open(data_dir.intent, embedder=opened[0].embedder if opened else None),
        lambda: read_calibration(data_dir.references),
    )
    for is_needed, tries in ((True, needed), (False, helping)):
        for attempt in tries:
            try:
                attempt()
            except (ModelMissing, VectorsMissing):
                continue  # what a home never had is not damaged
            except (CoteachError, FileNotFoundError) as error:
                found.append(Damaged(str(error), is_needed))
    return found
