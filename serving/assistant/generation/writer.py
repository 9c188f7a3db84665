"""The model's text on its way to the student: through filters as it is written, and refused when it is of no use.

A filter takes text in pieces and lets through what may be shown; what it must see more of first, it holds back.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Protocol

from serving.assistant.turn import Turn, Usage
from serving.llm.language_model import LanguageModel, LlmError, LlmFiltered, LlmUnavailable, LlmUseless, StreamChunk
from serving.llm.messages import Message

LEAST_LETTERS = 15
"""A generated explanation with fewer letters is replaced by the material. A choice, not yet calibrated."""

LONGEST_ANSWER = 50_000
"""Characters that are read of one answer; a model that writes on is stopped. A choice, far above any `max_tokens`."""

LONGEST_DELTA = 2_000
"""Characters that go through the filters at once, a choice: some milliseconds of work."""

ECHO_WORDS = 8
"""A run of so many words in common is no accident."""


class TextFilter(Protocol):
    """What stands between the model and the student. `flush` gives what is still held back when the text has ended."""

    def feed(self, text: str) -> str: ...
    def flush(self) -> str: ...


class FilterChain:
    """Filters one after the other, as one."""

    def __init__(self, filters: Sequence[TextFilter]) -> None:
        self._filters = tuple(filters)

    def feed(self, text: str) -> str:
        for each in self._filters:
            text = each.feed(text)
        return text

    def flush(self) -> str:
        rest = ""
        for each in self._filters:
            rest = (each.feed(rest) if rest else "") + each.flush()
        return rest

    def abandon(self) -> str:
        """What may still be shown of a text that broke off: as `flush`, without what a filter refuses."""
        rest = ""
        for each in self._filters:
            try:
                rest = (each.feed(rest) if rest else "") + each.flush()
            except LlmError:
                rest = ""
        return rest


class ModelText:
    """What a model writes for one turn: where its text begins, how long it is, what it cost, whether it was cut."""

    def __init__(self, turn: Turn) -> None:
        self._turn, self._length = turn, 0

    def take(self, piece: StreamChunk) -> str:
        """The text of the next piece, without what is blank before the first word. Raises `LlmUseless` when it has
        become too long."""
        if piece.is_cut:
            self._turn.finish = "length"
        if piece.prompt_tokens is not None:
            self._turn.usage = self._turn.usage.plus(Usage(piece.prompt_tokens, piece.completion_tokens or 0))
        text = piece.text if self._length else piece.text.lstrip()
        if text:
            self._turn.mark("first_token_ms")
        self._length += len(text)
        if self._length > LONGEST_ANSWER:
            raise LlmUseless(f"The model wrote more than {LONGEST_ANSWER} characters.")
        return text

    def end(self) -> None:
        """Raises `LlmUseless` when there was no text."""
        if not self._length:
            raise LlmUseless("The model wrote nothing.")


async def write(
    llm: LanguageModel | None,
    messages: Sequence[Message],
    *,
    turn: Turn,
    through: FilterChain,
    max_tokens: int,
    temperature: float,
    check: Callable[[str], None] = lambda text: None,
) -> AsyncGenerator[str, None]:
    """The model's text as it may be shown, in pieces. `check` looks at the whole of it and raises `LlmUseless` for one
    that is of no use. Raises `LlmError`."""
    if llm is None:
        raise LlmUnavailable("No model server is configured. Set COTEACH_LLM_URL.")
    turn.model = await llm.model_name()
    turn.finish = "stop"
    written, whole, sampled = ModelText(turn), "", turn.options.sampling
    try:
        asked = llm.stream(messages, max_tokens=max_tokens, temperature=temperature, sampling=sampled)
        async with aclosing(asked) as pieces:
            async for piece in pieces:
                text = written.take(piece)
                for start in range(0, len(text), LONGEST_DELTA):
                    if start:
                        await asyncio.sleep(0)  # others get their turn in between
                    if shown := through.feed(text[start : start + LONGEST_DELTA]):
                        whole += shown
                        yield shown
        written.end()
        if rest := through.flush():
            whole += rest
            yield rest
    except LlmError as error:
        if isinstance(error, LlmFiltered):
            turn.finish = "content_filter"
        if rest := through.abandon():
            yield rest
        raise
    check(whole)


def require_use(draft: str, examples: Sequence[str]) -> None:
    """Raises `LlmUseless` for a draft that says next to nothing, or repeats an example of its prompt."""
    if sum(character.isalpha() for character in draft) < LEAST_LETTERS:
        raise LlmUseless("The model wrote next to nothing.")
    if any(_repeats(draft, example) for example in examples):
        raise LlmUseless("The model repeated the example of its prompt.")


def _repeats(text: str, example: str) -> bool:
    """Whether `ECHO_WORDS` words of the example stand in the text in a row."""
    words, said = example.split(), " ".join(text.split())
    runs = (" ".join(words[at : at + ECHO_WORDS]) for at in range(max(1, len(words) - ECHO_WORDS + 1)))
    return any(run in said for run in runs)
