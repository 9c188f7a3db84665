"""OpenTelemetry at the gateway: a span for each request, sent to the collector that `COTEACH_OTLP_ENDPOINT` names.

It goes on with the trace of a request's `traceparent`. Sampling and attributes of the service are set as the SDK reads
them (`OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES`).
"""

import asyncio
from collections.abc import Callable
from importlib import metadata
from typing import Any

from fastapi import FastAPI
from opentelemetry.context import Context, attach, detach
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from knowledge_graph.lake.problems import CoteachError
from serving.gateway.logs import QUIET, notes_in, route_of
from serving.llm.spans import TRACER
from serving.settings import Settings

_PARENT = TraceContextTextMapPropagator()


class TelemetryMissing(CoteachError):
    """A collector is named, and what sends to it is not installed."""


class RequestSpans:
    """A span around every request but those that a machine asks every few seconds."""

    def __init__(self, app: ASGIApp, *, tracer: Tracer) -> None:
        self._app, self._tracer = app, tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in QUIET:
            await self._app(scope, receive, send)
            return
        notes, status = notes_in(scope), 500
        parent = _PARENT.extract(dict(Headers(scope=scope)), Context())
        about = {"http.request.method": scope["method"], "coteach.request_id": notes.request_id}
        span = self._tracer.start_span(scope["method"], parent, kind=SpanKind.SERVER, attributes=about)
        notes.w3c_trace = f"{span.get_span_context().trace_id:032x}"

        async def answering(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        TRACER.set(self._tracer)
        token = attach(set_span_in_context(span, Context()))
        try:
            await self._app(scope, receive, answering)
        finally:
            detach(token)
            route = route_of(scope)
            span.update_name(f"{scope['method']} {route}")
            known = {"http.route": route, "coteach.course": notes.course, "coteach.trace_id": notes.trace_id}
            span.set_attributes({name: value for name, value in known.items() if value is not None})
            span.set_attribute("http.response.status_code", status)
            if status >= 500:
                span.set_status(Status(StatusCode.ERROR))
            span.end()


def install(app: FastAPI, settings: Settings) -> Callable[[], Any] | None:
    """Record this app's requests where a collector is named; what sends the last spans when the app ends.

    Raises `TelemetryMissing`.
    """
    if settings.otlp_endpoint is None:
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415  an extra
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ModuleNotFoundError as error:
        message = (
            f"COTEACH_OTLP_ENDPOINT needs what is not installed ({error.name}): `pip install 'coteach[telemetry]'`."
        )
        raise TelemetryMissing(message) from error
    version = metadata.version("coteach")
    provider = TracerProvider(resource=Resource.create({"service.name": "coteach", "service.version": version}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=settings.otlp_endpoint)))
    app.add_middleware(RequestSpans, tracer=provider.get_tracer("coteach", version))
    return lambda: asyncio.to_thread(provider.shutdown)
