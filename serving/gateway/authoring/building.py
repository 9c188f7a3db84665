"""Who may start, see and stop which build, and the line of it in the record of acts."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from fastapi import Request

from serving.gateway.access import require, settings_of
from serving.gateway.authoring.builds import BuildRoom, BuildRunning, BuildStatus, BuildUnknown
from serving.gateway.authoring.courses import folder_of, name_of, require_editing
from serving.gateway.errors import GatewayError
from serving.gateway.service import Service
from serving.store.audit import record
from serving.store.caller import Caller


def build_room_of(request: Request) -> BuildRoom:
    """The builds of this gateway's home."""
    room: BuildRoom | None = getattr(request.app.state, "builds", None)
    if room is None:
        settings = settings_of(request)
        room = BuildRoom(settings.data_dir, settings.courses_folder, is_single=settings.single_course)
        request.app.state.builds = room
    return room


@contextmanager
def build_refusals() -> Iterator[None]:
    """404 for a build that is not there, 409 while there is another."""
    try:
        yield
    except BuildUnknown as error:
        raise GatewayError(str(error), status=404) from error
    except BuildRunning as error:
        raise GatewayError(str(error), status=409, code="conflict") from error


async def start_build(service: Service, room: BuildRoom, caller: Caller, course_id: str | None) -> BuildStatus:
    """Build one course of the caller's, or, for admins of all, everything. Noted before it is believed: a build that
    cannot be noted is stopped."""
    require_editing(service)
    if course_id is None:
        require(caller, "admin")
        if caller.courses is not None:
            raise GatewayError("Name the course: your key is for certain courses.", param="course")
    else:
        await asyncio.to_thread(folder_of, service, caller, course_id)
    with build_refusals():
        started = await asyncio.to_thread(room.start, course_id, by=name_of(caller))
    subject = course_id or "all courses"
    try:
        await service.store.writing(
            lambda db: record(db, "build.start", subject, by=f"key {caller.key_id}", build=started.build_id)
        )
    except BaseException:
        with suppress(BuildUnknown):
            await asyncio.shield(asyncio.to_thread(room.cancel, started.build_id))
        raise
    return await asyncio.to_thread(room.status, started.build_id)


async def cancel_build(service: Service, room: BuildRoom, caller: Caller, build_id: str) -> BuildStatus:
    """Stop a build that the caller may see."""
    require_editing(service)
    status = await find_build(room, caller, build_id)
    with build_refusals():
        await asyncio.to_thread(room.cancel, build_id)
    subject = status.build.course_id or "all courses"
    await service.store.writing(
        lambda db: record(db, "build.cancel", subject, by=f"key {caller.key_id}", build=build_id)
    )
    return await asyncio.to_thread(room.status, build_id)


async def find_build(room: BuildRoom, caller: Caller, build_id: str) -> BuildStatus:
    """One of the caller's courses, or of all for who sees all. Raises `GatewayError` 404."""
    with build_refusals():
        status = await asyncio.to_thread(room.status, build_id)
        if not caller.may_see(status.build.course_id):
            raise BuildUnknown("There is no such build; the last twenty are kept.")
    return status


async def visible_builds(room: BuildRoom, caller: Caller) -> list[BuildStatus]:
    """Newest first."""
    found = await asyncio.to_thread(room.list_builds)
    return [one for one in found if caller.may_see(one.build.course_id)]


async def is_building(room: BuildRoom) -> bool:
    """Whether any build runs, also one that the caller may not see."""
    found = await asyncio.to_thread(room.list_builds)
    return any(one.state == "running" for one in found)
