"""Metrics, logs, health: what an operator sees of a gateway, and what must never be seen there."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import structlog
from gateways import Gateway, Use, bearer, running

from serving.gateway import logs
from serving.gateway.metrics import MOST_COURSES, Metrics
from serving.settings import Settings

ASK = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}


@dataclass
class SomeTrace:
    trace_id: str = "t1"
    course_id: str | None = "ds"
    model: str | None = None
    error: str | None = None
    timings: dict[str, float] = field(default_factory=dict)
    rule: None = None


@dataclass
class SomeAnswer:
    route: str = "direct"
    degraded: bool = False
    trace: SomeTrace = field(default_factory=SomeTrace)


@dataclass
class SomeEnd:
    answer: SomeAnswer
    is_stored: bool = True


async def parts(*, fails: bool = False) -> AsyncGenerator[Any, None]:
    yield "A stack "
    if fails:
        raise RuntimeError("broke")
    yield SomeEnd(SomeAnswer())


async def count_each(
    metrics: Metrics, said: AsyncGenerator[Any, None], course_id: str | None = None, notes: logs.Noted | None = None
) -> AsyncGenerator[Any, None]:
    """The same parts, counted as conversations have them counted."""
    with metrics.count_parts(course_id, notes=notes) as count:
        async for one in said:
            count(one)
            yield one


def sample(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(f"coteach_{name}", labels)


def test_an_answer_is_counted_by_route_course_and_degradation_with_its_first_words() -> None:
    metrics, notes = Metrics(), logs.Noted()

    async def run() -> list[Any]:
        return [one async for one in count_each(metrics, parts(), "ds", notes)]

    assert len(asyncio.run(run())) == 2
    assert sample(metrics, "answers_total", route="direct", course="ds", degraded="false") == 1
    assert sample(metrics, "questions_total", course="ds") == 1
    assert sample(metrics, "first_token_seconds_count") == 1
    assert sample(metrics, "open_streams") == 0
    assert (notes.trace_id, notes.course) == ("t1", "ds")


def test_answers_that_break_or_are_left_are_counted_and_lower_the_ratio() -> None:
    metrics = Metrics()

    async def run() -> None:
        with pytest.raises(RuntimeError):
            _ = [one async for one in count_each(metrics, parts(fails=True))]
        left = count_each(metrics, parts())
        await anext(left)
        assert sample(metrics, "open_streams") == 1
        await left.aclose()

    asyncio.run(run())
    assert (sample(metrics, "answers_broken_total", reason="failed"), sample(metrics, "open_streams")) == (1, 0)
    assert sample(metrics, "answers_broken_total", reason="left") == 1


def test_made_up_courses_do_not_make_labels() -> None:
    metrics = Metrics()
    labels = {metrics.course_label(f"course-{number}") for number in range(MOST_COURSES + 1000)}
    assert len(labels) == MOST_COURSES + 1


def test_labels_of_requests_are_templates_whatever_is_asked(use: Use) -> None:
    async def work(gateway: Gateway) -> str:
        for number in range(30):
            await gateway.client.get(f"/made/up/{number}")
            await gateway.client.get(f"/courses/ds/videos/{number}")
            await gateway.client.request(f"METHOD{number}", "/livez")
        return (await gateway.client.get("/metrics")).text

    text = use(work)
    series = [line for line in text.splitlines() if line.startswith("coteach_requests_total")]
    assert len(series) <= 8
    assert 'route="/courses/{course_id}/videos/{video_id:path}"' in text
    assert "made" not in text


def test_refused_requests_and_the_model_server_are_told(use: Use) -> None:
    async def work(gateway: Gateway) -> str:
        for _ in range(4):
            await gateway.client.post("/v1/chat/completions", json=ASK)
        return (await gateway.client.get("/metrics")).text

    text = use(work, requests_per_minute=1)
    assert 'coteach_rate_limited_total{limit="questions"}' in text
    assert "coteach_model_server_up 0.0" in text


@pytest.mark.parametrize(
    ("allowed", "client", "statuses"),
    [
        ("loopback", "127.0.0.1", [200, 200]),
        ("loopback", "192.0.2.7", [401, 200]),
        ("admin", "127.0.0.1", [401, 200]),
        ("open", "192.0.2.7", [200, 200]),
    ],
)
def test_who_reads_the_metrics_is_a_setting(use: Use, allowed: str, client: str, statuses: list[int]) -> None:
    async def work(gateway: Gateway) -> list[int]:
        key = bearer(gateway.key("admin"))
        return [(await gateway.client.get("/metrics", headers=headers)).status_code for headers in ({}, key)]

    assert use(work, metrics=allowed, client=(client, 1)) == statuses


@pytest.fixture(autouse=True)
def log_as_it_was() -> Iterator[None]:
    before, uvicorn_before = structlog.get_config(), logging.getLogger("uvicorn").handlers
    yield
    structlog.configure(**before)
    logging.getLogger("uvicorn").handlers = uvicorn_before


def asked_over_a_log(home: Path, **settings: Any) -> tuple[str, httpx.Response]:
    """The key that was used and the answer to a question with it."""

    async def run() -> tuple[str, httpx.Response]:
        chosen = Settings(home=home, **settings)
        logs.configure(chosen)
        async with running(chosen) as gateway:
            key = gateway.key()
            login = await gateway.client.post("/login", json={"key": key})
            headers = bearer(key) | {"Cookie": f"coteach_login={gateway.client.cookies['coteach_login']}"}
            reply = await gateway.client.post(f"/v1/chat/completions?api_key={key}", json=ASK, headers=headers)
            await gateway.client.get("/v1/models", headers=bearer(key[:-1]))
            await gateway.client.get("/livez")
            assert login.status_code == 200
            return key + "|" + gateway.client.cookies["coteach_login"], reply

    return asyncio.run(run())


def test_each_request_is_one_line_of_json_without_question_key_or_cookie(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets, reply = asked_over_a_log(home)
    written = capsys.readouterr().err
    read = [json.loads(line) for line in written.splitlines()]
    requests = [one for one in read if one["event"] == "request"]
    asked = next(one for one in requests if one["route"] == "/v1/chat/completions")
    assert (asked["method"], asked["status"], asked["course"]) == ("POST", 200, "ds")
    assert (asked["request_id"], asked["ms"] > 0) == (reply.headers["x-request-id"], True)
    assert len(asked["person"]) == 12
    assert [one["route"] for one in requests] == ["/login", "/v1/chat/completions", "/v1/models"]
    key, cookie = secrets.split("|")
    for secret in (key, key.split("-")[2], cookie, "api_key", "stack", "Bearer"):
        assert secret not in written


def test_the_log_can_be_for_people(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked_over_a_log(home, log_format="console")
    assert "status=200" in capsys.readouterr().err


def test_readiness_names_what_is_missing_with_its_remedy(use: Use, tmp_path: Path) -> None:
    async def work(gateway: Gateway) -> list[Any]:
        found = [await gateway.client.get(path) for path in ("/livez", "/readyz")]
        return [(one.status_code, one.json()) for one in found]

    built = use(work)
    assert built[0] == (200, {"status": "ok"})
    assert (built[1][0], [one["name"] for one in built[1][1]["missing"]]) == (200, ["model server"])

    async def over_nothing() -> list[Any]:
        async with running(Settings(home=tmp_path / "empty")) as gateway:
            return await work(gateway)

    alive, ready = asyncio.run(over_nothing())
    assert (alive[0], ready[0]) == (200, 503)
    assert {one["remedy"] for one in ready[1]["missing"] if one["is_needed"]} == {"Run `coteach build`."}


def test_an_answer_that_could_not_be_stored_is_a_store_error() -> None:
    metrics = Metrics()

    async def unstored() -> AsyncGenerator[Any, None]:
        yield SomeEnd(SomeAnswer(), is_stored=False)

    async def run() -> None:
        async for _ in count_each(metrics, unstored(), "ds"):
            pass

    asyncio.run(run())
    assert sample(metrics, "store_errors_total") == 1


def test_the_share_answered_of_a_course_that_nobody_asks_any_more_is_not_told_for_ever() -> None:
    metrics, ratios = Metrics(), {"ds": 0.4, "": 0.9}
    service: Any = SimpleNamespace(watch=SimpleNamespace(ratios=lambda: ratios))
    metrics.look_at_courses(service)
    assert sample(metrics, "course_answered_ratio", course="ds") == 0.4
    del ratios["ds"]
    metrics.look_at_courses(service)
    assert sample(metrics, "course_answered_ratio", course="ds") is None
    assert sample(metrics, "course_answered_ratio", course="all") == 0.9
