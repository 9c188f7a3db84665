"""What the last builds said of each file of a course, beside the files as they are now."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.source_kinds import InputKind
from knowledge_graph.lake.source_reports import SourceReport, read_reports
from knowledge_graph.sources.course_files.editing import CourseFile, list_files
from knowledge_graph.sources.course_files.names import unread_reason
from knowledge_graph.sources.folders import CourseFolder, find_left_out, input_files
from knowledge_graph.sources.known_digests import content_digest

FileState = Literal["read", "changed", "waiting", "unread"]
"""`read` as it is now; `changed` since it was read; `waiting` for its first build; `unread`: no build reads it."""


@dataclass(frozen=True)
class FileReading:
    """A file and what became of it. `records` are the rows that it gave; `None` where no asset counts them.

    `problems` are those of the last build, also where the file has changed since. `unread` says why it is not read.
    """

    file: CourseFile
    state: FileState
    records: int | None
    problems: tuple[Problem, ...]
    unread: str | None = None


@dataclass(frozen=True)
class CourseReading:
    """All files of a course; `problems` are of none of them (of one that is gone, of a link), `refused` says which
    tables were not published, and why: what was there before is still served."""

    files: tuple[FileReading, ...]
    problems: tuple[Problem, ...]
    refused: dict[str, str]
    read_at: str | None


def read_course_files(data_dir: DataDir, folder: CourseFolder) -> CourseReading:
    """The files of a course with what builds said of them. Files whose digest is not known yet are read once."""
    reports = read_reports(data_dir, folder.course_id)
    files = list_files(folder)
    named = {file.name for file in files}
    told = [problem for report in reports for problem in report.problems if problem.file not in named]
    return CourseReading(
        tuple(_reading(folder, file, reports) for file in files),
        tuple(dict.fromkeys([*find_left_out(folder), *told])),
        {report.asset: report.refused for report in reports if report.refused},
        max((report.read_at for report in reports), default=None),
    )


def digests_by_file(folder: CourseFolder, *kinds: InputKind) -> dict[str, str]:
    """The digests of the files of these kinds, by name; a file that cannot be read has that of its name."""
    paths = [path for kind in kinds for path in input_files(folder, kind)]
    return {display_path(path, folder.path): content_digest(path) for path in paths}


def _reading(folder: CourseFolder, file: CourseFile, reports: Sequence[SourceReport]) -> FileReading:
    if (reason := unread_reason(file.name)) is not None:
        return FileReading(file, "unread", None, (), reason)
    digests = {report.digests[file.name] for report in reports if file.name in report.digests}
    state: FileState = "waiting"
    if digests:
        state = "read" if _digest(folder.path / file.name, file.version) in digests else "changed"
    counted = [report.records[file.name] for report in reports if file.name in report.records]
    problems = [problem for report in reports for problem in report.problems if problem.file == file.name]
    return FileReading(file, state, sum(counted) if counted else None, tuple(dict.fromkeys(problems)))


@lru_cache(maxsize=20_000)
def _digest(path: Path, version: str) -> str:
    """The digest of a file in this version, read once."""
    return content_digest(path)
