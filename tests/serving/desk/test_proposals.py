"""Proposals at the desk: what of the store counts, what a draft is made from, and what a TA decides."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from desk_rows import ADA, BEN, ONLY_ML, OTHER, STUDENT, faq, lake_of, turn
from sqlalchemy.orm import Session
from test_desk_overlay import overlay_of, reviewed

from serving.desk.approved_answers import read_decisions
from serving.desk.decisions import approve
from serving.desk.discovery.asked_questions import read_asked
from serving.desk.discovery.drafts import Draft, read_source, with_question
from serving.desk.discovery.groups import QuestionGroup, StudentTurn, discover
from serving.desk.discovery.proposals import faq_of
from serving.desk.discovery.publishing import dismiss, publish
from serving.desk.own_questions import questions_of
from serving.desk.queue import ask, claim, open_questions, put_in_queue
from serving.desk.refusals import AlreadyDecided, NotAtTheDesk, NotFit
from serving.store.caller import Caller
from serving.store.database import Store
from serving.store.privacy import delete_student
from serving.store.tables.base import now
from serving.store.tables.conversation import Feedback, TurnRow
from serving.store.tables.identity import Person
from serving.store.tables.review import DismissedQuestion, ReviewedAnswer, TaQuestion

LATE, LATER = "Can I submit homework 2 late?", "is it ok to submit homework 2 late"
TITLE, ANSWER = "May homework be late?", "By two days."


def asked_by_two(desk: Store, **more: Any) -> list[str]:
    def work(db: Session) -> list[str]:
        return [turn(db, question, by=by, **more).trace_id for question, by in ((LATE, STUDENT), (LATER, OTHER))]

    return desk.write(work)


def groups(desk: Store) -> list[QuestionGroup]:
    return desk.read(lambda db: discover(read_asked(db, "ds", since=now() - timedelta(days=30)), [], now=now()))


def published(desk: Store, traces: Sequence[str], by: Caller = ADA, answer_id: str | None = None) -> ReviewedAnswer:
    return desk.write(
        lambda db: publish(db, traces, question=TITLE, answer=ANSWER, rests=[], by=by, answer_id=answer_id)
    )


def test_a_published_proposal_answers_everybody_who_asked_in_the_words_of_the_ta(desk: Store) -> None:
    traces = asked_by_two(desk)
    [group] = groups(desk)
    assert sorted(group.trace_ids) == sorted(traces)
    made = published(desk, group.trace_ids)
    assert (made.question, made.answer, made.reviewer) == (TITLE, ANSWER, "Ada")
    for student, own in ((STUDENT, LATE), (OTHER, LATER)):
        [told] = desk.read(lambda db, student=student: questions_of(db, student))
        assert (told.question, told.answer, told.is_new) == (own, ANSWER, True)
    assert groups(desk) == []
    assert desk.read(lambda db: open_questions(db, courses=None, limit=9)) == []


def test_the_entry_is_found_by_every_wording_and_shows_none_of_them(desk: Store) -> None:
    made = published(desk, asked_by_two(desk))
    approved = desk.read(read_decisions).approved[made.answer_id]
    assert {wording.text for wording in approved.wordings} == {TITLE, LATE, LATER}
    assert (approved.entry.title, approved.entry.text) == (TITLE, ANSWER)


def test_publishing_twice_is_publishing_once_and_another_ta_is_told(desk: Store) -> None:
    traces = asked_by_two(desk)
    first = published(desk, traces)
    assert published(desk, traces).answer_id == first.answer_id
    with pytest.raises(AlreadyDecided, match="Ada decided"):
        published(desk, traces, by=BEN)


def test_what_another_ta_works_on_is_not_published_over_their_head(desk: Store) -> None:
    traces = asked_by_two(desk)
    question_id = desk.write(lambda db: ask(db, OTHER.person_id, LATER, course_id="ds", lang="en").question_id)
    desk.write(lambda db: claim(db, question_id, BEN))
    with pytest.raises(AlreadyDecided, match="Ben is working"):
        published(desk, traces)
    assert desk.read(lambda db: db.query(ReviewedAnswer).count()) == 0


def test_a_proposal_beside_an_approved_answer_adds_its_wordings_to_that(desk: Store) -> None:
    first, second = asked_by_two(desk)
    question_id = desk.write(lambda db: put_in_queue(db, db.get_one(TurnRow, first), "no_answer").question_id)
    known = desk.write(lambda db: approve(db, question_id, question=TITLE, answer="No.", rests=[], by=ADA))
    assert answers_of(desk) == {first: known.answer_id, second: None}
    made = published(desk, [second], answer_id=known.answer_id)
    assert (made.answer_id, made.answer, made.version) == (known.answer_id, ANSWER, 2)
    approved = desk.read(read_decisions).approved[made.answer_id]
    assert {wording.text for wording in approved.wordings} == {TITLE, LATE, LATER}


def test_an_answer_of_another_course_gets_no_wordings(desk: Store) -> None:
    traces = asked_by_two(desk)
    elsewhere = desk.write(lambda db: ask(db, STUDENT.person_id, "What is a tree?", course_id="ml", lang="en"))
    other = desk.write(
        lambda db: approve(db, elsewhere.question_id, question="Tree?", answer="A model.", rests=[], by=ONLY_ML)
    )
    with pytest.raises(NotAtTheDesk, match="in this course"):
        published(desk, traces, answer_id=other.answer_id)


def test_a_dismissed_proposal_stays_away_until_enough_others_ask(desk: Store) -> None:
    traces = asked_by_two(desk)
    desk.write(lambda db: dismiss(db, traces, by=ADA))
    assert groups(desk) == []
    for number in range(2):
        assert groups(desk) == []
        newcomer = Caller(f"new {number}")
        desk.write(lambda db, newcomer=newcomer: db.add(Person(person_id=newcomer.person_id)))
        desk.write(lambda db, newcomer=newcomer: turn(db, LATE, by=newcomer))
    [group] = groups(desk)
    assert (group.people, len(group.trace_ids)) == (4, 2)


def test_a_dismissed_question_waits_in_the_queue_as_before(desk: Store) -> None:
    traces = asked_by_two(desk)
    desk.write(lambda db: put_in_queue(db, db.get_one(TurnRow, traces[0]), "asked"))
    for _ in range(2):
        desk.write(lambda db: dismiss(db, traces, by=ADA))
    assert [item.question for item in desk.read(lambda db: open_questions(db, courses=None, limit=9))] == [LATE]


def test_a_student_who_goes_takes_their_part_of_a_dismissal_along(desk: Store) -> None:
    traces = asked_by_two(desk)
    desk.write(lambda db: dismiss(db, traces, by=ADA))
    desk.write(lambda db: delete_student(db, STUDENT.person_id))
    assert [row.trace_id for row in desk.read(lambda db: db.query(DismissedQuestion).all())] == traces[1:]


def test_only_questions_of_ones_own_courses_and_of_one_course_are_decided_on(desk: Store) -> None:
    traces = asked_by_two(desk)
    other = desk.write(lambda db: turn(db, LATE, course_id="ml").trace_id)
    with pytest.raises(NotAtTheDesk, match="no question"):
        published(desk, traces, by=ONLY_ML)
    with pytest.raises(NotAtTheDesk, match="no question"):
        desk.write(lambda db: dismiss(db, traces, by=ONLY_ML))
    with pytest.raises(NotFit, match="several courses"):
        published(desk, [*traces, other])
    assert desk.read(lambda db: db.query(TaQuestion).count()) == 0


@pytest.mark.parametrize(
    "told",
    [
        {"route": "chat"},
        {"route": "direct", "source": "faq"},
        {"shown": {"rule": {"name": "Homework 2"}}},
        {"course_id": "ml"},
    ],
)
def test_what_is_no_question_for_a_faq_is_not_counted(desk: Store, told: dict[str, Any]) -> None:
    asked_by_two(desk, **told)
    assert groups(desk) == []


def test_what_the_faq_answered_counts_when_it_was_disliked(desk: Store) -> None:
    traces = asked_by_two(desk, route="direct", source="faq", confidence=0.9)
    for trace_id, by in zip(traces, (STUDENT, OTHER), strict=True):
        row = Feedback(trace_id=trace_id, person_id=by.person_id, thumb=-1)
        desk.write(lambda db, row=row: db.add(row))
    [group] = groups(desk)
    assert group.gap == 1.0


def test_a_follow_up_is_shown_as_it_was_understood(desk: Store) -> None:
    desk.write(lambda db: turn(db, "and late?", shown={"resolved": LATE, "added": ["homework"]}))
    [one] = desk.read(lambda db: read_asked(db, "ds", since=now() - timedelta(days=1)))
    assert one.question == LATE


def test_the_draft_is_the_surest_answer_that_was_given_without_its_marks(desk: Store) -> None:
    references = {"references": [{"number": 1}]}
    for answer, confidence, by in (("Two days [1].", 0.6, STUDENT), ("Never [1].", 0.2, OTHER)):
        more = {"answer": answer, "confidence": confidence, "route": "teach", "shown": references}
        desk.write(lambda db, by=by, more=more: turn(db, LATE, by=by, **more))
    [group] = groups(desk)
    source = desk.read(lambda db: read_source(db, group))
    assert (source.draft.kind, source.draft.answer) == ("material", "Two days.")


@pytest.mark.parametrize(
    ("question", "concepts", "worded"),
    [
        ("whats an AVL tree pls", ("AVL tree",), 'What does "AVL tree" mean?'),
        ("什么是哈希表，我没听懂", ("哈希表",), "什么是哈希表？"),
        (
            "difference between stacks and queues pls",
            ("stack", "queue"),
            "What is the difference between queue and stack?",
        ),
        ("栈和队列有什么区别啊", ("栈", "队列"), "栈和队列有什么区别？"),
        ("whats an AVL tree good for in my job", ("AVL tree",), ""),
        ("whats an AVL tree pls", ("AVL tree", "rotation"), ""),
    ],
)
def test_a_question_of_one_student_alone_is_worded_by_its_concepts_or_by_the_ta(
    question: str, concepts: tuple[str, ...], worded: str
) -> None:
    now_ = now()
    turns = [
        StudentTurn(f"{number}", f"{number}", text, now_)
        for number, text in enumerate((question, f"{question} {question}"))
    ]
    [group] = discover(turns, [], now=now_)
    assert with_question(Draft("none", group.shared), group, concepts).question == worded


def test_the_words_of_one_student_are_no_draft_and_cannot_be_published_unworded(desk: Store) -> None:
    asked_by_two(desk)
    [group] = groups(desk)
    draft = desk.read(lambda db: read_source(db, group)).draft
    assert draft.question == ""
    with pytest.raises(NotFit, match="question is empty"):
        desk.write(lambda db: publish(db, group.trace_ids, question=draft.question, answer=ANSWER, rests=[], by=ADA))
    turn_again = desk.write(lambda db: turn(db, LATE, by=OTHER).trace_id)
    [group] = groups(desk)
    assert turn_again in group.trace_ids
    assert desk.read(lambda db: read_source(db, group)).draft.question == LATE


def test_there_is_no_draft_where_nobody_got_an_answer(desk: Store) -> None:
    asked_by_two(desk)
    [group] = groups(desk)
    assert desk.read(lambda db: read_source(db, group)).draft.kind == "none"


def test_the_faq_is_what_students_get_now(tmp_path: Path) -> None:
    tables = lake_of(tmp_path, entries=[faq("faq#1", LATE, "No."), faq("faq#2", "Gone?", "Yes.")])
    overlay = overlay_of(reviewed("1", "When is the exam?", "In May."), withdrawn=frozenset({("ds", "faq#2")}))
    assert sorted(entry.question for entry in faq_of("ds", tables, overlay)) == [LATE, "When is the exam?"]


def answers_of(desk: Store) -> dict[str, str | None]:
    asked = desk.read(lambda db: read_asked(db, "ds", since=now() - timedelta(days=1)))
    return {one.trace_id: one.answer_id for one in asked}
