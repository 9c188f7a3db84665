"""`/files`: a teacher sees the files of a course, what the last build read of each and what to mend, changes them, and
builds.

What is shown is plain HTML with plain forms (`files_view.py`, `files_forms.py`), which work without a script; only the
progress of a build comes by itself.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from nicegui import ui

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.course_files.editing import digest_files, list_files, mend, path_of
from knowledge_graph.sources.course_files.history import CourseEdit, read_edits
from knowledge_graph.sources.course_files.reading import CourseReading, FileReading, read_course_files
from knowledge_graph.sources.folders import CourseFolder
from serving.gateway.authoring.build_log import lines_for, progress_of
from serving.gateway.authoring.building import build_room_of, is_building, visible_builds
from serving.gateway.authoring.courses import course_folders
from serving.pages.files_forms import course_choice, file_forms, new_course_form, upload_forms
from serving.pages.files_view import BuildView, build_html, edits_html, file_html, files_html, problems_html
from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.parts import add_styles, heading, text
from serving.pages.visits import TeacherVisit, Visit
from serving.pages.words import PageTexts, words

LONGEST_TEXT = 200_000
"""Bytes of a file that is edited in the page."""
_TEXTS = (".yaml", ".yml", ".csv", ".tsv", ".json", ".jsonl", ".txt", ".md", ".srt", ".vtt", ".sbv", ".html", ".htm")
_LOOK_S = 2.0
_LINES = 40


@dataclass(frozen=True)
class CoursePage:
    """What the page of one course shows."""

    folder: CourseFolder
    reading: CourseReading
    edits: list[CourseEdit]
    seen: str


@ui.page("/files", response_timeout=PATIENCE_SECONDS)
async def files_page(visit: TeacherVisit, course: str = "", file: str = "", done: str = "") -> None:
    say = words("files", visit.lang)
    folders = {one.course_id: one for one in await asyncio.to_thread(course_folders, visit.service, visit.caller)}
    course_id = course if course in folders else next(iter(folders), "")
    can_edit = visit.service.settings.course_editing == "on"
    named = visit.caller.courses
    may_make = named is None or not named <= folders.keys()
    with frame(visit, say("title"), active="files"):
        add_styles()
        heading(say("title"), 1)
        if not can_edit:
            text(say("off"), "note")
        if folders:
            _markup(course_choice(_titles(visit, list(folders)), course_id, say))
            page = await asyncio.to_thread(_read, visit, folders[course_id])
            await _course(visit, say, page, file, done, can_edit=can_edit)
        else:
            text(say("no_courses"), "empty")
        if can_edit and may_make and not file:
            _markup(new_course_form(say, is_open=not folders))


def _read(visit: Visit, folder: CourseFolder) -> CoursePage:
    mend(folder)
    reading = read_course_files(visit.service.data_dir, folder)
    edits = [one for one in read_edits(folder.path) if one.state == "done"]
    return CoursePage(folder, reading, edits, digest_files(list_files(folder)))


async def _course(visit: Visit, say: PageTexts, page: CoursePage, name: str, done: str, *, can_edit: bool) -> None:
    course_id = page.folder.course_id
    edit = next((one for one in page.edits if str(one.number) == done), None)
    if edit is not None:
        _markup(edits_html([edit], course_id, say, can_edit=False, is_news=True))
    chosen = next((one for one in page.reading.files if one.file.name == name), None)
    if chosen is not None:
        _markup(file_html(chosen, course_id, say))
        if can_edit:
            content = await asyncio.to_thread(_text_of, page.folder, chosen)
            _markup(file_forms(chosen, course_id, content, say))
        return
    await _build_panel(visit, say, course_id, can_edit=can_edit)
    _markup(problems_html(page.reading, say))
    _markup(files_html(page.reading, course_id, say, can_edit=can_edit))
    if can_edit:
        _markup(upload_forms(course_id, page.seen, visit.service.settings.max_upload_bytes, say))
    _markup(edits_html(list(reversed(page.edits)), course_id, say, can_edit=can_edit))


async def _build_panel(visit: Visit, say: PageTexts, course_id: str, *, can_edit: bool) -> None:
    """How the last build goes; looked at again while one runs."""
    view = await _build_view(visit, course_id)
    panel = ui.html(build_html(view, course_id, say, can_edit=can_edit), sanitize=False)

    async def look() -> None:
        nonlocal view
        new = await _build_view(visit, course_id)
        if new != view:
            view = new
            panel.set_content(build_html(view, course_id, say, can_edit=can_edit))
        if not view.is_running and not view.is_other_running:
            timer.cancel()

    timer = ui.timer(_LOOK_S, look, active=view.is_running or view.is_other_running)


async def _build_view(visit: Visit, course_id: str) -> BuildView:
    room = build_room_of(visit.request)
    found = [one for one in await visible_builds(room, visit.caller) if one.build.course_id in (course_id, None)]
    running = await is_building(room)
    if not found:
        return BuildView(None, None, (), is_other_running=running)
    status = found[0]
    lines = await asyncio.to_thread(room.lines, status.build.build_id)
    shown = lines_for(lines, visit.caller.courses)
    is_other = running and status.state != "running"
    return BuildView(status, progress_of(shown), tuple(shown[-_LINES:]), is_other_running=is_other)


def _text_of(folder: CourseFolder, reading: FileReading) -> str | None:
    """The text of a file that can be edited in the page; `None` for others."""
    if reading.file.size > LONGEST_TEXT or not reading.file.name.lower().endswith(_TEXTS):
        return None
    try:
        return path_of(folder, reading.file.name).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError, CoteachError):
        return None


def _titles(visit: Visit, course_ids: list[str]) -> Mapping[str, str]:
    """Titles of the courses that are built; the ids of others."""
    known = visit.service.course_titles
    return {one: known.get(one, one) for one in course_ids}


def _markup(html: str) -> None:
    if html:
        ui.html(html, sanitize=False)
