"""`/v1/embeddings` by the home's own embedder, as the official client reads it; refused by name without one."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import course_rows as rows
import numpy as np
import openai
import pytest
from gateways import Gateway
from tiny_embedder import write_tiny_embedder

from knowledge_graph.lake.home import DataDir
from models.embedding.published import EmbedderSource, open_embedder, publish_embedder
from serving.gateway.embeddings import MODEL, MOST_TEXTS, MOST_WAITING
from serving.index.vectors import EntryTable, embed_entries

TEXTS = ["a heap", "a tree", "the exam date is on monday"]


@pytest.fixture
def embedding_home(home: Path, tmp_path: Path) -> Path:
    data_dir = DataDir(home)
    publish_embedder(EmbedderSource(str(write_tiny_embedder(tmp_path / "Tiny")), ("en",)), data_dir.embedder)
    tables = rows.tables(tmp_path / "embedded")
    sources = [EntryTable(tables.qa_pairs, "qa"), *(EntryTable(path, "passage") for path in tables.passages)]
    embed_entries(
        sources, data_dir.embeddings, open_embedder(data_dir.embedder), parts=tmp_path / "parts", limit=10_000
    )
    return home


async def embedded(gateway: Gateway, *, strict: bool = True, **more: Any) -> Any:
    client = openai.AsyncOpenAI(
        base_url="http://coteach.test/v1",
        api_key="none",
        http_client=gateway.client,
        max_retries=0,
        _strict_response_validation=strict,
    )
    form: Any = "float" if strict else openai.omit
    return await client.embeddings.create(**{"model": MODEL, "input": TEXTS, "encoding_format": form, **more})


def test_the_official_client_gets_the_embedders_vectors_as_numbers_and_as_base64(
    embedding_home: Path, use: Any
) -> None:
    async def work(gateway: Gateway) -> list[Any]:
        # By itself the client asks for base64, which its own strict validation takes for a wrong type.
        return [await embedded(gateway), await embedded(gateway, strict=False)]

    expected = open_embedder(DataDir(embedding_home).embedder).encode(TEXTS)
    for reply in use(work):
        np.testing.assert_allclose([one.embedding for one in reply.data], expected, atol=1e-6)
        assert [one.index for one in reply.data] == [0, 1, 2]
        assert reply.model.startswith("tiny@")
        assert reply.usage.prompt_tokens > 0


def test_one_text_alone_may_be_sent_as_it_is(embedding_home: Path, use: Any) -> None:
    assert len(use(lambda gateway: embedded(gateway, input="a heap")).data) == 1


def test_what_cannot_be_honoured_is_refused_by_its_name(embedding_home: Path, use: Any) -> None:
    wrong: dict[str, Any] = {
        "input": [[1, 2], [3]],
        "dimensions": 3,
        "encoding_format": "int8",
        "model": "text-embedding-3-small",
        "quality": "high",
    }

    async def work(gateway: Gateway) -> list[Any]:
        asked = [{"input": TEXTS, name: value} for name, value in wrong.items()]
        asked += [{"input": each} for each in ([], [""], ["a"] * (MOST_TEXTS + 1), "x" * 5000)]
        return [(await gateway.client.post("/v1/embeddings", json=each)).json()["error"]["param"] for each in asked]

    found = use(work)
    for name, param in zip([*wrong, *["input"] * 4], found, strict=True):
        assert param.startswith(name)


def test_who_would_wait_behind_many_is_refused_at_once(
    embedding_home: Path, use: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request may take a minute; whoever sent a hundred would have kept all others waiting, and their texts here."""
    may_end = threading.Event()

    def slowly(self: Any, texts: Any) -> Any:
        may_end.wait(30)
        return np.eye(len(texts), dtype=np.float32)

    async def work(gateway: Gateway) -> Any:
        knowledge = await gateway.app.state.service.knowledge()
        monkeypatch.setattr(type(knowledge.dense.embedder), "encode", slowly)
        body = {"model": MODEL, "input": TEXTS}
        asked = {asyncio.create_task(gateway.client.post("/v1/embeddings", json=body)) for _ in range(MOST_WAITING + 6)}
        refused: set[asyncio.Task[Any]] = set()
        while len(refused) < 5:
            done, asked = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            refused |= done
        may_end.set()
        return [each.result() for each in refused], [(await each).status_code for each in asked]

    refused, answered = use(work)
    assert {(one.status_code, one.json()["error"]["code"], one.headers["Retry-After"]) for one in refused} == {
        (503, "overloaded", "10")
    }
    assert answered == [200] * (MOST_WAITING + 1)


def test_a_home_without_an_embedder_says_so(use: Any) -> None:
    async def work(gateway: Gateway) -> Any:
        return await gateway.client.post("/v1/embeddings", json={"input": TEXTS})

    reply = use(work)
    assert (reply.status_code, reply.json()["error"]["code"]) == (404, "model_not_found")
    assert "no embedder" in reply.json()["error"]["message"]
