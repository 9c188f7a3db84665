"""Which classes of a catalogue a question names: by code, by title, by a title cut short, or by their subject. Pure."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from knowledge_graph.sources.catalog.needs import CODE, code_key
from serving.assistant.composing.semester.offers import Catalogue, Class

SHORTEST = 3
"""Letters from which the beginning of a word stands for it: "calc". A choice."""
LEAST_WORDS = 2
"""Words of a title that a question must have in a row: one alone names a subject. A choice."""

_ROMAN = {"1": "i", "2": "ii", "3": "iii", "4": "iv", "5": "v"}
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_LEFT_OUT = frozenset("the a an of and to in for on".split())


def classes_named(question: str, catalogue: Catalogue) -> list[Class]:
    """The classes in the order in which the question names them, each once. Of a title its first words are enough
    where no other begins so, and of a word its first letters: "calc 2" is Calculus II."""
    codes = ((found.start(), code_key(found.group())) for found in CODE.finditer(question))
    found = {key: at for at, key in sorted(codes, reverse=True) if key in catalogue.classes}
    spoken = [(one.start(), word) for one in _WORD.finditer(_plain(question)) if (word := _as_read(one.group()))]
    runs: dict[str, tuple[int, int]] = {}
    words = [word for _, word in spoken]
    begun = {word[:SHORTEST] for word in words}
    for key, one in catalogue.classes.items():
        title = _title(one.title)
        if title and title[0][:SHORTEST] in begun and (run := _run(words, title)) is not None:
            runs[key] = run
    for key, (place, size) in runs.items():
        rivals = [other for other in runs if other != key and _overlap(runs[other], (place, size))]
        is_widest = all(runs[other][1] < size for other in rivals)
        if is_widest:
            found.setdefault(key, spoken[place][0])
    return [catalogue.classes[key] for key in sorted(found, key=lambda key: (found[key], key))]


def is_short_for(prefix: str, subject: str) -> bool:
    """Whether the letters of a code stand in order in a subject's last words, from its first on: MUSC for music."""
    words = subject.lower().split()
    names = (" ".join(words[place:]) for place in range(len(words)))
    return any(name[0] == prefix[0].lower() and _in_order(prefix.lower(), name) for name in names)


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)


def _run(spoken: Sequence[str], title: Sequence[str]) -> tuple[int, int] | None:
    """Where the most first words of a title stand in a row, and how many; `None` for fewer than `LEAST_WORDS`."""
    best: tuple[int, int] | None = None
    for place in range(len(spoken)):
        size = 0
        while size < len(title) and place + size < len(spoken) and _stands_for(spoken[place + size], title[size]):
            size += 1
        if size >= LEAST_WORDS and (best is None or size > best[1]):
            best = place, size
    return best


def _stands_for(word: str, of_title: str) -> bool:
    return word == of_title or word == f"{of_title}s" or (len(word) >= SHORTEST and of_title.startswith(word))


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[0] + other[1] and other[0] < one[0] + one[1]


@lru_cache(maxsize=1 << 12)
def _title(title: str) -> tuple[str, ...]:
    return tuple(word for found in _WORD.findall(_plain(title)) if (word := _as_read(found)))


def _as_read(word: str) -> str:
    """A word as it is compared; empty for one that titles leave out."""
    low = word.lower()
    return "" if low in _LEFT_OUT else _ROMAN.get(low, low)


def _plain(text: str) -> str:
    """Without accents, of the same length, so that places stay."""
    return "".join(unicodedata.normalize("NFKD", char)[0] for char in text)
