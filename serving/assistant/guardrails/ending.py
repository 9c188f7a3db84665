"""Where an answer ends when whoever asks said so: before one of their stop sequences, or at a whole sentence within so
many tokens or sentences. A model keeps to the tokens itself; what is put together from the material is cut here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from serving.llm.language_model import Sampling

Finish = Literal["stop", "length", "content_filter"]

_SENTENCE_ENDS = re.compile(r"[.!?。！？](?:[\"'”’)\]]|\*\*)*(?:\s*\[\d+\])*(?=\s|$|[^\x00-\x7f])|(?<=\S)(?=\n)")
_WORD_ENDS = re.compile(r"\S(?=\s|$)|[\u3400-\u9fff]")
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5}
_SENTENCES_ASKED = re.compile(
    r"\b(\d{1,2}|one|two|three|four|five)[ -]sentences?\b|(\d{1,2}|[一两二三四五])\s*句", re.IGNORECASE
)
_BRIEF = re.compile(r"\b(?:brief(?:ly)?|short(?:ly)?|concise(?:ly)?|terse(?:ly)?)\b|简短|简洁|简要", re.IGNORECASE)

BRIEF_SENTENCES = 3
"""What "brief" means for an answer that no model writes. A choice."""


@dataclass(frozen=True)
class Options:
    """How whoever asks wants the answer: its length, its end, how a model samples it, and in which tone."""

    max_tokens: int | None = None
    temperature: float | None = None
    sampling: Sampling = field(default_factory=Sampling)
    instructions: str = ""

    @property
    def max_sentences(self) -> int | None:
        """The length that the instructions ask for, as far as it can be kept without a model."""
        if found := _SENTENCES_ASKED.search(self.instructions):
            named = (found[1] or found[2]).lower()
            return max(1, _NUMBERS.get(named) or int(named))
        return BRIEF_SENTENCES if _BRIEF.search(self.instructions) else None


class Ending:
    """A filter over one answer's text that ends it in time. `reason` is why it ended, `None` while it goes on."""

    def __init__(self, options: Options, count: Callable[[str], int]) -> None:
        self._options, self._count = options, count
        self._held, self._said = "", ""
        self.reason: Finish | None = None

    def feed(self, text: str, *, is_composed: bool) -> str:
        """What is to be shown of the next piece; nothing once the answer has ended."""
        if self.reason is not None:
            return ""
        self._held += text
        stops = self._options.sampling.stop
        at = min((found for stop in stops if (found := self._held.find(stop)) >= 0), default=None)
        if at is not None:
            self.reason = "stop"
            shown, self._held = self._held[:at], ""
        else:
            keep = max((_overlap(self._held, stop) for stop in stops), default=0)
            shown, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return self._within(shown) if is_composed else self._pass(shown)

    def flush(self, *, is_composed: bool) -> str:
        """What was held back, when the text ended without a stop sequence."""
        rest, self._held = self._held, ""
        if self.reason is not None:
            return ""
        return self._within(rest) if is_composed else self._pass(rest)

    def _pass(self, text: str) -> str:
        self._said += text
        return text

    def _within(self, text: str) -> str:
        """As much of a composed text as its limits allow, cut after a whole sentence if one fits."""
        most, sentences = self._options.max_tokens, self._options.max_sentences
        whole = self._said + text
        if sentences is not None and len(ends := _ends(whole)) > sentences:
            whole, self.reason = whole[: ends[sentences - 1]], "stop"
        if most is not None and self._count(whole) > most:
            whole, self.reason = self._cut(whole, most), "length"
        return self._pass(whole[len(self._said) :])

    def _cut(self, text: str, most: int) -> str:
        fitting = [end for end in _ends(text) if self._count(text[:end]) <= most]
        if fitting:
            return text[: fitting[-1]]
        words = [found.end() for found in _WORD_ENDS.finditer(text)]
        fitting = [end for end in words if self._count(text[:end] + "…") <= most]
        return text[: fitting[-1]] + "…" if fitting else "…"


def _ends(text: str) -> list[int]:
    """Where sentences and lines end."""
    return sorted({found.end() for found in _SENTENCE_ENDS.finditer(text)} | {len(text.rstrip())})


def _overlap(text: str, stop: str) -> int:
    """How many characters at the end of the text may be the beginning of a stop sequence."""
    longest = min(len(stop) - 1, len(text))
    return next((size for size in range(longest, 0, -1) if text.endswith(stop[:size])), 0)
