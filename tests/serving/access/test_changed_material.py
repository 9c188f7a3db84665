"""Who was given an answer is told when the material behind it is edited and built again; once, whoever finds it."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
from gateways import Gateway, bearer, running
from sqlalchemy import select, update

from knowledge_graph.lake.home import DataDir
from serving.desk import changed_answers
from serving.desk.decisions import edit_faq
from serving.gateway import service
from serving.gateway.notifications.mail import mail_of
from serving.gateway.notifications.worker import notice_links
from serving.index.build import build_index
from serving.settings import Settings
from serving.store.caller import Caller
from serving.store.notices import take_due
from serving.store.tables.base import now
from serving.store.tables.conversation import ChangedAnswer, RestsOn, TurnRow
from serving.store.tables.notification import Notice, Subscription

LIBRARY, CANTEEN = "Is the library open on Sunday?", "Does the canteen serve soup on Friday?"
TA = Caller("ta", "ta", "k", "Ines")


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "LOOK_SECONDS", 0.01)


def build(home: Path, library: str, canteen: str = "It does.") -> str:
    """One more version of the index, in which two entries of the FAQ say this."""
    asked = [("f8", CANTEEN, canteen), ("f9", LIBRARY, library)]
    entries = [rows.pair(name, "faq", question, said, content_hash=said) for name, question, said in asked]
    tables = rows.tables(home.parent / "tables", [*rows.QA, *entries])
    return build_index(tables, DataDir(home).index).version


async def taken_up(gateways: Sequence[Gateway], version: str) -> None:
    """Wait until each gateway serves a version and has compared the answers with it."""
    async with asyncio.timeout(30):
        for one in gateways:
            running_service = one.app.state.service
            while (await running_service.knowledge()).index.version != version or any(
                "_compare_answers" in repr(task) for task in running_service._following
            ):
                await asyncio.sleep(0.01)


async def asked(gateway: Gateway, key: str, *questions: str) -> str:
    """Ask in one conversation; its id."""
    said: list[dict[str, str]] = []
    for question in questions:
        said.append({"role": "user", "content": question})
        body = {"model": "coteach:ds", "messages": said}
        reply = (await gateway.client.post("/v1/chat/completions", json=body, headers=bearer(key))).json()
        assert reply["coteach"]["route"] == "direct", reply
        said.append({"role": "assistant", "content": reply["choices"][0]["message"]["content"]})
    newest = select(TurnRow.session_id).order_by(TurnRow.asked_at.desc()).limit(1)
    return gateway.store.read(lambda db: db.scalars(newest).one())


def subscribed(gateway: Gateway, session_id: str, *, later: timedelta = timedelta()) -> None:
    """Who asked in a conversation is mailed of corrections, since a minute ago, or a minute ago and `later`."""

    def work(db: Any) -> None:
        person = db.scalars(select(TurnRow.person_id).where(TurnRow.session_id == session_id).limit(1)).one()
        at = now() - timedelta(minutes=1) + later
        wish = {"email": f"{person[:8]}@example.edu", "events": ["corrected"], "confirmed_at": at, "created_at": at}
        db.add(Subscription(person_id=person, **wish))

    gateway.store.write(work)


async def notices(*gateways: Gateway) -> list[dict[str, Any]]:
    """What waits in the outbox after each gateway has looked for news, oldest first."""
    for one in gateways:
        await one.app.state.service.notifier.look()
    listed = select(Notice).order_by(Notice.created_at)
    return gateways[0].store.read(lambda db: [dict(one.payload) for one in db.scalars(listed)])


def marked(gateway: Gateway) -> set[str]:
    """The questions whose answers are marked."""
    query = select(TurnRow.question).join(ChangedAnswer, ChangedAnswer.trace_id == TurnRow.trace_id)
    return gateway.store.read(lambda db: set(db.scalars(query)))


def over(home: Path, work: Any, count: int = 1) -> None:
    """Run `work` over some gateways of one home and store."""

    async def run() -> None:
        settings = Settings(home=home, access="keys", public_url="https://ta.example.edu")
        async with AsyncExitStack() as stack:
            await work(*[await stack.enter_async_context(running(settings)) for _ in range(count)])

    asyncio.run(run())


def test_an_edit_of_the_material_is_told_once_by_two_gateways_and_the_next_edit_again(home: Path) -> None:
    first = build(home, "From 9 to 4.")

    async def work(one: Gateway, other: Gateway) -> None:
        await taken_up((one, other), first)
        session = await asked(one, one.key(), LIBRARY)
        await asked(one, one.key(), CANTEEN)
        subscribed(one, session)
        await taken_up((one, other), build(home, "From 9 to 6."))
        told = await notices(one, other, one)
        assert [(each["question"], each["session_id"], each["state"]) for each in told] == [
            (LIBRARY, session, "material_changed")
        ]
        assert marked(one) == {LIBRARY}
        await taken_up((one, other), build(home, "From 9 to 6.", "It does not."))  # of another entry
        assert len(await notices(one, other)) == 1
        assert marked(one) == {LIBRARY, CANTEEN}
        await taken_up((one, other), build(home, "Never.", "It does not."))
        assert len(await notices(one, other)) == 2

    over(home, work, count=2)


def test_a_gateway_that_was_away_finds_what_was_edited_and_one_that_starts_again_tells_nothing_twice(
    home: Path,
) -> None:
    build(home, "From 9 to 4.")

    async def before(gateway: Gateway) -> None:
        subscribed(gateway, await asked(gateway, gateway.key(), LIBRARY))

    async def after(gateway: Gateway) -> None:
        await taken_up([gateway], version)
        assert len(await notices(gateway)) == 1

    over(home, before)
    version = build(home, "From 9 to 6.")
    over(home, after)
    over(home, after)


def test_of_several_answers_of_a_conversation_one_mail_tells_and_leads_there(home: Path) -> None:
    first = build(home, "From 9 to 4.")

    async def work(gateway: Gateway) -> None:
        await taken_up([gateway], first)
        session = await asked(gateway, gateway.key(), LIBRARY, CANTEEN)
        subscribed(gateway, session)
        await taken_up([gateway], build(home, "From 9 to 6.", "It does not."))
        (told,) = await notices(gateway)
        assert told["answers"] == 2
        settings = gateway.app.state.service.settings
        (due,) = gateway.store.write(lambda db: take_due(db, ["email"], at=now()))
        mail = mail_of(due, settings.model_copy(update={"mail_from": "ta@example.edu"}), notice_links(settings))
        assert mail["subject"] == "The material behind an answer you were given has changed"
        text = mail.get_content()
        assert CANTEEN in text
        assert f"https://ta.example.edu/?session={session}" in text
        assert "It does not." not in text, "what it says is read behind the login"

    over(home, work)


def test_what_says_the_same_again_is_marked_no_more(home: Path) -> None:
    first = build(home, "From 9 to 4.")

    async def work(gateway: Gateway) -> None:
        await taken_up([gateway], first)
        await asked(gateway, gateway.key(), LIBRARY)
        await taken_up([gateway], build(home, "From 9 to 6."))
        assert marked(gateway) == {LIBRARY}
        await taken_up([gateway], build(home, "From 9 to 4."))
        assert marked(gateway) == set()

    over(home, work)


def test_who_chose_it_after_the_edit_or_chose_nothing_is_told_nothing(home: Path) -> None:
    first = build(home, "From 9 to 4.")

    async def work(gateway: Gateway) -> None:
        await taken_up([gateway], first)
        session, _ = await asked(gateway, gateway.key(), LIBRARY), await asked(gateway, gateway.key(), LIBRARY)
        await taken_up([gateway], build(home, "From 9 to 6."))
        subscribed(gateway, session, later=timedelta(minutes=2))
        assert await notices(gateway) == []

    over(home, work)


def test_what_a_ta_corrected_is_marked_with_the_build_and_told_but_when_it_was_corrected(home: Path) -> None:
    first = build(home, "From 9 to 4.")

    async def work(gateway: Gateway) -> None:
        await taken_up([gateway], first)
        session = await asked(gateway, gateway.key(), LIBRARY)
        subscribed(gateway, session)
        before = f"{LIBRARY}\n\nFrom 9 to 4."
        gateway.store.write(lambda db: edit_faq(db, "ds", "f9", LIBRARY, "Never.", TA, before=before))
        assert [each["state"] for each in await notices(gateway)] == ["corrected"]
        await taken_up([gateway], build(home, "Never."))
        assert [each["state"] for each in await notices(gateway)] == ["corrected"]
        assert marked(gateway) == {LIBRARY}

    over(home, work)


@pytest.mark.parametrize(("source", "course_id"), [("search", "ds"), ("subtitle", "another course")])
def test_web_pages_and_courses_that_are_not_here_are_not_compared(home: Path, source: str, course_id: str) -> None:
    first = build(home, "From 9 to 4.")

    async def work(gateway: Gateway) -> None:
        await taken_up([gateway], first)
        await asked(gateway, gateway.key(), LIBRARY)
        trace_id = gateway.store.read(lambda db: db.scalars(select(TurnRow.trace_id)).one())
        gone = {"trace_id": trace_id, "entry_id": "gone", "source": source, "course_id": course_id}
        gateway.store.write(lambda db: db.add(RestsOn(**gone, text_sha256="0" * 64)))
        await taken_up([gateway], build(home, "From 9 to 4.", "It does not."))
        assert marked(gateway) == set()

    over(home, work)


@pytest.mark.parametrize("bound", ["age", "number"])
def test_only_the_newest_answers_are_compared(home: Path, monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    first = build(home, "From 9 to 4.")

    async def work(gateway: Gateway) -> None:
        await taken_up([gateway], first)
        await asked(gateway, gateway.key(), LIBRARY)
        if bound == "age":
            old = now() - changed_answers.LOOKED_BACK - timedelta(minutes=1)
            gateway.store.write(lambda db: db.execute(update(TurnRow).values(asked_at=old)))
        else:
            monkeypatch.setattr(changed_answers, "MOST_ANSWERS", 1)
        await asked(gateway, gateway.key(), CANTEEN)
        await taken_up([gateway], build(home, "From 9 to 6.", "It does not."))
        assert marked(gateway) == {CANTEEN}

    over(home, work)
