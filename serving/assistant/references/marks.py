"""Where a generated text cites: marks such as `[1]`, found while the text still comes, whatever pieces it comes in.

A mark is a number in brackets outside code; what looks like code or data is left alone as it was written:

| written | read as |
|---|---|
| `[1]`, `【1】`, `［１］`, `【1†source】`, `[0001]` | the mark 1 |
| `[1](address)` | the mark 1; an address is never the model's to give |
| `[1, 2]`, `[1][2]`, `[1、2]`, `[1-3]` | one mark each, if the numbers rise and one of them can be cited |
| `[5, 3, 8]`, `[7, 8]`, `[12 3]` | data: the numbers do not rise, or none can be cited |
| `stack[1].`, `栈Stack[1]的` | the mark 1, if it can be cited: a word and a mark without a space |
| `arr[5]`, `f(x)[1]()`, `a[1].b`, `a[1, 2]` | text: after a Latin word or a bracket everything else is an index |
| `[0]`, `[0, 1]`, `(1)`, `[x]` | text |
| between backticks, or in a fenced block | code |

Full-width brackets are never data. What is done with a mark is citation_filter.py's.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from serving.assistant.guardrails.escaping import AFTER_CODE

_LONGEST = 24
"""Characters between the brackets of a mark, and 300 of an address behind it: longer ones are text."""

_LONGEST_CODE = 1000
"""Characters of code within one line: what is longer is text, as it is for `MarkupFilter`."""

_INSIDE = rf"[\d\s,，、;；–-]{{0,{_LONGEST}}}"
_SOURCE = r"(?:†[^\]】］\n]{0,40})?"
_ADDRESSES = r"(?:\([^()\s]{0,300}\))*"
_MARK = re.compile(rf"([\[【［])({_INSIDE}){_SOURCE}[\]】］]{_ADDRESSES}")
_OPEN_NUMBERS = rf"[\[【［]{_INSIDE}(?:†[^\]】］\n]{{0,40}})?\Z"
_OPEN_ADDRESS = rf"[\[【［]{_INSIDE}{_SOURCE}[\]】］]{_ADDRESSES}(?:\([^()\s]{{0,300}})?\Z"
_OPEN = re.compile(f"{_OPEN_NUMBERS}|{_OPEN_ADDRESS}")
_AFTER_CODE = re.compile(AFTER_CODE)
_INDEX = re.compile(rf"\[({_INSIDE})\]")
_FOLLOWING = r"(?:\[\s*\d{1,3}\s*\]){0,8}"
_CITES = re.compile(rf"\[\s*\d{{1,3}}\s*\]({_FOLLOWING})(?:\Z|\s|[^\x00-\x7f]|[.,:;!?'\")}}*|](?![A-Za-z0-9_]))")
_COULD_CITE = re.compile(rf"\[{_INSIDE}\]{_FOLLOWING}(?:\[[\s\d]{{0,{_LONGEST}}}|[.,:;!?'\")}}*|])?\Z")
_TAIL = re.compile(rf"[\[【［]{_INSIDE}\Z")
_NUMBER = r"0{0,20}\d{1,3}"
_NUMBERS = re.compile(rf"\s*+{_NUMBER}(?:\s*+(?:[,，、;；–-]\s*+|(?<=\s)){_NUMBER})*+\s*+")
_RANGE = re.compile(rf"\s*+({_NUMBER})\s*+[–-]\s*+({_NUMBER})\s*+")
_SPECIAL = re.compile(r"[`\[【［]")
_TICKS = re.compile("`+")
_FENCE = 3


@dataclass(frozen=True)
class MarkedPiece:
    """A part of a text as it was written. `numbers` are those that a mark names, none for text and code."""

    text: str
    numbers: tuple[int, ...] = ()


class MarkScanner:
    """Cuts a stream of text into pieces. What could still become a mark or code is held back until that is clear.

    `known` are the numbers that can be cited.
    """

    def __init__(self, known: Collection[int]) -> None:
        self._known = known
        self._is_index = False
        self._held = ""
        self._blank = True
        self._fence = 0

    def feed(self, text: str) -> list[MarkedPiece]:
        """The pieces that are certain by now."""
        return list(self._cut(self._held + text, is_end=False))

    def flush(self) -> list[MarkedPiece]:
        """The rest: nothing comes any more."""
        return list(self._cut(self._held, is_end=True))

    def _cut(self, text: str, *, is_end: bool) -> Iterator[MarkedPiece]:
        place = 0
        while place < len(text):
            found = self._next(text, place, is_end=is_end)
            if found is None:
                break
            piece, place = found
            line = piece.text.rpartition("\n")
            self._blank = not line[2].strip() and (self._blank or bool(line[1]))
            self._is_index = not piece.numbers and _AFTER_CODE.match(piece.text[-1:]) is not None
            yield piece
        self._held = text[place:]

    def _next(self, text: str, place: int, *, is_end: bool) -> tuple[MarkedPiece, int] | None:
        """The piece that begins at a place, and where the next begins; `None` when that is not clear yet."""
        if self._fence:
            return self._read_fence(text, place, is_end=is_end)
        special = _SPECIAL.search(text, place)
        if special is None or special.start() > place:
            end = len(text) if special is None else special.start()
            return MarkedPiece(text[place:end]), end
        if special.group() == "`":
            return self._code(text, place, is_end=is_end)
        index = _INDEX.match(text, place) if self._is_index else None
        if index is not None and _NUMBERS.fullmatch(index.group(1)):
            return self._index(text, index, is_end=is_end)
        return self._bracket(text, place, is_end=is_end)

    def _index(self, text: str, index: re.Match[str], *, is_end: bool) -> tuple[MarkedPiece, int] | None:
        """Numbers right after a word: a mark when what comes next says so and it, and marks behind it, can be cited."""
        if not is_end and _COULD_CITE.match(text, index.start()):
            return None
        cites = _CITES.match(text, index.start())
        if cites is None:
            return MarkedPiece(index.group()), index.end()
        number, *others = (int(one) for one in re.findall(r"\d+", index.group() + cites.group(1)))
        is_mark = all(one in self._known for one in (number, *others))
        return MarkedPiece(index.group(), (number,) if is_mark else ()), index.end()

    def _bracket(self, text: str, place: int, *, is_end: bool) -> tuple[MarkedPiece, int] | None:
        if not is_end and _OPEN.match(text, place):
            return None
        found = _MARK.match(text, place)
        text_alone = MarkedPiece(text[place]), place + 1
        if found is None or not _NUMBERS.fullmatch(found.group(2)):
            return text_alone
        numbers = _numbers(found.group(2))
        is_mark = found.group(1) != "[" or len(numbers) == 1 or self._could_be_cited(numbers)
        return (MarkedPiece(found.group(), numbers), found.end()) if is_mark and 0 not in numbers else text_alone

    def _could_be_cited(self, numbers: tuple[int, ...]) -> bool:
        """Several numbers in square brackets may be data: a mark's rise, and at least one of them can be cited."""
        rising = all(before < after for before, after in pairwise(numbers))
        return rising and any(number in self._known for number in numbers)

    def _read_fence(self, text: str, place: int, *, is_end: bool) -> tuple[MarkedPiece, int] | None:
        """Code up to the closing fence; backticks at the end may be the first of it."""
        closing = next((run for run in _TICKS.finditer(text, place) if len(run.group()) >= self._fence), None)
        if closing is not None and (is_end or closing.end() < len(text)):
            self._fence = 0
            return MarkedPiece(text[place : closing.end()]), closing.end()
        kept = len(text) if is_end else len(text.rstrip("`"))
        return (MarkedPiece(text[place:kept]), kept) if kept > place else None

    def _code(self, text: str, place: int, *, is_end: bool) -> tuple[MarkedPiece, int] | None:
        """A fence at the beginning of a line, code that closes on its line, or backticks that mean nothing."""
        opening = _TICKS.match(text, place)
        if opening is None or (opening.end() == len(text) and not is_end):
            return None
        ticks, end = opening.group(), opening.end()
        if len(ticks) >= _FENCE and self._blank:
            self._fence = len(ticks)
            return MarkedPiece(ticks), end
        line_end = text.find("\n", end)
        stop = min(len(text) if line_end < 0 else line_end, end + _LONGEST_CODE)
        closing = next((run for run in _TICKS.finditer(text, end, stop) if run.group() == ticks), None)
        is_open = line_end < 0 and not is_end and stop == len(text)
        if closing is not None and not (is_open and closing.end() == len(text)):
            return MarkedPiece(text[place : closing.end()]), closing.end()
        return None if is_open else (MarkedPiece(ticks), end)


def could_open_a_mark(text: str) -> bool:
    """Whether a text ends in what would be a mark if a number or a bracket came next."""
    return _TAIL.search(text[-_LONGEST - 1 :]) is not None


def _numbers(inside: str) -> tuple[int, ...]:
    """Numbers in the order they stand; a range is all of it."""
    both = _RANGE.fullmatch(inside)
    if both is not None:
        first, last = int(both.group(1)), int(both.group(2))
        return tuple(range(first, last + 1)) or (first, last)
    return tuple(int(number) for number in re.findall(r"\d+", inside))
