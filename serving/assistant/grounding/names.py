"""Names in a text: runs of capitalised words, acronyms, identifiers; in English and, as far as honest, Chinese.

A capital at the start of a sentence says nothing, so the first word counts only as part of a longer run or when it is
an acronym or identifier. Chinese has no capitals: taken are words in Latin letters and transliterated names with
their middle dot (艾萨克·牛顿). Other Chinese names are left to lexical support, 《titles》 to `quotes.py`.
"""

import re
from dataclasses import dataclass

from serving.assistant.grounding.sentences import split
from serving.index.analysis import content_terms

_CODE = re.compile(r"`([^`\n]{1,80})`")
_IDENTIFIER = re.compile(
    r"(?<![A-Za-z0-9_./])(?:[A-Za-z][A-Za-z0-9_]*\(\)"  # push()
    r"|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"  # quick_sort
    r"|[A-Za-z](?=[A-Za-z-]{0,40}\d)[A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"  # GPT-3
    r"|[a-z]+[A-Z][A-Za-z0-9]*"  # iPhone
    r"|[A-Z]{2,}s?(?:[/&-][A-Z]{2,})*)(?![A-Za-z0-9_])"  # BFS
)
_DOTTED = re.compile(r"[\u4e00-\u9fff]{1,3}(?:[·•・][\u4e00-\u9fff]{2})+")
_LATIN_IN_CHINESE = re.compile(
    r"(?<=[\u4e00-\u9fff“（(])\s?([A-Za-z][A-Za-z+#]{2,}(?: [A-Z][A-Za-z+#]+)*)(?=\s?[\u4e00-\u9fff，。、；：？！”）)])"
)
_CAPITAL = r"[A-Z\u00c0-\u00de\u0410-\u042f][\w'’]*(?:-[\w'’]+)*"
_PART = rf"(?:(?:[A-Z]\.)+|{_CAPITAL})"
_RUN = re.compile(rf"{_PART}(?:(?: | of | of the | de | van | von | & ){_PART})*")
_OPENING = re.compile(r"^[\s\"“‘'(*_#>\d.)–-]*$")
_NEVER = frozenset("I I'm I’m I'd I'll I've Yes No OK But And Or So If As At In On By To We You He She It They".split())


@dataclass(frozen=True)
class SpokenName:
    """A name said in a text. `words` are its index terms: all must be known for the name to be known."""

    start: int
    end: int
    text: str
    words: tuple[str, ...]

    @property
    def is_acronym(self) -> bool:
        """Whether it may stand for the first letters of other words."""
        return len(self.text) > 2 and self.text.isascii() and self.text.isupper() and self.text.isalpha()


def names(text: str) -> list[SpokenName]:
    """The names of a text, in order, none inside another."""
    free, found = text, []
    for pattern in (_CODE, _IDENTIFIER, _DOTTED, _LATIN_IN_CHINESE):
        for match in pattern.finditer(free):
            found.append(_name(*match.span(match.lastindex or 0), text))
        free = pattern.sub(lambda match: " " * len(match.group()), free)
    for piece in split(free):
        found += [_name(piece.start + start, piece.start + end, text) for start, end in _runs(piece.text)]
    return sorted((name for name in found if name.words), key=lambda name: name.start)


def _runs(sentence: str) -> list[tuple[int, int]]:
    found = []
    for match in _RUN.finditer(sentence):
        if match.start() and sentence[match.start() - 1].isalnum():
            continue
        start, end = match.span()
        if _OPENING.match(sentence, 0, start):
            start = _after_first_word(sentence, start, end)
        if start < end and sentence[start:end] not in _NEVER:
            found.append((start, end))
    return found


def _after_first_word(sentence: str, start: int, end: int) -> int:
    """Where a run at the start of a sentence is sure to be a name: its first word may be capitalised for its place."""
    space = sentence.find(" ", start, end)
    return end if space < 0 else space + 1


def _name(start: int, end: int, text: str) -> SpokenName:
    said = text[start:end]
    return SpokenName(start, end, said, tuple(content_terms(said, strict=True)))
