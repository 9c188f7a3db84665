"""Which classes and programs of a catalogue a question names: by code, by title, by a title cut short, or by their
subject. Pure."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
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


def find_classes(question: str, catalogue: Catalogue) -> list[Class]:
    """The classes in the order in which the question names them, each once. Of a title its first words are enough
    where no other begins so, and of a word its first letters: "calc 2" is Calculus II."""
    classes = {**{one.key: one for one in catalogue.beside}, **catalogue.classes}
    codes = ((found.start(), code_key(found.group())) for found in CODE.finditer(question))
    found = {key: at for at, key in sorted(codes, reverse=True) if key in classes}
    for key, (start, _) in cut_short(question, {key: one.title for key, one in classes.items()}).items():
        found.setdefault(key, start)
    return [classes[key] for key in sorted(found, key=lambda key: (found[key], key))]


def cut_short(question: str, titles: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Where a question has at least the first words, or their first letters, of a title, by key: start and end. Of
    titles that overlap there the one with most words, none where two have as many."""
    spoken = [
        (one.start(), one.end(), word) for one in _WORD.finditer(_plain(question)) if (word := _as_read(one.group()))
    ]
    words = [word for _, _, word in spoken]
    begun = {word[:SHORTEST] for word in words}
    runs: dict[str, tuple[int, int]] = {}
    for key, named in titles.items():
        title = _title(named)
        if title and title[0][:SHORTEST] in begun and (run := _run(words, title)) is not None:
            runs[key] = run
    widest = {
        key: run
        for key, run in runs.items()
        if all(other[1] < run[1] for rival, other in runs.items() if rival != key and _overlap(other, run))
    }
    return {key: (spoken[place][0], spoken[place + size - 1][1]) for key, (place, size) in widest.items()}


_DEGREES = re.compile(
    r"\b(?:majors?|minors?|degrees?|programs?|programmes?|certificates?|certs?|bachelors?|masters?|b\.?[as]c?\b|m\.?[as]c?\b"
    r"|students?|study|studying|majoring)|专业|学位|辅修",
    re.IGNORECASE,
)
"""What says that a program is meant."""
BESIDE = 2
"""Words within which a degree is spoken of beside a name: "a degree in computing". A choice."""
_COMPARES = re.compile(r"\b(?:vs|versus|compar\w+|differ\w*|between)\b|区别|不同|比较|相比", re.IGNORECASE)
_DEGREE_WORDS = frozenset("program programme major minor degree bachelor ba bs bsc ma ms msc certificate".split())
_SHORT_FORMS = {"cs": "comput", "compsci": "comput", "ee": "electr", "econ": "econom", "stats": "statist"}


def find_programs(question: str, catalogue: Catalogue) -> list[str]:
    """The titles of the programs that a question names, in its order: each word of a title, or its first letters
    ("marine bio major", "cs degree"). One word alone may be a subject's, unless a degree is spoken of beside it."""
    spoken = [found.group().lower() for found in _WORD.finditer(_plain(question))]
    degrees = [at for at, said in enumerate(spoken) if _DEGREES.fullmatch(said)]
    words_of = {title: [one.lower() for one in _WORD.findall(_plain(title))] for title in catalogue.program_pages}
    own_of = {
        title: [one for one in words if one not in _DEGREE_WORDS and one not in _LEFT_OUT]
        for title, words in words_of.items()
    }
    found: dict[str, tuple[frozenset[int], bool]] = {}
    said_alone: dict[str, tuple[frozenset[int], bool]] = {}
    said_in_part: dict[str, tuple[frozenset[int], bool]] = {}
    for title, own in own_of.items():
        places = [next((at for at, said in enumerate(spoken) if _begins(said, one)), -1) for one in own]
        said_at = [at for at, said in enumerate(spoken) if any(_begins(said, one) for one in own)]
        is_beside = any(abs(at - degree) <= BESIDE for at in said_at for degree in degrees)
        is_whole = bool(own) and -1 not in places
        if is_whole:
            said_alone[title] = frozenset(places), False
        elif is_beside:
            said_in_part[title] = frozenset(said_at), False
        if is_whole and (is_beside or len(own) > 1):
            found[title] = frozenset(places), any(one in spoken for one in words_of[title] if one in _DEGREE_WORDS)
    if not found and degrees:  # the one subject that is named, with its degree elsewhere, or the one that is cut short
        cut = {title: one for title, one in said_in_part.items() if _is_before_a_degree(spoken, degrees, own_of[title])}
        found = said_alone if len(said_alone) == 1 else cut if len(cut) == 1 else {}
    if found and _COMPARES.search(question):  # beside it a subject alone, or the only program with a word that is said
        taken = frozenset[int]().union(*(places for places, _ in found.values()))
        others = said_alone if len(said_alone) > len(found) else said_in_part
        beside = {title: other for title, other in others.items() if taken.isdisjoint(other[0])}
        found |= beside if len(beside) == 1 else {}
    best = [
        title
        for title, (places, has_degree) in found.items()
        if not any(
            places < others or (places == others and (other_degree, other) > (has_degree, title))
            for other, (others, other_degree) in found.items()
        )
    ]
    return sorted(best, key=lambda title: (min(found[title][0]), title))


def _is_before_a_degree(spoken: Sequence[str], degrees: Sequence[int], title: Sequence[str]) -> bool:
    """Whether the name right before a degree is of words of a title alone: "a music major" is of Music & Sound, and a
    "data science major" of no Data Ethics."""
    for degree in degrees:
        first = next((at + 1 for at in range(degree - 1, -1, -1) if spoken[at] in _BEFORE_A_NAME), 0)
        named = spoken[first:degree]
        if named and all(any(_begins(said, one) for one in title) for said in named):
            return True
    return False


_BEFORE_A_NAME = frozenset(
    "a an the my your our their this that any each every for in of as is are was be with by from to and or does do did"
    " can could may must should i am im".split()
)


def find_program(question: str, catalogue: Catalogue) -> str | None:
    """The program that a question names, the one of most words where it names several."""
    return max(find_programs(question, catalogue), key=lambda title: len(_WORD.findall(title)), default=None)


def is_word_of(said: str, title: str) -> bool:
    """Whether a word stands for one of a title's, or for the kind of its degree: "bio", "cert"."""
    return any(_begins(said.lower(), word.lower()) for word in _WORD.findall(_plain(title)))


def _begins(said: str, word: str) -> bool:
    """Whether a word is said whole, by its first letters, or by a short form of its own."""
    cut = said.removesuffix("'s")
    short = _SHORT_FORMS.get(cut) or _SHORT_FORMS.get(cut.removesuffix("s"), "")
    return cut == word or (len(cut) >= SHORTEST and word.startswith(cut)) or (bool(short) and word.startswith(short))


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
