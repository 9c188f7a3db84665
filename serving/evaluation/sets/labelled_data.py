"""Public label files of students' questions: those with categories, and those with reference answers too.

Both are the CSV of the LittleMu paper's data: `id,question,session_id,category`, and `answer` in the second. These are
figures to report, so nothing is guessed: a file in another encoding or form is an error that names its line. Label
files to learn from, in any form, are read by `models.intent.labels.files`.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from models.intent.labels.categories import CATEGORIES, PUBLISHED_NAMES, Category, category_of
from models.intent.labels.columns import columns_of

_NEEDED = ("id", "question", "session_id", "category")
_ANSWER = "answer"
_QUOTED = 60
"""Characters of a cell that a message quotes."""


class LabelledDataUnusable(CoteachError):
    """A public label file that cannot be read as it is published; the message names the line."""


@dataclass(frozen=True)
class LabelledIntent:
    """One question with its category; `line` is where its row begins, 1-based."""

    row_id: str
    question: str
    session_id: str
    category: Category
    line: int


@dataclass(frozen=True)
class LabelledIntents:
    """What a file holds, in order. `blank` rows have no question or nothing at all; they are left out and counted."""

    rows: tuple[LabelledIntent, ...]
    blank: int


@dataclass(frozen=True)
class AnsweredQuestion:
    """One question with its category and the answer people wrote for it."""

    row_id: str
    question: str
    session_id: str
    category: Category
    answer: str
    line: int


@dataclass(frozen=True)
class AnsweredQuestions:
    """What a file holds, in order. `blank` rows have no question, or nothing at all; `unanswered` rows no answer."""

    rows: tuple[AnsweredQuestion, ...]
    blank: int
    unanswered: int


def read_intents(path: Path) -> LabelledIntents:
    """Questions with categories, by the published Chinese names or by ours.

    Raises `LabelledDataUnusable` for a file that is not there, not UTF-8 or no CSV, for a missing column, and for a
    category that is none of the six.
    """
    found = list(_read(path, _NEEDED))
    rows = [LabelledIntent(*_common(row), _category(row, path, line), line) for line, row in found if row["question"]]
    return LabelledIntents(tuple(rows), len(found) - len(rows))


def read_answers(path: Path) -> AnsweredQuestions:
    """Questions with categories and reference answers; those without an answer are left out and counted.

    Raises as `read_intents` does.
    """
    found = list(_read(path, (*_NEEDED, _ANSWER)))
    asked = [(line, row) for line, row in found if row["question"]]
    rows = [
        AnsweredQuestion(*_common(row), _category(row, path, line), row[_ANSWER], line)
        for line, row in asked
        if row[_ANSWER]
    ]
    return AnsweredQuestions(tuple(rows), len(found) - len(asked), len(asked) - len(rows))


def _read(path: Path, needed: Sequence[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each row below the header with the line it begins on, its needed cells by our name of the column, stripped."""
    cells = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    try:
        places = _places(next(cells, []), needed, path)
        line = cells.line_num + 1
        for row in cells:
            yield line, {name: row[place].strip() if place < len(row) else "" for name, place in places.items()}
            line = cells.line_num + 1
    except csv.Error as error:
        raise LabelledDataUnusable(
            f"{path}:{cells.line_num}: Not a row of CSV: {error}. Close every quote that is opened."
        ) from error


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LabelledDataUnusable(f"{path} cannot be read: {error.strerror or error}.") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LabelledDataUnusable(f"{path}:{line}: Expected UTF-8 text. Save the file as UTF-8.") from error


def _places(header: Sequence[str], needed: Sequence[str], path: Path) -> Mapping[str, int]:
    known = {name.strip().lower(): place for place, name in reversed(list(enumerate(header)))}
    found = columns_of(header) | {name: place for name, place in known.items() if name == _ANSWER}
    if missing := [name for name in needed if name not in found]:
        shown = ", ".join(name[:_QUOTED] for name in header[:20]) or "none"
        raise LabelledDataUnusable(
            f"{path}:1: Expected the columns {', '.join(needed)}; {', '.join(missing)} missing. Found: {shown}."
        )
    return {name: found[name] for name in needed}


def _common(row: Mapping[str, str]) -> tuple[str, str, str]:
    return row["id"], row["question"], row["session_id"]


def _category(row: Mapping[str, str], path: Path, line: int) -> Category:
    found = category_of(row["category"])
    if found is None:
        names = ", ".join(f"{PUBLISHED_NAMES[name]} ({name})" for name in CATEGORIES)
        raise LabelledDataUnusable(
            f"{path}:{line}: Expected one of the categories {names}; found {row['category'][:_QUOTED]!r}."
        )
    return found
