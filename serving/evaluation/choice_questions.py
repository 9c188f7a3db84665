"""Multiple-choice questions with known answers, from the formats that such sets are published in.

Read are an array or JSON lines of: `{"id", "question", "options": {"A": …}, "answer"}`, our own, with "explanation" if
known; `Question`, `A` … `E`, `Answer`, as CS-Bench has them (Song et al. 2024); `question`, `options: ["A)…", …]`,
`correct`, as AQuA has them (Ling et al. 2017). What has no options, as true-or-false questions, is skipped and
counted.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import language_of

_MARKED = re.compile(r"\s*[(（]?([A-Za-z])[)）.．、:：]\s*(.*)", re.DOTALL)
_LETTERS = "ABCDEFGHIJ"


class QuestionsUnusable(CoteachError):
    """The file holds no multiple-choice questions that can be read."""


@dataclass(frozen=True)
class KnownQuestion:
    """A question, its options by label in order, and the label of the right one."""

    question_id: str
    stem: str
    options: Mapping[str, str]
    answer: str
    subject: str
    explanation: str = ""
    """Why it is right, where the row says so."""

    @property
    def lang(self) -> Lang:
        return language_of(self.stem)

    @property
    def as_sent(self) -> str:
        """As a student would send it: the question, and each option on a line."""
        return "\n".join([self.stem, *(f"{label}. {text}" for label, text in self.options.items())])


@dataclass(frozen=True)
class KnownQuestions:
    """What a file holds. `other` counts what is no multiple-choice question, `broken` what cannot be read as one."""

    questions: tuple[KnownQuestion, ...]
    other: int
    broken: int


def read_known_questions(path: Path) -> KnownQuestions:
    """Every multiple-choice question of a file, in order. Raises `QuestionsUnusable` when there is none."""
    found: list[KnownQuestion] = []
    other = broken = 0
    for number, row in enumerate(_rows(path), start=1):
        question = known_question(row, str(number)) if isinstance(row, dict) else None
        if question is not None:
            found.append(question)
        elif isinstance(row, dict) and row.get("Format") not in (None, "Multiple-choice"):
            other += 1
        else:
            broken += 1
    if not found:
        raise QuestionsUnusable(
            f"{path} holds no multiple-choice question that can be read ({other} of another form, {broken} broken). "
            'Expected lines like {"id": "1", "question": "…", "options": {"A": "…", "B": "…"}, "answer": "A"}.'
        )
    if twice := len(found) - len({one.question_id for one in found}):
        raise QuestionsUnusable(f"{path}: {twice} questions have an id that another one has. Ids must be unique.")
    return KnownQuestions(tuple(found), other, broken)


def known_question(row: Mapping[str, object], number: str) -> KnownQuestion | None:
    """The question of one row, in whichever format; `None` when it is no whole one. `number` is its id by default."""
    stem = row.get("question", row.get("Question"))
    options = _options(row)
    answer = row.get("answer", row.get("correct", row.get("Answer")))
    label = _label(answer, options)
    if not isinstance(stem, str) or not stem.strip() or len(options) < 2 or label is None:
        return None
    subject, explanation = row.get("subject", row.get("Domain")), row.get("explanation")
    key = row.get("id", row.get("ID", number))
    return KnownQuestion(str(key), stem.strip(), options, label, str(subject or "all"), str(explanation or ""))


def _options(row: Mapping[str, object]) -> dict[str, str]:
    listed = row.get("options")
    if isinstance(listed, dict):
        found = {str(label): str(text).strip() for label, text in listed.items()}
    elif isinstance(listed, list):
        marked = [_MARKED.fullmatch(str(one)) for one in listed]
        found = {one.group(1): one.group(2).strip() for one in marked if one is not None}
        found = found if len(found) == len(listed) else {}
    else:
        found = {label: str(row[label]).strip() for label in _LETTERS if row.get(label) not in (None, "")}
    return found if all(found.values()) else {}


def _label(answer: object, options: Mapping[str, str]) -> str | None:
    if not isinstance(answer, str):
        return None
    return next((label for label in options if label.casefold() == answer.strip().casefold()), None)


def _rows(path: Path) -> list[object]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise QuestionsUnusable(f"{path} is not UTF-8 text: {error}.") from error
    if text.lstrip().startswith("["):
        try:
            rows: list[object] = json.loads(text)
        except ValueError as error:
            raise QuestionsUnusable(f"{path} begins as a JSON array, and is none: {error}. Mend it there.") from error
        return rows
    return [_row(f"{path}:{number}", line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _row(where: str, line: str) -> object:
    try:
        row: object = json.loads(line)
    except ValueError as error:
        shown = line.strip()[:80]
        message = (
            f"{where}: expected one JSON object on the line, found '{shown}' ({error.args[0].split(': line')[0]})."
        )
        raise QuestionsUnusable(f"{message} Mend or remove the line.") from error
    return row
