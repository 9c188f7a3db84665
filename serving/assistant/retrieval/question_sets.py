"""Labelled questions that strategies are compared on: `gold/questions.jsonl` of a course, or any file of that form.

One line is {"question": "...", "gold": ["...", ...]}: the entries that answer, by `origin_id` (of a FAQ, concept,
document article or catalogue page) or by `entry_id`. Lines of a file of its own also say "course". With "answer", a
reference answer, an answer's words are measured too; "kind" is "simple" (the default) or "complex".
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from knowledge_graph.lake.problems import CoteachError

Kind = Literal["simple", "complex"]

FILE = "gold/questions.jsonl"
"""Inside a course folder."""


class QuestionSetUnusable(CoteachError):
    """A set of questions that cannot be read; the message names the line."""


@dataclass(frozen=True)
class LabelledQuestion:
    """One question with the ids of what answers it, at least one, and its reference answer if it has one."""

    question: str
    course_id: str | None
    gold: frozenset[str]
    answer: str = ""
    kind: Kind = "simple"

    @property
    def question_id(self) -> str:
        """The same for the same question to the same course, wherever it stands."""
        return hashlib.sha256(f"{self.course_id}\n{self.question}".encode()).hexdigest()[:16]


def read_question_set(path: Path, *, course_id: str | None = None) -> tuple[LabelledQuestion, ...]:
    """Every question of a file, in order. `course_id` is the course of lines that name none.

    Raises `QuestionSetUnusable` for a file that cannot be read and for the first line of another form.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionSetUnusable(f"{path} cannot be read: {error}.") from error
    return tuple(_questions(text, path, course_id))


def _questions(text: str, path: Path, course_id: str | None) -> Iterator[LabelledQuestion]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            found = _question(line, course_id)
            if found is None:
                form = '{"question": "...", "gold": ["..."]}, with "answer" and "kind" ("simple" or "complex") if known'
                raise QuestionSetUnusable(f"{path}:{number}: Expected {form}, found {line[:80]!r}.")
            yield found


def _question(line: str, course_id: str | None) -> LabelledQuestion | None:
    try:
        fields = json.loads(line)
    except ValueError:
        return None
    if not isinstance(fields, dict):
        return None
    question, gold, course = fields.get("question"), fields.get("gold"), fields.get("course") or course_id
    listed = [gold] if isinstance(gold, str) else gold
    if not isinstance(question, str) or not question.strip() or not isinstance(listed, list) or not listed:
        return None
    if not all(isinstance(each, str) for each in listed) or not isinstance(course, str | None):
        return None
    answer, kind = fields.get("answer", ""), fields.get("kind", "simple")
    if not isinstance(answer, str) or kind not in get_args(Kind):
        return None
    return LabelledQuestion(question, course, frozenset(listed), answer.strip(), kind)
