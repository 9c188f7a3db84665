"""Rows of a document's table in which an assignment, a quiz, an exam, a lecture or a week stands. Pure.

A syllabus says when things are due in a table, which no sentence repeats. Belongs here: reading such a table out of a
passage's text, and which of its rows a question asks for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from re import Pattern

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.expected_replies import ASKS_A_ROOM, ROOM
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording
from serving.index.evidence import from_entry
from serving.index.schema import Entry

MOST = 3
"""Rows that are shown. A choice."""

_WORK = r"(?:assignments?|homeworks?|hw|problem sets?|psets?|projects?|labs?|exercises?)"
_THINGS: tuple[tuple[Pattern[str], str], ...] = (
    (
        re.compile(rf"\b{_WORK}\s*(?:number |no\.? |#)?(\d{{1,2}})\b", re.IGNORECASE),
        rf"\b(?:{_WORK}|[AHPL]|HW|PS)\s?#?0*{{n}}\b",
    ),
    (re.compile(r"\bquiz(?:zes)?\s*(?:number |no\.? |#)?(\d{1,2})\b", re.IGNORECASE), r"\b(?:quiz|Q)\s?#?0*{n}\b"),
    (
        re.compile(r"\b(?:lecture|class|lesson)\s*(?:number |no\.? |#)?(\d{1,2})\b", re.IGNORECASE),
        r"\b(?:lecture|class|lesson|L)\s?0*{n}\b|(?:^|[|;] ?)0*{n} \w",
    ),
    (re.compile(r"^(?!.*\b(?:mid-?terms?|finals?)\b).*\bexams?\b", re.IGNORECASE), r"\bmid-?term\b|\bexams?\b"),
    (re.compile(r"\bmid-?terms?\b", re.IGNORECASE), r"\bmid-?term\b"),
    (re.compile(r"\bfinals?\b(?: exam\w*)?", re.IGNORECASE), r"\bfinal\b|\bexam week\b"),
    (re.compile(r"作业\s*(\d{1,2})|第\s*(\d{1,2})\s*次作业"), r"作业\s*0*{n}(?!\d)|第\s*0*{n}\s*次作业"),
    (re.compile(r"^(?!.*(?:期中|期末)).*考试"), "期中|期末|考试"),
    (re.compile(r"期中"), "期中"),
    (re.compile(r"期末"), "期末"),
)
"""What a question may ask the time of, and how a table has it; `{n}` is its number."""

_WEEK = re.compile(r"\bweek\s*(?:number |no\.? |#)?(\d{1,2})\b|第\s*(\d{1,2})\s*周", re.IGNORECASE)
_WEEK_COLUMN = re.compile(r"^\s*(?:week|周次?|第几周)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\bwhen\b|\bdue\b|\bdeadline\b|\bwhich week\b|\bwhat (?:week|date|day)\b|\babout\b|\bhappens?\b|\bwhat(?:'s"
    r"| is| are)\b|\bcover\w*|\bexaminable\b|\b(?:study|learn|revise|prepare) for\b"
    r"|\bwhat will be asked\b|\b(?:which|what) (?:lectures?|topics?|chapters?)\b"
    r"|什么时候|何时|截止|哪[天周]|几号|是什么|关于|内容|范围|考什么|考哪",
    re.IGNORECASE,
)
_IN_NO_ROW = re.compile(
    r"\b(?:miss(?:ed)?|fail(?:ed)?|late|sick|ill|cheat\w*|length|duration)\b|缺考|错过|挂科|没赶上|迟到|时长",
    re.IGNORECASE,
)
"""What went wrong and how long something takes, which no row of a timetable tells."""
QUERY = {"en": "weeks schedule calendar quiz assignment due", "zh": "周次 教学进度 安排 作业 截止"}
"""What finds the tables beside the question's own words."""


def compose_timetable(request: Request) -> Composed | None:
    """The rows in which the thing stands that is asked for, with a room where that is; `None` where no table has it."""
    is_of_rooms = ASKS_A_ROOM.search(request.question) is not None
    if not (is_of_rooms or _ASKS.search(request.question)) or _IN_NO_ROW.search(request.question):
        return None
    if not (found := [one for one in find_rows(request) if not is_of_rooms or ROOM.search(one.text)]):
        return None
    lead = ComposedStatement(wording(request.spoken).in_table)
    return Composed("logistics", "partial", (lead, *found[:MOST]), score=0.7, is_whole=True)


