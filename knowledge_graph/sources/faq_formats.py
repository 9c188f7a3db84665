"""CSV, JSON, JSON lines, YAML and Markdown text to rows of named fields, each with the line it stands on."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import yaml

_LIST_NAMES = ("faq", "faqs", "questions", "entries", "items", "documents", "data")
_LIST_START = re.compile(rf'"(?:{"|".join(_LIST_NAMES)})"\s*:\s*\[', re.IGNORECASE)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
_BLANK = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class FaqRow:
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


def rows_of(name: str, text: str) -> list[FaqRow]:
    """The rows of a FAQ file by its suffix; raises `FormatError` when the whole file cannot be read."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise FormatError(None, "The file is empty.", "Add entries with a question and an answer, or remove the file.")
    return _READERS["." + name.lower().rsplit(".", 1)[-1]](text)


def _csv_rows(text: str) -> list[FaqRow]:
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    rows, line, names = [], 1, list[str]()
    for number, cells in enumerate(_whole_rows(reader), start=1):
        start, line = line, reader.line_num + 1
        if not names:
            names = [cell.strip() for cell in cells]
        elif any(cell.strip() for cell in cells):
            rows.append(FaqRow(number, start, dict(zip(names, cells, strict=False))))
    return rows


def _whole_rows(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:
        line = getattr(reader, "line_num", None)
        raise FormatError(line, f"Not valid CSV: {error}.", "Check the quotes on that line and above.") from error


def _json_rows(text: str) -> list[FaqRow]:
    """A list of objects, bare or under a name such as "faq"; also a plain object of question -> answer."""
    stripped = text.lstrip()
    named = _LIST_START.search(text) if stripped.startswith("{") else None
    if named is None and stripped.startswith("{"):
        return _question_to_answer(_loads(text))
    place = named.end() if named else len(text) - len(stripped)
    if named is None and not stripped.startswith("["):
        raise FormatError(1, "Expected a JSON list of entries.", 'Write [{"question": "...", "answer": "..."}].')
    return _list_rows(text, place if named else place + 1)


def _list_rows(text: str, place: int) -> list[FaqRow]:
    """Items are decoded one by one, because the json module tells no positions."""
    decoder, rows = json.JSONDecoder(), list[FaqRow]()
    line, counted = 1, 0
    while True:
        place = _skip_blank(text, place)
        if place < len(text) and text[place] == "]":
            return rows
        try:
            item, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            # What could be read before the break is kept.
            return [*rows, FaqRow(len(rows) + 1, error.lineno, {}, _json_message(error))]
        line, counted = line + text.count("\n", counted, place), place
        rows.append(FaqRow(len(rows) + 1, line, item if isinstance(item, Mapping) else {}))
        place = end


def _skip_blank(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return match.end() if match else place


def _loads(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        remedy = "Mend that place: quotes, a comma, or a bracket that is not closed."
        raise FormatError(error.lineno, _json_message(error), remedy) from error


def _json_message(error: json.JSONDecodeError) -> str:
    return f"Not valid JSON from here on: {error.msg} at column {error.colno}."


def _question_to_answer(found: object) -> list[FaqRow]:
    pairs = found.items() if isinstance(found, Mapping) else ()
    return [FaqRow(row, 1, {"question": key, "answer": value}) for row, (key, value) in enumerate(pairs, start=1)]


def _jsonl_rows(text: str) -> list[FaqRow]:
    rows = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                found = json.loads(line)
            except json.JSONDecodeError as error:
                rows.append(FaqRow(number, number, {}, _json_message(error)))
            else:
                rows.append(FaqRow(number, number, found if isinstance(found, Mapping) else {}))
    return rows


def _yaml_rows(text: str) -> list[FaqRow]:
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        if isinstance(root, yaml.MappingNode):
            root = next((value for key, value in root.value if str(key.value).lower() in _LIST_NAMES), root)
        if not isinstance(root, yaml.SequenceNode):
            remedy = "Begin each entry with '- question: ...'."
            raise FormatError(1, "Expected a YAML list of entries.", remedy)
        items = [(node.start_mark.line + 1, loader.construct_object(node, deep=True)) for node in root.value]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error)
        line = None if mark is None else mark.line + 1
        raise FormatError(line, f"Not valid YAML: {reason}.", "Mend that line or the one above.") from error
    return [
        FaqRow(row, line, item if isinstance(item, Mapping) else {}) for row, (line, item) in enumerate(items, start=1)
    ]


def _markdown_rows(text: str) -> list[FaqRow]:
    """One entry a file: fields in the front matter, the question there or in the first heading, the rest the answer."""
    front = _FRONT_MATTER.match(text)
    fields: dict[object, object] = {}
    if front:
        try:
            loaded = yaml.safe_load(front.group(1))
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = None if mark is None else mark.line + 2
            raise FormatError(line, "The front matter is not valid YAML.", "Mend the lines between '---'.") from error
        fields = dict(loaded) if isinstance(loaded, Mapping) else {}
    body = text[front.end() :] if front else text
    heading = _HEADING.search(body)
    if heading and not {"question", "title", "q", "问题"} & {str(name).lower() for name in fields}:
        fields["question"] = heading.group(1)
        body = body[: heading.start()] + body[heading.end() :]
    return [FaqRow(1, 1, {**fields, "answer": body.strip()})]


_READERS: dict[str, Callable[[str], list[FaqRow]]] = {
    ".csv": _csv_rows,
    ".tsv": _csv_rows,
    ".json": _json_rows,
    ".jsonl": _jsonl_rows,
    ".yaml": _yaml_rows,
    ".yml": _yaml_rows,
    ".md": _markdown_rows,
}
