"""A language model whose replies a test writes: a function of the prompt. It tells what it was asked."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field

from serving.llm.language_model import AS_SERVED, ChoiceProbabilities, Completion, LlmError, Sampling, StreamChunk
from serving.llm.messages import Message

Reply = str | LlmError


@dataclass
class ScriptedModel:
    """`writes` makes a reply of the last message; `chooses` is what it chooses. An error as a reply is raised."""

    writes: Callable[[str], Reply]
    chooses: ChoiceProbabilities | LlmError = field(default_factory=lambda: ChoiceProbabilities("A"))
    asked: list[tuple[Message, ...]] = field(default_factory=list)

    async def complete(
        self, messages: Sequence[Message], *, max_tokens: int = 256, temperature: float = 0.2
    ) -> Completion:
        self.asked.append(tuple(messages))
        reply = self.writes(messages[-1].content)
        if isinstance(reply, LlmError):
            raise reply
        return Completion(reply, await self.model_name(), 10, len(reply.split()))

    async def choose(self, messages: Sequence[Message], choices: Sequence[str]) -> ChoiceProbabilities:
        self.asked.append(tuple(messages))
        if isinstance(self.chooses, LlmError):
            raise self.chooses
        return self.chooses

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, sampling: Sampling = AS_SERVED
    ) -> AsyncGenerator[StreamChunk, None]:
        whole = await self.complete(messages, max_tokens=max_tokens, temperature=temperature)
        yield StreamChunk(whole.text)
        yield StreamChunk("", whole.prompt_tokens, whole.completion_tokens)

    async def count_tokens(self, text: str) -> int | None:
        return len(text.split())

    async def model_name(self) -> str:
        return "scripted-not-a-model"

    async def is_alive(self) -> bool:
        return True
