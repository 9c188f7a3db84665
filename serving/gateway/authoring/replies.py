"""What the routes of course files and builds send and take."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from knowledge_graph.lake.problems import Problem
from knowledge_graph.sources.course_files.history import CourseEdit
from knowledge_graph.sources.course_files.reading import CourseReading, FileReading
from knowledge_graph.sources.folders import CourseFolder
from serving.gateway.authoring.build_log import lines_for, progress_of
from serving.gateway.authoring.builds import BuildRoom, BuildStatus
from serving.store.caller import Caller


class CourseRequest(BaseModel):
    """A new course, with nothing but its card."""

    model_config = ConfigDict(extra="forbid")
    course_id: str = Field(min_length=1, max_length=64, description="The folder's name: letters, digits, - _ .")
    title: str = Field(min_length=1, max_length=200)
    lang: Literal["en", "zh"] | None = Field(default=None, description="Unset: found out in the files.")


class BuildRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    course: str | None = Field(default=None, max_length=200, description="Unset: all courses, for admins.")


class ProblemReply(BaseModel):
    file: str
    line: int | None
    message: str
    remedy: str
    severity: Literal["error", "warning"]


class FileReply(BaseModel):
    """A file with what the last build reported of it."""

    name: str
    kind: str | None
    size: int
    changed: str
    version: str = Field(description="Sent back as `replaces` by whoever replaces or removes what they have seen.")
    state: Literal["read", "changed", "waiting", "unread"]
    records: int | None = Field(description="Rows that came of it: cues, entries, sections. Null: not counted.")
    unread: str | None = Field(description="Why no build reads it.")
    problems: list[ProblemReply]


class CourseFilesReply(BaseModel):
    course_id: str
    can_edit: bool
    read_at: str | None = Field(description="When a build last read any of them.")
    seen: str = Field(description="Another text whenever any file changes; sent back with a package.")
    files: list[FileReply]
    problems: list[ProblemReply] = Field(description="Of none of the files.")
    refused: dict[str, str] = Field(description="Tables that were not published, and why.")


class FileChangeReply(BaseModel):
    name: str
    before: str | None
    after: str | None


class EditReply(BaseModel):
    """One change of a course's files; `notes` names what of an archive was left out."""

    number: int
    act: str
    at: str
    by: str
    files: list[FileChangeReply]
    undoes: int | None
    notes: list[str]


class BuildReply(BaseModel):
    """`lines` are those that the caller may read: of their own courses."""

    build_id: str
    course: str | None
    by: str
    started_at: str
    ended_at: str | None
    state: Literal["running", "done", "failed", "cancelled", "lost"]
    now: str | None
    steps: int
    failed: int
    lines: list[str]


def problem_reply(problem: Problem) -> ProblemReply:
    return ProblemReply(**vars(problem))


def file_reply(reading: FileReading) -> FileReply:
    return FileReply(
        **vars(reading.file),
        state=reading.state,
        records=reading.records,
        unread=reading.unread,
        problems=[problem_reply(one) for one in reading.problems],
    )


def course_files_reply(folder: CourseFolder, reading: CourseReading, seen: str, *, can_edit: bool) -> CourseFilesReply:
    return CourseFilesReply(
        course_id=folder.course_id,
        can_edit=can_edit,
        read_at=reading.read_at,
        seen=seen,
        files=[file_reply(one) for one in reading.files],
        problems=[problem_reply(one) for one in reading.problems],
        refused=reading.refused,
    )


def edit_reply(edit: CourseEdit) -> EditReply:
    return EditReply(
        number=edit.number,
        act=edit.act,
        at=edit.at,
        by=edit.by,
        files=[FileChangeReply(**vars(one)) for one in edit.files],
        undoes=edit.undoes,
        notes=list(edit.notes),
    )


def build_reply(room: BuildRoom, status: BuildStatus, caller: Caller) -> BuildReply:
    """A build as the caller may see it."""
    lines = lines_for(room.lines(status.build.build_id), caller.courses)
    progress = progress_of(lines)
    return BuildReply(
        build_id=status.build.build_id,
        course=status.build.course_id,
        by=status.build.by,
        started_at=status.build.started_at,
        ended_at=status.ended_at,
        state=status.state,
        now=progress.now if status.state == "running" else None,
        steps=progress.steps,
        failed=progress.failed,
        lines=lines,
    )
