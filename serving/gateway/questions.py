"""`/v1/questions`: a student asks the TAs and follows their own questions."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field, model_validator
from sqlalchemy.orm import Session

from knowledge_graph.text.sentences import language_of
from serving.desk.own_questions import count_unseen, question_of, questions_of, remember_seen
from serving.desk.queue_entry import ask, put_in_queue
from serving.desk.text_validation import LONGEST_NOTE, LONGEST_QUESTION
from serving.gateway.access import Asking, course_for
from serving.gateway.desk_replies import OwnQuestionReply, OwnQuestionsReply
from serving.gateway.errors import RESPONSES
from serving.gateway.refusals import refusals
from serving.gateway.service import Shared
from serving.store.caller import Caller
from serving.store.tables.conversation import ChatSession
from serving.store.tables.identity import Person
from serving.store.tables.review import TaQuestion
from serving.store.turns import own_turn, title_of

router = APIRouter(tags=["questions"], responses=RESPONSES)

QuestionId = Annotated[str, Path(max_length=64)]


class AskRequest(BaseModel):
    """Either `trace_id`, an answer of one's own that did not help, or a `question` of a course."""

    model_config = ConfigDict(extra="ignore")
    trace_id: str | None = Field(default=None, max_length=64, description="`coteach.trace_id` of an answer.")
    question: str | None = Field(default=None, max_length=LONGEST_QUESTION)
    course_id: str | None = Field(default=None, max_length=200, description="Unset: the only course, else all.")
    note: str = Field(default="", max_length=LONGEST_NOTE, description="What else the TA should know.")
    session_id: str | None = Field(
        default=None, max_length=64, description="Shows who asks where the gateway is open and no key was sent."
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> "AskRequest":
        if (self.trace_id is None) == (self.question is None):
            raise ValueError("send either trace_id or question")
        return self


@router.post("/v1/questions", status_code=201)
async def ask_a_ta(body: AskRequest, caller: Asking, service: Shared) -> OwnQuestionReply:
    """Pass a question on to the TAs. The same one twice is one."""
    course_id: str | None = None
    if body.trace_id is None:
        knowledge = await service.knowledge()
        course_id = course_for(caller, body.course_id, sorted(course.course_id for course in knowledge.courses))

    def work(db: Session) -> OwnQuestionReply:
        if body.trace_id is not None:
            turn = own_turn(db, caller.person_id, body.trace_id)
            return _reply_of(db, put_in_queue(db, turn, "asked", body.note), caller)
        question = body.question or ""
        session_id = _begin_session(db, caller, question, course_id)
        lang = language_of(question)
        row = ask(db, caller.person_id, question, course_id=course_id, lang=lang, note=body.note)
        return _reply_of(db, row, caller).model_copy(update={"session_id": session_id})

    with refusals():
        return await service.store.writing(work)


@router.get("/v1/questions")
async def list_own_questions(caller: Asking, service: Shared) -> OwnQuestionsReply:
    """What the caller asked the TAs, newest first, with the answers."""

    def work(db: Session) -> OwnQuestionsReply:
        data = [OwnQuestionReply.model_validate(one) for one in questions_of(db, caller)]
        return OwnQuestionsReply(data=data, unseen=count_unseen(db, caller))

    return await service.store.reading(work)


@router.get("/v1/questions/{question_id}")
async def show_own_question(question_id: QuestionId, caller: Asking, service: Shared) -> OwnQuestionReply:
    """One question of the caller's own."""
    with refusals():
        found = await service.store.reading(lambda db: question_of(db, question_id, caller))
    return OwnQuestionReply.model_validate(found)


@router.post("/v1/questions/{question_id}/seen")
async def see_own_question(question_id: QuestionId, caller: Asking, service: Shared) -> OwnQuestionReply:
    """Remember that the caller saw the outcome."""
    with refusals():
        found = await service.store.writing(lambda db: remember_seen(db, question_id, caller))
    return OwnQuestionReply.model_validate(found)


def _reply_of(db: Session, row: TaQuestion, caller: Caller) -> OwnQuestionReply:
    return OwnQuestionReply.model_validate(question_of(db, row.question_id, caller))


def _begin_session(db: Session, caller: Caller, question: str, course_id: str | None) -> str | None:
    """Somebody new gets a session, by whose id they can come back for the answer."""
    if db.get(Person, caller.person_id) is not None:
        return None
    db.add(Person(person_id=caller.person_id, is_by_session=True))
    db.flush()
    session = ChatSession(person_id=caller.person_id, course_id=course_id, title=title_of(question))
    db.add(session)
    db.flush()
    return session.session_id
