"""Text of tables, JSON lists and JSON lines to rows of named fields, each with the line it stands on.

What a row means is for its reader: `faq.py`, `schedule.py`.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.sources.markup import MarkupError, load_json, load_json_item

MOST_ROWS = 1_000_000
"""Rows of a file: 0.4 GB. A file of 64 MB with one character a line has 32 times as many, and would fill the memory."""
DIVIDE = "Divide it into several files, or remove it if it is no list of entries."
_CLOSE_QUOTE = "Check the quotes on that line and above."
_BLANK = re.compile(r"[\s,]*")
_LARGEST_CELL = 2**31 - 1
"""The csv module stops the whole file at a cell of 131,072; too long an answer is one row's defect."""


@dataclass(frozen=True)
class FileRow:
    """A row, or (`defect`) what is left of one that could not be read.

    `row` is as a person counts: the spreadsheet's row (header = 1), the line of JSON lines, the n-th entry elsewhere.

    `line` is the 1-based line of the file on which the row begins.
    """

    row: int
    line: int
    fields: Mapping[object, object]
    defect: str | None = None


class FormatError(ValueError):
    """The file is not what its suffix says. `line` is where reading stopped."""

    def __init__(self, line: int | None, message: str, remedy: str) -> None:
        super().__init__(message)
        self.line, self.remedy = line, remedy


def check_count(rows: Sequence[FileRow]) -> None:
    """Raise `FormatError` where another row would be one too many."""
    if len(rows) >= MOST_ROWS:
        raise FormatError(rows[-1].line, f"Not read: more than {MOST_ROWS:,} rows.", DIVIDE)


def csv_rows(text: str) -> list[FileRow]:
    """The rows of a table under its header; parted by whichever of comma, semicolon and tab the header has most of.

    Of a row with a quote that is not closed one line is lost (`defect`); what is below it is read.
    """
    csv.field_size_limit(_LARGEST_CELL)
    header = text.split("\n", 1)[0]
    rows, names = list[FileRow](), list[str]()
    for number, (line, cells, defect) in enumerate(_cells(text, max(",;\t", key=header.count)), start=1):
        if defect and not names:
            raise FormatError(line, f"Not valid CSV: {defect}", _CLOSE_QUOTE)
        if not names:
            names = _tell_apart([cell.strip() for cell in cells])
        elif defect or any(cell.strip() for cell in cells):
            check_count(rows)
            rows.append(FileRow(number, line, dict(zip(names, cells, strict=False)), defect))
    return rows


SECOND = "_(2)"
"""What the name of a column ends in whose name another one before it has."""


def _tell_apart(names: Sequence[str]) -> list[str]:
    """The names of columns, of which the first keeps a name that several have, whatever its case."""
    lower = [name.lower() for name in names]
    return [f"{name}{SECOND}" if lower[at] in lower[:at] else name for at, name in enumerate(names)]


def _cells(text: str, delimiter: str) -> Iterator[tuple[int, list[str], str | None]]:
    """The line, the cells and the defect of each row."""
    stream, above = io.StringIO(text, newline=""), 0
    reader = csv.reader(stream, delimiter=delimiter)
    while True:
        start, line = stream.tell(), above + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise FormatError(above + reader.line_num, f"Not valid CSV: {error}.", _CLOSE_QUOTE) from error
        last = above + reader.line_num
        row = text[start : stream.tell()]
        is_whole = last == line and (row.count('"') % 2 == 0 or delimiter not in cells[-1])
        if is_whole or _closes_its_quotes(row, delimiter):
            yield line, cells, None
            continue
        defect = "A quote is opened here and not closed; this line was left out."
        if last > line:
            told = f"Lines {line + 1} to {last}" if last > line + 1 else f"Line {last}"
            defect = f"{defect} {told} would be lost in it."
        yield line, [], defect
        stream.seek(start)
        stream.readline()
        above, reader = line, csv.reader(stream, delimiter=delimiter)


def _closes_its_quotes(row: str, delimiter: str) -> bool:
    """Whether a row of several lines is meant as one: an open quote takes all up to the next, which no cell follows."""
    closed = re.sub(rf'"[ \t]+(?=[{delimiter}\r\n]|$)', '"', row)
    try:
        return len(list(csv.reader(io.StringIO(closed, newline=""), delimiter=delimiter, strict=True))) == 1
    except csv.Error:
        return False


def list_rows(text: str, place: int) -> list[FileRow]:
    """The items of the JSON list whose bracket opens before `place`.

    They are decoded one by one, because the json module tells no positions.
    """
    rows = list[FileRow]()
    line, counted = 1, 0
    while True:
        place = _skip_blank(text, place)
        if place < len(text) and text[place] == "]":
            return rows
        try:
            item, end = load_json_item(text, place)
        except MarkupError as error:
            # What could be read before the break is kept.
            return [*rows, FileRow(len(rows) + 1, error.line or 1, {}, json_message(error))]
        check_count(rows)
        line, counted = line + text.count("\n", counted, place), place
        rows.append(FileRow(len(rows) + 1, line, item if isinstance(item, Mapping) else {}))
        place = end


def _skip_blank(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return match.end() if match else place


def json_message(error: MarkupError) -> str:
    return f"Not valid JSON from here on: {error}."


def json_line_rows(text: str) -> list[FileRow]:
    """A row for each line that is not blank; what is no object has no fields."""
    rows = list[FileRow]()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            check_count(rows)
            try:
                found = load_json(line)
            except MarkupError as error:
                rows.append(FileRow(number, number, {}, json_message(error)))
            else:
                rows.append(FileRow(number, number, found if isinstance(found, Mapping) else {}))
    return rows
