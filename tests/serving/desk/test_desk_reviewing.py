"""Decisions of TAs: whole or not at all, harmless when repeated, and answers that go back when their sources change."""

import threading
from pathlib import Path

import pytest
from desk_rows import ADA, BEN, ONLY_ML, OTHER, STUDENT, cue, faq, lake_of, ta_answer, turn, unit
from sqlalchemy import select
from sqlalchemy.orm import Session

from serving.desk.answers import list_reviewed_answers, read_reviewed_answer
from serving.desk.decisions import approve, edit, edit_faq, reject, return_to_queue, withdraw
from serving.desk.material_units import MaterialUnit, find_changes
from serving.desk.own_questions import count_unseen, question_of, questions_of
from serving.desk.queue import claim, open_questions
from serving.desk.queue_entry import put_in_queue
from serving.desk.refusals import AlreadyDecided, NotAtTheDesk, NotFit
from serving.desk.revalidation import look_again, rests_of_approved
from serving.store.caller import Caller
from serving.store.database import Store
from serving.store.tables.review import Review, ReviewedAnswer, TaQuestion

QUESTION, ANSWER = "When is the exam?", "On the third of June."
CUES = [cue(0, "the exam is on the third"), cue(1, "of june"), cue(2, "goodbye")]
SAID = "cues:01:0-8000"


def asked(desk: Store, question: str = QUESTION, by: Caller = STUDENT, course_id: str | None = "ds") -> str:
    return desk.write(lambda db: put_in_queue(db, turn(db, question, by=by, course_id=course_id), "asked").question_id)


def approved(
    desk: Store, question_id: str, *, by: Caller = ADA, answer: str = ANSWER, rests: tuple[MaterialUnit, ...] = ()
) -> ReviewedAnswer:
    return desk.write(lambda db: approve(db, question_id, question=QUESTION, answer=answer, rests=rests, by=by))


def decisions(desk: Store) -> list[str]:
    return desk.read(lambda db: list(db.scalars(select(Review.decision).order_by(Review.at))))


def test_an_approved_answer_reaches_everybody_who_asked(desk: Store) -> None:
    first, second = asked(desk), asked(desk, "when is the exam", OTHER)
    answer = approved(desk, second)
    assert (answer.reviewer, answer.version, answer.lang) == ("Ada", 1, "en")
    for question_id, caller in ((first, STUDENT), (second, OTHER)):
        own = desk.read(lambda db, q=question_id, c=caller: question_of(db, q, c))
        assert (own.state, own.answer, own.reviewer, own.is_new) == ("answered", ANSWER, "Ada", True)
    assert desk.read(lambda db: count_unseen(db, STUDENT)) == 1
    assert desk.read(lambda db: open_questions(db, courses=None, limit=9)) == []


def test_what_entered_by_itself_is_shown_to_its_asker_once_it_is_answered(desk: Store) -> None:
    question_id = desk.write(lambda db: put_in_queue(db, turn(db, QUESTION), "no_answer").question_id)
    assert desk.read(lambda db: questions_of(db, STUDENT)) == []
    approved(desk, question_id)
    assert [one.answer for one in desk.read(lambda db: questions_of(db, STUDENT))] == [ANSWER]


def test_a_double_click_approves_once(desk: Store) -> None:
    question_id = asked(desk)
    assert approved(desk, question_id).answer_id == approved(desk, question_id).answer_id
    assert decisions(desk) == ["approve"]


def test_the_second_ta_is_told_who_was_first(desk: Store) -> None:
    question_id = asked(desk)
    approved(desk, question_id)
    with pytest.raises(AlreadyDecided, match="Ada decided on this question already"):
        approved(desk, question_id, by=BEN, answer="On the fourth.")
    with pytest.raises(AlreadyDecided, match="Ada decided"):
        desk.write(lambda db: reject(db, question_id, reply="no", by=BEN))


def test_nobody_decides_on_what_another_has_claimed(desk: Store) -> None:
    question_id = asked(desk)
    desk.write(lambda db: claim(db, question_id, ADA))
    with pytest.raises(AlreadyDecided, match="Ada is working on this question"):
        approved(desk, question_id, by=BEN)
    assert approved(desk, question_id, by=ADA).reviewer == "Ada"


