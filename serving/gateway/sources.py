"""The places that references open: a lecture at a second, an article of a document, a FAQ entry, a catalogue page.

Pages for people, JSON for clients that ask for it. What is on a page is `serving.gateway.source_pages`.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pyarrow as pa
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from knowledge_graph.graph.concept_map.page import in_colours
from knowledge_graph.lake.records import CARD_DOCUMENT, Lang
from knowledge_graph.lake.source_kinds import SCHEDULE_NAMES, CourseTable
from knowledge_graph.lake.tables import read_table
from knowledge_graph.sources.video_addresses import VideoAddress, address_at
from knowledge_graph.text.time_code import paragraph_of
from knowledge_graph.transcripts.lecture_names import read_lecture_names
from serving.desk.lineage.material import REVIEWED
from serving.gateway.access import Reading
from serving.gateway.errors import GatewayError
from serving.gateway.service import Service, Shared
from serving.gateway.source_pages.rendering import PageReader, headers, render
from serving.gateway.source_pages.schedule import schedule_page
from serving.gateway.source_pages.sections import card_rows, catalog_page, faq_entry, select_rows
from serving.gateway.source_pages.sections import document as document_page
from serving.gateway.source_pages.transcript import find_place, is_untimed, transcript
from serving.index.evidence import MAP
from serving.pages.preferences import choose_lang, choose_theme
from serving.store.caller import Caller
from serving.store.tables.review import ReviewedAnswer

router = APIRouter(tags=["sources"])

MAP_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    "X-Frame-Options": "SAMEORIGIN",
    "Vary": "Cookie",
}
"""The map opens beside the conversation, and has its script and its style in itself."""

WINDOW_MS = 60_000
"""Cues this far before and after the second asked for are sent as JSON; a page has them all."""

LONGEST_S = 360_000
"""Seconds, a hundred hours: later ones are the end of the video."""

Row = dict[str, Any]

Second = Annotated[int | None, Query(description="Second of the video that is meant.")]
Paragraph = Annotated[int | None, Query(description="Paragraph that is meant, of a lecture without times.")]


@router.get("/courses/{course_id}/videos/{video_id:path}")
async def show_video(
    course_id: str,
    video_id: str,
    request: Request,
    service: Shared,
    caller: Reading,
    t: Second = None,
    paragraph: Paragraph = None,
) -> Response:
    """The transcript of a lecture, the cue spoken at second `t` marked, of a lecture without times the paragraph; the
    video too when the course says where."""
    cues = await _rows(service, caller, "cues", course_id, ("video_id", video_id))
    names = await asyncio.to_thread(_lectures, service, course_id)
    place = find_place(cues, None if t is None else min(t, LONGEST_S), paragraph)
    if _wants_json(request):
        rows = [_show_cue(cue) for cue in _near(cues, place or 0)]
        return JSONResponse({"title": names.get(video_id, video_id), "rows": rows})
    card = await asyncio.to_thread(_card, service, course_id)
    second = 0 if place is None or is_untimed(cues) else place // 1000
    video = address_at(video_id, second, videos=dict(card.get("videos") or {}), video_url=card.get("video_url"))
    page = transcript(cues, names, place=place, video=video)
    return _page("transcript", _reader(request, card, course_id), video, page=page)


@router.get("/courses/{course_id}/documents/{document:path}")
async def show_document(
    course_id: str,
    document: str,
    request: Request,
    service: Shared,
    caller: Reading,
    article: str | None = None,
    page: int | None = None,
    heading: str | None = None,
) -> Response:
    """A document, the sections of an article, page or heading marked. As JSON those sections alone."""
    rows = await _document_rows(service, caller, course_id, document)
    if _wants_json(request):
        wanted = select_rows(rows, article=article, page=page, heading=heading)
        return JSONResponse({"title": rows[0]["title"] or document, "rows": wanted})
    card = await asyncio.to_thread(_card, service, course_id)
    paper = document_page(rows, article=article, page=page, heading=heading)
    return _page("paper", _reader(request, card, course_id), page=paper, kind="document")


@router.get("/courses/{course_id}/faq/{origin_id:path}")
async def show_faq(course_id: str, origin_id: str, request: Request, service: Shared, caller: Reading) -> Response:
    """One entry of the FAQ, or an answer that a TA approved."""
    rows = await _faq_rows(service, caller, course_id, origin_id)
    if _wants_json(request):
        return JSONResponse({"title": rows[0]["question"], "rows": rows})
    card = await asyncio.to_thread(_card, service, course_id)
    return _page("faq", _reader(request, card, course_id), page=faq_entry(rows[0]))


@router.get("/courses/{course_id}/catalog/{page:path}")
async def show_catalog(course_id: str, page: str, request: Request, service: Shared, caller: Reading) -> Response:
    """What was read from one page of a catalogue: a class, classes, or the topics of a program; or its schedule."""
    is_schedule = page.lower() in SCHEDULE_NAMES
    table: CourseTable = "schedule" if is_schedule else "catalog_pages"
    rows = await _rows(service, caller, table, course_id, ("file" if is_schedule else "page", page))
    lang = choose_lang(request.cookies, request.headers.get("accept-language") or rows[0]["lang"])
    paper = schedule_page(rows, lang) if is_schedule else catalog_page(rows)
    if _wants_json(request):
        return JSONResponse({"title": paper.title, "rows": rows})
    card = await asyncio.to_thread(_card, service, course_id)
    return _page("paper", _reader(request, card, course_id), page=paper, kind="catalog")


@router.get("/courses/{course_id}/map")
async def show_map(course_id: str, request: Request, service: Shared, caller: Reading) -> Response:
    """The course's concepts with their prerequisites above them, as one page."""
    await _require_course(service, caller, course_id)
    path = service.data_dir.concept_map(course_id)
    if not path.is_file():
        raise GatewayError(f"The course '{course_id}' has no concept map.", status=404, code="not_found")
    drawn = await asyncio.to_thread(path.read_text, encoding="utf-8")
    return HTMLResponse(in_colours(drawn, choose_theme(request.cookies)), headers=dict(MAP_HEADERS))


