"""Reading label files: rows of questions with the category a person gave them, or none yet.

Belongs here: files to rows, and what is wrong with either, each with file and line. A row without a category is kept:
it can be labelled by rules (`weak_labels.py`). What becomes of the rows is in `examples.py`.
"""

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.fields import LONGEST_QUESTION, ProblemLog, excess, whole_characters
from knowledge_graph.sources.files import decode_with_warnings, read_bytes
from models.intent.labels.categories import CATEGORIES, Category, category_of
from models.intent.labels.columns import columns_of, delimiter_of
from models.intent.labels.question_text import language_of, question_key

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+")
"""Control characters, and marks that turn the direction of writing: letters from right to left need none."""
_LARGEST_CELL = 2**31 - 1
"""The csv module stops the whole file at a cell of 131,072; too long a question is one row's defect."""
_QUOTED = 60
"""Characters of a cell that a message quotes."""


@dataclass(frozen=True)
class LabelRow:
    """One question of a label file; `category` is None where nobody gave one."""

    id: str
    """`<file name without suffix>/<the row's id, else its line>`: files need not agree on their numbering."""
    question: str
    previous: str
    """As given, else the question before it in the same session of the file, else empty."""
    course: str
    session_id: str
    """Prefixed like `id`; empty when the file names none."""
    category: Category | None
    lang: Lang
    file: str
    """`intents/<name>`."""
    line: int
    """1-based line on which the row begins."""


@dataclass(frozen=True)
class LabelFile:
    """How one file was read."""

    name: str
    version: str
    """The first 12 hex digits of the SHA-256 of its bytes."""
    encoding: str
    columns: dict[str, str]
    """Our name of a column -> its name in the file."""


@dataclass
class LabelFiles:
    """What a folder's label files hold, in file and row order."""

    rows: list[LabelRow] = field(default_factory=list)
    earlier: list[LabelRow] = field(default_factory=list)
    """Rows whose label a later row of the same file replaced: same id, same question, another category."""
    files: list[LabelFile] = field(default_factory=list)


def read_label_files(folder: Path, told: BoundedTold) -> LabelFiles:
    """Read `<folder>/intents/*.csv`; what is wrong goes to `told`, a bounded number of times for each file.

    Columns by their usual names in English or Chinese (`label_columns`): question and, as far as there are, category,
    id, session_id, previous, course. UTF-8, UTF-16 or GBK; commas, semicolons or tabs. Never raises for a file.
    """
    found = LabelFiles()
    taken: dict[str, LabelRow] = {}
    for path in sorted((folder / "intents").glob("[!.]*")):
        told.file = f"intents/{path.name}"
        if path.suffix.lower() == ".csv":
            _read_file(path, taken, found, told)
        else:
            told.warning(None, "Not read: label files are .csv.", "Save it as CSV, or move it elsewhere.")
        told.close()
    if not found.files and not told.problems:
        told.file = "intents/*.csv"
        told.error(None, f"No label file in {folder}.", "Add intents/<name>.csv there.")
    found.rows = list(_with_previous(taken.values()))
    return found


def read_label_file(path: Path, told: BoundedTold) -> LabelFiles:
    """The same of one file, wherever it lies."""
    found = LabelFiles()
    taken: dict[str, LabelRow] = {}
    told.file = path.name
    _read_file(path, taken, found, told)
    told.close()
    found.rows = list(_with_previous(taken.values()))
    return found


def _read_file(path: Path, taken: dict[str, LabelRow], found: LabelFiles, told: ProblemLog) -> None:
    data = read_bytes(path, told)
    if data is None:
        return
    decoded = decode_with_warnings(data, told)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    csv.field_size_limit(_LARGEST_CELL)
    cells = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text.split("\n", 1)[0]))
    header = next(cells, [])
    places = columns_of(header)
    if "question" not in places:
        names = ", ".join(_show(name) for name in header[:20]) or "none"
        told.error(1, f"No column with questions; found: {names}.", "Start the file with id,question,category.")
        return
    if "category" not in places:
        told.warning(1, "No column with categories: all its questions are unlabelled.", "Add a column 'category'.")
    columns = {name: header[place].strip() for name, place in places.items()}
    found.files.append(LabelFile(told.file, hashlib.sha256(data).hexdigest()[:12], decoded.encoding, columns))
    unnamed = Counter[str]()
    for line, row in _rows(cells):
        if (read := _label_row(row, places, len(header), path, line, unnamed, told)) is not None:
            _take(read, taken, found, told)


