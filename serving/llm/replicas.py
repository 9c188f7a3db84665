"""`Replicas`: several servers of one model, as one model: each request goes to the least busy of those that work.

A server that fails is left alone for a while, longer each time, and looked at before it is asked again. A request of
which nothing was written yet goes on to another server; one that was cut off in the middle is the assistant's to mend,
for part of it was shown.
"""

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from serving.llm.client import OpenAiModel
from serving.llm.language_model import (
    AS_SERVED,
    ChoiceProbabilities,
    Completion,
    LlmError,
    LlmTimeout,
    LlmUnavailable,
    Sampling,
    StreamChunk,
)
from serving.llm.messages import Message

log = structlog.get_logger(__name__)

Result = TypeVar("Result")

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
"""How long a server that failed once is left alone, twice as long after each failure more, and at most. Choices."""


@dataclass(eq=False)
class Replica:
    """One server: how many requests of ours it has, and when it may be asked again after it failed."""

    model: OpenAiModel
    open: int = 0
    failures: int = 0
    resumes_at: float = float("-inf")
    is_known: bool = False
    """Whether it is known to serve the same model as the others."""

    def note_failure(self, now: float) -> None:
        """Several requests that fail together are one failure."""
        if now < self.resumes_at:
            return
        self.failures += 1
        self.resumes_at = now + min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (self.failures - 1))

    def note_success(self) -> None:
        self.failures, self.resumes_at = 0, float("-inf")


