"""The courses that somebody may change, and every change with its line in the record of acts.

An edit whose line cannot be kept is taken back: nothing changes unseen.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import structlog

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.course_files.editing import (
    Changes,
    EditConflict,
    EditRefused,
    Expected,
    FileUnknown,
    apply_edit,
    create_course,
    mend,
    staging,
    undo_edit,
)
from knowledge_graph.sources.course_files.history import Act, CourseEdit
from knowledge_graph.sources.course_files.names import NameRefused, is_for_the_team
from knowledge_graph.sources.course_files.packages import CoursePackage, open_package
from knowledge_graph.sources.folders import CourseFolder, find_courses, input_files
from knowledge_graph.sources.importing.archives import ArchiveRefused
from knowledge_graph.sources.importing.course_writer import CourseExists
from serving.gateway.access import no_such_course
from serving.gateway.errors import GatewayError
from serving.gateway.service import Service
from serving.store.audit import Act as NotedAct
from serving.store.audit import record
from serving.store.caller import Caller

log = structlog.get_logger(__name__)

_NAMED = 20
"""File names in a line of the record."""


@contextmanager
def edit_refusals() -> Iterator[None]:
    """Turn what is raised inside into `GatewayError`: 404 for what is not there, 409 where somebody was first, 400."""
    try:
        yield
    except FileUnknown as error:
        raise GatewayError(str(error), status=404) from error
    except (EditConflict, CourseExists) as error:
        raise GatewayError(str(error), status=409, code="conflict") from error
    except (EditRefused, NameRefused, ArchiveRefused) as error:
        raise GatewayError(str(error)) from error


def course_folders(service: Service, caller: Caller) -> list[CourseFolder]:
    """The folders of the courses that a caller may see, by id."""
    settings = service.settings
    found = find_courses(settings.courses_folder, is_single=settings.single_course)
    return [folder for folder in found if caller.may_see(folder.course_id)]


def folder_of(service: Service, caller: Caller, course_id: str) -> CourseFolder:
    """Raises `GatewayError` 404, the same for a course that is not there and one that is not the caller's."""
    for folder in course_folders(service, caller):
        if folder.course_id == course_id:
            return folder
    raise no_such_course(course_id)


def require_editing(service: Service) -> None:
    if service.settings.course_editing == "off":
        raise GatewayError(
            "Files of courses are not changed here (COTEACH_COURSE_EDITING=off): they come from elsewhere, such as "
            "git. Change them there.",
            status=403,
            code="editing_off",
        )


def require_may_change(caller: Caller, name: str) -> None:
    """Raise `GatewayError` 403 for files that make this machine ask or run something."""
    if is_for_the_team(name) and not caller.is_at_least("admin"):
        raise GatewayError(
            f"'{name}' is changed by admins alone: it makes the server ask addresses or run queries of its own.",
            status=403,
        )


@asynccontextmanager
async def upload_place(folder: CourseFolder) -> AsyncIterator[Path]:
    """A folder on the course's disk for what is uploaded."""
    with edit_refusals(), staging(folder) as work:
        yield work


async def make_course(service: Service, caller: Caller, course_id: str, title: str, lang: Lang | None) -> CourseFolder:
    """A new course. A key for certain courses alone makes none but those."""
    require_editing(service)
    if not caller.may_see(course_id):
        raise GatewayError(f"Your key is for other courses than '{course_id}'.", status=403)
    settings = service.settings
    by = name_of(caller)

    def make() -> CourseFolder:
        is_single = settings.single_course
        return create_course(settings.courses_folder, course_id, title=title, lang=lang, by=by, is_single=is_single)

    with edit_refusals():
        folder = await asyncio.to_thread(make)
    try:
        await _note(service, "course.create", course_id, caller, title=title)
    except BaseException:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder.path, ignore_errors=True))  # it holds a card alone
        raise
    return folder


async def change_files(
    service: Service,
    caller: Caller,
    folder: CourseFolder,
    act: Act,
    changes: Changes,
    expected: Expected,
    notes: tuple[str, ...] = (),
) -> CourseEdit:
    """Make an edit and note it."""
    require_editing(service)
    for name in changes:
        require_may_change(caller, name)
    by = name_of(caller)

    def edit() -> CourseEdit:
        return apply_edit(folder, act, changes, expected, by=by, notes=notes)

    return await _edit_and_note(service, caller, folder, edit, "course.edit")


async def add_package(
    service: Service, caller: Caller, folder: CourseFolder, archive: Path, work: Path, expected: Expected
) -> CourseEdit:
    """The files of an archive, added and put in the place of those of the same name, in one edit."""
    require_editing(service)
    may_change_all = caller.is_at_least("admin")
    with edit_refusals():
        try:
            package = await asyncio.to_thread(_open, folder, archive, work, may_change_all=may_change_all)
        except (EditRefused, NameRefused, ArchiveRefused):
            raise
        except CoteachError as error:
            raise GatewayError(str(error)) from error
    return await change_files(service, caller, folder, "package", package.files, expected, package.left_out)


def _open(folder: CourseFolder, archive: Path, work: Path, *, may_change_all: bool) -> CoursePackage:
    card = next(iter(input_files(folder, "card")), None)
    return open_package(archive, work, may_change_all=may_change_all, card=card)


async def take_back(service: Service, caller: Caller, folder: CourseFolder, number: int) -> CourseEdit:
    """Put back what an edit changed."""
    require_editing(service)
    by = name_of(caller)
    await asyncio.to_thread(mend, folder)

    def undo() -> CourseEdit:
        return undo_edit(folder, number, by=by, may_change=lambda name: require_may_change(caller, name))

    return await _edit_and_note(service, caller, folder, undo, "course.undo")


def name_of(caller: Caller) -> str:
    """What the others who teach the course see of who changed it."""
    return caller.name or f"key {caller.key_id}"


async def _edit_and_note(
    service: Service, caller: Caller, folder: CourseFolder, work: Callable[[], CourseEdit], act: NotedAct
) -> CourseEdit:
    with edit_refusals():
        edit = await asyncio.to_thread(work)
    names = [file.name for file in edit.files]
    about = {
        "edit": edit.number,
        "change": edit.act,
        "files": names[:_NAMED],
        "count": len(names),
        "undoes": edit.undoes,
    }
    try:
        await _note(service, act, folder.course_id, caller, **about)
    except BaseException:
        with suppress(CoteachError):
            await asyncio.shield(asyncio.to_thread(undo_edit, folder, edit.number, by="coteach: the record failed"))
        raise
    log.info("course_edited", course=folder.course_id, act=edit.act, edit=edit.number, files=len(names))
    return edit


def _note(service: Service, act: NotedAct, subject: str, caller: Caller, **about: Any) -> Awaitable[None]:
    return service.store.writing(lambda db: record(db, act, subject, by=f"key {caller.key_id}", **about))
