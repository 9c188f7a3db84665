"""Replies of a model server: reads chunks, token counts and choices, and turns the client's errors into ours.

The openai client does not validate what a server sends, so every field is checked here before it is used.
"""

import asyncio
import json
import math
import re
from collections.abc import Sequence
from typing import TypeVar

import openai
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.chat.chat_completion import Choice

from serving.llm.language_model import LlmError, LlmFiltered, LlmRejected, LlmTimeout, LlmUnavailable, StreamChunk
from serving.llm.metering import BILL

Result = TypeVar("Result")

_SECRET = re.compile(r"\b(?:sk|pk|key|hf|gh[a-z])[-_][\w*.-]{4,200}|(?<=://)[^\s/@]{1,200}@|(?i:(?<=bearer )\S{1,200})")
_FENCED = re.compile(r"```(?:json)?\s*\n(.*)\n```", re.DOTALL)
_MOST_SAID = 300
"""Characters of a server's message that are passed on; some servers repeat the whole request."""


def read_chunk(chunk: ChatCompletionChunk, url: str) -> tuple[str, str | None]:
    """The text of a chunk, and its finish reason if it is the last with text.

    Raises `LlmFiltered` when the server filtered or declined, `LlmRejected` for a chunk that lacks OpenAI's fields.
    """
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


def usage_of(chunk: ChatCompletionChunk) -> StreamChunk | None:
    """The token counts of a chunk, those that are whole numbers; `None` when it reports none."""
    if chunk.usage is None:
        return None
    named = (getattr(chunk.usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
    prompt, completion = (count if isinstance(count, int) and count >= 0 else None for count in named)
    return StreamChunk("", prompt, completion)


def charge(reply: ChatCompletion) -> None:
    """Charge the tokens of a whole reply to the question it was requested for."""
    if (bill := BILL.get()) is not None and reply.usage is not None:
        bill.charge(*(getattr(reply.usage, name, None) or 0 for name in ("prompt_tokens", "completion_tokens")))


def first_choice(said: str, choices: Sequence[str]) -> str | None:
    """The choice that occurs first in a text as a whole word: with its own capitals, else with any."""
    for flags in (0, re.IGNORECASE):
        found = {
            choice: mark.start()
            for choice in choices
            if (mark := re.search(rf"(?<![A-Za-z0-9]){re.escape(choice)}(?![A-Za-z0-9])", said, flags))
        }
        if found:
            return min(found, key=lambda choice: found[choice])
    return None


def choice_probabilities(reply: Choice, choices: Sequence[str]) -> dict[str, float]:
    """The probability of each choice by the first token, normalised over all choices; empty without log probabilities.

    A token counts for a choice only if no other choice begins with it.
    """
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


def without_fence(text: str) -> str:
    """JSON without the fenced code block in which models like to write it."""
    found = _FENCED.fullmatch(text.strip())
    return found[1] if found else text


def result_of(task: "asyncio.Future[Result]", url: str) -> Result:
    """The result of a finished request. Raises the client's error as an `LlmError`.

    Any other exception counts as a lost connection: anyio, for one, raises an `AttributeError` on a socket that the
    server closed while it was being opened.
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
    """A server's error message without keys and passwords, which some repeat, and at most 300 characters long."""
    return _SECRET.sub("…", said)[:_MOST_SAID]
