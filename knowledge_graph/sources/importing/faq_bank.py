"""A bank of FAQs of several courses, in one file or as a tree of Markdown, to the entries of each course."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.source_kinds import FAQ_SUFFIXES
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.faq import FAQ_FIELDS
from knowledge_graph.sources.faq_formats import rows_of
from knowledge_graph.sources.fields import lower_keys, text_of
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.importing.items import Header, ImportedEntry, ImportSource, Item
from knowledge_graph.sources.importing.names import folder_ids
from knowledge_graph.sources.markup import MarkupError, load_yaml
from knowledge_graph.sources.row_formats import FileRow, FormatError

KIND = "FAQ bank"
LARGEST_BANK = 256 * 1024**2
"""Bytes of one file, which is read whole: about half a million entries."""
_COURSE_NAMES = ("course", "course_id", "course_name", "课程")
_METADATA = ("_metadata.yaml", "_metadata.yml")
_NO_FAQ = {"readme", "index", "contributing", "license"}
_ROW_REMEDY = "Fill it in, or remove the row."


@dataclass(frozen=True)
class _Row:
    """A row with the place it was read from. `course` is the course's name as it is written there."""

    course: str
    section: str | None
    file: str
    line: int
    fields: Mapping[object, object]


def is_faq_file(path: Path) -> bool:
    return path.suffix.lower() in FAQ_SUFFIXES


def find_faq_folder(folder: Path) -> Path | None:
    """Where the Markdown of a bank is: `_questions` if there is one, else `folder` itself if it holds any."""
    for base in (folder, *sorted(path for path in folder.glob("*") if path.is_dir())):
        if (base / "_questions").is_dir():
            return base / "_questions"
    return folder if any(_has_front_matter(path) for path in _markdown(folder)) else None


def open_faq_file(path: Path) -> ImportSource:
    """A bank in one file; rows without a column for the course are one course, named like the file."""
    log = BoundedTold(file=path.name)
    if path.stat().st_size > LARGEST_BANK:
        raise CoteachError(
            f"{path}: {path.stat().st_size:,} bytes, the limit is {LARGEST_BANK:,}. Divide it by course."
        )
    decoded = read_text(path, log)
    try:
        rows = rows_of(path.name, decoded.text) if decoded is not None else []
    except FormatError as error:
        where = path.name if error.line is None else f"{path.name}:{error.line}"
        raise CoteachError(f"{where}: {error} {error.remedy}") from error
    return _source(list(_of_courses(rows, path, log)), {}, log)


def open_faq_folder(folder: Path) -> ImportSource:
    """A bank as a tree: a folder for each course, in it a folder for each section, or the files themselves."""
    log = BoundedTold(file=folder.name)
    rows: list[_Row] = []
    titles: dict[str, str] = {}
    direct = any(_is_entry(path) for path in folder.iterdir())
    for base in [folder] if direct else sorted(path for path in folder.iterdir() if path.is_dir()):
        if any(_markdown(base)):
            metadata = _metadata(base, log)
            titles[base.name] = str(metadata.get("course_name") or base.name)
            rows += _tree_rows(base, metadata, log)
    return _source(rows, titles, log)


def _has_front_matter(path: Path) -> bool:
    """A folder of other Markdown, the documents of a course, is no bank."""
    with path.open("rb") as file:
        return file.read(4).startswith(b"---")


def _is_entry(path: Path) -> bool:
    return path.suffix.lower() == ".md" and path.stem.lower() not in _NO_FAQ and path.is_file()


def _markdown(folder: Path) -> Iterator[Path]:
    """The entries below a folder, by path; hidden folders are not entered."""
    found = (path for path in folder.rglob("*.md") if _is_entry(path))
    return iter(sorted(path for path in found if not any(part[0] == "." for part in path.relative_to(folder).parts)))


def _metadata(folder: Path, log: BoundedTold) -> Mapping[str, object]:
    """`_metadata.yaml` of a course: `course_name`, and `sections` with `id` and `name` in their order."""
    path = next((folder / name for name in _METADATA if (folder / name).is_file()), None)
    decoded = None if path is None else read_text(path, log)
    if path is None or decoded is None:
        return {}
    try:
        found = load_yaml(decoded.text)
    except MarkupError as error:
        where = f"{folder.name}/{path.name}" if error.line is None else f"{folder.name}/{path.name}:{error.line}"
        log.warning(None, f"{where}: {error} It was not used.", "Mend that line or the one above.")
        return {}
    return found if isinstance(found, dict) else {}


