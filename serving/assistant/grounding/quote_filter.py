"""`QuoteFilter`: quotation marks in a text that is being written stay only around what the evidence says word for word.

What cannot be verified keeps its words and loses its marks, so no sentence passes for somebody's who never said it.
"""

from collections.abc import Sequence

from serving.assistant.grounding.quotes import holds, normalize_text
from serving.index.evidence import Evidence

LONGEST_QUOTE = 400
"""Characters that are held back while a quote is open; a longer one loses its marks."""

_CLOSING = {"“": "”", "「": "」", "『": "』", "《": "》", '"': '"', "`": "`"}
_FENCE = "```"
_MARKS = str.maketrans(dict.fromkeys('“”「」『』《》"', ""))
_MOST_READ_AGAIN = 3
"""How often what stood in a quote that was given up is looked through for quotes within it. A choice."""


class QuoteFilter:
    """A filter of `serving.assistant.generation.writer`. Code between backticks stays as it is, and so does an inch
    mark after a digit."""

    def __init__(self, evidence: Sequence[Evidence], question: str) -> None:
        self._known = [normalize_text(f"{one.title}\n{one.text}") for one in evidence] + [normalize_text(question)]
        self._held = ""
        self._last = ""
        self._ticks = 0
        self._in_block = False
        self._again = 0

    def feed(self, text: str) -> str:
        return "".join(map(self._take, text))

    def flush(self) -> str:
        shown = ""
        while self._held:
            shown += self._release_held()
        return shown

    def _take(self, character: str) -> str:
        if self._held:
            return self._hold(character)
        before, self._last = self._last, character
        if self._in_block:
            self._ticks = self._ticks + 1 if character == "`" else 0
            self._in_block = self._ticks < len(_FENCE)
            return character
        if character in _CLOSING and not (character == '"' and before.isalnum()):
            self._held = character
            return ""
        return character

    def _hold(self, character: str) -> str:
        """A character inside an open quote or code: shown with the rest once that is decided."""
        opening, inside = self._held[0], self._held[1:]
        if opening == "`" and set(self._held) == {"`"} and len(self._held) < len(_FENCE):
            return self._after_backticks(character)
        if character == _CLOSING[opening]:
            self._held, self._last = "", character
            kept = opening == "`" or self._is_said(inside)
            return f"{opening}{inside}{character}" if kept else inside
        if len(inside) >= LONGEST_QUOTE:
            return self._let_go() + self._take(character)
        if character == "\n":
            return self._release_held() + self._take(character)
        self._held += character
        return ""

    def _after_backticks(self, character: str) -> str:
        """After nothing but backticks: the third opens a block of code, one alone a span of it."""
        self._held += character
        if self._held == _FENCE:
            self._held, self._ticks, self._in_block = "", 0, True
            return _FENCE
        if self._held.startswith("``"):
            return self._release_held() if character != "`" else ""
        return ""

    def _release_held(self) -> str:
        """What was held back, without its opening mark, or with it where it was a backtick; the rest is read again."""
        if self._again >= _MOST_READ_AGAIN:
            return self._let_go()
        opening, inside = self._held[0], self._held[1:]
        self._held, self._last = "", opening
        self._again += 1
        shown = ("`" if opening == "`" else "") + "".join(map(self._take, inside))
        self._again -= 1
        return shown

    def _let_go(self) -> str:
        """What was held back without any quotation mark, not looked at again."""
        held, self._held = self._held, ""
        self._last = held[-1:]
        return held.translate(_MARKS)

    def _is_said(self, quoted: str) -> bool:
        return any(holds(known, quoted) for known in self._known)
