"""FAQ files to entries: which fields make an entry and what is wrong with a row. `faq_formats.py` reads the formats."""

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CourseCard, FaqEntry, Lang
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.faq_formats import rows_of
from knowledge_graph.sources.fields import (
    LONGEST_QUESTION,
    LONGEST_TEXT,
    Fields,
    ProblemLog,
    excess,
    lower_keys,
    texts_of,
    to_date,
)
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.row_formats import SECOND, FileRow, FormatError
from knowledge_graph.text.sentences import normal_form

FAQ_FIELDS: Fields = {
    "id": ("id", "origin_id", "faq_id", "key", "编号"),
    "section": ("section", "topic", "category", "group", "分类", "类别", "章节"),
    "question": ("question", "q", "title", "prompt", "问题", "问", "提问"),
    "answer": ("answer", "a", "text", "response", "reply", "body", "答案", "回答", "答", "回复"),
    "author": ("author", "by", "answered_by", "作者", "回答者"),
    "reviewer": ("reviewer", "reviewed_by", "approved_by", "审核", "审核人"),
    "updated_at": ("updated_at", "updated", "date", "last_modified", "更新时间", "日期"),
}
"""The fields of an entry and the names they go by."""


def read_faq(folder: CourseFolder, card: CourseCard) -> tuple[tuple[FaqEntry, ...], tuple[Problem, ...]]:
    """Every entry with a question and an answer, in file order; the problems say what was left out.

    An entry without an id gets one from its question (`question_id`), so that it stays the same wherever it stands in
    the file. The first of two entries with one id is kept, and the first of rows with the same question and answer. At
    most `TOLD_PER_KIND` problems of a kind are reported for a file, the others are counted.
    """
    kept = _Kept()
    log = BoundedTold()
    for path in input_files(folder, "faq"):
        log.file = display_path(path, folder.path)
        decoded = read_text(path, log)
        if decoded is not None:
            try:
                rows = rows_of(path.name, decoded.text)
            except FormatError as error:
                log.error(error.line, str(error), error.remedy)
            else:
                for entry, line in _entries(rows, card, log):
                    kept.add(entry, line, log)
        log.close()
    return tuple(kept.entries.values()), tuple(log.problems)


def question_id(file: str, question: str, lang: Lang) -> str:
    """`<file>#` and 12 hexadecimal digits of the SHA-256 of the question's normal form (48 bits)."""
    return f"{file}#{hashlib.sha256(normal_form(question, lang).encode()).hexdigest()[:12]}"


def _entries(rows: list[FileRow], card: CourseCard, log: ProblemLog) -> list[tuple[FaqEntry, int]]:
    for row in rows:
        if row.defect:
            log.error(row.line, row.defect, "Mend that place: quotes, a comma, or a bracket that is not closed.")
    rows = [row for row in rows if not row.defect]
    names = {name for row in rows for name in lower_keys(row.fields)}
    for field_names in FAQ_FIELDS.values():
        for name in sorted(names.intersection(f"{one}{SECOND}" for one in field_names)):
            message = f"Two columns are called '{name.removesuffix(SECOND)}'; the first of them is read."
            log.warning(1, message, "Give each column a name of its own.")
    for needed in ("question", "answer"):
        if rows and not names.intersection(FAQ_FIELDS[needed]):
            message = f"No column for the {needed}: found {', '.join(sorted(names)) or 'none'}."
            log.error(rows[0].line, message, f"Name it '{needed}' (also read: {', '.join(FAQ_FIELDS[needed][1:])}).")
            return []
    if not rows and not log.has_errors():
        log.error(None, "The file has no entries.", "Add rows with a question and an answer, or remove the file.")
    found = [(_entry(row, card, log), row.line) for row in rows]
    return [(entry, line) for entry, line in found if entry is not None]


def _entry(row: FileRow, card: CourseCard, log: ProblemLog) -> FaqEntry | None:
    values = texts_of(lower_keys(row.fields), FAQ_FIELDS, row.line, log)
    question, answer, updated = values["question"], values["answer"], values["updated_at"]
    if not question or not answer:
        missing = "answer" if question else "question" if answer else "question and no answer"
        shown = f" {_quote(question or answer or '')}" if question or answer else ""
        log.error(row.line, f"The entry{shown} has no {missing}; it was left out.", "Fill it in, or remove the row.")
        return None
    if long := excess("question", question, LONGEST_QUESTION) or excess("answer", answer, LONGEST_TEXT):
        log.error(row.line, f"The entry {_quote(question)} was left out: {long}.", "Shorten it, or make several of it.")
        return None
    when = to_date(updated) if updated else None
    if updated and when is None:
        log.warning(row.line, f"'{updated}' is not a date; it was left empty.", "Write it as 2024-05-31.")
    return FaqEntry(
        course_id=card.course_id,
        origin_id=values["id"] or "",
        section=values["section"],
        question=question,
        answer=answer,
        author=values["author"],
        reviewer=values["reviewer"],
        updated_at=when,
        file=log.file,
        row=row.row,
        lang=lang_of(question, card.lang),
    )


def _quote(text: str) -> str:
    """The beginning of a text for a message, which is one line."""
    return f"'{' '.join(text.split())[:60]}'"


@dataclass
class _Kept:
    """The entries so far by `origin_id`, and how often each question without an id was met."""

    entries: dict[str, FaqEntry] = field(default_factory=dict)
    _questions: Counter[str] = field(default_factory=Counter)
    _said: dict[tuple[str, str, str], FaqEntry] = field(default_factory=dict)

    def add(self, entry: FaqEntry, line: int, log: ProblemLog) -> None:
        if not entry.origin_id:
            first = self._said.setdefault((entry.file, entry.question, entry.answer), entry)
            if first is not entry:
                message = f"The entry {_quote(entry.question)} is the same as row {first.row}; it was left out."
                log.warning(line, message, "Keep one of the two.")
                return
            entry = self._name_entry(entry)
        first = self.entries.setdefault(entry.origin_id, entry)
        if first is not entry:
            message = (
                f"The id '{entry.origin_id}' is taken by row {first.row} of {first.file}; this entry was left out."
            )
            log.error(line, message, "Give it an id of its own.")

    def _name_entry(self, entry: FaqEntry) -> FaqEntry:
        name = question_id(entry.file, entry.question, entry.lang)
        self._questions[name] += 1
        again = self._questions[name]
        return replace(entry, origin_id=name if again == 1 else f"{name}-{again}")
