"""Words that say which of two ways: faster or slower, before or after, first or last. English and Chinese.

Each axis has two ends; a word stands for an end of its axis. A turned comparison uses the other end.
"""

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LEXICON = Path(__file__).with_name("directions.csv")
"""Every pair is a choice; what no pair holds cannot be told to be turned. `_` stands for a space within a word."""


@dataclass(frozen=True, slots=True)
class Direction:
    """A word that stands for one end of an axis: `text[start:end]`; `end_of` is 1 or -1."""

    start: int
    end: int
    axis: str
    end_of: int


def directions(text: str) -> list[Direction]:
    """The directions of a text in lower case, in order, the longest word where several begin."""
    known, pattern = _lexicon()
    return [
        Direction(found.start(), found.end(), *known[" ".join(found.group().replace("-", " ").split())])
        for found in pattern.finditer(text)
    ]


@cache
def _lexicon() -> tuple[dict[str, tuple[str, int]], re.Pattern[str]]:
    known: dict[str, tuple[str, int]] = {}
    with LEXICON.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for word in row["words"].split():
                known.setdefault(word.replace("_", " ").replace("-", " "), (row["axis"], int(row["end"])))
    longest = sorted(known, key=len, reverse=True)
    latin = "|".join(word.replace(" ", "[ -]+") for word in longest if word.isascii())
    han = "|".join(word for word in longest if not word.isascii())
    return known, re.compile(rf"(?<![a-z])(?:{latin})(?![a-z])|{han}")
