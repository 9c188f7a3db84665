"""Feedback, ratings, insights and experiments over HTTP, with a gateway over a small home."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from gateways import Gateway, bearer, running
from sqlalchemy.orm import Session
from voices_rows import NOON, add_reference, add_turn, shown_references

from serving.settings import Settings
from serving.store.keys import read_key
from serving.store.tables.identity import ApiKey

ASK = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}


@pytest.fixture
def use(home: Path) -> Callable[..., Any]:
    def run(work: Callable[[Gateway], Awaitable[None]], **settings: Any) -> None:
        async def whole() -> None:
            async with running(Settings(home=home, **settings)) as gateway:
                await work(gateway)

        asyncio.run(whole())

    return run


def person_of(gateway: Gateway, key: str) -> str:
    shown = read_key(key)
    assert shown is not None

    def look(db: Session) -> str:
        row = db.get(ApiKey, shown.key_id)
        assert row is not None
        return row.person_id

    return gateway.store.read(look)


async def asked(gateway: Gateway, key: str) -> str:
    reply = await gateway.client.post("/v1/chat/completions", json=ASK, headers=bearer(key))
    assert reply.status_code == 200, reply.text
    trace_id: str = reply.json()["coteach"]["trace_id"]
    return trace_id


def message(reply: httpx.Response) -> str:
    text: str = reply.json()["error"]["message"]
    return text


def test_a_student_gives_changes_reads_and_takes_back_a_thumb(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        mine, other = bearer(gateway.key()), bearer(gateway.key())
        trace_id = await asked(gateway, mine["Authorization"].removeprefix("Bearer "))
        post = gateway.client.post
        body = {"trace_id": trace_id, "thumb": "down", "reasons": ["needs_more_explanation"], "comment": "why?"}
        given = await post("/v1/feedback", json=body, headers=mine)
        assert given.json() | {"updated_at": None} == body | {"updated_at": None}
        shown = await gateway.client.get(f"/v1/feedback/{trace_id}", headers=mine)
        assert (shown.json()["thumb"], shown.json()["comment"]) == ("down", "why?")
        back = await post("/v1/feedback", json={"trace_id": trace_id, "thumb": None}, headers=mine)
        assert back.json()["thumb"] is None
        for reply in (
            await post("/v1/feedback", json=body, headers=other),
            await gateway.client.get(f"/v1/feedback/{trace_id}", headers=other),
        ):
            assert reply.status_code == 404
        wrong = await post("/v1/feedback", json=body | {"thumb": "up"}, headers=mine)
        assert (wrong.status_code, "found needs_more_explanation" in message(wrong)) == (400, True)

    use(work, access="keys")


def test_each_student_of_a_service_has_a_thumb_of_their_own(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        key = bearer(gateway.key())
        reply = await gateway.client.post("/v1/chat/completions", json=ASK | {"user": "li"}, headers=key)
        body = {"trace_id": reply.json()["coteach"]["trace_id"], "thumb": "up"}
        statuses = [
            (await gateway.client.post("/v1/feedback", json=body | {"user": user}, headers=key)).status_code
            for user in ("li", "wang")
        ]
        assert statuses == [200, 404]

    use(work, access="keys")


def test_reasons_come_with_their_words(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        told = (await gateway.client.get("/v1/feedback/reasons")).json()
        assert told["up"][0] == {"code": "thorough_explanation", "en": "Thorough explanation", "zh": "讲解透彻"}

    use(work)


def test_a_batch_is_drawn_assigned_rated_and_told(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        ta, second = gateway.key("ta"), gateway.key("ta", name="Bo")
        teacher = gateway.key("teacher", name="Dr. Rivera")
        people = [person_of(gateway, key) for key in (ta, second)]

        def write(db: Session) -> None:
            for place in range(4):
                add_turn(db, f"t{place}", shown=shown_references(3))
                add_reference(db, f"t{place}")

        gateway.store.write(write)
        body = {"name": "CH", "form": "relevance", "answers": 4, "raters": people, "each": 2, "seed": 3}
        made = (await gateway.client.post("/review/batches", json=body, headers=bearer(teacher))).json()
        assert (made["done"], made["total"], [one["name"] for one in made["raters"]]) == (0, 8, ["Ada", "Bo"])
        url = f"/review/batches/{made['batch_id']}"
        for _ in range(4):
            shown = (await gateway.client.get(f"{url}/next", headers=bearer(ta))).json()["answer"]
            values = {"1": "exact", "2": "subject", "3": "dont_know"}
            rating = {
                "trace_id": shown["trace_id"],
                "form": "relevance",
                "values": values,
                "batch_id": made["batch_id"],
            }
            done = await gateway.client.post("/review/ratings", json=rating, headers=bearer(ta))
            assert done.status_code == 200, done.text
        assert (await gateway.client.get(f"{url}/next", headers=bearer(ta))).json()["answer"] is None
        told = (await gateway.client.get(f"{url}/results", headers=bearer(second))).json()["relevance"]
        assert (told["rated"], told["of_all"]["value"], told["of_known"]["value"]) == (12, 4 / 12, 0.5)
        ended = await gateway.client.post(f"{url}/finish", headers=bearer(second))
        assert ended.status_code == 403
        ended = await gateway.client.post(f"{url}/finish", headers=bearer(teacher))
        assert (ended.json()["done"], ended.json()["total"]) == (4, 4)
        again = body | {"per_course": 2, "apart_from": made["batch_id"]}
        refused = await gateway.client.post("/review/batches", json=again, headers=bearer(teacher))
        assert (refused.status_code, "No answer fits" in message(refused)) == (400, True)
        unknown = await gateway.client.post(
            "/review/batches", json=body | {"apart_from": "nowhere"}, headers=bearer(teacher)
        )
        assert (unknown.status_code, "no batch 'nowhere'" in message(unknown)) == (404, True)

    use(work)


def test_a_rating_of_three_is_refused_in_plain_words(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        ta = bearer(gateway.key("ta"))
        gateway.store.write(lambda db: add_turn(db, "t1"))
        body = {"trace_id": "t1", "form": "aspects", "values": {"coherence": 3}}
        reply = await gateway.client.post("/review/ratings", json=body, headers=ta)
        assert (reply.status_code, message(reply)) == (400, "coherence is 0, 1 or 2; found 3.")

    use(work)


def test_the_daily_sample_is_made_when_asked_for(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        ta = bearer(gateway.key("ta", courses=["ds"]))
        gateway.store.write(lambda db: add_turn(db, "t1"))
        day = str(NOON.date())
        url = "/review/batches/daily"
        first, again = [
            (await gateway.client.post(url, json={"course_id": "ds", "day": day}, headers=ta)).json() for _ in range(2)
        ]
        assert first == again
        assert (first["total"], first["form"]) == (1, "satisfaction")
        for body in ({"course_id": "law", "day": day}, {"course_id": "ds", "day": "2020-01-01"}):
            assert (await gateway.client.post(url, json=body, headers=ta)).status_code == 404
        early = await gateway.client.post(url, json={"course_id": "ds", "day": "2999-01-01"}, headers=ta)
        assert early.status_code == 400

    use(work)


def test_a_ta_reads_the_figures_of_their_courses(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        limited, whole = bearer(gateway.key("ta", courses=["ds"])), bearer(gateway.key("teacher"))
        await asked(gateway, gateway.key())
        gateway.store.write(lambda db: add_turn(db, "old", asked_at=NOON, course_id="law"))
        get = gateway.client.get
        told = (await get("/v1/insights", headers=limited)).json()
        assert (told["counts"]["answered"], told["coverage"]["value"]) == (1, 1.0)
        citing = told["citing"]
        assert (citing["material_n"], citing["never_n"], citing["most"][0]["n"]) == (1, 0, 1)
        assert told["alerts"] == []
        period = {"from": "2026-03-01", "to": "2026-03-31"}
        assert (await get("/v1/insights", params=period, headers=whole)).json()["counts"]["asked"] == 1
        assert (await get("/v1/insights", params=period, headers=limited)).json()["counts"]["asked"] == 0
        assert (await get("/v1/insights", params={"course": "law"}, headers=limited)).status_code == 404
        week = (await get("/v1/insights/weekly", headers=limited)).json()
        assert [one["name"] for one in week["changes"]] == ["coverage", "thumbs_up", "satisfaction"]
        for path in ("/v1/insights", "/v1/insights/weekly"):
            assert (await get(path, params={"to": "0001-01-01"}, headers=whole)).status_code == 400
        backwards = {"from": "2026-03-31", "to": "2026-03-01"}
        assert (await get("/v1/insights", params=backwards, headers=whole)).status_code == 400

    use(work)


def test_an_experiment_is_begun_answered_by_told_and_stopped(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        admin, teacher = bearer(gateway.key("admin")), bearer(gateway.key("teacher"))
        variants = [{"name": "control", "weight": 1}, {"name": "few", "weight": 1, "settings": {"top_k": 1}}]
        body = {"name": "few sources", "course_id": "ds", "variants": variants}
        post, get = gateway.client.post, gateway.client.get
        assert (await post("/v1/experiments", json=body, headers=teacher)).status_code == 403
        begun = await post("/v1/experiments", json=body, headers=admin)
        assert (begun.status_code, begun.json()["state"]) == (201, "running")
        await gateway.app.state.service.trials.refresh()
        for _ in range(6):
            await asked(gateway, gateway.key())
        told = (await get("/v1/experiments/few sources", headers=teacher)).json()["results"]
        assert sum(one["people"] for one in told["variants"]) == 6
        assert sum(one["coverage"]["successes"] for one in told["variants"]) == 6
        stopped = await post("/v1/experiments/few sources/stop", headers=admin)
        assert stopped.json()["state"] == "stopped"
        listed = (await get("/v1/experiments", headers=teacher)).json()
        assert [one["name"] for one in listed] == ["few sources"]
        limited = bearer(gateway.key("teacher", courses=["law"]))
        assert (await get("/v1/experiments/few sources", headers=limited)).status_code == 404
        assert (await get("/v1/experiments", headers=limited)).json() == []

    use(work)


def test_a_variant_sent_over_http_cannot_name_another_server(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        elsewhere = {"name": "b", "weight": 1, "settings": {"llm_url": "http://elsewhere/v1"}}
        body = {"name": "x", "variants": [{"name": "a", "weight": 1}, elsewhere]}
        reply = await gateway.client.post("/v1/experiments", json=body, headers=bearer(gateway.key("admin")))
        assert (reply.status_code, "found llm_url" in message(reply)) == (400, True)

    use(work)


@pytest.mark.parametrize("role", [None, "student"])
def test_students_read_no_figures_and_rate_nothing(use: Any, role: Any) -> None:
    async def work(gateway: Gateway) -> None:
        headers = bearer(gateway.key(role)) if role else {}
        for path in ("/v1/insights", "/v1/experiments", "/review/batches", "/review/raters", "/review/forms"):
            reply = await gateway.client.get(path, headers=headers)
            assert reply.status_code == (403 if role else 401), path
        reply = await gateway.client.post("/review/ratings", json={}, headers=headers)
        assert reply.status_code in (400, 401, 403)

    use(work)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/feedback", {"trace_id": "\ud800", "thumb": "up"}),
        ("/v1/feedback", {"trace_id": "a\x00b", "thumb": "up"}),
        ("/v1/feedback", {"trace_id": "x", "thumb": "sideways"}),
        ("/review/ratings", {"trace_id": "a\x00b", "form": "aspects", "values": {}}),
        ("/review/ratings", {"trace_id": "t1", "form": "satisfaction", "values": {"\x00": "1"}}),
        ("/review/batches", {"name": "a\x00\ud800", "form": "aspects", "answers": 1, "course_id": "\x00"}),
        ("/review/batches", {"name": "a\x00", "form": "aspects", "answers": 1}),
        ("/review/batches/daily", {"course_id": "\x00", "day": "2026-01-01"}),
        ("/review/batches/daily", {"course_id": "ds", "day": "9999-12-31"}),
        ("/review/batches/daily", {"course_id": "ds", "day": "0001-01-01"}),
        ("/v1/experiments", {"name": "a\x00", "variants": []}),
        ("/v1/experiments", {"name": "a", "course_id": "\x00", "variants": [{"name": "\ud800", "weight": 1}] * 2}),
    ],
)
def test_what_cannot_be_kept_is_refused_without_a_fault(use: Any, path: str, body: dict[str, Any]) -> None:
    import json

    async def work(gateway: Gateway) -> None:
        gateway.store.write(lambda db: add_turn(db, "t1"))
        headers = bearer(gateway.key("admin")) | {"content-type": "application/json"}
        reply = await gateway.client.post(path, content=json.dumps(body), headers=headers)
        assert 400 <= reply.status_code < 500, (reply.status_code, reply.text)

    use(work)


def test_an_admin_of_some_courses_begins_and_ends_experiments_in_these_alone(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        limited, elsewhere = (bearer(gateway.key("admin", courses=[course])) for course in ("ds", "law"))
        variants = [{"name": name, "weight": 1} for name in ("a", "b")]
        post = gateway.client.post

        async def begin(name: str, course_id: str | None, by: dict[str, str]) -> int:
            body = {"name": name, "course_id": course_id, "variants": variants}
            return (await post("/v1/experiments", json=body, headers=by)).status_code

        assert [await begin("all", None, limited), await begin("one", "ds", elsewhere)] == [404, 404]
        assert [await begin("one", "ds", limited), await begin("two", "law", elsewhere)] == [201, 404], "no course law"
        assert (await post("/v1/experiments/one/stop", headers=elsewhere)).status_code == 404
        assert (await gateway.client.get("/v1/experiments/one", headers=limited)).json()["state"] == "running"
        assert (await post("/v1/experiments/one/stop", headers=limited)).json()["state"] == "stopped"

    use(work)
