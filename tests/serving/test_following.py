"""Gateways with empty homes that follow one published in moto's S3 server, a process of its own."""

import asyncio
import os
import shutil
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import course_rows as rows
import httpx
import object_store
import pytest
import uvicorn
from pydantic import ValidationError

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.local_copy import HomeBuiltHere
from knowledge_graph.lake.publication import publish
from knowledge_graph.lake.remote_folder import RemoteFolder
from knowledge_graph.lake.tables import digest
from serving.gateway import service
from serving.gateway.app import create_app
from serving.gateway.following.follower import Follower
from serving.gateway.following.served_files import HomeUnfit, find_served_files
from serving.gateway.signed_links import LinkSigner, read_secret
from serving.index.build import build_index
from serving.index.engine import IndexPlace
from serving.settings import Settings
from serving.store.database import Store, sqlite_url

QUESTION = {"model": "coteach:ds", "messages": [{"role": "user", "content": "Is the library open on Sunday?"}]}
ALWAYS = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}
SECONDS = 5.0
"""Within which a published build answers."""


class Platform:
    """A home that is built, where it is published, and gateways with homes of their own."""

    def __init__(self, home: Path, url: str, folder: Path) -> None:
        self.home, self.url, self._folder = home, url, folder

    def build(self, answer: str) -> None:
        """One more build; `answer` is what its library entry says."""
        entry = rows.pair("f9", "faq", "Is the library open on Sunday?", answer, content_hash=answer)
        build_index(rows.tables(self._folder / "t", [*rows.QA, entry]), DataDir(self.home).index, keep=1)

    def publish(self, answer: str) -> None:
        self.build(answer)
        publish(find_served_files(DataDir(self.home)), RemoteFolder(self.url), digest=lambda _, path: digest(path))

    def settings(self, name: str) -> Settings:
        """Of a gateway; all of them over one store of answers."""
        store = sqlite_url(self._folder / "store.db")
        home = self._folder / name
        return Settings(home=home, follow_url=self.url, follow_seconds=0.2, store_url=store, requests_per_minute=0)


@pytest.fixture
def port() -> int:
    return object_store.free_port()


