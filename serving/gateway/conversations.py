"""`Conversations`: questions asked within sessions. Finds the session, has it answered, and keeps what came of it.

An answer that was told is stored; so is a question whose answer was stopped or failed, for what is asked has to be
counted against what is answered.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import structlog
from sqlalchemy.orm import Session

from knowledge_graph.lake.records import Mode
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.assistant import Session as Known
from serving.assistant.guardrails.ending import Options
from serving.assistant.study_progress import StudyProgress, find_no_progress
from serving.assistant.turn import Delta
from serving.assistant.understanding.focus import Position
from serving.gateway.spending import FREE, AnswerTerms, Why
from serving.gateway.turn_record import (
    OpenTurn,
    Outcome,
    make_answered_turn,
    make_broken_turn,
    rests_on_rows,
    trace_row,
)
from serving.llm.messages import Message
from serving.llm.metering import TokenBill, open_bill
from serving.store.caller import Caller
from serving.store.database import Store
from serving.store.tables.base import new_id, now
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import Person
from serving.store.turns import (
    Continued,
    NotYours,
    Recorded,
    add_turn,
    find_session,
    find_session_after,
    forget_session,
    forget_turn,
    keep_reply,
    own_reply,
    own_session,
    sessions_of,
    turns_of,
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Question:
    """What is asked, of which course, and where in it the student is.

    `history` is what a client says was said before; `None` or empty: what the store has of `session_id`. `live` is
    true when the text is shown while it is written. `trace_id` will name the answer; `goes_on_from` is the trace of the
    answer it follows, whose session it goes on or branches off from. Nothing is stored of one that is not `is_kept`.
    """

    text: str
    course_id: str | None
    mode: Mode | None = None
    position: Position | None = None
    session_id: str | None = None
    history: Sequence[Message] | None = None
    live: bool = True
    trace_id: str | None = None
    goes_on_from: str | None = None
    is_kept: bool = True
    options: Options = field(default_factory=Options)


@dataclass(frozen=True)
class ConversationAnswer:
    """A whole answer, at `position` of its session. `is_stored` is false when it was not to be stored or the store
    failed: the answer cannot be found again, and nothing can be said of it. `withheld` says why no model was asked,
    where one might have been."""

    answer: Answer
    session_id: str
    position: int
    is_stored: bool = True
    withheld: Why | None = None


@dataclass(frozen=True)
class AssignedVariant:
    """The variant of a running experiment that a person gets."""

    experiment: str
    variant: str
    settings: Mapping[str, Any]


class Answering(Protocol):
    """What is known now (`serving.gateway.knowledge.Knowledge`)."""

    def assistant_with(self, changes: Mapping[str, object], courses: Collection[str] | None = None) -> Assistant: ...


class Budgeting(Protocol):
    """On which terms questions are answered, and what they cost (`serving.gateway.spending.Budget`)."""

    async def terms(self, caller: Caller, course_id: str | None) -> AnswerTerms: ...
    def add_notice(self, answer: Answer, why: Why | None) -> Answer: ...
    def charge(self, caller: Caller, course_id: str | None, bill: TokenBill) -> None: ...


class Unlimited:
    """No switch, no cap, nothing counted."""

    async def terms(self, caller: Caller, course_id: str | None) -> AnswerTerms:
        return FREE

    def add_notice(self, answer: Answer, why: Why | None) -> Answer:
        return answer

    def charge(self, caller: Caller, course_id: str | None, bill: TokenBill) -> None:
        bill.take()


Choose = Callable[[str, str | None], AssignedVariant | None]
"""Person and course to the variant they get."""

Progress = Callable[[Caller, str | None], Awaitable[StudyProgress]]
"""Caller and course to what a study path goes by."""

Stored = Callable[[Session, TurnRow], None]
"""What else is written of a turn, in the transaction that stores it."""

Finished = Callable[[Answer], None]
"""Told of every whole answer; quick, and may not fail."""

PartCount = AbstractContextManager[Callable[[object], None]]
"""Entered while one question is answered; what it gives is told of every part (`serving.gateway.metrics.Metrics`)."""

NO_COUNT: PartCount = nullcontext(lambda part: None)


class Conversations:
    """Over one store; `knowledge` gives the newest state of the home."""

    def __init__(
        self,
        store: Store,
        knowledge: Callable[[], Awaitable[Answering]],
        *,
        shown: Callable[[Answer], Mapping[str, Any]],
        choose: Choose = lambda person_id, course_id: None,
        stored: Sequence[Stored] = (),
        finished: Sequence[Finished] = (),
        budget: Budgeting | None = None,
        progress: Progress = lambda caller, course_id: find_no_progress(),
    ) -> None:
        self._store = store
        self._knowledge = knowledge
        self._shown = shown
        self._choose = choose
        self._stored = stored
        self._finished = finished
        self._budget: Budgeting = budget or Unlimited()
        self._progress = progress
        self._storing: set[asyncio.Task[None]] = set()

    def ask(
        self, caller: Caller, question: Question, part_count: PartCount = NO_COUNT
    ) -> AsyncGenerator[Delta | ConversationAnswer, None]:
        """The text as it comes, then the answer, stored. Raises `NotYours` for another person's session, `GatewayError`
        503 where the assistant is switched off, 429 where no more may be asked today.

        `question.course_id` is a course that is there and open to the caller, or `None` for all. What the answer costs
        is on one bill from here on, in whichever task its parts are waited for.
        """
        return self._ask(caller, question, open_bill(), part_count)

    async def _ask(
        self, caller: Caller, question: Question, bill: TokenBill, part_count: PartCount
    ) -> AsyncGenerator[Delta | ConversationAnswer, None]:
        with part_count as count:
            terms = await self._budget.terms(caller, question.course_id)
            begun, assistant = await self._begun(caller, question, terms)
            said: list[str] = []
            recorded: Recorded | None = None
            try:
                async with aclosing(self._parts(assistant, caller, question, begun)) as parts:
                    async for part in parts:
                        if isinstance(part, Answer):
                            if not question.live:
                                said.append(part.text)
                                count(whole := Delta(part.text))
                                yield whole
                            answer = self._budget.add_notice(part, terms.why)
                            recorded = _record_of_answer(begun, answer, self._shown(answer))
                            told = replace(
                                await self._store_answer(caller, recorded, question, answer), withheld=terms.why
                            )
                            count(told)
                            yield told
                        elif question.live:
                            said.append(part.text)
                            count(part)
                            yield part
            except (asyncio.CancelledError, GeneratorExit):
                if recorded is None and question.is_kept:
                    self._keep(caller, _record_of_break(begun, said, "stopped"), question)
                raise
            except Exception as error:
                if question.is_kept:
                    reason = f"{type(error).__name__}: {error}"
                    self._keep(caller, _record_of_break(begun, said, "failed", reason), question)
                raise
            finally:
                self._budget.charge(caller, question.course_id, bill)

    async def _store_answer(
        self, caller: Caller, recorded: Recorded, question: Question, answer: Answer
    ) -> ConversationAnswer:
        """The answer, once it is stored. Whatever fails in storing it does not cost the student the answer."""
        if not question.is_kept:
            return ConversationAnswer(answer, recorded.turn.session_id, recorded.turn.position, is_stored=False)
        for tell in self._finished:
            tell(answer)
        is_stored = True
        try:
            await asyncio.shield(self._keep(caller, recorded, question))
        except Exception:  # noqa: BLE001  `_report_loss` has told of it
            is_stored = False
        return ConversationAnswer(answer, recorded.turn.session_id, recorded.turn.position, is_stored)

    async def _begun(self, caller: Caller, question: Question, terms: AnswerTerms) -> tuple[OpenTurn, Assistant]:
        found = Continued()
        if question.goes_on_from or question.session_id is not None or question.history:
            found = await self._store.reading(lambda db: _before(db, caller, question))
        chosen = self._choose(caller.person_id, question.course_id)
        knowledge = await self._knowledge()
        begun = OpenTurn(
            trace_id=question.trace_id or new_id(),
            session_id=found.session_id or new_id(),
            person_id=caller.person_id,
            question=question.text,
            course_id=question.course_id,
            history=found.history,
            asked_at=now(),
            is_new_session=found.session_id is None,
            branched_from=found.branched_from,
            variant=(chosen.experiment, chosen.variant) if chosen else None,
        )
        changes = {**(chosen.settings if chosen else {}), **terms.changes}
        visible = caller.courses if terms.courses is None else terms.courses
        return begun, knowledge.assistant_with(changes, visible)

    def _parts(
        self, assistant: Assistant, caller: Caller, question: Question, begun: OpenTurn
    ) -> AsyncGenerator[Delta | Answer, None]:
        session: Known = {
            "history": begun.history,
            "position": question.position,
            "mode": question.mode,
            "trace_id": begun.trace_id,
            "options": question.options,
            "find_progress": partial(self._progress, caller, question.course_id),
        }
        return assistant.stream(question.text, course_id=question.course_id, live=question.live, **session)

    def _keep(self, caller: Caller, recorded: Recorded, question: Question) -> "asyncio.Task[None]":
        """Store a turn in a task of its own, for the one that asks may be ending."""
        person = Person(person_id=caller.person_id, is_by_session=caller.is_new)

        def work(db: Session) -> None:
            turn = add_turn(db, recorded, person=person, mode=question.mode)
            for store in self._stored:
                store(db, turn)

        task = asyncio.create_task(self._store.writing(work))
        self._storing.add(task)
        task.add_done_callback(self._report_loss)
        return task

    def _report_loss(self, task: "asyncio.Task[None]") -> None:
        self._storing.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, NotYours):
            log.info("turn_not_kept", reason="its session was deleted meanwhile")
        elif error is not None:
            first_line = (str(error).splitlines() or [""])[0]  # what follows may repeat what was asked
            log.error("turn_lost", error=f"{type(error).__name__}: {first_line}")

    async def keep_reply(self, trace_id: str, record: dict[str, Any]) -> None:
        """Store how an answer was given. What fails in that does not cost the student the answer."""
        try:
            await self._store.writing(lambda db: keep_reply(db, trace_id, record))
        except Exception as error:  # noqa: BLE001  a deleted turn, a store that is away
            log.warning("reply_not_kept", trace_id=trace_id, error=type(error).__name__)

    async def reply(self, caller: Caller, trace_id: str) -> tuple[TurnRow, dict[str, Any] | None]:
        return await self._store.reading(lambda db: own_reply(db, caller.person_id, trace_id))

    async def aclose(self) -> None:
        """Wait until what ended is stored."""
        if self._storing:
            await asyncio.wait(self._storing)

    async def sessions(self, caller: Caller) -> list[ChatSession]:
        return await self._store.reading(lambda db: sessions_of(db, caller.person_id))

    async def session(self, caller: Caller, session_id: str) -> ChatSession:
        return await self._store.reading(lambda db: own_session(db, caller.person_id, session_id))

    async def turns(self, caller: Caller, session_id: str) -> list[TurnRow]:
        return await self._store.reading(lambda db: turns_of(db, caller.person_id, session_id))

    async def forget(self, caller: Caller, session_id: str) -> None:
        await self._store.writing(lambda db: forget_session(db, caller.person_id, session_id))

    async def forget_answer(self, caller: Caller, trace_id: str) -> None:
        await self._store.writing(lambda db: forget_turn(db, caller.person_id, trace_id))


def _before(db: Session, caller: Caller, question: Question) -> Continued:
    if question.goes_on_from is not None:
        return find_session_after(db, caller.person_id, question.goes_on_from, question.history or ())
    return find_session(db, caller.person_id, session_id=question.session_id, history=question.history)


def _record_of_break(begun: OpenTurn, said: Sequence[str], outcome: Outcome, reason: str | None = None) -> Recorded:
    turn = make_broken_turn(begun, "".join(said), outcome, reason)
    return Recorded(turn, begun.is_new_session, branched_from=begun.branched_from)


def _record_of_answer(begun: OpenTurn, answer: Answer, shown: Mapping[str, Any]) -> Recorded:
    return Recorded(
        make_answered_turn(begun, answer, shown),
        begun.is_new_session,
        trace_row(begun.trace_id, answer),
        rests_on_rows(answer),
        begun.branched_from,
    )
