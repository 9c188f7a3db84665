"""How a place in a lecture is written, and read: a time, or a paragraph of a transcript without times.

A place is one whole number, in whose order a lecture is spoken: milliseconds from its start or, of a lecture without
times, a number from `FIRST_PARAGRAPH` up, `PARAGRAPH` for each paragraph. No time comes to that: nothing is measured
there, so nothing is shown as a time. Belongs here: nothing else.
"""

import re

LONGEST_SECONDS = 360_000
"""A hundred hours: no lecture is longer."""

FIRST_PARAGRAPH = 1_000_000_000
"""Where paragraphs begin, ten days behind any time."""
PARAGRAPH = 60_000
"""Between the beginnings of two paragraphs: a paragraph of speech takes about a minute, so that what is near by time is
near by paragraph, too."""
MOST_PARAGRAPHS = 19_000
"""Of one lecture; the places of more would not fit into the 32 bits of a database's whole number."""
PARAGRAPH_SIGN = "¶"

_WRITTEN = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6})", re.ASCII)
_PARAGRAPH = re.compile(rf"{PARAGRAPH_SIGN} ?(\d{{1,5}})", re.ASCII)


def time_code(place: int) -> str:
    """`03:12`, or `1:03:12` from an hour on; `¶12` of a lecture without times.

    >>> time_code(192_000), time_code(paragraph_start(12))
    ('03:12', '¶12')
    """
    if (number := paragraph_of(place)) is not None:
        return f"{PARAGRAPH_SIGN}{number}"
    minutes, seconds = divmod(place // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


def paragraph_start(number: int) -> int:
    """The place where a paragraph begins, counted from 1. Raises `ValueError` outside 1..`MOST_PARAGRAPHS`."""
    if not 1 <= number <= MOST_PARAGRAPHS:
        raise ValueError(f"Paragraphs are counted from 1 to {MOST_PARAGRAPHS:,}, found {number:,}.")
    return FIRST_PARAGRAPH + (number - 1) * PARAGRAPH


def paragraph_of(place: int | None) -> int | None:
    """The paragraph that a place lies in, from 1; `None` for a time, or no place."""
    return None if place is None or place < FIRST_PARAGRAPH else (place - FIRST_PARAGRAPH) // PARAGRAPH + 1


def since_start(place: int) -> int:
    """How far a place is from the beginning of its lecture, milliseconds; a paragraph counts as a minute.

    >>> since_start(192_000), since_start(paragraph_start(3))
    (192000, 120000)
    """
    return place if place < FIRST_PARAGRAPH else place - FIRST_PARAGRAPH


def address_query(place: int) -> str:
    """What names a place in the address of a lecture's page: `t=192`, or `paragraph=12`."""
    number = paragraph_of(place)
    return f"t={place // 1000}" if number is None else f"paragraph={number}"


def read_paragraph(written: str) -> int | None:
    """The place of `¶12`; `None` for anything else."""
    match = _PARAGRAPH.fullmatch(written.strip())
    return paragraph_start(int(match[1])) if match and 1 <= int(match[1]) <= MOST_PARAGRAPHS else None


def read_seconds(written: str) -> int | None:
    """Whole seconds of `192`, `3:12` or `1:03:12`, at most a hundred hours; `None` for anything else.

    >>> read_seconds("3:12"), read_seconds("192"), read_seconds("3:75"), read_seconds("soon")
    (192, 192, None, None)
    """
    match = _WRITTEN.fullmatch(written.strip())
    if match is None or (match[2] is not None and int(match[3]) > 59):
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    total = hours * 3600 + minutes * 60 + seconds
    return total if total <= LONGEST_SECONDS else None
