"""`/why/{trace_id}`: what led to an answer, for the student who got it. Opens in the chat's panel, or on its own."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Literal

from fastapi import Request
from fastapi.responses import Response
from nicegui import app as nicegui_app
from sqlalchemy.orm import Session

from serving.assistant.composing.explain import LIKELY
from serving.pages.errors import error_page
from serving.pages.markdown import render_markdown
from serving.pages.plain_page import plain_page
from serving.pages.visits import StudentVisit
from serving.pages.words import PageTexts, words
from serving.store.tables.conversation import TraceRow, TurnRow
from serving.store.turns import NotYours, own_turn

MOST_CANDIDATES = 10

Record = Mapping[str, Any]


@nicegui_app.get("/why/{trace_id}", include_in_schema=False)
async def why_page(request: Request, visit: StudentVisit, trace_id: str) -> Response:
    """404 for an answer that is not the visitor's own, as for one that there is not."""
    say = words("why", visit.lang)

    def read_record(db: Session) -> tuple[TurnRow, Record]:
        turn = own_turn(db, visit.caller.person_id, trace_id)
        row = db.get(TraceRow, trace_id)
        return turn, row.record if row is not None else {}

    try:
        turn, record = await visit.service.store.reading(read_record)
    except NotYours:
        return error_page(request, "not_found", status=404)
    return plain_page(request, say("title"), why_html(turn, record, say))


def why_html(turn: TurnRow, record: Record, say: PageTexts) -> str:
    """The sections that have something in them, under the question."""
    sections = (
        (say("how"), _how(turn, record, say)),
        (say("rule"), _rule(record, say)),
        (say("kind"), _kind(record, say)),
        (say("parts"), _parts(record, say)),
        (say("understood"), _understood(turn, record)),
        (say("concepts"), _concepts(turn, say)),
        (say("reasoning"), _reasoning(turn)),
        (say("checks"), _checks(record, say)),
        (say("candidates"), _candidates(record, say)),
        (say("timings"), _timings(record, say)),
        (say("versions"), _versions(turn, record, say)),
    )
    told = "".join(f"<section><h2>{escape(name)}</h2>{body}</section>" for name, body in sections if body)
    return f'<div class="why"><h1>{escape(turn.question)}</h1>{told}</div>'


def _how(turn: TurnRow, record: Record, say: PageTexts) -> str:
    is_composed = turn.route in ("teach", "explain") and record.get("question_kind") and not record.get("model")
    is_planned = is_composed and record.get("question_kind") == "plan"
    key = "route_planned" if is_planned else "route_composed" if is_composed else f"route_{turn.route}"
    key = f"{key}_parts" if turn.route == "ask_ta" and record.get("parts") else key
    key = "route_ruled" if record.get("rule") else key
    told = f"<p>{escape(say(key))}</p>" if key in say else ""
    return told + (f'<p class="warn">{escape(say("degraded"))}</p>' if turn.degraded else "")


def _rule(record: Record, say: PageTexts) -> str:
    """The rule about graded work that it was given under, and what the question was recognised by."""
    rule: Record = record.get("rule") or {}
    if not rule:
        return ""
    told = say(f"rule_{rule['allows']}", name=str(rule["assessment"]))
    by = say(f"rule_by_{rule['by']}")
    return f'<p>{escape(told)}</p><p class="small">{escape(by)}</p>'


def _kind(record: Record, say: PageTexts) -> str:
    """What kind of question it was taken for, and how well the material covers it; nothing where several were."""
    kind = str(record.get("question_kind") or "")
    if not kind or record.get("parts"):
        return ""
    told = f"<p>{escape(_kind_named(kind, say))}</p>"
    if kind == "small_talk":
        return told
    state = "asked" if record.get("route") == "clarify" else state_of(record, stored=record.get("route") == "direct")
    return told + f'<p class="state {state}">{escape(say(f"state_{state}"))}{_sure(record, say)}</p>'


