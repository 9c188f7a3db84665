"""What is older than it may be kept goes, in bounded pieces; what is newer, and the TAs' work, stays."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
import student_rows as rows
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from serving.store import retention
from serving.store.database import Store
from serving.store.retention import Removed, keep_to, purge
from serving.store.tables.base import Base, now
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import ApiKey, Login, Person
from serving.store.tables.review import ReviewedAnswer, TaQuestion

CUT = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def filled(store: Store) -> Store:
    """Ming asked long ago and has no key any more; Ana asked lately."""
    store.write(rows.add_staff)
    store.write(lambda db: rows.add_student(db, "ming", at=rows.LONG_AGO))
    store.write(lambda db: rows.add_student(db, "ana", at=rows.LATELY))
    store.write(lambda db: db.execute(delete(ApiKey)))
    return store


def count(store: Store, table: type[Base]) -> int:
    return store.read(lambda db: db.scalar(select(func.count()).select_from(table))) or 0


@pytest.mark.parametrize("batch", [1, 2, 500])
def test_old_answers_go_with_all_that_hangs_on_them(filled: Store, batch: int) -> None:
    removed = purge(filled, before=CUT, batch=batch)
    assert removed == Removed(turns=2, questions=1, sessions=1, logins=1, people=1)
    assert {name: count(filled, table) for name, table in (("turns", TurnRow), ("people", Person))} == {
        "turns": 2,
        "people": 2,
    }
    assert filled.read(lambda db: db.get(Person, "ming-person")) is None
    assert purge(filled, before=CUT).is_nothing


def test_reviewed_answers_stay(filled: Store) -> None:
    purge(filled, before=now() + timedelta(days=1))
    assert (count(filled, TurnRow), count(filled, ReviewedAnswer)) == (0, 1)


def test_one_transaction_deletes_no_more_than_its_batch(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []
    real = retention._turns

    def counted(db: Session, before: datetime, limit: int) -> int:
        limits.append(real(db, before, limit))
        return limits[-1]

    monkeypatch.setitem(retention._STEPS, "turns", counted)
    purge(filled, before=CUT, batch=1)
    assert limits == [1, 1, 0]


def test_a_person_with_a_key_or_a_login_stays(filled: Store) -> None:
    filled.write(lambda db: db.add(Login(token_sha256="new", person_id="ming-person", expires_at=rows.LATELY)))
    assert purge(filled, before=CUT).people == 0
    assert filled.read(lambda db: db.get(Person, "ming-person")) is not None


def test_staff_without_anything_stay(filled: Store) -> None:
    filled.write(lambda db: db.add(Person(person_id="old-ta", role="ta", name="Wu", created_at=rows.LONG_AGO)))
    purge(filled, before=CUT)
    assert filled.read(lambda db: db.get(Person, "old-ta")) is not None


def test_a_session_that_goes_on_is_titled_by_its_first_question_that_is_left(filled: Store) -> None:
    filled.write(lambda db: rows.add_turn(db, "ming", 2, question="And  mergesort?", at=rows.LATELY))
    purge(filled, before=CUT)
    session = filled.read(lambda db: db.get_one(ChatSession, "ming-session"))
    assert session.title == "And mergesort?"


def test_a_place_in_the_queue_that_changed_sources_asked_for_stays(filled: Store) -> None:
    old = {"reason": "source_changed", "created_at": rows.LONG_AGO}
    filled.write(lambda db: db.add(TaQuestion(question_id="again", question="x", answer_id="reviewed", **old)))
    purge(filled, before=CUT)
    assert filled.read(lambda db: db.get(TaQuestion, "again")) is not None


def test_a_gateway_purges_while_it_runs(filled: Store) -> None:
    async def some_time() -> None:
        keeping = asyncio.create_task(keep_to(filled, days=1, pause=0.01))
        for _ in range(200):
            await asyncio.sleep(0.05)
            if await filled.reading(lambda db: db.scalar(select(func.count()).select_from(TurnRow))) == 0:
                break
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    asyncio.run(some_time())
    assert count(filled, TurnRow) == 0


def test_logins_that_have_ended_go_though_everything_else_is_kept(filled: Store) -> None:
    async def some_time() -> None:
        filled.write(
            lambda db: db.add(Login(token_sha256="long over", person_id="ana-person", expires_at=rows.LONG_AGO))
        )
        keeping = asyncio.create_task(keep_to(filled, days=None, pause=0.01))
        for _ in range(200):
            await asyncio.sleep(0.05)
            if await filled.reading(lambda db: db.get(Login, "long over")) is None:
                break
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    asyncio.run(some_time())
    assert filled.read(lambda db: db.get(Login, "long over")) is None
    assert count(filled, TurnRow) == 4
