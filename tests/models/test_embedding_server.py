"""An embedder behind an embeddings API: a server on this machine that answers as told."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.embedding import http_embedder
from models.embedding.embedder import EmbeddingFailed
from models.embedding.http_embedder import HttpEmbedder, describe
from models.embedding.published import EmbedderSource, open_embedder, publish_embedder

Answer = Callable[[dict[str, Any]], tuple[int, Any]]


class Server(ThreadingHTTPServer):
    """Answers every request with what `answer` makes of its body; keeps the bodies and keys it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: Answer = lengths
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_: Any) -> None:
        """Whoever asked does not wait any more."""


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.keys.append(self.headers["Authorization"])
        status, content = self.server.answer(body)
        sent = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: Any) -> None:
        """Nothing."""


def listed(vectors: list[list[float]]) -> dict[str, Any]:
    data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def lengths(body: dict[str, Any]) -> tuple[int, Any]:
    """A vector of three that tells the length of each text; last text first, as a server may."""
    content = listed([[len(text), 4.0, 0.0] for text in body["input"]])
    content["data"].reverse()
    return 200, content


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_second_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_embedder, "_TRIES_AGAIN", 0)


def opened(server: Server, dimension: int = 3) -> HttpEmbedder:
    return HttpEmbedder(server.url, "org/Big-Model", dimension=dimension, languages=("en", "zh"), api_key="secret")


def test_vectors_are_of_unit_length_and_in_the_order_of_the_texts(server: Server) -> None:
    found = opened(server).encode(["abc", "堆", ""])
    np.testing.assert_allclose(found[0], [0.6, 0.8, 0.0], atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-6)
    assert server.asked[0]["input"] == ["abc", "堆", " "]
    assert server.keys == ["Bearer secret"]


def test_many_texts_are_sent_in_several_requests(server: Server) -> None:
    found = opened(server).encode(["x" * (place % 9) for place in range(70)])
    assert found.shape == (70, 3)
    assert [len(body["input"]) for body in server.asked] == [32, 32, 6]


def test_a_server_that_is_published_is_asked_again_when_opened(server: Server, tmp_path: Path) -> None:
    card = publish_embedder(EmbedderSource("org/Big-Model", ("en", "zh"), url=server.url, api_key="k"), tmp_path)
    found = open_embedder(tmp_path, api_key="k")
    assert (card.dimension, card.languages) == (3, ("en", "zh"))
    assert (found.name, found.dimension, found.languages) == (card.name, 3, ("en", "zh"))
    assert found.encode(["abc"]).shape == (1, 3)
    assert not any("secret" in path.read_text() for path in tmp_path.rglob("card.json"))


def test_a_hung_server_costs_a_waiting_student_one_short_wait(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_embedder(EmbedderSource("org/Big-Model", ("en",), url=server.url), tmp_path)
    monkeypatch.setattr(http_embedder, "_AWAITED_SECONDS", 0.2)
    monkeypatch.setattr(http_embedder, "_TRIES_AGAIN", 2)
    awaited = open_embedder(tmp_path, is_awaited=True)
    asked, go_on = len(server.asked), threading.Event()

    def hang(body: dict[str, Any]) -> tuple[int, Any]:
        go_on.wait(5)
        return lengths(body)

    server.answer = hang
    started = time.monotonic()
    with pytest.raises(EmbeddingFailed, match=r"did not embed within 0\.2 s"):
        awaited.encode(["abc"])
    go_on.set()
    assert time.monotonic() - started < 2
    assert len(server.asked) == asked + 1


def test_the_name_differs_with_the_address_and_the_model(server: Server) -> None:
    one = http_embedder.name_embedder("http://one/v1", "org/big")
    assert one.startswith("big@")
    assert one == http_embedder.name_embedder("http://one/v1/", "org/big")
    assert (
        len(
            {
                one,
                http_embedder.name_embedder("http://two/v1", "org/big"),
                http_embedder.name_embedder("http://one/v1", "big"),
            }
        )
        == 3
    )


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(EmbeddingFailed, match=r"No embedding server answers at http://127\.0\.0\.1:9/v1"):
        describe("http://127.0.0.1:9/v1", "m", languages=("en",))


@pytest.mark.parametrize(
    ("status", "content", "said"),
    [
        (404, {"error": {"message": "no model big"}}, "refused to embed with 'org/Big-Model': 404"),
        (401, {"error": {"message": "no key"}}, "COTEACH_EMBEDDER_KEY"),
        (200, {"object": "list", "data": []}, "did not answer"),
        (200, {"error": "surprise"}, "did not answer"),
        (200, b"<html>", "did not answer"),
        (200, listed([[1.0, 2.0, 3.0, 4.0]]), "1 vectors of 4 numbers; expected are 3"),
        (200, listed([[1.0, 2.0, 3.0]] * 2), "2 vectors"),
        (200, listed([[1.0, None, 3.0]]), "did not answer"),  # type: ignore[list-item]
        (200, listed([[1.0], [1.0, 2.0]]), "did not answer"),
    ],
)
def test_an_answer_that_cannot_be_used_is_an_error_that_says_why(
    server: Server, status: int, content: Any, said: str
) -> None:
    server.answer = lambda _: (status, content)
    with pytest.raises(EmbeddingFailed, match=said):
        opened(server).encode(["abc"])
