"""What TAs decide: an answer is approved, edited or withdrawn, a question rejected, an entry of the FAQ corrected.

Each is whole or not at all, leaves a row in `reviews`, and does nothing when it is repeated. What sends an answer back
is in `revalidation.py`.
"""

from collections.abc import Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from knowledge_graph.text.sentences import language_of
from serving.desk.history import Decision, format_answer, log
from serving.desk.material_units import MaterialUnit, digest, make_reviewed_sources
from serving.desk.queue import open_rows, require_free
from serving.desk.refusals import AlreadyDecided, NotAtTheDesk, NotFit
from serving.desk.revalidation import close_returned, return_to_queue
from serving.desk.text_validation import LONGEST_ANSWER, LONGEST_NOTE, LONGEST_QUESTION, clean, require_text
from serving.store.caller import Caller
from serving.store.tables.base import now
from serving.store.tables.review import ReviewedAnswer, ReviewedSource, TaQuestion

__all__ = ["approve", "edit", "edit_faq", "reject", "return_to_queue", "withdraw"]

UNNAMED = "TA"
"""Who reviewed an answer, where the key has no name; pages say it in the language of who reads."""


def approve(
    db: Session,
    question_id: str,
    *,
    question: str,
    answer: str,
    rests: Sequence[MaterialUnit],
    by: Caller,
    course_id: str | None = None,
    also: Sequence[str] = (),
    note: str = "",
) -> ReviewedAnswer:
    """Answer everybody who asked it. `question` and `answer` are as the TA worded them; `rests` is what they rest on,
    and `also` are open questions of the same course that ask it in other words.

    A question that was asked of all courses needs the `course_id` whose answer it is. One that came back keeps its
    reviewed answer, which gets the new text. Raises `NotAtTheDesk`, `AlreadyDecided`, `NotFit`.
    """
    question, answer = _check_words(question, answer)
    if (before := _same_decision(db, question_id, question, answer, by)) is not None:
        return before
    rows = _with_others(db, question_id, also, by)
    returned = next((row.answer_id for row in rows if row.answer_id), None)
    if returned is None:
        reviewed = _add_answer(db, rows[0].course_id or course_id, question, answer, rests, by)
        log(db, "approve", by, question_id=question_id, answer=reviewed, note=note)
    else:
        reviewed = _get_approved(db, returned, by)
        _rewrite(db, reviewed, question, answer, rests, by, "approve", question_id=question_id, note=note)
    for row in rows:
        row.state, row.answer_id, row.closed_at = "answered", reviewed.answer_id, now()
    db.flush()
    return reviewed


def edit(
    db: Session,
    answer_id: str,
    *,
    question: str,
    answer: str,
    rests: Sequence[MaterialUnit],
    by: Caller,
    version: int | None = None,
    note: str = "",
) -> ReviewedAnswer:
    """Give an approved answer new words; what it rests on is taken again, so it is stale no more.

    `version` is the one that was edited. Raises `AlreadyDecided` when somebody changed it meanwhile, `NotAtTheDesk`,
    `NotFit`.
    """
    question, answer = _check_words(question, answer)
    reviewed = _get_approved(db, answer_id, by)
    if _is_as(db, reviewed, question, answer, rests):
        return reviewed
    if version is not None and version != reviewed.version:
        raise AlreadyDecided(f"{reviewed.reviewer} has changed this answer meanwhile. Look at it again.")
    _rewrite(db, reviewed, question, answer, rests, by, "edit", note=note)
    close_returned(db, answer_id, "answered")
    return reviewed


