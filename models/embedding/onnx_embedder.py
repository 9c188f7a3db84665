"""An embedder that runs in this process, from exported files. ONNX Runtime, tokenizers and numpy only."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from tokenizers import Encoding, Tokenizer

from models.embedding.embedder import REMEDY, Vectors, read_card
from models.onnx_session import UNREADABLE, open_session
from models.versions import ModelBroken, current_folder

NETWORK = "model.onnx"
TOKENIZER = "tokenizer.json"
INPUTS = ("input_ids", "attention_mask")
OUTPUT = "vectors"

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
        if len(texts) == 1:
            return self._of_one(texts[0])
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        encoded = self._tokenizer.encode_batch(list(texts))
        by_length = sorted(range(len(texts)), key=lambda place: len(encoded[place].ids))
        for start in range(0, len(texts), _AT_ONCE):
            places = by_length[start : start + _AT_ONCE]
            vectors[places] = self._run([encoded[place] for place in places])
        return vectors

    def _encode_one(self, text: str) -> Vectors:
        found = self._run(self._tokenizer.encode_batch([text]))
        found.flags.writeable = False
        return found

    def _run(self, batch: Sequence[Encoding]) -> Vectors:
        longest = max(len(each.ids) for each in batch)
        token_ids = np.zeros((len(batch), longest), dtype=np.int64)
        mask = np.zeros_like(token_ids)
        for row, each in enumerate(batch):
            token_ids[row, : len(each.ids)] = each.ids
            mask[row, : len(each.ids)] = 1
        (found,) = self._session.run([OUTPUT], dict(zip(INPUTS, (token_ids, mask), strict=True)))
        return np.asarray(found, dtype=np.float32)

    def _try(self, path: Path) -> None:
        """Encode one text: a model of another version opens well and fails at the first student."""
        try:
            found = self._run(self._tokenizer.encode_batch(["What is a heap?"]))
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
