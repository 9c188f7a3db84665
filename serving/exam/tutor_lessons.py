"""`lessons_of_items`, `lessons_of_pairs`: what a tutor model learns from, made from the home's own courses.

A lesson is asked exactly as the exam and the assistant ask. Its answer is what the material says: to an exam's item the
sentences that answer it, to a stored question the answer that people approved. One that would not pass the exam's own
marks is no lesson, nor is what rests on the half of the evidence that is left for the exam (`may_learn`), nor a
teacher's item.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass

from models.tutor.lessons import TutorLesson, may_learn
from serving.assistant.grounding.sentences import readable, split, split_evidence
from serving.assistant.plan import Plan
from serving.exam.item import ExamItem
from serving.exam.items import item_id
from serving.exam.marks import all_marks, judge
from serving.exam.phrasing import PHRASING
from serving.index.analysis import content_terms
from serving.index.evidence import Evidence

MOST_SENTENCES = 3
"""Most sentences of an answer to learn from: prompts ask for two or three. A choice."""

BESIDE = 2
"""Other pieces of evidence beside the one that a pair's answer is. A choice."""


@dataclass(frozen=True)
class ApprovedPair:
    """A question with the answer that people approved, from a FAQ or a teaching assistant."""

    pair_id: str
    course_id: str
    lang: str
    source: str
    question: str
    answer: str


@dataclass(frozen=True)
class LessonBoard:
    """What lessons need of the product: the plan that a model would be given, and a course's names."""

    planned: Callable[[ExamItem], Awaitable[Plan]]
    names: Callable[[str], Collection[str]]


async def lessons_of_items(items: Sequence[ExamItem], board: LessonBoard) -> AsyncGenerator[TutorLesson]:
    """The items of an exam that a tutor may learn, each with the answer that the material gives."""
    for item in items:
        is_open = all(may_learn(one) for one in item.rests_on) and not _is_own(item)
        if is_open and (lesson := await _lesson(item, word_answer(item), board)) is not None:
            yield lesson


async def lessons_of_pairs(pairs: Sequence[ApprovedPair], board: LessonBoard) -> AsyncGenerator[TutorLesson]:
    """Stored answers that are short enough, each found among the others of its course that are most like it."""
    for pair in pairs:
        if not may_learn(pair.pair_id) or len(split(readable(pair.answer))) > MOST_SENTENCES:
            continue
        item = _item_of(pair, [one for one in pairs if one.course_id == pair.course_id and one is not pair])
        if (lesson := await _lesson(item, pair.answer, board)) is not None:
            yield lesson


def word_answer(item: ExamItem) -> str:
    """What the evidence says in answer to an item: that it says nothing of it, that a claim is wrong and what holds,
    or the sentences nearest to the question and to what must be said."""
    said = PHRASING["zh" if item.lang == "zh" else "en"]
    if not item.is_answerable:
        return said.unsaid
    wanted = {*content_terms(item.question), *(term for group in item.must_say for term in group)}
    gap = "" if item.lang == "zh" else " "
    told = [_nearest(one.text, wanted, item.must_not_say) for one in item.evidence if one.evidence_id in item.rests_on]
    answer = gap.join(dict.fromkeys(told))
    return f"{said.denial}{gap}{answer}" if item.kind == "regulation" else answer


def _nearest(text: str, wanted: Collection[str], never: Sequence[str]) -> str:
    """The sentence of a text that says most of what is wanted, and nothing of what must not be said."""
    fit = [one for one in split_evidence(readable(text)) if not any(wording in one for wording in never)]
    return max(fit, key=lambda one: len(set(content_terms(one)) & set(wanted)), default="")


async def _lesson(item: ExamItem, answer: str, board: LessonBoard) -> TutorLesson | None:
    """A lesson, if the exam itself would pass its answer."""
    plan = await board.planned(item)
    if not plan.messages or not answer:
        return None
    asked = "" if item.kind == "regulation" else item.question
    sentences = judge(answer, plan.evidence, question=asked, names=board.names(item.course_id))
    marks = all_marks(answer, item, evidence=plan.evidence, sentences=sentences, examples=plan.examples)
    if not all(mark.passed for mark in marks):
        return None
    prompt = tuple((message.role, message.content) for message in plan.messages)
    return TutorLesson(item.item_id, item.kind, prompt, answer, tuple(sorted(item.rests_on)))


def _item_of(pair: ApprovedPair, others: Sequence[ApprovedPair]) -> ExamItem:
    """A stored pair as an item: its answer among those most like it, in an order that tells nothing."""
    said = set(content_terms(f"{pair.question} {pair.answer}"))
    beside = sorted(others, key=lambda one: (-len(said & set(content_terms(one.answer))), one.pair_id))[:BESIDE]
    shown = sorted((pair, *beside), key=lambda one: one.pair_id)
    return ExamItem(
        item_id=item_id(pair.course_id, "pair", pair.question),
        course_id=pair.course_id,
        lang=pair.lang,
        kind="definition",
        question=pair.question,
        evidence=tuple(
            Evidence(number, one.pair_id, one.source, one.course_id, one.question, one.answer, origin_id=one.pair_id)
            for number, one in enumerate(shown, 1)
        ),
        subjects=(pair.question,),
    )


def _is_own(item: ExamItem) -> bool:
    """Whether a teacher wrote the item: such are never learnt from."""
    return any(one.evidence_id.startswith(item.item_id) for one in item.evidence)
