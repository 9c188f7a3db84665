"""Many answers through the assistant, each looked at by `serving.evaluation.answer_audit`, and what came of all of
them."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.evaluation.answer_audit import audit
from serving.evaluation.course_questions import CourseQuestion
from serving.llm.concurrency import for_each

AT_ONCE = 8
"""Questions asked at the same time: what vLLM answers at once on a processor."""

_WRITTEN = ("teach", "explain")
"""Routes whose answers are written by the model from what was found."""

_NOT_ASKED = ("LlmUnavailable:", "LlmTimeout:")
"""Errors of a server that is away or too slow: they say nothing about the model, and the question is asked again."""


@dataclass(frozen=True)
class AuditedAnswer:
    """One answer and what was found wrong with it. `verdicts` are `grounded: yes .93 material` and the like.

    `model` wrote it, `None` when none did; `served` is the model that was there to write. `error` is why it did not.
    """

    id: str
    course_id: str
    question: str
    route: str
    text: str
    model: str | None
    served: str
    error: str | None
    degraded: bool
    cited: int
    quoted: int
    unresolved: tuple[int, ...]
    invented: tuple[str, ...]
    verdicts: tuple[str, ...]
    no_verdicts: tuple[str, ...]
    path: tuple[str, ...]
    seconds: float

    @property
    def is_generated(self) -> bool:
        """Whether it is the model's text, and not the material's in its place or one that broke off."""
        written = self.route in _WRITTEN and self.model is not None
        return written and self.error is None and not self.degraded

    @property
    def was_asked(self) -> bool:
        """Whether the model server was there to answer."""
        return self.error is None or not self.error.startswith(_NOT_ASKED)


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
    assistant: Assistant, questions: Sequence[CourseQuestion], *, served: str, done: Callable[[AuditedAnswer], None]
) -> None:
    """Answer every question, `AT_ONCE` at a time, and hand each over as it is done. `served` names the model."""

    async def work(asked: CourseQuestion) -> None:
        started = time.perf_counter()
        answer = await assistant.answer(asked.question, course_id=asked.course_id)
        done(_audit(asked, answer, served, time.perf_counter() - started))

    await for_each(questions, work, at_once=AT_ONCE)


def score_audits(answers: Sequence[AuditedAnswer]) -> AuditScores:
    """All figures; of no answers all are 0."""
    return AuditScores(
        answers=len(answers),
        generated=sum(one.is_generated for one in answers),
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


def _audit(asked: CourseQuestion, answer: Answer, served: str, seconds: float) -> AuditedAnswer:
    found = audit(answer)
    said = (f"{one.looked}: {'yes' if one.passed else 'no'} {one.score:.2f} {one.by}" for one in answer.trace.verdicts)
    return AuditedAnswer(
        id=asked.question_id,
        course_id=asked.course_id,
        question=asked.question,
        route=answer.route,
        text=answer.text,
        model=answer.trace.model,
        served=served,
        error=answer.trace.error,
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
