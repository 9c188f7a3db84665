"""Rows from people: looking up a field by any of its usual names, and telling what is wrong with a row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from knowledge_graph.problems import Problem

Fields = Mapping[str, tuple[str, ...]]
"""Our name of a field -> the names it goes by, the usual first."""


@dataclass
class Told:
    """Problems met so far; `file` is the one being read."""

    file: str = ""
    problems: list[Problem] = field(default_factory=list)

    def error(self, line: int | None, message: str, remedy: str) -> None:
        """Something was left out."""
        self.problems.append(Problem(self.file, line, message, remedy))

    def has_errors(self) -> bool:
        """Whether an error of the file being read was told."""
        return any(problem.file == self.file and problem.severity == "error" for problem in self.problems)

    def warning(self, line: int | None, message: str, remedy: str) -> None:
        """Something was repaired, or is doubtful."""
        self.problems.append(Problem(self.file, line, message, remedy, "warning"))


def lower_keys(row: Mapping[object, object]) -> dict[str, object]:
    """The row with its names as we compare them: lower case, no blanks around, `_` for blanks and hyphens."""
    return {str(key).strip().lower().replace(" ", "_").replace("-", "_"): value for key, value in row.items()}


def text_of(row: Mapping[str, object], names: Sequence[str]) -> str | None:
    """The first of `names` that holds text, trimmed; `None` when none does. Lists are joined by line breaks."""
    for name in names:
        value = row.get(name)
        if isinstance(value, list):
            value = "\n".join(str(item) for item in value)
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return None


def to_date(text: str) -> str | None:
    """An ISO 8601 date (or date and time) from the ways people write one; `None` when it is none of them."""
    try:
        return datetime.fromisoformat(text).isoformat() if len(text) > 10 else date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    for form in ("%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日", "%d %B %Y", "%B %d, %Y"):
        try:
            return datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a date has no time zone
        except ValueError:
            continue
    return None