def find_rows(request: Request) -> list[ComposedStatement]:
    """The rows of documents' tables in which the thing stands that a question names, as they are read out."""
    query = f"{request.question} {QUERY[request.lang]}"
    pieces = request.material.pieces(query, request.material.vector_of(query), lang=request.lang)
    return [
        ComposedStatement(safe(text), replace(from_entry(0, piece.entry), text=text), is_item=True)
        for piece in pieces
        if piece.entry.source == "document"
        for text in rows_about(request.question, piece.entry)
    ]


ASKS_WEEK = re.compile(r"\b(?:which|what) weeks?\b|哪一?周|第几周|几周(?:讲|学|上)", re.IGNORECASE)
"""What asks for the week of a table."""


def compose_week_of(request: Request, names: Sequence[str]) -> Composed | None:
    """The rows of weeks in which the first of the names stands that any has; `None` where no table has one."""
    query = f"{' '.join(names)} {QUERY[request.lang]}"
    pieces = request.material.pieces(query, request.material.vector_of(query), lang=request.lang)
    written = [piece.entry for piece in pieces if piece.entry.source == "document"]
    for name in names:
        if found := [(entry, row) for entry in written for row in week_rows_with(name, entry)]:
            items = [
                ComposedStatement(safe(row), replace(from_entry(0, entry), text=row), is_item=True)
                for entry, row in found
            ]
            lead = ComposedStatement(wording(request.spoken).in_table)
            return Composed("where", "partial", (lead, *items[:MOST]), score=0.8)
    return None


def compose_reading(request: Request, names: Sequence[str]) -> Composed | None:
    """What a table of weeks sets to be read with what is named; `None` where that is not asked, or no table has it."""
    found = compose_week_of(request, names) if _TO_READ.search(request.question) else None
    if found is None or not any(_READING_COLUMN.search(one.text) for one in found.statements):
        return None
    return replace(found, kind=request.kind)


_TO_READ = re.compile(r"\bread(?:ings?)?\b|[阅要该先]读|读(?:什么|哪|些)|看什么书|阅读", re.IGNORECASE)
_READING_COLUMN = re.compile(
    r"(?:^|; )[^;:]{0,30}(?:\b(?:readings?|literature|texts?)\b|阅读|文献|教材)[^;:]{0,20}:", re.IGNORECASE
)


def week_rows_with(name: str, entry: Entry) -> list[str]:
    """The rows of a passage's tables of weeks in which a name stands."""
    wanted = re.compile(rf"(?<!(?-i:[^\W\u3400-\u9fff])){re.escape(name)}(?![a-z])", re.IGNORECASE)
    return [
        _read_out(heading, row)
        for heading, row in _rows(entry.text)
        if any(map(_WEEK_COLUMN.search, heading)) and any(map(wanted.search, row))
    ]


def rows_about(question: str, entry: Entry) -> list[str]:
    """The rows of a passage's tables that hold what a question asks for, each cell with its column's heading."""
    wanted = [
        re.compile(form.format(n=next((group for group in found.groups() if group), "")), re.IGNORECASE)
        for asked, form in _THINGS
        if (found := asked.search(question)) is not None
    ]
    week = _WEEK.search(question)
    number = int(next(group for group in week.groups() if group)) if week is not None else None
    return [
        _read_out(heading, row)
        for heading, row in _rows(entry.text)
        if any(one.search(cell) for one in wanted for cell in row)
        or (number is not None and _is_of_week(heading, row, number))
    ]


def _rows(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """The rows of the tables of a text with their headings: lines of as many cells as the first such line."""
    heading: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 3:
            heading = []
        elif not heading:
            heading = cells
        elif len(cells) == len(heading):
            yield heading, cells


def _is_of_week(heading: list[str], row: list[str], number: int) -> bool:
    return any(
        _WEEK_COLUMN.search(name) and re.fullmatch(rf"\D*0*{number}\D*", cell)
        for name, cell in zip(heading, row, strict=True)
    )


def _read_out(heading: list[str], row: list[str]) -> str:
    return "; ".join(
        f"{name} {cell}" if _WEEK_COLUMN.search(name) else f"{name}: {cell}"
        for name, cell in zip(heading, row, strict=True)
        if cell
    )
