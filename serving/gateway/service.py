"""`Service`: what all requests share. Follows the home: a new build is taken up without dropping a request."""

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, cast

import httpx
import structlog
from fastapi import Depends, Request

from knowledge_graph.home import DataDir
from models.intent.thresholds import THRESHOLDS
from serving.gateway.errors import GatewayError
from serving.gateway.knowledge import Knowledge, load_knowledge, missing_artefacts
from serving.model_client import open_model, open_reranker
from serving.references.calibration import FILE as CALIBRATION
from serving.settings import Settings
from serving.tracing import open_sink

log = structlog.get_logger(__name__)

Stamp = tuple[tuple[int, int], ...]

LOOK_SECONDS = 0.5
"""How often the home is looked at for a new build: nine `stat` calls."""

RETRY_SECONDS = 10.0
"""When a build that could not be loaded is tried again, if it stays as it is."""


class Service:
    """Settings, the model server's client and the newest `Knowledge`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.data_dir = settings.data_dir
        self.llm = open_model(settings)
        self._http = httpx.AsyncClient()
        self._reranker = open_reranker(settings, self.llm, self._http)
        self._sink = open_sink(settings.mlflow_traces, self.data_dir)
        self._knowledge: Knowledge | None = None
        self._stamp: Stamp = ()
        self._loading = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None

    async def aclose(self) -> None:
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following
        await self._http.aclose()
        if self.llm is not None:
            await self.llm.aclose()
        if self._sink is not None:
            await asyncio.to_thread(self._sink.close)

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
        return load_knowledge(self.settings, self.llm, last=self._knowledge, sink=self._sink, reranker=self._reranker)


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
        data_dir.embedder / "CURRENT",
        data_dir.embeddings,
        data_dir.references / CALIBRATION,
    )
    return tuple(_look(path) for path in paths)


def _look(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_ino)
