"""The model server, reached through its OpenAI-compatible interface, and what can go wrong with it.

LlmError                  anything that kept the model from answering
    LlmUnavailable        no connection, connection lost, or the server says it is not able to work
    LlmTimeout            the server lives, but no token came in time
    LlmRejected           the server refused the request, or what it sent cannot be read
    LlmUseless            the model finished and wrote nothing, or next to nothing
        LlmFiltered       its server's content filter ended the answer, or it declined to give one

Nothing is retried here: what to do instead of an answer is the assistant's decision.
"""

import asyncio
import json
import math
import re
import ssl
import time
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from http import HTTPStatus
from typing import Any, Protocol, TypedDict, TypeVar

import httpx
import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessageParam
from openai.types.chat.chat_completion import Choice
from openai.types.shared_params import ResponseFormatJSONSchema

from knowledge_graph.sources.web.addresses import without_user
from serving.llm.load import make_room
from serving.llm.messages import Message
from serving.llm.metering import BILL, estimated_tokens
from serving.llm.spans import ModelCall, model_call
from serving.llm.thinking import Thoughts, UnopenedThoughts, without_thoughts
from serving.llm.waiting_line import LinePlace, WaitingLine

Result = TypeVar("Result")

_SECRET = re.compile(r"\b(?:sk|pk|key|hf|gh[a-z])[-_][\w*.-]{4,200}|(?<=://)[^\s/@]{1,200}@|(?i:(?<=bearer )\S{1,200})")
_FENCED = re.compile(r"```(?:json)?\s*\n(.*)\n```", re.DOTALL)
_MOST_SAID = 300
"""Characters of a server's own words that are passed on: some repeat the whole request."""

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

    def named(self) -> SampledBy:
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
class LlmTimes:
    """Limits in seconds: connecting, first token, silence between tokens, the whole answer; and the pause of probes."""

    connect: float = 2.0
    first_token: float = 60.0
    stall: float = 10.0
    whole: float = 120.0
    probe: float = 1.0


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


