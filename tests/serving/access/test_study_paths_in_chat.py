"""What a study path in the chat knows of a student, who gets it, and that another wording of the wish gets the same;
and how the concept map is shown."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import course_rows
import pytest
from gateways import Gateway, bearer
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Cue
from knowledge_graph.lake.schemas import CUES, GRAPH_PREREQUISITES, LECTURE_SENTENCES
from knowledge_graph.lake.tables import write_table
from knowledge_graph.transcripts.sentences import lecture_sentences
from serving.gateway import service
from serving.gateway.quiz.items import definition_id
from serving.store.lecture_progress import RECENT
from serving.store.quiz_cards import review
from serving.store.tables.base import now
from serving.store.tables.conversation import RestsOn, TraceRow
from serving.store.tables.identity import ApiKey
from serving.store.tables.review import TaQuestion
from serving.store.tables.study import LectureProgress

BEFORE = "What do I need to know before queues?"
WATCHED, KNOWN = "(you have watched this far)", "(you know it already, by your quizzes)"
SAID = [
    ("01 lists", "Lists", 10_000, course_rows.LIST),
    ("02 stacks", "Stacks", 192_000, course_rows.STACK),
    ("03 queues", "Queues", 400_000, course_rows.QUEUE),
]
MAP = '<!doctype html><html lang="en"><title>Data structures</title><p>stack below list</p></html>'


@pytest.fixture
def taught(home: Path) -> Path:
    """The home with a lecture for each of its concepts, the stack before the queue, and a drawn map."""
    data_dir = DataDir(home)
    edges = [*course_rows.PREREQUISITES, course_rows.edge("en:stack", "en:queue")]
    write_table(data_dir.graph_prerequisites, edges, GRAPH_PREREQUISITES)
    cues = [
        Cue("ds", video, title, at, 0, ms, ms + 5_000, text, "en") for at, (video, title, ms, text) in enumerate(SAID)
    ]
    sentences = lecture_sentences(cues, "ds")
    for table, schema, found in (("cues", CUES, cues), ("lecture_sentences", LECTURE_SENTENCES, sentences)):
        rows = [{name: getattr(one, name) for name in schema.names} for one in found]
        write_table(data_dir.table(table, "ds"), rows, schema)  # type: ignore[arg-type]
    data_dir.concept_map("ds").parent.mkdir(parents=True, exist_ok=True)
    data_dir.concept_map("ds").write_text(MAP)
    return home


async def asked(gateway: Gateway, question: str, key: str, course: str = "ds") -> tuple[str, dict[str, Any]]:
    """The answer's text without what stands around it, and the field `coteach` of the reply."""
    body = {
        "model": f"coteach:{course}",
        "messages": [{"role": "user", "content": question}],
        "metadata": {"footnotes": "never"},
    }
    reply = (await gateway.client.post("/v1/chat/completions", json=body, headers=bearer(key))).json()
    return str(reply["choices"][0]["message"]["content"]), reply["coteach"]


async def first_given(gateway: Gateway, told: dict[str, Any]) -> str | None:
    """The trace of the answer that was given again, if one was."""
    await gateway.app.state.service.conversations.aclose()
    record = gateway.store.read(lambda db: db.get_one(TraceRow, told["trace_id"]).record)
    found = record["given_before"]
    return None if found is None else str(found)


async def was_at(gateway: Gateway, key: str, video: str, at_ms: int) -> None:
    """A player tells where somebody is, long enough ago for a question not to be asked from there."""
    told = {"video": video, "at_ms": at_ms}
    reply = await gateway.client.put("/v1/courses/ds/position", json=told, headers=bearer(key))
    assert reply.status_code == 200
    old = now() - RECENT - timedelta(seconds=1)
    gateway.store.write(lambda db: db.execute(update(LectureProgress).values(seen_at=old)))


def test_steps_are_marked_that_the_student_watched_and_nobody_else_is_told_so(use: Any, taught: Path) -> None:
    async def work(gateway: Gateway) -> None:
        watcher, other = gateway.key(), gateway.key()
        await was_at(gateway, watcher, "02 stacks", 191_999)
        await was_at(gateway, watcher, "01 lists", 9_999)
        before, _ = await asked(gateway, BEFORE, watcher)
        assert "- stack: Stacks, from 03:12 [" in before, "they were in the lecture, not so far"
        await was_at(gateway, watcher, "02 stacks", 192_000)
        path, told = await asked(gateway, BEFORE, watcher)
        assert f"- stack: Stacks, from 03:12 {WATCHED} [" in path
        assert path.count(WATCHED) == 1, "of the lists they have not been told anything yet"
        assert await first_given(gateway, told) is None
        strangers, theirs = await asked(gateway, BEFORE, other)
        assert strangers == path.replace(f" {WATCHED}", "")
        assert await first_given(gateway, theirs) is None, "what is said of one student was kept for nobody"
        _, again = await asked(gateway, BEFORE, other)
        assert await first_given(gateway, again) == theirs["trace_id"], "what is said of no student is"
        mine, told = await asked(gateway, BEFORE, watcher)
        assert (mine, await first_given(gateway, told)) == (path, None)

    use(work, access="keys")


