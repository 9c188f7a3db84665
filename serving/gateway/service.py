"""`Service`: what all requests share. It follows the home and switches to a new build without dropping a request."""

import asyncio
import gc
import time
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import httpx
import structlog
from fastapi import Depends, Request
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from models.intent.thresholds import THRESHOLDS
from serving.assistant.assistant import Assistant
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.references.calibration import FILE as CALIBRATION
from serving.assistant.study_progress import NO_PROGRESS, StudyProgress
from serving.desk.changed_answers import changes_of, keep_changes, recent_answers
from serving.desk.course_tables import CourseTables
from serving.desk.insights.alert import CoverageWatch
from serving.desk.lineage.material import IndexedMaterial, read_reviewed_texts
from serving.desk.overlay import OverlayHolder
from serving.desk.queue_entry import automatic_reason, put_in_queue
from serving.desk.queue_groups import Grouping, QueueVectors, grouping
from serving.desk.revalidation import look_again
from serving.exam.admission import Admissions
from serving.gateway.chat_schemas import extension
from serving.gateway.conversations import Conversations
from serving.gateway.errors import GatewayError
from serving.gateway.following.follower import Follower
from serving.gateway.knowledge import MODEL_SETTINGS, Knowledge, load_knowledge, missing_artefacts
from serving.gateway.links import Links
from serving.gateway.mlflow_traces import open_sink
from serving.gateway.model_exam import exams_of
from serving.gateway.notifications.worker import Notifier
from serving.gateway.running_experiments import Trials
from serving.gateway.spending import Budget, CourseSwitches, TokenLedger, would_write
from serving.gateway.study_progress import progress_of
from serving.index.lance_vectors import POINTER as VECTORS_POINTER
from serving.llm.client import tls_context
from serving.llm.model_client import ServedModel, open_models, open_reranker
from serving.llm.per_language import PerLanguage
from serving.settings import Settings
from serving.store.caller import Caller
from serving.store.database import open_store
from serving.store.database_errors import StoreUnavailable
from serving.store.experiments import expose
from serving.store.retention import keep_to
from serving.store.tables.base import now
from serving.store.tables.conversation import TurnRow

log = structlog.get_logger(__name__)

Stamp = tuple[tuple[int, int], ...]

LOOK_SECONDS = 0.5
"""How often the home is checked for a new build: ten `stat` calls."""

RETRY_SECONDS = 10.0
"""When loading a build that failed is tried again, if its files stay the same."""