class Replicas:
    """Several `OpenAiModel`s as one. `most_writing`: answers that all of them together may write at once; 0: any."""

    def __init__(
        self,
        models: Sequence[OpenAiModel],
        *,
        most_writing: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._replicas = [Replica(model) for model in models]
        self._most_writing, self._writing, self._clock = most_writing, 0, clock
        self._name: str | None = None
        self._turn = 0
        self.url = models[0].url
        """The first address: the name of the model's place, whoever is added beside it."""

    @property
    def waiting(self) -> int:
        """Requests that wait here until a server may have them."""
        return sum(one.model.waiting for one in self._replicas)

    @property
    def working(self) -> Mapping[str, bool]:
        """By address, whether the server did what it was asked last; true where it was not asked yet."""
        return {one.model.url: one.failures == 0 for one in self._replicas}

    async def aclose(self) -> None:
        for one in self._replicas:
            await one.model.aclose()

    async def model_name(self) -> str:
        """The name under which all of them serve the model. Raises `LlmError` when none can be asked."""
        if self._name is None:
            await self._least_busy(())
        assert self._name is not None, "whoever was chosen has told it"
        return self._name

    async def source(self) -> str:
        """Where the server that is chosen says it has the model from. Raises `LlmError`."""
        return await self._ask(lambda model: model.source())

    async def is_alive(self) -> bool:
        """Whether any of the servers answers; those that work are asked first."""
        for one in sorted(self._replicas, key=lambda one: (one.failures, one.open)):
            if await one.model.is_alive():
                return True
        return False

    async def count_tokens(self, text: str) -> int | None:
        """As the tokenizer of one of them counts; `None` when it cannot be asked."""
        return await self._ask(lambda model: model.count_tokens(text))

    async def complete(
        self, messages: Sequence[Message], *, max_tokens: int = 256, temperature: float = 0.2
    ) -> Completion:
        """The whole answer, by another server where one is lost midway. Raises `LlmError`."""
        with self._writing_one():
            return await self._ask(
                lambda model: model.complete(messages, max_tokens=max_tokens, temperature=temperature)
            )

    async def choose(self, messages: Sequence[Message], choices: Sequence[str]) -> ChoiceProbabilities:
        """As `OpenAiModel.choose`."""
        return await self._ask(lambda model: model.choose(messages, choices))

    async def write_json(
        self, messages: Sequence[Message], schema: Mapping[str, Any], *, name: str, max_tokens: int
    ) -> Completion:
        """As `OpenAiModel.write_json`."""
        return await self._ask(lambda model: model.write_json(messages, schema, name=name, max_tokens=max_tokens))

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 256,
        temperature: float = 0.2,
        sampling: Sampling = AS_SERVED,
    ) -> AsyncGenerator[StreamChunk, None]:
        """The answer as it is written. Raises `LlmError`; also when its server is lost after the first words."""
        tried: list[Replica] = []
        with self._writing_one():
            while True:
                one = await self._least_busy(tried)
                tried.append(one)
                one.open += 1
                has_begun = False
                try:
                    written = one.model.stream(
                        messages, max_tokens=max_tokens, temperature=temperature, sampling=sampling
                    )
                    async with aclosing(written) as pieces:
                        async for piece in pieces:
                            has_begun = True
                            yield piece
                    one.note_success()
                    return
                except LlmError as error:
                    if self._is_final(one, error) or has_begun or len(tried) == len(self._replicas):
                        raise
                finally:
                    one.open -= 1

    async def _ask(self, ask: Callable[[OpenAiModel], Awaitable[Result]]) -> Result:
        """What a server answers as a whole; the next one is asked where one is lost."""
        tried: list[Replica] = []
        while True:
            one = await self._least_busy(tried)
            tried.append(one)
            one.open += 1
            try:
                result = await ask(one.model)
            except LlmError as error:
                if self._is_final(one, error) or len(tried) == len(self._replicas):
                    raise
            else:
                one.note_success()
                return result
            finally:
                one.open -= 1

    def _is_final(self, one: Replica, error: LlmError) -> bool:
        """Note what a failure says of its server; whether nobody else is to be asked. A server that let its whole time
        pass has used up that of the answer."""
        if not isinstance(error, LlmUnavailable | LlmTimeout):
            one.note_success()
            return True
        one.note_failure(self._clock())
        log.warning("model_server_left_alone", url=one.model.url, failures=one.failures, reason=str(error)[:200])
        return isinstance(error, LlmTimeout)

    @contextmanager
    def _writing_one(self) -> Iterator[None]:
        """While an answer is written. Raises `LlmUnavailable` where as many are written as may be."""
        if 0 < self._most_writing <= self._writing:
            raise LlmUnavailable(f"The model servers are writing {self._writing} answers already.")
        self._writing += 1
        try:
            yield
        finally:
            self._writing -= 1

    async def _least_busy(self, tried: Collection[Replica]) -> Replica:
        """The server with the fewest requests of ours among those that work, in turn where several have as few.

        One that failed is looked at first. Where all are left alone, the one that is so for the shortest time yet is
        asked all the same: nothing else can answer. Raises `LlmUnavailable` when none is fit.
        """
        left = [one for one in self._replicas if one not in tried]
        self._turn += 1
        first = self._turn % len(self._replicas)
        in_turn = sorted(left, key=lambda one: (one.open, (self._replicas.index(one) - first) % len(self._replicas)))
        troubles = list[str]()
        for one in in_turn:
            if one.resumes_at > self._clock():
                continue
            if one.failures and not await one.model.is_alive():
                one.note_failure(self._clock())
            elif (trouble := await self._unfit(one)) is None:
                return one
            else:
                troubles.append(trouble)
        resting = [one for one in in_turn if one.is_known]
        if resting and not tried:
            return min(resting, key=lambda one: one.resumes_at)
        raise LlmUnavailable(" ".join(troubles) or f"None of {len(self._replicas)} model servers can be asked.")

    async def _unfit(self, one: Replica) -> str | None:
        """Why a server cannot be asked like the others: it does not tell its model, or serves another."""
        if one.is_known:
            return None
        try:
            if one.failures:
                await one.model.source()  # asks again which model is there
            name = await one.model.model_name()
        except LlmError as error:
            one.note_failure(self._clock())
            return str(error)
        self._name = self._name or name
        if name != self._name:
            one.note_failure(self._clock())
            trouble = f"{one.model.url} serves {name!r}, where the others serve {self._name!r}; it is not asked."
            log.error("model_server_unfit", url=one.model.url, reason=trouble)
            return trouble
        one.is_known = True
        return None
