"""A question put into the language of a course, term by term, by a glossary: enough to look it up, not to be read.

Belongs here: reading the glossary and finding its names in a question. No model and no dictionary of the language: a
term
that the glossary does not know stays as it is.
"""

import csv
import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.matching import Match, TermMatcher
from knowledge_graph.text.sentences import has_cjk, plural

GLOSSARY = Path(__file__).with_name("glossary.csv")


@cache
def _matcher(lang: Lang) -> TermMatcher:
    """Finds the names of one language; the key of each is its usual name in the other."""
    other: Lang = "en" if lang == "zh" else "zh"
    return TermMatcher(
        (row[other].split("|")[0], name) for row in glossary() for name in row[lang].split("|") if name.strip()
    )


@cache
def glossary() -> tuple[dict[str, str], ...]:
    """Its rows: `en` and `zh` hold names separated by `|`, the usual one first; `field` is what they belong to."""
    with GLOSSARY.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


@lru_cache(maxsize=256)
def _find_names(text: str, lang: Lang) -> tuple[Match, ...]:
    """The names of a language in a text; kept for the last ones, which several ask for. An English name of several
    words that begins behind a hyphen is none: a matrix-vector product is no vector product."""
    found = _matcher(lang).find(text)
    return tuple(one for one in found if text[one.start - 1 : one.start] != "-" or " " not in text[one.start : one.end])


def translate(question: str, lang: Lang, *, says: Callable[[str], bool] = lambda name: False) -> str | None:
    """The question's terms in `lang`, in its order; `None` when the glossary knows none of them. A name of capitals
    that the course `says` as it stands, "EXPLAIN", is left so."""
    spoken: Lang = "en" if lang == "zh" else "zh"
    found = _find_names(question, spoken)
    if not found:
        return None
    parts, at = [], 0
    for match in found:
        typed = question[match.start : match.end]
        is_kept = is_of_capitals(typed) and says(typed.lower())
        parts += [_unknown_names(question[at : match.start], lang), typed if is_kept else match.keys[0]]
        at = match.end
    parts.append(_unknown_names(question[at:], lang))
    return " ".join(part for part in parts if part).strip() or None


def is_of_capitals(name: str) -> bool:
    """Whether a Latin name is written in capitals and digits alone: "LRU", "2PL"."""
    return _OF_CAPITALS.fullmatch(name) is not None


_OF_CAPITALS = re.compile(r"(?=[A-Z0-9+-]*[A-Z])[A-Z0-9][A-Z0-9+-]+")


def names_in(text: str) -> list[str]:
    """The things of a Chinese text that the glossary knows, in its order; none of an English one, whose parts name
    what they are about."""
    if not has_cjk(text):
        return []
    listed = {row["en"].split("|")[0] for row in glossary() if row["field"] not in ("question", "course")}
    return [text[one.start : one.end] for one in _matcher("zh").find(text) if one.keys[0] in listed]


def _unknown_names(text: str, lang: Lang) -> str:
    """What the glossary does not know: names that a question has in the language of its course already, as an English
    one has Chinese names and a Chinese one Latin ones."""
    if lang == "zh":
        return "".join(char for char in text if has_cjk(char))
    return "".join(char for char in text if not has_cjk(char) and (char.isalnum() or char in " -+#")).strip()


def things_in(text: str) -> list[str]:
    """The names of things of a subject that a text has in its own language, as the glossary knows them."""
    if has_cjk(text):
        return names_in(text)
    return [name for one in _find_names(text, "en") if is_term((name := text[one.start : one.end]).lower())]


def synonyms(name: str) -> tuple[str, ...]:
    """The other names of a thing in its own language, as the glossary has them, for several of it too; none for the
    words of questions."""
    lang: Lang = "zh" if has_cjk(name) else "en"
    low, known = name.lower(), _names(lang)
    one = low if low in known or lang == "zh" else low.removesuffix("s")
    return tuple(other for other in known.get(one, ()) if other not in (low, one))


def is_term(word: str) -> bool:
    """Whether an English word in lower case, or its singular, is the name of a thing of a subject: a trie is no
    mistyped tree."""
    return not {word, word.removesuffix("s")}.isdisjoint(_chinese_names())


def is_of_course_life(name: str) -> bool:
    """Whether the glossary has an English name as a word of studying, and not of a subject: a college."""
    return name.lower() in _of_course_life()


@cache
def _of_course_life() -> frozenset[str]:
    return frozenset(name for row in glossary() if row["field"] == "course" for name in row["en"].lower().split("|"))


def synonyms_in(text: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """Where a text has a name that has others, with the others; from the last to the first."""
    lang: Lang = "zh" if has_cjk(text) else "en"
    found = [(match.start, match.end, synonyms(text[match.start : match.end])) for match in _find_names(text, lang)]
    return sorted(((start, end, names) for start, end, names in found if names), reverse=True)


def english_names_in(text: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """Where a Chinese text calls a thing of a subject by an English name ("bst里怎么删"), with its Chinese names; from
    the last to the first, none of an English text."""
    if not has_cjk(text):
        return []
    found = [
        (one.start, one.end, _chinese_names().get(text[one.start : one.end].lower(), ()))
        for one in _find_names(text, "en")
        if _BEHIND_LATIN_NAME.search(text, 0, one.start) is None
    ]
    return sorted(((start, end, names) for start, end, names in found if names), reverse=True)


_BEHIND_LATIN_NAME = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z]+ $")
"""What shows that a Latin word is the rest of a name: the Server of "SQL Server"."""


@cache
def _chinese_names() -> dict[str, tuple[str, ...]]:
    """By each English name of a thing of a subject, and its plural, what it is called in Chinese."""
    names: dict[str, tuple[str, ...]] = {}
    for row in glossary():
        if row["field"] not in ("question", "course"):
            for name in row["en"].lower().split("|"):
                for form in () if _IN_FORMULAS & {*name.split()} else {name.strip(), plural(name.strip())}:
                    names[form] = (*names.get(form, ()), *(one.strip() for one in row["zh"].split("|")))
    return names


_IN_FORMULAS = frozenset({"log"})
"""Words of names that stand in formulas as they are: O(n log n)."""


@cache
def _names(lang: Lang) -> dict[str, tuple[str, ...]]:
    """By each name of a thing all of its names."""
    named = (row[lang].lower().split("|") for row in glossary() if row["field"] != "question")
    return {name.strip(): tuple(each.strip() for each in names) for names in named for name in names}
