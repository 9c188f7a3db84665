"""The model's input, `[CLS] previous turn, course [SEP] question [SEP]` (LittleMu eq. 2), as token ids.

Used alike in training and in serving, so it knows `tokenizers` and numpy and nothing heavier.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from knowledge_graph.lake.tables import Row

LONGEST_TEXT = 2000
"""Characters of a text that are looked at; the model sees at most 64 tokens."""

_CONTEXT_SHARE = 0.35
"""Share of the room that the context keeps when the question is long."""

Ids = NDArray[np.int64]


@dataclass(frozen=True)
class PaddedBatch:
    """Padded model inputs, one row per question."""

    input_ids: Ids
    attention_mask: Ids
    token_type_ids: Ids


@dataclass(frozen=True)
class PairEncoder:
    """Turns (previous, course, question) into model inputs."""

    tokenizer: Tokenizer
    cls_id: int
    sep_id: int
    pad_id: int
    max_length: int
    reads_course: bool = True
    """Whether the course's title is a part of the context, as it was for the network that this encodes for."""
    reads_previous: bool = True
    """Likewise the turn before."""

    def encode(self, previous: str, course: str, question: str) -> tuple[list[int], list[int]]:
        """Token ids and segment ids (0 context, 1 question); at most `max_length`.

        When both do not fit the end of the context and the beginning of the question are kept.
        """
        title = course[:LONGEST_TEXT] if self.reads_course else ""
        before = previous[-LONGEST_TEXT:] if self.reads_previous else ""
        context_text = ", ".join(text for text in (before, title) if text)
        context = self._ids(context_text)
        asked = self._ids(question[:LONGEST_TEXT])
        room = self.max_length - 3
        asked = asked[: room - min(len(context), int(room * _CONTEXT_SHARE))]
        kept = room - len(asked)
        context = context[-kept:] if kept else []
        ids = [self.cls_id, *context, self.sep_id, *asked, self.sep_id]
        return ids, [0] * (len(context) + 2) + [1] * (len(asked) + 1)

    def batch(self, turns: Sequence[tuple[str, str, str]]) -> PaddedBatch:
        """Encode (previous, course, question) triples and pad them to the longest."""
        return self.pad([self.encode(*turn) for turn in turns])

    def pad(self, rows: Sequence[tuple[list[int], list[int]]]) -> PaddedBatch:
        shape = (len(rows), max((len(ids) for ids, _ in rows), default=0))
        found = PaddedBatch(np.full(shape, self.pad_id, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64))
        for number, (ids, segments) in enumerate(rows):
            found.input_ids[number, : len(ids)] = ids
            found.attention_mask[number, : len(ids)] = 1
            found.token_type_ids[number, : len(ids)] = segments
        return found

    def settings(self) -> dict[str, int]:
        """What `from_settings` needs beside the tokenizer."""
        return {
            "cls_id": self.cls_id,
            "sep_id": self.sep_id,
            "pad_id": self.pad_id,
            "max_length": self.max_length,
            "reads_course": self.reads_course,
            "reads_previous": self.reads_previous,
        }

    @classmethod
    def from_settings(cls, tokenizer: Tokenizer, settings: Row) -> "PairEncoder":
        tokenizer.no_padding()
        tokenizer.no_truncation()
        names = ("cls_id", "sep_id", "pad_id", "max_length")
        numbers = {name: int(settings[name]) for name in names}
        return cls(
            tokenizer=tokenizer,
            reads_course=bool(settings.get("reads_course", True)),
            reads_previous=bool(settings.get("reads_previous", True)),
            **numbers,
        )

    def _ids(self, text: str) -> list[int]:
        whole = text.encode("utf-8", "replace").decode()  # half a surrogate pair is text to Python, not to tokenizers
        found: list[int] = self.tokenizer.encode(whole, add_special_tokens=False).ids
        return found
