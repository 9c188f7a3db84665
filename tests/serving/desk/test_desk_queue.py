"""What enters the TAs' queue, in which order it stands there, and who works on what."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from desk_rows import ADA, BEN, ONLY_ML, OTHER, STUDENT, turn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, event
from sqlalchemy.orm import Session

from serving.desk.deduplication import same_as
from serving.desk.own_questions import count_unseen, question_of, questions_of, remember_seen
from serving.desk.queue import CLAIM, claim, counts, one_question, open_questions, place, release
from serving.desk.queue_entry import REASONS, Reason, ask, automatic_reason, put_in_queue
from serving.desk.refusals import AlreadyDecided, NotAtTheDesk, NotFit
from serving.store.caller import Caller
from serving.store.database import Store
from serving.store.tables.conversation import RestsOn, TurnRow
from serving.store.tables.identity import Person
from serving.store.tables.review import ReviewedAnswer, TaQuestion

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def row(**fields: object) -> TurnRow:
    fixed = {"session_id": "s", "person_id": "p", "position": 0, "question": "q", "answer": "a"}
    return TurnRow(**(fixed | {"outcome": "answered", "route": "teach"} | fields))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"route": "ask_ta"}, "no_answer"),
        ({"route": None, "outcome": "failed"}, "no_answer"),
        ({"confidence": 0.3}, "low_confidence"),
        ({"route": "direct", "confidence": 0.49}, "low_confidence"),
        ({"confidence": 0.5}, None),
        ({"confidence": None}, None),
        ({"confidence": 0.3, "outcome": "stopped"}, None),
        ({"route": "chat", "confidence": 0.0}, None),
        ({"route": "chat", "outcome": "failed"}, None),
        ({"route": "refuse"}, None),
        ({"route": "clarify"}, None),
    ],
)
def test_an_answer_enters_the_queue_by_itself_when_it_is_none_or_unsure(
    fields: dict[str, object], reason: str | None
) -> None:
    assert automatic_reason(row(**fields), below=0.5) == reason


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("What is a stack?", "what is a  STACK"),
        ("When are the exams?", "When are the exam ?"),
        ("什么是栈？", "什么是栈"),
        ("What is a re-hash?", "What is a re hash?"),
    ],
)
def test_the_same_question_written_otherwise_waits_in_one_place(left: str, right: str) -> None:
    assert same_as("ds", left) == same_as("ds", right)


@pytest.mark.parametrize(
    ("left", "right"), [("What is C?", "What is C++?"), ("Is 3.5 even?", "Is 35 even?"), ("When?", "Where?")]
)
def test_questions_that_differ_in_a_word_or_sign_wait_apart(left: str, right: str) -> None:
    assert same_as("ds", left) != same_as("ds", right)


def test_a_question_of_another_course_waits_apart() -> None:
    assert len({same_as("ds", "When?"), same_as("ml", "When?"), same_as(None, "When?")}) == 3


def test_one_answer_has_one_open_item_with_its_strongest_reason(desk: Store) -> None:
    def work(db: Session) -> list[tuple[str, str]]:
        one = turn(db, "When?")
        for reason, note in (("no_answer", ""), ("asked", "please"), ("thumbs_down", "wrong"), ("asked", "please")):
            put_in_queue(db, one, reason, note)  # type: ignore[arg-type]
        return [(each.reason, "|".join(each.notes)) for each in open_questions(db, courses=None, limit=9)]

    assert desk.write(work) == [("asked", "please\n\nwrong")]


def test_what_was_answered_or_rejected_does_not_come_back_for_a_weaker_reason(desk: Store) -> None:
    def work(db: Session) -> list[str]:
        one = turn(db, "When?")
        first = put_in_queue(db, one, "thumbs_down")
        first.state = "rejected"
        again = put_in_queue(db, one, "low_confidence")
        third = put_in_queue(db, one, "asked")
        third.state = "answered"
        fourth = put_in_queue(db, one, "asked")
        return [first.question_id, again.question_id, third.question_id, fourth.question_id]

    first, again, third, fourth = desk.write(work)
    assert first == again != third == fourth


def test_students_who_ask_the_same_wait_together(desk: Store) -> None:
    def work(db: Session) -> list[tuple[str | None, int, str]]:
        put_in_queue(db, turn(db, "When is the exam?"), "no_answer")
        put_in_queue(db, turn(db, "when is the exam", by=OTHER), "asked")
        put_in_queue(db, turn(db, "When is the exam?"), "no_answer")
        put_in_queue(db, turn(db, "When is the exam?", course_id="ml"), "no_answer")
        found = open_questions(db, courses=None, limit=9)
        return [(each.course_id, each.waiting, each.question) for each in found]

    assert desk.write(work) == [("ds", 2, "when is the exam"), ("ml", 1, "When is the exam?")]


def test_the_queue_begins_with_what_was_asked_then_where_most_wait_or_most_rests_then_the_oldest(desk: Store) -> None:
    def item(db: Session, question: str, reason: Reason, minute: int, *people: Caller) -> None:
        for caller in people:
            found = put_in_queue(db, turn(db, question, by=caller), reason)
            found.created_at = AT + timedelta(minutes=minute)

    def back(db: Session, question: str, minute: int, rests: int) -> None:
        answer = ReviewedAnswer(
            course_id="ds", lang="en", question=question, answer="a", reviewer_id="ada", reviewer="Ada"
        )
        db.add(answer)
        db.flush()
        fixed = {"course_id": "ds", "question": question, "reason": "source_changed", "same_as": question}
        db.add(TaQuestion(answer_id=answer.answer_id, created_at=AT + timedelta(minutes=minute), **fixed))
        for number in range(rests):
            shown = turn(db, f"{question} {number}")
            rests_on = {"course_id": "ds", "origin_id": f"ta-{answer.answer_id}", "text_sha256": ""}
            db.add(RestsOn(trace_id=shown.trace_id, entry_id="e", source="faq", **rests_on))

    def work(db: Session) -> list[str]:
        item(db, "newer", "no_answer", 5, STUDENT)
        item(db, "older", "low_confidence", 4, STUDENT)
        item(db, "two wait", "no_answer", 9, STUDENT, OTHER)
        item(db, "asked", "asked", 10, STUDENT)
        item(db, "asked by two", "asked", 11, STUDENT, OTHER)
        back(db, "nothing rests", 0, 0)
        back(db, "three rest", 3, 3)
        return [each.question for each in open_questions(db, courses=None, limit=9)]

    expected = ["asked by two", "asked", "two wait", "older", "newer", "three rest", "nothing rests"]
    assert desk.write(work) == expected


CASES = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "d"]),
        st.sampled_from([reason for reason in REASONS if reason != "source_changed"]),
        st.sampled_from([STUDENT, OTHER]),
        st.integers(0, 2),
    ),
    max_size=8,
)


@given(cases=CASES, limit=st.integers(1, 5))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_is_total_stable_and_the_same_in_pages(
    small_desk: Store, cases: list[tuple[str, Reason, Caller, int]], limit: int
) -> None:
    def work(db: Session) -> None:
        db.execute(delete(TaQuestion))
        for question, reason, caller, minute in cases:
            put_in_queue(db, turn(db, question, by=caller), reason).created_at = AT + timedelta(minutes=minute)

    small_desk.write(work)
    whole = small_desk.read(lambda db: open_questions(db, courses=None, limit=99))
    assert whole == sorted(whole, key=place)
    assert len({place(item) for item in whole}) == len(whole) == len({case[0] for case in cases})
    pages = [
        small_desk.read(lambda db, at=at: open_questions(db, courses=None, limit=limit, offset=at))
        for at in range(0, len(whole), limit)
    ]
    assert [item for page in pages for item in page] == whole


def test_a_ta_sees_the_queue_of_their_courses_alone(desk: Store) -> None:
    def work(db: Session) -> str:
        put_in_queue(db, turn(db, "everywhere?", course_id=None), "asked")
        put_in_queue(db, turn(db, "ml?", course_id="ml"), "asked")
        return put_in_queue(db, turn(db, "ds?"), "asked").question_id

    question_id = desk.write(work)
    found = desk.read(lambda db: open_questions(db, courses=ONLY_ML.courses, limit=9))
    assert [each.question for each in found] == ["ml?"]
    for act in (claim, release, one_question):
        with pytest.raises(NotAtTheDesk):
            desk.write(lambda db, act=act: act(db, question_id, ONLY_ML))


def test_badges_count_items_not_students(desk: Store) -> None:
    def work(db: Session) -> dict[Reason, int]:
        put_in_queue(db, turn(db, "one?"), "asked")
        put_in_queue(db, turn(db, "one?", by=OTHER), "no_answer")
        put_in_queue(db, turn(db, "two?"), "no_answer")
        return counts(db, courses=["ds"])

    assert desk.write(work) == {
        **{"asked": 1, "thumbs_down": 0, "no_answer": 1, "low_confidence": 0, "source_changed": 0}
    }


def test_a_claimed_item_is_nobody_elses_for_half_an_hour(desk: Store) -> None:
    question_id = desk.write(lambda db: put_in_queue(db, turn(db, "When?"), "asked").question_id)
    desk.write(lambda db: claim(db, question_id, ADA, at=AT))
    desk.write(lambda db: claim(db, question_id, ADA, at=AT))
    with pytest.raises(AlreadyDecided, match="Ada is working on this question"):
        desk.write(lambda db: claim(db, question_id, BEN, at=AT + CLAIM - timedelta(seconds=1)))
    desk.write(lambda db: claim(db, question_id, BEN, at=AT + CLAIM))
    with pytest.raises(AlreadyDecided, match="Ben is working"):
        desk.write(lambda db: claim(db, question_id, ADA, at=AT + CLAIM))


def test_only_the_one_who_claimed_gives_back(desk: Store) -> None:
    question_id = desk.write(lambda db: put_in_queue(db, turn(db, "When?"), "asked").question_id)
    desk.write(lambda db: claim(db, question_id, ADA))
    assert desk.write(lambda db: release(db, question_id, BEN)).claimed_name == "Ada"
    assert desk.write(lambda db: release(db, question_id, ADA)).claimed_name is None


def test_a_clock_that_was_set_back_frees_a_claim_of_the_future(desk: Store) -> None:
    question_id = desk.write(lambda db: put_in_queue(db, turn(db, "When?"), "asked").question_id)
    desk.write(lambda db: claim(db, question_id, ADA, at=AT + timedelta(days=9)))
    assert desk.write(lambda db: claim(db, question_id, BEN, at=AT)).claimed_by == "ben"


def test_students_see_their_own_questions_alone(desk: Store) -> None:
    def work(db: Session) -> str:
        put_in_queue(db, turn(db, "mine?"), "asked")
        put_in_queue(db, turn(db, "unsure"), "low_confidence")
        return put_in_queue(db, turn(db, "theirs?", by=OTHER), "asked").question_id

    theirs = desk.write(work)
    assert [one.question for one in desk.read(lambda db: questions_of(db, STUDENT))] == ["mine?"]
    for act in (question_of, remember_seen):
        with pytest.raises(NotAtTheDesk, match=r"no question '.*' of yours"):
            desk.write(lambda db, act=act: act(db, theirs, STUDENT))
    assert desk.read(lambda db: count_unseen(db, STUDENT)) == 0


def test_asking_the_same_twice_is_one_question(desk: Store) -> None:
    def work(db: Session) -> list[str]:
        first = ask(db, "stu", "When is it?", course_id="ds", lang="en", note="urgent")
        second = ask(db, "stu", "when is it", course_id="ds", lang="en", note="please")
        return [first.question_id, second.question_id, first.note]

    first, second, note = desk.write(work)
    assert (first, note) == (second, "urgent\n\nplease")


@pytest.mark.parametrize(("question", "found"), [(" \x00\n", "empty"), ("x" * 4001, "at most 4000")])
def test_a_question_must_fit(desk: Store, question: str, found: str) -> None:
    with pytest.raises(NotFit, match=found):
        desk.write(lambda db: ask(db, "stu", question, course_id="ds", lang="en"))


def test_what_a_database_cannot_hold_is_left_out_and_markup_is_kept(desk: Store) -> None:
    written = "<script>alert(1)</script>\x00 \ud800ok\r\n"
    kept = desk.write(lambda db: ask(db, "stu", written, course_id="ds", lang="en").question)
    assert kept == "<script>alert(1)</script> ok"


def test_a_student_who_leaves_takes_their_questions_along(desk: Store) -> None:
    desk.write(lambda db: put_in_queue(db, turn(db, "When?"), "asked"))
    desk.write(lambda db: db.delete(db.get_one(Person, "stu")))
    assert desk.read(lambda db: open_questions(db, courses=None, limit=9)) == []


def test_the_queue_does_not_read_through_all_that_answers_rest_on(small_desk: Store) -> None:
    read: list[str] = []

    def explain(connection: Connection, cursor: object, statement: str, values: Any, *_: object) -> None:
        if "rests_on" in statement and not statement.startswith("EXPLAIN"):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            read.extend(row.detail for row in plan if "rests_on" in row.detail)

    engine = small_desk._engines.reader
    event.listen(engine, "before_cursor_execute", explain)
    small_desk.read(lambda db: open_questions(db, courses=None, limit=200))
    assert read
    assert not [detail for detail in read if detail.startswith("SCAN rests_on")]
