"""A citation can only name evidence of this turn: marks of anything else never reach the student.

Marks of known evidence are written `[1]`, one by one, however the model wrote them. What a mark is, marks.py says.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from serving.evidence import Evidence
from serving.references.marks import MarkScanner, Piece, could_open_a_mark

_NOTHING = "[]"
_LOOKED_BACK = 64


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
        self._scanner = MarkScanner()
        self._tail = ""

    def feed(self, text: str) -> str:
        """What can be shown now; a mark or a piece of code that is still open is held back."""
        return self._shown(self._scanner.feed(text))

    def flush(self) -> str:
        """What was held back, at the end of the text."""
        return self._shown(self._scanner.flush())

    def _shown(self, pieces: Iterable[Piece]) -> str:
        shown = []
        for piece in pieces:
            text = _rewritten(piece, self._known)
            if not text and could_open_a_mark(self._tail):
                text = _NOTHING  # else what stands around a dropped mark would become one, as in `[[7]9]`
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


def cited_evidence(text: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence that a text cites by its mark, in order of first use."""
    by_number = {one.number: one for one in evidence if one.mark}
    return tuple(by_number[number] for number in verify_references(text, list(by_number.values())).cited)


def verify_references(text: str, evidence: Collection[Numbered]) -> Verified:
    """Whether each mark of a finished text names one of `evidence` (or of an answer's references), for evaluation."""
    known = frozenset(one.number for one in evidence)
    scanner = MarkScanner()
    marks = [piece for piece in (*scanner.feed(text), *scanner.flush()) if _is_mark(piece, known)]
    named = dict.fromkeys(number for piece in marks for number in piece.numbers)
    return Verified(
        cited=tuple(number for number in named if number in known),
        unresolvable=tuple(number for number in named if number not in known),
    )


def _is_mark(piece: Piece, known: Collection[int]) -> bool:
    """Numbers in square brackets may be data: a mark's rise, and at least one of them can be cited."""
    rising = all(before < after for before, after in pairwise(piece.numbers))
    return bool(piece.numbers) and (piece.certain or (rising and any(number in known for number in piece.numbers)))


def _rewritten(piece: Piece, known: Collection[int]) -> str:
    if not _is_mark(piece, known):
        return piece.text
    return "".join(f"[{number}]" for number in dict.fromkeys(piece.numbers) if number in known)
