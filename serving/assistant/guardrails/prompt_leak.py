"""What must not be repeated to a student: instructions to the model, said word for word. Pure.

Only the words are looked at: a leak in another language, in code or spelled backwards is not seen. So nothing that is
secret belongs into a prompt; this keeps students from being answered with instructions.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from knowledge_graph.text.invisible import without_invisible
from serving.llm.language_model import LlmUseless

RUN_WORDS = 8
"""A run of so many words in common is no accident. A choice; a Chinese character counts as half a word."""

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_UNIT = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")
_INNER = re.compile(rf"[^\W_{_HAN}]")
_GAP = re.compile(r"\{\w+\}")
_LONGEST_WORD = 64
"""Letters that are looked at of one word; none of ours is longer, so what is longer is none of ours."""


def leaks(text: str, protected: Iterable[str]) -> bool:
    """Whether `RUN_WORDS` words of a protected text stand in `text` in a row; case and punctuation do not matter.

    A protected text with fewer words is not protected: it would be found in what anyone says.
    """
    runs = _runs_of(protected)
    return any(run in runs for run in _runs(_units(text)))


def find_fixed_parts(template: str) -> tuple[str, ...]:
    """The texts between the gaps of a template: what may be protected, for what fills the gaps is the student's."""
    return tuple(part for part in _GAP.split(template) if part.strip())


class LeakGuard:
    """Watches a stream and holds nothing back: raises `LlmUseless` when a run of a protected text has come.

    So at most `RUN_WORDS` words of it are shown. How the stream is cut does not change whether it raises.
    """

    def __init__(self, protected: Iterable[str]) -> None:
        self._runs = _runs_of(protected)
        self._units: list[str] = []
        self._open = ""

    def feed(self, text: str) -> str:
        """The same text. Raises `LlmUseless` instead when a run is complete with it."""
        seen = self._open + without_invisible(text)
        start = _start_of_last_word(seen)
        self._open = seen[max(start, len(seen) - _LONGEST_WORD) :]
        self._look(seen[:start])
        return text

    def flush(self) -> str:
        """Nothing, for nothing is held back; the last word is looked at. Raises as `feed` does."""
        rest, self._open = self._open, ""
        self._look(rest)
        return ""

    def _look(self, text: str) -> None:
        self._units += _units(text)
        if any(run in self._runs for run in _runs(self._units)):
            raise LlmUseless("The model repeated its instructions.")
        self._units = self._units[-2 * RUN_WORDS :]


def _start_of_last_word(text: str) -> int:
    """Where the word begins that the text may have stopped in; its end when it stopped after one."""
    start = len(text)
    while start > 0 and _INNER.match(text, start - 1):
        start -= 1
    return start


def _runs_of(protected: Iterable[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(run for text in protected for run in _runs(_units(text)))


def _units(text: str) -> list[str]:
    """Words, and each Chinese character, folded."""
    return _UNIT.findall(unicodedata.normalize("NFKC", without_invisible(text)).casefold())


def _runs(units: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """From every place the shortest run that is `RUN_WORDS` words long."""
    for start in range(len(units)):
        length, end = 0.0, start
        while length < RUN_WORDS and end < len(units):
            length += 0.5 if "\u3400" <= units[end] <= "\u9fff" else 1.0
            end += 1
        if length < RUN_WORDS:
            return
        yield tuple(units[start:end])
