"""A gateway that is killed while thumbs and a TA's answers come in: all that it had acknowledged is there again."""

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from knowledge_graph.lake.home import DataDir
from serving.llm.processes import free_port
from serving.store.database import Store, sqlite_url
from serving.store.keys import make_key

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

THUMBS = 500
TA_QUESTIONS = 60
AT_ONCE = 16
QUESTION = [{"role": "user", "content": "What is a stack?"}]

Json = dict[str, Any]


@dataclass
class Said:
    """What the gateway acknowledged: the thumb's comment by answer, and the answer by question."""

    thumbs: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return len(self.thumbs) + len(self.answers)


@dataclass(frozen=True)
class People:
    student: str
    ta: str

    @classmethod
    def of(cls, home: Path) -> "People":
        store = Store.open(sqlite_url(DataDir(home).store))
        try:
            student = store.write(lambda db: make_key(db, role="student"))
            return cls(student, store.write(lambda db: make_key(db, role="ta", name="Ines Calloway")))
        finally:
            store.close()


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@asynccontextmanager
async def gateway(home: Path, log: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, httpx.AsyncClient]]:
    """The gateway as a process of its own, killed at the end in any case."""
    port = free_port(0)
    environment = os.environ | {"COTEACH_HOME": str(home), "COTEACH_REQUESTS_PER_MINUTE": "0"}
    environment.pop("COTEACH_LLM_URL", None)
    command = [sys.executable, "-m", "uvicorn", "serving.gateway.app:create_app", "--factory", "--port", str(port)]
    with log.open("ab") as lines:
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=lines, stderr=lines)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        try:
            await until_ready(client, log)
            yield process, client
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def until_ready(client: httpx.AsyncClient, log: Path) -> None:
    for _ in range(600):
        try:
            if (await client.get("/readyz")).status_code == 200:
                return
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.1)
    raise AssertionError(log.read_text())


async def posted(client: httpx.AsyncClient, path: str, key: str, body: Json) -> Json:
    reply = await client.post(path, json=body, headers=bearer(key))
    assert reply.status_code in (200, 201), reply.text
    return dict(reply.json())


async def asked(client: httpx.AsyncClient, people: People) -> list[str]:
    """The trace ids of as many answers as will get a thumb."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one() -> str:
        async with gate:
            body = {"model": "coteach:ds", "messages": QUESTION}
            reply = await posted(client, "/v1/chat/completions", people.student, body)
            return str(reply["coteach"]["trace_id"])

    return await asyncio.gather(*(one() for _ in range(THUMBS)))


async def wondered(client: httpx.AsyncClient, people: People) -> list[str]:
    """The ids of questions to the TAs."""
    bodies = [{"question": f"Is room {number} open on Sunday?", "course_id": "ds"} for number in range(TA_QUESTIONS)]
    found = [await posted(client, "/v1/questions", people.student, body) for body in bodies]
    return [str(one["question_id"]) for one in found]


async def said_until_killed(
    process: asyncio.subprocess.Process,
    client: httpx.AsyncClient,
    people: People,
    answers: list[str],
    questions: list[str],
    *,
    after: int,
) -> Said:
    """Send all thumbs and approvals at once; kill the process when it has acknowledged `after` of them."""
    said, gate = Said(), asyncio.Semaphore(AT_ONCE)

    async def kept(path: str, key: str, body: Json, into: dict[str, str], name: str, text: str) -> None:
        async with gate:
            try:
                reply = await client.post(path, json=body, headers=bearer(key))
            except httpx.TransportError:
                return
        assert reply.status_code in (200, 201), reply.text
        into[name] = text
        if said.count == after:
            process.send_signal(signal.SIGKILL)

    thumbs = [
        kept(
            "/v1/feedback",
            people.student,
            {"trace_id": one, "thumb": "up", "comment": f"c{one}"},
            said.thumbs,
            one,
            f"c{one}",
        )
        for one in answers
    ]
    approvals = [
        kept(
            f"/review/questions/{one}/approve",
            people.ta,
            {"question": f"Is room {number} open on Sunday?", "answer": f"Room {number} is.", "rests": []},
            said.answers,
            one,
            f"Room {number} is.",
        )
        for number, one in enumerate(questions)
    ]
    work = [*thumbs, *approvals]
    random.Random(after).shuffle(work)
    await asyncio.gather(*work)
    await process.wait()
    return said


async def found_again(client: httpx.AsyncClient, people: People, said: Said) -> Said:
    """What is there of all that was acknowledged."""
    found = Said()
    for trace_id in said.thumbs:
        reply = await client.get(f"/v1/feedback/{trace_id}", headers=bearer(people.student))
        if reply.status_code == 200 and reply.json()["thumb"] == "up":
            found.thumbs[trace_id] = reply.json()["comment"]
    for question_id in said.answers:
        reply = await client.get(f"/v1/questions/{question_id}", headers=bearer(people.student))
        if reply.status_code == 200 and reply.json()["state"] == "answered":
            found.answers[question_id] = reply.json()["answer"]
    return found


def test_nothing_that_was_acknowledged_is_lost_when_the_gateway_is_killed(home: Path, tmp_path: Path) -> None:
    people, log = People.of(home), tmp_path / "gateway.log"

    async def run() -> tuple[Said, Said]:
        async with gateway(home, log) as (process, client):
            answers, questions = await asked(client, people), await wondered(client, people)
            after = random.SystemRandom().randrange(100, THUMBS)
            said = await said_until_killed(process, client, people, answers, questions, after=after)
            assert process.returncode == -signal.SIGKILL
        async with gateway(home, log) as (_, client):
            return said, await found_again(client, people, said)

    said, found = asyncio.run(run())
    assert said.count >= 100
    assert said.answers
    assert found == said
