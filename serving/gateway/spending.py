"""What a question may cost and how a course is answered now: looks up caps and switches, counts and stores tokens.

At a cap of tokens the material answers in the model's place, with a line that says so; a student is never refused for
it. At a cap of questions they are, until the day is over (429). Counts are written every half a second, switches and
caps of courses read every second, so that all gateways of a store obey. A cap of tokens is looked at before a question:
those that are being written when it is reached are written to their end.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from math import ceil
from typing import Literal, cast, get_args

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from serving.assistant.answer import Answer
from serving.assistant.understanding.question_kind import QuestionKind
from serving.desk.spending_report import day_caps
from serving.exam.admission import Admitting
from serving.gateway.errors import NOT_AGAIN, GatewayError
from serving.llm.metering import TokenBill
from serving.llm.per_language import MODEL_URLS, settings_per_language
from serving.settings import Settings
from serving.store.caller import Caller
from serving.store.course_controls import course_controls
from serving.store.database import Store
from serving.store.database_errors import StoreUnavailable
from serving.store.spending import CapUnit, DayTotals, TokensSpent, add_spent, key_caps, totals_of
from serving.store.tables.base import now
from serving.store.tables.budget import CourseControl

log = structlog.get_logger(__name__)

FLUSH_SECONDS = 0.5
"""How long a gateway that is killed may have counted what is lost. A choice."""

READS = 3
"""How often counts are read for one question while others are being written. A choice: then they count in full."""

LOOK_SECONDS = 1.0
"""How long a switch that another process turned goes unseen. One small read a second."""

Why = Literal["switched_off", "student", "course", "key", "all"]

WITHOUT_MODEL: Mapping[str, object] = {
    "model_admission": "never",
    "graders": ("none",),
    **dict.fromkeys(MODEL_URLS),
}
"""Settings of an assistant that asks no model anything."""

_LINES: Mapping[str, Mapping[Why, str]] = {
    "en": {
        "switched_off": "The language model is switched off for this course just now; this comes from the material.",
        "student": "You have used today's share of the language model; this comes from the material.",
        "course": "Today's share of the language model for this course is used up; this comes from the material.",
        "key": "Today's share of the language model here is used up; this comes from the material.",
        "all": "Today's share of the language model is used up; this comes from the material.",
    },
    "zh": {
        "switched_off": "本课程目前停用语言模型，以下内容来自课程资料。",
        "student": "你今天的语言模型用量已用完，以下内容来自课程资料。",
        "course": "本课程今天的语言模型用量已用完，以下内容来自课程资料。",
        "key": "这里今天的语言模型用量已用完，以下内容来自课程资料。",
        "all": "今天的语言模型用量已用完，以下内容来自课程资料。",
    },
}

OFF = "The assistant of this course is switched off just now. Ask your teaching assistants."
"""The message for clients when the person who switched the assistant off left none."""


class SwitchedOff(GatewayError):
    """The assistant of all that is asked is off. `told` is the message left for students, which may be empty."""

    def __init__(self, told: str) -> None:
        super().__init__(told or OFF, status=503, code="assistant_off", headers=NOT_AGAIN)
        self.told = told


_DAY_OVER: Mapping[Why, str] = {
    "student": "You have asked as many questions as you may today.",
    "course": "As many questions were asked of this course today as may be.",
    "key": "As many questions were asked with this key today as may be.",
    "all": "As many questions were asked here today as may be.",
}


class DayUsedUp(GatewayError):
    """No more questions today: `why` names whose cap was reached. 429 until midnight UTC."""

    def __init__(self, why: Why, *, at: datetime) -> None:
        midnight = datetime.combine(at.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
        wait = max(ceil((midnight - at).total_seconds()), 1)
        told = f"{_DAY_OVER[why]} Ask again after midnight UTC, in {wait} s."
        super().__init__(told, status=429, code="daily_limit", headers={**NOT_AGAIN, "Retry-After": str(wait)})
        self.why = why


@dataclass(frozen=True)
class AnswerTerms:
    """How a question may be answered: `changes` of settings, `courses` that may answer (`None`: all that the caller
    sees), and `why` no model is asked."""

    changes: Mapping[str, object] = field(default_factory=dict)
    courses: Collection[str] | None = None
    why: Why | None = None


FREE = AnswerTerms()


class CourseSwitches:
    """What was said of courses, at hand for every question. Follows the store; until it is read every course is on."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._controls: dict[str, CourseControl] = {}
        self._key_caps: dict[str, int] = {}

    async def refresh(self) -> None:
        found, caps = await self._store.reading(lambda db: (course_controls(db), key_caps(db)))
        self._controls, self._key_caps = {one.course_id: one for one in found}, caps

    async def follow(self) -> None:
        """Refresh until cancelled. While the store cannot be read, what was said before holds."""
        while True:
            try:
                await self.refresh()
            except Exception:
                log.exception("switches_unknown", retry_seconds=LOOK_SECONDS)
            await asyncio.sleep(LOOK_SECONDS)

    def of(self, course_id: str) -> CourseControl | None:
        return self._controls.get(course_id)

    def state(self, course_id: str) -> str:
        """`on`, `model_off` or `assistant_off`."""
        control = self._controls.get(course_id)
        return "on" if control is None else control.switch

    def cap(self, course_id: str, unit: CapUnit) -> int | None:
        """The cap that a course has of its own; `None`: what the settings say."""
        control = self._controls.get(course_id)
        if control is None:
            return None
        return control.tokens_per_day if unit == "tokens" else control.questions_per_day

    @property
    def key_caps(self) -> Mapping[str, int]:
        return self._key_caps

    def message(self, course_id: str) -> str:
        """What students read of a course whose assistant is off; may be empty."""
        control = self._controls.get(course_id)
        return "" if control is None else control.message


