"""Handles the forms of the page `/files`. Each does what a route of the API does, and redirects back to the page.

A refusal is a page of its own, with the API's reason and a link back.
"""

import asyncio
from collections.abc import Awaitable, Callable
from html import escape
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.course_files.editing import digest_files, list_files
from knowledge_graph.sources.course_files.history import version_of
from knowledge_graph.sources.course_files.names import check_name, destination_of
from serving.gateway.access import Teacher
from serving.gateway.authoring.building import build_room_of, cancel_build, start_build
from serving.gateway.authoring.courses import (
    add_package,
    change_files,
    edit_refusals,
    folder_of,
    make_course,
    require_editing,
    require_may_change,
    take_back,
    upload_place,
)
from serving.gateway.authoring.uploads import files_of, save_upload, text_of, upload_form
from serving.gateway.errors import GatewayError
from serving.gateway.lti.routes import form_of
from serving.gateway.service import Shared
from serving.pages.plain_page import lang_of, plain_page
from serving.pages.words import words

router = APIRouter(tags=["authoring"])

CourseId = Annotated[str, Path(max_length=200)]
FORMS: dict[int | str, dict[str, object]] = {
    303: {"description": "Back to the page."},
    "4XX": {"description": "Refused, with the reason.", "content": {"text/html": {}, "application/json": {}}},
}
_LANGS = {"en": "en", "zh": "zh"}


def _files_form(*names: str) -> dict[str, object]:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    return {"requestBody": {"content": {"multipart/form-data": {"schema": schema}}}}


@router.post("/files/new", response_class=HTMLResponse, responses=FORMS, openapi_extra=form_of("course", "title"))
async def new_course(request: Request, caller: Teacher, service: Shared) -> Response:
    """Make a course."""

    async def work() -> str:
        form = await request.form()
        course_id, title = text_of(form, "course").strip(), text_of(form, "title").strip()
        lang = _LANGS.get(text_of(form, "lang"))
        folder = await make_course(service, caller, course_id, title[:200] or course_id, lang)  # type: ignore[arg-type]
        return back_to(folder.course_id)

    return await _answer_form(request, None, work)


@router.post(
    "/files/{course_id}/put",
    response_class=HTMLResponse,
    responses=FORMS,
    openapi_extra=_files_form("files", "where", "name", "replaces", "seen", "replace"),
)
async def put(course_id: CourseId, request: Request, caller: Teacher, service: Shared) -> Response:
    """Add the chosen files, or replace the file that was open (`name`, `replaces`)."""

    async def work() -> str:
        require_editing(service)
        folder = await asyncio.to_thread(folder_of, service, caller, course_id)
        async with upload_place(folder) as place, upload_form(request, place) as form:
            uploads = files_of(form, "files")
            if not uploads:
                raise GatewayError("No file was chosen.")
            name, where = text_of(form, "name"), text_of(form, "where")
            if name and len(uploads) != 1:
                raise GatewayError("Choose exactly one file to replace this one.")
            changes = {}
            for number, upload in enumerate(uploads):
                into = None if where == "auto" or not where else where.strip("/")
                wanted = name or destination_of(upload.filename or "", "" if where == "top" else into)
                with edit_refusals():
                    taken = check_name(wanted)
                require_may_change(caller, taken)
                if taken in changes:
                    raise GatewayError(f"Two of the chosen files would be saved as '{taken}'.")
                changes[taken] = place / str(number)
                await save_upload(upload, changes[taken])
            there = {one: await asyncio.to_thread(version_of, folder.path / one) for one in changes}
            expected = dict.fromkeys(changes, text_of(form, "replaces") or None) if name else dict.fromkeys(changes)
            if text_of(form, "replace") and not name:
                files = await asyncio.to_thread(list_files, folder)
                if digest_files(files) != text_of(form, "seen"):
                    raise GatewayError(words("files", lang_of(request))("changed_meanwhile"), status=409)
                expected = there
            edit = await change_files(service, caller, folder, "put", changes, expected)
        return back_to(course_id, done=edit.number, file=name)

    return await _answer_form(request, course_id, work)


@router.post(
    "/files/{course_id}/package",
    response_class=HTMLResponse,
    responses=FORMS,
    openapi_extra=_files_form("package", "seen"),
)
async def package(course_id: CourseId, request: Request, caller: Teacher, service: Shared) -> Response:
    """Add the files of a course archive."""

    async def work() -> str:
        require_editing(service)
        folder = await asyncio.to_thread(folder_of, service, caller, course_id)
        async with upload_place(folder) as place, upload_form(request, place) as form:
            uploads = files_of(form, "package")
            if len(uploads) != 1:
                raise GatewayError("Choose one archive.")
            archive = place / "package"
            await save_upload(uploads[0], archive)
            edit = await add_package(service, caller, folder, archive, place, text_of(form, "seen"))
        return back_to(course_id, done=edit.number)

    return await _answer_form(request, course_id, work)


