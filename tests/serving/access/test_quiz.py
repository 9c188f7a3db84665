"""Quiz me over a real gateway and store: asked, answered, remembered by wish alone, forgotten, asked again in time."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from gateways import Gateway, bearer
from sqlalchemy import select

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from serving.gateway.quiz.items import definition_id
from serving.store.course_controls import ControlChange, change_control
from serving.store.database import Store
from serving.store.quiz_cards import KnownCard, cards_of, next_item, review, set_memory
from serving.store.tables.base import now
from serving.store.tables.identity import ApiKey, Person
from serving.store.tables.study import QuizCard

CHOICES = [
    {"id": "1", "question": "What is last in, first out?", "options": {"A": "A stack", "B": "A map"}, "answer": "A"},
    {
        "id": "2",
        "question": "What is first in, first out?",
        "options": {"A": "A stack", "B": "A queue"},
        "answer": "B",
        "explanation": "It serves in order.",
    },
]


def course_folder(folder: Path) -> Path:
    course = folder / "courses" / "ds"
    (course / "gold").mkdir(parents=True)
    (course / "course.yaml").write_text("title: Data structures\nlang: en\n")
    (course / "gold" / "choices.jsonl").write_text("\n".join(json.dumps(one) for one in CHOICES))
    return course.parent


def test_a_quiz_is_asked_one_by_one_and_nothing_is_remembered_of_who_did_not_ask_for_it(
    use: Any, tmp_path: Path
) -> None:
    async def work(gateway: Gateway) -> None:
        headers = bearer(gateway.key())
        first = (await gateway.client.get("/v1/courses/ds/quiz", headers=headers)).json()
        assert (first["question"], first["options"]) == (CHOICES[0]["question"], CHOICES[0]["options"])
        assert "answer" not in first
        assert first["is_remembered"] is False
        sent = {"item_id": first["item_id"], "choice": "B"}
        told = (await gateway.client.post("/v1/courses/ds/quiz", json=sent, headers=headers)).json()
        assert (told["is_right"], told["answer_text"], told["due"]) == (False, "A stack", None)
        assert told["url"].startswith("/courses/ds/videos/"), "a stack is taught in this course"
        opened = await gateway.client.get(told["url"], headers=headers)
        assert opened.status_code == 200
        again = await gateway.client.get(f"/v1/courses/ds/quiz?seen={first['item_id']}", headers=headers)
        assert again.json()["question"] == CHOICES[1]["question"]
        wrong = await gateway.client.post("/v1/courses/ds/quiz", json=sent | {"choice": "Z"}, headers=headers)
        assert wrong.status_code == 400
        nothing = await gateway.client.get("/v1/courses/ds/quiz?concept=zzz", headers=headers)
        assert (nothing.status_code, nothing.json()["error"]["code"]) == (404, "no_such_concept")
        assert gateway.store.read(lambda db: list(db.scalars(select(QuizCard)))) == []

    use(work, access="keys", courses=course_folder(tmp_path))


def test_answers_are_remembered_by_wish_seen_in_ones_data_and_forgotten(use: Any, tmp_path: Path) -> None:
    async def work(gateway: Gateway) -> None:
        headers = bearer(gateway.key())
        wanted = await gateway.client.put("/v1/me/memory", json={"is_wanted": True}, headers=headers)
        assert wanted.json() == {"is_wanted": True, "courses": [], "known": []}
        item = (await gateway.client.get("/v1/courses/ds/quiz", headers=headers)).json()["item_id"]
        sent = {"item_id": item, "choice": "A"}
        told = (await gateway.client.post("/v1/courses/ds/quiz", json=sent, headers=headers)).json()
        assert told["is_right"]
        assert told["due"] > now().isoformat()
        held = (await gateway.client.get("/v1/me/memory", headers=headers)).json()
        assert held["courses"] == [{"course_id": "ds", "asked": 1, "right": 1, "due": 0}]
        other = (await gateway.client.get("/v1/courses/ds/quiz", headers=headers)).json()
        assert other["item_id"] != item, "what is not due yet comes after what was never asked"
        export = (await gateway.client.get("/v1/me/data", headers=headers)).json()
        assert [one["item_id"] for one in export["quiz_cards"]] == [item]
        gone = await gateway.client.put("/v1/me/memory", json={"is_wanted": False}, headers=headers)
        assert gone.json() == {"is_wanted": False, "courses": [], "known": []}
        assert gateway.store.read(lambda db: list(db.scalars(select(QuizCard)))) == []

    use(work, access="keys", courses=course_folder(tmp_path))


def test_a_concept_told_apart_twice_is_known_left_out_of_study_paths_and_forgotten_alone(use: Any, home: Path) -> None:
    """Only of who wants to be remembered; one right answer may be chance, and a wrong one takes it back."""
    item = definition_id("ds", ConceptGraph.load(DataDir(home)).concept("en:list"))

    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        owner = select(ApiKey.person_id).where(ApiKey.key_id == key.split("-")[1])
        headers, person_id = bearer(key), gateway.store.read(lambda db: db.scalars(owner).one())

        async def path() -> tuple[list[str], list[str]]:
            found = (await gateway.client.post("/v1/path", json={"concept": "stack"}, headers=headers)).json()
            return [one["name"] for one in found["steps"]], [one["name"] for one in found["known"]]

        async def answer(*, is_right: bool) -> None:
            gateway.store.write(lambda db: review(db, person_id, "ds", item, is_right=is_right))

        await answer(is_right=True)
        await answer(is_right=True)
        assert await path() == (["list"], []), "they did not ask to be remembered"
        await gateway.client.put("/v1/me/memory", json={"is_wanted": True}, headers=headers)
        await answer(is_right=True)
        assert await path() == (["list"], []), "once may be chance"
        await answer(is_right=True)
        assert await path() == ([], ["list"])
        memory = (await gateway.client.get("/v1/me/memory", headers=headers)).json()
        assert memory["known"] == [{"concept_id": "en:list", "name": "list", "course_id": "ds"}]
        await answer(is_right=False)
        assert await path() == (["list"], []), "forgotten"
        await answer(is_right=True)
        await gateway.client.post("/login", json={"key": key})
        page = await gateway.client.get("/me", headers={"Accept-Language": "en"})
        assert "Forget that I know “list”" in page.text
        same = {"Sec-Fetch-Site": "same-origin"}
        assert (await gateway.client.post("/me/forget-concept", data={"item": item}, headers=same)).status_code == 303
        assert await path() == (["list"], [])
        assert gateway.store.read(lambda db: list(db.scalars(select(QuizCard)))) == []

    use(work, access="keys")


def test_the_page_works_without_a_script_and_is_shut_with_the_assistant(use: Any, tmp_path: Path) -> None:
    async def work(gateway: Gateway) -> None:
        client = gateway.client
        await client.post("/login", json={"key": gateway.key()})
        page = await client.get("/quiz/ds")
        assert "What is last in, first out?" in page.text
        assert "<script>" not in page.text
        item = page.text.split('name="item" value="')[1].split('"')[0]
        told = await client.post("/quiz/ds", data={"item": item, "choice": "B", "seen": ""})
        assert "Not that one. Right is: A stack" in told.text
        assert f"seen={item}" in told.text
        onward = await client.get(f"/quiz/ds?seen={item}")
        assert "What is first in, first out?" in onward.text
        assert "no concept “&lt;b&gt;”" in (await client.get("/quiz/ds?concept=<b>")).text
        gateway.store.write(
            lambda db: change_control(db, "ds", ControlChange("assistant_off", "Exam.", "The exam."), by="Ines")
        )
        await gateway.app.state.service.switches.refresh()
        shut = await client.get("/quiz/ds")
        assert (shut.status_code, "Exam." in shut.text) == (503, True)

    use(work, access="keys", courses=course_folder(tmp_path))


def test_a_course_without_questions_says_so(use: Any, tmp_path: Path) -> None:
    async def work(gateway: Gateway) -> None:
        found = (await gateway.client.get("/v1/courses/sjjg/quiz")).json()
        assert found["available"] == 0 or found["item_id"] is not None
        if found["available"] == 0:
            assert found["reason"] == "nothing"
            page = await gateway.client.get("/quiz/sjjg", headers={"Accept-Language": "en"})
            assert "has nothing to quiz you with yet" in page.text

    use(work, courses=course_folder(tmp_path))


def test_what_was_right_comes_again_later_and_later_and_what_was_wrong_at_once(store: Store) -> None:
    """The schedule is FSRS'; held here is that ours asks by it."""
    store.write(lambda db: db.add(Person(person_id="ming")))
    assert store.write(lambda db: review(db, "ming", "ds", "a", is_right=True)) is None
    store.write(lambda db: set_memory(db, "ming", is_wanted=True))
    at, waits = now(), []
    for _ in range(5):
        due = store.write(lambda db, at=at: review(db, "ming", "ds", "a", is_right=True, at=at))
        waits.append((due - at).total_seconds() / 86_400)
        at = due
    assert waits == sorted(waits)
    assert waits[0] < 0.01
    assert waits[-1] > 10
    due = store.write(lambda db: review(db, "ming", "ds", "a", is_right=False, at=at))
    assert due - at <= timedelta(minutes=10)
    card = store.read(lambda db: cards_of(db, "ming", "ds"))["a"]
    assert (card.reviews, card.was_right, card.due) == (6, False, due)


def test_what_is_due_comes_first_then_what_is_new_then_what_is_due_soonest() -> None:
    at = now()
    cards = {
        "a": KnownCard("a", at + timedelta(days=2), 1, True),
        "b": KnownCard("b", at - timedelta(hours=1), 1, False),
        "c": KnownCard("c", at + timedelta(days=1), 1, True),
    }
    assert next_item("abcd", cards, seen=(), at=at) == "b"
    assert next_item("acd", cards, seen=(), at=at) == "d"
    assert next_item("ac", cards, seen=(), at=at) == "c"
    assert next_item("ac", cards, seen=("c",), at=at) == "a"
    assert next_item("ac", cards, seen=("a", "c"), at=at) is None
