"""Asks the model for the answer to a multiple-choice question: one option, then why each is or is not the answer.

The thin shell around `multiple_choice`. A model that fails after the option was named costs explanations, not the
answer; one that fails before raises `LlmError`, as anywhere.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass

from serving.assistant.generation.multiple_choice import (
    ChoiceAnswer,
    ChoiceQuestion,
    OptionExplained,
    WrittenBy,
    best_supported,
    choose_messages,
    explain_messages,
    explanation_parts,
    opening,
    read_explanation,
    without_model,
)
from serving.assistant.understanding.options import Option
from serving.llm.language_model import ChoiceProbabilities, Completion, LanguageModel, LlmError, LlmUseless

OPTION_TOKENS = 80
"""Longest explanation of one option: two or three sentences. A choice."""


@dataclass(frozen=True)
class ChoiceText:
    """A part of the answer's text, in order, and who wrote it: only the model's own words need its filters."""

    text: str
    written_by: WrittenBy


@dataclass(frozen=True)
class _Explained:
    """What is said of one option, what kept the model from writing it, if anything did, and the model's reply."""

    said: OptionExplained
    error: LlmError | None = None
    reply: Completion | None = None


async def answer_choice(
    llm: LanguageModel, question: ChoiceQuestion, *, max_tokens: int = OPTION_TOKENS, temperature: float = 0.2
) -> AsyncGenerator[ChoiceText | ChoiceAnswer, None]:
    """The named option as soon as it is known, then option by option, then the whole `ChoiceAnswer`.

    The options are explained at the same time, for a model server answers several prompts nearly as fast as one. Raises
    `LlmError` when no option could be asked for.
    """
    answer, chosen_by, probabilities = await _choose(llm, question)
    yield ChoiceText(opening(question.options[answer], chosen_by, question.lang), "coteach")
    writing = [
        asyncio.create_task(_explain(llm, question, about, answer, max_tokens=max_tokens, temperature=temperature))
        for about in range(len(question.options))
    ]
    explained: list[_Explained] = []
    try:
        for task in writing:
            one = await task
            explained.append(one)
            begun, text = explanation_parts(one.said, question.lang)
            yield ChoiceText(f"\n\n{begun}", "coteach")
            yield ChoiceText(text, one.said.written_by)
    finally:
        await _end(writing)
    yield _whole(question.options[answer], chosen_by, probabilities, explained)


async def whole_choice(
    llm: LanguageModel, question: ChoiceQuestion, *, max_tokens: int = OPTION_TOKENS, temperature: float = 0.2
) -> ChoiceAnswer:
    """The `ChoiceAnswer` without its parts."""
    async for part in answer_choice(llm, question, max_tokens=max_tokens, temperature=temperature):
        if isinstance(part, ChoiceAnswer):
            return part
    raise AssertionError("answer_choice() ends with a ChoiceAnswer")


async def explain_options(
    llm: LanguageModel,
    question: ChoiceQuestion,
    answer: int,
    *,
    max_tokens: int = OPTION_TOKENS,
    temperature: float = 0.2,
) -> tuple[OptionExplained, ...]:
    """Why each option is or is not the answer, which is known: number `answer`, from 0. Raises `LlmError`."""
    found = await asyncio.gather(
        *(
            _explain(llm, question, about, answer, max_tokens=max_tokens, temperature=temperature)
            for about in range(len(question.options))
        )
    )
    for one in found:
        if one.error is not None:
            raise one.error
    return tuple(one.said for one in found)


def _whole(
    answer: Option, chosen_by: WrittenBy, probabilities: Mapping[str, float], explained: Sequence[_Explained]
) -> ChoiceAnswer:
    errors = [f"{type(one.error).__name__}: {one.error}" for one in explained if one.error is not None]
    replies = [one.reply for one in explained if one.reply is not None]
    return ChoiceAnswer(
        answer,
        chosen_by,
        probabilities,
        tuple(one.said for one in explained),
        errors[0] if errors else None,
        prompt_tokens=sum(one.prompt_tokens or 0 for one in replies),
        completion_tokens=sum(one.completion_tokens or 0 for one in replies),
    )


async def _choose(llm: LanguageModel, question: ChoiceQuestion) -> tuple[int, WrittenBy, dict[str, float]]:
    """The number of the option, whose choice it was, and how likely the model holds each by the student's label."""
    labels = [option.label for option in question.options_for_model]
    try:
        chosen: ChoiceProbabilities = await llm.choose(choose_messages(question), labels)
    except LlmUseless:
        return best_supported(question), "coteach", {}
    own = dict(zip(labels, (option.label for option in question.options), strict=True))
    return labels.index(chosen.choice), "model", {own[label]: p for label, p in chosen.probabilities.items()}


async def _explain(
    llm: LanguageModel, question: ChoiceQuestion, about: int, answer: int, *, max_tokens: int, temperature: float
) -> _Explained:
    messages = explain_messages(question, about, answer)
    try:
        reply = await llm.complete(messages, max_tokens=max_tokens, temperature=temperature)
    except LlmUseless as error:
        return _Explained(without_model(question, about, answer, str(error)))
    except LlmError as error:
        return _Explained(without_model(question, about, answer, str(error)), error)
    finished = reply.completion_tokens is not None and reply.completion_tokens < max_tokens
    return _Explained(read_explanation(reply.text, question, about, answer, finished=finished), reply=reply)


async def _end(tasks: list[asyncio.Task[_Explained]]) -> None:
    """Nothing goes on writing for a student who has left."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
