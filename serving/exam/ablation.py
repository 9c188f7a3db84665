"""`ablate`: what each part of the Chain of Teach is worth to a model, by the marks of the exam.

The same items are asked with every part and without one at a time, all by the Chain of Teach, and what was written is
marked as in an exam. It admits nobody: a service leaves no part out. Answers are kept as those of exams are.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from models.statistics.bootstrap import Counted, paired_difference, share
from models.statistics.intervals import Interval
from serving.assistant.assistant import Assistant
from serving.assistant.generation.chain_of_teach import TeachPart
from serving.assistant.plan import Plan
from serving.exam.admission import FORM, Examined
from serving.exam.exam_files import Papers
from serving.exam.examiner import Board, Examiner, ExamProgress, draw
from serving.exam.item import ExamItem
from serving.exam.marks import MarkName
from serving.llm.client import LanguageModel
from serving.settings import Settings

OF_A_KIND = 12
"""Items of one language and kind that are asked. A choice: five times 84 answers take the default model some minutes on
two cores."""

FIGURES = ("right_sentences", "right_answers", "covers", "honest", "keeps_form")
"""Shares that are compared: of sentences those supported, rightly attributed and not invented; of answers those right,
covering, honest, and with every mark of form."""


@dataclass(frozen=True)
class AblatedPart:
    """The figures without one part, with every part where `part` is `None`. `differences` are the whole Chain of Teach
    less this one, with the 95% interval of the paired bootstrap; above 0, the part helps."""

    part: TeachPart | None
    answers: int
    figures: dict[str, Interval]
    differences: dict[str, Interval]


@dataclass(frozen=True)
class TeachAblation:
    """The rows for one model, the whole Chain of Teach first; `asked` items were answered in every row."""

    model: str
    asked: int
    drawn: int
    rows: tuple[AblatedPart, ...]


async def ablate(
    llm: LanguageModel,
    assistant: Assistant,
    items: Sequence[ExamItem],
    papers: Papers,
    settings: Settings,
    *,
    told: Callable[[TeachPart | None, ExamProgress], None] = lambda part, progress: None,
) -> TeachAblation:
    """Ask `items` with and without each part, within `settings.exam_seconds` in all, and compare.

    `assistant` is to plan by the Chain of Teach (`by_chain`). Raises `LlmError` when the server cannot be asked.
    """
    parts: tuple[TeachPart | None, ...] = (None, *get_args(TeachPart))
    drawn = sample(items, settings)
    answered: dict[TeachPart | None, dict[str, Examined]] = {}
    for part in parts:
        examiner = Examiner(
            llm,
            _board(assistant, part),
            papers,
            settings,
            budget_s=settings.exam_seconds / len(parts),
            told=lambda progress, part=part: told(part, progress),  # type: ignore[misc]
        )
        answered[part] = {one.item_id: one for one in await examiner.mark_all(drawn)}
    return await asyncio.to_thread(compare, papers.model, drawn, answered)


def by_chain(settings: Settings) -> Settings:
    """Settings under which every question is asked by the Chain of Teach, simple ones too."""
    return settings.model_copy(update={"simple_prompt": "teach", "complex_prompt": "teach"})


def sample(items: Sequence[ExamItem], settings: Settings) -> tuple[ExamItem, ...]:
    """`OF_A_KIND` items of each language and kind, those of an exam that come first."""
    spoken = [one for one in items if one.lang in settings.languages]
    return tuple(item for listed in draw(spoken).values() for item in listed[:OF_A_KIND])


def compare(
    model: str, drawn: Sequence[ExamItem], answered: dict[TeachPart | None, dict[str, Examined]]
) -> TeachAblation:
    """The rows over the items that were answered with and without every part."""
    everywhere = [one.item_id for one in drawn if all(one.item_id in found for found in answered.values())]
    whole = _counts([answered[None][item_id] for item_id in everywhere])
    rows = []
    for part, found in answered.items():
        counts = _counts([found[item_id] for item_id in everywhere])
        rows.append(
            AblatedPart(
                part,
                len(everywhere),
                {name: share(counts[name]) for name in FIGURES},
                {} if part is None else {name: paired_difference(whole[name], counts[name]) for name in FIGURES},
            )
        )
    return TeachAblation(model, len(everywhere), len(drawn), tuple(rows))


def figures_of(ablation: TeachAblation) -> Iterator[tuple[str, float]]:
    """Every number by name, as MLflow takes them."""
    yield "asked", float(ablation.asked)
    for row in ablation.rows:
        slug = f"without_{row.part}" if row.part else "whole"
        for name, found in row.figures.items():
            if found.value is not None:
                yield f"{slug}/{name}", found.value
        for name, found in row.differences.items():
            if found.value is not None:
                yield f"{slug}/{name}_lost", found.value


def _board(assistant: Assistant, part: TeachPart | None) -> Board:
    async def planned(item: ExamItem) -> Plan:
        return await assistant.plan_for_exam(
            item.question,
            item.evidence,
            course_id=item.course_id,
            history=item.history,
            without=() if part is None else (part,),
        )

    async def not_compared(item: ExamItem) -> bool:
        return False

    return Board(planned, not_compared, assistant.names_of)


def _counts(found: Sequence[Examined]) -> dict[str, list[Counted]]:
    """Of each figure, item by item, what was counted among how much."""
    return {
        "right_sentences": [(float(sum(one.is_right for one in each.told)), float(len(each.told))) for each in found],
        "right_answers": [(float(each.right), 1.0) for each in found],
        "covers": [(_passed(each, ("covers",)), 1.0) for each in found],
        "honest": [(_passed(each, ("honest",)), 1.0) for each in found],
        "keeps_form": [(_passed(each, FORM), 1.0) for each in found],
    }


def _passed(one: Examined, names: Sequence[MarkName]) -> float:
    return float(all(mark.passed for mark in one.marks if mark.name in names))
