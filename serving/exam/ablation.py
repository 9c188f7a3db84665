"""`ablate`: what each part of the Chain of Teach is worth to a model, by the marks of the exam.

The same items are asked with every part and without one at a time, all by the Chain of Teach, and what was written is
marked as in an exam. It admits nobody: a service leaves no part out. Answers are kept as those of exams are.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import get_args

from models.statistics.bootstrap import Counted, difference_of_pairs, share
from models.statistics.intervals import Interval
from serving.assistant.assistant import Assistant
from serving.assistant.generation.chain_of_teach import TeachPart
from serving.assistant.plan import Plan
from serving.exam.admission import FORM, Examined
from serving.exam.exam_files import Papers
from serving.exam.examiner import AT_ONCE, Board, Examiner, ExamProgress, draw
from serving.exam.item import ExamItem
from serving.exam.marks import MarkName
from serving.llm.language_model import LanguageModel
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
    told: Callable[[ExamProgress], None] = lambda progress: None,
) -> TeachAblation:
    """Ask `items` with and without each part for `settings.exam_seconds` at most, and compare.

    An item is asked in every way before the next one, so that time that is up costs items and no comparison.
    `assistant` is to plan by the Chain of Teach (`by_chain`). Raises `LlmError` when the server cannot be asked.
    """
    parts: tuple[TeachPart | None, ...] = (None, *get_args(TeachPart))
    drawn, began = sample(items, settings), time.monotonic()
    left, answered = list(drawn), dict[str, dict[TeachPart | None, Examined]]()
    asking = {
        part: Examiner(llm, _board(assistant, part), papers, settings, budget_s=settings.exam_seconds) for part in parts
    }

    async def work() -> None:
        while left:
            item = left.pop(0)
            found = {part: one for part in parts if (one := await asking[part].mark(item)) is not None}
            if len(found) == len(parts):
                answered[item.item_id] = found
            told(ExamProgress(len(answered), len(drawn), time.monotonic() - began))

    with suppress(TimeoutError):
        async with asyncio.timeout(settings.exam_seconds):
            await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return await asyncio.to_thread(compare, papers.model, drawn, answered)


def by_chain(settings: Settings) -> Settings:
    """Settings under which every question is asked by the Chain of Teach, simple ones too."""
    return settings.model_copy(update={"simple_prompt": "teach", "complex_prompt": "teach"})


def sample(items: Sequence[ExamItem], settings: Settings) -> tuple[ExamItem, ...]:
    """`OF_A_KIND` items of each language and kind, those of an exam that come first, the kinds in turn."""
    spoken = [one for one in items if one.lang in settings.languages]
    cells = [listed[:OF_A_KIND] for listed in draw(spoken).values()]
    return tuple(item for turn in zip_longest(*cells) for item in turn if item is not None)


def compare(
    model: str, drawn: Sequence[ExamItem], answered: Mapping[str, Mapping[TeachPart | None, Examined]]
) -> TeachAblation:
    """The rows over the items that were answered with and without every part."""
    found = [answered[item.item_id] for item in drawn if item.item_id in answered]
    whole = _counts([one[None] for one in found])
    rows = [AblatedPart(None, len(found), {name: share(whole[name]) for name in FIGURES}, {})]
    for part in get_args(TeachPart):
        counts = _counts([one[part] for one in found])
        shares = {name: share(counts[name]) for name in FIGURES}
        differences = {name: difference_of_pairs(whole[name], counts[name]) for name in FIGURES}
        rows.append(AblatedPart(part, len(found), shares, differences))
    return TeachAblation(model, len(found), len(drawn), tuple(rows))


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
    async def plan(item: ExamItem) -> Plan:
        return await assistant.plan_for_exam(
            item.question,
            item.evidence,
            course_id=item.course_id,
            history=item.history,
            without=() if part is None else (part,),
        )

    async def not_compared(item: ExamItem) -> bool:
        return False

    return Board(plan, not_compared, assistant.names_of)


def _counts(found: Sequence[Examined]) -> dict[str, list[Counted]]:
    """For each figure, per item: how many were counted, and out of how many."""
    return {
        "right_sentences": [
            (float(sum(one.is_right for one in each.claims)), float(len(each.claims))) for each in found
        ],
        "right_answers": [(float(each.right), 1.0) for each in found],
        "covers": [(_pass_score(each, ("covers",)), 1.0) for each in found],
        "honest": [(_pass_score(each, ("honest",)), 1.0) for each in found],
        "keeps_form": [(_pass_score(each, FORM), 1.0) for each in found],
    }


def _pass_score(one: Examined, names: Sequence[MarkName]) -> float:
    return float(all(mark.passed for mark in one.marks if mark.name in names))
