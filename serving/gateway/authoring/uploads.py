"""A request's file, or those of a form, to the disk of the course, piece by piece, never whole in memory."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import Request
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from knowledge_graph.sources.course_files.editing import require_space
from serving.gateway.errors import GatewayError

MOST_FILES = 200
"""Most files of one form. More come packed."""
_PIECE = 2**20


async def save_body(request: Request, place: Path) -> None:
    """The body of a request as a file. Raises `GatewayError` 413, 408, 415, 400 when the client goes away, and
    `EditRefused` when the disk is full."""
    if request.headers.get("content-encoding", "identity") != "identity":
        raise GatewayError("Send the file itself, without Content-Encoding.", status=415)
    require_space(place.parent, _read_announced_bytes(request))
    try:
        await _save(request.stream(), place)
    except ClientDisconnect as error:
        raise GatewayError("The upload ended before its end; nothing was kept.") from error


@asynccontextmanager
async def upload_form(request: Request, place: Path) -> AsyncIterator[FormData]:
    """The fields of a form with files, which wait in temporary files until the block is left."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise GatewayError("Expected a form with files (multipart/form-data).", status=415)
    require_space(place, _read_announced_bytes(request))
    try:
        form = await request.form(max_files=MOST_FILES, max_fields=20)
    except HTTPException as error:
        raise GatewayError(f"The form cannot be read: {error.detail}") from error
    except ClientDisconnect as error:
        raise GatewayError("The upload ended before its end; nothing was kept.") from error
    try:
        yield form
    finally:
        await form.close()


def files_of(form: FormData, field: str) -> Sequence[UploadFile]:
    """The files that were chosen; a field that was left empty has one without a name."""
    return [one for one in form.getlist(field) if isinstance(one, UploadFile) and one.filename]


def text_of(form: FormData, field: str) -> str:
    value = form.get(field)
    return value if isinstance(value, str) else ""


async def save_upload(upload: UploadFile, place: Path) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        while piece := await upload.read(_PIECE):
            yield piece

    await _save(pieces(), place)


async def _save(pieces: AsyncIterator[bytes], place: Path) -> None:
    waiting, size = list[bytes](), 0
    with place.open("xb") as file:
        async for piece in pieces:
            waiting.append(piece)
            size += len(piece)
            if size >= _PIECE:
                await asyncio.to_thread(file.writelines, waiting)
                waiting, size = [], 0
        await asyncio.to_thread(file.writelines, waiting)
        file.flush()
        await asyncio.to_thread(os.fsync, file.fileno())


def _read_announced_bytes(request: Request) -> int:
    length = request.headers.get("content-length", "")
    return int(length[:20]) if length.isascii() and length.isdigit() else 0