def test_of_two_tas_at_once_one_is_first(desk: Store) -> None:
    question_id = asked(desk)
    told: list[str] = []

    def decide(by: Caller) -> None:
        try:
            told.append(approved(desk, question_id, by=by, answer=f"By {by.name}.").reviewer)
        except AlreadyDecided as error:
            told.append(str(error).split()[0] + " was first")

    threads = [threading.Thread(target=decide, args=[by]) for by in (ADA, BEN)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first = next(one for one in told if "first" not in one)
    assert sorted(told) == sorted([first, f"{first} was first"])
    assert len(desk.read(lambda db: list_reviewed_answers(db, courses=None, limit=9))) == 1


def test_a_rejected_question_tells_its_asker_why(desk: Store) -> None:
    question_id = asked(desk)
    for _ in range(2):
        desk.write(lambda db: reject(db, question_id, reply="Please ask the office.", by=ADA))
    own = desk.read(lambda db: question_of(db, question_id, STUDENT))
    assert (own.state, own.reply, own.answer) == ("rejected", "Please ask the office.", None)
    assert decisions(desk) == ["reject"]


def test_a_question_asked_of_all_courses_needs_a_course_to_be_answered_in(desk: Store) -> None:
    question_id = asked(desk, course_id=None)
    with pytest.raises(NotFit, match="Name the course"):
        approved(desk, question_id)
    found = desk.write(
        lambda db: approve(db, question_id, question=QUESTION, answer=ANSWER, rests=(), by=ADA, course_id="ml")
    )
    assert found.course_id == "ml"


def test_a_ta_decides_in_their_courses_alone(desk: Store) -> None:
    question_id, everywhere = asked(desk), asked(desk, "Where?", course_id=None)
    answer_id = approved(desk, asked(desk, "Who?")).answer_id
    acts = [
        lambda db: approve(db, question_id, question=QUESTION, answer=ANSWER, rests=(), by=ONLY_ML),
        lambda db: approve(db, everywhere, question="W?", answer="x", rests=(), by=ONLY_ML, course_id="ml"),
        lambda db: reject(db, question_id, reply="", by=ONLY_ML),
        lambda db: edit(db, answer_id, question="Who?", answer="x", rests=(), by=ONLY_ML),
        lambda db: withdraw(db, answer_id, by=ONLY_ML),
        lambda db: edit_faq(db, "ds", "late", "Late?", "x", ONLY_ML),
        lambda db: read_reviewed_answer(db, answer_id, ONLY_ML),
    ]
    for act in acts:
        with pytest.raises(NotAtTheDesk):
            desk.write(act)
    assert decisions(desk) == ["approve"]


@pytest.mark.parametrize(("answer", "found"), [("  \x00", "answer is empty"), ("x" * 20_001, "at most 20000")])
def test_what_does_not_fit_changes_nothing(desk: Store, answer: str, found: str) -> None:
    question_id = asked(desk)
    with pytest.raises(NotFit, match=found):
        approved(desk, question_id, answer=answer)
    assert len(desk.read(lambda db: open_questions(db, courses=None, limit=9))) == 1


def test_an_edit_keeps_the_old_words_in_the_history(desk: Store) -> None:
    answer_id = approved(desk, asked(desk)).answer_id
    for _ in range(2):
        desk.write(lambda db: edit(db, answer_id, question=QUESTION, answer="On the fourth.", rests=(), by=BEN))
    whole = desk.read(lambda db: read_reviewed_answer(db, answer_id, ADA))
    assert (whole.answer.answer, whole.answer.reviewer, whole.answer.version) == ("On the fourth.", "Ben", 2)
    assert [(one.row.decision, one.by) for one in whole.history] == [("approve", "Ada"), ("edit", "Ben")]
    assert (whole.history[1].row.before, whole.history[1].row.after) == (
        f"{QUESTION}\n\n{ANSWER}",
        f"{QUESTION}\n\nOn the fourth.",
    )


def test_an_edit_of_an_older_version_is_refused(desk: Store) -> None:
    answer_id = approved(desk, asked(desk)).answer_id
    desk.write(lambda db: edit(db, answer_id, question=QUESTION, answer="On the fourth.", rests=(), by=BEN))
    with pytest.raises(AlreadyDecided, match="Ben has changed this answer meanwhile"):
        desk.write(lambda db: edit(db, answer_id, question=QUESTION, answer="x", rests=(), by=ADA, version=1))


def test_a_withdrawn_answer_is_told_to_its_asker_and_cannot_be_edited(desk: Store) -> None:
    question_id = asked(desk)
    answer_id = approved(desk, question_id).answer_id
    for _ in range(2):
        desk.write(lambda db: withdraw(db, answer_id, by=BEN, note="wrong"))
    own = desk.read(lambda db: question_of(db, question_id, STUDENT))
    assert (own.state, own.answer) == ("withdrawn", None)
    assert decisions(desk) == ["approve", "withdraw"]
    with pytest.raises(AlreadyDecided, match="withdrawn"):
        desk.write(lambda db: edit(db, answer_id, question=QUESTION, answer="x", rests=(), by=ADA))


def test_a_correction_of_the_faq_takes_the_place_of_the_entry_and_does_not_rest_on_it(
    desk: Store, tmp_path: Path
) -> None:
    tables = lake_of(tmp_path, cues=CUES, entries=[faq("late", "Late?", "Ten.")])
    rests = [unit(tables, "faq:late"), unit(tables, SAID)]

    def work(db: Session) -> ReviewedAnswer:
        edit_faq(db, "ds", "late", "Late?", "Eleven.", ADA, before="Late?\n\nTen.")
        return edit_faq(db, "ds", "late", "Late?", "Twenty.", BEN, rests=rests)

    found = desk.write(work)
    assert (found.replaces, found.answer, found.version) == ("late", "Twenty.", 2)
    assert [rest.unit for rest in desk.read(rests_of_approved)] == [SAID]
    assert decisions(desk) == ["edit", "edit"]
    own = f"ta-{found.answer_id}"
    itself = [unit(lake_of(tmp_path, answers=[ta_answer(own, "Late?", "Twenty.", "late")]), f"faq:{own}")]
    again = desk.write(lambda db: edit_faq(db, "ds", own, "Late?", "Thirty.", ADA, rests=itself))
    assert desk.read(rests_of_approved) == []
    assert (again.answer_id, again.version) == (found.answer_id, 3)


def test_a_changed_cue_brings_back_the_answers_that_rest_on_it_and_no_other(desk: Store, tmp_path: Path) -> None:
    tables = lake_of(tmp_path, cues=CUES)
    touched = approved(desk, asked(desk), rests=(unit(tables, SAID),)).answer_id
    approved(desk, asked(desk, "Who?"), rests=(unit(tables, "cues:01:8000-12000"),))
    approved(desk, asked(desk, "Why?"))
    assert look_again(desk, tables) == []
    lake_of(tmp_path, cues=[cue(0, "the exam is on the fifth"), *CUES[1:]])
    assert look_again(desk, tables) == [touched]
    assert look_again(desk, tables) == []
    queue = desk.read(lambda db: open_questions(db, courses=None, limit=9))
    assert [(item.reason, item.answer_id) for item in queue] == [("source_changed", touched)]
    whole = desk.read(lambda db: read_reviewed_answer(db, touched, ADA))
    assert whole.answer.is_stale
    changes = [piece for piece in whole.sources[0].pieces if piece.op != "equal"]
    assert [(piece.old, piece.new) for piece in changes] == [("third", "fifth")]
    assert decisions(desk)[-1:] == ["return"]


def test_a_source_that_is_as_it_was_again_takes_the_mark_away(desk: Store, tmp_path: Path) -> None:
    tables = lake_of(tmp_path, cues=CUES)
    answer_id = approved(desk, asked(desk), rests=(unit(tables, SAID),)).answer_id
    lake_of(tmp_path)
    assert look_again(desk, tables) == [answer_id]
    lake_of(tmp_path, cues=CUES)
    assert look_again(desk, tables) == [answer_id]
    assert desk.read(lambda db: open_questions(db, courses=None, limit=9)) == []
    assert not desk.read(lambda db: db.get_one(ReviewedAnswer, answer_id)).is_stale


def test_what_came_back_is_whole_again_when_a_ta_approves_it(desk: Store, tmp_path: Path) -> None:
    tables = lake_of(tmp_path, cues=CUES)
    question_id = asked(desk)
    answer_id = approved(desk, question_id, rests=(unit(tables, SAID),)).answer_id
    lake_of(tmp_path, cues=[cue(0, "the exam is on the fifth"), *CUES[1:]])
    look_again(desk, tables)
    back = desk.read(lambda db: open_questions(db, courses=None, limit=9))[0].question_id
    found = approved(desk, back, by=BEN, answer="On the fifth of June.", rests=(unit(tables, SAID),))
    assert (found.answer_id, found.version, found.is_stale, found.reviewer) == (answer_id, 2, False, "Ben")
    assert desk.read(lambda db: find_changes(rests_of_approved(db), tables)) == []
    assert desk.read(lambda db: question_of(db, question_id, STUDENT)).answer == "On the fifth of June."


def test_what_came_back_and_is_rejected_is_withdrawn(desk: Store, tmp_path: Path) -> None:
    tables = lake_of(tmp_path, cues=CUES)
    answer_id = approved(desk, asked(desk), rests=(unit(tables, SAID),)).answer_id
    lake_of(tmp_path)
    look_again(desk, tables)
    back = desk.read(lambda db: open_questions(db, courses=None, limit=9))[0].question_id
    desk.write(lambda db: reject(db, back, reply="No longer so.", by=BEN))
    assert desk.read(lambda db: db.get_one(ReviewedAnswer, answer_id)).state == "withdrawn"
    assert desk.read(lambda db: open_questions(db, courses=None, limit=9)) == []


def test_a_change_seen_before_the_answer_was_approved_anew_is_passed_over(desk: Store, tmp_path: Path) -> None:
    tables = lake_of(tmp_path, cues=CUES)
    answer_id = approved(desk, asked(desk), rests=(unit(tables, SAID),)).answer_id
    lake_of(tmp_path, cues=[cue(0, "the exam is on the fifth"), *CUES[1:]])
    stale = desk.read(lambda db: find_changes(rests_of_approved(db), tables))
    desk.write(lambda db: edit(db, answer_id, question=QUESTION, answer="x", rests=[unit(tables, SAID)], by=ADA))
    assert desk.write(lambda db: return_to_queue(db, answer_id, stale)) is None
    assert not desk.read(lambda db: db.get_one(ReviewedAnswer, answer_id)).is_stale


def test_a_deleted_student_leaves_the_answer(desk: Store) -> None:
    question_id = asked(desk)
    answer_id = approved(desk, question_id).answer_id
    desk.write(lambda db: db.delete(db.get_one(TaQuestion, question_id)))
    assert desk.read(lambda db: db.get_one(ReviewedAnswer, answer_id)).state == "approved"