class TokenLedger:
    """Counts tokens for the store and says what each question may still cost."""

    def __init__(self, store: Store, settings: Settings, switches: CourseSwitches) -> None:
        self._store, self._settings, self._switches = store, settings, switches
        self._waiting: list[TokensSpent] = []
        self._writing: list[TokensSpent] = []
        self._flushes, self._flushing = 0, asyncio.Lock()

    def charge(self, caller: Caller, course_id: str | None, bill: TokenBill) -> None:
        """Count what a question cost since it was counted last; nothing where the model server was not asked."""
        taken = bill.take()
        if taken.requests:
            spent = (taken.prompt_tokens, taken.completion_tokens)
            named = (caller.person_id, course_id or "", caller.key_id or "")
            self._waiting.append(TokensSpent(now().date(), *named, *spent))

    def note_question(self, caller: Caller, course_id: str | None) -> None:
        """Count a question, whoever answers it."""
        named = (caller.person_id, course_id or "", caller.key_id or "")
        self._waiting.append(TokensSpent(now().date(), *named, 0, 0, answers=0, questions=1))

    async def flush(self) -> None:
        """Write what was counted; it is kept for the next time where the store does not take it."""
        async with self._flushing:
            written, self._waiting = self._waiting, []
            if not written:
                return
            self._writing = written
            try:
                await self._store.writing(lambda db: add_spent(db, written))
            except (StoreUnavailable, SQLAlchemyError) as error:
                self._waiting = written + self._waiting
                log.warning("spending_not_written", reason=type(error).__name__, waiting=len(self._waiting))
            finally:
                self._writing, self._flushes = [], self._flushes + 1

    async def follow(self) -> None:
        """Write every while, until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            await self.flush()

    async def find_reached_cap(self, caller: Caller, course_id: str | None, unit: CapUnit = "tokens") -> Why | None:
        """The cap that a caller's question has come to; `None` where there is none, or the store cannot say."""
        caps = self._caps(caller, course_id, unit)
        if not any(caps.values()):
            return None
        day, named = now().date(), {"course_id": course_id or "", "key_id": caller.key_id or ""}
        try:
            found, not_in_it = await self._count_spent(
                lambda db: totals_of(db, day, person_id=caller.person_id, unit=unit, **named)
            )
        except (StoreUnavailable, SQLAlchemyError) as error:
            log.warning("spending_not_read", reason=type(error).__name__)
            found, not_in_it = DayTotals(), self._writing + self._waiting
        waiting = [one for one in not_in_it if one.day == day]
        spent: dict[Why, int] = {
            "student": found.person + _sum(unit, (one for one in waiting if one.person_id == caller.person_id)),
            "course": found.course + _sum(unit, (one for one in waiting if course_id and one.course_id == course_id)),
            "key": found.key + _sum(unit, (one for one in waiting if caller.key_id and one.key_id == caller.key_id)),
            "all": found.all + _sum(unit, waiting),
        }
        return next((why for why, cap in caps.items() if 0 < cap <= spent[why]), None)

    async def _count_spent(self, read: Callable[[Session], DayTotals]) -> tuple[DayTotals, list[TokensSpent]]:
        """What the store has, and what it has not yet. Read again where something was written meanwhile, so that it is
        counted neither twice nor not at all."""
        for _ in range(READS):
            flushes, was_writing = self._flushes, bool(self._writing)
            found = await self._store.reading(read)
            if not (was_writing or self._writing) and flushes == self._flushes:
                break
        return found, self._writing + self._waiting

    def _caps(self, caller: Caller, course_id: str | None, unit: CapUnit) -> dict[Why, int]:
        """0 for none. TAs and teachers have none of their own: what they ask is counted for course and key."""
        caps, switches = day_caps(self._settings, unit), self._switches
        own = switches.cap(course_id, unit) if course_id else None
        keys = switches.key_caps if unit == "tokens" else {}
        return {
            "student": caps.student if caller.role == "student" else 0,
            "course": (caps.course if own is None else own) if course_id else 0,
            "key": keys.get(caller.key_id, caps.key) if caller.key_id else 0,
            "all": caps.everything,
        }


