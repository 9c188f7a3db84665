"""The gateway through an OpenAI client over loopback, and through plain HTTP."""

import asyncio
import gc
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import course_rows as rows
import httpx
import openai
import pytest
import uvicorn
from stand_in import stand_in
from test_understanding import FixedIntent, Scores

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Locator
from knowledge_graph.lake.schemas import CATALOG_PAGES
from knowledge_graph.lake.tables import write_table
from serving.assistant.references import Reference
from serving.gateway.app import create_app
from serving.gateway.knowledge import open_intent
from serving.gateway.links import reference_path
from serving.index.build import build_index
from serving.settings import Settings

STACK = [{"role": "user", "content": "What is a stack?"}]
DIFFERENCE = "What is the difference between a stack and a queue?"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COTEACH_HOME", "COTEACH_LLM_URL", "COTEACH_ALPHA", "COTEACH_BETA", "COTEACH_LANGUAGES"):
        monkeypatch.delenv(name, raising=False)


@asynccontextmanager
async def browser(home: Path, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client straight into the app, with its start and its end."""
    app = create_app(Settings(home=home, **options))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://coteach.test") as client,
    ):
        yield client


@asynccontextmanager
async def served(home: Path, **options: Any) -> AsyncIterator[openai.AsyncOpenAI]:
    """The same behind a real socket, and the official client."""
    app = create_app(Settings(home=home, **options))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with openai.AsyncOpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0) as client:
            yield client
    finally:
        server.should_exit = True
        await running


def post(home: Path, body: Any, **options: Any) -> httpx.Response:
    async def run() -> httpx.Response:
        async with browser(home, **options) as client:
            if isinstance(body, str):
                return await client.post("/v1/chat/completions", content=body)
            return await client.post("/v1/chat/completions", json=body)

    return asyncio.run(run())


def get(home: Path, path: str, **headers: str) -> httpx.Response:
    async def run() -> httpx.Response:
        async with browser(home) as client:
            return await client.get(path, headers=headers)

    return asyncio.run(run())


def test_the_openai_client_gets_a_cited_answer(home: Path) -> None:
    async def run() -> Any:
        async with served(home) as client:
            return await client.chat.completions.create(model="coteach:ds", messages=STACK)  # type: ignore[arg-type]

    reply = asyncio.run(run())
    message = reply.choices[0].message
    assert message.content.startswith(rows.STACK)
    assert "[1] Stacks and queues @ 03:12" in message.content
    citation = message.annotations[0].url_citation
    assert citation.title == "Stacks and queues @ 03:12"
    assert citation.url.endswith("/courses/ds/videos/02%20stacks?t=192")
    assert message.content[citation.start_index : citation.end_index] == "[1]"
    assert (reply.usage.total_tokens, reply.choices[0].finish_reason) == (0, "stop")
    assert reply.coteach["route"] == "direct"


def test_the_openai_client_streams_the_models_words_and_the_usage(home: Path) -> None:
    async def run() -> list[Any]:
        async with stand_in() as model, served(home, llm_url=model.url, model_admission="always") as client:
            stream = await client.chat.completions.create(
                model="coteach",
                messages=[{"role": "user", "content": DIFFERENCE}],
                stream=True,
                stream_options={"include_usage": True},
                metadata={"course": "ds"},
            )
            return [chunk async for chunk in stream]

    chunks = asyncio.run(run())
    texts = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    assert texts[:3] == ["", "A stack ", "is last in, "]
    assert "".join(texts).startswith("A stack is last in, first out [1].")
    assert "[1] Stacks and queues @ 03:12" in "".join(texts)
    finished = [chunk for chunk in chunks if chunk.choices and chunk.choices[0].finish_reason]
    assert len(finished) == 1
    assert finished[0].coteach["route"] == "teach"
    assert (chunks[-1].choices, chunks[-1].usage.total_tokens) == ([], 10)


def test_a_stream_is_framed_as_server_sent_events_and_ends_with_done(home: Path) -> None:
    reply = post(home, {"model": "coteach:ds", "messages": STACK, "stream": True})
    assert reply.headers["content-type"].startswith("text/event-stream")
    events = reply.text.split("\n\n")
    assert events[-2:] == ["data: [DONE]", ""]
    chunks = [json.loads(event.removeprefix("data: ")) for event in events[:-2]]
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert len({chunk["id"] for chunk in chunks}) == 1
    assert chunks[0]["choices"][0]["delta"]["role"] == "assistant"
    assert "usage" not in chunks[-1]


def test_a_server_that_dies_midway_leaves_a_stream_that_ends_cleanly(home: Path) -> None:
    async def run() -> str:
        options = {"model_admission": "always"}
        async with stand_in("dies midway") as model, browser(home, llm_url=model.url, **options) as client:
            question = [{"role": "user", "content": DIFFERENCE}]
            body = {"model": "coteach:ds", "messages": question, "stream": True}
            return (await client.post("/v1/chat/completions", json=body)).text

    text = asyncio.run(run())
    assert "The model server stopped in the middle" in text
    assert '"degraded": true' in text
    assert text.endswith("data: [DONE]\n\n")


def test_fifty_questions_at_once_all_end_when_the_server_dies(home: Path) -> None:
    async def run() -> list[httpx.Response]:
        body = {"model": "coteach:ds", "messages": [{"role": "user", "content": DIFFERENCE}]}
        async with stand_in("dies midway") as model, browser(home, llm_url=model.url, patience_seconds=0) as client:
            return await asyncio.gather(*(client.post("/v1/chat/completions", json=body) for _ in range(50)))

    replies = asyncio.run(run())
    assert {reply.status_code for reply in replies} == {200}
    assert all(reply.json()["coteach"]["references"] for reply in replies)


def test_models_are_coteach_and_one_for_each_course(home: Path) -> None:
    body = get(home, "/v1/models").json()
    assert [model["id"] for model in body["data"]] == ["coteach", "coteach:ds", "coteach:sjjg"]
    assert get(home, "/v1/models/coteach:ds").json()["id"] == "coteach:ds"


@pytest.mark.parametrize("model", ["gpt-4", "coteach:nope", "cot"])
def test_an_unknown_model_or_course_is_404_in_openais_shape(home: Path, model: str) -> None:
    reply = post(home, {"model": model, "messages": STACK})
    assert reply.status_code == 404
    error = reply.json()["error"]
    assert (error["code"], error["param"], error["type"]) == ("model_not_found", "model", "invalid_request_error")


def test_an_unknown_course_is_told_with_the_list_of_those_that_exist(home: Path) -> None:
    reply = post(home, {"model": "coteach", "messages": STACK, "metadata": {"course": "nope"}})
    assert reply.json()["error"]["message"] == (
        "The course 'nope' does not exist. Models here: coteach, coteach:ds, coteach:sjjg."
    )


@pytest.mark.parametrize(
    "body",
    [
        "{not json",
        "[]",
        {},
        {"messages": []},
        {"messages": [{"role": "user", "content": "  "}]},
        {"messages": [{"role": "assistant", "content": "hi"}]},
        {"messages": [{"role": "nobody", "content": "hi"}]},
        {"messages": [{"role": "user", "content": "x" * 4001}]},
        {"messages": STACK, "metadata": {"video": "02 stacks", "at_ms": "-5"}},
        {"messages": STACK, "metadata": {"video": "02 stacks", "at_ms": "soon"}},
        {"messages": STACK, "metadata": {"mode": "teacher"}},
    ],
)
def test_a_request_that_cannot_be_read_is_400_in_openais_shape(home: Path, body: Any) -> None:
    reply = post(home, body)
    assert reply.status_code == 400
    assert reply.json()["error"]["type"] == "invalid_request_error"
    assert reply.json()["error"]["message"]


def test_the_parts_of_a_message_are_read(home: Path) -> None:
    parts = [{"type": "text", "text": "What is a"}, {"type": "text", "text": "stack?"}]
    body = {"model": "coteach:ds", "messages": [{"role": "user", "content": parts}]}
    assert post(home, body).json()["coteach"]["route"] == "direct"


def test_a_position_in_a_video_says_what_it_is(home: Path) -> None:
    metadata = {"course": "ds", "video": "02 stacks", "at_ms": "195000"}
    reply = post(home, {"messages": [{"role": "user", "content": "What is this?"}], "metadata": metadata}).json()
    assert reply["coteach"]["resolved"] == "What is stack?"
    assert reply["coteach"]["added"] == ["this -> stack (from the video)"]
    assert reply["choices"][0]["message"]["content"].startswith(rows.STACK)


def test_an_unknown_path_is_an_error_in_the_same_shape(home: Path) -> None:
    reply = get(home, "/v1/nothing")
    assert reply.status_code == 404
    assert reply.json()["error"]["message"].startswith("There is no GET /v1/nothing here.")


def test_a_start_looks_through_no_objects_of_the_process(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NiceGUI would, for a server that is not there; with a million objects it takes half a second."""
    monkeypatch.setattr(gc, "get_objects", lambda: pytest.fail("The start looked through every object."))
    assert get(home, "/login").status_code == 200


def test_a_home_that_is_not_built_names_the_command(tmp_path: Path) -> None:
    reply = post(tmp_path, {"messages": STACK})
    assert reply.status_code == 503
    assert "Run `coteach build`" in reply.json()["error"]["message"]
    health = get(tmp_path, "/healthz")
    assert health.status_code == 503
    assert "index/CURRENT" in health.json()["missing"]


def test_health_says_that_the_model_server_is_down(home: Path) -> None:
    health = get(home, "/healthz")
    assert health.status_code == 200
    body = health.json()
    assert (body["status"], body["model_server"]["alive"], body["courses"]) == ("degraded", False, ["ds", "sjjg"])


def test_a_broken_intent_model_leaves_the_last_one_in_use(tmp_path: Path) -> None:
    broken = DataDir(tmp_path).intent / "of-another-version"
    broken.mkdir(parents=True)
    (broken / "labels.json").write_text("{")
    (broken.parent / "CURRENT").write_text(broken.name)
    last = FixedIntent(Scores(h=0.9))
    assert open_intent(DataDir(tmp_path), last=last) is last
    assert open_intent(DataDir(tmp_path)) is None


def test_a_new_index_is_taken_up_between_two_questions(home: Path) -> None:
    question = {"model": "coteach:ds", "messages": [{"role": "user", "content": "Is the library open on Sunday?"}]}
    new = rows.pair("f9", "faq", "Is the library open on Sunday?", "From ten to four.")

    async def run() -> list[str]:
        async with browser(home) as client:
            before = await client.post("/v1/chat/completions", json=question)
            build_index(rows.tables(home.parent / "t", [*rows.QA, new]), DataDir(home).index)
            routes = [before.json()["coteach"]["route"]]
            async with asyncio.timeout(90):
                while routes[-1] == "ask_ta":
                    await asyncio.sleep(0.2)
                    after = await client.post("/v1/chat/completions", json=question)
                    routes.append(after.json()["coteach"]["route"])
            return [routes[0], routes[-1]]

    assert asyncio.run(run()) == ["ask_ta", "direct"]


CLASS = {
    "course_id": "ds",
    "mode": "class",
    "record_id": "class:COMP 1100",
    "code": "COMP 1100",
    "title": "Foundations <of> Programming",
    "topic": None,
    "text": "Variables & loops.",
    "page": "catalog/comp.html",
    "url": None,
    "fetched_at": None,
    "lang": "en",
}


def test_a_reference_to_a_saved_catalogue_page_opens_what_was_read_from_it(home: Path) -> None:
    write_table(DataDir(home).table("catalog_pages", "ds"), [CLASS], CATALOG_PAGES)
    reference = Reference(1, "t", "l", "catalog", "ds", "e", Locator(document="catalog/comp.html"))
    page = get(home, reference_path(reference) or "").text
    assert "<h1>COMP 1100 Foundations &lt;of&gt; Programming</h1>" in page
    assert "Variables &amp; loops." in page


def test_a_reference_opens_the_transcript_at_its_second_with_every_word_escaped(home: Path) -> None:
    page = get(home, "/courses/ds/videos/02%20stacks?t=192").text
    assert "<mark>a stack is &lt;b&gt;last in&lt;/b&gt;</mark>" in page
    listed = get(home, "/courses/ds/videos/02%20stacks?t=192", accept="application/json").json()
    assert [row["cue_index"] for row in listed["rows"]] == [0, 1]


@pytest.mark.parametrize("path", ["/courses/ds/videos/nope", "/courses/nope/videos/02", "/courses/sjjg/faq/faq%231"])
def test_a_reference_to_nothing_is_404(home: Path, path: str) -> None:
    assert get(home, path).status_code == 404


def test_the_concept_map_of_a_course_is_a_page_and_404_where_there_is_none(home: Path) -> None:
    path = DataDir(home).concept_map("ds")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("<!doctype html><title>Map</title>", encoding="utf-8")
    assert get(home, "/courses/ds/map").text == "<!doctype html><title>Map</title>"
    assert get(home, "/courses/sjjg/map").status_code == 404
    path.with_name("nope.html").write_text("of no course", encoding="utf-8")
    assert get(home, "/courses/nope/map").status_code == 404
