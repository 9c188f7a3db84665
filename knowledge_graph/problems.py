"""`Problem`: something wrong with what came from outside, told to the person who can mend it.

Readers never raise for one bad file or row: they return the good records and the problems. They raise `SourceError`
only when nothing usable is left.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, order=True)
class Problem:
    """One defect, where it is and what to do about it.

    `line` is 1-based, `None` when the defect is the whole file's. `severity` is `error` when content was left out,
    `warning` when everything was kept but repaired or doubtful.
    """

    file: str
    line: int | None
    message: str
    remedy: str
    severity: Literal["error", "warning"] = "error"

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: {self.message} {self.remedy}"


class SourceError(ValueError):
    """Nothing usable came out of a source. Carries every problem met, in order."""

    def __init__(self, what: str, problems: Iterable[Problem] = ()) -> None:
        self.problems = tuple(problems)
        lines = [what, *(f"  - {problem}" for problem in self.problems)]
        super().__init__("\n".join(lines))


def display_path(path: Path, base: Path) -> str:
    """`path` as people should see it: relative to the course folder when it lies inside."""
    return str(path.relative_to(base)) if path.is_relative_to(base) else str(path)
