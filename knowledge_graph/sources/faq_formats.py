"""CSV, JSON, JSON lines, YAML and Markdown text to rows of named fields, each with the line it stands on."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import yaml

from knowledge_graph.sources.faq_nesting import LIST_NAMES, entries_in, holds_entries, opened
from knowledge_graph.sources.markup import (
    YAML_ERRORS,
    MarkupError,
    TextLoader,
    load_json,
    load_json_item,
    load_yaml,
    yaml_error,
)

_LIST_START = re.compile(rf'"(?:{"|".join(LIST_NAMES)})"\s*:\s*\[', re.IGNORECASE)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
_BLANK = re.compile(r"[\s,]*")
_DIVIDE = "Divide it into several files, or remove it if it is no FAQ."
MOST_ROWS = 1_000_000
"""Rows of a file: 0.4 GB. A file of 64 MB with one character a line has 32 times as many, and would fill the memory."""
MOST_FIELDS = 10_000_000
"""Fields of all rows that stand in sections: 0.4 GB. Each row has those of its section, too."""
LARGEST_YAML = 4 * 2**20
"""Characters of a YAML file. PyYAML takes 10 s for a FAQ of so many, and 80 s and 1.6 GB for nothing but commas."""
_LARGEST_CELL = 2**31 - 1
"""The csv module stops the whole file at a cell of 131,072; too long an answer is one row's defect."""


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


def _check_count(rows: Sequence[FaqRow]) -> None:
    """Raise `FormatError` where another row would be one too many."""
    if len(rows) >= MOST_ROWS:
        raise FormatError(rows[-1].line, f"Not read: more than {MOST_ROWS:,} rows.", _DIVIDE)


def _csv_rows(text: str) -> list[FaqRow]:
    csv.field_size_limit(_LARGEST_CELL)
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    rows, line, names = list[FaqRow](), 1, list[str]()
    for number, cells in enumerate(_whole_rows(reader), start=1):
        start, line = line, reader.line_num + 1
        if not names:
            names = [cell.strip() for cell in cells]
        elif any(cell.strip() for cell in cells):
            _check_count(rows)
            rows.append(FaqRow(number, start, dict(zip(names, cells, strict=False))))
    return rows


