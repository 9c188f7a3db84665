"""Numbered articles in the lines of a document: "Article 5", "5.1 Resits", "第三条". Lines in, articles out.

A number at the start of a line is a heading only if it continues the numbers before it, so that years, marks and list
items inside an article are not taken for one.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge_graph.sources.language import chinese_number, join_lines
from knowledge_graph.text.layout import DEEPEST, FENCE, LEVEL, is_fence

_NUMBER = r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,4})"
_NAMED = re.compile(
    rf"^(?P<word>Article|Section|Chapter|Part|Art\.|Sec\.|§)\s*{_NUMBER}\b[.:)]?\s*[-–—:]?\s*(?P<title>.*)$",
    re.IGNORECASE,
)
_PLAIN = re.compile(rf"^{_NUMBER}[.)、]?(?:\s+|(?<=、)|(?=[一-鿿])|$)(?P<title>.*)$")
_CHINESE = re.compile(r"^第\s*([零〇一二三四五六七八九十百\d]{1,6})\s*([条章节])[\s:：、]*(.*)$")
_CONTENTS_LINE = re.compile(r"(?:(?<!\.)(?<!\.\s)(?:\.\s?+){4,}+|(?<!…)…{2,}+)\s*+\d++\s*$")
_BULLET = re.compile(
    r"^(?:[-•●▪*·–]|\(?[a-z]\)|\(?[ivx]{1,4}\)|\d{1,2}[.)](?!\d)|[（(][一二三四五六七八九十\d]+[）)])\s*"
)
_TITLE_LIMIT = 65
"""A full line of running text on an A4 page is longer."""
_OPEN_WORDS = frozenset("a an and are as at be by for from in is of on or that the to was which with".split())
_MAX_GAP = 3
"""Numbers that may be missing between two headings that follow each other: a repealed article, a bad line."""

Line = tuple[int | None, str]
"""Page (1-based, `None` without pages) and text."""


@dataclass(frozen=True)
class Article:
    """An article with the page on which it starts; the front matter has neither number nor heading."""

    number: str | None
    heading: str | None
    page: int | None
    text: str


@dataclass(frozen=True)
class _Heading:
    number: str
    key: tuple[int, ...]
    title: str
    is_named: bool


def split_articles(lines: Sequence[Line]) -> list[Article]:
    """The articles in order, empty when the document is not numbered (fewer than two numbers).

    A heading with nothing below it is not an article of its own: its title is put before those of its parts, `A › B`.
    """
    marks = _headings([(page, line) for page, line in lines if not _CONTENTS_LINE.search(line)])
    if sum(heading is not None for heading, _ in marks) < 2:
        return []
    return _with_parents(_group(marks))


def join_paragraphs(lines: Iterable[str]) -> str:
    """Wrapped lines to running text: list items keep their line and how deep they stand, code its lines, words broken
    at the margin are repaired."""
    paragraphs: list[str] = []
    wrapped: list[str] = []
    indents: list[int] = []
    in_code, deeper = False, ""

    def end() -> None:
        nonlocal deeper
        if text := join_lines(_unbreak(wrapped)):
            paragraphs.append(f"{deeper}{text}")
        wrapped.clear()
        deeper = ""

    for line in lines:
        stripped = line.strip()
        if is_fence(line) or in_code:
            end()
            in_code ^= is_fence(line)
            paragraphs.append(FENCE if is_fence(line) else line.rstrip())
            continue
        is_item = _BULLET.match(stripped) is not None
        if not stripped or is_item:
            end()
        if is_item:
            indents = _within(indents, len(line) - len(line.lstrip()))
            deeper = LEVEL * min(len(indents) - 1, DEEPEST)
        elif stripped and not wrapped:
            indents = []
        if stripped:
            wrapped.append(stripped)
    end()
    return "\n".join([*paragraphs, *([FENCE] if in_code else [])])


def _within(indents: Sequence[int], indent: int) -> list[int]:
    """The indents of the lists that an item is inside of, its own the last."""
    return [*(one for one in indents if one < indent), indent]


def _unbreak(lines: list[str]) -> list[str]:
    text = "\n".join(lines)
    return re.sub(r"(?<=[a-z])[-\u00ad]\n(?=[a-z])", "", text).split("\n")


def _headings(lines: Sequence[Line]) -> list[tuple[_Heading | None, Line]]:
    last: tuple[int, ...] = ()
    marks: list[tuple[_Heading | None, Line]] = []
    for page, line in lines:
        heading = _heading(line.strip())
        if heading is not None and not _follows(last, heading):
            heading = None
        last = heading.key if heading else last
        marks.append((heading, (page, line)))
    return marks


def _heading(line: str) -> _Heading | None:
    if match := _CHINESE.match(line):
        number, unit, title = match.groups()
        value = _number(number)
        # Articles run on through chapters, so the chapters have a place of their own in front of them.
        return _Heading(f"第{number}{unit}", (-1, value) if unit != "条" else (value,), title, is_named=True)
    match = _NAMED.match(line) or _PLAIN.match(line)
    if match is None or match["title"][:1].islower():
        # "in accordance with / Article 7 of the Act": a reference at a line's start, not a heading.
        return None
    key = tuple(map(int, match["number"].split(".")))
    if match.re is _NAMED and match["word"].lower() in ("chapter", "part"):
        return _Heading(f"{match['word']} {match['number']}", (-1, *key), match["title"], is_named=True)
    return _Heading(match["number"], key, match["title"], is_named=match.re is _NAMED)


def _follows(last: tuple[int, ...], heading: _Heading) -> bool:
    """Whether the number continues those before it: one level deeper from 0 or 1, or a few further on any level."""
    key = heading.key
    if key[0] == -1 or (last and last[0] == -1):
        return heading.is_named
    if not last:
        return heading.is_named or (key[0] <= 1 and _is_title(heading.title)) or (len(key) > 1 and key[-1] <= 1)
    if key[: len(last)] == last:
        return len(key) == len(last) + 1 and key[-1] <= 1 + _MAX_GAP
    depth = len(key) - 1
    goes_on = len(key) <= len(last) and key[:depth] == last[:depth] and 0 < key[depth] - last[depth] <= 1 + _MAX_GAP
    enters_next = (
        len(key) == len(last) and depth and key[depth] <= 1 and 0 < key[depth - 1] - last[depth - 1] <= 1 + _MAX_GAP
    )
    if len(key) > 1:
        return goes_on or bool(enters_next and key[: depth - 1] == last[: depth - 1])
    return goes_on and (heading.is_named or _is_title(heading.title))


def _is_title(text: str, next_line: str = "") -> bool:
    """A short text that begins like a title, holds no sentence, and does not run on in the next line."""
    if not text or len(text) > _TITLE_LIMIT or text[0].islower() or next_line[:1].islower() or next_line[:1].isdigit():
        return False
    is_sentence = re.search(r"[.;?!]\s|[。；？！，]", text) or text.rstrip().endswith((".", ";", ",", "?", "!"))
    return not is_sentence and text.split()[-1].lower() not in _OPEN_WORDS


def _group(marks: list[tuple[_Heading | None, Line]]) -> list[tuple[_Heading | None, int | None, list[str]]]:
    groups: list[tuple[_Heading | None, int | None, list[str]]] = []
    for heading, (page, line) in marks:
        if heading is not None:
            groups.append((heading, page, []))
        elif not groups:
            groups.append((None, page, [line]))
        else:
            groups[-1][2].append(line)
    return groups


def _with_parents(groups: list[tuple[_Heading | None, int | None, list[str]]]) -> list[Article]:
    articles: list[Article] = []
    titles: dict[tuple[int, ...], str] = {}
    for heading, page, lines in groups:
        if heading is None:
            articles.append(Article(None, None, page, join_paragraphs(lines)))
            continue
        own, body = (
            (heading.title, lines)
            if _is_title(heading.title, lines[0] if lines else "")
            else ("", [heading.title, *lines])
        )
        titles = {key: title for key, title in titles.items() if _is_above(key, heading.key)}
        titles[heading.key] = own
        chain = " › ".join(title for title in titles.values() if title)
        articles.append(Article(heading.number, chain or None, page, join_paragraphs(body)))
    return [article for article in articles if article.text]


def _is_above(key: tuple[int, ...], below: tuple[int, ...]) -> bool:
    is_chapter = key[0] == -1 and below[0] != -1
    return is_chapter or (len(key) < len(below) and below[: len(key)] == key)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else chinese_number(text)
