"""What the model server cost is counted, capped, shown and switched off, over a real gateway, store and HTTP model."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from gateways import Gateway, bearer, running
from stand_in import StandIn, stand_in
from typer.testing import CliRunner

from orchestration.cli.main import app as command_line
from serving.gateway.spending import LOOK_SECONDS
from serving.settings import Settings
from serving.store.course_controls import ControlChange, ControlRefused, change_control
from serving.store.database import Store
from serving.store.keys import read_key
from serving.store.spending import (
    DayTotals,
    SpendingScope,
    TokensSpent,
    add_spent,
    forget_spending,
    spending_by_course,
    spending_by_day,
    spending_by_person,
    totals_of,
)
from serving.store.tables.base import now
from serving.store.tables.identity import AuditRow, Person

WRITTEN = {"model": "coteach:ds", "messages": [{"role": "user", "content": "Why is a stack like a pile of plates?"}]}
STORED = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}
WAITED = LOOK_SECONDS + 1.0


def over(home: Path, work: Callable[[Gateway, StandIn], Awaitable[Any]], **more: Any) -> Any:
    """Run `work` over a gateway whose model writes every answer."""

    async def run() -> Any:
        async with stand_in() as model:
            settings = {"access": "keys", "model_admission": "always", "graders": ("none",), "kept_answers": 0, **more}
            async with running(Settings(home=home, llm_url=model.url, **settings)) as gateway:
                return await work(gateway, model)

    return asyncio.run(run())


async def ask(gateway: Gateway, key: str, body: dict[str, Any] = WRITTEN) -> Any:
    reply = await gateway.client.post("/v1/chat/completions", json=body, headers=bearer(key))
    return reply.json() | {"status": reply.status_code}


async def flushed(gateway: Gateway) -> None:
    await gateway.app.state.service.ledger.flush()


def test_tokens_of_the_model_are_counted_by_day_course_key_and_person_and_cost_what_the_prices_say(home: Path) -> None:
    async def work(gateway: Gateway, model: StandIn) -> tuple[Any, Any, Any, int]:
        student, admin = gateway.key(label="moodle"), gateway.key("admin")
        limited = gateway.key("ta", courses=["sjjg"])
        told = await ask(gateway, student)
        for _ in range(2):
            await ask(gateway, student, STORED)
        await flushed(gateway)
        found = await gateway.client.get("/v1/spending", headers=bearer(admin))
        other = await gateway.client.get("/v1/spending", headers=bearer(limited))
        return told, found.json(), other.json(), len(model.asked)

    prices = {"price_per_million_prompt_tokens": 2.0, "price_per_million_completion_tokens": 10.0}
    told, found, other, asked = over(home, work, **prices)
    assert asked == 1, "what is stored costs nothing"
    usage = told["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"]) == (7, 3)
    spent = {"prompt_tokens": 7, "completion_tokens": 3, "tokens": 10, "answers": 1, "questions": 3}
    spent["cost"] = (2 * 7 + 10 * 3) / 1e6
    assert found["days"] == [{"name": now().date().isoformat(), "label": "", **spent}]
    assert found["courses"] == [{"name": "ds", "label": "", **spent}]
    assert [one | {"name": ""} for one in found["keys"]] == [{"name": "", "label": "moodle", **spent}]
    assert [one["tokens"] for one in found["people"]] == [10]
    assert other["days"] == other["keys"] == other["people"] == [], "a TA sees nothing of other courses and of people"


@pytest.mark.parametrize("cap", ["student_tokens_per_day", "key_tokens_per_day", "tokens_per_day", "course", "key"])
def test_at_each_cap_the_material_answers_with_a_line_and_the_model_is_not_asked(home: Path, cap: str) -> None:
    async def work(gateway: Gateway, model: StandIn) -> tuple[Any, ...]:
        key = gateway.key(tokens_per_day=10 if cap == "key" else None)
        if cap == "course":
            gateway.store.write(lambda db: change_control(db, "ds", ControlChange(tokens_per_day=10), by="ada"))
        await gateway.app.state.service.switches.refresh()
        first, second = await ask(gateway, key), await ask(gateway, key)
        stored = await ask(gateway, key, STORED)
        return first, second, stored, len(model.asked)

    first, second, stored, asked = over(home, work, **({cap: 10} if cap.endswith("per_day") else {}))
    assert "share of the language model" not in first["coteach"]["notice"]
    assert second["status"] == 200
    assert "share of the language model" in second["coteach"]["notice"]
    assert second["choices"][0]["message"]["content"]
    assert second["usage"]["completion_tokens"] == 0
    assert "share of the language model" not in stored["coteach"]["notice"], "this one would not have been written"
    assert asked == 1


@pytest.mark.parametrize("cap", ["student", "key", "course", "all", "own"])
def test_at_each_cap_of_questions_no_more_are_answered_until_the_day_is_over(home: Path, cap: str) -> None:
    named = {"student": "student_questions_per_day", "all": "questions_per_day"}
    setting = named.get(cap, f"{cap}_questions_per_day")

    async def work(gateway: Gateway, model: StandIn) -> tuple[Any, ...]:
        key = gateway.key()
        if cap == "own":
            gateway.store.write(lambda db: change_control(db, "ds", ControlChange(questions_per_day=2), by="ada"))
        await gateway.app.state.service.switches.refresh()
        said = [await ask(gateway, key, STORED)]
        await flushed(gateway)  # one is in the store, the other waits to be written
        said += [await ask(gateway, key, STORED), await ask(gateway, key, STORED)]
        refused = await gateway.client.post("/v1/chat/completions", json=STORED, headers=bearer(key))
        other = await ask(gateway, gateway.key(), STORED)
        ta = await ask(gateway, gateway.key("ta"), STORED)
        await flushed(gateway)
        spent = await gateway.client.get("/v1/spending", headers=bearer(gateway.key("admin")))
        return said, refused, other, ta, spent.json()["caps"]

    said, refused, other, ta, caps = over(home, work, **({} if cap == "own" else {setting: 2}))
    assert [one["status"] for one in said] == [200, 200, 429]
    error = said[-1]["error"]
    assert (error["type"], error["code"]) == ("requests", "daily_limit")
    assert "Ask again after midnight UTC" in error["message"]
    at = now()
    left = 86_400 - (at.hour * 3600 + at.minute * 60 + at.second)
    assert abs(int(refused.headers["retry-after"]) - left) < 60
    assert refused.headers["x-should-retry"] == "false", "OpenAI's clients would send it again at once"
    is_shared = cap in ("course", "all", "own")
    assert other["status"] == (429 if is_shared else 200)
    assert ta["status"] == (429 if is_shared else 200), "TAs have no cap of their own"
    of = {"own": "course", "all": "everything"}.get(cap, cap)
    mine = [one for one in caps if one["of"] == of and one["used"] == 2]
    assert [(one["unit"], one["cap"], one["is_reached"]) for one in mine] == [("questions", 2, True)]


def test_of_questions_sent_at_once_no_more_than_the_cap_are_answered(home: Path) -> None:
    async def work(gateway: Gateway, model: StandIn) -> list[int]:
        key = gateway.key()
        said = await asyncio.gather(*(ask(gateway, key, STORED) for _ in range(6)))
        return sorted(one["status"] for one in said)

    assert over(home, work, student_questions_per_day=2) == [200, 200, 429, 429, 429, 429]


def test_an_answer_that_is_left_halfway_is_counted_with_what_was_read_and_written(home: Path) -> None:
    async def work(gateway: Gateway, model: StandIn) -> Any:
        model.pause, key = 0.05, gateway.key()
        service = gateway.app.state.service
        asked = service.conversations.ask
        from serving.gateway.conversations import Question
        from serving.store.caller import Caller

        parts = asked(Caller("x", key_id=read_key(key).key_id), Question("Why is a stack like plates?", "ds"))  # type: ignore[union-attr]
        await anext(parts)
        await parts.aclose()
        await service.conversations.aclose()
        await flushed(gateway)
        day = now().date()
        scope = SpendingScope(day, day)
        return gateway.store.read(lambda db: spending_by_day(db, scope))

    (line,) = over(home, work)
    assert (line.answers, line.questions) == (1, 1)
    assert line.prompt_tokens > 50, "the prompt that the server never counted is estimated"
    assert 1 <= line.completion_tokens < 3


def test_a_course_is_switched_off_and_on_in_every_gateway_within_seconds_with_who_and_why(home: Path) -> None:
    async def run() -> tuple[list[Any], list[AuditRow], int]:
        async with AsyncExitStack() as stack:
            model = await stack.enter_async_context(stand_in())
            settings = Settings(
                home=home, llm_url=model.url, access="keys", model_admission="always", graders=("none",), kept_answers=0
            )
            one = await stack.enter_async_context(running(settings))
            service = one.app.state.service
            teacher, key = one.key("teacher", name="Ines", courses=["ds"]), one.key()
            said = [await ask(one, key)]
            told = {"switch": "model_off", "why": "It invents dates."}
            for body in (
                told,
                {"switch": "assistant_off", "message": "Exam week.", "why": "The exam."},
                {"switch": "on"},
            ):
                # Written as another gateway writes it: this one learns of it from the store alone.
                change = ControlChange(body["switch"], body.get("message"), body.get("why", ""))  # type: ignore[arg-type]
                one.store.write(lambda db, change=change: change_control(db, "ds", change, by="Ines"))
                await asyncio.sleep(WAITED)
                said.append(await ask(one, key))
            asked = len(model.asked)
            refused = await one.client.put(
                "/v1/courses/ds/control", json={"switch": "model_off"}, headers=bearer(teacher)
            )
            said.append(refused.json() | {"status": refused.status_code})
            done = await one.client.put("/v1/courses/ds/control", json=told, headers=bearer(teacher))
            said.append(done.json() | {"status": done.status_code})
            said.append(await ask(one, key))
            others = await one.client.put("/v1/courses/sjjg/control", json=told, headers=bearer(teacher))
            said.append({"status": others.status_code})
            rows = one.store.read(lambda db: list(db.query(AuditRow).filter(AuditRow.act == "course.switch")))
            assert service.switches.state("ds") == "model_off"
            return said, sorted(rows, key=lambda row: row.at), asked

    said, rows, asked = asyncio.run(run())
    first, model_off, off, on, refused, done, at_once, others = said
    assert "switched off" not in first["coteach"]["notice"]
    assert "switched off for this course" in model_off["coteach"]["notice"]
    assert (off["status"], off["error"]["code"], off["error"]["message"]) == (503, "assistant_off", "Exam week.")
    assert on["status"] == 200
    assert "switched off" not in on["coteach"]["notice"]
    assert asked == 2, "the model wrote before and after"
    assert refused["status"] == 400
    assert "Say why" in refused["error"]["message"]
    assert (done["status"], done["switch"], done["why"]) == (200, "model_off", "It invents dates.")
    assert "switched off for this course" in at_once["coteach"]["notice"], "here it holds at once"
    assert others["status"] == 404, "not a course of this teacher's"
    assert [row.details["to"] for row in rows] == ["model_off", "assistant_off", "on", "model_off"]
    assert [row.details.get("why") for row in rows] == ["It invents dates.", "The exam.", None, "It invents dates."]
    assert rows[-1].by.startswith("Ines (")


def test_a_question_to_all_courses_leaves_out_the_one_that_is_off(home: Path) -> None:
    async def work(gateway: Gateway, model: StandIn) -> tuple[Any, Any]:
        off = ControlChange("assistant_off", why="The exam.")
        gateway.store.write(lambda db: change_control(db, "ds", off, by="Ines"))
        await gateway.app.state.service.switches.refresh()
        rest = await ask(gateway, gateway.key(), WRITTEN | {"model": "coteach"})
        gateway.store.write(lambda db: change_control(db, "sjjg", off, by="Ines"))
        await gateway.app.state.service.switches.refresh()
        return rest, await ask(gateway, gateway.key(), WRITTEN | {"model": "coteach"})

    rest, nothing = over(home, work)
    assert rest["status"] == 200
    assert "ds" not in {one.get("course_id") for one in rest["coteach"]["references"]}
    assert (nothing["status"], nothing["error"]["code"]) == (503, "assistant_off")


def test_the_command_line_switches_caps_and_tells_what_was_spent(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(home))
    monkeypatch.setenv("COTEACH_COURSE_TOKENS_PER_DAY", "100")

    def run(*words: str) -> Any:
        return CliRunner().invoke(command_line, [*words, "--json"], catch_exceptions=True)

    set_up = json.loads(
        run("control", "ds", "--switch", "model_off", "--why", "Too dear.", "--tokens-per-day", "50").stdout
    )
    assert (set_up["switch"], set_up["why"], set_up["tokens_per_day"]) == ("model_off", "Too dear.", 50)
    assert json.loads(run("control", "ds", "--questions-per-day", "9").stdout)["questions_per_day"] == 9
    assert json.loads(run("control", "sjjg").stdout)["switch"] == "on"
    assert "no course 'nope'" in str(run("control", "nope").exception)
    from serving.store.database import open_store

    store = open_store(Settings())
    store.write(lambda db: add_spent(db, [TokensSpent(now().date(), "nobody", "ds", "", 30, 12)]))
    store.close()
    found = json.loads(run("spending").stdout)
    assert [(one["name"], one["tokens"], one["cost"]) for one in found["courses"]] == [("ds", 42, None)]
    caps = [(one["of"], one["name"], one["unit"], one["share"]) for one in found["caps"]]
    assert caps == [("course", "ds", "tokens", 0.84), ("course", "ds", "questions", 0.0)]


def test_counts_add_up_and_what_single_people_spent_is_forgotten_after_a_while(store: Store) -> None:
    store.write(lambda db: db.add(Person(person_id="ming")))
    day = now().date()
    old = day - timedelta(days=40)
    spent = [TokensSpent(one, who, "ds", "k", 5, 2) for one in (day, old) for who in ("ming", "ming", "stranger")]
    store.write(lambda db: add_spent(db, spent))
    store.write(lambda db: add_spent(db, spent[:1]))
    found = store.read(lambda db: totals_of(db, day, person_id="ming", course_id="ds", key_id="k"))
    assert found == DayTotals(person=21, course=28, key=28, all=28)
    asked = [TokensSpent(day, "ming", "ds", "k", 0, 0, answers=0, questions=1)] * 3
    store.write(lambda db: add_spent(db, asked))
    found = store.read(lambda db: totals_of(db, day, person_id="ming", course_id="ds", key_id="k", unit="questions"))
    assert found == DayTotals(person=3, course=3, key=3, all=3)
    store.write(lambda db: forget_spending(db, before=day))
    scope = SpendingScope(old, day)
    assert [one.tokens for one in store.read(lambda db: spending_by_person(db, scope))] == [21]
    assert [one.tokens for one in store.read(lambda db: spending_by_course(db, scope))] == [49]


def test_a_reason_is_needed_to_switch_off_and_a_cap_is_a_number(store: Store) -> None:
    with pytest.raises(ControlRefused, match="Say why"):
        store.write(lambda db: change_control(db, "ds", ControlChange("assistant_off", "Soon."), by="x"))
    with pytest.raises(ControlRefused, match="0 for none; found -1"):
        store.write(lambda db: change_control(db, "ds", ControlChange(tokens_per_day=-1), by="x"))
    assert store.read(lambda db: db.query(AuditRow).count()) == 0
