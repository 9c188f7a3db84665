"""Where a generated text cites: marks such as `[1]`, found while the text still comes, whatever pieces it comes in.

A mark is a number in brackets outside code; what looks like code or data is left alone:

| written | read as |
|---|---|
| `[1]`, `【1】`, `［１］`, `【1†source】` | the mark 1 |
| `[1](address)` | the mark 1; an address is never the model's to give |
| `[1, 2]`, `[1][2]`, `[1、2]`, `[1-3]` | one mark each, if the numbers rise and one of them can be cited |
| `[5, 3, 8]`, `[7, 8]`, `[12 3]` | data: the numbers do not rise, or none can be cited |
| `[0]`, `[0, 1]`, `(1)`, `[x]` | text |
| between backticks, or in a fenced block | code |

Full-width brackets are never data. What is done with a mark is citation_filter.py's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST = 24
"""Characters between the brackets of a mark, and 300 of an address behind it: longer ones are text."""

_INSIDE = rf"[\d\s,，、;；–-]{{0,{_LONGEST}}}"
_SOURCE = r"(?:†[^\]】］\n]{0,40})?"
_ADDRESSES = r"(?:\([^()\s]{0,300}\))*"
_MARK = re.compile(rf"([\[【［])({_INSIDE}){_SOURCE}[\]】］]{_ADDRESSES}")
_OPEN_NUMBERS = rf"[\[【［]{_INSIDE}(?:†[^\]】］\n]{{0,40}})?\Z"
_OPEN_ADDRESS = rf"[\[【［]{_INSIDE}{_SOURCE}[\]】］]{_ADDRESSES}(?:\([^()\s]{{0,300}})?\Z"
_OPEN = re.compile(f"{_OPEN_NUMBERS}|{_OPEN_ADDRESS}")
_TAIL = re.compile(rf"[\[【［]{_INSIDE}\Z")
_NUMBERS = re.compile(r"\s*\d{1,3}(?:\s*[\s,，、;；–-]\s*\d{1,3})*\s*")
_RANGE = re.compile(r"\s*(\d{1,3})\s*[–-]\s*(\d{1,3})\s*")
_SPECIAL = re.compile(r"[`\[【［]")
_TICKS = re.compile("`+")
_FENCE = 3


@dataclass(frozen=True)
class Piece:
    """A part of a text. `numbers` are those in the brackets, none for text and code; `certain` when it cannot be data.

    `text` is the part as it was written.
    """

    text: str
    numbers: tuple[int, ...] = ()
    certain: bool = False


class MarkScanner:
    """Cuts a stream of text into pieces. What could still become a mark or code is held back until that is clear."""

    def __init__(self) -> None:
        self._held = ""
        self._blank = True
        self._fence = 0

    def feed(self, text: str) -> list[Piece]:
        """The pieces that are certain by now."""
        return list(self._cut(self._held + text, is_end=False))

    def flush(self) -> list[Piece]:
        """The rest: nothing comes any more."""
        return list(self._cut(self._held, is_end=True))

    def _cut(self, text: str, *, is_end: bool) -> Iterator[Piece]:
        place = 0
        while place < len(text):
            found = self._next(text, place, is_end=is_end)
            if found is None:
                break
            piece, place = found
            line = piece.text.rpartition("\n")
            self._blank = not line[2].strip() and (self._blank or bool(line[1]))
            yield piece
        self._held = text[place:]

    def _next(self, text: str, place: int, *, is_end: bool) -> tuple[Piece, int] | None:
        """The piece that begins at a place, and where the next begins; `None` when that is not clear yet."""
        if self._fence:
            return self._fenced(text, place, is_end=is_end)
        special = _SPECIAL.search(text, place)
        if special is None or special.start() > place:
            end = len(text) if special is None else special.start()
            return Piece(text[place:end]), end
        if special.group() == "`":
            return self._code(text, place, is_end=is_end)
        return _bracket(text, place, is_end=is_end)

    def _fenced(self, text: str, place: int, *, is_end: bool) -> tuple[Piece, int] | None:
        """Code up to the closing fence; backticks at the end may be the first of it."""
        closing = next((run for run in _TICKS.finditer(text, place) if len(run.group()) >= self._fence), None)
        if closing is not None and (is_end or closing.end() < len(text)):
            self._fence = 0
            return Piece(text[place : closing.end()]), closing.end()
        kept = len(text) if is_end else len(text.rstrip("`"))
        return (Piece(text[place:kept]), kept) if kept > place else None

    def _code(self, text: str, place: int, *, is_end: bool) -> tuple[Piece, int] | None:
        """A fence at the beginning of a line, code that closes on its line, or backticks that mean nothing."""
        opening = _TICKS.match(text, place)
        if opening is None or (opening.end() == len(text) and not is_end):
            return None
        ticks, end = opening.group(), opening.end()
        if len(ticks) >= _FENCE and self._blank:
            self._fence = len(ticks)
            return Piece(ticks), end
        line_end = text.find("\n", end)
        stop = len(text) if line_end < 0 else line_end
        closing = next((run for run in _TICKS.finditer(text, end, stop) if run.group() == ticks), None)
        is_open = line_end < 0 and not is_end
        if closing is not None and not (is_open and closing.end() == len(text)):
            return Piece(text[place : closing.end()]), closing.end()
        return None if is_open else (Piece(ticks), end)


def could_open_a_mark(text: str) -> bool:
    """Whether a text ends in what would be a mark if a number or a bracket came next."""
    return _TAIL.search(text[-_LONGEST - 1 :]) is not None


def _bracket(text: str, place: int, *, is_end: bool) -> tuple[Piece, int] | None:
    if not is_end and _OPEN.match(text, place):
        return None
    found = _MARK.match(text, place)
    if found is None or not _NUMBERS.fullmatch(found.group(2)):
        return Piece(text[place]), place + 1
    numbers = _numbers(found.group(2))
    certain = found.group(1) != "[" or len(numbers) == 1
    return Piece(found.group(), () if 0 in numbers else numbers, certain), found.end()


def _numbers(inside: str) -> tuple[int, ...]:
    """Numbers in the order they stand; a range is all of it."""
    both = _RANGE.fullmatch(inside)
    if both is not None:
        first, last = int(both.group(1)), int(both.group(2))
        return tuple(range(first, last + 1)) or (first, last)
    return tuple(int(number) for number in re.findall(r"\d+", inside))
