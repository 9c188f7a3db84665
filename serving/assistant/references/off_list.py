"""Subjects for which no references are given (Course Hero 3.2: mathematics, where most of them were irrelevant)."""

import re
from collections.abc import Collection

MATHEMATICS = "mathematics"

_SAME: dict[str, tuple[str, ...]] = {MATHEMATICS: ("mathematics", "maths", "math", "数学")}
"""Names of one subject in both languages; of other subjects only the name that is written on the list counts."""


class OffList:
    """The list. A subject is on it when a listed name stands in it, as in `Applied mathematics` and `高等数学`."""

    def __init__(self, subjects: Collection[str] = (MATHEMATICS,)) -> None:
        listed = [subject.strip().casefold() for subject in subjects if subject.strip()]
        meant = (same for name in listed for same in (name, *_same(name)))
        self._names = tuple(dict.fromkeys(meant))

    def has(self, subject: str | None) -> bool:
        folded = (subject or "").casefold()
        return any(_stands_in(name, folded) for name in self._names)


def _same(name: str) -> tuple[str, ...]:
    return next((names for names in _SAME.values() if name in names), ())


def _stands_in(name: str, subject: str) -> bool:
    """English names as whole words; Chinese ones anywhere, for Chinese has no spaces."""
    if not name.isascii():
        return name in subject
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", subject) is not None
