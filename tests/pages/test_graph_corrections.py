"""What a teacher may say of a course's graph, and what is kept of it."""

from pathlib import Path

import pytest

from serving.store.caller import Caller
from serving.store.corrections import (
    Arrow,
    ClosesACircle,
    Correction,
    CorrectionRefused,
    agree,
    arrows_now,
    circle,
    clean_correction,
)
from serving.store.database import Store, sqlite_url
from serving.store.graph_edits import correct, live_edits, undo
from serving.store.people import add_person
from serving.store.tables.review import GraphEdit

BUILT = [Arrow("list", "stack"), Arrow("stack", "call stack")]


def before(first: str, second: str) -> Correction:
    return Correction("ds", "prerequisite", first, second)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(sqlite_url(tmp_path / "store.db"))


@pytest.fixture
def teacher(store: Store) -> Caller:
    person = store.write(lambda db: add_person(db, role="teacher", name="Ines Calloway"))
    return Caller(person.person_id, "teacher", name="Ines Calloway")


def test_the_circle_is_told_from_the_new_prerequisite_round_to_it_again() -> None:
    assert circle(BUILT, Arrow("call stack", "list")) == ("call stack", "list", "stack", "call stack")


def test_a_prerequisite_that_closes_no_circle_has_none() -> None:
    assert circle(BUILT, Arrow("list", "call stack")) == ()


def test_names_are_compared_in_any_spelling() -> None:
    assert circle(BUILT, Arrow("Call Stacks", "List"))[0] == "call stack"


def test_a_rejected_prerequisite_leads_nowhere() -> None:
    left = arrows_now(BUILT, [Correction("ds", "no_prerequisite", "Stack", "call stack")])
    assert left == [Arrow("list", "stack")]


def test_two_statements_that_say_the_opposite_do_not_agree() -> None:
    assert not agree(Correction("ds", "concept", "stack"), Correction("ds", "no_concept", "Stacks"))
    assert agree(Correction("ds", "concept", "stack"), Correction("ds", "no_concept", "queue"))


@pytest.mark.parametrize("name", ["", " ", "123", "a" * 101])
def test_a_name_that_a_build_would_leave_out_is_refused(name: str) -> None:
    with pytest.raises(CorrectionRefused, match="left out"):
        clean_correction(Correction("ds", "alias", "stack", name))


def test_a_correction_takes_back_what_contradicts_it(store: Store, teacher: Caller) -> None:
    store.write(lambda db: correct(db, Correction("ds", "no_concept", "stack"), teacher))
    store.write(lambda db: correct(db, Correction("ds", "concept", "stack"), teacher))
    assert [edit.kind for edit in store.read(lambda db: live_edits(db, "ds"))] == ["concept"]


def test_an_accepted_prerequisite_may_close_no_circle_with_the_build(store: Store, teacher: Caller) -> None:
    with pytest.raises(ClosesACircle) as refused:
        store.write(lambda db: correct(db, before("call stack", "list"), teacher, accepted=BUILT))
    assert refused.value.names == ("call stack", "list", "stack", "call stack")
    assert store.read(lambda db: live_edits(db, "ds")) == []


def test_it_may_once_one_of_them_is_rejected(store: Store, teacher: Caller) -> None:
    store.write(lambda db: correct(db, Correction("ds", "no_prerequisite", "list", "stack"), teacher, accepted=BUILT))
    made = store.write(lambda db: correct(db, before("call stack", "list"), teacher, accepted=BUILT))
    assert (made.kind, made.by) == ("prerequisite", "Ines Calloway")


def test_what_was_taken_back_is_kept_but_does_not_count(store: Store, teacher: Caller) -> None:
    made = store.write(lambda db: correct(db, Correction("ds", "no_concept", "stack"), teacher))
    store.write(lambda db: undo(db, "ds", made.edit_id))
    assert store.read(lambda db: live_edits(db, "ds")) == []
    assert store.read(lambda db: db.get_one(GraphEdit, made.edit_id)).withdrawn_at is not None


def test_a_correction_of_another_course_cannot_be_undone(store: Store, teacher: Caller) -> None:
    made = store.write(lambda db: correct(db, Correction("ds", "no_concept", "stack"), teacher))
    with pytest.raises(CorrectionRefused):
        store.write(lambda db: undo(db, "sjjg", made.edit_id))
