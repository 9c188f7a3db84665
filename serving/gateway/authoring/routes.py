"""`/v1/courses/…/files`, `/package`, `/edits` and `/v1/builds`: what the console does, by the API.

For teachers and admins of the course, with the scope `desk`.
"""

import asyncio
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import FileResponse

from knowledge_graph.sources.course_files.editing import FileUnknown, digest_files, list_files, mend, path_of
from knowledge_graph.sources.course_files.history import read_edits, version_of
from knowledge_graph.sources.course_files.names import check_name
from knowledge_graph.sources.course_files.reading import read_course_files
from knowledge_graph.sources.folders import CourseFolder
from serving.gateway.access import Teacher
from serving.gateway.authoring.building import build_room_of, cancel_build, find_build, start_build, visible_builds
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
from serving.gateway.authoring.replies import (
    BuildReply,
    BuildRequest,
    CourseFilesReply,
    CourseRequest,
    EditReply,
    build_reply,
    course_files_reply,
    edit_reply,
)
from serving.gateway.authoring.uploads import save_body
from serving.gateway.errors import RESPONSES
from serving.gateway.service import Service, Shared
from serving.store.caller import Caller

router = APIRouter(tags=["authoring"], responses=RESPONSES)

CourseId = Annotated[str, Path(max_length=200)]
FileName = Annotated[str, Path(max_length=700, description="Its path inside the course folder.")]
Version = Annotated[str | None, Query(max_length=100, description="The version that you have seen.")]
_FILE_BODY = {"requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}}


@router.post("/v1/courses", status_code=201)
async def create(body: CourseRequest, caller: Teacher, service: Shared) -> CourseFilesReply:
    """Make a course: its folder and `course.yaml`. 404 with a key of other courses, 409 when there is one."""
    folder = await make_course(service, caller, body.course_id, body.title, body.lang)
    return await _files(service, folder)


@router.get("/v1/courses/{course_id}/files")
async def show_files(course_id: CourseId, caller: Teacher, service: Shared) -> CourseFilesReply:
    """The files of a course, with what the last build read of each and what to mend."""
    return await _files(service, await _folder(service, caller, course_id))


@router.get("/v1/courses/{course_id}/files/{name:path}", response_class=FileResponse)
async def show_file(course_id: CourseId, name: FileName, caller: Teacher, service: Shared) -> Response:
    """The unchanged bytes of a file, to be saved, with its version as `ETag`."""
    folder = await _folder(service, caller, course_id)
    with edit_refusals():
        path = await asyncio.to_thread(path_of, folder, name)
        version = version_of(path)
        if version is None:
            raise FileUnknown(f"There is no file '{name}' in {folder.course_id}.")
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(path.name, safe='')}",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "ETag": f'"{version}"',
    }
    return FileResponse(path, media_type="application/octet-stream", headers=headers)


@router.put("/v1/courses/{course_id}/files/{name:path}", openapi_extra=_FILE_BODY)
async def put_file(
    course_id: CourseId, name: FileName, request: Request, caller: Teacher, service: Shared, replaces: Version = None
) -> EditReply:
    """Add a file; with `replaces`, the version that you have seen, put it in its place. The body is the file itself.

    409 when somebody changed it meanwhile, or put one there; 413 for one that is too long.
    """
    require_editing(service)
    folder = await _folder(service, caller, course_id)
    with edit_refusals():
        taken = check_name(name)
    require_may_change(caller, taken)
    async with upload_place(folder) as work:
        await save_body(request, work / "file")
        edit = await change_files(service, caller, folder, "put", {taken: work / "file"}, {taken: replaces})
    return edit_reply(edit)


@router.delete("/v1/courses/{course_id}/files/{name:path}")
async def remove_file(
    course_id: CourseId,
    name: FileName,
    caller: Teacher,
    service: Shared,
    replaces: Annotated[str, Query(max_length=100, description="The version that you have seen.")],
) -> EditReply:
    """Remove a file. It can be brought back by undoing this."""
    require_editing(service)
    folder = await _folder(service, caller, course_id)
    with edit_refusals():
        path = await asyncio.to_thread(path_of, folder, name)
    inside = path.relative_to(folder.path).as_posix()
    return edit_reply(await change_files(service, caller, folder, "remove", {inside: None}, {inside: replaces}))


@router.post("/v1/courses/{course_id}/package", openapi_extra=_FILE_BODY)
async def put_package(
    course_id: CourseId, request: Request, caller: Teacher, service: Shared, seen: Version = None
) -> EditReply:
    """Add the files of a zip of a course folder, or of an export (.imscc, .mbz, Open edX), and replace those of the
    same name. The body is the archive. With `seen`, of a list of files, 409 when any file changed since."""
    require_editing(service)
    folder = await _folder(service, caller, course_id)
    async with upload_place(folder) as work:
        archive = work / "package"
        await save_body(request, archive)
        return edit_reply(await add_package(service, caller, folder, archive, work, seen))


@router.get("/v1/courses/{course_id}/edits")
async def list_edits(course_id: CourseId, caller: Teacher, service: Shared) -> list[EditReply]:
    """The last fifty changes that were made here, newest first."""
    folder = await _folder(service, caller, course_id)
    found = await asyncio.to_thread(read_edits, folder.path)
    return [edit_reply(one) for one in reversed(found) if one.state == "done"]


@router.post("/v1/courses/{course_id}/edits/{number}/undo")
async def undo(
    course_id: CourseId, number: Annotated[int, Path(ge=1, le=10**9)], caller: Teacher, service: Shared
) -> EditReply:
    """Put back what a change replaced or removed. 409 when one of its files was changed again since."""
    folder = await _folder(service, caller, course_id)
    return edit_reply(await take_back(service, caller, folder, number))


@router.post("/v1/builds", status_code=202)
async def start(body: BuildRequest, request: Request, caller: Teacher, service: Shared) -> BuildReply:
    """Start to build a course. 409 while a build runs."""
    room = build_room_of(request)
    return build_reply(room, await start_build(service, room, caller, body.course), caller)


@router.get("/v1/builds")
async def list_builds(request: Request, caller: Teacher) -> list[BuildReply]:
    """The builds of your courses that were started here, newest first."""
    room = build_room_of(request)
    found = await visible_builds(room, caller)
    return await asyncio.to_thread(lambda: [build_reply(room, one, caller) for one in found])


@router.get("/v1/builds/{build_id}")
async def show_build(build_id: Annotated[str, Path(max_length=60)], request: Request, caller: Teacher) -> BuildReply:
    """How a build goes."""
    room = build_room_of(request)
    return build_reply(room, await find_build(room, caller, build_id), caller)


@router.post("/v1/builds/{build_id}/cancel")
async def cancel(
    build_id: Annotated[str, Path(max_length=60)], request: Request, caller: Teacher, service: Shared
) -> BuildReply:
    """Stop a build. It finishes the step it is at; what is built is kept."""
    room = build_room_of(request)
    return build_reply(room, await cancel_build(service, room, caller, build_id), caller)


async def _folder(service: Service, caller: Caller, course_id: str) -> CourseFolder:
    return await asyncio.to_thread(folder_of, service, caller, course_id)


async def _files(service: Service, folder: CourseFolder) -> CourseFilesReply:
    def read() -> CourseFilesReply:
        mend(folder)
        reading = read_course_files(service.data_dir, folder)
        can_edit = service.settings.course_editing == "on"
        return course_files_reply(folder, reading, digest_files(list_files(folder)), can_edit=can_edit)

    return await asyncio.to_thread(read)