def reject(db: Session, question_id: str, *, reply: str, by: Caller, also: Sequence[str] = ()) -> TaQuestion:
    """Leave a question without an answer, and those that ask it in other words, `also`; `reply` is what their askers
    are told. What came back is withdrawn instead.

    Raises `NotAtTheDesk`, `AlreadyDecided`, `NotFit`.
    """
    reply = clean(reply, "reply", most=LONGEST_NOTE)
    row = db.get(TaQuestion, question_id)
    if row is not None and by.may_see(row.course_id) and row.state == "rejected" and row.reply == reply:
        return row
    rows = _with_others(db, question_id, also, by)
    for each in rows:
        each.state, each.reply, each.closed_at = "rejected", reply, now()
    for answer_id in {each.answer_id for each in rows if each.answer_id}:
        withdraw(db, answer_id, by=by, note=reply)
    log(db, "reject", by, question_id=question_id, note=reply)
    db.flush()
    return next(each for each in rows if each.question_id == question_id)


def withdraw(db: Session, answer_id: str, *, by: Caller, note: str = "") -> ReviewedAnswer:
    """Serve an answer no more. Raises `NotAtTheDesk`."""
    reviewed = _get_reviewed(db, answer_id, by)
    if reviewed.state == "withdrawn":
        return reviewed
    reviewed.state, reviewed.is_stale = "withdrawn", False
    reviewed.version, reviewed.updated_at = reviewed.version + 1, now()
    db.execute(
        update(TaQuestion)
        .where(TaQuestion.answer_id == answer_id, TaQuestion.state.in_(("answered", "open")))
        .values(state="withdrawn", closed_at=now())
    )
    log(db, "withdraw", by, answer=reviewed, before=format_answer(reviewed), after="", note=note)
    db.flush()
    return reviewed


def edit_faq(
    db: Session,
    course_id: str,
    origin_id: str,
    question: str,
    answer: str,
    by: Caller,
    *,
    rests: Sequence[MaterialUnit] = (),
    before: str = "",
) -> ReviewedAnswer:
    """Correct an entry of the course's FAQ, whose text was `before`: a reviewed answer takes its place.

    Raises `NotAtTheDesk` for a course that is closed to the caller, `NotFit`.
    """
    if not by.may_see(course_id):
        raise NotAtTheDesk(f"There is no FAQ of a course '{course_id[:64]}'.")
    question, answer = _check_words(question, answer)
    known = db.scalars(
        select(ReviewedAnswer.answer_id).where(
            ReviewedAnswer.course_id == course_id,
            ReviewedAnswer.state == "approved",
            (ReviewedAnswer.replaces == origin_id) | (ReviewedAnswer.answer_id == origin_id.removeprefix("ta-")),
        )
    ).first()
    if known is not None:
        return edit(db, known, question=question, answer=answer, rests=rests, by=by)
    reviewed = _add_answer(db, course_id, question, answer, rests, by, replaces=origin_id)
    log(db, "edit", by, answer=reviewed, before=before)
    return reviewed


def _with_others(db: Session, question_id: str, also: Sequence[str], by: Caller) -> list[TaQuestion]:
    """The rows of an open item and of those that ask the same in other words; from now on they wait together.

    What of `also` was decided meanwhile waits for nothing and is left out. Raises as `approve` does; `NotFit` for a
    question of another course, and for one that has an answer and came back.
    """
    rows = list(open_rows(db, question_id, by))
    first = rows[0]
    for each in dict.fromkeys(also):
        try:
            others = [row for row in open_rows(db, each, by) if row not in rows]
        except AlreadyDecided:
            continue
        if any(row.course_id != first.course_id or row.reason == "source_changed" for row in others):
            raise NotFit(
                "These questions need answers of their own. Untick those of other courses and those that came back."
            )
        try:
            require_free(db, others, by)
        except AlreadyDecided as error:
            told = f"Another TA is working on “{others[0].question[:80]}”. Untick it, or answer without it."
            raise AlreadyDecided(told) from error
        rows += others
    require_free(db, rows, by)
    for row in rows:
        row.same_as = first.same_as
    db.flush()
    return rows


def _same_decision(db: Session, question_id: str, question: str, answer: str, by: Caller) -> ReviewedAnswer | None:
    """The answer that this caller gave to this question in the same words, when they do it twice."""
    row = db.get(TaQuestion, question_id)
    if row is None or row.state != "answered" or row.answer_id is None:
        return None
    found = db.get(ReviewedAnswer, row.answer_id)
    is_same = found is not None and (found.question, found.answer) == (question, answer)
    return found if is_same and found is not None and found.reviewer_id == by.person_id else None