@dataclass(frozen=True)
class OpenedSource:
    """What a reference leads to, as text: the lecture around the second, the sections meant, the entry, the page, the
    concepts of a map."""

    title: str
    text: str


async def open_address(service: Service, caller: Caller, address: str) -> OpenedSource:
    """What stands at the address of a reference, for whoever may see its course: who shows a link does not, by that.

    Raises `GatewayError` 404 for what is not there, 400 for an address that is none of this gateway's sources.
    """
    try:
        where = urlsplit(address)
    except ValueError as error:  # brackets that are no IPv6 address
        raise GatewayError("Not an address of a source here: it cannot be read.") from error
    parts = [unquote(one) for one in where.path.strip("/").split("/")]
    asked = dict(parse_qsl(where.query))
    if len(parts) == 3 and parts[0] == "courses" and parts[2] == MAP:
        return await _map_in_words(service, caller, parts[1])
    if len(parts) < 4 or parts[0] != "courses":
        raise GatewayError("Not an address of a source here: it reads …/courses/<course>/videos/<video>?t=192.")
    course_id, kind, name = parts[1], parts[2], "/".join(parts[3:])
    if kind == "videos":
        cues = await _rows(service, caller, "cues", course_id, ("video_id", name))
        names = await asyncio.to_thread(_lectures, service, course_id)
        near = _near(cues, find_place(cues, _whole(asked.get("t")), _whole(asked.get("paragraph"))) or 0)
        return OpenedSource(names.get(name, name), " ".join(one["text"] for one in near))
    if kind == "documents":
        rows = await _document_rows(service, caller, course_id, name)
        place = {"article": asked.get("article"), "heading": asked.get("heading")}
        wanted = select_rows(rows, page=_whole(asked.get("page")), **place)
        return OpenedSource(rows[0]["title"] or name, "\n\n".join(_section(one) for one in wanted))
    if kind == "faq":
        entry = (await _faq_rows(service, caller, course_id, name))[0]
        return OpenedSource(entry["question"], entry["answer"])
    if kind == "catalog":
        paper = catalog_page(await _rows(service, caller, "catalog_pages", course_id, ("page", name)))
        return OpenedSource(paper.title, "\n\n".join(f"{one.heading}\n{one.text}".strip() for one in paper.parts))
    raise GatewayError(f"There is no source of the kind '{kind[:40]}'.", status=404, code="not_found")


