"""An embedder behind any OpenAI-compatible `/v1/embeddings`: a model of any size and language, on any machine."""

import hashlib
from collections.abc import Sequence

import numpy as np
from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAI, OpenAIError

from models.embedding.embedder import EmbedderCard, EmbeddingFailed, Vectors, unit_rows

_AT_ONCE = 32
"""Texts of one request, a choice: servers refuse very long ones."""
_SECONDS = 30.0
_TRIES_AGAIN = 2
_AWAITED_SECONDS = 5.0
"""Longest silence of the server, asked once, while a student waits. A choice."""


class HttpEmbedder:
    """A model of an embeddings API. The server's name for it and its address make the name: its files are unseen.

    Every text is sent to that server: students' questions too.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        dimension: int,
        languages: tuple[str, ...],
        api_key: str = "none",
        is_awaited: bool = False,
    ) -> None:
        """`url` is the base with its `/v1`. Nothing is sent yet.

        While a student waits (`is_awaited`) the server is asked once and not waited for long: an answer can do without
        meaning. A build asks again, since it cannot.
        """
        self.name = name_embedder(url, model)
        self.dimension = dimension
        self.languages = languages
        self._url, self._model = url, model
        self._client = OpenAI(
            base_url=url,
            api_key=api_key,
            timeout=_AWAITED_SECONDS if is_awaited else _SECONDS,
            max_retries=0 if is_awaited else _TRIES_AGAIN,
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors of `texts`, in their order: (n, dimension), rows of unit length.

        Raises `EmbeddingFailed` when the server does not answer, or not with as many vectors of that dimension.
        """
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _AT_ONCE):
            some = texts[start : start + _AT_ONCE]
            found = _ask(self._client, self._url, self._model, some)
            if found.shape != (len(some), self.dimension):
                raise EmbeddingFailed(
                    f"{self._model} at {self._url} answered {len(some)} texts with {found.shape[0]} vectors of "
                    f"{found.shape[1]} numbers; expected are {self.dimension}. Materialize `embedder` again."
                )
            vectors[start : start + len(some)] = unit_rows(found)
        return vectors


def describe(url: str, model: str, *, languages: tuple[str, ...], api_key: str = "none") -> EmbedderCard:
    """What a server's model is, asked with one text. Raises `EmbeddingFailed` when it does not answer."""
    client = OpenAI(base_url=url, api_key=api_key, timeout=_SECONDS, max_retries=_TRIES_AGAIN)
    found = _ask(client, url, model, ["What is a heap?"])
    return EmbedderCard("http", name_embedder(url, model), int(found.shape[1]), languages, url=url, model=model)


def name_embedder(url: str, model: str) -> str:
    """`<model>@<8 hex digits>` of address and model."""
    digits = hashlib.sha256(f"{url.rstrip('/')}\n{model}".encode()).hexdigest()[:8]
    return f"{model.rstrip('/').rsplit('/', 1)[-1].lower()}@{digits}"


def _ask(client: OpenAI, url: str, model: str, texts: Sequence[str]) -> Vectors:
    try:
        # A text of nothing is refused by some servers.
        answer = client.embeddings.create(model=model, input=[text or " " for text in texts], encoding_format="float")
        found = sorted(answer.data, key=lambda each: each.index)
        vectors = np.array([each.embedding for each in found], dtype=np.float32)
    except APITimeoutError as error:
        raise EmbeddingFailed(f"{url} did not embed within {client.timeout:g} s. Is the server overloaded?") from error
    except APIConnectionError as error:
        raise EmbeddingFailed(f"No embedding server answers at {url}. Check COTEACH_EMBEDDER_URL.") from error
    except APIStatusError as error:
        raise EmbeddingFailed(
            f"{url} refused to embed with {model!r}: {error.status_code}, {error.message}. Check COTEACH_EMBEDDER, "
            "COTEACH_EMBEDDER_URL and COTEACH_EMBEDDER_KEY."
        ) from error
    except (OpenAIError, ValueError, TypeError, AttributeError) as error:
        raise EmbeddingFailed(f"{url} did not answer as an embeddings API does: {error!r}.") from error
    if vectors.ndim != 2 or not len(vectors) or not np.isfinite(vectors).all():
        raise EmbeddingFailed(f"{url} did not answer with vectors of numbers for {model!r}.")
    return vectors
