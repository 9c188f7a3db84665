"""How many tokens a text has for the served model: by its own tokenizer, estimated where that is not at hand."""

from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer

from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.assistant.retrieval.dynamic_top_k import Count

TOKENIZER = "tokenizer.json"

_REMEMBERED = 1024
"""Texts whose tokens are kept: instructions and examples are counted again and again while a prompt is cut."""


def counter(model: Path | None) -> Count:
    """Counts as the model in this folder does; by an upper estimate when the folder has no tokenizer."""
    path = model / TOKENIZER if model is not None else None
    if path is None or not path.is_file():
        return estimate_tokens
    tokenizer = Tokenizer.from_file(str(path))

    @lru_cache(maxsize=_REMEMBERED)
    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count
