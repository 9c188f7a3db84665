"""Traces as a collector receives them: from the client through the gateway to the model server, without words."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from gateways import running
from stand_in import stand_in

from serving.gateway.app import create_app
from serving.gateway.telemetry import TelemetryMissing
from serving.settings import Settings

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
DIFFERENCE = {
    "model": "coteach:ds",
    "messages": [{"role": "user", "content": "What is the difference between a stack and a queue?"}],
}


@asynccontextmanager
async def collector() -> AsyncIterator[tuple[str, list[bytes]]]:
    """An OTLP receiver over HTTP: its address, and the bodies that came."""
    got: list[bytes] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
        got.append(await reader.readexactly(length))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/traces", got


def spans_of(bodies: list[bytes]) -> dict[str, Any]:
    """The spans received, by name."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    found: dict[str, Any] = {}
    for body in bodies:
        for group in ExportTraceServiceRequest.FromString(body).resource_spans:
            named = {one.key: one.value.string_value for one in group.resource.attributes}
            assert named["service.name"] == "coteach"
            found |= {span.name: span for scope in group.scope_spans for span in scope.spans}
    return found


def attributes(span: Any) -> dict[str, Any]:
    return {
        one.key: getattr(one.value, one.value.WhichOneof("value"))  # type: ignore[arg-type]
        for one in span.attributes
    }


@pytest.mark.parametrize("behaviour", ["answers", "breaks"])
def test_a_trace_goes_from_the_client_through_the_gateway_to_the_model_server(home: Path, behaviour: Any) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra coteach[telemetry]")

    async def run() -> tuple[list[bytes], list[dict[str, str]], Any]:
        async with stand_in(behaviour) as model, collector() as (address, got):
            settings = Settings(home=home, llm_url=model.url, model_admission="always", otlp_endpoint=address)
            async with running(settings) as gateway:
                sent = {"traceparent": TRACEPARENT}
                reply = await gateway.client.post("/v1/chat/completions", json=DIFFERENCE, headers=sent)
                await gateway.client.get("/livez")
            return got, model.headers, reply.json()

    got, sent, reply = asyncio.run(run())
    spans = spans_of(got)
    request, call = spans["POST /v1/chat/completions"], spans["chat"]
    trace, parent = TRACEPARENT.split("-")[1:3]
    assert request.trace_id.hex() == call.trace_id.hex() == trace
    assert request.parent_span_id.hex() == parent
    assert call.parent_span_id == request.span_id
    assert next(one for one in sent if "traceparent" in one)["traceparent"].split("-")[1:3] == [
        trace,
        call.span_id.hex(),
    ]
    facts, asked = attributes(request), attributes(call)
    assert facts["http.route"] == "/v1/chat/completions"
    assert facts["http.response.status_code"] == 200
    assert facts["coteach.trace_id"] == reply["coteach"]["trace_id"]
    assert facts["coteach.course"] == "ds"
    if behaviour == "answers":
        assert asked["gen_ai.usage.output_tokens"] == 3
    else:
        assert asked["error.type"] == "LlmUnavailable"
    assert "GET /livez" not in spans
    assert b"difference between" not in b"".join(got)


def test_a_collector_without_the_sdk_is_refused_at_the_start(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(TelemetryMissing, match=r"coteach\[telemetry\]"):
        create_app(Settings(home=home, otlp_endpoint="http://127.0.0.1:1/v1/traces"))
