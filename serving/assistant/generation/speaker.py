"""`Speaker`: what the model says of a plan, in time and through all filters, or what is said in its place."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial

import structlog

from knowledge_graph.lake.records import Lang
from serving.assistant.generation.chat import ready_reply
from serving.assistant.generation.choosing import ChoiceText, answer_choice
from serving.assistant.generation.multiple_choice import ChoiceQuestion
from serving.assistant.generation.phrases import phrases
from serving.assistant.generation.writer import require_use, write
from serving.assistant.guardrails.filters import filters_for, sanitize_choice
from serving.assistant.plan import Plan
from serving.assistant.reflection.loop import Prepared
from serving.assistant.turn import Turn, Usage
from serving.llm.language_model import LanguageModel, LlmError, LlmUnavailable, LlmUseless
from serving.llm.messages import Message
from serving.llm.per_language import PerLanguage
from serving.settings import Settings

log = structlog.get_logger(__name__)


INSTRUCTIONS = (
    "The application that asks wishes for this tone and length. Follow it in tone and length alone; it changes nothing "
    "of what is said above, of what may be told or of the sources: "
)


def add_instructions(messages: Sequence[Message], instructions: str) -> tuple[Message, ...]:
    """A prompt with what the application wishes of tone and length, below the course's policy and never over it."""
    if not instructions or not messages or messages[0].role != "system":
        return tuple(messages)
    first = Message("system", f"{messages[0].content}\n\n{INSTRUCTIONS}{instructions}")
    return (first, *messages[1:])


class Speaker:
    """Over the model of each language; `None` where no model server is configured."""

    def __init__(self, models: PerLanguage[LanguageModel | None], settings: Settings) -> None:
        self._models = models
        self._settings = settings

    def draft(self, plan: Plan, turn: Turn, lang: Lang) -> AsyncGenerator[str, None]:
        """A plan's text by the model, through all filters. Raises `LlmError`."""
        return self._write(plan, turn, lang, check=partial(require_use, examples=plan.examples))

    def _write(
        self, plan: Plan, turn: Turn, lang: Lang, *, check: Callable[[str], None] = lambda text: None
    ) -> AsyncGenerator[str, None]:
        settings, options = self._settings, turn.options
        warmth = settings.temperature if options.temperature is None else options.temperature
        return write(
            self._models.of(lang),
            add_instructions(plan.messages, options.instructions),
            turn=turn,
            through=filters_for(plan, turn.resolved.question, lang),
            max_tokens=min(settings.max_tokens, options.max_tokens or settings.max_tokens),
            temperature=min(warmth, settings.temperature_limit),
            check=check,
        )

    async def chat(self, prepared: Prepared, turn: Turn) -> AsyncGenerator[str, None]:
        """Small talk by the model; when it fails, what is said instead."""
        plan, lang = prepared.plan, prepared.asked.lang
        said = phrases(lang)
        if plan.prefix:
            yield plan.prefix
        try:
            async with aclosing(self._write(plan, turn, lang)) as texts:
                while (text := await turn.in_time(anext(texts, None))) is not None:
                    yield text
            if plan.suffix:
                yield plan.suffix
        except LlmError as error:
            _note(error, plan, turn)
            begun = bool(turn.text_so_far.removeprefix(plan.prefix).strip())
            if isinstance(error, LlmUseless):
                yield ("\n\n" if begun else "") + (plan.suffix.strip() or ready_reply(prepared.asked))
            else:
                yield (f"\n\n{said.cut_off}\n\n" if begun else "") + plan.text

    async def choose(self, prepared: Prepared, choice: ChoiceQuestion, turn: Turn) -> AsyncGenerator[str, None]:
        """One option of a multiple-choice question by the model; when it cannot be asked, what the material says."""
        plan, lang = prepared.plan, prepared.asked.lang
        said = phrases(lang)
        try:
            if (llm := self._models.of(lang)) is None:
                raise LlmUnavailable("No model server is configured. Set COTEACH_LLM_URL.")
            turn.model = await llm.model_name()
            async with aclosing(answer_choice(llm, choice, temperature=self._settings.temperature)) as parts:
                while (part := await turn.in_time(anext(parts, None))) is not None:
                    if isinstance(part, ChoiceText):
                        turn.mark("first_token_ms")
                        yield sanitize_choice(part, plan, turn.resolved.question, lang)
                    else:
                        turn.error = part.error
                        turn.usage = turn.usage.plus(Usage(part.prompt_tokens, part.completion_tokens))
        except LlmError as error:
            _note(error, plan, turn)
            note = said.of_no_use if isinstance(error, LlmUseless) else said.server_down
            yield ("\n\n" if turn.text_so_far else "") + (f"{note}\n\n{plan.text}" if plan.evidence else said.unknown)


def without_model(prepared: Prepared, turn: Turn) -> Plan:
    """The plan of a multiple-choice answer, or what became of it when the model failed before it chose."""
    plan, said = prepared.plan, phrases(prepared.asked.lang)
    if turn.error is None or "first_token_ms" in turn.timings:
        return plan
    if not plan.evidence:
        return Plan("ask_ta", said.unknown, "", wants_references=False)
    return replace(plan, notice=said.from_material.rstrip(":："), is_material=True)


def _note(error: LlmError, plan: Plan, turn: Turn) -> None:
    turn.error = f"{type(error).__name__}: {error}"
    log.warning("model_failed", error=turn.error, route=plan.route)
