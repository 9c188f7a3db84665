"""What Prometheus reads at `/metrics`: a registry per app, so that two apps in one process do not share counts.

Labels are bounded: routes are templates, methods and outcomes closed sets, courses those of the home. One process is
counted; several workers need one scrape each.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.assistant.turn import Usage
from serving.gateway.access import ask_for_metrics
from serving.gateway.errors import GatewayError
from serving.gateway.logs import Noted, route_of
from serving.gateway.service import Service, Shared
from serving.llm.load import Load
from serving.llm.replicas import Replicas

router = APIRouter()

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

SECONDS = (0.005, 0.01, 0.02, 0.04, 0.06, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
"""Upper edges of the histograms, a choice: fine where direct answers lie, coarse where a model writes."""

MOST_COURSES = 500
"""Courses with a label of their own, a choice; the rest are `other`."""

MODEL_LOOK_SECONDS = 5.0
"""How long the last finding about the model server is reported again. A choice."""


class Metrics:
    """Everything that is counted in one app."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counted: dict[str, Any] = {"namespace": "coteach", "registry": self.registry}
        self.requests = Counter("requests", "Requests answered.", ("route", "method", "status"), **counted)
        self.latency = Histogram(
            "request_seconds", "From the first byte to the last.", ("route",), buckets=SECONDS, **counted
        )
        self.asked = Counter("questions", "Questions that reached the assistant.", ("course",), **counted)
        self.answers = Counter("answers", "Answers given whole.", ("route", "course", "degraded"), **counted)
        self.ruled = Counter(
            "ruled_answers", "Answers given under a rule about graded work.", ("course", "allows"), **counted
        )
        self.answer_seconds = Histogram(
            "answer_seconds",
            "From the question to the whole answer.",
            ("route", "written_by"),
            buckets=SECONDS,
            **counted,
        )
        self.tokens = Counter("tokens", "Tokens of the model server.", ("kind", "model"), **counted)
        self.model_errors = Counter("model_errors", "Answers that the model failed to write.", ("kind",), **counted)
        self.model_answers = Counter("model_answers", "Answers that a model wrote.", ("route", "model"), **counted)
        self.admitted = Gauge(
            "model_admitted", "1 where a model passed the courses' exam.", ("model", "lang", "kind"), **counted
        )
        self.index_version = Gauge("index_version", "1 for the version of the index in use.", ("version",), **counted)
        self.index_built = Gauge("index_built_timestamp_seconds", "When the index in use was built.", **counted)
        self.broken = Counter("answers_broken", "Answers that ended before their end.", ("reason",), **counted)
        self.first_token = Histogram(
            "first_token_seconds", "From the question to the first words.", buckets=SECONDS, **counted
        )
        self.open_streams = Gauge("open_streams", "Answers being written now.", **counted)
        self.waiting = Gauge(
            "waiting",
            "Questions that wait for this gateway, requests that wait for the model server.",
            ("of",),
            **counted,
        )
        self.limited = Counter("rate_limited", "Requests refused because there were too many.", ("limit",), **counted)
        self.store_errors = Counter("store_errors", "Work that the store could not do.", **counted)
        self.model_up = Gauge("model_server_up", "1 when the model servers of all languages answer.", **counted)
        self.models_working = Gauge("model_servers_working", "Model servers that answered when asked last.", **counted)
        self.course_ratio = Gauge(
            "course_answered_ratio", "Of a course's last questions, those answered in full.", ("course",), **counted
        )
        self._courses: set[str] = set()
        self._looked_at = float("-inf")

    @contextmanager
    def count_parts(self, course_id: str | None, *, notes: Noted | None = None) -> Iterator[Callable[[object], None]]:
        """While one question is answered. What is given counts a part: first words, or the answer; how it ends says
        what broke it. `notes` get trace id and course."""
        began, is_first, is_done, reason = time.perf_counter(), True, False, "left"
        self._count_question(course_id)
        self.open_streams.inc()

        def count(part: object) -> None:
            nonlocal is_first, is_done
            if is_first:
                self.first_token.observe(time.perf_counter() - began)
                is_first = False
            if (answer := getattr(part, "answer", None)) is not None:
                is_done = True
                self._count_answer(answer, course_id, notes)
                if not getattr(part, "is_stored", True):
                    self.store_errors.inc()

        try:
            yield count
        except Exception:
            reason = "failed"
            raise
        finally:
            self.open_streams.dec()
            if not is_done:
                self.broken.labels(reason).inc()

    def observe_request(self, scope: Scope, status: int, seconds: float) -> None:
        route = route_of(scope)
        method = scope["method"] if scope["method"] in METHODS else "other"
        self.requests.labels(route, method, str(status)).inc()
        self.latency.labels(route).observe(seconds)

    async def look_at_model(self, service: Service) -> None:
        """Ask the model server whether it is up, unless it was asked a moment ago."""
        if time.monotonic() - self._looked_at >= MODEL_LOOK_SECONDS:
            self._looked_at = time.monotonic()
            models = [model for model in service.models.all if model is not None]
            up = [await model.is_alive() for model in models]
            self.model_up.set(int(bool(up) and all(up)))
            working = [
                sum(model.working.values()) if isinstance(model, Replicas) else int(is_up)
                for model, is_up in zip(models, up, strict=True)
            ]
            self.models_working.set(sum(working))

    def look_at_lines(self, load: Load, service: Service) -> None:
        """How many wait now, for the gateway itself and before the model server."""
        self.waiting.labels("gateway").set(load.waiting)
        models = [model for model in service.models.all if model is not None]
        if models:
            self.waiting.labels("model").set(sum(model.waiting for model in models))

    def look_at_courses(self, service: Service) -> None:
        """What the watch over the store last counted, whichever process answered."""
        self.course_ratio.clear()  # of a course that nobody asks any more there is none
        for course_id, ratio in service.watch.ratios().items():
            self.course_ratio.labels(self.course_label(course_id or None)).set(ratio)

    def look_at_admission(self, service: Service) -> None:
        """The exam result of each served model; nothing before the exam was held."""
        self.admitted.clear()
        for exam in service.exams.all:
            if (found := exam.current) is not None:
                for one in found.standings:
                    self.admitted.labels(found.model, one.lang, one.kind).set(int(one.is_admitted))

    async def look_at_index(self, service: Service) -> None:
        """Which index is in use, and when it was put in place; nothing before there is one."""
        self.index_version.clear()
        with suppress(GatewayError):
            self.index_version.labels((await service.knowledge()).index.version).set(1)
        with suppress(OSError):
            self.index_built.set((service.data_dir.index / "CURRENT").stat().st_mtime)

    def text(self) -> bytes:
        return generate_latest(self.registry)

    def course_label(self, course_id: str | None) -> str:
        if course_id is None:
            return "all"
        if course_id not in self._courses and len(self._courses) >= MOST_COURSES:
            return "other"
        self._courses.add(course_id)
        return course_id

    def _count_question(self, course_id: str | None) -> None:
        self.asked.labels(self.course_label(course_id)).inc()

    def _count_answer(self, answer: Any, course_id: str | None, notes: Noted | None) -> None:
        course = answer.trace.course_id or course_id
        self.answers.labels(str(answer.route), self.course_label(course), str(bool(answer.degraded)).lower()).inc()
        if (rule := answer.trace.rule) is not None:
            self.ruled.labels(self.course_label(rule.course_id), rule.allows).inc()
        self._count_work(answer)
        if notes is not None:
            notes.trace_id, notes.course = answer.trace.trace_id, course

    def _count_work(self, answer: Any) -> None:
        """What the answer took: time, tokens, and what went wrong with the model. One that the material gave in the
        model's place was not written by it."""
        trace = answer.trace
        is_written = trace.model is not None and trace.template is not None and not answer.degraded
        if (total := trace.timings.get("total_ms")) is not None:
            self.answer_seconds.labels(str(answer.route), "model" if is_written else "material").observe(total / 1000)
        if is_written:
            self.model_answers.labels(str(answer.route), trace.model).inc()
        if trace.model is not None:
            self.count_tokens(trace.model, answer.usage)
        if trace.error is not None:
            self.model_errors.labels(trace.error.partition(":")[0]).inc()

    def count_tokens(self, model: str | None, spent: Usage) -> None:
        self.tokens.labels("prompt", model or "none").inc(spent.prompt_tokens)
        self.tokens.labels("completion", model or "none").inc(spent.completion_tokens)


class RequestCounts:
    """Counts and times every request."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def answering(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, answering)
        finally:
            self._metrics.observe_request(scope, status, time.perf_counter() - began)


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def show_metrics(request: Request, service: Shared) -> Response:
    """Counts and latencies for Prometheus. Open to the machine itself; from elsewhere with an admin's key."""
    await ask_for_metrics(request)
    metrics = metrics_of(request)
    metrics.look_at_lines(request.app.state.load, service)
    await metrics.look_at_model(service)
    metrics.look_at_courses(service)
    metrics.look_at_admission(service)
    await metrics.look_at_index(service)
    return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)


def metrics_of(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


def install(app: FastAPI) -> Metrics:
    """Count this app's requests, and show the counts at `/metrics`."""
    metrics = Metrics()
    app.state.metrics = metrics
    app.add_middleware(RequestCounts, metrics=metrics)
    app.include_router(router)
    return metrics
