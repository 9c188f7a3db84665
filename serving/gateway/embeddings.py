"""`/v1/embeddings`: texts to vectors, by the embedder that the home's own search compares meanings with."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import numpy as np
import structlog
from fastapi import APIRouter, FastAPI, Request
from pydantic import BaseModel, ConfigDict, Field

from models.embedding.embedder import Embedder, EmbeddingFailed
from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.gateway.access import Asking, settings_of
from serving.gateway.chat_schemas import LONGEST_NAME
from serving.gateway.errors import GatewayError
from serving.gateway.parameters import refuse_leftovers
from serving.gateway.service import Shared

log = structlog.get_logger(__name__)

router = APIRouter(tags=["material"])

MODEL = "coteach-embedder"
MOST_TEXTS = 128
"""Texts of one request, a choice: some seconds on one core."""

MOST_WAITING = 4
"""Requests that wait while one is worked on; who comes beside them would wait for minutes. A choice."""

RETRY_SECONDS = 10


class EmbeddingTurns:
    """One request is worked on at a time, for answers compare meanings too; few wait, and no more."""

    def __init__(self) -> None:
        self._one, self._inside = asyncio.Lock(), 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Raises `GatewayError` 503 at once when `MOST_WAITING` wait already."""
        if self._inside > MOST_WAITING:
            message = f"More is to be embedded just now than can be done in time. Try again in {RETRY_SECONDS} s."
            headers = {"Retry-After": str(RETRY_SECONDS)}
            raise GatewayError(message, status=503, code="overloaded", headers=headers)
        self._inside += 1
        try:
            async with self._one:
                yield
        finally:
            self._inside -= 1


class EmbeddingRequest(BaseModel):
    """Texts to embed. Arrays of tokens are refused: they are another model's."""

    model_config = ConfigDict(extra="allow", strict=True)
    input: str | list[str]
    model: str = MODEL
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: int | None = None
    user: str | None = Field(default=None, max_length=LONGEST_NAME)


class Vector(BaseModel):
    object: Literal["embedding"] = "embedding"
    index: int
    embedding: list[float] | str = Field(description="Numbers, or little-endian 32-bit floats in base64.")


class EmbeddingUsage(BaseModel):
    """Tokens, estimated."""

    prompt_tokens: int
    total_tokens: int


class EmbeddingReply(BaseModel):
    object: Literal["list"] = "list"
    data: list[Vector]
    model: str
    usage: EmbeddingUsage


@router.post("/v1/embeddings")
async def create_embeddings(
    body: EmbeddingRequest, request: Request, service: Shared, caller: Asking
) -> EmbeddingReply:
    """Vectors of unit length, in the order of the texts. 404 where the home has no embedder."""
    refuse_leftovers(body.model_extra or {}, {}, ignores=settings_of(request).unknown_parameters == "ignore")
    dense = (await service.knowledge()).dense
    if dense is None:
        message = "This home has no embedder. Build one: materialize `embedder`, or set COTEACH_EMBEDDER_URL and build."
        raise GatewayError(message, status=404, code="model_not_found", param="model")
    texts = _texts(body, dense.embedder, settings_of(request).max_question_chars)
    async with _turns_of(request.app).turn():
        vectors = await asyncio.to_thread(_embed, dense.embedder, texts)
    count = sum(estimate_tokens(text) for text in texts)
    return EmbeddingReply(
        data=[Vector(index=place, embedding=_encode_row(row, body)) for place, row in enumerate(vectors)],
        model=dense.embedder.name,
        usage=EmbeddingUsage(prompt_tokens=count, total_tokens=count),
    )


def _turns_of(app: FastAPI) -> EmbeddingTurns:
    if not hasattr(app.state, "embedding_turns"):
        app.state.embedding_turns = EmbeddingTurns()
    turns: EmbeddingTurns = app.state.embedding_turns
    return turns


def _texts(body: EmbeddingRequest, embedder: Embedder, longest: int) -> list[str]:
    """The texts of a request that this embedder can do."""
    if body.model not in (MODEL, embedder.name):
        message = f"The model '{body.model[:200]}' does not exist. Use '{MODEL}'."
        raise GatewayError(message, status=404, code="model_not_found", param="model")
    if body.dimensions not in (None, embedder.dimension):
        message = f"This embedder's vectors have {embedder.dimension} dimensions."
        raise GatewayError(message, code="unsupported_parameter", param="dimensions")
    texts = [body.input] if isinstance(body.input, str) else body.input
    if not texts or len(texts) > MOST_TEXTS or not all(text.strip() for text in texts):
        raise GatewayError(f"Send 1 to {MOST_TEXTS} texts, none empty; found {len(texts)}.", param="input")
    if (most := max(map(len, texts))) > longest:
        message = f"A text has {most} characters; at most {longest} are read (COTEACH_MAX_QUESTION_CHARS)."
        raise GatewayError(message, code="string_above_max_length", param="input")
    return texts


def _embed(embedder: Embedder, texts: list[str]) -> Any:
    try:
        return embedder.encode(texts)
    except EmbeddingFailed as error:
        log.warning("embedding_failed", reason=str(error))
        message = "The embedder does not answer just now; the gateway's log says why."
        raise GatewayError(
            message, status=503, code="embedder_unavailable", headers={"Retry-After": str(RETRY_SECONDS)}
        ) from error


def _encode_row(row: Any, body: EmbeddingRequest) -> list[float] | str:
    if body.encoding_format == "base64":
        return base64.b64encode(np.asarray(row, dtype="<f4").tobytes()).decode()
    return [float(value) for value in row]