def _whole_rows(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:
        line = getattr(reader, "line_num", None)
        raise FormatError(line, f"Not valid CSV: {error}.", "Check the quotes on that line and above.") from error


def _json_rows(text: str) -> list[FaqRow]:
    """A list of objects, bare or under a name such as "faq"; also one in sections, or an object question -> answer."""
    stripped = text.lstrip()
    if stripped.startswith("["):
        return _flat(_list_rows(text, len(text) - len(stripped) + 1))
    if not stripped.startswith("{"):
        raise FormatError(1, "Expected a JSON list of entries.", 'Write [{"question": "...", "answer": "..."}].')
    named = _LIST_START.search(text)
    try:
        found = load_json(text)
    except MarkupError as error:
        if named is None:
            remedy = "Mend that place: quotes, a comma, or a bracket that is not closed."
            raise FormatError(error.line, _json_message(error), remedy) from error
        found = None
    if named is not None and (found is None or _is_one_list(found)):
        return _flat(_list_rows(text, named.end()))
    return _numbered(FaqRow(0, 1, fields) for fields in entries_in(found))


def _is_one_list(found: object) -> bool:
    """Whether one list under a usual name is all that can hold entries: then the lines of its items are known."""
    pairs = found.items() if isinstance(found, Mapping) else ()
    lists = [str(key).lower() for key, value in pairs if isinstance(value, list | Mapping)]
    return len(lists) == 1 and lists[0] in LIST_NAMES


def _flat(rows: list[FaqRow]) -> list[FaqRow]:
    """Rows that hold lists of entries become those entries, on the line of the row."""
    if not any(holds_entries(*pair) for row in rows for pair in row.fields.items()):
        return rows
    return _numbered(FaqRow(0, row.line, entry, row.defect) for row in rows for entry in opened(row.fields))


def _numbered(rows: Iterable[FaqRow]) -> list[FaqRow]:
    """All of them, taken one by one; raises `FormatError` as soon as there are too many."""
    kept, fields = list[FaqRow](), 0
    for number, row in enumerate(rows, start=1):
        _check_count(kept)
        fields += len(row.fields)
        if fields > MOST_FIELDS:
            raise FormatError(row.line, f"Not read: more than {MOST_FIELDS:,} fields in sections.", _DIVIDE)
        kept.append(replace(row, row=number))
    return kept


def _list_rows(text: str, place: int) -> list[FaqRow]:
    """Items are decoded one by one, because the json module tells no positions."""
    rows = list[FaqRow]()
    line, counted = 1, 0
    while True:
        place = _skip_blank(text, place)
        if place < len(text) and text[place] == "]":
            return rows
        try:
            item, end = load_json_item(text, place)
        except MarkupError as error:
            # What could be read before the break is kept.
            return [*rows, FaqRow(len(rows) + 1, error.line or 1, {}, _json_message(error))]
        _check_count(rows)
        line, counted = line + text.count("\n", counted, place), place
        rows.append(FaqRow(len(rows) + 1, line, item if isinstance(item, Mapping) else {}))
        place = end


def _skip_blank(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return match.end() if match else place


def _json_message(error: MarkupError) -> str:
    return f"Not valid JSON from here on: {error}."


def _jsonl_rows(text: str) -> list[FaqRow]:
    rows = list[FaqRow]()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            _check_count(rows)
            try:
                found = load_json(line)
            except MarkupError as error:
                rows.append(FaqRow(number, number, {}, _json_message(error)))
            else:
                rows.append(FaqRow(number, number, found if isinstance(found, Mapping) else {}))
    return _flat(rows)


def _yaml_rows(text: str) -> list[FaqRow]:
    if len(text) > LARGEST_YAML:
        message = f"Not read: YAML of {len(text):,} characters, the limit is {LARGEST_YAML:,}."
        raise FormatError(None, message, "Write it as JSON lines (faq.jsonl), which are read up to 64 MB.")
    try:
        loader = TextLoader(text)
        root = loader.get_single_node()
    except (yaml.YAMLError, RecursionError) as error:
        found = yaml_error(error, text)
        simpler = "Make it a plain list of entries with a question and an answer."
        remedy = simpler if found.line is None else "Mend that line or the one above."
        raise FormatError(found.line, str(found), remedy) from error
    if isinstance(root, yaml.MappingNode):
        named = [value for key, value in root.value if str(key.value).lower() in LIST_NAMES]
        root = next((node for node in named if isinstance(node, yaml.SequenceNode)), root)
    if isinstance(root, yaml.SequenceNode):
        return _flat([_yaml_row(loader, node, row, text) for row, node in enumerate(root.value, start=1)])
    if not isinstance(root, yaml.MappingNode):
        raise FormatError(1, "Expected a YAML list of entries.", "Begin each entry with '- question: ...'.")
    whole = _yaml_row(loader, root, 1, text)
    return [whole] if whole.defect else _numbered(FaqRow(0, whole.line, each) for each in entries_in(whole.fields))


def _yaml_row(loader: TextLoader, node: yaml.Node, row: int, text: str) -> FaqRow:
    line = node.start_mark.line + 1
    try:
        item = loader.construct_object(node, deep=True)
    except YAML_ERRORS as error:
        found = yaml_error(error, text)
        return FaqRow(row, found.line or line, {}, str(found))
    return FaqRow(row, line, item if isinstance(item, Mapping) else {})


def _markdown_rows(text: str) -> list[FaqRow]:
    """One entry a file: fields in the front matter, the question there or in the first heading, the rest the answer."""
    front = _FRONT_MATTER.match(text)
    fields: dict[object, object] = {}
    if front:
        try:
            loaded = load_yaml(front.group(1))
        except MarkupError as error:
            line = None if error.line is None else error.line + 1
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
