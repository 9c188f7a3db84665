"""The rows of a FAQ: CSV, JSON, JSON lines, YAML and Markdown, with the shapes that lists of entries come in."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import yaml

from knowledge_graph.sources.faq_nesting import LIST_NAMES, entries_in, holds_entries, open_entry
from knowledge_graph.sources.markup import (
    YAML_ERRORS,
    MarkupError,
    TextLoader,
    load_json,
    load_yaml,
    yaml_error,
)
from knowledge_graph.sources.row_formats import (
    DIVIDE,
    FileRow,
    FormatError,
    check_count,
    csv_rows,
    json_line_rows,
    json_message,
    list_rows,
)

_LIST_START = re.compile(rf'"(?:{"|".join(LIST_NAMES)})"\s*:\s*\[', re.IGNORECASE)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
MOST_FIELDS = 10_000_000
"""Fields of all rows that stand in sections: 0.4 GB. Each row has those of its section, too."""
LARGEST_YAML = 4 * 2**20
"""Characters of a YAML file. PyYAML takes 10 s for a FAQ of so many, and 80 s and 1.6 GB for nothing but commas."""


def rows_of(name: str, text: str) -> list[FileRow]:
    """The rows of a FAQ file by its suffix; raises `FormatError` when the whole file cannot be read."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise FormatError(None, "The file is empty.", "Add entries with a question and an answer, or remove the file.")
    return _READERS["." + name.lower().rsplit(".", 1)[-1]](text)


def _json_rows(text: str) -> list[FileRow]:
    """A list of objects, bare or under a name such as "faq"; also one in sections, or an object question -> answer."""
    stripped = text.lstrip()
    if stripped.startswith("["):
        return _flat(list_rows(text, len(text) - len(stripped) + 1))
    if not stripped.startswith("{"):
        raise FormatError(1, "Expected a JSON list of entries.", 'Write [{"question": "...", "answer": "..."}].')
    named = _LIST_START.search(text)
    try:
        found = load_json(text)
    except MarkupError as error:
        if named is None:
            remedy = "Mend that place: quotes, a comma, or a bracket that is not closed."
            raise FormatError(error.line, json_message(error), remedy) from error
        found = None
    if named is not None and (found is None or _is_one_list(found)):
        return _flat(list_rows(text, named.end()))
    return _take_all(FileRow(0, 1, fields) for fields in entries_in(found))


def _is_one_list(found: object) -> bool:
    """Whether one list under a usual name is all that can hold entries: then the lines of its items are known."""
    pairs = found.items() if isinstance(found, Mapping) else ()
    lists = [str(key).lower() for key, value in pairs if isinstance(value, list | Mapping)]
    return len(lists) == 1 and lists[0] in LIST_NAMES


def _flat(rows: list[FileRow]) -> list[FileRow]:
    """Rows that hold lists of entries become those entries, on the line of the row."""
    if not any(holds_entries(*pair) for row in rows for pair in row.fields.items()):
        return rows
    return _take_all(FileRow(0, row.line, entry, row.defect) for row in rows for entry in open_entry(row.fields))


def _take_all(rows: Iterable[FileRow]) -> list[FileRow]:
    """All of them, taken one by one; raises `FormatError` as soon as there are too many."""
    kept, fields = list[FileRow](), 0
    for number, row in enumerate(rows, start=1):
        check_count(kept)
        fields += len(row.fields)
        if fields > MOST_FIELDS:
            raise FormatError(row.line, f"Not read: more than {MOST_FIELDS:,} fields in sections.", DIVIDE)
        kept.append(replace(row, row=number))
    return kept


def _jsonl_rows(text: str) -> list[FileRow]:
    return _flat(json_line_rows(text))


def _yaml_rows(text: str) -> list[FileRow]:
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
    return [whole] if whole.defect else _take_all(FileRow(0, whole.line, each) for each in entries_in(whole.fields))


def _yaml_row(loader: TextLoader, node: yaml.Node, row: int, text: str) -> FileRow:
    line = node.start_mark.line + 1
    try:
        item = loader.construct_object(node, deep=True)
    except YAML_ERRORS as error:
        found = yaml_error(error, text)
        return FileRow(row, found.line or line, {}, str(found))
    return FileRow(row, line, item if isinstance(item, Mapping) else {})


def _markdown_rows(text: str) -> list[FileRow]:
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
    return [FileRow(1, 1, {**fields, "answer": body.strip()})]


_READERS: dict[str, Callable[[str], list[FileRow]]] = {
    ".csv": csv_rows,
    ".tsv": csv_rows,
    ".json": _json_rows,
    ".jsonl": _jsonl_rows,
    ".yaml": _yaml_rows,
    ".yml": _yaml_rows,
    ".md": _markdown_rows,
}
