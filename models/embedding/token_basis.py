"""The directions along which the tokens of a model's texts differ most: what is kept of a token's vector.

    python -m models.embedding.token_basis <folder of a model> <folder of subtitles>

`DIMENSION` numbers of one byte are kept of each token, so that every sentence of a course can be compared with a
question token by token (Khattab and Zaharia 2020, eq. 3: the largest cosine of each of the question's tokens with one
of the text's, late interaction). The directions are learnt once per model from some lectures in its language; which
ones hardly matters. A model without the file `BASIS` in its folder is used without tokens.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.subtitle_formats import parse_srt
from knowledge_graph.text.sentences import split_sentences

BASIS = "token_basis.npy"
"""In a model's folder: the mean of its tokens' vectors, and below it the directions; (1 + `DIMENSION`, size)."""

DIMENSION = 64
"""Numbers kept of a token. In a trial that counted the lecture's title as well and left out words without content, the
best three windows of 631 English development questions answered, each course left out in turn, .764 without tokens,
.802 with 64 numbers of each, .792 with 96, .800 with 128 and .784 with all 384. A choice."""

_AT_ONCE = 32
_DIGITS = 6


def main_directions(tokens: NDArray[np.floating], dimension: int) -> NDArray[np.float32]:
    """The mean of (n, size) vectors, and the `dimension` directions of unit length along which they differ most, most
    first: (1 + dimension, size), rounded. A direction's largest number is positive."""
    mean = tokens.mean(axis=0)
    _, found = np.linalg.eigh(np.cov((tokens - mean).T))
    directions = found[:, ::-1][:, :dimension].T
    largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=1)[:, None], axis=1)
    return np.round(np.vstack([mean, directions * np.sign(largest)]), _DIGITS).astype(np.float32)


def token_vectors(location: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """The vectors of all tokens of `texts` but special ones, each of unit length: (tokens, size)."""
    encoder, tokenizer = AutoModel.from_pretrained(location).eval(), AutoTokenizer.from_pretrained(location)
    found = []
    for start in range(0, len(texts), _AT_ONCE):
        read = tokenizer(
            list(texts[start : start + _AT_ONCE]),
            padding=True,
            truncation=True,
            return_special_tokens_mask=True,
            return_tensors="pt",
        )
        is_special = read.pop("special_tokens_mask").bool()
        with torch.inference_mode():
            states = encoder(**read).last_hidden_state[~is_special]
        found.append(torch.nn.functional.normalize(states, dim=-1).numpy())
    return np.concatenate(found)


def read_sentences(folder: Path) -> list[str]:
    """The sentences of every SRT file of a folder, in the order of the files' names."""
    decoded = [read_text(path, ProblemLog()) for path in sorted(folder.glob("*.srt"))]
    lines = [[line for block in parse_srt(one.text).blocks for line in block.lines] for one in decoded if one]
    return [sentence for each in lines for sentence in split_sentences(" ".join(each), "en")]


def main(location: str, subtitles: str) -> None:
    """Write the basis into the folder of a model; the file is there when it is whole, and not before."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    sentences = read_sentences(Path(subtitles))
    if not sentences:
        raise SystemExit(f"{subtitles} has no subtitles (*.srt) to learn from.")
    part = Path(location) / f"{BASIS}.part"
    with part.open("wb") as file:
        np.save(file, main_directions(token_vectors(location, sentences), DIMENSION))
    part.rename(Path(location) / BASIS)


if __name__ == "__main__":
    main(*sys.argv[1:])
