"""What a system answered to the evaluation questions: asked through the real assistant, one row for each question.

Belongs here: asking, and the row. What a run that was stopped leaves is `begun_answers`', what the rows come to
`system_measures`'.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from knowledge_graph.lake.records import from_row
from knowledge_graph.lake.tables import read_rows
from serving.assistant.answer import Answer
from serving.assistant.assistant import Assistant
from serving.assistant.references import without_citations
from serving.assistant.retrieval.evaluating import DEPTH, JudgedQuestion, recall_at_5
from serving.evaluation.sets.evaluation_sets import EvaluationQuestion
from serving.evaluation.systems.citations import count_citations
from serving.evaluation.systems.model_alone import ModelAlone
from serving.evaluation.systems.rouge import rouge
from serving.gateway.knowledge import Knowledge
from serving.gateway.turn_record import confidence
from serving.index.search import SearchIndex
from serving.llm.concurrency import for_each

log = structlog.get_logger(__name__)

FAILED = "failed"
"""In place of a route: an error came, and no answer."""

_AWAY = "LlmUnavailable:"
"""The error of a server that is gone: it says nothing about the system, and the question is asked again."""


@dataclass(frozen=True)
class SystemAnswer:
    """One row of `SYSTEM_ANSWERS`, which says what the columns are."""

    system: str
    served: str | None
    set: str
    section: str
    question_id: str
    course_id: str | None
    lang: str
    kind: str
    question: str
    route: str
    answer: str
    source: str | None
    top: tuple[str, ...]
    hit_rank: int | None
    recall5: float | None
    references: tuple[str, ...]
    gold_references: int | None
    confidence: float | None
    degraded: bool
    model: str | None
    error: str | None
    total_ms: float | None
    rouge1: float | None
    rouge2: float | None
    rougel: float | None
    statements: int
    supported_statements: int
    citations: int
    supported_citations: int
    grounded: bool | None

    @property
    def was_asked(self) -> bool:
        """Whether the model server was there, where one was needed."""
        return self.served is None or self.error is None or not self.error.startswith(_AWAY)


@dataclass(frozen=True)
class Asking:
    """Which system is asked, with which model there to write (`None` without one), and how many questions at once."""

    system: str
    served: str | None
    at_once: int


async def answer_all(
    asking: Asking,
    questions: Sequence[EvaluationQuestion],
    *,
    knowledge: Knowledge,
    assistant: Assistant | ModelAlone,
    done: Callable[[SystemAnswer], None],
) -> None:
    """Ask every question and hand each row over as soon as it is known. A question that fails has a row that says so.

    Where there are several, the first is asked twice and its second answer taken: what is prepared once is not part of
    a question's time.
    """
    row = partial(_row, asking, index=knowledge.index)

    async def work(asked: EvaluationQuestion) -> None:
        try:
            answer = await assistant.answer(asked.question, course_id=asked.course_id)
            found = row(asked, answer)
        except Exception as error:  # whatever it is, the other questions are asked; the row and the log name it
            log.exception("question_failed", question_id=asked.question_id, system=asking.system)
            found = row(asked, f"{type(error).__name__}: {error}")
        done(found)

    if asking.served is None and questions:
        await _prepare(assistant, questions[0])
    await for_each(questions, work, at_once=asking.at_once)


async def _prepare(assistant: Assistant | ModelAlone, asked: EvaluationQuestion) -> None:
    try:
        await assistant.answer(asked.question, course_id=asked.course_id)
    except Exception:  # it is asked again, and its row tells
        log.exception("question_failed", question_id=asked.question_id)


def _row(asking: Asking, asked: EvaluationQuestion, answer: Answer | str, *, index: SearchIndex) -> SystemAnswer:
    """The row of an answer, or of the error in its place."""
    same = {name: getattr(asked, name) for name in ("set", "section", "question_id", "course_id", "lang", "kind")}
    known = {"system": asking.system, "served": asking.served, **same, "question": asked.question}
    text = "" if isinstance(answer, str) else without_citations(answer.text)
    return SystemAnswer(
        **known,
        **(_nothing(asked, answer) if isinstance(answer, str) else _answer_row(asked, answer, index, asking.served)),
        answer=text,
        **_rouge(text, asked.reference),
    )


def _answer_row(asked: EvaluationQuestion, answer: Answer, index: SearchIndex, served: str | None) -> dict[str, Any]:
    gold, top = frozenset(asked.gold), _top(answer, asked.gold, index)
    references = [_gold_name(one.evidence_id, one.origin_id, gold) for one in answer.references]
    counted = count_citations(answer, weigh=index.idf)
    cited = asdict(counted) if counted else _NOT_COUNTED
    return {
        "route": answer.route,
        "source": answer.evidence[0].source if answer.evidence else None,
        "top": tuple(top),
        "hit_rank": next((place for place, key in enumerate(top, start=1) if key in gold), None),
        "recall5": recall_at_5(JudgedQuestion(asked.question, top, gold)) if gold else None,
        "references": tuple(references),
        "gold_references": sum(one in gold for one in references) if gold else None,
        "confidence": confidence(answer),
        "degraded": answer.degraded,
        "model": answer.trace.model,
        "error": answer.trace.error,
        "total_ms": answer.trace.timings.get("total_ms"),
        **cited,
        "grounded": counted.grounded if counted and served else None,
    }


_NOT_COUNTED: Mapping[str, int | None] = {
    **dict.fromkeys(("statements", "supported_statements", "citations", "supported_citations"), 0),
    "grounded": None,
}


def _nothing(asked: EvaluationQuestion, error: str) -> dict[str, Any]:
    """The fields of a question that failed."""
    return {
        **dict.fromkeys(("source", "hit_rank", "confidence", "model", "total_ms")),
        "route": FAILED,
        "top": (),
        "recall5": 0.0 if asked.gold else None,
        "references": (),
        "gold_references": 0 if asked.gold else None,
        "degraded": True,
        "error": error,
        **_NOT_COUNTED,
    }


def _rouge(text: str, reference: str) -> dict[str, Any]:
    if not reference:
        return dict.fromkeys(("rouge1", "rouge2", "rougel"))
    found = rouge(text, reference)
    return {"rouge1": found.r1, "rouge2": found.r2, "rougel": found.rl}


def _top(answer: Answer, gold: Sequence[str], index: SearchIndex) -> list[str]:
    """What was found, best first: the answer that was given, then the candidates as they were ranked."""
    given = [one.evidence_id for one in answer.evidence] if answer.route == "direct" else []
    keys = dict.fromkeys([*given, *(one.entry_id for one in answer.trace.candidates)])
    entries = index.entries("qa", list(keys)[:DEPTH])
    return [_gold_name(one.entry_id, one.origin_id, frozenset(gold)) for one in entries]


def _gold_name(entry_id: str, origin_id: str | None, gold: frozenset[str]) -> str:
    """The name that the gold set knows it by, as in `serving.assistant.retrieval.comparison.list_found_ids`."""
    return entry_id if entry_id in gold or origin_id is None else origin_id


def read_answers(path: Path) -> tuple[SystemAnswer, ...]:
    """The rows that the asset wrote to `DataDir.system_answers(name)`."""
    return tuple(from_row(SystemAnswer, row) for row in read_rows(path))


def version_of(rows: Sequence[SystemAnswer]) -> str:
    """The same for the same answers, however long they took."""
    told = [{name: value for name, value in asdict(one).items() if name != "total_ms"} for one in rows]
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()
