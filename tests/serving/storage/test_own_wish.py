"""People delete what is theirs by their own wish: a student whole, others all that they said."""

import student_rows as rows
from sqlalchemy import func, select

from serving.store.database import Store
from serving.store.privacy import forget_own, own_counts, stays_of
from serving.store.tables.conversation import TurnRow
from serving.store.tables.identity import ApiKey, Person
from serving.store.tables.review import ReviewedAnswer

MING = "ming-person"


def filled(store: Store) -> None:
    store.write(rows.add_staff)
    store.write(lambda db: rows.add_student(db, "ming"))
    store.write(lambda db: rows.add_student(db, "ana", question="What is a heap?"))


def test_of_somebody_with_a_key_all_that_they_said_goes_and_the_key_still_opens(store: Store) -> None:
    filled(store)
    before = store.read(lambda db: own_counts(db, "ana-person"))
    deleted = store.write(lambda db: forget_own(db, MING))
    assert (deleted["turns"], deleted["sessions"], deleted["feedback"], deleted["ta_questions"]) == (2, 1, 2, 3)
    assert "api_keys" not in deleted
    left = store.read(lambda db: own_counts(db, MING))
    assert left == {"people": 1, "api_keys": 1, "logins": 1, "person_spending": 1}
    assert store.read(lambda db: own_counts(db, "ana-person")) == before
    assert store.write(lambda db: forget_own(db, MING)) == {}, "a second time nothing is left to go"


def test_a_student_without_a_key_of_their_own_goes_whole(store: Store) -> None:
    filled(store)
    store.write(lambda db: db.delete(db.get_one(ApiKey, "ming-key")))
    deleted = store.write(lambda db: forget_own(db, MING))
    assert deleted["people"] == 1
    assert store.read(lambda db: own_counts(db, MING)) == {}


def test_what_a_ta_approved_stays_and_is_told_of_before(store: Store) -> None:
    filled(store)
    assert store.read(lambda db: stays_of(db, MING)) == {"approved_answers": 1}
    store.write(lambda db: forget_own(db, MING))
    assert (
        store.read(lambda db: db.get_one(ReviewedAnswer, "reviewed")).answer == "When a part is as long as the whole."
    )


def test_a_ta_deletes_what_they_asked_and_stays_a_ta(store: Store) -> None:
    filled(store)
    store.write(lambda db: db.execute(Person.__table__.update().where(Person.person_id == MING).values(role="ta")))  # type: ignore[attr-defined]
    store.write(lambda db: db.delete(db.get_one(ApiKey, "ming-key")))
    store.write(lambda db: forget_own(db, MING))
    assert store.read(lambda db: db.get_one(Person, MING)).role == "ta"
    assert store.read(lambda db: db.scalar(select(func.count()).where(TurnRow.person_id == MING))) == 0


def test_of_nobody_nothing_is_deleted(store: Store) -> None:
    assert store.write(lambda db: forget_own(db, "nobody")) == {}