def _tree_rows(base: Path, metadata: Mapping[str, object], log: BoundedTold) -> list[_Row]:
    """The entries of a course by section, as its metadata orders them, then by `sort_order` and path."""
    listed = metadata.get("sections")
    sections = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    names = {str(each.get("id")): str(each.get("name") or each.get("id")) for each in sections}
    found: list[tuple[tuple[int, str, float, str], _Row]] = []
    for path in _markdown(base):
        inside = path.relative_to(base)
        section = inside.parts[0] if len(inside.parts) > 1 else None
        for row in _file_rows(path, log):
            place = list(names).index(section) if section in names else len(names)
            name = None if section is None else names.get(section, section)
            key = (place, section or "", _number(row.fields.get("sort_order")), inside.as_posix())
            found.append((key, _Row(base.name, name, f"{base.name}/{inside.as_posix()}", row.line, row.fields)))
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


def _file_rows(path: Path, log: BoundedTold) -> list[FileRow]:
    decoded = read_text(path, log)
    try:
        return rows_of(path.name, decoded.text) if decoded is not None else []
    except FormatError as error:
        log.error(None, f"{path.name}: {error}", error.remedy)
        return []


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return float("inf")


def _of_courses(rows: Sequence[FileRow], path: Path, log: BoundedTold) -> Iterator[_Row]:
    """The rows of one file with the course that each names."""
    columns = {name for row in rows for name in lower_keys(row.fields)}
    has_course = bool(columns.intersection(_COURSE_NAMES))
    for row in rows:
        course = text_of(lower_keys(row.fields), _COURSE_NAMES) if has_course else path.stem
        if row.defect:
            log.error(row.line, row.defect, "Mend that place: quotes, a comma, or a bracket that is not closed.")
        elif course is None:
            log.error(row.line, "The entry names no course; it was left out.", "Fill in its column 'course'.")
        else:
            yield _Row(course, None, log.file, row.line, row.fields)


def _source(rows: Sequence[_Row], titles: Mapping[str, str], log: BoundedTold) -> ImportSource:
    """The entries by course; raises `CoteachError` when there is none at all."""
    ids = folder_ids(dict.fromkeys(row.course for row in rows))
    courses = {name: _Course(ids[name], log) for name in ids}
    for row in rows:
        courses[row.course].add(row)
    if not any(course.entries for course in courses.values()):
        columns = ", ".join(sorted({name for row in rows for name in lower_keys(row.fields)})) or "none"
        expected = ", ".join(FAQ_FIELDS["question"][:2] + FAQ_FIELDS["answer"][:3])
        message = f"{log.file}: expected entries with a question and an answer, found columns {columns}."
        raise CoteachError(f"{message} Name the columns for them (read are {expected} and more).")
    log.close()
    kept = {name: course for name, course in courses.items() if course.entries}
    items: list[Item] = []
    for name, course in kept.items():
        items += [Header(course.course_id, titles.get(name, name)), *course.entries.values()]
    return ImportSource(KIND, tuple(course.course_id for course in kept.values()), iter(items), log)


@dataclass
class _Course:
    """The entries of a course. Of two with one id both are kept when their texts differ."""

    course_id: str
    log: BoundedTold
    entries: dict[str, ImportedEntry] = field(default_factory=dict)
    _said: set[tuple[str, str, str]] = field(default_factory=set)

    def add(self, row: _Row) -> None:
        values = lower_keys(row.fields)
        question, answer = (text_of(values, FAQ_FIELDS[name]) for name in ("question", "answer"))
        where = "" if row.file == self.log.file else f"{row.file}: "
        if not question or not answer:
            missing = "answer" if question else "question"
            shown = (question or answer or "")[:60]
            self.log.error(row.line, f"{where}The entry '{shown}' has no {missing}; it was left out.", _ROW_REMEDY)
            return
        fields = {str(name): value for name, value in row.fields.items()}
        if row.section is not None:
            fields["section"] = row.section
        given = text_of(values, FAQ_FIELDS["id"])
        key = given or f"#{len(self.entries)}"
        text = (given or key, question, answer)
        if text in self._said:
            message = f"{where}The entry '{given}' is there twice; it was left out."
            self.log.warning(row.line, message, "Keep one of the two.")
            return
        if given and given in self.entries:
            key = self._free(given)
            fields = {name: value for name, value in fields.items() if not _is_id(name)} | {"id": key}
            message = f"{where}The id '{given}' is taken by another entry; this one got '{key}'."
            self.log.warning(row.line, message, "Give it an id of its own.")
        self._said.add(text)
        self.entries[key] = ImportedEntry(self.course_id, fields)

    def _free(self, taken: str) -> str:
        number = 2
        while f"{taken}-{number}" in self.entries:
            number += 1
        return f"{taken}-{number}"


def _is_id(name: str) -> bool:
    return bool(set(lower_keys({name: None})) & set(FAQ_FIELDS["id"]))
