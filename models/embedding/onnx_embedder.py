"""An embedder that runs in this process, from exported files. ONNX Runtime, tokenizers and numpy only."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from tokenizers import Encoding, Tokenizer

from models.embedding.embedder import REMEDY, TOKEN_LENGTH, Tokens, Vectors, read_card
from models.onnx_session import UNREADABLE, open_session
from models.versions import ModelBroken, current_folder

NETWORK = "model.onnx"
TOKENIZER = "tokenizer.json"
INPUTS = ("input_ids", "attention_mask")
OUTPUT, TOKEN_OUTPUT = "vectors", "token_vectors"

_AT_ONCE = 8
"""Texts of like length that are run together: bounds memory. 28 course FAQs in a second of the processor, 26 by 16 at
once and 23 by 32."""

REMEMBERED = 2048
"""Single texts whose vectors are kept: a class asks the same questions. Three megabytes. A choice."""


class OnnxEmbedder:
    """One version of an exported model. Immutable; open again to follow `CURRENT`."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        """Open the version in `folder`. Raises `ModelBroken` naming what cannot be read."""
        card = read_card(folder)
        self.version = folder.name
        self.name = card.name
        self.dimension = card.dimension
        self.token_dimension = card.token_dimension
        self.languages = card.languages
        self._tokenizer = _open_tokenizer(folder / TOKENIZER, card.max_tokens)
        self._session = open_session(folder / NETWORK, threads, remedy=REMEDY)
        self._try(folder / NETWORK)
        self._of_one = lru_cache(REMEMBERED)(self._encode_one)

    @classmethod
    def open(cls, folder: Path, *, threads: int = 1) -> "OnnxEmbedder":
        """The version that `<folder>/CURRENT` names.

        Raises `ModelMissing` when nothing was published, `ModelBroken` when the files are damaged or do not fit.
        """
        return cls(current_folder(folder, what="embedder", remedy=REMEDY), threads=threads)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors of `texts`, in their order: (n, dimension), rows of unit length. Any text is accepted.

        The vector of a single text is remembered, and read-only.
        """
        return self.encode_with_tokens(texts)[0]

    def encode_with_tokens(self, texts: Sequence[str]) -> tuple[Vectors, list[Tokens]]:
        """The vectors of `texts` and the tokens of each, special ones left out; see `TokenEmbedder`."""
        if len(texts) == 1:
            vectors, tokens = self._of_one(texts[0])
            return vectors, [tokens]
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        found: list[Tokens] = [np.empty((0, self.token_dimension), dtype=np.int8)] * len(texts)
        encoded = self._tokenizer.encode_batch(list(texts))
        by_length = sorted(range(len(texts)), key=lambda place: len(encoded[place].ids))
        for start in range(0, len(texts), _AT_ONCE):
            places = by_length[start : start + _AT_ONCE]
            vectors[places], of_batch = self._run([encoded[place] for place in places])
            for place, tokens in zip(places, of_batch, strict=True):
                found[place] = tokens
        return vectors, found

    def _encode_one(self, text: str) -> tuple[Vectors, Tokens]:
        vectors, (tokens,) = self._run(self._tokenizer.encode_batch([text]))
        vectors.flags.writeable = tokens.flags.writeable = False
        return vectors, tokens

    def _run(self, batch: Sequence[Encoding]) -> tuple[Vectors, list[Tokens]]:
        longest = max(len(each.ids) for each in batch)
        token_ids = np.zeros((len(batch), longest), dtype=np.int64)
        mask = np.zeros_like(token_ids)
        for row, each in enumerate(batch):
            token_ids[row, : len(each.ids)] = each.ids
            mask[row, : len(each.ids)] = 1
        outputs = [OUTPUT, TOKEN_OUTPUT] if self.token_dimension else [OUTPUT]
        found, *of_tokens = self._session.run(outputs, dict(zip(INPUTS, (token_ids, mask), strict=True)))
        vectors = np.asarray(found, dtype=np.float32)
        if not of_tokens:
            return vectors, [np.empty((0, 0), dtype=np.int8) for _ in batch]
        whole = np.round(np.asarray(of_tokens[0]) * TOKEN_LENGTH).astype(np.int8)
        return vectors, [
            rows[: len(each.ids)][np.array(each.special_tokens_mask) == 0]
            for rows, each in zip(whole, batch, strict=True)
        ]

    def _try(self, path: Path) -> None:
        """Encode one text: a model of another version opens well and fails at the first student."""
        try:
            found, _ = self._run(self._tokenizer.encode_batch(["What is a heap?"]))
        except (*UNREADABLE, ValueError) as error:
            raise ModelBroken(f"{path} does not answer as this version of coteach asks: {error}. {REMEDY}") from error
        if found.shape != (1, self.dimension) or not np.isclose(np.linalg.norm(found), 1.0, atol=1e-3):
            raise ModelBroken(
                f"{path} answers one text with {found.shape} numbers of length {np.linalg.norm(found):.3f}; expected "
                f"are {self.dimension} of length 1. {REMEDY}"
            )


def _open_tokenizer(path: Path, max_tokens: int | None) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises no narrower one
        raise ModelBroken(f"{path} cannot be read: {error}. {REMEDY}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if max_tokens is not None:
        tokenizer.enable_truncation(max_tokens)
    return tokenizer
