"""When a class meets, as schedules write it: "MWF 10:00-10:50", "TuTh 1-2:15 pm", 周一周三 8:00-9:40. Pure."""

import re
from collections.abc import Iterator

from knowledge_graph.lake.records import Meeting

_DAY_NAMES = (
    r"mo(?:n(?:day)?)?|m|周一|星期一|礼拜一",
    r"tu(?:e(?:s(?:day)?)?)?|t(?!h)|周二|星期二|礼拜二",
    r"we(?:d(?:nesday)?)?|w|周三|星期三|礼拜三",
    r"th(?:u(?:r(?:s(?:day)?)?)?)?|r|周四|星期四|礼拜四",
    r"fr(?:i(?:day)?)?|f|周五|星期五|礼拜五",
    r"sa(?:t(?:urday)?)?|s(?!u)|周六|星期六|礼拜六",
    r"su(?:n(?:day)?)?|u|周日|周天|星期日|星期天|礼拜日|礼拜天",
)
"""Monday first. A letter alone is read as registrars write it: R is Thursday, S Saturday, U Sunday."""
_LATER_ZH = "一二三四五六日"
_ANY_DAY = re.compile("|".join(f"(?P<d{number}>{names})" for number, names in enumerate(_DAY_NAMES, 1)), re.IGNORECASE)
_DAY_GAP = re.compile(r"[\s,、，/&+.和及]*")
_DAY_SPAN = re.compile(r"\s*(?:-|–|—|to|至|到)\s*", re.IGNORECASE)
_CLOCK = r"(\d{1,2})(?:[:.：h](\d{2})|(?<=\d\d)(\d{2}))?\s*([ap])?\.?m?\.?"
_TIMES = re.compile(rf"{_CLOCK}\s*(?:-|–|—|~|to|至|到)\s*{_CLOCK}", re.IGNORECASE)
NONE = re.compile(
    r"(?:-+|tba|tbd|n/?a|none|by arrangement|arranged|online|asynchronous|async|待定|网络授课|线上)?", re.I
)
"""What stands where a class has no time of its own."""


class MeetingUnreadable(ValueError):
    """Days or times that are written in no known way; the message says which."""


def meetings_of(days: str, times: str) -> tuple[Meeting, ...]:
    """The weekly meetings, in order; none for a class without a time of its own.

    `times` may hold the days, too, and several meetings parted by semicolons. Raises `MeetingUnreadable`.
    """
    if NONE.fullmatch(times.strip()):
        if NONE.fullmatch(days.strip()):
            return ()
        raise MeetingUnreadable(f"it has days, '{days}', and no times")
    found = [one for part in re.split(r"[;；\n]", times) if part.strip() for one in _meetings(days, part.strip())]
    return tuple(sorted(set(found), key=lambda one: (one.day, one.start, one.end)))


def _meetings(days: str, part: str) -> Iterator[Meeting]:
    found = _TIMES.search(part)
    if found is None or part[found.end() :].strip():
        raise MeetingUnreadable(f"'{part}' is no time of day")
    own = part[: found.start()].strip()
    start, end = _minutes(found)
    if not 0 <= start < end <= 24 * 60:
        raise MeetingUnreadable(f"'{found.group()}' does not end after it begins")
    for day in days_of(own or days):
        yield Meeting(day, start, end)


def days_of(text: str) -> tuple[int, ...]:
    """The days that a text names and nothing else, 1 for Monday. Raises `MeetingUnreadable`."""
    found: list[int] = []
    at = 0
    text = text.strip()
    while at < len(text):
        span = _DAY_SPAN.match(text, at) if found else None
        later = span and _ANY_DAY.match(text, span.end())
        if span and later:
            found.extend(range(found[-1] + 1, _number(later) + 1))
            at = later.end()
        elif day := _ANY_DAY.match(text, at):
            found.append(_number(day))
            at = day.end()
        elif found and text[at] in _LATER_ZH:
            found.append(_LATER_ZH.index(text[at]) + 1)
            at += 1
        else:
            raise MeetingUnreadable(f"'{text}' are no days of the week" if text else "it has times and no days")
        gap = _DAY_GAP.match(text, at)
        at = gap.end() if gap else at
    if not found:
        raise MeetingUnreadable("it has times and no days")
    return tuple(sorted(set(found)))


def _number(found: re.Match[str]) -> int:
    return int((found.lastgroup or "d0")[1:])


def _minutes(found: re.Match[str]) -> tuple[int, int]:
    """Begin and end in minutes since midnight; a beginning without "am" or "pm" takes that of the end."""
    start_hour, start_minute = int(found[1]), int(found[2] or found[3] or 0)
    end_hour, end_minute = int(found[5]), int(found[6] or found[7] or 0)
    if start_minute > 59 or end_minute > 59:
        raise MeetingUnreadable(f"'{found.group()}' is no time of day")
    first, last = (found[4] or "").lower(), (found[8] or "").lower()
    end = _of_day(end_hour, last) * 60 + end_minute
    start = _of_day(start_hour, first or last) * 60 + start_minute
    if not first and last == "p" and start >= end:
        start = _of_day(start_hour, "a") * 60 + start_minute
    return start, end


def _of_day(hour: int, half: str) -> int:
    return hour % 12 + (12 if half == "p" else 0) if half and hour <= 12 else hour
