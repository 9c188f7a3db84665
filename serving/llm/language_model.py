"""`LanguageModel`: what coteach needs of a model, whoever serves it, and what can go wrong with it.

LlmError                  anything that kept the model from answering
    LlmUnavailable        no connection, connection lost, or the server says it is not able to work
    LlmTimeout            the server lives, but no token came in time
    LlmRejected           the server refused the request, or what it sent cannot be read
    LlmUseless            the model finished and wrote nothing, or next to nothing
        LlmFiltered       its server's content filter ended the answer, or it declined to give one
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypedDict

from serving.llm.messages import Message


class LlmError(Exception):
    """The model did not answer. The message says why, in words for the operator."""


class LlmUnavailable(LlmError):
    """No connection, connection lost, or the server says it is not able to work."""


class LlmTimeout(LlmError):
    """The server lives, but no token came in time."""


class LlmRejected(LlmError):
    """The server refused the request, or what it sent cannot be read."""


class LlmUseless(LlmError):
    """The model finished and wrote nothing, or next to nothing."""


class LlmFiltered(LlmUseless):
    """The server's content filter ended the answer, or the model declined to give one."""


class SampledBy(TypedDict, total=False):
    top_p: float
    seed: int
    stop: list[str]


@dataclass(frozen=True)
class Sampling:
    """What is asked of the model's choice of words beside the temperature. What is unset is the server's."""

    top_p: float | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()

    def to_arguments(self) -> SampledBy:
        """As the client takes it."""
        found: SampledBy = {}
        if self.top_p is not None:
            found["top_p"] = self.top_p
        if self.seed is not None:
            found["seed"] = self.seed
        if self.stop:
            found["stop"] = list(self.stop)
        return found


AS_SERVED = Sampling()


@dataclass(frozen=True)
class StreamChunk:
    """A part of a streamed answer. Token counts come with the last piece, if the server reports them.

    `is_cut` is true in the last piece of an answer that had reached its longest length.
    """

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    is_cut: bool = False


@dataclass(frozen=True)
class Completion:
    """A whole answer."""

    text: str
    model: str
    prompt_tokens: int | None
    completion_tokens: int | None


@dataclass(frozen=True)
class ChoiceProbabilities:
    """One of the choices offered. `probabilities` are the model's over all of them and sum to 1; empty when its server
    gave none."""

    choice: str
    probabilities: Mapping[str, float] = field(default_factory=dict)


class LanguageModel(Protocol):
    """What coteach needs of a model. Everything raises `LlmError`."""

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, sampling: Sampling = AS_SERVED
    ) -> AsyncGenerator[StreamChunk, None]: ...
    async def complete(
        self, messages: Sequence[Message], *, max_tokens: int = 256, temperature: float = 0.2
    ) -> Completion: ...
    async def choose(self, messages: Sequence[Message], choices: Sequence[str]) -> ChoiceProbabilities: ...
    async def count_tokens(self, text: str) -> int | None: ...
    async def model_name(self) -> str: ...
    async def is_alive(self) -> bool: ...
