"""Many answers through the assistant, each looked at by `serving.answer_audit`, and what came of all of them."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from serving.answer import Answer
from serving.answer_audit import audit
from serving.assistant import Assistant
from serving.evaluation.course_questions import CourseQuestion

AT_ONCE = 8
"""Questions asked at the same time: what vLLM answers at once on a processor."""


@dataclass(frozen=True)
class AuditedAnswer:
    """One answer and what was found wrong with it. `verdicts` are `grounded: yes .93 material` and the like."""

    id: str
    course_id: str
    question: str
    route: str
    text: str
    model: str | None
    degraded: bool
    cited: int
    quoted: int
    unresolved: tuple[int, ...]
    invented: tuple[str, ...]
    verdicts: tuple[str, ...]
    no_verdicts: tuple[str, ...]
    path: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class AuditScores:
    """Figures over answers: counts, and what must be 0 (`unresolved`, `invented`, `no_verdicts`)."""

    answers: int
    generated: int
    routes: Mapping[str, int]
    degraded: int
    citations: int
    unresolved: int
    quotes: int
    invented: int
    verdicts: int
    no_verdicts: int
    seconds: float

    @property
    def holds(self) -> bool:
        return not (self.unresolved or self.invented or self.no_verdicts)


async def answer_audited(
    assistant: Assistant, questions: Sequence[CourseQuestion], *, done: Callable[[AuditedAnswer], None]
) -> None:
    """Answer every question, `AT_ONCE` at a time, and hand each over as it is done."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(asked: CourseQuestion) -> None:
        async with turns:
            started = time.perf_counter()
            answer = await assistant.answer(asked.question, course_id=asked.course_id)
            done(_audited(asked, answer, time.perf_counter() - started))

    async with asyncio.TaskGroup() as group:
        for asked in questions:
            group.create_task(one(asked))


def score_audits(answers: Sequence[AuditedAnswer]) -> AuditScores:
    """All figures; of no answers all are 0."""
    return AuditScores(
        answers=len(answers),
        generated=sum(one.model is not None for one in answers),
        routes=dict(sorted(Counter(one.route for one in answers).items())),
        degraded=sum(one.degraded for one in answers),
        citations=sum(one.cited for one in answers),
        unresolved=sum(len(one.unresolved) for one in answers),
        quotes=sum(one.quoted for one in answers),
        invented=sum(len(one.invented) for one in answers),
        verdicts=sum(len(one.verdicts) for one in answers),
        no_verdicts=sum(len(one.no_verdicts) for one in answers),
        seconds=round(sum(one.seconds for one in answers), 1),
    )


def _audited(asked: CourseQuestion, answer: Answer, seconds: float) -> AuditedAnswer:
    found = audit(answer)
    said = (f"{one.looked}: {'yes' if one.passed else 'no'} {one.score:.2f} {one.by}" for one in answer.trace.verdicts)
    return AuditedAnswer(
        id=asked.question_id,
        course_id=asked.course_id,
        question=asked.question,
        route=answer.route,
        text=answer.text,
        model=answer.trace.model,
        degraded=answer.degraded,
        cited=found.cited,
        quoted=found.quoted,
        unresolved=found.unresolved,
        invented=found.invented,
        verdicts=tuple(said),
        no_verdicts=found.no_verdicts,
        path=answer.trace.path,
        seconds=round(seconds, 2),
    )


def fields_of(answer: AuditedAnswer) -> dict[str, object]:
    """As a line of JSON has it."""
    return asdict(answer)