def _add_answer(
    db: Session,
    course_id: str | None,
    question: str,
    answer: str,
    rests: Sequence[MaterialUnit],
    by: Caller,
    *,
    replaces: str | None = None,
) -> ReviewedAnswer:
    if course_id is None:
        raise NotFit("The question was asked of all courses. Name the course that the answer belongs to.")
    if not by.may_see(course_id):
        raise NotAtTheDesk(f"There is no course '{course_id[:64]}'.")
    reviewed = ReviewedAnswer(
        course_id=course_id,
        lang=language_of(question),
        question=question,
        answer=answer,
        reviewer_id=by.person_id,
        reviewer=_public_name(by),
        replaces=replaces,
    )
    db.add(reviewed)
    db.flush()
    db.add_all(make_reviewed_sources(_others(reviewed, rests), reviewed.answer_id))
    return reviewed


def _rewrite(
    db: Session,
    reviewed: ReviewedAnswer,
    question: str,
    answer: str,
    rests: Sequence[MaterialUnit],
    by: Caller,
    decision: Decision,
    *,
    question_id: str | None = None,
    note: str = "",
) -> None:
    before = format_answer(reviewed)
    reviewed.question, reviewed.answer, reviewed.lang = question, answer, language_of(question)
    reviewed.reviewer_id, reviewed.reviewer = by.person_id, _public_name(by)
    reviewed.version, reviewed.updated_at, reviewed.is_stale = reviewed.version + 1, now(), False
    db.execute(delete(ReviewedSource).where(ReviewedSource.answer_id == reviewed.answer_id))
    db.add_all(make_reviewed_sources(_others(reviewed, rests), reviewed.answer_id))
    log(db, decision, by, question_id=question_id, answer=reviewed, before=before, note=note)


def _get_approved(db: Session, answer_id: str, by: Caller) -> ReviewedAnswer:
    reviewed = _get_reviewed(db, answer_id, by)
    if reviewed.state != "approved":
        raise AlreadyDecided("This answer was withdrawn. Answer the question anew.")
    return reviewed


def _get_reviewed(db: Session, answer_id: str, by: Caller) -> ReviewedAnswer:
    reviewed = db.get(ReviewedAnswer, answer_id, with_for_update=True)
    if reviewed is None or not by.may_see(reviewed.course_id):
        raise NotAtTheDesk(f"There is no reviewed answer '{answer_id[:64]}'.")
    return reviewed


def _is_as(db: Session, reviewed: ReviewedAnswer, question: str, answer: str, rests: Sequence[MaterialUnit]) -> bool:
    sources = db.scalars(select(ReviewedSource).where(ReviewedSource.answer_id == reviewed.answer_id))
    now_is = {each.unit: digest(each.text) for each in _others(reviewed, rests)}
    same_sources = {each.unit: each.text_sha256 for each in sources} == now_is
    same_words = (reviewed.question, reviewed.answer) == (question, answer)
    return same_words and same_sources and not reviewed.is_stale


def _others(reviewed: ReviewedAnswer, rests: Sequence[MaterialUnit]) -> list[MaterialUnit]:
    """What an answer rests on beside itself: not its own entry of the FAQ, nor the one whose place it takes."""
    own = {f"faq:ta-{reviewed.answer_id}", f"faq:{reviewed.replaces}"}
    return [unit for unit in rests if unit.unit not in own]


def _check_words(question: str, answer: str) -> tuple[str, str]:
    asked = require_text(question, "question", most=LONGEST_QUESTION)
    return asked, require_text(answer, "answer", most=LONGEST_ANSWER)


def _public_name(by: Caller) -> str:
    """The name under an answer; a key without one answers for the TAs."""
    return by.name or UNNAMED