def _rows(cells: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, each with the line it begins on."""
    line = getattr(cells, "line_num", 1) + 1
    for row in cells:
        if any(cell.strip() for cell in row):
            yield line, row
        line = getattr(cells, "line_num", line) + 1


def _label_row(
    row: Sequence[str],
    places: Mapping[str, int],
    width: int,
    path: Path,
    line: int,
    unnamed: Counter[str],
    told: ProblemLog,
) -> LabelRow | None:
    """The row; None, with an error in `told`, when it holds no question that can be used."""
    if any(cell.strip() for cell in row[width:]):
        told.error(line, "More cells than the header has columns.", "Quote a text that holds a comma.")
        return None
    texts = {name: row[place].strip() if place < len(row) else "" for name, place in places.items()}
    question = _clean("question", texts["question"], line, told)
    if not question:
        told.error(line, "The question is empty.", "Write the question, or delete the row.")
        return None
    if too_long := excess("question", question, LONGEST_QUESTION):
        told.error(line, f"Left out: {too_long}.", "Shorten it; close a quote that was left open.")
        return None
    session = texts.get("session_id", "")
    return LabelRow(
        id=f"{path.stem}/{texts.get('id') or _own_id(question, unnamed)}",
        question=question,
        previous=_context("previous", texts, line, told),
        course=_context("course", texts, line, told),
        session_id=f"{path.stem}/{session}" if session else "",
        category=_category(texts.get("category", ""), line, told),
        lang=language_of(question),
        file=told.file,
        line=line,
    )


def _own_id(question: str, unnamed: Counter[str]) -> str:
    """The id of a row that has none: its text and the occurrence number of that text, independent of row position."""
    text = hashlib.sha256(question_key(question).encode()).hexdigest()[:12]
    unnamed[text] += 1
    return f"{text}-{unnamed[text]}"


def _take(row: LabelRow, taken: dict[str, LabelRow], found: LabelFiles, told: ProblemLog) -> None:
    """Keep the row. One id for one question with two labels: the later label counts, as a person appends it."""
    known = taken.setdefault(row.id, row)
    if known is row:
        return
    same_question = question_key(known.question) == question_key(row.question)
    if not same_question or row.category in (None, known.category) or row.file != known.file:
        message = f"Left out: its id is that of {known.file} line {known.line}."
        told.error(row.line, message, "Give the row an id of its own, or delete it.")
        return
    if known.category is not None:
        message = f"The row is {row.category} here and {known.category} in line {known.line}; this label counts."
        told.warning(row.line, message, "Delete the row that is wrong.")
        found.earlier.append(known)
    taken[row.id] = replace(known, category=row.category, line=row.line)


def _category(named: str, line: int, told: ProblemLog) -> Category | None:
    category = category_of(named)
    if named and category is None:
        message = f"Unknown category '{_show(named)}'; the question counts as unlabelled."
        told.error(line, message, f"Write one of {', '.join(CATEGORIES)}, or their Chinese names.")
    return category


def _context(name: str, texts: Mapping[str, str], line: int, told: ProblemLog) -> str:
    text = _clean(name, texts.get(name, ""), line, told)
    if too_long := excess(name, text, LONGEST_QUESTION):
        told.warning(line, f"Shortened: {too_long}.", f"Shorten what stands under '{name}'.")
    return text[:LONGEST_QUESTION]


def _clean(name: str, text: str, line: int, told: ProblemLog) -> str:
    """Whole characters only, and no control characters, with a warning when there were any."""
    if text.isprintable():
        return text
    cleaned = _CONTROL.sub(" ", whole_characters(text)).strip()
    if cleaned != text:
        told.warning(line, f"'{name}' holds control characters; they were removed.", "Remove them from the file.")
    return cleaned


def _show(text: str) -> str:
    return _CONTROL.sub(" ", text).strip()[:_QUOTED]


def _with_previous(rows: Iterable[LabelRow]) -> Iterator[LabelRow]:
    last: dict[str, str] = {}
    for row in rows:
        before = last.get(row.session_id, "")
        if row.session_id:
            last[row.session_id] = row.question
        yield replace(row, previous=before) if before and not row.previous else row
