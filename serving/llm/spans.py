"""Spans of OpenTelemetry, from a request through to the model server. They cost nothing unless a collector is named.

No span holds a question, an answer or a prompt. https://opentelemetry.io/docs/specs/semconv/gen-ai/
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from opentelemetry.trace import NoOpTracer, Span, SpanContext, SpanKind, Status, StatusCode, Tracer

from serving.llm.propagation import PASSED_ON

TRACER: ContextVar[Tracer] = ContextVar("tracer", default=NoOpTracer())  # noqa: B039  it has no state
"""Who records the spans of this request; nobody by default."""


@dataclass(frozen=True)
class ModelCall:
    """One request to the model server, while it lasts."""

    span: Span

    @property
    def headers(self) -> Mapping[str, str]:
        """What is passed on with it: the request's id, and its place in the trace."""
        context = self.span.get_span_context()
        named = {"traceparent": traceparent(context)} if self.span.is_recording() else {}
        return {**PASSED_ON.get(), **named}

    def name(self, model: str) -> None:
        self.span.set_attribute("gen_ai.request.model", model)

    def count(self, prompt_tokens: int | None, completion_tokens: int | None) -> None:
        for name, value in (("input", prompt_tokens), ("output", completion_tokens)):
            if value is not None:
                self.span.set_attribute(f"gen_ai.usage.{name}_tokens", value)


@contextmanager
def model_call(url: str) -> Iterator[ModelCall]:
    """A span around a request to the model server at `url`; what ends it is named, also a client that left."""
    about = {"gen_ai.operation.name": "chat", "url.full": url}
    span = TRACER.get().start_span("chat", kind=SpanKind.CLIENT, attributes=about)
    try:
        yield ModelCall(span)
    except BaseException as error:  # a client that leaves ends it too
        span.set_attribute("error.type", type(error).__name__)
        if isinstance(error, Exception):
            span.set_status(Status(StatusCode.ERROR))
        raise
    finally:
        span.end()


def traceparent(context: SpanContext) -> str:
    """As W3C writes it: https://www.w3.org/TR/trace-context/."""
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags):02x}"