@router.post(
    "/files/{course_id}/text",
    response_class=HTMLResponse,
    responses=FORMS,
    openapi_extra=form_of("name", "replaces", "text"),
)
async def text(course_id: CourseId, request: Request, caller: Teacher, service: Shared) -> Response:
    """Replace the text that was shown. Lines end as they do on Linux."""

    async def work() -> str:
        require_editing(service)
        folder = await asyncio.to_thread(folder_of, service, caller, course_id)
        form = await request.form()
        with edit_refusals():
            name = check_name(text_of(form, "name"))
        require_may_change(caller, name)
        content = text_of(form, "text").replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace")
        async with upload_place(folder) as place:
            await asyncio.to_thread((place / "text").write_bytes, content)
            expected = {name: text_of(form, "replaces") or None}
            edit = await change_files(service, caller, folder, "put", {name: place / "text"}, expected)
        return back_to(course_id, done=edit.number, file=name)

    return await _answer_form(request, course_id, work)


@router.post(
    "/files/{course_id}/remove",
    response_class=HTMLResponse,
    responses=FORMS,
    openapi_extra=form_of("name", "replaces"),
)
async def remove(course_id: CourseId, request: Request, caller: Teacher, service: Shared) -> Response:
    """Remove a file if it is still as it was shown."""

    async def work() -> str:
        folder = await asyncio.to_thread(folder_of, service, caller, course_id)
        form = await request.form()
        name = text_of(form, "name")
        known = {one.name for one in await asyncio.to_thread(list_files, folder)}
        if name not in known:
            raise GatewayError(f"There is no file '{name[:200]}' in {course_id}.", status=404)
        expected = {name: text_of(form, "replaces")}
        edit = await change_files(service, caller, folder, "remove", {name: None}, expected)
        return back_to(course_id, done=edit.number)

    return await _answer_form(request, course_id, work)


@router.post("/files/{course_id}/undo", response_class=HTMLResponse, responses=FORMS, openapi_extra=form_of("number"))
async def undo(course_id: CourseId, request: Request, caller: Teacher, service: Shared) -> Response:
    """Undo a change."""

    async def work() -> str:
        folder = await asyncio.to_thread(folder_of, service, caller, course_id)
        number = text_of(await request.form(), "number")
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise GatewayError("Say which change to undo.")
        edit = await take_back(service, caller, folder, int(number))
        return back_to(course_id, done=edit.number)

    return await _answer_form(request, course_id, work)


@router.post("/files/{course_id}/build", response_class=HTMLResponse, responses=FORMS)
async def build(course_id: CourseId, request: Request, caller: Teacher, service: Shared) -> Response:
    """Start a build of the course."""

    async def work() -> str:
        await start_build(service, build_room_of(request), caller, course_id)
        return f"{back_to(course_id)}#build"

    return await _answer_form(request, course_id, work)


@router.post("/files/{course_id}/cancel", response_class=HTMLResponse, responses=FORMS, openapi_extra=form_of("build"))
async def cancel(course_id: CourseId, request: Request, caller: Teacher, service: Shared) -> Response:
    """Stop a build."""

    async def work() -> str:
        build_id = text_of(await request.form(), "build")
        await cancel_build(service, build_room_of(request), caller, build_id)
        return f"{back_to(course_id)}#build"

    return await _answer_form(request, course_id, work)


def back_to(course_id: str, *, done: int | None = None, file: str = "") -> str:
    """Address of a course's page, which then reports the last change."""
    query = {"course": course_id} | ({"file": file} if file else {}) | ({"done": str(done)} if done else {})
    return f"/files?{urlencode(query)}"


async def _answer_form(request: Request, course_id: str | None, work: Callable[[], Awaitable[str]]) -> Response:
    try:
        return RedirectResponse(await work(), status_code=303)
    except GatewayError as error:
        refused = error
    except CoteachError as error:
        refused = GatewayError(str(error))
    say = words("files", lang_of(request))
    way = back_to(course_id) if course_id else "/files"
    body = (
        f'<section class="card lti"><h1>{escape(say("refused"))}</h1>'
        f'<p class="error" role="alert">{escape(refused.message)}</p>'
        f'<p><a href="{escape(way)}">{escape(say("back"))}</a></p></section>'
    )
    page = plain_page(request, say("refused"), body, status=refused.status)
    page.headers.update(refused.headers)
    return page