@pytest.fixture
def store(port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The process of an object store that runs."""
    for name, value in object_store.environment(f"http://127.0.0.1:{port}").items():
        monkeypatch.setenv(name, value)
    process = object_store.start(port)
    yield process.pid
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.wait()


@pytest.fixture
def platform(home: Path, store: int, tmp_path: Path) -> Platform:
    Store.open(sqlite_url(tmp_path / "store.db")).close()
    return Platform(home, f"s3://{object_store.BUCKET}/home", tmp_path)


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "LOOK_SECONDS", 0.05)


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A gateway behind a real socket."""
    server = uvicorn.Server(uvicorn.Config(create_app(settings), port=0, log_level="warning"))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        await running


async def said(client: httpx.AsyncClient) -> str:
    reply = await client.post("/v1/chat/completions", json=QUESTION)
    assert reply.status_code == 200, reply.text
    return str(reply.json()["choices"][0]["message"]["content"])


async def until_ready(client: httpx.AsyncClient) -> None:
    async with asyncio.timeout(30):
        while (await client.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.05)


async def until_said(client: httpx.AsyncClient, answer: str) -> float:
    """Seconds until it does."""
    began = time.monotonic()
    async with asyncio.timeout(60):
        while answer not in await said(client):
            await asyncio.sleep(0.02)
    return time.monotonic() - began


def test_a_published_build_answers_in_two_gateways_within_seconds_and_no_question_fails(platform: Platform) -> None:
    async def asking(client: httpx.AsyncClient, done: asyncio.Event) -> int:
        count = 0
        while not done.is_set():
            reply = await client.post("/v1/chat/completions", json=ALWAYS)
            assert reply.status_code == 200, reply.text
            assert rows.STACK in reply.json()["choices"][0]["message"]["content"]
            count += 1
            await asyncio.sleep(0.02)
        return count

    async def run() -> tuple[list[float], list[int]]:
        done, took = asyncio.Event(), list[float]()
        async with served(platform.settings("g1")) as one, served(platform.settings("g2")) as two:
            clients = (one, two)
            await asyncio.gather(*map(until_ready, clients))
            async with asyncio.TaskGroup() as group:
                students = [group.create_task(asking(each, done)) for each in clients]
                for number in range(3):
                    await asyncio.to_thread(platform.publish, f"From {number} to four.")
                    took += await asyncio.gather(*(until_said(each, f"From {number} to four.") for each in clients))
                done.set()
        return took, [student.result() for student in students]

    platform.publish("Never.")
    took, asked = asyncio.run(run())
    assert max(took) < SECONDS
    assert min(asked) > 0


def test_while_the_store_is_away_what_was_fetched_answers_also_after_a_restart(
    platform: Platform, store: int, port: int
) -> None:
    async def run() -> list[str]:
        async with served(platform.settings("g1")) as client:
            await until_ready(client)
            os.kill(store, signal.SIGKILL)
            before = [await said(client) for _ in range(20)]
            await asyncio.sleep(1)
            before.append(await said(client))
        async with served(platform.settings("g1")) as client:
            await until_ready(client)
            after = await said(client)
            process = object_store.start(port)
            try:
                await asyncio.to_thread(platform.publish, "From two to four.")
                await until_said(client, "From two to four.")
            finally:
                process.kill()
                process.wait()
        return [*before, after]

    platform.publish("From one to four.")
    assert all("From one to four." in each for each in asyncio.run(run()))


def test_a_store_that_takes_connections_and_never_answers_keeps_no_question_waiting(
    platform: Platform, store: int
) -> None:
    async def run() -> float:
        async with served(platform.settings("g1")) as client:
            await until_ready(client)
            os.kill(store, signal.SIGSTOP)
            await asyncio.sleep(0.5)
            began = time.monotonic()
            for _ in range(20):
                assert "From one to four." in await said(client)
            took = time.monotonic() - began
            os.kill(store, signal.SIGCONT)
        return took

    platform.publish("From one to four.")
    assert asyncio.run(run()) < SECONDS


def test_a_gateway_waits_for_the_first_publication_and_says_so(platform: Platform) -> None:
    async def run() -> tuple[httpx.Response, httpx.Response]:
        async with served(platform.settings("g1")) as client:
            unready, refused = await client.get("/readyz"), await client.post("/v1/chat/completions", json=ALWAYS)
            await asyncio.to_thread(platform.publish, "From one to four.")
            await until_ready(client)
            assert "From one to four." in await said(client)
        return unready, refused

    unready, refused = asyncio.run(run())
    assert unready.status_code == refused.status_code == 503
    assert "coteach publish" in unready.json()["missing"][0]["remedy"]
    assert refused.json()["error"]["code"] == "not_built"


def test_a_publication_that_cannot_be_taken_is_told_once_and_the_last_one_answers_on(platform: Platform) -> None:
    async def run() -> str:
        async with served(platform.settings("g1")) as client:
            await until_ready(client)
            RemoteFolder(platform.url).write("CURRENT", b"what is this\n")
            await asyncio.sleep(1)
            return await said(client)

    platform.publish("From one to four.")
    assert "From one to four." in asyncio.run(run())
    follower = Follower.of(platform.settings("g1"))
    assert follower is not None
    follower.look()
    assert "expected 64 hexadecimal digits, found 'what is this'" in (follower.trouble or "")


def test_a_home_that_somebody_builds_in_is_not_followed_into(platform: Platform) -> None:
    with pytest.raises(HomeBuiltHere):
        Follower.of(Settings(home=platform.home, follow_url=platform.url))


def test_what_people_said_and_what_a_gateway_keeps_is_not_published(home: Path) -> None:
    data_dir = DataDir(home)
    own = [data_dir.store, home / "link_secret", data_dir.logs / "gateway.log", data_dir.logs_table("questions")]
    own += [data_dir.table("search_queries", "ds"), data_dir.exam / "m" / "x.json", data_dir.mlflow_db]
    for path in own:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    published = {path.absolute() for path in find_served_files(data_dir).values()}
    assert not published & {path.absolute() for path in own}
    assert data_dir.graph_concepts.absolute() in published


def test_the_models_in_use_are_published_and_no_others(home: Path) -> None:
    models = {"intent": ("old", "new"), "embedding": ("old", "read", "new")}
    for kind, versions in models.items():
        for version in versions:
            folder = home / "models" / kind / version
            folder.mkdir(parents=True)
            (folder / "labels.json").write_text('{"embedder": {"version": "read"}}')
        (home / "models" / kind / "CURRENT").write_text("new\n")
    (home / "models" / "intent" / "thresholds").mkdir()
    (home / "models" / "intent" / "thresholds" / "new.json").write_text("{}")
    found = {name.removeprefix("models/") for name in find_served_files(DataDir(home)) if name.startswith("models/")}
    assert found == {
        "intent/CURRENT",
        "intent/new/labels.json",
        "intent/thresholds/new.json",
        "embedding/CURRENT",
        "embedding/new/labels.json",
        "embedding/read/labels.json",
    }


def test_a_home_that_is_not_built_or_whose_index_names_this_machine_is_not_published(home: Path) -> None:
    pytest.importorskip("lancedb", reason="of the extra `lance`: uv pip install 'coteach[lance]'")
    build_index(rows.tables(home.parent / "t"), DataDir(home).index, place=IndexPlace("lance"))
    with pytest.raises(HomeUnfit, match="COTEACH_INDEX_URL"):
        find_served_files(DataDir(home))
    shutil.rmtree(DataDir(home).index)
    with pytest.raises(HomeUnfit, match=r"has no index/CURRENT to publish. Run `coteach build`"):
        find_served_files(DataDir(home))


def test_gateways_with_homes_of_their_own_open_each_others_links(tmp_path: Path) -> None:
    secret = "of all gateways, thirty-two letters"
    one, two = (read_secret(tmp_path / name, secret) for name in ("g1", "g2"))
    shown = LinkSigner(one, seconds=60).query("/sources/ds/x", None).removeprefix("s=")
    assert LinkSigner(two, seconds=60).read("/sources/ds/x", shown) == "-"
    assert LinkSigner(read_secret(tmp_path / "g2"), seconds=60).read("/sources/ds/x", shown) is None
    with pytest.raises(ValidationError, match="link_secret"):
        Settings(link_secret="short")


def test_a_gateway_that_follows_edits_no_courses_unless_it_is_told_to() -> None:
    editing = [Settings(**given).course_editing for given in ({}, {"follow_url": "x"})]
    assert editing == ["on", "off"]
    assert Settings(follow_url="x", course_editing="on").course_editing == "on"


def test_a_follower_that_is_stopped_ends_also_while_the_store_does_not_answer(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        follower = Follower.of(platform.settings("g9"))
        assert follower is not None
        follower.start()
        time.sleep(0.2)
        follower.stop()
        assert "could not be used" in (follower.trouble or ""), "it gave up by itself"
