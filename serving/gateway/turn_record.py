"""Turns an answer, whole or broken off, into the rows that are stored. Pure."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal

from knowledge_graph.lake.records import Locator
from serving.assistant.answer import Answer
from serving.index.evidence import MAP, Evidence
from serving.llm.messages import Message
from serving.store.tables.conversation import RestsOn, TraceRow, TurnRow
from serving.store.turns import questions_in, thread_digest

Outcome = Literal["answered", "stopped", "failed"]


@dataclass(frozen=True)
class OpenTurn:
    """What is known of a turn before it is answered. `variant` is experiment and variant, if there is one."""

    trace_id: str
    session_id: str
    person_id: str
    question: str
    course_id: str | None
    history: tuple[Message, ...]
    asked_at: datetime
    is_new_session: bool = True
    branched_from: str | None = None
    variant: tuple[str, str] | None = None


def make_answered_turn(begun: OpenTurn, answer: Answer, shown: Mapping[str, Any]) -> TurnRow:
    """The row of a whole answer; `shown` is what a page needs beside the text."""
    trace = answer.trace
    is_stored = answer.route == "direct" and bool(answer.evidence)
    return _turn(
        begun,
        answer.text,
        "answered",
        route=answer.route,
        lang=answer.lang,
        category=trace.category,
        form=trace.form,
        source=answer.evidence[0].source if is_stored else None,
        confidence=confidence(answer),
        degraded=answer.degraded,
        error=trace.error,
        strategy=trace.strategy,
        template=trace.template,
        prompt_sha256=trace.prompt_sha256,
        model=trace.model,
        index_version=trace.index_version,
        total_ms=trace.timings.get("total_ms"),
        prompt_tokens=answer.usage.prompt_tokens,
        completion_tokens=answer.usage.completion_tokens,
        shown=dict(shown),
    )


def make_broken_turn(begun: OpenTurn, text: str, outcome: Outcome, error: str | None) -> TurnRow:
    """The row of an answer that was stopped by the student or failed: the text that had been shown."""
    return _turn(begun, text, outcome, error=error)


def trace_row(trace_id: str, answer: Answer) -> TraceRow:
    """The whole trace; what is nested in it is turned into JSON by the store."""
    trace = answer.trace
    return TraceRow(trace_id=trace_id, record={one.name: getattr(trace, one.name) for one in fields(trace)})


def rests_on_rows(answer: Answer) -> list[RestsOn]:
    """What the answer was made from or refers to, each piece once, with the digest of its text as it was; not a map,
    which has none."""
    shown = {one.evidence_id for one in answer.references}
    pieces = {one.evidence_id: one for one in (*answer.referred, *answer.evidence) if one.source != MAP}
    return [_rests_on(answer.trace.trace_id, one, is_reference=one.evidence_id in shown) for one in pieces.values()]


def _rests_on(trace_id: str, piece: Evidence, *, is_reference: bool) -> RestsOn:
    where = piece.locator or Locator()
    return RestsOn(
        trace_id=trace_id,
        entry_id=piece.evidence_id,
        source=piece.source,
        text_sha256=hashlib.sha256(piece.text.encode("utf-8", "replace")).hexdigest(),
        is_reference=is_reference,
        course_id=piece.course_id,
        origin_id=piece.origin_id,
        video_id=where.video_id,
        start_ms=where.start_ms,
        end_ms=where.end_ms,
        document=where.document,
        page=where.page,
        article=where.article,
        url=where.url,
    )


def confidence(answer: Answer) -> float | None:
    """The match of a direct answer (LittleMu eq. 7), the grade of a taught one, how sure the composer
    is of a composed one; `None` when nothing was measured."""
    trace = answer.trace
    if trace.sufficiency is not None:
        return trace.sufficiency
    if answer.route == "direct":
        given = {one.evidence_id for one in answer.evidence}
        return max((one.match for one in trace.candidates if one.entry_id in given), default=None)
    return next((one.score for one in reversed(trace.verdicts) if one.looked == "grounded" and one.by != "off"), None)


def _turn(begun: OpenTurn, text: str, outcome: Outcome, **more: Any) -> TurnRow:
    experiment, variant = begun.variant or (None, None)
    return TurnRow(
        trace_id=begun.trace_id,
        session_id=begun.session_id,
        person_id=begun.person_id,
        position=0,
        asked_at=begun.asked_at,
        question=begun.question,
        answer=text,
        outcome=outcome,
        course_id=begun.course_id,
        experiment=experiment,
        variant=variant,
        thread_sha256=thread_digest([*questions_in(begun.history), begun.question]),
        **more,
    )
