"""Initials of a course's names: BMI where the course says "body mass index". Pure."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

_INITIALS = re.compile(r"(?<![\w/.@#-])[A-Za-z]{3,5}(?![\w/@#-]|['’.]\w)")
_WORDS_APART = re.compile(r"[ -]+")


def names_by_initials(names: Iterable[str]) -> dict[str, str]:
    """The one English name, in lower case, that has these initials; none that several have."""
    found = defaultdict[str, set[str]](set)
    for name in names:
        words = _WORDS_APART.split(name.lower())
        if name.isascii() and all(words):
            found["".join(word[0] for word in words)].add(" ".join(words).removesuffix("s"))
    return {initials: next(iter(meant)) for initials, meant in found.items() if len(meant) == 1}


def expand_initials(
    question: str, meant: Mapping[str, str], *, is_unknown: Callable[[str], bool]
) -> tuple[str, list[str]]:
    """The question with the course's names in place of their initials, and these names. `is_unknown` tells whether
    letters in lower case are no word, and nothing that the course says."""
    told: list[str] = []

    def write_name(found: re.Match[str]) -> str:
        typed = found.group().lower()
        if typed not in meant or not is_unknown(typed):
            return found.group()
        told.append(meant[typed])
        return meant[typed]

    return _INITIALS.sub(write_name, question), told
