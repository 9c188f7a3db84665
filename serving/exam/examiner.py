"""`Examiner`: asks a model the exam of the courses, marks what it writes, and says whether it may write.

A budget of seconds decides how many items are asked. They are drawn kind by kind, so that every kind gets its share,
and a kind that can no longer be admitted is left: a model that fails fails soon. Answers are kept as they come.
"""

import asyncio
import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace

import structlog

from serving.assistant.plan import Plan
from serving.exam.admission import WRITTEN, Admission, Examined, can_be_admitted, can_behave, standings
from serving.exam.exam_files import Papers, Written, prompt_key
from serving.exam.item import ExamItem
from serving.exam.judge import ExamJudge
from serving.exam.marks import all_marks, judge, repeats_nothing
from serving.llm.language_model import LanguageModel, LlmError
from serving.settings import Settings

log = structlog.get_logger(__name__)

MOST_OF_A_KIND = 60
"""Items of one kind and language that are asked at most. A choice."""

MOST_OF_BEHAVIOUR = 24
"""Likewise of kinds that test how a model behaves, where answers and not sentences are counted."""

LEAST_OF_A_KIND = 5
"""Items that are asked before a kind is given up, so that its marks say something. A choice: with ten the default model
was refused as surely, half a minute later."""

AT_ONCE = 8
"""Items that are asked at once: what vLLM answers together costs little more than one."""

MOST_FAILURES = 2 * AT_ONCE
"""Items in a row that the server may fail at before the exam is given up: one silence of a busy server fails all that
are asked at once. A choice."""

Cell = tuple[str, str]


@dataclass(frozen=True)
class ExamProgress:
    """How far an exam is: items asked of those drawn, and the seconds it took."""

    asked: int
    drawn: int
    seconds: float


@dataclass(frozen=True)
class Board:
    """What an examiner needs of the product: the plan that a model would be given for an item, whether the composed
    answer to it is right, and the names of a course's concepts."""

    planned: Callable[[ExamItem], Awaitable[Plan]]
    composed_right: Callable[[ExamItem], Awaitable[bool]]
    names: Callable[[str], Collection[str]]


class _Sitting:
    """One exam under way: what is left to ask by kind, and what came of what was asked.

    As many items are asked at once, answers come in any order; each kind is decided by its answers in the order in
    which they were drawn, and those behind the one that decides do not count. So the result does not depend on which
    came first.
    """

    def __init__(self, drawn: dict[Cell, list[ExamItem]]) -> None:
        self._drawn = drawn
        self._taken: Counter[Cell] = Counter()
        self._settled: dict[str, Examined | None] = {}
        self._is_given_up: set[Cell] = set()
        self._is_refused: set[str] = set()

    @property
    def item_count(self) -> int:
        return sum(map(len, self._drawn.values()))

    @property
    def answer_count(self) -> int:
        return sum(one is not None for one in self._settled.values())

    def take(self) -> ExamItem | None:
        """The next item: of the kind with the fewest asked that can still be admitted."""
        open_cells = [cell for cell in self._drawn if self._is_open(cell)]
        if not open_cells:
            return None
        cell = min(open_cells, key=lambda one: (self._taken[one], one))
        self._taken[cell] += 1
        return self._drawn[cell][self._taken[cell] - 1]

    def settle(self, item: ExamItem, one: Examined | None) -> None:
        """Note an answer, `None` where there is none, and give up what can no longer be admitted: its kind, or all
        kinds of its language."""
        self._settled[item.item_id] = one
        cell = (item.lang, item.kind)
        _, is_decided = self._answers(cell)
        if is_decided and item.kind in WRITTEN:
            self._is_given_up.add(cell)
        elif is_decided:
            self._is_refused.add(item.lang)

    def count_answers(self) -> list[Examined]:
        """The answers that count: of each kind all, or those up to the one that decided it; of a language that is
        refused the fewest that say something."""
        counted = []
        for cell, drawn in self._drawn.items():
            answers, is_decided = self._answers(cell)
            if not is_decided:  # the budget may have ended while one of them was asked
                settled = (self._settled.get(item.item_id) for item in drawn)
                answers = [one for one in settled if one is not None]
            counted += answers[:LEAST_OF_A_KIND] if cell[0] in self._is_refused else answers
        return sorted(counted, key=lambda one: one.item_id)

    def _answers(self, cell: Cell) -> tuple[list[Examined], bool]:
        """The answers of a kind up to the one after which it cannot be admitted any more, and whether there is one."""
        asked: list[Examined] = []
        for number, item in enumerate(self._drawn[cell], 1):
            if item.item_id not in self._settled:
                break
            if (one := self._settled[item.item_id]) is not None:
                asked.append(one)
                if len(asked) >= LEAST_OF_A_KIND and not _can_pass(asked, len(self._drawn[cell]) - number):
                    return asked, True
        return asked, False

    def _is_open(self, cell: Cell) -> bool:
        if cell in self._is_given_up or self._taken[cell] == len(self._drawn[cell]):
            return False
        return cell[0] not in self._is_refused or self._taken[cell] < LEAST_OF_A_KIND


