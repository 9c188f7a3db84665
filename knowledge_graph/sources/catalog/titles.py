"""The line on which a class begins: its code, title and credits, as catalogues print them."""

import re

from knowledge_graph.sources.catalog.lines import PageLine

CREDITS = (
    r"\(?\b\d{1,2}(?:\.\d{1,2})?(?:\s{0,9}(?:-|–|to|or)\s{0,9}\d{1,2}(?:\.\d)?){0,9}"
    r"\s{0,9}(?:credits?|cr|units?|hours?|hrs?|c\.?h|s\.?h|学分)\b"
)
_CREDIT_HOURS = re.compile(rf"\(\s*\d{{1,2}}(?:[\d.,;\-– ]|to|or)*\)|{CREDITS}[^.|]*?(?:\)|\.|\||$)", re.IGNORECASE)
SEPARATORS = " \t|:.-–—·,"
"""Between a code, a title and credits."""
_AFTER_CODE = re.compile(r"\s*$|[\s|:.(–—-]|/\s*[A-Z]")
NO_TITLE = re.compile(
    r"(?:pre-?requisites?|co-?requisites?|credits?|or|and|see|same as|formerly|is|not|may|students?)\b", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?。！？][)\"”]?(?=\s+\S)")
_SMALL_WORDS = frozenset("a an and as at by for from in into of on or the to vs via with i ii iii iv".split())
LONGEST_TITLE = 160
"""Characters. The longest title of a class in the catalogues looked at has 100."""


def code_at(text: str, pattern: re.Pattern[str]) -> tuple[str, str] | None:
    """The code with which a text begins, and what follows it; other codes of the same class, after /, are skipped."""
    match = pattern.match(text)
    if match is None or not _AFTER_CODE.match(text, match.end()):
        return None
    rest = text[match.end() :]
    while (slash := re.match(r"\s*/\s*", rest)) and (other := pattern.match(rest, slash.end())):
        rest = rest[other.end() :]
    return " ".join(match.group().split()), rest.lstrip(SEPARATORS).rstrip()


def title_and_credits(text: str, *, plain: bool = False) -> tuple[str, tuple[PageLine, ...]]:
    """A title, and as lines what follows it: its credits and, on a plain line, the text behind."""
    credits = next((each for each in _CREDIT_HOURS.finditer(text) if each.start() > 0), None)
    sentence = _SENTENCE_END.search(text) if plain else None
    if credits is not None and (sentence is None or credits.start() <= sentence.end() + 1):
        after = text[credits.end() :].lstrip(SEPARATORS + ")").rstrip("| ")
        hours = credits.group().strip("().| ")
        printed = f"Credits: {re.sub(r'(?i) {0,9}credits?', '', hours)}"
        return text[: credits.start()].strip(SEPARATORS), lines_of(printed, after)
    if sentence is not None:
        return text[: sentence.start()], lines_of(text[sentence.end() :].lstrip())
    return text.strip(" \t|:–—·,").removesuffix(".") if plain else text.strip(" \t|:"), ()


def stands_apart(title: str, line: str) -> bool:
    """Whether a dash or colon sets a title off, so that it may begin as it likes: e-Learning."""
    between = line[: line.find(title)]
    is_apart = between[-1:].isspace() and between.rstrip().endswith(("-", "–", "—", ":"))
    return bool(title) and is_apart and not re.match(r"\d{3,5}\s*(?:$|[:–-])", title)


def lines_of(*texts: str) -> tuple[PageLine, ...]:
    """Plain lines for the texts that say something."""
    return tuple(PageLine(text) for text in texts if text)


def begins_title(text: str) -> bool:
    """Titles begin with a capital, a quotation mark or a number that is read as a word: 3D, 20th."""
    as_word = re.match(r"[\"“‘(¿¡]\w|\d+[A-Za-z]", text)
    return as_word is not None or (text[:1].isalpha() and not text[0].islower())


def is_title_case(title: str) -> bool:
    """Whether at least seven in ten words begin with a capital, the small ones not counted."""
    words = [word for word in re.findall(r"[^\W\d_][\w'’]*", title) if word.lower() not in _SMALL_WORDS]
    return bool(words) and sum(not word[0].islower() for word in words) >= 0.7 * len(words)
