"""From a finished turn to its `Trace`. Pure but for the time."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from serving.assistant.composing.composed import ComposedPart
from serving.assistant.graded_work.sessions import Ruling
from serving.assistant.references import Reference
from serving.assistant.reflection.loop import Prepared
from serving.assistant.retrieval.candidates import PairCandidate
from serving.assistant.trace import CandidateTrace, PartTrace, RuleTrace, Trace, VerdictTrace, prompt_digest
from serving.assistant.turn import Turn


def trace_of(
    prepared: Prepared,
    references: Sequence[Reference],
    turn: Turn,
    *,
    beta: float,
    index_version: str,
    versions: Mapping[str, str],
) -> Trace:
    """Everything that led to one answer."""
    asked, retrieved, plan = prepared.asked, prepared.retrieved, prepared.plan
    composed = plan.composed if plan.instead is None else plan.instead.composed
    looked_at = {one.entry.entry_id: one for one in (*retrieved.ranked, retrieved.best) if one is not None}
    return Trace(
        trace_id=turn.trace_id,
        at=_now(),
        question=turn.question,
        resolved=turn.resolved.question,
        follow_up=turn.resolved.reason,
        added=turn.resolved.added,
        choices=turn.choices,
        course_id=turn.course_id,
        lang=asked.lang,
        route=plan.route,
        category=asked.category,
        kind=asked.kind,
        question_kind=composed.kind if composed is not None else None,
        coverage=composed.coverage if composed is not None else None,
        sufficiency=round(composed.score, 6) if composed is not None and plan.route != "clarify" else None,
        parts=tuple(map(_part_trace, composed.parts)) if composed is not None else (),
        form=asked.form,
        refusal=asked.refusal if plan.route in ("clarify", "refuse") else None,
        h=asked.h,
        alpha=asked.alpha,
        beta=beta,
        concepts=tuple(concept.concept_id for concept in asked.concepts),
        strategy=retrieved.strategy,
        queries=retrieved.queries,
        retrieval_notes=retrieved.notes,
        by_concepts=retrieved.by_concepts,
        candidates=tuple(_candidate_trace(one) for one in looked_at.values()),
        evidence=tuple(one.evidence_id for one in plan.evidence),
        references=tuple(one.evidence_id for one in references),
        template=plan.template,
        policy=plan.policy,
        prompt_sha256=prompt_digest(plan.messages),
        model=turn.model,
        index_version=index_version,
        rewordings=tuple(turn.rewordings),
        path=turn.walk.path,
        verdicts=tuple(VerdictTrace(one.looked, one.passed, round(one.score, 6), one.by) for one in turn.verdicts),
        error=turn.error,
        timings=turn.timings,
        versions=dict(versions),
        rule=None if plan.rule is None else _rule_trace(plan.rule),
    )


def trace_again(given: Trace, turn: Turn) -> Trace:
    """The trace of an answer that was given before, for another student who asked the same."""
    first = given.given_before or given.trace_id
    return replace(
        given,
        trace_id=turn.trace_id,
        at=_now(),
        question=turn.question,
        timings=turn.timings,
        given_before=first,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _rule_trace(ruling: Ruling) -> RuleTrace:
    item = ruling.item
    return RuleTrace(item.course_id, item.assessment, item.number, item.allows, ruling.turn, ruling.by)


def _part_trace(part: ComposedPart) -> PartTrace:
    return PartTrace(part.question, part.kind, part.coverage, round(part.score, 6), part.is_stored)


def _candidate_trace(candidate: PairCandidate) -> CandidateTrace:
    return CandidateTrace(
        entry_id=candidate.entry.entry_id,
        source=candidate.entry.source,
        score=round(candidate.score, 6),
        match=round(candidate.match, 6),
        parts={name: round(value, 6) for name, value in candidate.parts.items()},
    )
