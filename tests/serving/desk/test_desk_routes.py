"""The desk over HTTP: a student asks, a TA answers, the next student is served, and nobody sees what is not theirs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import course_rows as rows
import httpx
import pytest
from desk_rows import faq

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import CUES, FAQ
from knowledge_graph.lake.tables import write_table
from serving.gateway.app import create_app
from serving.settings import Settings
from serving.store.caller import Role
from serving.store.database import Store
from serving.store.keys import make_key

QUESTION = "May I bring a calculator to the exam?"
ANSWER = "Yes, one without a network."
STRETCH = "cues:02 stacks:190000-194000"


class Desk:
    """A gateway that runs, with keys for whoever is needed."""

    def __init__(self, client: httpx.AsyncClient, store: Store, home: Path) -> None:
        self.client, self.store, self.data_dir = client, store, DataDir(home)

    def key(self, role: Role, name: str | None = None, courses: list[str] | None = None) -> dict[str, str]:
        key = self.store.write(lambda db: make_key(db, role=role, label="test", name=name, courses=courses))
        return {"Authorization": f"Bearer {key}"}

    async def ask(self, question: str, headers: dict[str, str], course: str = "ds") -> dict[str, Any]:
        body = {"model": f"coteach:{course}", "messages": [{"role": "user", "content": question}]}
        reply = await self.client.post("/v1/chat/completions", json=body, headers=headers)
        assert reply.status_code == 200, reply.text
        told: dict[str, Any] = reply.json()
        return told

    async def call(self, method: str, path: str, headers: dict[str, str], **json: Any) -> httpx.Response:
        return await self.client.request(method, path, headers=headers, **({"json": json} if method != "GET" else {}))


@asynccontextmanager
async def running(home: Path) -> AsyncIterator[Desk]:
    app = create_app(Settings(home=home, access="keys"))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://coteach.test", timeout=60) as client,
    ):
        yield Desk(client, app.state.service.store, home)


Use = Callable[[Callable[[Desk], Awaitable[None]]], None]


@pytest.fixture
def use(home: Path, monkeypatch: pytest.MonkeyPatch) -> Use:
    for name in ("COTEACH_HOME", "COTEACH_LLM_URL", "COTEACH_STORE_URL", "COTEACH_BETA"):
        monkeypatch.delenv(name, raising=False)
    entry = faq("faq#1", "When is the deadline of homework 3?", "Sunday at 23:59.")
    write_table(DataDir(home).table("faq", "ds"), [entry], FAQ)

    def run(work: Callable[[Desk], Awaitable[None]]) -> None:
        async def all_of_it() -> None:
            async with running(home) as desk:
                await work(desk)

        asyncio.run(all_of_it())

    return run


async def first_in_queue(desk: Desk, ta: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = (await desk.call("GET", "/review/questions", ta)).json()["data"][0]
    return found


def test_asked_answered_and_served_to_the_next_student(use: Use) -> None:
    async def work(desk: Desk) -> None:
        student, other, ta = desk.key("student"), desk.key("student"), desk.key("ta", "Ada")
        got = await desk.ask(QUESTION, student)
        trace_id = got["coteach"]["trace_id"]
        passed_on = await desk.call("POST", "/v1/questions", student, trace_id=trace_id, note="please")
        assert (passed_on.status_code, passed_on.json()["state"]) == (201, "open")
        item = await first_in_queue(desk, ta)
        assert (item["question"], item["reason"], item["waiting"], item["notes"]) == (QUESTION, "asked", 1, ["please"])
        at = f"/review/questions/{item['question_id']}"
        assert (await desk.call("POST", f"{at}/claim", ta)).json()["claimed_name"] == "Ada"
        whole = (await desk.call("GET", at, ta)).json()
        assert whole["given"]["trace_id"] == trace_id
        reply = await desk.call("POST", f"{at}/approve", ta, question=QUESTION, answer=ANSWER, rests=[STRETCH])
        assert (reply.status_code, reply.json()["reviewer"]) == (200, "Ada")
        own = (await desk.call("GET", "/v1/questions", student)).json()
        assert [(one["answer"], one["reviewer"], one["is_new"]) for one in own["data"]] == [(ANSWER, "Ada", True)]
        seen = await desk.call("POST", f"/v1/questions/{own['data'][0]['question_id']}/seen", student)
        assert not seen.json()["is_new"]
        told = await desk.ask("may I bring a calculator to the exam", other)
        assert told["coteach"]["route"] == "direct"
        assert ANSWER in told["choices"][0]["message"]["content"]
        assert "Ada" in told["coteach"]["notice"]

    use(work)


@pytest.mark.parametrize("question", ["Where is the stack explained?", "Summarise the lecture on stacks."])
def test_what_a_ta_answered_is_given_to_who_asks_the_very_words_whatever_kind_of_question_it_is(
    use: Use, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of these kinds the material is asked first, and no entry that is only like the question goes before it."""
    monkeypatch.setenv("COTEACH_MODEL_ADMISSION", "exam")

    async def work(desk: Desk) -> None:
        ta = desk.key("ta", "Ada")
        got = await desk.ask(question, desk.key("student"))
        assert got["coteach"]["route"] != "direct"
        put = await desk.call("POST", "/v1/questions", desk.key("student"), question=question, course_id="ds")
        at = f"/review/questions/{put.json()['question_id']}"
        assert (await desk.call("POST", f"{at}/approve", ta, question=question, answer=ANSWER)).status_code == 200
        told = await desk.ask(question.lower().rstrip("?."), desk.key("student"))
        assert told["coteach"]["route"] == "direct"
        assert ANSWER in told["choices"][0]["message"]["content"]

    use(work)