async def _map_in_words(service: Service, caller: Caller, course_id: str) -> OpenedSource:
    """The concepts of a course, each on a line with what should be known before it."""
    await _require_course(service, caller, course_id)
    graph = (await service.knowledge()).visible_to(caller.courses, course_id).graph

    def lines() -> list[str]:
        named = [(name, graph.prerequisites(key)) for key, name in graph.concepts_of(course_id)]
        return [f"{name} ← {', '.join(one.name for one in before)}" if before else name for name, before in named]

    return OpenedSource(graph.course(course_id).title, "\n".join(await asyncio.to_thread(lines)))


def _whole(text: str | None) -> int | None:
    """A number in an address; `None` for anything else."""
    return min(int(text[:9]), LONGEST_S) if text is not None and text.isascii() and text.isdigit() else None


def _section(row: Mapping[str, Any]) -> str:
    named = " ".join(part for part in (row["article"], row["heading"]) if part)
    return f"{named}\n{row['text'] or ''}".strip()


async def _document_rows(service: Service, caller: Caller, course_id: str, document: str) -> list[Row]:
    """The sections of a document; of the course's card, which is one."""
    if document != CARD_DOCUMENT:
        return await _rows(service, caller, "documents", course_id, ("document", document))
    await _require_course(service, caller, course_id)
    return card_rows(await asyncio.to_thread(_card, service, course_id))


async def _faq_rows(service: Service, caller: Caller, course_id: str, origin_id: str) -> list[Row]:
    """An entry of the FAQ, or the answer that a TA approved, as a row; of the platform's for who is shown it."""
    if not caller.may_see(course_id) and await _is_shared_platform(service, caller, course_id):
        caller = replace(caller, courses=frozenset({course_id}))
    rows = await _read_reviewed(service, caller, course_id, origin_id) if origin_id.startswith(REVIEWED) else []
    return rows or await _rows(service, caller, "faq", course_id, ("origin_id", origin_id))


async def _is_shared_platform(service: Service, caller: Caller, course_id: str) -> bool:
    """Whether the FAQ of a course is the platform's, and answers in any course that the caller may see."""
    graph = (await service.knowledge()).graph
    is_platform = any(one.course_id == course_id and one.is_platform for one in graph.courses)
    return is_platform and any(graph.shares(course_id, one) for one in caller.courses or ())


async def lectures_of(service: Service, caller: Caller, course_id: str) -> dict[str, str]:
    """What every lecture of a course is called, by id, in teaching order; none of a course without lectures."""
    await _require_course(service, caller, course_id)
    return await asyncio.to_thread(_lectures, service, course_id)


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
    rows: list[Row] = _table(service, table, course_id, where=[(where[0], "=", where[1])]).to_pylist()
    return rows


def _table(service: Service, table: CourseTable, course_id: str, **how: Any) -> pa.Table:
    """What is asked of a table, nothing where the course has none. Raises `TableDamaged`, which is answered by 503."""
    try:
        return read_table(service.data_dir.table(table, course_id), **how)
    except FileNotFoundError:
        return pa.table({})


async def _read_reviewed(service: Service, caller: Caller, course_id: str, origin_id: str) -> list[Row]:
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
    rows: list[Row] = _table(service, "course_cards", course_id).to_pylist(maps_as_pydicts="strict")
    return rows[0] if rows else {}


def _lectures(service: Service, course_id: str) -> dict[str, str]:
    return read_lecture_names(service.data_dir.table("cues", course_id))


def _near(cues: list[Row], at: int) -> list[Row]:
    """The cues around a place: a minute and a paragraph before and after it."""
    return [one for one in cues if one["start_ms"] <= at + WINDOW_MS and one["end_ms"] >= at - WINDOW_MS] or cues[:20]


def _show_cue(cue: Row) -> Row:
    """A cue as JSON: of a lecture without times its paragraph, and no time."""
    number = paragraph_of(cue["start_ms"])
    return cue if number is None else {**cue, "start_ms": None, "end_ms": None, "paragraph": number}


def _reader(request: Request, card: Mapping[str, Any], course_id: str) -> PageReader:
    """The language chosen before or asked for by the browser, else the course's own."""
    own: Lang = "zh" if card.get("lang") == "zh" else "en"
    lang = choose_lang(request.cookies, request.headers.get("accept-language") or own)
    return PageReader(lang, choose_theme(request.cookies), card.get("title") or course_id)


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def _page(template: str, reader: PageReader, video: VideoAddress | None = None, **shown: object) -> Response:
    return HTMLResponse(render(template, reader, **shown), headers=headers(video))
