"""What a build said of each input file, kept beside Great Expectations' results: for pages that know no Dagster.

One file for each asset and course, `data_docs/sources/<asset>/<course>.json`, written whenever the asset reads.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.tables import write_text_atomic

_MOST_PROBLEMS = 1_000
"""Kept of one asset. Somebody mends a few hundred and builds again."""


@dataclass(frozen=True)
class SourceReport:
    """What one asset read of one course.

    `digests` are those (SHA-256, hex) of all files that it was to read, `records` how many rows came of each. `refused`
    says why nothing of it was published. `problem_count` also counts problems that are not kept.
    """

    asset: str
    read_at: str
    digests: Mapping[str, str]
    records: Mapping[str, int]
    problems: tuple[Problem, ...]
    problem_count: int
    refused: str | None = None


def keep_report(
    data_dir: DataDir,
    asset: str,
    course_id: str,
    *,
    digests: Mapping[str, str],
    records: Mapping[str, int],
    problems: Sequence[Problem],
    refused: str | None = None,
) -> None:
    """Keep what an asset said, in the place of what it said before."""
    kept = tuple(problems[:_MOST_PROBLEMS])
    when = datetime.now(UTC).isoformat(timespec="seconds")
    report = SourceReport(asset, when, dict(digests), dict(records), kept, len(problems), refused)
    path = data_dir.source_report(asset, course_id)
    write_text_atomic(path, json.dumps(asdict(report), ensure_ascii=False, sort_keys=True) + "\n")


def read_reports(data_dir: DataDir, course_id: str) -> list[SourceReport]:
    """What every asset last said of a course, by asset; one that cannot be read is skipped."""
    found = []
    for folder in sorted(data_dir.source_reports.glob("*")):
        with suppress(OSError, ValueError, TypeError, KeyError):
            found.append(_read(folder / f"{course_id}.json"))
    return found


def _read(path: Path) -> SourceReport:
    fields = json.loads(path.read_text(encoding="utf-8"))
    return SourceReport(**fields | {"problems": tuple(Problem(**one) for one in fields["problems"])})
