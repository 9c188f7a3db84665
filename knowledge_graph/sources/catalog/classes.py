"""The classes on a page: where each begins, its code and title, its description and the lines beside it.

Tulane 2.I begins a new record at every course code. Codes also stand in descriptions and prerequisites, so here a code
begins one only where the page itself makes a beginning of it: in a heading, in bold, or else on a line that reads like
a title.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from knowledge_graph.sources.catalog.lines import PLAIN, STRONG, TERM, Outline, PageLine
from knowledge_graph.sources.catalog.settings import CatalogSettings
from knowledge_graph.sources.catalog.titles import (
    CREDITS,
    LONGEST_TITLE,
    NO_TITLE,
    SEPARATORS,
    begins_title,
    code_at,
    is_title_case,
    lines_of,
    stands_apart,
    title_and_credits,
)
from knowledge_graph.sources.language import count_words, share_of_chinese

_OPEN_END = re.compile(r"(?:[:,;(/&]|\b(?:and|or|of|with|to|in|from|than|as|both|either|one|the))\s*$", re.IGNORECASE)
_MOST_STEPS_OUT = 3
"""Containers around a title in which its description is looked for."""
_DESCRIPTION = re.compile(
    r"(?:(?:course|catalog(?:ue)?|class)\s+)?description\s*(?::\s*|$)|(?:课程)?(?:简介|描述|内容简介)\s*(?:[:\uff1a]\s*|$)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[A-Z][\w&/()' -]{1,40}:\s|[\u4e00-\u9fff]{2,8}[:\uff1a]")
_DETAIL = re.compile(
    r"(?:pre-?req|co-?req|credits?\b|grading\b|typically offered|offered\b|formerly|same as|cross-?listed|repeatable|"
    r"may (?:be repeated|not be)|restrict|先修|学分|学时)",
    re.IGNORECASE,
)
_FEWEST_WORDS = 4
_FEWEST_CHINESE = 8


@dataclass(frozen=True)
class ClassEntry:
    """A class as its page describes it. `details` are the other lines: credits, prerequisites, notes."""

    code: str
    title: str
    description: str
    details: tuple[str, ...]

    @property
    def text(self) -> str:
        """The description first, so that an answer can begin with it."""
        return "\n".join(part for part in (self.description, *self.details) if part)


@dataclass(frozen=True)
class _Start:
    at: int
    code: str
    title: str
    rest: tuple[PageLine, ...]
    """What follows the title on its line."""
    skip: int
    """Lines of the title."""


def classes_of(outline: Outline, settings: CatalogSettings) -> tuple[ClassEntry, ...]:
    """Every class of a page, in order, those without a description too. A page about something else has none."""
    outline, starts = _find_starts(outline, settings)
    ends = [*(start.at for start in starts[1:]), len(outline.lines)]
    befores = [-1, *(start.at for start in starts)]
    return tuple(_entry(outline, *each) for each in zip(starts, befores, ends, strict=False))


def find_general_sentences(outline: Outline, settings: CatalogSettings) -> tuple[str, ...]:
    """The sentences above the first class of a page, which hold for its classes together: who may take them."""
    outline, starts = _find_starts(outline, settings)
    above = outline.lines[: starts[0].at] if starts else ()
    return tuple(dict.fromkeys(line.text for line in above if _is_prose(line) and _SENTENCE_END.search(line.text)))


_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’)）]*$")


def _find_starts(outline: Outline, settings: CatalogSettings) -> tuple[Outline, list[_Start]]:
    """Where classes begin, in the outline as it is or with its lines split."""
    if starts := _starts_in_headings(outline.lines, settings):
        return outline, starts
    outline = _split_lines(outline, settings)
    return outline, _plain_starts(outline.lines, settings)


def _starts_in_headings(lines: Sequence[PageLine], settings: CatalogSettings) -> list[_Start]:
    """Starts in headings and terms, of the topmost rank that has any."""
    found = [
        start for at in range(len(lines)) if lines[at].rank <= TERM and (start := _heading_start(lines, at, settings))
    ]
    top = min((lines[start.at].rank for start in found), default=0)
    return [start for start in found if lines[start.at].rank == top]


def _heading_start(lines: Sequence[PageLine], at: int, settings: CatalogSettings) -> _Start | None:
    match = code_at(lines[at].text, settings.heading_code)
    if match is None:
        return None
    code, rest = match
    if rest:
        title, credits = title_and_credits(rest)
        is_title = begins_title(title) or stands_apart(title, lines[at].text)
        return _Start(at, code, title, credits, 1) if is_title else None
    following = lines[at + 1] if at + 1 < len(lines) else None
    if following is None or len(following.text) > LONGEST_TITLE or not begins_title(following.text):
        return None
    title, credits = title_and_credits(following.text)
    return _Start(at, code, title, credits, 2)


def _plain_starts(lines: Sequence[PageLine], settings: CatalogSettings) -> list[_Start]:
    """Starts on lines in bold, or on any line when more of those read like one."""
    found: list[_Start] = []
    is_list_of_codes = False
    for at, line in enumerate(lines):
        pattern = settings.heading_code if line.rank == STRONG else settings.code
        match = None if line.is_link or line.rank <= TERM else code_at(line.text, pattern)
        if match is None:
            is_list_of_codes = False
            continue
        is_open = at > 0 and lines[at - 1].rank > TERM and _OPEN_END.search(lines[at - 1].text) is not None
        start = _plain_start(line, at, *match, doubtful=is_list_of_codes)
        is_list_of_codes = is_open or start is None
        if start is not None and not is_open:
            found.append(start)
    bold = [start for start in found if lines[start.at].rank == STRONG]
    return bold if len(bold) * 2 >= len(found) else found


def _plain_start(line: PageLine, at: int, code: str, rest: str, *, doubtful: bool) -> _Start | None:
    bold = line.lead[len(line.text) - len(rest) :].strip(SEPARATORS) if len(line.lead) > len(code) else ""
    if bold and line.rank == STRONG and begins_title(bold):
        title, credits = title_and_credits(bold)
        after = line.text[len(line.lead) :].lstrip(SEPARATORS)
        return _Start(at, code, title, (*credits, *lines_of(after)), 1)
    first, *cells = rest.split(" | ")
    title, following = (first, lines_of(*cells)) if cells else title_and_credits(rest, plain=True)
    if not begins_title(title) or NO_TITLE.match(title) or len(title) > LONGEST_TITLE:
        return None
    has_credits = bool(following) and following[0].text.startswith("Credits: ")
    return _Start(at, code, title, following, 1) if has_credits or (not doubtful and is_title_case(title)) else None


def _split_lines(outline: Outline, settings: CatalogSettings) -> Outline:
    """The page with a line of its own for every class that begins, with title and credits, inside a longer text."""
    inside = re.compile(
        rf"(?<=[.!?)\]])\s+(?=(?:{settings.code.pattern})[\s:.–—-]+[^.!?]{{2,{LONGEST_TITLE}}}?(?:\(\s*\d|{CREDITS}))"
    )
    pieces = [[replace(line, text=text) for text in inside.split(line.text)] for line in outline.lines]
    if all(len(each) == 1 for each in pieces):
        return outline
    shift = [0]
    for each in pieces:
        shift.append(shift[-1] + len(each))
    places = tuple(replace(place, start=shift[place.start], end=shift[place.end]) for place in outline.places)
    return Outline(tuple(line for each in pieces for line in each), places)


def _entry(outline: Outline, start: _Start, before: int, end: int) -> ClassEntry:
    """The class that begins at `start`; the next begins at `end`, the one above at `before` or, -1, nowhere."""
    first: ClassEntry | None = None
    for limit in _limits(outline, start, before, end):
        body = outline.lines[start.at + start.skip : limit]
        description, details = _split_description([*start.rest, *_until_heading(body, outline.lines[start.at].rank)])
        entry = ClassEntry(start.code, start.title, description, details)
        if description:
            return entry
        first = first or entry
    return first or ClassEntry(start.code, start.title, *_split_description(start.rest))


def _limits(outline: Outline, start: _Start, before: int, end: int) -> Iterator[int]:
    """Where a class may end: with the innermost container that has more than its title, then further out."""
    at: int | None = outline.lines[start.at].place
    steps = 0
    while at is not None and steps < _MOST_STEPS_OUT:
        place = outline.places[at]
        if place.end > start.at + start.skip or start.rest:
            yield min(place.end, end)
            steps += 1
        if place.end > end or place.start <= before:
            return
        at = place.around


def _until_heading(body: Sequence[PageLine], rank: int) -> Sequence[PageLine]:
    """The lines up to a heading that is no part of this class: one of its own rank or above."""
    stop = next((at for at, line in enumerate(body) if line.rank <= min(rank, TERM)), len(body))
    return body[:stop]


def _split_description(lines: Sequence[PageLine]) -> tuple[str, tuple[str, ...]]:
    """The description, and the other lines. Where one is labelled so, it is what the label stands before."""
    label = next((at for at, line in enumerate(lines) if _DESCRIPTION.match(line.text)), None)
    if label is None:
        prose = [line.text for line in lines if _is_prose(line)]
        return "\n".join(prose), tuple(line.text for line in lines if not _is_prose(line))
    inline = _DESCRIPTION.sub("", lines[label].text, count=1).strip()
    end = label + 1
    while end < len(lines) and ((end == label + 1 and not inline) or not _is_label(lines[end])):
        if _is_marked(lines[end]):
            break
        end += 1
    described = [inline, *(line.text for line in lines[label + 1 : end])]
    others = [*lines[:label], *lines[end:]]
    return "\n".join(text for text in described if text), tuple(line.text for line in others)


def _is_marked(line: PageLine) -> bool:
    """Whether the page sets a line apart as a label: a heading, or a bold beginning that ends with a colon."""
    return line.rank <= TERM or (
        line.rank == STRONG and (line.lead.endswith((":", "\uff1a")) or line.lead == line.text)
    )


def _is_label(line: PageLine) -> bool:
    return line.rank < PLAIN or _LABEL.match(line.text) is not None or _DETAIL.match(line.text) is not None


def _is_prose(line: PageLine) -> bool:
    """Whether an unlabelled line describes the class: words, and none of the things beside a description."""
    if _is_marked(line) or line.is_link or _LABEL.match(line.text) or _DETAIL.match(line.text):
        return False
    if share_of_chinese(line.text) >= 0.2:
        return len(line.text) >= _FEWEST_CHINESE
    return count_words(line.text) >= _FEWEST_WORDS
