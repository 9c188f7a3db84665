"""Problems of a long file in a short report: each kind is reported a few times, the rest is counted."""

from collections import Counter
from dataclasses import dataclass, field

from knowledge_graph.lake.problems import Severity
from knowledge_graph.sources.fields import ProblemLog

TOLD_PER_KIND = 20
"""Problems of one kind told one by one for a file; ten thousand duplicate rows would otherwise fill the report."""


@dataclass
class BoundedTold(ProblemLog):
    """As `ProblemLog`, with at most `TOLD_PER_KIND` problems of one kind for a file; `close` adds how many more there
    were.

    A kind is a severity and a remedy: what a person does about it.
    """

    _told: Counter[tuple[Severity, str]] = field(default_factory=Counter)
    _first_untold: dict[tuple[Severity, str], int | None] = field(default_factory=dict)

    def error(self, line: int | None, message: str, remedy: str) -> None:
        self._tell(line, message, remedy, "error")

    def warning(self, line: int | None, message: str, remedy: str) -> None:
        self._tell(line, message, remedy, "warning")

    def close(self) -> None:
        """Count what was not told of the file being read; the next file begins anew."""
        for (severity, remedy), line in self._first_untold.items():
            more = self._told[severity, remedy] - TOLD_PER_KIND
            message = f"{more:,} more like those above, from this line on."
            self._add(line, message, remedy, severity)
        self._told.clear()
        self._first_untold.clear()

    def _tell(self, line: int | None, message: str, remedy: str, severity: Severity) -> None:
        kind = (severity, remedy)
        self._told[kind] += 1
        if self._told[kind] <= TOLD_PER_KIND:
            self._add(line, message, remedy, severity)
        else:
            self._first_untold.setdefault(kind, line)