def _can_pass(asked: Sequence[Examined], left: int) -> bool:
    """Whether a kind can still pass; one that is written with as many right answers of kinds like it besides."""
    return can_be_admitted(asked, left + len(asked)) if asked[0].kind in WRITTEN else can_behave(asked, left)


class Examiner:
    """Over one model. `budget_s` is the longest that it asks; what was kept in `papers` costs nothing."""

    def __init__(
        self,
        llm: LanguageModel,
        board: Board,
        papers: Papers,
        settings: Settings,
        *,
        budget_s: float,
        told: Callable[[ExamProgress], None] = lambda progress: None,
        judge: ExamJudge | None = None,
    ) -> None:
        self._judge = judge
        self._llm, self._board, self._papers, self._settings = llm, board, papers, settings
        self._budget, self._told = budget_s, told
        self._known = papers.read_written()
        self._failures = 0

    async def examine(self, items: Sequence[ExamItem], key: str) -> Admission:
        """The result of the exam, kept in the papers. Raises `LlmError` when the server cannot be asked at all."""
        began = time.monotonic()
        drawn = draw([one for one in items if one.lang in self._settings.languages])
        sitting = _Sitting(drawn)
        is_over = False
        with suppress(TimeoutError):
            async with asyncio.timeout(self._budget):
                await asyncio.gather(*(self._work(sitting, began) for _ in range(AT_ONCE)))
                is_over = True
        is_whole = is_over and sitting.take() is None
        admission = self._result(sitting, key, time.monotonic() - began, is_whole=is_whole, items=len(items))
        self._papers.publish(admission)
        return admission

    async def _work(self, sitting: _Sitting, began: float) -> None:
        while time.monotonic() - began < self._budget and (item := sitting.take()) is not None:
            sitting.settle(item, await self.mark(item))
            self._told(ExamProgress(sitting.answer_count, sitting.item_count, time.monotonic() - began))

    async def mark(self, item: ExamItem) -> Examined | None:
        """An item asked and marked; `None` where the model is not asked or its server failed.

        Raises `LlmError` when that fails again and again.
        """
        plan = await self._board.planned(item)
        if not plan.messages or (written := await self._write(plan)) is None:
            return None
        composed_right = await self._board.composed_right(item)
        one = await asyncio.to_thread(self._examine, item, plan, written, composed_right)
        return one if self._judge is None else replace(one, judged_right=await self._judge.is_right(one.answer, item))

    async def _write(self, plan: Plan) -> Written | None:
        """What the model writes to a plan; `None` for an item that its server failed at, unless it fails again and
        again."""
        prompt = prompt_key(plan.messages, self._settings)
        if prompt not in self._known:
            try:
                written = await self._ask(plan, prompt)
            except LlmError as error:
                self._failures += 1
                log.warning("item_not_answered", reason=str(error), failures=self._failures)
                if self._failures >= MOST_FAILURES:
                    raise
                return None
            self._failures = 0
            self._known[prompt] = written
            self._papers.keep(written)
        return self._known[prompt]

    async def _ask(self, plan: Plan, prompt: str) -> Written:
        """What the model writes as it comes, unfiltered; one that repeats itself is stopped, for it has failed."""
        began, first, tokens, parts = time.monotonic(), None, None, list[str]()
        settings = self._settings
        stream = self._llm.stream(plan.messages, max_tokens=settings.max_tokens, temperature=settings.temperature)
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if piece.text and first is None:
                    first = time.monotonic() - began
                parts.append(piece.text)
                tokens = piece.completion_tokens if piece.completion_tokens is not None else tokens
                if "." in piece.text and not repeats_nothing("".join(parts)).passed:
                    break
        return Written(prompt, "".join(parts).strip(), first, time.monotonic() - began, tokens)

    def _examine(self, item: ExamItem, plan: Plan, written: Written, composed_right: bool) -> Examined:
        names = self._board.names(item.course_id)
        asked = "" if item.kind == "regulation" else item.question  # a claim that is to be denied is no knowledge
        sentences = judge(written.text, plan.evidence, question=asked, names=names)
        marks = all_marks(written.text, item, evidence=plan.evidence, sentences=sentences, examples=plan.examples)
        return Examined(
            item_id=item.item_id,
            course_id=item.course_id,
            lang=item.lang,
            kind=item.kind,
            question=item.question,
            answer=written.text,
            sentences=sentences,
            marks=marks,
            composed_right=composed_right,
            first_token_s=written.first_token_s,
            seconds=written.seconds,
            tokens=written.tokens,
        )

    def _result(self, sitting: _Sitting, key: str, seconds: float, *, is_whole: bool, items: int) -> Admission:
        found = sitting.count_answers()
        firsts = sorted(one.first_token_s for one in found if one.first_token_s is not None)
        counted = [one for one in found if one.tokens]
        spent = sum(one.seconds for one in counted)
        return Admission(
            key=key,
            model=self._papers.model,
            standings=standings(found),
            sentences=sum(len(one.claims) for one in found),
            right_sentences=sum(sentence.is_right for one in found for sentence in one.claims),
            asked=sitting.answer_count,
            items=items,
            seconds=seconds,
            first_token_s=firsts[len(firsts) // 2] if firsts else None,
            tokens_per_second=sum(one.tokens or 0 for one in counted) / spent if spent else None,
            is_whole=is_whole,
        )


def draw(items: Sequence[ExamItem]) -> dict[Cell, list[ExamItem]]:
    """The sample for each language and kind: teachers' and courses' items mixed, the same each time."""
    found: dict[Cell, list[ExamItem]] = defaultdict(list)
    for item in sorted(items, key=lambda one: hashlib.sha256(one.item_id.encode()).hexdigest()):
        found[item.lang, item.kind].append(item)
    return {
        cell: listed[: MOST_OF_A_KIND if cell[1] in WRITTEN else MOST_OF_BEHAVIOUR]
        for cell, listed in sorted(found.items())
    }


def figures(admission: Admission) -> Iterator[tuple[str, float]]:
    """Every number of a result by name, as MLflow takes them."""
    yield "share", admission.share
    yield "asked", float(admission.asked)
    yield "seconds", admission.seconds
    if admission.first_token_s is not None:
        yield "first_token_s", admission.first_token_s
    if admission.tokens_per_second is not None:
        yield "tokens_per_second", admission.tokens_per_second
    for one in admission.standings:
        name = f"{one.lang}_{one.kind}"
        yield f"{name}_share", one.share
        yield f"{name}_low", one.low
        yield f"{name}_sentences", float(one.sentences)
        yield f"{name}_answers", float(one.answers)
        yield f"{name}_right_answers", float(one.right_answers)
        yield f"{name}_composed_right", float(one.composed_right)
        yield f"{name}_admitted", float(one.is_admitted)
        if one.judged:
            yield f"{name}_judged_right", one.judged_right / one.judged
        for mark, share in sorted(one.marks.items()):
            yield f"{name}_{mark}", share
