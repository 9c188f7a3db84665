"""What a caller can find out or use up beyond their own: limits, the model server's address, words of its errors."""

import json
from typing import Any

import pytest
from gateways import Gateway, Use, bearer
from sqlalchemy.exc import OperationalError

from serving.gateway.chat_schemas import sse
from serving.gateway.identities import GRACE_SECONDS, Identities
from serving.llm.language_model import LlmRejected
from serving.llm.replies import discreet
from serving.store.database import Store
from serving.store.database_errors import StoreUnavailable
from serving.store.tables.conversation import TraceRow

QUESTION = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is a stack?"}]}
SERVER = "http://operator:hidden-word@127.0.0.1:9/v1"


def ask(gateway: Gateway, **more: Any) -> Any:
    return gateway.client.post("/v1/chat/completions", json={**QUESTION, **more})


@pytest.mark.parametrize("field", ["course_id", "metadata"])
def test_a_made_up_course_is_no_new_window_of_the_limit(use: Use, field: str) -> None:
    async def work(gateway: Gateway) -> list[int]:
        await ask(gateway)
        gateway.stop_the_clock()
        named = [{"course_id": f"made-up-{n}"} if field == "course_id" else {} for n in range(30)]
        if field == "metadata":
            named = [{"metadata": {"course": f"made-up-{n}"}} for n in range(30)]
        return [(await ask(gateway, **one)).status_code for one in named]

    assert use(work, requests_per_minute=5).count(429) >= 24


def test_a_course_that_is_not_there_gets_no_label_of_its_own(use: Use) -> None:
    async def work(gateway: Gateway) -> str:
        await ask(gateway)
        await ask(gateway, model="coteach:invented-by-a-client")
        return (await gateway.client.get("/metrics")).text

    assert "invented-by-a-client" not in use(work)


def test_the_model_servers_address_is_for_admins_and_its_password_for_nobody(use: Use) -> None:
    async def work(gateway: Gateway) -> tuple[str, str, str]:
        key = gateway.key("admin", name="Root")
        asked = await ask(gateway)
        trace = f"/v1/traces/{asked.json()['coteach']['trace_id']}"
        healths = [await gateway.client.get("/healthz", headers=one) for one in ({}, bearer(key))]
        traced = await gateway.client.get(trace, headers={"x-coteach-session": asked.json()["coteach"]["session"]})
        return healths[0].text, healths[1].text, asked.text + traced.text

    anybody, admin, asked = use(work, llm_url=SERVER, model_admission="always")
    assert "127.0.0.1:9" not in anybody
    assert "127.0.0.1:9" in admin
    assert "127.0.0.1:9" not in asked
    assert "hidden-word" not in anybody + admin + asked


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ("Incorrect API key provided: sk-proj-1234567890abcdef.", "1234567890abcdef"),
        ("cannot reach http://me:pass-word@host/v1", "pass-word"),
        ("you sent Authorization: Bearer abc123456", "abc123456"),
    ],
)
def test_what_a_server_repeats_of_secrets_is_not_passed_on(said: str, hidden: str) -> None:
    assert hidden not in discreet(said)


def test_a_students_trace_names_the_kind_of_a_failure_and_not_its_words(use: Use) -> None:
    async def work(gateway: Gateway) -> tuple[Any, Any]:
        told = (await ask(gateway)).json()["coteach"]
        said = f"{LlmRejected.__name__}: The model server at inner-host:8000 answered 401: sk-secret"

        def spoil(db: Any) -> None:
            row = db.get_one(TraceRow, told["trace_id"])
            row.record = {**row.record, "error": said}

        gateway.store.write(spoil)
        path, own = f"/v1/traces/{told['trace_id']}", {"x-coteach-session": told["session"]}
        student = (await gateway.client.get(path, headers=own)).json()["trace"]["error"]
        admin = await gateway.client.get(path, headers=bearer(gateway.key("admin", name="Root")))
        return student, admin.json()["trace"]["error"]

    student, admin = use(work)
    assert student == "LlmRejected"
    assert "inner-host" in admin


def test_an_answer_that_could_not_be_kept_says_so_and_has_no_session(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(gateway: Gateway) -> tuple[Any, Any]:
        kept = (await ask(gateway)).json()["coteach"]

        async def full(self: Store, work: Any) -> Any:
            raise OperationalError("INSERT", {}, Exception("database or disk is full"))

        monkeypatch.setattr(Store, "writing", full)
        return kept, (await ask(gateway)).json()["coteach"]

    kept, lost = use(work)
    assert kept["stored"] is True
    assert kept["session"]
    assert lost["stored"] is False
    assert lost["session"] is None


def test_a_ta_of_one_course_is_told_of_no_ta_of_another(use: Use) -> None:
    async def work(gateway: Gateway) -> list[set[str]]:
        own = {course: gateway.key("ta", name=course, courses=[course]) for course in ("ds", "sjjg")}
        replies = [await gateway.client.get("/review/raters", headers=bearer(key)) for key in own.values()]
        return [{one["name"] for one in reply.json()} for reply in replies]

    assert use(work, access="keys") == [{"ds"}, {"sjjg"}]


def test_an_experiment_is_of_a_course_that_there_is(use: Use) -> None:
    async def work(gateway: Gateway) -> tuple[int, str]:
        variants = [{"name": "control", "weight": 1}, {"name": "few", "weight": 1, "settings": {"top_k": 1}}]
        body = {"name": "few sources", "course_id": "made-up", "variants": variants}
        reply = await gateway.client.post("/v1/experiments", json=body, headers=bearer(gateway.key("admin")))
        return reply.status_code, reply.json()["error"]["message"]

    status, message = use(work, access="keys")
    assert (status, "'made-up' does not exist" in message) == (404, True)


def test_an_event_of_a_stream_is_one_line_for_every_reader() -> None:
    event = sse({"said": "one\u2028two\u2029three\x85four\nfive\rsix"})
    assert event.endswith("\n\n")
    assert len(event.strip().splitlines()) == 1
    assert json.loads(event.removeprefix("data: "))["said"] == "one\u2028two\u2029three\x85four\nfive\rsix"


def test_the_socket_of_the_pages_tells_no_other_site_that_it_may_read(use: Use) -> None:
    """NiceGUI's own setting names whatever origin asks, and lets its cookies come along."""

    async def work(gateway: Gateway) -> list[Any]:
        path = "/_nicegui_ws/socket.io/?EIO=4&transport=polling"
        asked = [{"Origin": f"http://{host}"} for host in ("evil.example", "coteach.test")]
        return [await gateway.client.get(path, headers=headers) for headers in asked]

    other, own = use(work)
    assert "evil.example" not in str(other.headers)
    assert (other.status_code, own.status_code) == (400, 200)


def test_a_key_that_was_seen_opens_for_a_short_while_without_the_store(
    use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(gateway: Gateway) -> list[int]:
        known, new = gateway.key(), gateway.key()
        at = 1000.0
        gateway.app.state.identities = Identities(gateway.store, clock=lambda: at)

        async def status(key: str) -> int:
            return (await gateway.client.get("/v1/models", headers=bearer(key))).status_code

        found = [await status(known)]

        async def away(_work: Any) -> Any:
            raise StoreUnavailable("The store is away.")

        monkeypatch.setattr(gateway.store, "reading", away)
        at += GRACE_SECONDS / 2
        found += [await status(known), await status(new)]
        at += GRACE_SECONDS
        return [*found, await status(known)]

    assert use(work, access="keys") == [200, 200, 503, 503]
