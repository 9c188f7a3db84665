"""A gateway under load while its home is built anew: no request is dropped, none waits, and the new answers come."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import course_rows as rows
import httpx
import pytest
import uvicorn
from sqlalchemy.orm import Session

from knowledge_graph.lake.home import DataDir
from serving.gateway import knowledge, service
from serving.gateway.app import create_app
from serving.gateway.service import Service
from serving.index.build import IN_THE_HOME, build_index
from serving.index.engine import IndexPlace, IndexUnreachable
from serving.index.lance_reader import LanceReader
from serving.settings import Settings
from serving.store.tables.review import ReviewedAnswer, ReviewedSource

QUESTION = {"model": "coteach:ds", "messages": [{"role": "user", "content": "Is the library open on Sunday?"}]}
BY_ADA = {"reviewer_id": "ada", "reviewer": "Ada"}
ALWAYS = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(service, "RETRY_SECONDS", 0.05)


def build(home: Path, answer: str, place: IndexPlace = IN_THE_HOME) -> str:
    """One more version of the index, the one before removed; `answer` is what its library entry says."""
    entry = rows.pair("f9", "faq", "Is the library open on Sunday?", answer, content_hash=answer)
    tables = rows.tables(home.parent / "t", [*rows.QA, entry])
    return build_index(tables, DataDir(home).index, place=place, keep=1).version


@asynccontextmanager
async def served(home: Path) -> AsyncIterator[httpx.AsyncClient]:
    """The gateway behind a real socket."""
    server = uvicorn.Server(
        uvicorn.Config(create_app(Settings(home=home, requests_per_minute=0)), port=0, log_level="warning")
    )
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            yield client
    finally:
        server.should_exit = True
        await running


@asynccontextmanager
async def started(home: Path, **options: bool) -> AsyncIterator[Service]:
    """A service with its first state loaded."""
    running = Service(Settings(home=home), **options)
    await running.knowledge()
    try:
        yield running
    finally:
        await running.aclose()


async def ask(client: httpx.AsyncClient, body: dict[str, Any] = QUESTION) -> str:
    reply = await client.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    return str(reply.json()["choices"][0]["message"]["content"])


async def until_taken_up(running: Service, version: str) -> None:
    async with asyncio.timeout(30):
        while (await running.knowledge()).index.version != version:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("place", [IN_THE_HOME, IndexPlace("lance")], ids=["tantivy", "lance"])
def test_every_question_is_answered_while_the_index_is_swapped_again_and_again(home: Path, place: IndexPlace) -> None:
    async def asking(client: httpx.AsyncClient, done: asyncio.Event) -> int:
        count = 0
        while not done.is_set():
            assert (await ask(client, ALWAYS)).startswith(rows.STACK)
            count += 1
        return count

    async def until_answered(client: httpx.AsyncClient, answer: str) -> None:
        async with asyncio.timeout(30):
            while answer not in await ask(client):
                await asyncio.sleep(0.01)

    async def run() -> list[int]:
        done = asyncio.Event()
        async with served(home) as client, asyncio.TaskGroup() as group:
            students = [group.create_task(asking(client, done)) for _ in range(6)]
            for number in range(5):
                await asyncio.to_thread(build, home, f"From {number} to four.", place)
                if number % 2 == 0:  # the others are replaced before or while they are loaded
                    await until_answered(client, f"From {number} to four.")
            done.set()
        return [student.result() for student in students]

    assert min(asyncio.run(run())) > 0


def test_questions_do_not_wait_for_a_new_build_to_be_loaded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with started(home) as running:
            old = await running.knowledge()
            loading, may_load = asyncio.Event(), asyncio.Event()
            loop = asyncio.get_running_loop()

            def slowly() -> knowledge.Knowledge:
                loop.call_soon_threadsafe(loading.set)
                asyncio.run_coroutine_threadsafe(may_load.wait(), loop).result()
                return knowledge.load_knowledge(running.settings, None)

            monkeypatch.setattr(running, "_load", slowly)
            version = await asyncio.to_thread(build, home, "From ten to four.")
            await loading.wait()
            assert await running.knowledge() is old
            may_load.set()
            await until_taken_up(running, version)

    asyncio.run(run())


def test_a_build_that_cannot_be_loaded_leaves_the_old_state_and_the_next_is_taken_up(home: Path) -> None:
    async def run() -> None:
        async with started(home) as running:
            old = await running.knowledge()
            graph = DataDir(home).graph_concepts
            whole = graph.read_bytes()
            graph.write_bytes(b"not a table")
            version = await asyncio.to_thread(build, home, "From ten to four.")
            await asyncio.sleep(0.2)
            assert await running.knowledge() is old
            graph.write_bytes(whole)
            await until_taken_up(running, version)

    asyncio.run(run())


def test_a_build_that_could_not_be_loaded_is_tried_again_as_it_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> int:
        async with started(home) as running:
            tries = 0

            def fails_twice() -> knowledge.Knowledge:
                nonlocal tries
                tries += 1
                if tries <= 2:
                    raise OSError("Too many open files")
                return knowledge.load_knowledge(running.settings, None)

            monkeypatch.setattr(running, "_load", fails_twice)
            await until_taken_up(running, await asyncio.to_thread(build, home, "From ten to four."))
            return tries

    assert asyncio.run(run()) == 3


def test_a_home_that_is_built_after_the_start_is_taken_up_by_the_first_question(home: Path) -> None:
    current = DataDir(home).index / "CURRENT"
    version = current.read_text()
    current.unlink()

    async def run() -> list[int]:
        async with served(home) as client:
            before = await client.post("/v1/chat/completions", json=ALWAYS)
            current.write_text(version)
            replies = await asyncio.gather(*(client.post("/v1/chat/completions", json=ALWAYS) for _ in range(8)))
            return [before.status_code, *(reply.status_code for reply in replies)]

    assert asyncio.run(run()) == [503, *[200] * 8]


def test_a_service_closes_while_a_build_is_being_loaded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> set[asyncio.Task[Any]]:
        async with started(home) as running:
            loading = asyncio.Event()
            loop = asyncio.get_running_loop()

            def loads() -> knowledge.Knowledge:
                loop.call_soon_threadsafe(loading.set)
                return knowledge.load_knowledge(running.settings, None)

            monkeypatch.setattr(running, "_load", loads)
            await asyncio.to_thread(build, home, "From ten to four.")
            await loading.wait()
        return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]

    assert asyncio.run(run()) == set()


@pytest.mark.parametrize("owns_process", [True, False])
def test_a_process_of_its_own_is_spared_collecting_garbage_from_what_it_serves(home: Path, owns_process: bool) -> None:
    async def run() -> int:
        async with started(home, owns_process=owns_process):
            return gc.get_freeze_count()

    gc.unfreeze()
    found = asyncio.run(run())
    gc.unfreeze()
    assert (found > 0) == owns_process


def test_a_table_that_cannot_be_compared_with_approvals_keeps_no_build_back(home: Path) -> None:
    def approve(db: Session) -> None:
        db.add(ReviewedAnswer(answer_id="a", course_id="ds", lang="en", question="?", answer="!", **BY_ADA))
        db.flush()
        text = {"text": "was", "text_sha256": "0" * 64}
        db.add(ReviewedSource(answer_id="a", unit="document:d:1", kind="document", course_id="ds", label="d", **text))

    async def run() -> None:
        running = Service(Settings(home=home))
        await running.store.writing(approve)
        broken = DataDir(home).table("documents", "ds")
        broken.parent.mkdir(parents=True, exist_ok=True)
        broken.write_bytes(b"no Parquet")
        await running.start()
        assert "ds" in (await running.knowledge()).course_ids
        await running.aclose()

    asyncio.run(run())


def test_a_question_is_told_to_come_again_while_the_store_of_the_index_is_away(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(home, "From ten to four.", IndexPlace("lance"))

    def away(*given: object) -> None:
        raise IndexUnreachable("The index in s3://bucket/x could not be used.")

    async def run() -> tuple[httpx.Response, str]:
        async with served(home) as client:
            with monkeypatch.context() as broken:
                broken.setattr(LanceReader, "best", away)
                refused = await client.post("/v1/chat/completions", json=QUESTION)
            return refused, await ask(client)

    refused, answered = asyncio.run(run())
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert refused.json()["error"]["code"] == "index_unavailable"
    assert "From ten to four." in answered
