"""How a place in a video is written, and read. Belongs here: nothing else."""

import re

LONGEST_SECONDS = 360_000
"""A hundred hours: no lecture is longer."""

_WRITTEN = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6})", re.ASCII)


def time_code(milliseconds: int) -> str:
    """`03:12`, or `1:03:12` from an hour on."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


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
