"""`/v1/traces` and `/v1/sessions`: what is told of an answer, and to whom."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from gateways import Gateway, bearer, running

from serving.settings import Settings

QUESTION = "When is the deadline of homework 3?"


def use(home: Path, work: Callable[[Gateway], Awaitable[None]]) -> None:
    async def run() -> None:
        async with running(Settings(home=home, access="keys")) as gateway:
            await work(gateway)

    asyncio.run(run())


async def asked(gateway: Gateway, key: str, question: str = QUESTION) -> dict[str, Any]:
    body = {"model": "coteach:ds", "messages": [{"role": "user", "content": question}]}
    reply = await gateway.client.post("/v1/chat/completions", json=body, headers=bearer(key))
    told: dict[str, Any] = reply.json()["coteach"]
    return told


async def get(gateway: Gateway, path: str, key: str) -> tuple[int, Any]:
    reply = await gateway.client.get(path, headers=bearer(key))
    return reply.status_code, reply.json()


def test_the_one_who_asked_reads_the_trace_and_what_the_answer_rests_on(home: Path) -> None:
    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        told = await asked(gateway, key)
        status, found = await get(gateway, f"/v1/traces/{told['trace_id']}", key)
        assert status == 200
        assert (found["question"], found["trace"]["route"], found["lineage"]["route"]) == (QUESTION, "direct", "direct")
        source = found["lineage"]["sources"][0]
        assert (source["origin_id"], source["state"], source["then"] == source["now"]) == ("faq#1", "same", True)
        assert found["urls"] == {"f1": "/courses/ds/faq/faq%231"}
        assert "person" not in str(found)

    use(home, work)


def test_tas_read_the_traces_of_their_courses_and_nobody_reads_another_students(home: Path) -> None:
    async def work(gateway: Gateway) -> None:
        told = await asked(gateway, gateway.key())
        path = f"/v1/traces/{told['trace_id']}"
        statuses = {
            "ta": await get(gateway, path, gateway.key("ta")),
            "ta of ds": await get(gateway, path, gateway.key("ta", courses=["ds"])),
            "ta of sjjg": await get(gateway, path, gateway.key("ta", courses=["sjjg"])),
            "another student": await get(gateway, path, gateway.key()),
            "nothing there": await get(gateway, "/v1/traces/nope", gateway.key("ta")),
        }
        assert {who: status for who, (status, _) in statuses.items()} == {
            "ta": 200,
            "ta of ds": 200,
            "ta of sjjg": 404,
            "another student": 404,
            "nothing there": 404,
        }
        hidden = statuses["another student"][1]["error"]["message"].replace(told["trace_id"], "nope")
        assert hidden == statuses["nothing there"][1]["error"]["message"]

    use(home, work)


def test_sessions_are_listed_read_and_deleted_by_their_owner_alone(home: Path) -> None:
    async def work(gateway: Gateway) -> None:
        key, other = gateway.key(), gateway.key("ta")
        told = await asked(gateway, key)
        _, listed = await get(gateway, "/v1/sessions", key)
        (session,) = listed["sessions"]
        path = f"/v1/sessions/{session['session_id']}"
        assert (session["title"], session["course"]) == (QUESTION, "ds")
        _, whole = await get(gateway, path, key)
        assert [(turn["trace_id"], turn["question"]) for turn in whole["turns"]] == [(told["trace_id"], QUESTION)]

        assert await get(gateway, "/v1/sessions", other) == (200, {"sessions": []})
        assert (await get(gateway, path, other))[0] == 404
        assert (await gateway.client.delete(path, headers=bearer(other))).status_code == 404

        assert (await gateway.client.delete(path, headers=bearer(key))).status_code == 204
        assert (await get(gateway, path, key))[0] == 404
        assert (await get(gateway, f"/v1/traces/{told['trace_id']}", key))[0] == 404

    use(home, work)


def test_a_reference_page_of_a_course_that_a_key_may_not_ask_is_404(home: Path) -> None:
    async def work(gateway: Gateway) -> None:
        path = "/courses/ds/videos/02%20stacks?t=192"
        page = {"accept": "text/html"}
        of_course = [gateway.key(courses=["ds"]), gateway.key(courses=["sjjg"])]
        replies = [await gateway.client.get(path, headers=bearer(key) | page) for key in of_course]
        assert [reply.status_code for reply in replies] == [200, 404]

    use(home, work)