def test_a_study_path_among_several_questions_is_everybodys_own_too(use: Any, taught: Path) -> None:
    async def work(gateway: Gateway) -> None:
        watcher, other = gateway.key(), gateway.key()
        both = f"1. When is the deadline of homework 3?\n2. {BEFORE}"
        _, told = await asked(gateway, both, other)
        assert len(told["parts"]) == 2
        assert await first_given(gateway, (await asked(gateway, both, other))[1]) == told["trace_id"]
        await was_at(gateway, watcher, "02 stacks", 192_000)
        assert WATCHED in (await asked(gateway, both, watcher))[0]

    use(work, access="keys")


def test_steps_are_marked_that_the_student_knows_who_wants_to_be_remembered(use: Any, taught: Path) -> None:
    item = definition_id("ds", ConceptGraph.load(DataDir(taught)).concept("en:list"))

    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        owner = select(ApiKey.person_id).where(ApiKey.key_id == key.split("-")[1])
        person_id = gateway.store.read(lambda db: db.scalars(owner).one())
        await gateway.client.put("/v1/me/memory", json={"is_wanted": True}, headers=bearer(key))
        for _ in range(2):
            assert KNOWN not in (await asked(gateway, BEFORE, key))[0]
            gateway.store.write(lambda db: review(db, person_id, "ds", item, is_right=True))
        path, told = await asked(gateway, BEFORE, key)
        assert f"- list: Lists, from 00:10 {KNOWN} [" in path
        assert await first_given(gateway, told) is None
        await gateway.client.put("/v1/me/memory", json={"is_wanted": False}, headers=bearer(key))
        assert KNOWN not in (await asked(gateway, BEFORE, key))[0]

    use(work, access="keys")


def test_a_store_that_cannot_say_where_a_student_was_costs_no_answer(
    use: Any, taught: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*told: object) -> None:
        raise OperationalError("SELECT", {}, Exception("disk I/O error"))

    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        await was_at(gateway, key, "02 stacks", 192_000)
        monkeypatch.setattr(service, "progress_of", broken)
        path, _ = await asked(gateway, BEFORE, key)
        assert "- stack: Stacks, from 03:12 [" in path

    use(work, access="keys")


@pytest.mark.parametrize(
    ("wish", "question"),
    [
        ("Show me a study path to queues", BEFORE),
        ("learning path for queues", BEFORE),
        ("队列的学习路径", "学习队列之前要先学什么？"),
    ],
)
def test_a_wish_for_a_study_path_gets_what_the_question_for_it_gets(
    use: Any, taught: Path, wish: str, question: str
) -> None:
    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        wished, told = await asked(gateway, wish, key)
        answered, _ = await asked(gateway, question, key)
        assert (wished, told["kind"], told["route"]) == (answered, "before", "teach")
        assert "stack" in wished

    use(work, access="keys")


@pytest.mark.parametrize(
    ("wish", "label", "course", "title"),
    [
        ("Show me the concept map of this course", "Concept map", "ds", "Data structures"),
        ("concept map", "Concept map", "ds", "Data structures"),
        ("show me a study path through this course", "Concept map", "ds", "Data structures"),
        ("知识图谱", "概念图", "sjjg", "数据结构"),
        ("给我看看这门课的概念图", "概念图", "ds", "Data structures"),
        ("Show me the concept map", "Concept map", "sjjg", "数据结构"),
    ],
)
def test_who_asks_for_the_concept_map_gets_its_address_and_no_ta_has_to_answer(
    use: Any, taught: Path, wish: str, label: str, course: str, title: str
) -> None:
    async def work(gateway: Gateway) -> None:
        text, told = await asked(gateway, wish, gateway.key(), course)
        assert (told["route"], told["coverage"], told["notice"]) == ("teach", "full", "")
        (shown,) = told["references"]
        assert (shown["label"], shown["source"]) == (f"{label}: {title}", "map")
        assert f"/courses/{course}/map?s=" in shown["url"]
        assert title in text
        assert text.endswith(("before …?”", "要先学什么？”"))
        await gateway.app.state.service.conversations.aclose()
        assert gateway.store.read(lambda db: list(db.scalars(select(TaQuestion)))) == []
        assert gateway.store.read(lambda db: list(db.scalars(select(RestsOn)))) == [], "it rests on no text"
        if course == "ds":
            opened = await gateway.client.get(shown["url"])
            assert (opened.status_code, opened.text) == (200, MAP.replace("<html", '<html data-theme="auto"'))

    use(work, access="keys")


def test_the_map_opens_beside_the_conversation_and_tools_read_it_in_words(use: Any, taught: Path) -> None:
    async def work(gateway: Gateway) -> None:
        page = await gateway.client.get("/courses/ds/map")
        assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
        assert page.headers["x-frame-options"] == "SAMEORIGIN"
        dark = await gateway.client.get("/courses/ds/map", headers={"Cookie": "coteach_theme=dark"})
        assert dark.text == MAP.replace("<html", '<html data-theme="dark"')
        read = await gateway.client.get("/v1/source", params={"url": "http://coteach.test/courses/ds/map"})
        assert read.json()["title"] == "Data structures"
        assert sorted(read.json()["text"].splitlines()) == ["list", "queue ← stack", "stack ← list"]

    use(work)


@pytest.mark.parametrize("question", ["What is a concept map?", "什么是知识图谱？", "What is a map?"])
def test_what_a_map_is_is_asked_of_the_material(use: Any, taught: Path, question: str) -> None:
    async def work(gateway: Gateway) -> None:
        _, told = await asked(gateway, question, gateway.key())
        assert [one for one in told["references"] if one["source"] == "map"] == []

    use(work, access="keys")
