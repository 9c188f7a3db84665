"""The model server, reached through its OpenAI-compatible interface.

Nothing is retried here: what to do instead of an answer is the assistant's decision.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from http import HTTPStatus
from typing import Any, TypeVar

import httpx
import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessageParam
from openai.types.shared_params import ResponseFormatJSONSchema

from knowledge_graph.sources.web.addresses import without_user
from serving.llm.language_model import (
    AS_SERVED,
    ChoiceProbabilities,
    Completion,
    LlmError,
    LlmRejected,
    LlmTimeout,
    LlmUnavailable,
    LlmUseless,
    Sampling,
    StreamChunk,
)
from serving.llm.load import make_room
from serving.llm.messages import Message
from serving.llm.metering import BILL, estimate_prompt_tokens
from serving.llm.replies import (
    charge,
    choice_probabilities,
    first_choice,
    read_chunk,
    result_of,
    usage_of,
    without_fence,
)
from serving.llm.spans import ModelCall, model_call
from serving.llm.thinking import Thoughts, UnopenedThoughts, without_thoughts
from serving.llm.waiting_line import LinePlace, WaitingLine

Result = TypeVar("Result")


FREQUENCY_PENALTY = 0.4
"""Keeps small models from saying one sentence again and again; large ones hardly notice it."""

KEPT_SECONDS = 2.0
"""An idle connection is not used again after this: vLLM closes its own after 5, and a request on it would be lost."""

LOOKED_AT = 20
"""Likeliest first tokens that are asked for, to know how sure a choice is; the most that OpenAI's interface gives."""

LONG_REQUEST = 4096
"""Tokens, read and written, from which a request counts as long: what fits into the context of the default server."""

MISSED_PROBES = 3
"""Looks at a silent server that must fail in a row before it counts as gone; a refused connection counts at once.

A choice: on two cores vLLM let a look wait for two seconds when fifty questions came at once.
"""


@dataclass(frozen=True)
class LlmTimes:
    """Limits in seconds: connecting, first token, silence between tokens, the whole answer; and the pause of probes."""

    connect: float = 2.0
    first_token: float = 60.0
    stall: float = 10.0
    whole: float = 120.0
    probe: float = 1.0


@cache
def tls_context() -> ssl.SSLContext:
    """Whom clients of this process trust: read once, which takes 20 ms."""
    return httpx.create_ssl_context()


@dataclass
class _OpenReply:
    """An answer that a server is sending: when it must be whole, how long its next chunk may take, what it has said of
    its tokens and its end."""

    chunks: AsyncIterator[ChatCompletionChunk]
    deadline: float
    limit: float
    usage: StreamChunk = field(default_factory=lambda: StreamChunk(""))
    finish: str = ""

    def patience(self) -> float:
        """Seconds that the next chunk may take."""
        return min(self.limit, self.deadline - time.monotonic())