class Service:
    """Settings, the model server's client and the newest `Knowledge`. `owns_process`: the process serves this alone."""

    def __init__(self, settings: Settings, *, owns_process: bool = False) -> None:
        self.settings = settings
        self._owns_process = owns_process
        self.data_dir = settings.data_dir
        self.follower = Follower.of(settings)
        self.models = open_models(settings)
        self._http = httpx.AsyncClient(verify=tls_context())
        self._reranker = open_reranker(settings, self.models.others, self._http)
        sink = self._sink = open_sink(settings.mlflow_traces, self.data_dir)
        self.store = open_store(settings)
        self.overlay = OverlayHolder()
        self.question_vectors = QueueVectors()
        self.trials = Trials(self.store, settings)
        self.watch = CoverageWatch(self.store, settings)
        self.exams = exams_of(settings, self.models)
        self.switches = CourseSwitches(self.store)
        self.notifier = Notifier(self.store, settings, self._http, self.queue_grouping)
        self.ledger = TokenLedger(self.store, settings, self.switches)
        self.budget = Budget(
            self.switches,
            self.ledger,
            courses=lambda: self.course_ids,
            writes=lambda answer: would_write(settings, self.admissions, answer),
            has_model=lambda: any(model is not None for model in self.models.all),
        )
        self.conversations = Conversations(
            self.store,
            self.knowledge,
            shown=partial(extension, links=Links()),
            choose=self.trials.choose,
            stored=[expose, self._enter_queue],
            finished=[] if sink is None else [lambda answer: sink.put(answer.trace, answer.text)],
            budget=self.budget,
            progress=self._progress,
        )
        self._knowledge: Knowledge | None = None
        self._stamp: Stamp = ()
        self._loading = asyncio.Lock()
        self._retry_at = float("-inf")
        self._following: set[asyncio.Task[None]] = set()
        self._variant_models: dict[tuple[str | None, ...], PerLanguage[ServedModel | None]] = {}

    async def start(self) -> None:
        """Load what is built, and follow from now on what other processes do to the store, and what is published."""
        if self.follower is not None:
            self.follower.start()
        await self.overlay.refresh(self.store)
        await self.trials.refresh()
        await self.switches.refresh()
        followed = (self.trials.follow(), self.watch.follow(), self.switches.follow(), self.ledger.follow())
        for follow in (self.overlay.follow(self.store), self.notifier.follow(), *followed):
            self.follow_with(follow)
        self.follow_with(keep_to(self.store, days=self.settings.retention_days))
        for exam in self.exams.all:
            self.follow_with(exam.follow(self._assistant))
        if not self.missing():
            with suppress(GatewayError):  # it is in the log, and told by every answer until it is mended
                await self.knowledge()
        elif self.follower is not None:
            self.follow_with(self._first_copy())

    async def queue_grouping(self) -> Grouping:
        """What finds other wordings of a question in the TAs' queue; by words alone while nothing is built."""
        try:
            dense = (await self.knowledge()).dense
        except GatewayError:
            dense = None
        return grouping(self.question_vectors, dense.embedder if dense is not None else None)

    async def aclose(self) -> None:
        if self.follower is not None:
            await asyncio.to_thread(self.follower.stop)
        for task in self._following:
            task.cancel()
        await asyncio.gather(*self._following, return_exceptions=True)
        await self.conversations.aclose()
        await self.ledger.flush()
        await asyncio.to_thread(self.store.close)
        await self._http.aclose()
        for models in (self.models, *self._variant_models.values()):
            for model in models.all:
                if model is not None:
                    await model.aclose()
        if self._sink is not None:
            await asyncio.to_thread(self._sink.close)

    def missing(self) -> list[str]:
        """What must still be built before a question can be answered; empty when ready."""
        return missing_artefacts(self.data_dir)

    @property
    def remedy(self) -> str:
        """What to do where nothing is built, or it cannot be loaded."""
        if self.follower is None:
            return "Run `coteach build`."
        return "This gateway follows a published home; its log says what it waits for. Run `coteach publish` there."

    @property
    def admissions(self) -> Admissions:
        """What came of the exams of all models, as far as it is known."""
        return Admissions(self.exams.map(lambda exam: exam.current))

    @property
    def course_ids(self) -> frozenset[str]:
        """The courses that are loaded now: what a client names beside them is made up, or not built yet."""
        return frozenset() if self._knowledge is None else frozenset(self._knowledge.course_ids)

    @property
    def course_titles(self) -> dict[str, str]:
        """The titles of the courses that are loaded now, by id."""
        return {} if self._knowledge is None else {one.course_id: one.title for one in self._knowledge.courses}

    async def knowledge(self) -> Knowledge:
        """The newest state that is loaded; only the first is waited for. `GatewayError` 503 when there is none."""
        if self._knowledge is not None:
            return self._knowledge
        async with self._loading:
            if self._knowledge is None:
                self._require_built()
                self._knowledge = await self._first()
                self.follow_with(self._follow())
            return self._knowledge

    async def _first_copy(self) -> None:
        """Load the first copy of a published home as soon as it is here, without a request to ask for it."""
        while self._knowledge is None:
            await asyncio.sleep(LOOK_SECONDS)
            if not self.missing():
                with suppress(GatewayError):
                    await self.knowledge()

    async def _first(self) -> Knowledge:
        """The first state; one that cannot be loaded is not tried again by every request that waits."""
        if time.monotonic() >= self._retry_at:
            try:
                return await self._load_current(_stamp(self.data_dir))
            except CoteachError as error:  # it says in a sentence what is wrong and what to do
                log.error("home_not_loaded", reason=str(error), retry_seconds=RETRY_SECONDS)
                self._retry_at = time.monotonic() + RETRY_SECONDS
            except Exception:
                log.exception("home_not_loaded", retry_seconds=RETRY_SECONDS)
                self._retry_at = time.monotonic() + RETRY_SECONDS
        message = f"What was built cannot be loaded; the gateway's log says why. {self.remedy}"
        raise GatewayError(message, status=503, code="not_loaded", headers={"Retry-After": f"{RETRY_SECONDS:.0f}"})

    async def _follow(self) -> None:
        """Take up each new build, without a request to ask for it; one that cannot be loaded leaves the old state."""
        failed: Stamp | None = None
        retry_at = 0.0
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            stamp = _stamp(self.data_dir)
            if stamp == self._stamp or (stamp == failed and time.monotonic() < retry_at):
                continue
            try:
                self._knowledge = await self._load_current(stamp)
            except CoteachError as error:
                log.error("new_build_not_taken_up", reason=str(error), retry_seconds=RETRY_SECONDS)
                failed, retry_at = stamp, time.monotonic() + RETRY_SECONDS
            except Exception as error:
                log.exception("new_build_not_taken_up", reason=str(error), retry_seconds=RETRY_SECONDS)
                failed, retry_at = stamp, time.monotonic() + RETRY_SECONDS

    async def _load_current(self, stamp: Stamp) -> Knowledge:
        """The current home; `stamp` was taken before, so that a change in between is noticed later."""
        knowledge = await asyncio.to_thread(self._load)
        self.overlay.compare_by(knowledge.dense.embedder if knowledge.dense is not None else None)
        await self.overlay.refresh(self.store, knowledge.index)
        self._stamp = stamp
        self.follow_with(self._compare_answers(knowledge))
        if self._owns_process:
            _set_aside()
        return knowledge

    def _require_built(self) -> None:
        if missing := self.missing():
            message = f"Nothing to answer from in {self.data_dir.root}: {', '.join(missing)} missing. {self.remedy}"
            raise GatewayError(message, status=503, code="not_built")

    def _load(self) -> Knowledge:
        self._look_again()
        return load_knowledge(
            self.settings,
            self.models.others,
            own_models=self.models.own,
            last=self._knowledge,
            reranker=self._reranker,
            reviewed=lambda: self.overlay.current,
            models_for=self._models_for,
            admission=lambda: self.admissions,
            own_copy=True,
        )

    async def _assistant(self) -> Assistant:
        return (await self.knowledge()).assistant

    async def _progress(self, caller: Caller, course_id: str | None) -> StudyProgress:
        """What a study path goes by; a store that cannot say does not cost the answer."""
        graph = (await self.knowledge()).visible_to(caller.courses, course_id).graph
        try:
            return await progress_of(self.store, caller, graph, course_id)
        except (StoreUnavailable, SQLAlchemyError) as error:
            log.warning("progress_not_read", reason=type(error).__name__)
            return NO_PROGRESS

    def _look_again(self) -> None:
        """Approved answers whose sources this build changed go back to the TAs. Neither a failing store nor a table
        that cannot be read keeps a build back."""
        try:
            returned = look_again(self.store, CourseTables(self.data_dir))
        except Exception:
            log.exception("approved_answers_not_compared")
        else:
            if returned:
                log.info("approved_answers_looked_at_again", answers=returned)

    async def _compare_answers(self, knowledge: Knowledge) -> None:
        """Answers given before whose sources this build changed are marked, beside the requests. A failing store or a
        table that cannot be read costs no more than that."""
        version, at = knowledge.index.version, now()
        try:
            material = await self.material_of(knowledge)
            courses = frozenset(knowledge.course_ids)
            answers = await self.store.reading(lambda db: recent_answers(db, version=version, courses=courses, at=at))
            found = await asyncio.to_thread(changes_of, answers, material)
            news = await self.store.writing(lambda db: keep_changes(db, found, version=version, at=at))
        except Exception:
            log.exception("answers_not_compared")
        else:
            if news:
                log.info("answers_from_changed_material", answers=len(news), version=version)

    async def material_of(self, knowledge: Knowledge) -> IndexedMaterial:
        """What the sources say now, to compare answers with."""
        reviewed = await self.store.reading(read_reviewed_texts)
        return IndexedMaterial(knowledge.index, knowledge.graph, reviewed, CourseLectureIndex(self.data_dir))

    def _models_for(self, settings: Settings) -> PerLanguage[ServedModel | None]:
        """The clients of a variant's models, opened once."""
        named = tuple(getattr(settings, name) for name in MODEL_SETTINGS)
        if named not in self._variant_models:
            self._variant_models[named] = open_models(settings)
        return self._variant_models[named]

    def _enter_queue(self, db: Session, turn: TurnRow) -> None:
        if (reason := automatic_reason(turn, below=self.settings.low_confidence)) is not None:
            put_in_queue(db, turn, reason)

    def follow_with(self, following: Coroutine[Any, Any, None]) -> None:
        """Run something beside the requests, until the gateway ends."""
        task = asyncio.create_task(following)
        self._following.add(task)
        task.add_done_callback(self._following.discard)


def _set_aside() -> None:
    """Spare the collector of garbage what is there for good: looking through all of it stops every answer."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


async def get_service(request: Request) -> Service:
    return cast(Service, request.app.state.service)


Shared = Annotated[Service, Depends(get_service)]


def _stamp(data_dir: DataDir) -> Stamp:
    paths = (
        data_dir.index / "CURRENT",
        data_dir.index / VECTORS_POINTER,
        data_dir.graph_concepts,
        data_dir.graph_prerequisites,
        data_dir.graph_courses,
        data_dir.intent / "CURRENT",
        data_dir.intent / THRESHOLDS,
        data_dir.embedder / "CURRENT",
        data_dir.embeddings,
        data_dir.references / CALIBRATION,
        data_dir.tables_folder("graded_items"),
    )
    return tuple(_look(path) for path in paths)


def _look(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_ino)
