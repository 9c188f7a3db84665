"""Chain of Teach as data: for TAs and above, the very prompt that a model is sent, and no student sees it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import course_rows as rows
import openai
import pytest
from admissions import admitted
from gateways import Gateway, bearer, running
from sqlalchemy import func, select, update
from stand_in import StandIn, stand_in

from serving.gateway.model_exam import ModelExam
from serving.gateway.teaching import TeachingReply
from serving.settings import Settings
from serving.store.tables.conversation import TurnRow

DIFFERENCE = "What is the difference between a stack and a queue?"
KINDS = ("comparison", "definition", "reason", "where", "steps")


BOTH = ("A stack ", "is last in, ", "first out [1]. ", "A queue is first in, first out [2].")
"""Of a comparison one side alone would not be shown."""


@asynccontextmanager
async def over_model(home: Path, **settings: Any) -> AsyncIterator[tuple[Gateway, StandIn]]:
    chosen = {"model_admission": "always", "requests_per_minute": 0} | settings
    async with stand_in(words=BOTH) as model, running(Settings(home=home, llm_url=model.url, **chosen)) as gateway:
        yield gateway, model


async def never(*args: Any) -> None:
    """No exam is held."""


def taught(reply: Any) -> TeachingReply:
    assert reply.status_code == 200, reply.text
    return TeachingReply.model_validate(reply.json())


async def planned(gateway: Gateway, question: str = DIFFERENCE, **more: Any) -> TeachingReply:
    body = {"question": question, "course": "ds", **more}
    return taught(await gateway.client.post("/v1/teach", json=body, headers=bearer(gateway.key("ta"))))


@pytest.mark.parametrize("mode", ["always", "exam"])
def test_the_prompt_of_an_answer_is_the_one_that_its_model_was_sent(
    home: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(ModelExam, "follow", never)

    async def run() -> tuple[list[TeachingReply], list[Any]]:
        async with over_model(home, model_admission=mode) as (gateway, model):
            gateway.app.state.service.exams.others.current = admitted(*KINDS)
            client = openai.AsyncOpenAI(
                base_url="http://coteach.test/v1", api_key=gateway.key(), http_client=gateway.client, max_retries=0
            )
            first = await client.responses.create(model="coteach:ds", input=DIFFERENCE)
            then = await client.responses.create(
                model="coteach:ds", input="Why is it a list?", previous_response_id=first.id
            )
            sent = [one["messages"] for one in model.asked]
            traces = [one.coteach["trace_id"] for one in (first, then)]
            ta = bearer(gateway.key("ta"))
            found = [await gateway.client.get(f"/v1/traces/{one}/teaching", headers=ta) for one in traces]
            return [taught(one) for one in found], sent

    found, sent = asyncio.run(run())
    for one in found:
        assert one.given is not None
        if one.given.prompt_sha256 is None:  # of a follow-up that the material answers alone no prompt was sent
            assert not one.given.is_same_prompt
            continue
        assert one.given.is_same_prompt
        assert [message.model_dump() for message in one.messages] in sent
    assert found[0].given is not None
    assert [message.model_dump() for message in found[0].messages] in sent
    if mode == "always":  # by the exam's rules the material answers where no sentence of the model's stood
        assert found[0].given.prompt_sha256 == found[0].prompt_sha256
    assert (found[0].asks_model, found[0].withheld, found[0].template) == (True, None, "teach@2")


def test_what_a_model_is_given_comes_part_by_part(home: Path) -> None:
    async def run() -> TeachingReply:
        async with over_model(home) as (gateway, _):
            return await planned(gateway)

    found = asyncio.run(run())
    stack = found.concepts[0]
    assert (stack.name, stack.definition) == ("stack", rows.STACK)
    assert [one.name for one in stack.prerequisites] == ["list"]
    assert {one.kind for one in found.steps} == {"definition", "domains", "prerequisites", "prerequisite"}
    prompt = found.messages[-1].content
    assert "\n".join(one.text for one in found.steps) in prompt
    assert prompt.endswith(DIFFERENCE)
    assert found.notes[0].number == 1
    assert found.notes[0].url is not None
    assert found.notes[0].url.endswith("/courses/ds/videos/02%20stacks?t=192")
    example = found.demonstrations[0]
    assert (found.messages[0].role, found.messages[2].content) == ("system", example.answer)
    assert example.reasoning in found.messages[1].content
    assert found.tokens > 100
    assert found.given is None


def test_a_question_is_planned_without_asking_a_model_or_storing_anything_and_whether_one_is_admitted(
    home: Path,
) -> None:
    async def run() -> tuple[TeachingReply, list[Any], int | None]:
        async with over_model(home, model_admission="exam", exam_seconds=0.1) as (gateway, model):
            before = len(model.asked)
            found = await planned(gateway)
            stored = gateway.store.read(lambda db: db.scalar(select(func.count()).select_from(TurnRow)))
            return found, [one for one in model.asked[before:] if DIFFERENCE in str(one["messages"])], stored

    found, asked, stored = asyncio.run(run())
    assert (found.asks_model, found.withheld) == (False, None)
    assert found.messages[-1].content.endswith(DIFFERENCE)
    assert (asked, stored) == ([], 0)


def test_what_was_said_before_is_part_of_the_question(home: Path) -> None:
    history = [{"role": "user", "content": "What is a stack?"}, {"role": "assistant", "content": rows.STACK}]

    async def run() -> TeachingReply:
        async with over_model(home, model_admission="never") as (gateway, _):
            return await planned(gateway, "How does it differ from a queue?", history=history)

    assert "stack" in asyncio.run(run()).question


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("When is the deadline of homework 3?", "stored"),
        ("Who won the match yesterday evening?", "no_material"),
        ("asdf qwer zxcv", "settled"),
        ("I want to kill myself", "settled"),
    ],
)
def test_where_no_model_is_ever_asked_it_says_why(home: Path, question: str, why: str) -> None:
    async def run() -> TeachingReply:
        async with over_model(home, model_admission="exam", exam_seconds=0.1) as (gateway, _):
            return await planned(gateway, question)

    found = asyncio.run(run())
    assert (found.withheld, found.messages, found.prompt_sha256) == (why, [], None)


def test_a_language_that_no_model_here_speaks_gets_no_prompt(home: Path) -> None:
    async def run() -> TeachingReply:
        async with over_model(home, model_admission="never", languages=("en",)) as (gateway, _):
            return await planned(gateway, "栈和队列有什么区别？", course="sjjg")

    assert asyncio.run(run()).withheld == "language"


def test_a_prompt_that_is_another_than_the_one_that_was_sent_is_said_to_be(home: Path) -> None:
    async def run() -> TeachingReply:
        async with over_model(home) as (gateway, _):
            asked = {"model": "coteach:ds", "messages": [{"role": "user", "content": DIFFERENCE}]}
            told = (await gateway.client.post("/v1/chat/completions", json=asked)).json()["coteach"]
            gateway.store.write(lambda db: db.execute(update(TurnRow).values(prompt_sha256="0" * 64)))
            path = f"/v1/traces/{told['trace_id']}/teaching"
            return taught(await gateway.client.get(path, headers=bearer(gateway.key("admin"))))

    found = asyncio.run(run())
    assert found.given is not None
    assert (found.given.is_same_prompt, found.given.prompt_sha256) == (False, "0" * 64)


def test_prompts_are_for_staff_of_the_course_with_a_key_for_the_desk(use: Any) -> None:
    asked = {"question": DIFFERENCE, "course": "ds"}

    async def work(gateway: Gateway) -> list[tuple[int, int]]:
        chat = {"model": "coteach:ds", "messages": [{"role": "user", "content": DIFFERENCE}]}
        student = gateway.key()
        told = (await gateway.client.post("/v1/chat/completions", json=chat, headers=bearer(student))).json()
        path = f"/v1/traces/{told['coteach']['trace_id']}/teaching"
        keys = [student, gateway.key("ta", scopes=["ask"]), gateway.key("ta", courses=["sjjg"])]
        keys += [gateway.key("ta", courses=["ds"], scopes=["desk"]), gateway.key("admin")]
        found = []
        for key in keys:
            of_trace = await gateway.client.get(path, headers=bearer(key))
            of_plan = await gateway.client.post("/v1/teach", json=asked, headers=bearer(key))
            found.append((of_trace.status_code, of_plan.status_code))
        own = await gateway.client.get(path.removesuffix("/teaching"), headers=bearer(student))
        assert "You are a teaching assistant" not in own.text
        return found

    assert use(work, requests_per_minute=0) == [(403, 403), (403, 403), (404, 404), (200, 200), (200, 200)]