def test_what_a_ta_answered_is_given_to_who_asks_the_same_kind_of_question_in_other_words(
    use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COTEACH_MODEL_ADMISSION", "exam")

    async def work(desk: Desk) -> None:
        ta, answer = desk.key("ta", "Ada"), "It is in the midterm."
        asked = "Does the midterm cover splay trees?"
        put = await desk.call("POST", "/v1/questions", desk.key("student"), question=asked, course_id="ds")
        at = f"/review/questions/{put.json()['question_id']}"
        assert (await desk.call("POST", f"{at}/approve", ta, question=asked, answer=answer)).status_code == 200
        told = await desk.ask("are splay trees covered in the midterm", desk.key("student"))
        assert answer in told["choices"][0]["message"]["content"]

    use(work)


def test_what_is_asked_in_other_words_is_listed_once_and_answered_with_one_request(use: Use) -> None:
    other_words = "may I bring my own calculator to the exam please"

    async def work(desk: Desk) -> None:
        ta, askers = desk.key("ta", "Ada"), {QUESTION: desk.key("student"), other_words: desk.key("student")}
        for question, student in askers.items():
            await desk.call("POST", "/v1/questions", student, question=question, course_id="ds")
        queue = (await desk.call("GET", "/review/questions", ta)).json()
        [item] = queue["data"]
        [other] = item["in_other_words"]
        assert (item["question"], other["question"], item["waiting_together"]) == (QUESTION, other_words, 2)
        assert queue["counts"]["asked"] == 1
        assert (await desk.call("GET", "/review/questions?offset=1", ta)).json()["data"] == []
        at = f"/review/questions/{item['question_id']}"
        assert (await desk.call("GET", at, ta)).json()["in_other_words"] == [other]
        reply = await desk.call(
            "POST", f"{at}/approve", ta, question=QUESTION, answer=ANSWER, also=[other["question_id"]]
        )
        assert reply.status_code == 200, reply.text
        for student in askers.values():
            assert [one["answer"] for one in (await desk.call("GET", "/v1/questions", student)).json()["data"]] == [
                ANSWER
            ]
        assert (await desk.call("GET", "/review/questions", ta)).json()["data"] == []

    use(work)


def test_what_two_students_ask_becomes_an_entry_with_one_request(use: Use) -> None:
    async def work(desk: Desk) -> None:
        asking, ta = (
            ("Is a calculator allowed in the exam?", "is a calculator allowed in the exam"),
            desk.key("ta", "Ada"),
        )
        students = [desk.key("student") for _ in asking]
        for question, student in zip(asking, students, strict=True):
            await desk.ask(question, student)
        listed = (await desk.call("GET", "/v1/faq/proposals?course_id=ds", ta)).json()["data"]
        [proposal] = [one for one in listed if one["question"].startswith("Is a calculator")]
        assert (proposal["people"], proposal["count"], proposal["trend"]) == (2, 2, 2)
        body = {"trace_ids": proposal["trace_ids"], "question": QUESTION, "answer": ANSWER}
        made = await desk.call("POST", "/v1/faq/proposals/publish", ta, **body)
        assert (made.status_code, made.json()["question"], made.json()["reviewer"]) == (200, QUESTION, "Ada")
        told = await desk.ask(asking[1], desk.key("student"))
        content = told["choices"][0]["message"]["content"]
        assert told["coteach"]["route"] == "direct"
        assert ANSWER in content
        assert "allowed" not in content, "a student's words are shown to nobody else"
        assert (await desk.call("GET", "/v1/faq/proposals?course_id=ds", ta)).json()["data"] == []

    use(work)


def test_a_dismissed_proposal_is_gone_and_another_course_is_closed(use: Use) -> None:
    async def work(desk: Desk) -> None:
        ta, stranger = desk.key("ta", "Ada"), desk.key("ta", "Mia", ["sjjg"])
        for _ in range(2):
            await desk.ask("Is a calculator allowed in the exam?", desk.key("student"))
        at = "/v1/faq/proposals?course_id=ds"
        [proposal] = (await desk.call("GET", at, ta)).json()["data"]
        body = {"trace_ids": proposal["trace_ids"]}
        assert (await desk.call("GET", at, stranger)).status_code == 404
        assert (await desk.call("POST", "/v1/faq/proposals/dismiss", stranger, **body)).status_code == 404
        assert (await desk.call("POST", "/v1/faq/proposals/dismiss", ta, **body)).status_code == 204
        assert (await desk.call("GET", at, ta)).json()["data"] == []

    use(work)


def test_an_edited_cue_brings_the_answer_back_with_the_difference(use: Use) -> None:
    async def work(desk: Desk) -> None:
        student, ta = desk.key("student"), desk.key("ta", "Ada")
        await desk.call("POST", "/v1/questions", student, question=QUESTION, course_id="ds")
        item = await first_in_queue(desk, ta)
        at = f"/review/questions/{item['question_id']}/approve"
        await desk.call("POST", at, ta, question=QUESTION, answer=ANSWER, rests=[STRETCH])
        edited = [row | {"text": "a stack is <b>first in</b>"} if row["cue_index"] == 0 else row for row in rows.CUES]
        write_table(desk.data_dir.table("cues", "ds"), edited, CUES)
        desk.data_dir.graph_concepts.touch()
        while not (queue := (await desk.call("GET", "/review/questions", ta)).json()["data"]):
            await asyncio.sleep(0.05)
        back = (await desk.call("GET", f"/review/questions/{queue[0]['question_id']}", ta)).json()
        (source,) = back["returned"]["sources"]
        changed = [(one["old"], one["new"]) for one in source["difference"] if one["op"] != "equal"]
        assert (queue[0]["reason"], changed) == ("source_changed", [("last", "first")])
        told = await desk.ask(QUESTION, student)
        while "older material" not in told["coteach"]["notice"]:  # until the gateway has read the home again
            await asyncio.sleep(0.05)
            told = await desk.ask(QUESTION, student)
        assert ANSWER in told["choices"][0]["message"]["content"]

    use(work)


def test_a_correction_of_the_faq_is_served_at_once_and_can_be_withdrawn(use: Use) -> None:
    async def work(desk: Desk) -> None:
        student, ta, question = desk.key("student"), desk.key("ta", "Ada"), "When is the deadline of homework 3?"
        body = {"course_id": "ds", "origin_id": "faq#1", "question": question, "answer": "Monday at noon."}
        found = (await desk.call("POST", "/review/faq", ta, **body)).json()
        assert found["replaces"] == "faq#1"
        assert "Monday at noon." in (await desk.ask(question, student))["choices"][0]["message"]["content"]
        at = f"/review/answers/{found['answer_id']}"
        edited = await desk.call("PATCH", at, ta, question=question, answer="Tuesday.", version=1)
        assert edited.json()["version"] == 2
        assert "Tuesday." in (await desk.ask(question, student))["choices"][0]["message"]["content"]
        whole = (await desk.call("GET", at, ta)).json()
        assert [(one["decision"], one["by"]) for one in whole["history"]] == [("edit", "Ada"), ("edit", "Ada")]
        assert (await desk.call("POST", f"{at}/withdraw", ta)).json()["state"] == "withdrawn"
        assert "Sunday" in (await desk.ask(question, student))["choices"][0]["message"]["content"]
        missing = await desk.call("POST", "/review/faq", ta, **body | {"origin_id": "none"})
        assert missing.status_code == 404

    use(work)


def test_two_tas_and_a_double_click(use: Use) -> None:
    async def work(desk: Desk) -> None:
        student, ada, ben = desk.key("student"), desk.key("ta", "Ada"), desk.key("ta", "Ben")
        await desk.call("POST", "/v1/questions", student, question=QUESTION, course_id="ds")
        at = f"/review/questions/{(await first_in_queue(desk, ada))['question_id']}/approve"
        both = [await desk.call("POST", at, ada, question=QUESTION, answer=ANSWER) for _ in range(2)]
        assert len({one.json()["answer_id"] for one in both}) == 1
        late = await desk.call("POST", at, ben, question=QUESTION, answer="No.")
        assert (late.status_code, late.json()["error"]["code"]) == (409, "conflict")
        assert "Ada decided on this question already" in late.json()["error"]["message"]

    use(work)


def test_what_is_not_ones_own_is_not_there(use: Use) -> None:
    async def work(desk: Desk) -> None:
        student, other, of_ml = desk.key("student"), desk.key("student"), desk.key("ta", "Mia", courses=["sjjg"])
        trace_id = (await desk.ask(QUESTION, student))["coteach"]["trace_id"]
        asked = (await desk.call("POST", "/v1/questions", student, trace_id=trace_id)).json()["question_id"]
        replies = [
            await desk.call("POST", "/v1/questions", other, trace_id=trace_id),
            await desk.call("GET", f"/v1/questions/{asked}", other),
            await desk.call("POST", f"/v1/questions/{asked}/seen", other),
            await desk.call("GET", f"/review/questions/{asked}", of_ml),
            await desk.call("POST", f"/review/questions/{asked}/claim", of_ml),
            await desk.call("POST", f"/review/questions/{asked}/approve", of_ml, question="q", answer="a"),
            await desk.call("POST", f"/review/questions/{asked}/reject", of_ml),
            await desk.call("GET", "/review/questions?course_id=ds", of_ml),
            await desk.call("GET", "/review/answers/none", of_ml),
        ]
        assert [reply.status_code for reply in replies] == [404] * len(replies)
        assert (await desk.call("GET", "/review/questions", of_ml)).json()["data"] == []
        assert (await desk.call("GET", "/v1/questions", other)).json()["data"] == []

    use(work)


REVIEWING = [
    ("GET", "/review/questions"),
    ("GET", "/review/questions/x"),
    ("POST", "/review/questions/x/claim"),
    ("POST", "/review/questions/x/release"),
    ("POST", "/review/questions/x/approve"),
    ("POST", "/review/questions/x/reject"),
    ("GET", "/review/answers"),
    ("GET", "/review/answers/x"),
    ("PATCH", "/review/answers/x"),
    ("POST", "/review/answers/x/withdraw"),
    ("POST", "/review/faq"),
]


def test_students_have_no_part_in_reviewing(use: Use) -> None:
    async def work(desk: Desk) -> None:
        student = desk.key("student")
        body = {"question": "q", "answer": "a", "course_id": "ds", "origin_id": "faq#1"}
        found = {
            (method, path): [(await desk.call(method, path, headers, **body)).status_code for headers in (student, {})]
            for method, path in REVIEWING
        }
        assert found == {each: [403, 401] for each in REVIEWING}

    use(work)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"trace_id": "x", "question": "y"},
        {"question": "  \u0000 "},
        {"question": "x" * 4001},
        {"question": "x", "note": "y" * 2001},
        {"question": "x", "course_id": "gone"},
        {"trace_id": 7},
    ],
)
def test_a_question_that_cannot_be_taken_is_told_so(use: Use, body: dict[str, Any]) -> None:
    async def work(desk: Desk) -> None:
        reply = await desk.call("POST", "/v1/questions", desk.key("student"), **body)
        assert reply.status_code in (400, 404), reply.text
        assert reply.json()["error"]["message"]

    use(work)


