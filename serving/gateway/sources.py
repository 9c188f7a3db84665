"""The places that references open: a lecture at a second, an article of a document, a FAQ entry, a catalogue page.

Pages for people, JSON for clients that ask for it. What is on a page is `serving.gateway.source_pages`.
"""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

import pyarrow.parquet as pq
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from knowledge_graph.home import CourseTable
from knowledge_graph.records import CARD_DOCUMENT, Lang
from knowledge_graph.sources.video_addresses import VideoAddress, address_at
from serving.access import Caller
from serving.gateway.access import Asking
from serving.gateway.errors import GatewayError
from serving.gateway.service import Service, Shared
from serving.gateway.source_pages.rendering import Reader, headers, render
from serving.gateway.source_pages.sections import card_rows, catalog_page, faq_entry, wanted_rows
from serving.gateway.source_pages.sections import document as document_page
from serving.gateway.source_pages.transcript import transcript
from serving.lineage.material import REVIEWED
from serving.pages.preferences import chosen_lang, chosen_theme
from serving.store.tables import ReviewedAnswer

router = APIRouter(tags=["sources"])

WINDOW_MS = 60_000
"""Cues this far before and after the second asked for are sent as JSON; a page has them all."""

LONGEST_S = 360_000
"""Seconds, a hundred hours: later ones are the end of the video."""

Row = dict[str, Any]

Second = Annotated[int | None, Query(description="Second of the video that is meant.")]


@router.get("/courses/{course_id}/videos/{video_id:path}")
async def show_video(
    course_id: str, video_id: str, request: Request, service: Shared, caller: Asking, t: Second = None
) -> Response:
    """The transcript of a lecture, the cue spoken at second `t` marked; the video too when the course says where."""
    cues = await _rows(service, caller, "cues", course_id, ("video_id", video_id))
    seconds = None if t is None else min(max(t, 0), LONGEST_S)
    if _wants_json(request):
        return JSONResponse({"title": cues[0]["video_title"] or video_id, "rows": _near(cues, seconds or 0)})
    card = await asyncio.to_thread(_card, service, course_id)
    lectures = await asyncio.to_thread(_lectures, service, course_id)
    video = address_at(video_id, seconds or 0, videos=dict(card.get("videos") or {}), video_url=card.get("video_url"))
    page = transcript(cues, lectures, seconds=seconds, video=video)
    return _page("transcript", _reader(request, card, course_id), video, page=page)


@router.get("/courses/{course_id}/documents/{document:path}")
async def show_document(
    course_id: str,
    document: str,
    request: Request,
    service: Shared,
    caller: Asking,
    article: str | None = None,
    page: int | None = None,
) -> Response:
    """A document, the sections of an article or page marked. As JSON those sections alone."""
    if document == CARD_DOCUMENT:
        await _require_course(service, caller, course_id)
        rows = card_rows(await asyncio.to_thread(_card, service, course_id))
    else:
        rows = await _rows(service, caller, "documents", course_id, ("document", document))
    if _wants_json(request):
        wanted = wanted_rows(rows, article=article, page=page)
        return JSONResponse({"title": rows[0]["title"] or document, "rows": wanted})
    card = await asyncio.to_thread(_card, service, course_id)
    paper = document_page(rows, article=article, page=page)
    return _page("paper", _reader(request, card, course_id), page=paper, kind="document")


@router.get("/courses/{course_id}/faq/{origin_id:path}")
async def show_faq(course_id: str, origin_id: str, request: Request, service: Shared, caller: Asking) -> Response:
    """One entry of the FAQ, or an answer that a TA approved."""
    rows = await _reviewed(service, caller, course_id, origin_id) if origin_id.startswith(REVIEWED) else []
    rows = rows or await _rows(service, caller, "faq", course_id, ("origin_id", origin_id))
    if _wants_json(request):
        return JSONResponse({"title": rows[0]["question"], "rows": rows})
    card = await asyncio.to_thread(_card, service, course_id)
    return _page("faq", _reader(request, card, course_id), page=faq_entry(rows[0]))


