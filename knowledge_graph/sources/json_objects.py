"""One JSON object after another out of a text of any size: an object a line, a list of objects, or objects laid out.

Memory is bounded by the largest object that is read. What an object means is for the readers.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TextIO

LARGEST_OBJECT = 16 * 2**20
"""Characters of one object. A lecture of ten hours has a million; a text without an end would fill the memory."""

_CHUNK = 2**20
_BETWEEN = re.compile(r"[\s,\[\]\ufeff]*")
_NEXT = re.compile(r"\n[ \t,\[]*(?=\{)")
_LONGEST_TOKEN = len("-Infinity") + 1
# Whole numbers stay as written, so that none is too long for Python.
_DECODER = json.JSONDecoder(parse_int=str)


@dataclass(frozen=True)
class JsonObject:
    """An object with the line it begins on (1-based), or (`defect`) what is wrong there."""

    line: int
    fields: Mapping[str, object]
    defect: str | None = None


def json_objects(stream: TextIO) -> Iterator[JsonObject]:
    """Every object, and one defect for each stretch of text that is none. Whole numbers come as they are written.

    After a defect reading goes on at the next line that begins with `{`.
    """
    text = _Text(stream)
    while text.skip_separators():
        yield text.take()


@dataclass
class _Text:
    """A window on the stream. `place` is where reading goes on, `line` the line of that place."""

    stream: TextIO
    window: str = ""
    place: int = 0
    line: int = 1
    cut_short: bool = field(default=False, init=False)

    def skip_separators(self) -> bool:
        """Go to the next item; `False` when there is none."""
        while True:
            found = _BETWEEN.match(self.window, self.place)
            self._go_to(found.end() if found else self.place)
            if self.place < len(self.window):
                return True
            if not self._read_on():
                return False

    def take(self) -> JsonObject:
        """The item at this place, which is left behind."""
        line = self.line
        while True:
            value, defect = self._decode()
            if not self.cut_short or len(self.window) - self.place > LARGEST_OBJECT or not self._read_on():
                break
        if isinstance(value, Mapping):
            return JsonObject(line, value)
        if self.cut_short and len(self.window) - self.place > LARGEST_OBJECT:
            defect = f"the object has more than {LARGEST_OBJECT:,} characters"
        begin = " ".join(self.window[self.place : self.place + 40].split())
        self._go_to_next_object()
        return JsonObject(line, {}, f"Not a JSON object: {defect}; it begins '{begin}'.")

    def _decode(self) -> tuple[object, str]:
        """The object at this place, else what is wrong with it; `cut_short` when the window may end too early."""
        self.cut_short = False
        if self.window[self.place] != "{":
            return None, "expected '{'"
        try:
            value, end = _DECODER.raw_decode(self.window, self.place)
        except json.JSONDecodeError as error:
            near_end = error.pos >= len(self.window) - _LONGEST_TOKEN
            self.cut_short = near_end or error.msg.startswith("Unterminated string")
            return None, f"{error.msg} (character {error.pos - self.place + 1})"
        except RecursionError:
            return None, "brackets are nested too deeply to be read"
        self._go_to(end)
        return value, ""

    def _go_to_next_object(self) -> None:
        while True:
            found = _NEXT.search(self.window, self.place)
            if found:
                return self._go_to(found.end())
            last_break = self.window.rfind("\n", self.place)
            self._go_to(last_break if last_break >= 0 else len(self.window))
            if not self._read_on():
                return self._go_to(len(self.window))

    def _go_to(self, place: int) -> None:
        self.line += self.window.count("\n", self.place, place)
        self.place = place

    def _read_on(self) -> bool:
        """Widen the window, by no less than it has left, so that a long object is not decoded over and over."""
        left = self.window[self.place :]
        more = self.stream.read(max(_CHUNK, len(left)))
        self.window, self.place = left + more, 0
        return bool(more)
