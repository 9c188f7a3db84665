"""Sends multiple-choice questions through the path that a student's takes, and keeps what came of each.

Text → `question_form` → `answer_choice`. Nothing is looked up: what is measured is the model and what is made of its
words, not a course's material.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from serving.assistant.generation.choosing import whole_choice
from serving.assistant.generation.multiple_choice import ChoiceAnswer, ChoiceQuestion
from serving.assistant.understanding.form import question_form
from serving.evaluation.choice_questions import KnownQuestion
from serving.llm.concurrency import for_each
from serving.llm.language_model import LanguageModel, LlmRejected

AT_ONCE = 8
"""Questions on their way at once: vLLM answers eight nearly as fast as one."""


@dataclass(frozen=True)
class KnownAnswer:
    """What came of one question. `named` is the label the answer names, `None` when there is no answer.

    `explained` says of each option, by label, who explained it: "model" or "coteach".
    """

    id: str
    subject: str
    options: int
    answer: str
    named: str | None
    chosen_by: str | None
    probabilities: Mapping[str, float]
    explained: Mapping[str, str]
    explanations: Mapping[str, str]
    problems: Mapping[str, str]
    seconds: float
    model: str
    failed: str | None = None

    @property
    def is_right(self) -> bool:
        return self.named == self.answer

    @property
    def names_an_option(self) -> bool:
        return self.named is not None

    @property
    def explains_every_option(self) -> bool:
        """Whether something is said of every option, by whomever."""
        return len(self.explained) == self.options

    @property
    def is_explained_by_model(self) -> bool:
        return self.explains_every_option and set(self.explained.values()) == {"model"}

    def fields(self) -> dict[str, object]:
        """As a JSON line."""
        return asdict(self) | {"right": self.is_right}


async def answer_known(
    llm: LanguageModel, questions: Sequence[KnownQuestion], *, model: str, done: Callable[[KnownAnswer], None]
) -> None:
    """Answer every question and tell each as it is done. Raises `LlmError` when the server is gone."""

    async def work(question: KnownQuestion) -> None:
        done(await answer_one(llm, question, model=model))

    await for_each(questions, work, at_once=AT_ONCE)


async def answer_one(llm: LanguageModel, question: KnownQuestion, *, model: str) -> KnownAnswer:
    """Answer one question as a student would send it."""
    started = time.monotonic()
    form = question_form(question.as_sent)
    if form.form != "mcq" or not form.is_whole or len(form.options) != len(question.options):
        return _make_failed_answer(question, f"read as {form.form} with {len(form.options)} options", model)
    try:
        found = await whole_choice(llm, ChoiceQuestion(form.stem, form.options, question.lang))
    except LlmRejected as error:
        return _make_failed_answer(question, f"{type(error).__name__}: {error}", model)
    return _known_answer(question, found, model, time.monotonic() - started)


def _known_answer(question: KnownQuestion, found: ChoiceAnswer, model: str, seconds: float) -> KnownAnswer:
    said = {one.option.label: one for one in found.explanations}
    return KnownAnswer(
        id=question.question_id,
        subject=question.subject,
        options=len(question.options),
        answer=question.answer,
        named=found.answer.label,
        chosen_by=found.chosen_by,
        probabilities={label: round(share, 6) for label, share in found.probabilities.items()},
        explained={label: one.written_by for label, one in said.items()},
        explanations={label: one.text for label, one in said.items()},
        problems={label: one.problem for label, one in said.items() if one.problem is not None},
        seconds=round(seconds, 3),
        model=model,
        failed=found.error,
    )


def _make_failed_answer(question: KnownQuestion, reason: str, model: str) -> KnownAnswer:
    return KnownAnswer(
        id=question.question_id,
        subject=question.subject,
        options=len(question.options),
        answer=question.answer,
        named=None,
        chosen_by=None,
        probabilities={},
        explained={},
        explanations={},
        problems={},
        seconds=0.0,
        model=model,
        failed=reason,
    )
