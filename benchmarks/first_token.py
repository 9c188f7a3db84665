"""Time to the first token through coteach beside the model server alone, for the same prompt in the same run.

    COTEACH_HOME=data COTEACH_LLM_URL=http://127.0.0.1:8100/v1 .venv/bin/python benchmarks/first_token.py

Each question goes through the assistant, measured; its prompt is caught on the way and sent to the model server itself,
measured too. A new question finds its instructions in the server's prefix cache and nothing of itself: so each prompt's
last message begins with a number of its own, on both ways. A repeated one finds everything; that is measured beside it.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from itertools import pairwise

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.turn import Delta
from serving.gateway.knowledge import load_knowledge
from serving.llm.client import OpenAiModel
from serving.llm.language_model import AS_SERVED, Sampling, StreamChunk
from serving.llm.messages import Message
from serving.settings import Settings

QUESTIONS = 20
BOUND = 1.1


class Catching(OpenAiModel):
    """The client that coteach uses; it keeps the last prompt."""

    prompt: Sequence[Message] = ()
    number: str = ""

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 256,
        temperature: float = 0.2,
        sampling: Sampling = AS_SERVED,
    ) -> AsyncGenerator[StreamChunk, None]:
        self.prompt = messages
        *before, last = messages
        numbered = [*before, Message(last.role, f"({self.number}) {last.content}")]
        async for piece in super().stream(numbered, sampling=sampling, max_tokens=max_tokens, temperature=temperature):
            yield piece


def comparisons(graph: ConceptGraph, count: int) -> list[tuple[str, str]]:
    """Courses and complex questions about neighbouring English concepts, so that a model has to write."""
    found = (graph.concept(key) for name in graph.names() if (key := graph.find(name)))
    known = [one for one in found if one.definition and one.lang == "en"]
    pairs = [(a, b) for a, b in pairwise(known) if a.course_ids[:1] == b.course_ids[:1]]
    return [(a.course_ids[0], f"What is the difference between {a.name} and {b.name}?") for a, b in pairs][:count]


async def first_text(parts: AsyncIterator[object]) -> float:
    """Milliseconds to the first text of a stream; the rest is not read."""
    started = time.perf_counter()
    async for part in parts:
        text = part.text if isinstance(part, Delta | StreamChunk) else ""
        if text.strip():
            break
    taken = (time.perf_counter() - started) * 1000
    await parts.aclose()  # type: ignore[attr-defined]
    return taken


async def measured(settings: Settings, *, repeated: bool) -> list[tuple[float, float]]:
    """Milliseconds through coteach and through the model server alone, question by question."""
    if settings.llm_url is None:
        raise SystemExit("Set COTEACH_LLM_URL to the model server to measure against.")
    model = Catching(settings.llm_url, model=settings.llm_model)
    knowledge = load_knowledge(settings, model)
    found = []
    assistant = knowledge.assistant
    for place, (course_id, question) in enumerate(comparisons(knowledge.graph, QUESTIONS)):
        model.number = f"{place}a"
        if repeated or place == 0:  # the first loads what is loaded once
            await first_text(assistant.stream(question, course_id=course_id))
        if not repeated:
            model.number = f"{time.time_ns()}"
        ours = await first_text(assistant.stream(question, course_id=course_id))
        if not repeated:
            model.number = f"{time.time_ns()}"
        raw = await first_text(model.stream(model.prompt, max_tokens=settings.max_tokens))
        found.append((ours, raw))
    await model.aclose()
    return found


def main() -> int:
    """Print medians and their ratio."""
    for repeated in (False, True):
        found = asyncio.run(measured(Settings(), repeated=repeated))
        ours, raw = (statistics.median(each) for each in zip(*found, strict=True))
        kind = "repeated" if repeated else "new"
        sys.stdout.write(f"{len(found)} {kind} questions: coteach {ours:.0f} ms, model server {raw:.0f} ms, ")
        sys.stdout.write(f"ratio {ours / raw:.3f}{'' if repeated else f' (bound {BOUND})'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
