"""`Problem`: something wrong with what came from outside, told to the person who can mend it.

Readers never raise for one bad file or row: they return the good records and the problems. `CoteachError` is for what
stops a command.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from knowledge_graph.sources.encodings import decode_name, escape_controls

Severity = Literal["error", "warning"]


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
    severity: Severity = "error"

    def __post_init__(self) -> None:
        """Message and remedy quote what files hold, and a terminal would obey its control characters."""
        for name in ("message", "remedy"):
            object.__setattr__(self, name, escape_controls(getattr(self, name), kept="\t\n"))

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{where}: {self.message} {self.remedy}"


class CoteachError(Exception):
    """Base of every error whose message is for the person at the keyboard: what was expected, found, and to do next."""


def display_path(path: Path, base: Path) -> str:
    """`path` as people should see it: relative to the course folder when it lies inside, in whole characters."""
    return decode_name(str(path.relative_to(base)) if path.is_relative_to(base) else str(path))