@router.get("/courses/{course_id}/catalog/{page:path}")
async def show_catalog(course_id: str, page: str, request: Request, service: Shared, caller: Asking) -> Response:
    """What was read from one page of a catalogue: a class, classes, or the topics of a program."""
    rows = await _rows(service, caller, "catalog_pages", course_id, ("page", page))
    paper = catalog_page(rows)
    if _wants_json(request):
        return JSONResponse({"title": paper.title, "rows": rows})
    card = await asyncio.to_thread(_card, service, course_id)
    return _page("paper", _reader(request, card, course_id), page=paper, kind="catalog")


@router.get("/courses/{course_id}/map")
async def show_map(course_id: str, service: Shared, caller: Asking) -> Response:
    """The course's concepts with their prerequisites above them, as one page."""
    await _require_course(service, caller, course_id)
    path = service.data_dir.concept_map(course_id)
    if not path.is_file():
        raise GatewayError(f"The course '{course_id}' has no concept map.", status=404, code="not_found")
    return HTMLResponse(path.read_text(encoding="utf-8"))


async def _require_course(service: Service, caller: Caller, course_id: str) -> None:
    """404 for a course that is not there, or not open to the caller: neither is told from the other."""
    knowledge = await service.knowledge()
    if course_id not in {course.course_id for course in knowledge.courses} or not caller.may_see(course_id):
        raise GatewayError(f"There is no course '{course_id[:200]}' here.", status=404, code="not_found")


async def _rows(
    service: Service, caller: Caller, table: CourseTable, course_id: str, where: tuple[str, str]
) -> list[Row]:
    """Rows of one course table; 404 when there is no such course for the caller, or nothing in it by that name."""
    await _require_course(service, caller, course_id)
    rows = await asyncio.to_thread(_read, service, table, course_id, where)
    if not rows:
        message = f"The course '{course_id}' has no {table} entry '{where[1][:200]}'."
        raise GatewayError(message, status=404, code="not_found")
    return rows


def _read(service: Service, table: CourseTable, course_id: str, where: tuple[str, str]) -> list[Row]:
    path = service.data_dir.table(table, course_id)
    rows: list[Row] = pq.read_table(path, filters=[(where[0], "=", where[1])]).to_pylist() if path.is_file() else []
    return rows


async def _reviewed(service: Service, caller: Caller, course_id: str, origin_id: str) -> list[Row]:
    """An approved answer as a row of the FAQ; none when it is not there, withdrawn, or of another course."""
    await _require_course(service, caller, course_id)
    answer_id = origin_id.removeprefix(REVIEWED)
    found = await service.store.reading(lambda db: db.get(ReviewedAnswer, answer_id))
    if found is None or found.course_id != course_id or found.state != "approved":
        return []
    said = {"question": found.question, "answer": found.answer, "reviewer": found.reviewer, "lang": found.lang}
    place = {"course_id": course_id, "origin_id": origin_id, "section": None, "author": None}
    return [place | said | {"updated_at": found.updated_at.date().isoformat()}]


def _card(service: Service, course_id: str) -> Row:
    """The course's card as it was built; by an older program it has no addresses of videos."""
    path = service.data_dir.table("course_cards", course_id)
    rows: list[Row] = pq.read_table(path).to_pylist(maps_as_pydicts="strict") if path.is_file() else []
    return rows[0] if rows else {}


def _lectures(service: Service, course_id: str) -> list[tuple[str, str]]:
    """Id and title of every lecture, in teaching order."""
    columns = ["video_index", "video_id", "video_title"]
    table = pq.read_table(service.data_dir.table("cues", course_id), columns=columns)
    found = table.group_by(columns).aggregate([]).sort_by("video_index")
    return [(row["video_id"], row["video_title"]) for row in found.to_pylist()]


def _near(cues: list[Row], seconds: int) -> list[Row]:
    at = seconds * 1000
    return [one for one in cues if one["start_ms"] <= at + WINDOW_MS and one["end_ms"] >= at - WINDOW_MS] or cues[:20]


def _reader(request: Request, card: Mapping[str, Any], course_id: str) -> Reader:
    """The language chosen before or asked for by the browser, else the course's own."""
    own: Lang = "zh" if card.get("lang") == "zh" else "en"
    lang = chosen_lang(request.cookies, request.headers.get("accept-language") or own)
    return Reader(lang, chosen_theme(request.cookies), card.get("title") or course_id)


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def _page(template: str, reader: Reader, video: VideoAddress | None = None, **shown: object) -> Response:
    return HTMLResponse(render(template, reader, **shown), headers=headers(video))
