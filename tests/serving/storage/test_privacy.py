"""Everything of one student can be given out and deleted; what others wrote stays."""

import json
from pathlib import Path
from typing import Any

import pytest
import student_rows as rows
from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.store.database import Store, sqlite_url
from serving.store.meta import alias_of
from serving.store.privacy import (
    NOBODYS,
    NotAStudent,
    PersonUnknown,
    _rows_of,
    delete_student,
    everything_of,
    find_student,
)
from serving.store.tables.base import Base
from serving.store.tables.identity import Person
from serving.store.tables.review import Review, ReviewedAnswer, TaQuestion

MING, SECRETS = "ming-person", ("ming-digest", "ming-cookie", "ming-alias")


@pytest.fixture
def filled(store: Store) -> Store:
    store.write(rows.add_staff)
    store.write(lambda db: rows.add_student(db, "ming"))
    store.write(lambda db: rows.add_student(db, "ana", question="What is a heap?"))
    return store


def all_texts(db: Session) -> dict[str, list[str]]:
    """Every value of every row, as text, by table."""
    return {
        table.name: [json.dumps([str(value) for value in row], ensure_ascii=False) for row in db.execute(select(table))]
        for table in Base.metadata.sorted_tables
    }


def tables_with(store: Store, *words: str) -> set[str]:
    found = store.read(all_texts)
    return {table for table, texts in found.items() if any(word in text for word in words for text in texts)}


def test_every_table_is_a_students_or_nobodys() -> None:
    """Who adds a table says which; everything that refers to a person or an answer is found by itself."""
    owned = {table.name for table, _ in _rows_of("anybody")}
    assert owned | NOBODYS == set(Base.metadata.tables) | {"alembic_version"}
    assert owned & NOBODYS == set()


def test_the_rows_of_these_tests_fill_every_table_of_a_student(filled: Store) -> None:
    owned = {table.name for table, _ in _rows_of(MING)}
    assert owned <= tables_with(filled, "ming-")


def test_everything_of_a_student_is_given_out_and_nothing_else(filled: Store) -> None:
    found = json.loads(json.dumps(filled.read(lambda db: everything_of(db, MING))))
    assert [one["question"] for one in found["turns"]] == [rows.QUESTION] * 2
    assert [one["record"]["resolved"] for one in found["traces"]] == [rows.QUESTION] * 2
    assert {one["comment"] for one in found["feedback"]} == {f"No! {rows.QUESTION}"}
    assert sorted(one["question_id"] for one in found["ta_questions"]) == ["ming-asked", "ming-doubt", "ming-plain"]
    assert [one["answer"] for one in found["answers_to_questions"]] == ["When a part is as long as the whole."]
    assert found["sessions"][0]["updated_at"] == "2026-02-01T00:00:00+00:00"
    told = json.dumps(found)
    assert [word for word in (*SECRETS, "ana-", "heap", '"ta"') if word in told] == []


def test_nothing_of_a_deleted_student_is_left_in_any_table(filled: Store) -> None:
    counts = filled.write(lambda db: delete_student(db, MING))
    assert (counts["turns"], counts["ta_questions"], counts["feedback"], counts["people"]) == (2, 3, 2, 1)
    assert tables_with(filled, "ming", rows.QUESTION) == set()


def test_another_students_rows_and_the_tas_work_stay(filled: Store) -> None:
    before = filled.read(lambda db: everything_of(db, "ana-person"))
    filled.write(lambda db: delete_student(db, MING))
    assert filled.read(lambda db: everything_of(db, "ana-person")) == before
    answer = filled.read(lambda db: db.get_one(ReviewedAnswer, "reviewed"))
    assert (answer.reviewer, answer.state) == ("Dr. Lin", "approved")
    kept = filled.read(
        lambda db: db.execute(select(Review.decision, Review.answer_id).where(Review.question_id.is_(None))).all()
    )
    assert [tuple(one) for one in kept] == [("approve", "reviewed")]


def test_no_byte_of_a_deleted_question_is_left_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = Store.open(sqlite_url(path))
    store.write(rows.add_staff)
    store.write(lambda db: rows.add_student(db, "ming"))
    store.checkpoint()
    assert rows.QUESTION.encode() in path.read_bytes()
    store.write(lambda db: delete_student(db, MING))
    store.checkpoint()
    left = {file.name: rows.QUESTION.encode() in file.read_bytes() for file in tmp_path.iterdir()}
    assert left == {"store.db": False, "store.db-wal": False, "store.db-shm": False}
    store.close()


def test_a_student_is_found_by_session_and_by_what_a_service_calls_them(filled: Store) -> None:
    def named(db: Session) -> None:
        db.get_one(Person, MING).alias = alias_of(db, "service", "ming@example.edu")

    filled.write(named)
    by_service = filled.read(lambda db: find_student(db, of_service=("service", "ming@example.edu")))
    by_session = filled.read(lambda db: find_student(db, session_id="ming-session"))
    assert (by_service.person_id, by_session.person_id) == (MING, MING)


@pytest.mark.parametrize(
    "named", [{"person_id": "nobody"}, {"session_id": "none"}, {"of_service": ("service", "nobody")}, {}]
)
def test_somebody_unknown_is_said_to_be_unknown(filled: Store, named: dict[str, Any]) -> None:
    with pytest.raises(PersonUnknown, match="Check the id"):
        filled.read(lambda db: find_student(db, **named))


def test_a_ta_is_not_deleted(filled: Store) -> None:
    with pytest.raises(NotAStudent, match=r"is a ta.*Revoke their key"):
        filled.write(lambda db: delete_student(db, "ta"))
    assert filled.read(lambda db: db.get(Person, "ta")) is not None


def test_deleting_leaves_other_questions_of_the_queue(filled: Store) -> None:
    filled.write(lambda db: db.add(TaQuestion(question_id="again", question="x", reason="source_changed")))
    filled.write(lambda db: delete_student(db, MING))
    left = filled.read(lambda db: db.scalars(select(TaQuestion.question_id).order_by(TaQuestion.question_id)).all())
    assert left == ["again", "ana-asked", "ana-doubt", "ana-plain"]
