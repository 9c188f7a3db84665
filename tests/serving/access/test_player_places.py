"""Where a student is in a lecture: told by a player, kept, understood by questions and study paths, forgotten; and
whose pages may show the chat beside their player."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import course_rows
import pytest
from gateways import Gateway, bearer
from pydantic import ValidationError
from sqlalchemy import select, update

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import GRAPH_PREREQUISITES
from knowledge_graph.lake.tables import write_table
from serving.assistant.understanding.focus import Position
from serving.pages.chat_place import players_html, read_place
from serving.settings import Settings
from serving.store.database import Store
from serving.store.lecture_progress import KEPT, RECENT, forget_old_places, keep_place, list_watched, recent_place
from serving.store.tables.base import now
from serving.store.tables.conversation import TraceRow, TurnRow
from serving.store.tables.identity import Person
from serving.store.tables.study import LectureProgress

LMS = "https://lms.example.edu"
PLACE = {"video": "02 stacks", "at_ms": 192_000}
WHAT = {"model": "coteach:ds", "messages": [{"role": "user", "content": "What is this?"}]}
TITLES = {"02 stacks": "Stacks and queues"}


def test_a_place_that_was_told_lately_is_what_a_question_without_one_means(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        headers = bearer(gateway.key())
        told = await gateway.client.put("/v1/courses/ds/position", json=PLACE, headers=headers)
        assert told.json()["is_recent"] is True
        assert [(one["video"], one["furthest_ms"]) for one in told.json()["watched"]] == [("02 stacks", 192_000)]

        async def resolved() -> str:
            answer = await gateway.client.post("/v1/chat/completions", json=WHAT, headers=headers)
            trace_id = answer.json()["coteach"]["trace_id"]
            await gateway.app.state.service.conversations.aclose()
            return str(gateway.store.read(lambda db: db.get_one(TraceRow, trace_id).record)["resolved"])

        assert "stack" in await resolved()
        old = now() - RECENT - timedelta(seconds=1)
        gateway.store.write(lambda db: db.execute(update(LectureProgress).values(seen_at=old)))
        assert "stack" not in await resolved(), "that is where they were, not where they are"
        seen = await gateway.client.get("/v1/courses/ds/position", headers=headers)
        assert (seen.json()["is_recent"], len(seen.json()["watched"])) == (False, 1)

    use(work, access="keys")


def test_a_study_path_says_of_each_step_whether_one_has_been_so_far(use: Any, home: Path) -> None:
    edges = [*course_rows.PREREQUISITES, course_rows.edge("en:stack", "en:queue")]
    write_table(DataDir(home).graph_prerequisites, edges, GRAPH_PREREQUISITES)

    async def work(gateway: Gateway) -> None:
        headers = bearer(gateway.key())

        async def steps() -> dict[str, bool | None]:
            found = await gateway.client.post("/v1/path", json={"concept": "queue"}, headers=headers)
            return {one["name"]: one["is_watched"] for one in found.json()["steps"]}

        assert await steps() == {"list": None, "stack": None}
        for at_ms, expected in ((191_999, False), (192_000, True), (5, True)):
            await gateway.client.put("/v1/courses/ds/position", json=PLACE | {"at_ms": at_ms}, headers=headers)
            assert await steps() == {"list": None, "stack": expected}, "no lecture says what a list is"

    use(work, access="keys")


def test_only_lectures_of_the_course_are_places_and_nothing_is_kept_of_somebody_new(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        strange = await gateway.client.put("/v1/courses/ds/position", json=PLACE | {"video": "99 no"})
        assert (strange.status_code, strange.json()["error"]["param"]) == (404, "video")
        new = await gateway.client.put("/v1/courses/ds/position", json=PLACE)
        assert (new.status_code, new.json()["watched"]) == (200, [])
        assert gateway.store.read(lambda db: list(db.scalars(select(LectureProgress)))) == []
        late = await gateway.client.put("/v1/courses/ds/position", json=PLACE | {"at_ms": 10**12})
        assert late.status_code in (400, 422)

    use(work)


def test_ones_places_are_seen_on_my_data_saved_with_it_and_forgotten_alone(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        headers = bearer(key)
        await gateway.client.put("/v1/courses/ds/position", json=PLACE, headers=headers)
        await gateway.client.put("/v1/courses/ds/position", json=PLACE | {"at_ms": 60_000}, headers=headers)
        await gateway.client.post("/v1/chat/completions", json=WHAT, headers=headers)
        export = (await gateway.client.get("/v1/me/data", headers=headers)).json()
        assert [(one["at_ms"], one["furthest_ms"]) for one in export["lecture_progress"]] == [(60_000, 192_000)]
        await gateway.client.post("/login", json={"key": key})
        page = await gateway.client.get("/me", headers={"Accept-Language": "en"})
        assert "02 stacks, at 01:00; the furthest you were is 03:12" in page.text
        gone = await gateway.client.post("/me/forget-places", headers={"Sec-Fetch-Site": "same-origin"})
        assert gone.status_code == 303
        assert gateway.store.read(lambda db: list(db.scalars(select(LectureProgress)))) == []
        assert gateway.store.read(lambda db: len(list(db.scalars(select(TurnRow))))) == 1, "what was asked stays"

    use(work, access="keys")


def test_pages_of_the_origins_that_an_admin_set_may_show_the_chat_and_nothing_of_the_desk(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        async def framed(path: str) -> bool:
            reply = await gateway.client.get(path)
            policy = reply.headers["content-security-policy"]
            assert ("x-frame-options" in reply.headers) is (LMS not in policy)
            return LMS in policy.partition("frame-ancestors")[2]

        shown = {
            path: await framed(path) for path in ("/", "/courses/ds/videos/02%20stacks", "/me", "/queue", "/files")
        }
        assert shown == {
            "/": True,
            "/courses/ds/videos/02%20stacks": True,
            "/me": False,
            "/queue": False,
            "/files": False,
        }
        script = await gateway.client.get("/player.js")
        assert script.headers["content-type"].startswith("text/javascript")
        assert script.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "coteach.position" in script.text

    use(work, player_origins=(LMS,))


def test_without_origins_nobody_shows_the_chat_and_it_listens_to_nobody(use: Any) -> None:
    async def work(gateway: Gateway) -> None:
        page = await gateway.client.get("/?course=ds")
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
        assert "chat_player.js" not in page.text

    use(work)
    assert players_html((), "ds") == ""
    with pytest.raises(ValidationError, match="without a path"):
        Settings(player_origins=(f"{LMS}/course",))


@pytest.mark.parametrize(
    "told",
    [
        None,
        "02 stacks",
        {"course": "sjjg", "lecture": "02 stacks", "second": 1},
        {"course": "ds", "lecture": "99 no", "second": 1},
        {"course": "ds", "lecture": ["02 stacks"], "second": 1},
        {"course": "ds", "lecture": "02 stacks", "second": -1},
        {"course": "ds", "lecture": "02 stacks", "second": True},
        {"course": "ds", "lecture": "02 stacks", "second": float("nan")},
        {"course": "ds", "lecture": "02 stacks", "second": 1e12},
        {"course": "ds", "lecture": "02 stacks", "second": "1"},
    ],
)
def test_what_a_browser_says_of_a_place_is_looked_at(told: object) -> None:
    assert read_place(told, "ds", TITLES) is None


def test_a_place_of_the_course_that_is_asked_is_taken_with_its_title() -> None:
    told = {"course": "ds", "lecture": "02 stacks", "second": 192.7}
    assert read_place(told, "ds", TITLES) == Position("ds", "02 stacks", 192_000, "Stacks and queues")
    assert read_place(told, None, TITLES) is None


def test_the_store_keeps_one_place_a_lecture_and_forgets_those_of_long_ago(store: Store) -> None:
    assert store.write(lambda db: keep_place(db, "ming", "ds", "01", 5)) is False, "nobody of that name is kept"
    store.write(lambda db: db.add(Person(person_id="ming")))
    for video, at_ms in (("01", 5), ("02", 9_000), ("01", 3)):
        assert store.write(lambda db, video=video, at_ms=at_ms: keep_place(db, "ming", "ds", video, at_ms))
    found = store.read(lambda db: list_watched(db, "ming", "ds"))
    assert [(one.video_id, one.at_ms, one.furthest_ms) for one in found] == [("01", 3, 5), ("02", 9_000, 9_000)]
    here = store.read(lambda db: recent_place(db, "ming", "ds", at=now()))
    assert here is not None
    assert here.video_id == "01"
    assert store.read(lambda db: recent_place(db, "ming", "ds", at=now() + RECENT)) is None
    store.write(lambda db: forget_old_places(db, before=now() - KEPT))
    assert len(store.read(lambda db: list_watched(db, "ming"))) == 2
    store.write(lambda db: forget_old_places(db, before=now() + timedelta(seconds=1)))
    assert store.read(lambda db: list_watched(db, "ming")) == []
