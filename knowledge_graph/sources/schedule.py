"""The schedule of a catalogue: which classes are offered in which term, when they meet, and how many seats are free.

`row_formats.py` reads the formats, `meetings.py` the days and times.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CatalogRecord, CourseCard, Meeting, Offering
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.catalog.needs import code_key, credits_of
from knowledge_graph.sources.fields import LONGEST_QUESTION, Fields, ProblemLog, excess, lower_keys, text_of, texts_of
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.meetings import MeetingUnreadable, meetings_of
from knowledge_graph.sources.row_formats import FileRow, FormatError, csv_rows, json_line_rows, list_rows

SCHEDULE_FIELDS: Fields = {
    "code": ("code", "class", "class_code", "course", "course_code", "course_number", "课程代码", "课程编号",
             "课号", "代码"),
    "title": ("title", "name", "course_title", "class_title", "课程名称", "课程", "名称"),
    "term": ("term", "semester", "quarter", "session", "学期"),
    "section": ("section", "sec", "section_number", "crn", "班号", "教学班", "班级"),
    "days": ("days", "day", "weekdays", "meets", "星期", "上课日"),
    "times": ("times", "time", "hours", "meeting_times", "时间", "上课时间"),
    "start": ("start", "start_time", "begin", "begins", "开始"),
    "end": ("end", "end_time", "ends", "结束"),
    "credits": ("credits", "credit", "credit_hours", "units", "学分"),
    "seats": ("seats", "seats_open", "open_seats", "available", "seats_available", "余量", "剩余名额", "名额"),
    "room": ("room", "location", "place", "地点", "教室"),
    "instructor": ("instructor", "instructors", "teacher", "professor", "教师", "任课教师"),
}  # fmt: skip
"""The fields of an offering and the names they go by."""

MOST_CREDITS = 100
"""Credits of one class. More is a mistake of columns."""

_LISTS = ("schedule", "classes", "sections", "offerings", "courses", "data", "items")
_LIST_START = re.compile(rf'"(?:{"|".join(_LISTS)})"\s*:\s*\[', re.IGNORECASE)
_FORM = (
    "Write code, term, section, days, times, credits, seats: COMP 1200, Spring 2027, 1, Mon Wed, 10:00-11:15, 4, 30."
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_COUNT = re.compile(r"-?\d+")


def read_schedule(
    folder: CourseFolder, card: CourseCard, records: Sequence[CatalogRecord] = ()
) -> tuple[tuple[Offering, ...], tuple[Problem, ...]]:
    """Every offering by its id; what was left out, and what does not fit the catalogue's `records`, is in the problems.

    Rows of one class, term and section are one offering that meets at all of their times. A row without code or term,
    or whose days or times cannot be read, is left out: nobody is to be sent to a class at a wrong hour.
    """
    kept: dict[str, Offering] = {}
    log = BoundedTold()
    for path in input_files(folder, "schedule"):
        log.file = display_path(path, folder.path)
        decoded = read_text(path, log)
        if decoded is not None:
            try:
                rows = _rows_of(path.name, decoded.text)
            except FormatError as error:
                log.error(error.line, str(error), error.remedy)
            else:
                for row in _readable(rows, log):
                    if (found := _offering(row, card, log)) is not None:
                        _keep(kept, found, row.line, log)
        _compare([one for one in kept.values() if one.file == log.file], records, log)
        log.close()
    return tuple(kept[key] for key in sorted(kept)), tuple(log.problems)


def _rows_of(name: str, text: str) -> list[FileRow]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise FormatError(None, "The file is empty.", "Add the classes that are offered, or remove the file.")
    suffix = name.lower().rsplit(".", 1)[-1]
    if suffix == "jsonl":
        return json_line_rows(text)
    if suffix != "json":
        return csv_rows(text)
    begin = re.match(r"\s*\[", text) or _LIST_START.search(text)
    if begin is None:
        raise FormatError(1, "Expected a JSON list of classes.", f'Write [{{"code": "…", "term": "…"}}]. {_FORM}')
    return list_rows(text, begin.end())


def _readable(rows: Sequence[FileRow], log: ProblemLog) -> list[FileRow]:
    for row in rows:
        if row.defect:
            log.error(row.line, row.defect, "Mend that place: quotes, a comma, or a bracket that is not closed.")
    whole = [row for row in rows if not row.defect]
    names = {name for row in whole for name in lower_keys(row.fields)}
    for needed in ("code", "term"):
        if whole and not names.intersection(SCHEDULE_FIELDS[needed]):
            message = f"No column for the {needed}: found {', '.join(sorted(names)) or 'none'}."
            log.error(
                whole[0].line, message, f"Name it '{needed}' (also read: {', '.join(SCHEDULE_FIELDS[needed][1:])})."
            )
            return []
    if not rows:
        log.error(None, "The file names no class.", "Add the classes that are offered, or remove the file.")
    return whole


def _offering(row: FileRow, card: CourseCard, log: ProblemLog) -> Offering | None:
    fields = lower_keys(row.fields)
    values = texts_of(fields, SCHEDULE_FIELDS, row.line, log)
    code, term = " ".join((values["code"] or "").split()), " ".join((values["term"] or "").split())
    missing = " and ".join(name for name, value in (("code", code), ("term", term)) if not value)
    if missing:
        log.error(row.line, f"The row{f' of {code}' if code else ''} has no {missing}; it was left out.", _FORM)
        return None
    if long := excess("code", code, LONGEST_QUESTION) or excess("term", term, LONGEST_QUESTION):
        log.error(row.line, f"A row was left out: {long}.", _FORM)
        return None
    try:
        meetings = _meetings(fields, values)
    except MeetingUnreadable as error:
        remedy = "Write the days as 'Mon Wed' or 'MW' and the times as '10:00-11:15', or leave both empty."
        log.error(row.line, f"{code} in {term} was left out: {error}.", remedy)
        return None
    section = " ".join((values["section"] or "").split())
    return Offering(
        course_id=card.course_id,
        offering_id="/".join((term, code_key(code), section)),
        code=code,
        title=values["title"],
        term=term,
        section=section,
        meetings=meetings,
        credits=_credits(code, values["credits"], row.line, log),
        seats=_seats(code, values["seats"], row.line, log),
        room=values["room"],
        instructor=values["instructor"],
        file=log.file,
        row=row.row,
        lang=lang_of(values["title"] or term, card.lang),
    )


def _meetings(fields: Mapping[str, object], values: Mapping[str, str | None]) -> tuple[Meeting, ...]:
    """From a list of meetings (JSON), from days and times, or from days, start and end."""
    listed = fields.get("meetings") or fields.get("时间地点")
    if isinstance(listed, list):
        each = [_meetings({}, _texts(one)) for one in listed if isinstance(one, Mapping)]
        return tuple(sorted({meeting for found in each for meeting in found}, key=lambda one: (one.day, one.start)))
    times = values["times"] or "-".join(part for part in (values["start"], values["end"]) if part)
    return meetings_of(values["days"] or "", times)


def _texts(one: Mapping[Any, Any]) -> dict[str, str | None]:
    row = lower_keys(one)
    return {name: text_of(row, names) for name, names in SCHEDULE_FIELDS.items()}


def _credits(code: str, text: str | None, line: int, log: ProblemLog) -> float | None:
    if text is None:
        return None
    if _NUMBER.fullmatch(text) and float(text) <= MOST_CREDITS:
        return float(text)
    log.warning(
        line, f"The credits of {code}, '{text}', are no number; they were left empty.", "Write one number, such as 3."
    )
    return None


def _seats(code: str, text: str | None, line: int, log: ProblemLog) -> int | None:
    """Free seats; a negative number, as of a class with more students than seats, is none."""
    if text is None:
        return None
    if _COUNT.fullmatch(text):
        return max(0, min(int(text), 2**31 - 1))
    log.warning(
        line, f"The seats of {code}, '{text}', are no whole number; they were left empty.", "Write how many are free."
    )
    return None


def _keep(kept: dict[str, Offering], found: Offering, line: int, log: ProblemLog) -> None:
    """A new offering, or more meetings of one, with their room where it is another; a second row without a section
    could be either, and is left out."""
    first = kept.setdefault(found.offering_id, found)
    if first is found:
        return
    where = f"row {first.row} of {first.file}"
    if not found.section:
        message = f"{found.code} in {found.term} stands in {where} already, and neither has a section; it was left out."
        log.error(line, message, "Give each section its number, and rows of one section the same.")
        return
    if (found.credits, found.seats) != (first.credits, first.seats):
        message = f"{found.code}, section {found.section}, has other credits or seats in {where}; those were kept."
        log.warning(line, message, "Write the same in every row of a section.")
    meetings = sorted({*first.meetings, *found.meetings}, key=lambda one: (one.day, one.start, one.end))
    kept[found.offering_id] = replace(first, meetings=tuple(meetings), room=_rooms(first, found))


def _rooms(first: Offering, found: Offering) -> str | None:
    """The room of a section; of one with several, each with its days: "Hall 12 (Mon Wed), lab (Fri)"."""
    if first.room is None or found.room is None or found.room == first.room:
        return first.room or found.room
    here = first.room if first.room.endswith(")") else _with_days(first.room, first)
    return f"{here}, {_with_days(found.room, found)}"


def _with_days(room: str, offering: Offering) -> str:
    days = " ".join(DAYS[day - 1] for day in sorted({one.day for one in offering.meetings}))
    return f"{room} ({days})" if days else room


DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def _compare(offerings: Collection[Offering], records: Sequence[CatalogRecord], log: ProblemLog) -> None:
    """Tell of classes that the catalogue has no record of, and of credits that differ from the record's."""
    by_code = {code_key(record.code): record for record in records if record.code}
    for one in offerings:
        record = by_code.get(code_key(one.code))
        if record is None:
            message = f"{one.code} in {one.term} has no record in the catalogue, so it is never planned."
            log.warning(_line(one), message, "Add its page to the catalogue, or mend its code.")
            continue
        stated = credits_of(record.text)
        if one.credits is not None and stated is not None and one.credits != stated:
            message = f"{one.code} has {one.credits:g} credits here and {stated:g} in the catalogue, which counts."
            log.warning(_line(one), message, "Mend the one that is wrong.")


def _line(one: Offering) -> int:
    return one.row
