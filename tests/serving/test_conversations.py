"""What is asked is kept once, whenever its reader leaves and whatever fails."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.assistant.turn import Delta
from serving.gateway.conversations import ConversationAnswer, Conversations, Question
from serving.gateway.service import Service
from serving.settings import Settings
from serving.store.caller import Caller
from serving.store.tables.conversation import TurnRow

MING = Caller("ming", is_new=True)
ASKED = Question("What is a stack?", "ds")

Kept = list[tuple[str, int]]


def kept(service: Service) -> Kept:
    """Outcome and position of every turn in the store."""
    query = select(TurnRow).order_by(TurnRow.position)
    return service.store.read(lambda db: [(row.outcome, row.position) for row in db.scalars(query)])


@pytest.fixture
def run(home: Path) -> Callable[..., Kept]:
    def over(work: Callable[[Service], Awaitable[None]]) -> Kept:
        async def whole() -> Kept:
            service = Service(Settings(home=home))
            await service.start()
            await work(service)
            await service.conversations.aclose()
            found = kept(service)
            await service.aclose()
            return found

        return asyncio.run(whole())

    return over


async def told(conversations: Conversations, question: Question = ASKED) -> ConversationAnswer:
    parts = [part async for part in conversations.ask(MING, question)]
    assert isinstance(parts[-1], ConversationAnswer)
    return parts[-1]


def test_a_reader_who_leaves_in_the_middle_has_stopped_the_answer(run: Any) -> None:
    async def work(service: Service) -> None:
        parts = service.conversations.ask(MING, ASKED)
        assert isinstance(await anext(parts), Delta)
        await parts.aclose()

    assert run(work) == [("stopped", 0)]


def test_a_reader_who_leaves_at_the_end_has_an_answer_and_no_second_one(run: Any) -> None:
    async def work(service: Service) -> None:
        parts = service.conversations.ask(MING, ASKED)
        async for part in parts:
            if isinstance(part, ConversationAnswer):
                break
        await parts.aclose()

    assert run(work) == [("answered", 0)]


def test_a_reader_who_is_cancelled_while_the_answer_is_stored_has_it(run: Any) -> None:
    async def work(service: Service) -> None:
        asking = asyncio.create_task(told(service.conversations))
        while not service.conversations._storing:
            await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    assert run(work) == [("answered", 0)]


def test_two_questions_at_once_in_one_session_follow_each_other(run: Any) -> None:
    async def work(service: Service) -> None:
        first = await told(service.conversations)
        again = replace(ASKED, session_id=first.session_id)
        await asyncio.gather(*(told(service.conversations, again) for _ in range(4)))

    assert run(work) == [("answered", position) for position in range(5)]


def test_an_answer_is_told_though_what_belongs_to_it_cannot_be_stored(run: Any) -> None:
    def fails(db: Session, turn: TurnRow) -> None:
        raise KeyError("a mistake in the program")

    async def work(service: Service) -> None:
        service.conversations._stored = [fails]
        answer = await told(service.conversations)
        assert (answer.answer.route, answer.is_stored) == ("direct", False)

    assert run(work) == []


def test_an_answer_to_a_session_deleted_meanwhile_is_told_and_not_kept(run: Any) -> None:
    async def work(service: Service) -> None:
        conversations = service.conversations
        first = await told(conversations)
        parts = conversations.ask(MING, replace(ASKED, session_id=first.session_id))
        await anext(parts)
        await conversations.forget(MING, first.session_id)
        with structlog.testing.capture_logs() as logged:
            rest = [part async for part in parts]
            await conversations.aclose()
        assert isinstance(rest[-1], ConversationAnswer)
        assert not rest[-1].is_stored
        assert {one["event"] for one in logged if one["log_level"] == "error"} == set()

    assert run(work) == []
