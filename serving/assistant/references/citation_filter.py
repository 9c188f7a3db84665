"""A citation can only name evidence of this turn: marks of anything else never reach the student.

Marks of known evidence are written `[1]`, one by one, however the model wrote them. What a mark is, marks.py says.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from serving.assistant.references.marks import MarkedPiece, MarkScanner, could_open_a_mark
from serving.index.evidence import Evidence

_NOTHING = "[]"
_LOOKED_BACK = 64
_CLOSING = tuple(".,:;!?)…\n。，、：；！？）")


class Numbered(Protocol):
    """What a mark can name: a piece of evidence or a reference."""

    @property
    def number(self) -> int: ...


class CitationFilter:
    """Lets a stream of generated text through and drops every mark that names no evidence of this turn.

    The same text comes out whatever pieces it is fed in.
    """

    def __init__(self, known: Collection[int]) -> None:
        self._known = frozenset(known)
        self._scanner = MarkScanner(self._known)
        self._tail = ""
        self._is_after_mark = False

    def feed(self, text: str) -> str:
        """What can be shown now; a mark or a piece of code that is still open is held back."""
        return self._render(self._scanner.feed(text))

    def flush(self) -> str:
        """What was held back, at the end of the text."""
        return self._render(self._scanner.flush())

    def _render(self, pieces: Iterable[MarkedPiece]) -> str:
        shown = []
        for piece in pieces:
            if piece.numbers:
                text = _rewrite(piece, self._known)
                if not text and could_open_a_mark(self._tail):
                    text = _NOTHING  # else what stands around a dropped mark would become one, as in `[[7]9]`
            else:
                text = (_separator(self._tail, piece.text) if self._is_after_mark else "") + piece.text
            self._is_after_mark = bool(piece.numbers)
            self._tail = (self._tail + text)[-_LOOKED_BACK:]
            shown.append(text)
        return "".join(shown)


@dataclass(frozen=True)
class Verified:
    """What the marks of a finished text name, in order of first use. `unresolvable` must be empty."""

    cited: tuple[int, ...]
    unresolvable: tuple[int, ...]

    @property
    def holds(self) -> bool:
        return not self.unresolvable


def without_citations(text: str) -> str:
    """A text without its marks, each with the space that follows it, or the one before it where the sentence goes on.

    `- [1] x` becomes `- x`, `A stack [1].` becomes `A stack.`; code, data and `arr[5]` stay.
    """
    scanner, shown, is_after_mark = MarkScanner(()), "", False
    for piece in (*scanner.feed(text), *scanner.flush()):
        if piece.numbers:
            shown += _NOTHING if could_open_a_mark(shown) else ""
            is_after_mark = True
            continue
        shown += _separator(shown, piece.text) if is_after_mark else ""
        rest = piece.text.removeprefix(" ") if is_after_mark else piece.text
        shown = (shown.rstrip(" ") if is_after_mark and rest.startswith(_CLOSING) else shown) + rest
        is_after_mark = False
    return shown.rstrip(" ") if is_after_mark else shown


def find_cited_evidence(text: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence that a text cites by its mark, in order of first use."""
    by_number = {one.number: one for one in evidence if one.mark}
    return tuple(by_number[number] for number in verify_references(text, list(by_number.values())).cited)


def verify_references(text: str, evidence: Collection[Numbered]) -> Verified:
    """Whether each mark of a finished text names one of `evidence` (or of an answer's references), for evaluation."""
    known = frozenset(one.number for one in evidence)
    scanner = MarkScanner(known)
    pieces = (*scanner.feed(text), *scanner.flush())
    named = dict.fromkeys(number for piece in pieces for number in piece.numbers)
    return Verified(
        cited=tuple(number for number in named if number in known),
        unresolvable=tuple(number for number in named if number not in known),
    )


def _separator(before: str, text: str) -> str:
    """What stands in a mark's place so that backticks do not make code together, and words no address of a mark."""
    begins_line = not before.rpartition("\n")[2].strip()
    if text.startswith("`") and (before.endswith("`") or (begins_line and text.startswith("```"))):
        return _NOTHING
    return " " if text.startswith("(") and before.endswith("]") else ""


def _rewrite(piece: MarkedPiece, known: Collection[int]) -> str:
    return "".join(f"[{number}]" for number in dict.fromkeys(piece.numbers) if number in known)