def _sum(unit: CapUnit, spent: Iterable[TokensSpent]) -> int:
    return sum(one.amount_in(unit) for one in spent)


class Budget:
    """Switches and caps together: the terms on which each question is answered. `courses` lists those that are there,
    `writes` says whether the model would have written an answer, `has_model` whether there is one."""

    def __init__(
        self,
        switches: CourseSwitches,
        ledger: TokenLedger,
        *,
        courses: Callable[[], Collection[str]],
        writes: Callable[[Answer], bool],
        has_model: Callable[[], bool],
    ) -> None:
        self._switches, self._ledger = switches, ledger
        self._courses, self._writes, self._has_model = courses, writes, has_model

    async def terms(self, caller: Caller, course_id: str | None) -> AnswerTerms:
        """Counts the question. Raises `SwitchedOff` where the assistant is off for all that is asked, `DayUsedUp` where
        no more may be asked today."""
        asked = [course_id] if course_id else [one for one in sorted(self._courses()) if caller.may_see(one)]
        states = {one: self._switches.state(one) for one in asked}
        off = [one for one, state in states.items() if state == "assistant_off"]
        if off and len(off) == len(asked):
            raise SwitchedOff(self._switches.message(off[0]))
        if (over := await self._ledger.find_reached_cap(caller, course_id, "questions")) is not None:
            raise DayUsedUp(over, at=now())
        self._ledger.note_question(caller, course_id)
        courses = [one for one in asked if one not in off] if off else None
        why: Why | None = "switched_off" if "model_off" in states.values() else None
        if why is None and self._has_model():
            why = await self._ledger.find_reached_cap(caller, course_id)
        if why is None:
            return FREE if courses is None else AnswerTerms(courses=courses)
        return AnswerTerms(WITHOUT_MODEL, courses, why)

    def charge(self, caller: Caller, course_id: str | None, bill: TokenBill) -> None:
        """Count what a question cost since it was counted last."""
        self._ledger.charge(caller, course_id, bill)

    def add_notice(self, answer: Answer, why: Why | None) -> Answer:
        """The answer with the line that says why the model did not write it, if it would have."""
        if why is None or not self._writes(answer):
            return answer
        notice = " ".join(part for part in (answer.notice, line_of(why, answer.lang)) if part)
        return replace(answer, notice=notice)


def line_of(why: Why | None, lang: str) -> str:
    """What is said with an answer that the model would have written; empty where it might."""
    return "" if why is None else _LINES.get(lang, _LINES["en"])[why]


def may_write(settings: Settings, admission: Admitting | None, answer: Answer) -> bool:
    """Whether the model is admitted for the language and the kind of what was asked."""
    if settings.model_admission == "always":
        return answer.lang in settings.languages
    if admission is None or answer.kind not in get_args(QuestionKind):
        return False
    return admission.admits(answer.lang, cast(QuestionKind, answer.kind), is_follow_up=bool(answer.trace.added))


def would_write(settings: Settings, admission: Admitting | None, answer: Answer) -> bool:
    """Whether the model would have written an answer that the material gave in its place: not one that people wrote,
    was declined or asks back. Unexamined it also writes where the material answers nothing."""
    if settings.model_admission == "never" or settings_per_language(settings).of(answer.lang).llm_url is None:
        return False
    routes = ("teach", "ask_ta") if settings.model_admission == "always" else ("teach",)
    return answer.route in routes and may_write(settings, admission, answer)
