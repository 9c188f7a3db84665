"""Marks of options in a text, (a) a) A. A、 A: (1) 1. ① •, and the runs they make.

One pass over the text; nothing here reads a meaning.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Kind = Literal["letter", "number", "bullet"]

_FULL_WIDTH = {code: code - 0xFEE0 for code in (*range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B), *range(0xFF10, 0xFF1A))}
_CIRCLED = ("①②③④⑤⑥⑦⑧⑨⑩", "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽", "⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑")

# A mark follows the start, a space, punctuation or a Chinese character, never a Latin letter: "f(a)" has none.
_MARK = re.compile(
    r"""
    (?:\*\*)?
    (?: (?<![A-Za-z]) (?i:option|choice|answer) [ \t]{1,3} | 选项[ \t]{0,3} )?
    (?:
      (?<![A-Za-z0-9_\])]) [(（\[【] [ \t]{0,3} (?P<round>[A-Ja-j]|10|[1-9]) [ \t]{0,3} [)）\]】]
    | (?<![A-Za-z_(（\[【/\\=+^-]) (?<![A-Za-z]\.)
      (?P<upper>[A-J]) (?:\*\*)? [ \t]{0,3} (?P<upper_end>[)）.．、:：](?!=))
    | (?<![A-Za-z0-9_(（\[【/\\=+^'’.-]) (?P<lower>[a-j]) [ \t]{0,3} (?P<lower_end>[)）．、：]|[.:](?=\s))
    | (?<![A-Za-z0-9_(（\[【/\\=+^.,-]) (?P<number>10|[1-9]) [ \t]{0,3} (?P<number_end>[)）．、：]|[.:](?![0-9]))
    | ^[ \t]* (?P<line_lower>[a-j]) [ \t]{0,3} (?P<line_lower_end>\.)
    | ^[ \t]* (?P<line_number>10|[1-9]) [ \t]{0,3} (?P<line_number_end>\.)
    | (?P<circled>[①-⑩⑴-⑽⒈-⒑])
    | ^[ \t]* (?: (?P<bullet>[-*+–—·√✓])(?=[ \t]) | (?P<bare>[A-J])(?=[ \t]{1,8}\S) )
    | (?P<dot>[•●○◦▪■□◆◇►▶☐])
    )
    \*{0,2}
    """,
    re.VERBOSE | re.MULTILINE,
)
_LINE_START = re.compile(r"\n[ \t>*•·-]*\Z")
_BEFORE = 8
"""Characters looked back over for the start of a line."""


GAP = r"(?:(?<![A-Za-z0-9_])[(（][ \t]{0,8}[)）]|_{2,}|【[ \t]{0,8}】)"
"""A pattern of what is left open to be filled in: ( ), ____, 【 】. After a name "( )" is a call."""


@dataclass(frozen=True, slots=True)
class OptionMark:
    """One mark: where it stands, what is written ("B"), its place in its alphabet (0 is the first), and its style.

    Marks of one list have one style: the same alphabet and the same kind of bracket or point.
    """

    start: int
    end: int
    label: str
    value: int
    style: str
    kind: Kind
    on_new_line: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Marks in order; `whole` unless some are missing in between or before."""

    marks: tuple[OptionMark, ...]
    whole: bool


def find_marks(text: str) -> list[OptionMark]:
    """All that may be a mark, in order."""
    plain = text.translate(_FULL_WIDTH)
    return [_mark(plain, found) for found in _MARK.finditer(plain)]


def find_runs(marks: Iterable[OptionMark]) -> list[Run]:
    """The runs of each style that may be a list of options: the longest and the last; also a single "A." alone."""
    styles: dict[str, list[OptionMark]] = {}
    for mark in marks:
        styles.setdefault(mark.style, []).append(mark)
    return list(dict.fromkeys(run for same in styles.values() for run in _runs_of_style(same)))


def _runs_of_style(marks: Sequence[OptionMark]) -> Iterator[Run]:
    """Marks at line starts make runs of their own: what looks like a mark within a line does not break them."""
    lines = [mark for mark in marks if mark.on_new_line]
    if marks[0].kind == "bullet":
        found = lines if len(lines) > 1 else marks
        yield Run(tuple(found), whole=True)
        return
    if marks[0].style.startswith("bare"):
        yield from (Run(tuple(run), whole=True) for run in _strict(lines) if len(run) > 2)
        return
    for same in (lines, marks):
        for runs, whole in ((list(_strict(same)), True), (list(_loose(same)), False)):
            if runs:
                longest = max(reversed(runs), key=len)
                yield from (Run(tuple(run), whole) for run in (longest, runs[-1]))


def _strict(marks: Sequence[OptionMark]) -> Iterator[list[OptionMark]]:
    """Runs from the first letter on without gaps; marks out of order are skipped."""
    run: list[OptionMark] = []
    for mark in marks:
        if mark.value == 0:
            if len(run) > 1:
                yield run
            run = [mark]
        elif run and mark.value == len(run):
            run.append(mark)
    if run:
        yield run


def _loose(marks: Sequence[OptionMark]) -> Iterator[list[OptionMark]]:
    """Rising runs with a gap: A, C, D, or B, C."""
    run: list[OptionMark] = []
    for mark in marks:
        if run and mark.value <= run[-1].value:
            if _has_gap(run):
                yield run
            run = []
        run.append(mark)
    if _has_gap(run):
        yield run


def _has_gap(run: Sequence[OptionMark]) -> bool:
    starts_late = bool(run) and run[0].value > 0
    return len(run) > 1 and (starts_late or any(right.value - left.value > 1 for left, right in pairwise(run)))


def _mark(text: str, found: re.Match[str]) -> OptionMark:
    groups = found.groupdict()
    name, label = next((key, value) for key, value in groups.items() if value is not None and not key.endswith("_end"))
    before = text[max(0, found.start() - _BEFORE) : found.start()]
    on_new_line = (
        name in ("bullet", "bare", "line_lower", "line_number")
        or found.start() == 0
        or bool(_LINE_START.search(before))
    )
    kind, value, alphabet = _place(label)
    style = f"{name.removeprefix('line_')}{alphabet}{_bracket(groups.get(f'{name}_end'))}"
    return OptionMark(found.start(), found.end(), label, value, style, kind, on_new_line)


def _place(label: str) -> tuple[Kind, int, str]:
    """Kind, place and alphabet of a label."""
    for alphabet in _CIRCLED:
        if label in alphabet:
            return "number", alphabet.index(label), alphabet[0]
    if label.isdigit():
        return "number", int(label) - 1, "1"
    if label.isalpha():
        return "letter", ord(label.lower()) - ord("a"), "A" if label.isupper() else "a"
    return "bullet", 0, label


def _bracket(end: str | None) -> str:
    """The family of what closes a mark: people mix a Latin full stop with a Chinese one within a list."""
    return next((family[0] for family in (")）", ".．、", ":：") if end and end in family), "")