def test_markup_is_kept_as_text(use: Use) -> None:
    async def work(desk: Desk) -> None:
        question = "<img src=x onerror=alert(1)> {{7*7}} ?"
        reply = await desk.call("POST", "/v1/questions", desk.key("student"), question=question, course_id="ds")
        assert (reply.status_code, reply.json()["question"]) == (201, question)

    use(work)


@pytest.mark.parametrize("broken", ["\\ud800", "\\u0000", "\\ufffe"])
def test_text_that_is_none_is_no_error_of_ours(use: Use, broken: str) -> None:
    async def work(desk: Desk) -> None:
        headers = desk.key("student") | {"Content-Type": "application/json"}
        content = f'{{"question": "a {broken} b", "course_id": "ds"}}'
        reply = await desk.client.post("/v1/questions", content=content, headers=headers)
        assert reply.status_code in (201, 400), reply.text

    use(work)


def test_material_that_is_not_there_cannot_be_rested_on(use: Use) -> None:
    async def work(desk: Desk) -> None:
        student, ta = desk.key("student"), desk.key("ta", "Ada")
        await desk.call("POST", "/v1/questions", student, question=QUESTION, course_id="ds")
        at = f"/review/questions/{(await first_in_queue(desk, ta))['question_id']}/approve"
        reply = await desk.call("POST", at, ta, question=QUESTION, answer=ANSWER, rests=["cues:no:0-1"])
        assert (reply.status_code, "no such material" in reply.json()["error"]["message"]) == (400, True)

    use(work)


def test_somebody_without_a_key_comes_back_by_their_session(home: Path) -> None:
    async def work() -> None:
        app = create_app(Settings(home=home, access="open"))
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://coteach.test") as client,
        ):
            asked = await client.post("/v1/questions", json={"question": QUESTION, "course_id": "ds"})
            mine = {"X-Coteach-Session": asked.json()["session_id"]}
            own = await client.get("/v1/questions", headers=mine)
            assert [one["question"] for one in own.json()["data"]] == [QUESTION]
            assert (await client.get("/v1/questions")).json()["data"] == []
            at = f"/v1/questions/{asked.json()['question_id']}"
            assert [(await client.get(at, headers=each)).status_code for each in (mine, {})] == [200, 404]

    asyncio.run(work())
