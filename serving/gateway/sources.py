"""The places that references open: a lecture at a second, an article of a document, a FAQ entry, a catalogue page.

Plain pages made of escaped text; JSON for clients that ask for it.
"""

from html import escape
from typing import Any

import pyarrow.parquet as pq
from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from knowledge_graph.home import CourseTable
from knowledge_graph.time_code import time_code
from serving.gateway.errors import GatewayError
from serving.gateway.service import Service, Shared

router = APIRouter()

WINDOW_MS = 60_000
"""Cues this far before and after the second asked for are shown."""

STYLE = "body{font:16px/1.5 system-ui;max-width:42rem;margin:2rem auto;padding:0 1rem}mark{background:#ffe58a}"

Row = dict[str, Any]


@router.get("/courses/{course_id}/videos/{video_id:path}")
async def show_video(course_id: str, video_id: str, request: Request, service: Shared, t: int = 0) -> Response:
    """The transcript around second `t`, the cue spoken then marked."""
    cues = await _rows(service, "cues", course_id, ("video_id", video_id))
    at = max(t, 0) * 1000
    near = [cue for cue in cues if cue["start_ms"] <= at + WINDOW_MS and cue["end_ms"] >= at - WINDOW_MS] or cues[:20]
    current = max((cue["cue_index"] for cue in near if cue["start_ms"] <= at), default=near[0]["cue_index"])
    lines = [(f"{time_code(cue['start_ms'])} {cue['text']}", cue["cue_index"] == current) for cue in near]
    return _page(request, cues[0]["video_title"] or video_id, lines, near)


@router.get("/courses/{course_id}/documents/{document:path}")
async def show_document(
    course_id: str,
    document: str,
    request: Request,
    service: Shared,
    article: str | None = None,
    page: int | None = None,
) -> Response:
    """The sections of a document on a page or of an article; all of them when neither is named."""
    rows = await _rows(service, "documents", course_id, ("document", document))
    wanted = [row for row in rows if article in (None, row["article"]) and page in (None, row["page"])] or rows
    lines = [(" ".join(str(part) for part in (row["heading"], row["text"]) if part), False) for row in wanted]
    return _page(request, rows[0]["title"] or document, lines, wanted)


@router.get("/courses/{course_id}/faq/{origin_id:path}")
async def show_faq(course_id: str, origin_id: str, request: Request, service: Shared) -> Response:
    """One entry of the FAQ."""
    rows = await _rows(service, "faq", course_id, ("origin_id", origin_id))
    return _page(request, rows[0]["question"], [(rows[0]["answer"], False)], rows)


@router.get("/courses/{course_id}/catalog/{page:path}")
async def show_catalog(course_id: str, page: str, request: Request, service: Shared) -> Response:
    """What was read from one page of a catalogue: a class, classes, or the topics of a program."""
    rows = await _rows(service, "catalog_pages", course_id, ("page", page))
    named = [" ".join(part for part in (row["code"], row["title"], row["topic"]) if part) for row in rows]
    lines = [(f"{name}: {row['text']}", False) for name, row in zip(named, rows, strict=True)]
    return _page(request, named[0], lines, rows)


@router.get("/courses/{course_id}/map")
async def show_map(course_id: str, service: Shared) -> Response:
    """The course's concepts with their prerequisites above them, as one page."""
    knowledge = await service.knowledge()
    path = service.data_dir.concept_map(knowledge.choose_course(course_id) or course_id)
    if not path.is_file():
        raise GatewayError(f"The course '{course_id}' has no concept map.", status=404, code="not_found")
    return HTMLResponse(path.read_text(encoding="utf-8"))


async def _rows(service: Service, table: CourseTable, course_id: str, where: tuple[str, str]) -> list[Row]:
    """Rows of one course table; 404 when there is no such course or nothing in it by that name."""
    knowledge = await service.knowledge()
    path = service.data_dir.table(table, knowledge.choose_course(course_id) or course_id)
    column, value = where
    rows: list[Row] = pq.read_table(path, filters=[(column, "=", value)]).to_pylist() if path.is_file() else []
    if not rows:
        raise GatewayError(f"The course '{course_id}' has no {table} entry '{value}'.", status=404, code="not_found")
    return rows


def _page(request: Request, title: str, lines: list[tuple[str, bool]], rows: list[Row]) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"title": title, "rows": rows})
    body = "".join(f"<p>{f'<mark>{escape(text)}</mark>' if marked else escape(text)}</p>" for text, marked in lines)
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>{escape(title)}</title>"
    return HTMLResponse(f"<!doctype html>{head}<style>{STYLE}</style><h1>{escape(title)}</h1>{body}")
