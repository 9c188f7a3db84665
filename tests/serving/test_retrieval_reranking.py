"""Rerankers against a local server: both interfaces, and every fault leaves the order as it was, with a note."""

import asyncio
import json
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import httpx
import pytest
from scripted_model import ScriptedModel

from serving.assistant.retrieval.reranking import Api, HttpReranker, LlmReranker, Reranker, rerank
from serving.llm.language_model import ChoiceProbabilities, LlmUnavailable
from serving.llm.messages import Message

TEXTS = ["about queues", "about stacks", "about heaps"]
SCORES = {"about queues": 0.2, "about stacks": 0.9, "about heaps": 0.2}


class Server:
    """Answers as vLLM does, or with a fault."""

    def __init__(self, fault: str = "") -> None:
        self.fault, self.asked, self.ended = fault, list[tuple[str, str, dict[str, object]]](), Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.asked.append((self.path, self.headers["Authorization"], body))
                server.reply(self, body)

            def log_message(self, *_: object) -> None: ...

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = Thread(target=self._http.serve_forever, args=(0.01,))

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def reply(self, handler: BaseHTTPRequestHandler, body: dict[str, list[str]]) -> None:
        if self.fault == "slow":
            self.ended.wait(5)
        texts = body.get("documents") or body["text_2"]
        listed = [{"index": place, "score": SCORES[text], "relevance_score": SCORES[text]} for place, text in
                  enumerate(texts)][::-1]  # fmt: skip
        if self.fault == "one missing":
            listed = listed[1:]
        if self.fault == "not a number":
            listed[0] |= {"score": float("nan"), "relevance_score": float("nan")}
        content = b"<html>" if self.fault == "garbage" else json.dumps({"results": listed, "data": listed}).encode()
        handler.send_response(500 if self.fault == "breaks" else 200)
        handler.end_headers()
        handler.wfile.write(content)


def ranked(server: Server, api: Api = "rerank", seconds: float = 2.0) -> tuple[list[int], str]:
    async def run() -> tuple[list[tuple[int, float]], str]:
        async with httpx.AsyncClient() as client:
            reranker = HttpReranker(server.url, "cross-encoder", client, api_key="secret", api=api)
            return await rerank("What is a stack?", TEXTS, reranker, seconds=seconds)

    order, note = asyncio.run(run())
    return [place for place, _ in order], note


@pytest.mark.parametrize(("api", "path"), [("rerank", "/v1/rerank"), ("score", "/score")])
def test_the_order_is_that_of_the_scores_and_ties_stay_as_given(api: Api, path: str) -> None:
    with Server() as server:
        assert ranked(server, api) == ([1, 0, 2], "")
    asked, key, body = server.asked[0]
    assert (asked, key, body["model"]) == (path, "Bearer secret", "cross-encoder")


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        ("breaks", "said 500"),
        ("garbage", "no score for each of 3 texts"),
        ("one missing", "no score for each of 3 texts"),
        ("not a number", "no score for each of 3 texts"),
        ("slow", "no answer within 0.2 s"),
    ],
)
def test_a_fault_leaves_the_order_as_it_was_and_says_so(fault: str, note: str) -> None:
    with Server(fault) as server:
        order, told = ranked(server, seconds=0.2 if fault == "slow" else 2.0)
    assert order == [0, 1, 2]
    assert note in told


def test_a_server_that_is_gone_leaves_the_order_as_it_was() -> None:
    server = Server()
    server._http.server_close()
    order, note = ranked(server)
    assert order == [0, 1, 2]
    assert "cannot be reached" in note


def test_nothing_is_asked_about_no_texts() -> None:
    class Never:
        async def score(self, question: str, texts: Sequence[str]) -> list[float]:
            raise AssertionError

    never: Reranker = Never()
    assert asyncio.run(rerank("q", [], never)) == ([], "")


def judge(question: str, text: str) -> Sequence[Message]:
    return [Message("user", f"{question} {text} yes or no?")]


def test_the_language_model_scores_by_its_probability_of_yes() -> None:
    llm = ScriptedModel(str, chooses=ChoiceProbabilities("no", {"yes": 0.3, "no": 0.7}))
    assert asyncio.run(LlmReranker(llm, judge).score("q", TEXTS)) == [0.3, 0.3, 0.3]
    assert llm.asked[0][0].content == "q about queues yes or no?"


def test_without_probabilities_its_choice_is_the_score() -> None:
    for choice, score in (("yes", 1.0), ("no", 0.0)):
        llm = ScriptedModel(str, chooses=ChoiceProbabilities(choice))
        assert asyncio.run(LlmReranker(llm, judge).score("q", ["text"])) == [score]


def test_a_language_model_that_fails_leaves_the_order_as_it_was() -> None:
    llm = ScriptedModel(str, chooses=LlmUnavailable("gone"))
    order, note = asyncio.run(rerank("q", TEXTS, LlmReranker(llm, judge)))
    assert [place for place, _ in order] == [0, 1, 2]
    assert "gone" in note
