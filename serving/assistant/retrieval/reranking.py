"""`Reranker`: how well each of some texts answers a question, read together (Maastricht 1.4), and its two kinds.

A cross-encoder behind a server (`HttpReranker`) and the served language model itself (`LlmReranker`). A reranker that
fails changes nothing: `rerank` then gives the order it was given and says why.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import httpx

from knowledge_graph.lake.problems import CoteachError
from serving.llm.language_model import LanguageModel, LlmError
from serving.llm.messages import Message

SECONDS = 5.0
"""Longest wait for a reranker. A choice: about what a student waits for a first word."""

AT_ONCE = 4
"""Questions that a language model is asked at the same time, so that rereading one list does not fill its queue."""

Api = Literal["rerank", "score"]
Judge = Callable[[str, str], Sequence[Message]]
"""The messages that ask whether a text answers a question, to be answered with yes or no."""


class RerankingFailed(CoteachError):
    """A reranker did not answer, or not with one finite number per text; the message says what came."""


class Reranker(Protocol):
    """Reads question and text together."""

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One number per text in their order, larger is better. Raises `RerankingFailed`."""
        ...


async def rerank(
    question: str, texts: Sequence[str], reranker: Reranker, *, seconds: float = SECONDS
) -> tuple[list[tuple[int, float]], str]:
    """Places of the texts with their scores, best first, ties in the order given; and no note.

    When the reranker fails or takes longer than `seconds`: the order given with scores of 0, and why.
    """
    as_given = [(place, 0.0) for place in range(len(texts))]
    if not texts:
        return [], ""
    try:
        async with asyncio.timeout(seconds):
            scores = await reranker.score(question, texts)
    except TimeoutError:
        return as_given, f"Not reranked: no answer within {seconds:g} s."
    except RerankingFailed as error:
        return as_given, f"Not reranked: {error}"
    return sorted(enumerate(scores), key=lambda each: (-each[1], each[0])), ""


@dataclass(frozen=True)
class HttpReranker:
    """A cross-encoder behind a server: vLLM, or any other with the rerank interface of Jina and Cohere.

    `url` is the server's base with its `/v1`. `api` `rerank` posts to `<url>/rerank`, `score` to vLLM's `/score`
    beside it. `client` is shared and closed by whoever made it.
    """

    url: str
    model: str
    client: httpx.AsyncClient
    api_key: str = "none"
    api: Api = "rerank"

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        target, body = self._request(question, texts)
        headers = {"Authorization": f"Bearer {self.api_key}"}
        try:
            reply = await self.client.post(target, json=body, headers=headers)
            reply.raise_for_status()
            return _scores(reply.json(), self.api, len(texts))
        except httpx.HTTPStatusError as error:
            raise RerankingFailed(f"{target} said {error.response.status_code}.") from error
        except httpx.HTTPError as error:
            raise RerankingFailed(f"{target} cannot be reached: {type(error).__name__}.") from error
        except (ValueError, TypeError, KeyError) as error:
            raise RerankingFailed(f"{target} sent no score for each of {len(texts)} texts.") from error

    def _request(self, question: str, texts: Sequence[str]) -> tuple[str, dict[str, object]]:
        base = self.url.rstrip("/")
        if self.api == "rerank":
            return f"{base}/rerank", {"model": self.model, "query": question, "documents": list(texts)}
        target = f"{base.removesuffix('/v1')}/score"
        return target, {"model": self.model, "text_1": question, "text_2": list(texts)}


def _scores(reply: dict[str, list[dict[str, float]]], api: Api, count: int) -> list[float]:
    """The numbers in the order of the texts. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    listed, named = ("results", "relevance_score") if api == "rerank" else ("data", "score")
    scores = {int(each["index"]): float(each[named]) for each in reply[listed]}
    if sorted(scores) != list(range(count)) or not all(map(math.isfinite, scores.values())):
        raise ValueError
    return [scores[place] for place in range(count)]


@dataclass(frozen=True)
class LlmReranker:
    """The served language model: how likely it says yes when asked whether a text answers the question.

    A server that gives no probabilities makes this a vote of yes (1) and no (0).
    """

    llm: LanguageModel
    judge: Judge
    choices: tuple[str, str] = ("yes", "no")

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        turns = asyncio.Semaphore(AT_ONCE)

        async def ask(text: str) -> float:
            async with turns:
                chosen = await self.llm.choose(self.judge(question, text), self.choices)
            return chosen.probabilities.get(self.choices[0], float(chosen.choice == self.choices[0]))

        try:
            return await asyncio.gather(*(ask(text) for text in texts))
        except LlmError as error:
            raise RerankingFailed(f"{type(error).__name__}: {error}") from error