def _parts(record: Record, say: PageTexts) -> str:
    """Each of several questions with its kind and how it was answered."""
    parts: Sequence[Record] = record.get("parts") or []
    rows = []
    for part in parts:
        state = state_of(part, stored=bool(part.get("stored")))
        kind = _kind_named(str(part["question_kind"]), say)
        rows.append(
            f'<li><span class="asked">{escape(str(part["question"]))}</span>'
            f'<span class="small">{escape(kind)}</span>'
            f'<span class="state {state}">{escape(say(f"state_{state}"))}{_sure(part, say)}</span></li>'
        )
    return f'<ol class="parts">{"".join(rows)}</ol>' if rows else ""


State = Literal["stored", "full", "likely", "near", "none"]


def state_of(record: Record, *, stored: bool) -> State:
    """How a question was answered, by coverage and sufficiency: the same cut makes an answer count as none."""
    coverage = record.get("coverage")
    if coverage == "none":
        return "none"
    if stored:
        return "stored"
    if coverage == "full":
        return "full"
    return "likely" if float(record.get("sufficiency") or 0.0) >= LIKELY else "near"


def _kind_named(kind: str, say: PageTexts) -> str:
    key = f"kind_{kind}"
    return say(key) if key in say else kind


def _sure(record: Record, say: PageTexts) -> str:
    sure = record.get("sufficiency")
    if sure is None or record.get("coverage") == "none":
        return ""
    return f' <span class="muted">{escape(say("sure", percent=round(100 * float(sure))))}</span>'


def _understood(turn: TurnRow, record: Record) -> str:
    resolved = str(record.get("resolved") or "")
    return f"<p>{escape(resolved)}</p>" if resolved and resolved != turn.question else ""


def _concepts(turn: TurnRow, say: PageTexts) -> str:
    names = [str(one).partition(":")[2] or str(one) for one in (turn.shown or {}).get("concepts") or []]
    if not names:
        return f'<p class="muted">{escape(say("no_concepts"))}</p>'
    return '<p class="names">' + "".join(f"<span>{escape(name)}</span>" for name in names) + "</p>"


def _reasoning(turn: TurnRow) -> str:
    reasoning = str((turn.shown or {}).get("reasoning") or "")
    return f'<div class="prose">{render_markdown(reasoning)}</div>' if reasoning else ""


def _checks(record: Record, say: PageTexts) -> str:
    verdicts: Sequence[Record] = record.get("verdicts") or []
    return _list(
        f"{one['looked']}: {say('check_passed' if one['passed'] else 'check_failed')} ({one['score']:.2f}, {one['by']})"
        for one in verdicts
    )


def _candidates(record: Record, say: PageTexts) -> str:
    found: Sequence[Record] = record.get("candidates") or []
    if not found:
        return ""
    head = "".join(f"<th>{escape(say(f'candidate_{key}'))}</th>" for key in ("source", "score", "match"))
    rows = "".join(
        f"<tr><td>{escape(_source(one, say))}</td><td>{one['score']:.3f}</td><td>{one['match']:.3f}</td></tr>"
        for one in found[:MOST_CANDIDATES]
    )
    told = escape(say("threshold", beta=f"{record.get('beta', 0):.2f}"))
    chat = escape(say("chat_score", h=f"{record.get('h', 0):.2f}", alpha=f"{record.get('alpha', 0):.2f}"))
    return f'<div class="table"><table><tr>{head}</tr>{rows}</table></div><p class="small">{told}<br>{chat}</p>'


def _source(candidate: Record, say: PageTexts) -> str:
    key = f"source_{candidate['source']}"
    return say(key) if key in say else str(candidate["source"])


def _timings(record: Record, say: PageTexts) -> str:
    timings: Mapping[str, float] = record.get("timings") or {}
    return _list(say("timing", name=name.removesuffix("_ms"), ms=f"{ms:.0f}") for name, ms in timings.items())


def _versions(turn: TurnRow, record: Record, say: PageTexts) -> str:
    listed = {
        "model": record.get("model") or say("no_model"),
        "index": record.get("index_version"),
        "strategy": record.get("strategy"),
        "trace": turn.trace_id,
    }
    return _list(f"{say(key)}: {value}" for key, value in listed.items() if value)


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="plain-list">{items}</ul>' if items else ""
