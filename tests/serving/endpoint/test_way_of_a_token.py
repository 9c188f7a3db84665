"""How far a token goes: at most five async generators pass it on between the model's stream and the HTTP response."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakSet

import course_rows as rows
import pytest
from admissions import admitted
from gateways import running
from openai.types.chat import ChatCompletionChunk
from stand_in import stand_in

from serving.gateway.model_exam import ModelExam
from serving.llm import client
from serving.llm.replies import read_chunk
from serving.settings import Settings

MOST = 5
MODEL = {"OpenAiModel.stream", "Replicas.stream"}
"""The model's own stream, to which the others are the way."""
DIFFERENCE = "What is the difference between a stack and a queue?"
SHAPE = {"type": "json_schema", "json_schema": {"name": "coteach_answer"}}


@contextmanager
def ways_of_chunks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """The gateway's async generators that have begun and not ended, in whichever task they wait, whenever the model's
    client reads what its server sent."""
    hooks, begun, found = sys.get_asyncgen_hooks(), WeakSet[Any](), list[list[str]]()

    def note(one: Any) -> None:
        if "/serving/" in one.ag_code.co_filename and "/tests/" not in one.ag_code.co_filename:
            begun.add(one)
        if hooks.firstiter is not None:
            hooks.firstiter(one)

    def read(chunk: ChatCompletionChunk, url: str) -> tuple[str, str | None]:
        found.append(sorted(one.__qualname__ for one in begun if one.ag_frame is not None))
        return read_chunk(chunk, url)

    sys.set_asyncgen_hooks(firstiter=note)
    with monkeypatch.context() as patch:
        patch.setattr(client, "read_chunk", read)
        yield found
    sys.set_asyncgen_hooks(firstiter=hooks.firstiter)


@pytest.mark.parametrize(
    ("kind", "question", "way"),
    [
        ("comparison", DIFFERENCE, "CheckedWriting.run"),
        (None, DIFFERENCE, "Reflection.run"),
        (None, "hello", "Speaker.chat"),
    ],
)
@pytest.mark.parametrize(
    ("path", "more", "servers"),
    [
        ("/v1/chat/completions", {}, 1),
        ("/v1/chat/completions", {"response_format": SHAPE}, 1),
        ("/v1/responses", {}, 2),
    ],
)
def test_a_token_passes_at_most_five_generators(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str | None,
    question: str,
    way: str,
    path: str,
    more: dict[str, Any],
    servers: int,
) -> None:
    monkeypatch.setattr(ModelExam, "follow", never)

    async def run() -> tuple[str, list[list[str]]]:
        words = (rows.STACK, " ", rows.QUEUE)
        async with stand_in(words=words) as model, stand_in(words=words) as other:
            urls = ",".join([model.url, other.url][:servers])
            settings = Settings(home=home, llm_url=urls, model_admission="exam" if kind else "always")
            async with running(settings, client=("127.0.0.1", 1)) as gateway:
                if kind:
                    gateway.app.state.service.exams.others.current = admitted(kind)
                asked = {"input": question} if path.endswith("responses") else {"messages": [_said(question)]}
                body = {"model": "coteach:ds", "stream": True, **asked, **more}
                with ways_of_chunks(monkeypatch) as ways:
                    reply = await gateway.client.post(path, json=body)
                return reply.text, ways

    text, ways = asyncio.run(run())
    assert "stack" in text
    assert ways
    assert all(way in one for one in ways), ways
    assert all(len([name for name in one if name not in MODEL]) <= MOST for one in ways), ways


async def never(*_: Any) -> None:
    """No exam is held: whether the model is admitted is set by hand."""


def _said(question: str) -> dict[str, str]:
    return {"role": "user", "content": question}