@cache
def trusted() -> ssl.SSLContext:
    """Whom clients of this process trust: read once, which takes 20 ms."""
    return httpx.create_ssl_context()


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
        self._probe = httpx.AsyncClient(timeout=0.8 * self._times.probe, verify=trusted())
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
            await _abandoned(self._look)
        await self._probe.aclose()

    async def model_name(self) -> str:
        """The configured name, else the first that the server lists."""
        if self._model is None:
            listed = await self._awaited(self._first_model(), limit=self._times.stall)
            self._model = listed
        return self._model

    async def source(self) -> str:
        """Where the server says it has the model from, a folder or an id of a hub; else its name. Raises `LlmError`."""
        name = await self.model_name()
        listed = await self._awaited(self._listed(), limit=self._times.stall)
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
                started = self._start(place, messages, max_tokens, temperature, sampling, call)
                async with aclosing(self._pieces(started)) as pieces:
                    async for piece in pieces:
                        last, written = piece, written + bool(piece.text)
                        if shown := thoughts.feed(piece.text):
                            yield StreamChunk(shown)
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
                bill.charge(last.prompt_tokens or estimated_tokens(messages), last.completion_tokens or written)
        if rest := thoughts.flush():
            yield StreamChunk(rest)
        yield replace(last, text="")

    async def _pieces(
        self, started: Coroutine[object, object, openai.AsyncStream[ChatCompletionChunk]]
    ) -> AsyncGenerator[StreamChunk, None]:
        """What the server sends, piece by piece; the last has the token counts."""
        deadline = time.monotonic() + self._times.whole
        chunks = await self._awaited(started, limit=self._times.first_token)
        iterator = aiter(chunks)
        limit, usage, finished = self._times.first_token, StreamChunk(""), ""
        try:
            while chunk := await self._awaited(_next(iterator), limit=min(limit, deadline - time.monotonic())):
                usage = _usage(chunk) or usage
                text, ended = _read(chunk, self.url)
                finished = ended or finished
                if text:
                    limit = self._times.stall
                    yield StreamChunk(text)
        finally:
            await chunks.close()
        if not finished:
            raise LlmUnavailable(f"The model server at {self.url} ended its answer before it was finished.")
        yield replace(usage, is_cut=finished == "length")

    async def choose(self, messages: Sequence[Message], choices: Sequence[str]) -> ChoiceProbabilities:
        """The likeliest of `choices`, which the server must keep to (`structured_outputs`, temperature 0).

        A server that knows no structured outputs is asked without; then the first choice that stands in its reply
        counts. Raises `LlmUseless` when there is none, `LlmError` as everything here.
        """
        try:
            reply = await self._chosen(messages, choices, free=not self._knows_choices)
        except LlmRejected:
            reply = await self._chosen(messages, choices, free=True)
            self._knows_choices = False
        _charge(reply)
        if not reply.choices:
            raise LlmRejected(f"The model server at {self.url} sent a reply without choices.")
        said = without_thoughts(reply.choices[0].message.content or "").strip()
        probabilities = _probabilities(reply.choices[0], choices)
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
            reply = await self._awaited(self._json(messages, kept_to, max_tokens), limit=self._times.whole)
        except LlmRejected:
            reply = await self._awaited(self._json(messages, openai.omit, max_tokens), limit=self._times.whole)
        _charge(reply)
        if not reply.choices:
            raise LlmRejected(f"The model server at {self.url} sent a reply without choices.")
        if reply.choices[0].finish_reason == "length":
            raise LlmUseless("The form was longer than the model may write.")
        text = _without_fence(without_thoughts(reply.choices[0].message.content or ""))
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

    async def _chosen(self, messages: Sequence[Message], choices: Sequence[str], *, free: bool) -> ChatCompletion:
        return await self._awaited(self._choice(messages, choices, free=free), limit=self._times.first_token)

    async def _choice(self, messages: Sequence[Message], choices: Sequence[str], *, free: bool) -> ChatCompletion:
        longest = max(len(choice) for choice in choices) + 2
        async with self._in_turn(messages, longest) as call:
            model = self._model or await self._first_model()
            call.name(model)
            return await self._client.chat.completions.create(
                model=model,
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
            model = self._model or await self._first_model()
            call.name(model)
            return await self._client.chat.completions.create(
                model=model,
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
        model = self._model or await self._first_model()
        call.name(model)
        return await self._client.chat.completions.create(
            model=model,
            messages=[_param(message) for message in messages],
            max_tokens=max_tokens,
            temperature=temperature,
            frequency_penalty=FREQUENCY_PENALTY,
            stream=True,
            stream_options={"include_usage": True},
            extra_headers=call.headers,
            **sampling.named(),
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

    async def _listed(self) -> list[tuple[str, object]]:
        listed = await self._client.models.list()
        return [(one.id, (one.model_extra or {}).get("root")) for one in listed.data]

    async def _first_model(self) -> str:
        listed = await self._client.models.list()
        if not listed.data:
            raise LlmRejected(f"The model server at {self.url} lists no model. Set COTEACH_LLM_MODEL.")
        self._model = listed.data[0].id
        return self._model

    async def _awaited(self, work: Coroutine[object, object, Result], *, limit: float) -> Result:
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
            return _translated(task, self.url)
        finally:
            await _abandoned(task)

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
        except Exception as error:  # noqa: BLE001  as in `_translated`
            return LlmUnavailable(f"The model server at {self.url} is gone: {error!r}.")
        if reply.status_code >= 500:
            return LlmUnavailable(f"The model server at {self.url} says it is not healthy ({reply.status_code}).")
        return None


def _share(messages: Sequence[Message], max_tokens: int) -> float:
    """How long a request is for the server, 0 to 1: the tokens that are read for it and may be written."""
    return (estimated_tokens(messages) + max_tokens) / LONG_REQUEST


def _without_fence(text: str) -> str:
    """JSON out of the block of code in which models like to write it."""
    found = _FENCED.fullmatch(text.strip())
    return found[1] if found else text


def first_choice(said: str, choices: Sequence[str]) -> str | None:
    """The choice that stands first in a text as a word of its own; as it is written, else in any case."""
    for flags in (0, re.IGNORECASE):
        found = {
            choice: mark.start()
            for choice in choices
            if (mark := re.search(rf"(?<![A-Za-z0-9]){re.escape(choice)}(?![A-Za-z0-9])", said, flags))
        }
        if found:
            return min(found, key=lambda choice: found[choice])
    return None


def _probabilities(reply: Choice, choices: Sequence[str]) -> dict[str, float]:
    """Each choice's share of what the first token promises to them: a token counts for the one choice it begins."""
    tokens = reply.logprobs.content[0].top_logprobs if reply.logprobs and reply.logprobs.content else []
    mass = dict.fromkeys(choices, 0.0)
    for token in tokens:
        word = token.token.strip()
        begun = [choice for choice in choices if word and choice.startswith(word)]
        begun = begun or [choice for choice in choices if word and choice.lower().startswith(word.lower())]
        if len(begun) == 1:
            mass[begun[0]] += math.exp(token.logprob)
    total = math.fsum(mass.values())
    return {choice: share / total for choice, share in mass.items()} if total > 0 else {}


def _translated(task: "asyncio.Future[Result]", url: str) -> Result:
    """The result, or the error in our words.

    Whatever else the client raises counts as a lost connection: anyio looks at a socket that the server closed while it
    was opened, and raises an `AttributeError`.
    """
    try:
        return task.result()
    except LlmError:
        raise
    except openai.APITimeoutError as error:
        raise LlmTimeout(f"The model server at {url} did not answer in time.") from error
    except openai.APIConnectionError as error:
        raise LlmUnavailable(f"No connection to the model server at {url}: {error.__cause__!r}.") from error
    except openai.APIStatusError as error:
        kind = LlmUnavailable if error.status_code >= 500 else LlmRejected
        raise kind(f"The model server at {url} answered {error.status_code}: {discreet(error.message)}") from error
    except openai.APIError as error:
        raise LlmUnavailable(f"The model server at {url} broke off: {discreet(error.message)}") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise LlmRejected(f"The model server at {url} sent what is no JSON: {error}.") from error
    except Exception as error:
        raise LlmUnavailable(f"The connection to the model server at {url} failed: {error!r}.") from error


def discreet(said: str) -> str:
    """What a server said of a failure, without the keys and passwords that servers repeat, and not at length."""
    return _SECRET.sub("…", said)[:_MOST_SAID]


async def _abandoned(task: "asyncio.Future[Result]") -> None:
    """Nothing of an unfinished task is left behind, not even a stream that opened in the last moment."""
    if task.done():
        return
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled() and task.exception() is None and isinstance(opened := task.result(), openai.AsyncStream):
        await opened.close()


async def _next(chunks: AsyncIterator[ChatCompletionChunk]) -> ChatCompletionChunk | None:
    return await anext(chunks, None)


def _charge(reply: ChatCompletion) -> None:
    """Put a whole reply on the bill of the question that it was asked for."""
    if (bill := BILL.get()) is not None and reply.usage is not None:
        bill.charge(*(getattr(reply.usage, name, None) or 0 for name in ("prompt_tokens", "completion_tokens")))


def _usage(chunk: ChatCompletionChunk) -> StreamChunk | None:
    """The token counts of a chunk, as far as they are numbers: the client does not look at what it is sent."""
    if chunk.usage is None:
        return None
    named = (getattr(chunk.usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
    prompt, completion = (count if isinstance(count, int) and count >= 0 else None for count in named)
    return StreamChunk("", prompt, completion)


def _read(chunk: ChatCompletionChunk, url: str) -> tuple[str, str | None]:
    """The text of a chunk, and why it is the last with text. Raises `LlmFiltered`, and `LlmRejected` for one that is
    not built as OpenAI's are: the client does not look at what it is sent."""
    if not chunk.choices:
        return "", None
    try:
        choice = chunk.choices[0]
        content: object = choice.delta.content or ""
        refusal, finish = choice.delta.refusal, choice.finish_reason
    except (AttributeError, TypeError, KeyError) as error:
        raise LlmRejected(f"The model server at {url} sent a piece that is none: {error}.") from error
    if finish == "content_filter":
        raise LlmFiltered("The model server's content filter ended the answer.")
    if refusal:
        raise LlmFiltered("The model declined to answer.")
    if not isinstance(content, str):
        raise LlmRejected(f"The model server at {url} sent {type(content).__name__} for a text.")
    return content.encode("utf-8", "replace").decode(), finish


def _param(message: Message) -> ChatCompletionMessageParam:
    if message.role == "system":
        return {"role": "system", "content": message.content}
    if message.role == "assistant":
        return {"role": "assistant", "content": message.content}
    return {"role": "user", "content": message.content}
