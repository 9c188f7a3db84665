"""What passages tell of a thing that a letter tells from others of its kind: speech names it once and goes on, so that
it is told of from there to where another of its kind is named. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from serving.assistant.composing.lettered_names import LetteredName
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.request import FindPieces
from serving.assistant.composing.terms import QuestionUnit, terms_of
from serving.assistant.composing.topics import is_heading_of_something
from serving.index.analysis import terms


def keep_told_of(pieces: Sequence[MaterialPiece], names: Sequence[LetteredName]) -> list[MaterialPiece]:
    """Of each passage what is told of any of the lettered names of a question: all from a sentence that opens one, to
    one that opens another of its kind or is a heading; where it opens none, what names it; none twice. As they are
    without any."""
    if not names:
        return list(pieces)
    kept = [one for piece in pieces if (one := _keep_lines(piece, names)) is not None]
    return [one for at, one in enumerate(kept) if not any(_has_all(kept[other], one) for other in _others(kept, at))]


def _others(kept: Sequence[MaterialPiece], place: int) -> list[int]:
    """The other pieces that may have all of one: those before it, and those behind it that have more lines."""
    return [at for at, one in enumerate(kept) if at < place or len(one.lines) > len(kept[place].lines)]


def _has_all(piece: MaterialPiece, other: MaterialPiece) -> bool:
    """Whether a piece has each line of another one."""
    return {line.text for line in other.lines} <= {line.text for line in piece.lines}


def _keep_lines(piece: MaterialPiece, names: Sequence[LetteredName]) -> MaterialPiece | None:
    title = terms_of(f"{piece.entry.title} {piece.entry.section or ''}")
    said = [terms_of(one.text) for one in piece.lines]
    around = title.union(*said)
    told = {place for name in names if terms_of(name.kind) <= around for place in _find_told(piece, name, title, said)}
    lines = tuple(
        piece.lines[at] if at - 1 in told else replace(piece.lines[at], continued=None, after_gap=at != min(told))
        for at in sorted(told)
    )
    return replace(piece, lines=lines, before=()) if lines else None


def _find_told(
    piece: MaterialPiece, name: LetteredName, title: frozenset[str], said: Sequence[frozenset[str]]
) -> list[int]:
    """The places of the lines that tell of a name."""
    told, is_open = [], False
    for place, line in enumerate(piece.lines):
        others = title.union(*said[:place], *said[place + 1 :])
        closes = name.is_left_in(line.text) or is_heading_of_something(line.text, others)
        is_open = name.is_opened_in(line.text) or (is_open and not closes)
        told += [place] if is_open else []
    return told or [place for place, line in enumerate(piece.lines) if name.is_told_in(line.text)]


def units_as_lettered(
    units: Iterable[QuestionUnit], names: Sequence[LetteredName], find_pieces: FindPieces
) -> tuple[QuestionUnit, ...]:
    """The units, each that is a lettered name as known where any passage is told of it, by its letter alone, too, if
    that is no word."""
    by_label = {one.label.lower(): one for one in names}
    return tuple(
        unit if (name := by_label.get(unit.label.lower())) is None else _as_lettered(unit, name, find_pieces)
        for unit in units
    )


def _as_lettered(unit: QuestionUnit, name: LetteredName, find_pieces: FindPieces) -> QuestionUnit:
    alone = () if name.letter in ("A", "I") else (frozenset(terms(name.letter)),)
    return replace(unit, names=(*unit.names, *alone), is_known=bool(keep_told_of(find_pieces(), [name])))
