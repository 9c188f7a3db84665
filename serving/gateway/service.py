"""`Service`: what all requests share. Follows the home: a new build is taken up without dropping a request."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, cast

import structlog
from fastapi import Depends, Request

from knowledge_graph.graph import ConceptGraph
from knowledge_graph.home import DataDir
from knowledge_graph.records import CourseCard
from models.intent.classifier import IntentClassifier
from models.intent.thresholds import THRESHOLDS
from models.versions import ModelBroken, ModelMissing
from serving.assistant import Assistant
from serving.gateway.errors import GatewayError
from serving.index.analysis import warm_up
from serving.index.search import SearchIndex
from serving.intent import Intent
from serving.llm import LanguageModel, LlmTimes, OpenAiModel
from serving.settings import Settings

log = structlog.get_logger(__name__)

Stamp = tuple[tuple[int, int], ...]

LOOK_SECONDS = 0.5
"""How often the home is looked at for a new build: six `stat` calls."""

RETRY_SECONDS = 10.0
"""When a build that could not be loaded is tried again, if it stays as it is."""


class Knowledge:
    """One consistent state of the home: graph, index, intent model and the assistant over them."""

    def __init__(self, graph: ConceptGraph, index: SearchIndex, intent: Intent | None, assistant: Assistant) -> None:
        self.graph = graph
        self.index = index
        self.intent = intent
        self.assistant = assistant

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


class Service:
    """Settings, the model server's client and the newest `Knowledge`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.data_dir = settings.data_dir
        self.llm = open_model(settings)
        self._knowledge: Knowledge | None = None
        self._stamp: Stamp = ()
        self._loading = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None

    async def aclose(self) -> None:
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following
        if self.llm is not None:
            await self.llm.aclose()

    def missing(self) -> list[str]:
        """What must still be built before a question can be answered; empty when ready."""
        return missing_artefacts(self.data_dir)

    async def knowledge(self) -> Knowledge:
        """The newest state that is loaded; only the first is waited for. `GatewayError` 503 when nothing is built."""
        if self._knowledge is not None:
            return self._knowledge
        async with self._loading:
            if self._knowledge is None:
                self._require_built()
                self._knowledge = await self._loaded(_stamp(self.data_dir))
                self._following = asyncio.create_task(self._follow())
            return self._knowledge

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
                self._knowledge = await self._loaded(stamp)
            except Exception as error:
                log.exception("new_build_not_taken_up", reason=str(error), retry_seconds=RETRY_SECONDS)
                failed, retry_at = stamp, time.monotonic() + RETRY_SECONDS

    async def _loaded(self, stamp: Stamp) -> Knowledge:
        """The home as it is now; `stamp` was taken before, so that a change meanwhile is noticed afterwards."""
        knowledge = await asyncio.to_thread(self._load)
        self._stamp = stamp
        return knowledge

    def _require_built(self) -> None:
        if missing := self.missing():
            message = (
                f"Nothing to answer from in {self.data_dir.root}: {', '.join(missing)} missing. Run `coteach build`."
            )
            raise GatewayError(message, status=503, code="not_built")

    def _load(self) -> Knowledge:
        return load_knowledge(self.settings, self.llm, last=self._knowledge)


def load_knowledge(settings: Settings, llm: LanguageModel | None, *, last: Knowledge | None = None) -> Knowledge:
    """Open graph, index and intent model of a home that is built. The command line uses this too.

    `last` is what was loaded before: its intent model stays when the newer one cannot be used.
    """
    data_dir = settings.data_dir
    graph = ConceptGraph.load(data_dir)
    index = SearchIndex.open(data_dir.index)
    intent = open_intent(data_dir, last=last.intent if last else None)
    graph.warm_up()  # builds its dictionary now rather than at the first question
    if any(course.lang == "zh" for course in graph.courses):
        warm_up()
    assistant = Assistant(graph=graph, index=index, intent=intent, llm=llm, settings=settings)
    return Knowledge(graph, index, intent, assistant)


def open_intent(data_dir: DataDir, *, last: Intent | None = None) -> Intent | None:
    """The intent model; when there is none that can be used the `last` one, with a warning in the log."""
    try:
        return IntentClassifier.open(data_dir.intent)
    except (ModelMissing, ModelBroken) as error:
        log.warning("intent_model_not_used", reason=str(error), instead="the last one" if last else "rules")
        return last


def open_model(settings: Settings) -> OpenAiModel | None:
    """The client of the configured model server; `None` when none is configured."""
    if settings.llm_url is None:
        return None
    times = LlmTimes(
        connect=settings.llm_connect_seconds,
        first_token=settings.llm_first_token_seconds,
        stall=settings.llm_stall_seconds,
        whole=settings.deadline_seconds,
        probe=settings.llm_probe_seconds,
    )
    return OpenAiModel(settings.llm_url, model=settings.llm_model, api_key=settings.llm_api_key, times=times)


def missing_artefacts(data_dir: DataDir) -> list[str]:
    """Names, relative to the home, of what a build must make before questions can be answered."""
    wanted = [data_dir.graph_concepts, data_dir.graph_prerequisites, data_dir.graph_courses, data_dir.index / "CURRENT"]
    return [str(path.relative_to(data_dir.root)) for path in wanted if not path.is_file()]


def get_service(request: Request) -> Service:
    return cast(Service, request.app.state.service)


Shared = Annotated[Service, Depends(get_service)]


def _stamp(data_dir: DataDir) -> Stamp:
    paths = (
        data_dir.index / "CURRENT",
        data_dir.graph_concepts,
        data_dir.graph_prerequisites,
        data_dir.graph_courses,
        data_dir.intent / "CURRENT",
        data_dir.intent / THRESHOLDS,
    )
    return tuple(_look(path) for path in paths)


def _look(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_ino)
