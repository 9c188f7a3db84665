"""Markdown and HTML text to parts under headings. The standard library's parser is enough for saved pages."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from knowledge_graph.sources.articles import join_paragraphs

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE_FIELD = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_SECTION = re.compile(r"<!\[[^>]*>")
"""Office programs write `<![if ...]>`; the parser stops at those it does not know."""
_TABLE_ROW = re.compile(r"^\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"^\s*:?-{2,}:?\s*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_INLINE = (
    (re.compile(r"!\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"`([^`]+)`"), r"\1"),
)
_SKIPPED = {"script", "style", "nav", "footer", "aside", "noscript", "template", "svg", "button", "form", "select"}
_BLOCKS = {
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "tr",
    "table",
    "br",
    "section",
    "article",
    "dt",
    "dd",
    "blockquote",
    "pre",
    "hr",
}
_LEVELS = {f"h{level}": level for level in range(1, 7)}


@dataclass(frozen=True)
class Headed:
    """The document's title, and its parts as (headings above it joined by ` › `, text), those without text left out."""

    title: str | None
    parts: tuple[tuple[str | None, str], ...]


class _Outline:
    """Collects lines under the headings that are open."""

    def __init__(self) -> None:
        self._open: dict[int, str] = {}
        self._lines: list[str] = []
        self._parts: list[tuple[str | None, str]] = []
        self.first_top: str | None = None

    def heading(self, level: int, text: str) -> None:
        self._flush()
        self._open = {above: title for above, title in self._open.items() if above < level}
        if level == 1 and self.first_top is None:
            self.first_top = text
        elif text:
            self._open[level] = text

    def line(self, text: str) -> None:
        self._lines.append(text)

    def row(self, cells: list[str]) -> None:
        """A row of a table is a paragraph of its own; the rule below the header is nothing."""
        if not all(_TABLE_RULE.match(cell) for cell in cells):
            self._lines += [" | ".join(_plain(cell.strip()) for cell in cells), ""]

    def parts(self) -> tuple[tuple[str | None, str], ...]:
        self._flush()
        return tuple(self._parts)

    def _flush(self) -> None:
        if text := join_paragraphs(self._lines):
            self._parts.append((" › ".join(self._open.values()) or None, text))
        self._lines = []


def markdown_parts(text: str) -> Headed:
    """Parts by `#` headings; the first top heading, or the front matter's `title`, is the document's title."""
    front = _FRONT_MATTER.match(text)
    title = _TITLE_FIELD.search(front.group(1)) if front else None
    outline = _Outline()
    in_code = False
    for line in text[front.end() if front else 0 :].split("\n"):
        in_code ^= _FENCE.match(line) is not None
        heading = None if in_code else _HEADING.match(line)
        if heading:
            outline.heading(len(heading.group(1)), _plain(heading.group(2)))
        elif _TABLE_ROW.match(line) and not in_code:
            outline.row(line.strip().strip("|").split("|"))
        elif not _FENCE.match(line):
            outline.line(line if in_code else _plain(line))
    parts = outline.parts()
    return Headed(title.group(1) if title else outline.first_top, parts)


def html_parts(text: str) -> Headed:
    """Parts by h1 to h6; menus, scripts and footers are left out. The title is the page's, else its first h1."""
    parser = _Page()
    parser.feed(_SECTION.sub("", text))
    parser.close()
    parts = parser.outline.parts()
    return Headed(" ".join(parser.title.split()) or parser.outline.first_top, parts)


def _plain(line: str) -> str:
    for pattern, replacement in _INLINE:
        line = pattern.sub(replacement, line)
    return line


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.outline = _Outline()
        self.title = ""
        self._skipping: list[str] = []
        self._words: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SKIPPED:
            self._skipping.append(tag)
        elif tag == "title":
            self._in_title = True
        elif tag in _BLOCKS or tag in _LEVELS:
            self._end_line()
        elif tag in ("td", "th"):
            self._words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._skipping:
            del self._skipping[self._skipping.index(tag) :]
        elif tag == "title":
            self._in_title = False
        elif tag in _LEVELS:
            heading = " ".join("".join(self._words).split())
            self._words = []
            self.outline.heading(_LEVELS[tag], heading)
        elif tag in _BLOCKS:
            self._end_line()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        elif not self._skipping:
            self._words.append(data)

    def close(self) -> None:
        super().close()
        self._end_line()

    def _end_line(self) -> None:
        self.outline.line(" ".join("".join(self._words).split()))
        self.outline.line("")
        self._words = []