class OpenAiModel:
    """A served model. One client for all requests; close it with `aclose`."""

    def __init__(
        self,
        url: str,
        *,
        model: str | None = None,
        api_key: str = "none",
        times: LlmTimes | None = None,
        most_writing: int = 0,
        line: WaitingLine | None = None,
    ) -> None:
        self._most_writing, self._writing = most_writing, 0
        self._line = line or WaitingLine(0, passing_s=0)
        self._times = times or LlmTimes()
        self._model, self._is_chosen = model, model is not None
        limit = openai.Timeout(self._times.whole, connect=self._times.connect)
        limits = type(openai.DEFAULT_CONNECTION_LIMITS)(keepalive_expiry=KEPT_SECONDS)
        reused = openai.DefaultAsyncHttpxClient(timeout=limit, limits=limits)
        self._client = openai.AsyncOpenAI(
            base_url=url, api_key=api_key, timeout=limit, max_retries=0, http_client=reused
        )
        self._probe = httpx.AsyncClient(timeout=0.8 * self._times.probe, verify=tls_context())
        self._knows_choices = True
        self._opens_thoughts = False
        self._look: asyncio.Future[LlmError | None] | None = None
        self._looked_at = 0.0
        self._heard_at = 0.0
        self._counts_tokens = True
        self.url = without_user(url)
        self.health_url = url.rstrip("/").removesuffix("/v1") + "/health"

    @property
    def waiting(self) -> int:
        """Requests that wait here until the model server may have them."""
        return self._line.length

    async def aclose(self) -> None:
        await self._client.close()
        if self._look is not None:
            await _abandon(self._look)
        await self._probe.aclose()

    async def model_name(self) -> str:
        """The configured name, else the first that the server lists."""
        if self._model is None:
            listed = await self._await_result(self._first_model(), limit=self._times.stall)
            self._model = listed
        return self._model

    async def source(self) -> str:
        """Where the server says it has the model from, a folder or an id of a hub; else its name. Raises `LlmError`."""
        name = await self.model_name()
        listed = await self._await_result(self._list_models(), limit=self._times.stall)
        if not self._is_chosen and listed and name not in {one for one, _ in listed}:
            name = self._model = listed[0][0]  # another model is served there now, and is asked from here on
        return next((str(root) for one, root in listed if one == name and root), name)

    async def is_alive(self) -> bool:
        """Whether the server answers at all; a server without `/health` that says 404 does."""
        return await self._look_once() is None

    async def complete(
        self, messages: Sequence[Message], *, max_tokens: int = 256, temperature: float = 0.2
    ) -> Completion:
        """The whole answer. Raises `LlmError`."""
        pieces = [piece async for piece in self.stream(messages, max_tokens=max_tokens, temperature=temperature)]
        last = pieces[-1]
        text = "".join(piece.text for piece in pieces)
        return Completion(text, await self.model_name(), last.prompt_tokens, last.completion_tokens)

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int = 256,
        temperature: float = 0.2,
        sampling: Sampling = AS_SERVED,
    ) -> AsyncGenerator[StreamChunk, None]:
        """The answer as it is written, without the model's thoughts; the last piece has no text but the token counts.
        Raises `LlmError`."""
        if 0 < self._most_writing <= self._writing:
            raise LlmUnavailable(f"The model server at {self.url} is writing {self._writing} answers already.")
        self._writing += 1
        place = self._line.place()
        thoughts, last = Thoughts(are_open=self._opens_thoughts), StreamChunk("")
        bill, written, is_refused = BILL.get(), 0, False
        try:
            with model_call(self.url) as call:
                deadline = time.monotonic() + self._times.whole
                started = self._start(place, messages, max_tokens, temperature, sampling, call)
                chunks = await self._await_result(started, limit=self._times.first_token)
                reply = _OpenReply(aiter(chunks), deadline, self._times.first_token)
                try:
                    while text := await self._next_text(reply):
                        written += 1
                        if shown := thoughts.feed(text):
                            yield StreamChunk(shown)
                finally:
                    await chunks.close()
                last = self._end_of(reply)
                call.count(last.prompt_tokens, last.completion_tokens)
        except UnopenedThoughts as error:
            self._opens_thoughts = True  # known of this server from now on
            raise LlmUseless("The model's thoughts had no mark at their beginning.") from error
        except LlmError:
            is_refused = written == 0
            raise
        finally:
            place.give_back()
            self._writing -= 1
            if bill is not None and not is_refused:  # broken off: what was read and written until then, as far as known
                bill.charge(last.prompt_tokens or estimate_prompt_tokens(messages), last.completion_tokens or written)
        if rest := thoughts.flush():
            yield StreamChunk(rest)
        yield replace(last, text="")

    async def _next_text(self, reply: _OpenReply) -> str:
        """The text that the server sends next; empty at the end."""
        while chunk := await self._await_result(_next(reply.chunks), limit=reply.patience()):
            reply.usage = usage_of(chunk) or reply.usage
            text, finish = read_chunk(chunk, self.url)
            reply.finish = finish or reply.finish
            if text:
                reply.limit = self._times.stall
                return text
        return ""

    def _end_of(self, reply: _OpenReply) -> StreamChunk:
        """What is known once the server has ended its answer. Raises `LlmUnavailable` when it did not finish it."""
        if not reply.finish:
            raise LlmUnavailable(f"The model server at {self.url} ended its answer before it was finished.")
        return replace(reply.usage, is_cut=reply.finish == "length")

    async def choose(self, messages: Sequence[Message], choices: Sequence[str]) -> ChoiceProbabilities:
        """The likeliest of `choices`, which the server must keep to (`structured_outputs`, temperature 0).

        A server that knows no structured outputs is asked without; then the first choice that stands in its reply
        counts. Raises `LlmUseless` when there is none, `LlmError` as everything here.
        """
        try:
            reply = await self._choose(messages, choices, free=not self._knows_choices)
        except LlmRejected:
            reply = await self._choose(messages, choices, free=True)
            self._knows_choices = False
        charge(reply)
        if not reply.choices:
            raise LlmRejected(f"The model server at {self.url} sent a reply without choices.")
        said = without_thoughts(reply.choices[0].message.content or "").strip()
        probabilities = choice_probabilities(reply.choices[0], choices)
        named = said if said in choices else first_choice(said, choices)
        if named is None:
            raise LlmUseless(f"The model was to say one of {', '.join(choices)} and said {said[:40]!r}.")
        return ChoiceProbabilities(named, probabilities)

    async def write_json(
        self, messages: Sequence[Message], schema: Mapping[str, Any], *, name: str, max_tokens: int
    ) -> Completion:
        """JSON that fits a schema, which the server must keep to (`response_format`, temperature 0).

        A server that knows no schemas is asked without, so what comes has to be looked at. Raises `LlmUseless` when it
        was cut off, `LlmError` as everything here.
        """
        kept_to: ResponseFormatJSONSchema = {
            "type": "json_schema",
            "json_schema": {"name": name, "schema": dict(schema), "strict": True},
        }
        try:
            reply = await self._await_result(self._json(messages, kept_to, max_tokens), limit=self._times.whole)
        except LlmRejected:
            reply = await self._await_result(self._json(messages, openai.omit, max_tokens), limit=self._times.whole)
        charge(reply)
        if not reply.choices:
            raise LlmRejected(f"The model server at {self.url} sent a reply without choices.")
        if reply.choices[0].finish_reason == "length":
            raise LlmUseless("The form was longer than the model may write.")
        text = without_fence(without_thoughts(reply.choices[0].message.content or ""))
        usage = reply.usage
        counts = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
        return Completion(text, await self.model_name(), *counts)

    async def count_tokens(self, text: str) -> int | None:
        """The tokens of a text as the server's own tokenizer counts them; `None` when it cannot be asked."""
        if not self._counts_tokens:
            return None
        body = {"model": await self.model_name(), "prompt": text, "add_special_tokens": False}
        try:
            reply = await self._probe.post(self.health_url.removesuffix("/health") + "/tokenize", json=body)
            count = reply.json().get("count") if reply.status_code == HTTPStatus.OK else None
        except (httpx.HTTPError, ValueError, AttributeError):
            return None
        if reply.status_code == HTTPStatus.NOT_FOUND:
            self._counts_tokens = False
        return count if isinstance(count, int) else None

    async def _choose(self, messages: Sequence[Message], choices: Sequence[str], *, free: bool) -> ChatCompletion:
        return await self._await_result(self._choice(messages, choices, free=free), limit=self._times.first_token)

    async def _choice(self, messages: Sequence[Message], choices: Sequence[str], *, free: bool) -> ChatCompletion:
        longest = max(len(choice) for choice in choices) + 2
        async with self._in_turn(messages, longest) as call:
            return await self._client.chat.completions.create(
                model=await self._model_for(call),
                messages=[_param(message) for message in messages],
                max_tokens=longest,
                temperature=0,
                logprobs=True,
                top_logprobs=LOOKED_AT,
                extra_headers=call.headers,
                extra_body=None if free else {"structured_outputs": {"choice": list(choices)}},
            )

    async def _json(
        self, messages: Sequence[Message], kept_to: "ResponseFormatJSONSchema | openai.Omit", max_tokens: int
    ) -> ChatCompletion:
        async with self._in_turn(messages, max_tokens) as call:
            return await self._client.chat.completions.create(
                model=await self._model_for(call),
                messages=[_param(message) for message in messages],
                max_tokens=max_tokens,
                temperature=0,
                response_format=kept_to,
                extra_headers=call.headers,
            )

    async def _start(
        self,
        place: LinePlace,
        messages: Sequence[Message],
        max_tokens: int,
        temperature: float,
        sampling: Sampling,
        call: ModelCall,
    ) -> openai.AsyncStream[ChatCompletionChunk]:
        make_room()
        await place.take(_share(messages, max_tokens))
        return await self._client.chat.completions.create(
            model=await self._model_for(call),
            messages=[_param(message) for message in messages],
            max_tokens=max_tokens,
            temperature=temperature,
            frequency_penalty=FREQUENCY_PENALTY,
            stream=True,
            stream_options={"include_usage": True},
            extra_headers=call.headers,
            **sampling.to_arguments(),
        )

    @asynccontextmanager
    async def _in_turn(self, messages: Sequence[Message], max_tokens: int) -> AsyncIterator[ModelCall]:
        """A request that is answered as a whole, when it is its turn."""
        make_room()
        place = self._line.place()
        await place.take(_share(messages, max_tokens))
        try:
            with model_call(self.url) as call:
                yield call
        finally:
            place.give_back()

    async def _model_for(self, call: ModelCall) -> str:
        """The model to ask, whose name the span of the call gets."""
        model = self._model or await self._first_model()
        call.name(model)
        return model

    async def _list_models(self) -> list[tuple[str, object]]:
        listed = await self._client.models.list()
        return [(one.id, (one.model_extra or {}).get("root")) for one in listed.data]

    async def _first_model(self) -> str:
        listed = await self._client.models.list()
        if not listed.data:
            raise LlmRejected(f"The model server at {self.url} lists no model. Set COTEACH_LLM_MODEL.")
        self._model = listed.data[0].id
        return self._model

    async def _await_result(self, work: Coroutine[object, object, Result], *, limit: float) -> Result:
        """Wait for `work` while looking at the server's health, so that a dead one is not waited for."""
        task = asyncio.ensure_future(work)
        until, missed = time.monotonic() + limit, 0
        try:
            while not task.done():
                left = until - time.monotonic()
                if left <= 0:
                    raise LlmTimeout(f"The model server at {self.url} sent nothing for {limit:.0f} s.")
                await asyncio.wait({task}, timeout=min(left, 0 if missed else self._times.probe))
                fault = None if task.done() else await self._fault()
                missed = missed + 1 if fault else 0
                if fault and not task.done() and (missed >= MISSED_PROBES or not isinstance(fault, LlmTimeout)):
                    raise LlmUnavailable(str(fault))
            self._heard_at = time.monotonic()
            return result_of(task, self.url)
        except BaseException:
            await _abandon(task)
            raise

    async def _fault(self) -> LlmError | None:
        """What a look at the server's health finds wrong; one look serves all who wait, or fifty would keep it busy."""
        fresh = self._look is not None and time.monotonic() - self._looked_at < self._times.probe / 2
        if self._look is None or (self._look.done() and not fresh):
            self._looked_at = time.monotonic()
            self._look = asyncio.ensure_future(self._look_once())
        return await asyncio.shield(self._look)

    async def _look_once(self) -> LlmError | None:
        """One look: `LlmTimeout` when the server did not react in time, neither to this nor to anybody's question."""
        began = time.monotonic()
        try:
            reply = await self._probe.get(self.health_url)
        except httpx.TimeoutException:
            if self._heard_at > began:
                return None
            return LlmTimeout(f"The model server at {self.url} no longer reacts.")
        except Exception as error:  # noqa: BLE001  as in `result_of`
            return LlmUnavailable(f"The model server at {self.url} is gone: {error!r}.")
        if reply.status_code >= 500:
            return LlmUnavailable(f"The model server at {self.url} says it is not healthy ({reply.status_code}).")
        return None


def _share(messages: Sequence[Message], max_tokens: int) -> float:
    """How long a request is for the server, 0 to 1: the tokens that are read for it and may be written."""
    return (estimate_prompt_tokens(messages) + max_tokens) / LONG_REQUEST


async def _abandon(task: "asyncio.Future[Result]") -> None:
    """Nothing of a task is left behind that nobody waits for, not even a stream that opened in the last moment."""
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
    if not task.cancelled() and task.exception() is None and isinstance(opened := task.result(), openai.AsyncStream):
        await opened.close()


async def _next(chunks: AsyncIterator[ChatCompletionChunk]) -> ChatCompletionChunk | None:
    return await anext(chunks, None)


def _param(message: Message) -> ChatCompletionMessageParam:
    if message.role == "system":
        return {"role": "system", "content": message.content}
    if message.role == "assistant":
        return {"role": "assistant", "content": message.content}
    return {"role": "user", "content": message.content}
