"""Markdown and HTML text to parts under headings.

HTML is parsed as browsers do (selectolax); the standard library's parser takes hours for a few megabytes of "<!--".
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from knowledge_graph.sources.articles import join_paragraphs

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE_FIELD = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_TABLE_ROW = re.compile(r"^\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"^\s*:?-{2,}:?\s*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_INLINE = (
    (re.compile(r"!\[([^\[\]]*+)\]\([^)]{0,500}+\)"), r"\1"),
    (re.compile(r"\[([^\[\]]++)\]\([^)]{0,500}+\)"), r"\1"),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"`([^`]+)`"), r"\1"),
)
_SKIPPED = ["script", "style", "nav", "footer", "aside", "noscript", "template", "svg", "button", "select", "textarea"]
_BLOCKS = frozenset(
    "address article aside blockquote br caption dd details div dl dt fieldset figcaption figure form header hr legend "
    "li main ol p pre section summary table tbody tfoot thead tr ul".split()
)
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)", re.IGNORECASE)
_UNCLOSED = frozenset(
    "area base br col embed hr img input link meta source track wbr "
    "colgroup dd dt li option p tbody td tfoot th thead tr".split()
)
"""Elements that have no end tag, or whose end tag may be left out."""
DEEPEST = 5_000
"""Elements within each other. Pages have some dozens; the parser's time grows with the square, 30,000 take 2 s."""


@dataclass(frozen=True)
class Headed:
    """The document's title, and its parts as (headings above it joined by ` › `, text), those without text left out."""

    title: str | None
    parts: tuple[tuple[str | None, str], ...]


@dataclass(frozen=True)
class NumberedParts:
    """The document's title, and its parts as (number of the piece they stand in, headings above, text)."""

    title: str | None
    parts: tuple[tuple[int, str | None, str], ...]


class HtmlError(ValueError):
    """The page cannot be read; the message says why, to follow "Not read: "."""


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
    _outline_markdown(text[front.end() if front else 0 :], outline)
    parts = outline.parts()
    return Headed(title.group(1) if title else outline.first_top, parts)


def markdown_pieces(pieces: Iterable[tuple[int, str]]) -> NumberedParts:
    """Numbered pieces of one Markdown text; a heading goes on into the pieces behind it."""
    outline = _Outline()
    found: list[tuple[int, str | None, str]] = []
    for number, text in pieces:
        _outline_markdown(text, outline)
        found += [(number, heading, words) for heading, words in outline.parts()[len(found) :]]
    return NumberedParts(outline.first_top, tuple(found))


def _outline_markdown(text: str, outline: _Outline) -> None:
    in_code = False
    for line in text.split("\n"):
        in_code ^= _FENCE.match(line) is not None
        heading = None if in_code else _HEADING.match(line)
        if heading:
            outline.heading(len(heading.group(1)), _plain(heading.group(2)))
        elif _TABLE_ROW.match(line) and not in_code:
            outline.row(line.strip().strip("|").split("|"))
        elif not _FENCE.match(line):
            outline.line(line if in_code else _plain(line))


def html_parts(text: str) -> Headed:
    """Parts by h1 to h6; menus, scripts and footers are left out. The title is the page's, else its first h1.

    Raises `HtmlError` when elements are nested deeper than `DEEPEST`.
    """
    if depth_of(text) > DEEPEST:
        raise HtmlError(f"its elements are nested more than {DEEPEST:,} deep")
    tree = LexborHTMLParser(text)
    tree.strip_tags(_SKIPPED, recursive=True)
    title = tree.css_first("head > title") or tree.css_first("title")
    page = _Page()
    if tree.body is not None:
        page.read(tree.body)
    parts = page.outline.parts()
    return Headed((" ".join(title.text().split()) if title else "") or page.outline.first_top, parts)


def depth_of(html: str) -> int:
    """An estimate of how deep the elements of a page are nested, without parsing them."""
    opened = Counter[str]()
    depth = deepest = 0
    for slash, name in _TAG.findall(html):
        tag = name.lower()
        # An end tag without its beginning ends nothing.
        if tag not in _UNCLOSED and (not slash or opened[tag]):
            step = -1 if slash else 1
            opened[tag] += step
            depth += step
            deepest = max(deepest, depth)
    return deepest


def _plain(line: str) -> str:
    for pattern, replacement in _INLINE:
        line = pattern.sub(replacement, line)
    return line


class _Page:
    """Collects words until a block begins or ends; the cells of a row are parted as in Markdown."""

    def __init__(self) -> None:
        self.outline = _Outline()
        self._words: list[str] = []
        self._in_heading = False

    def read(self, body: LexborNode) -> None:
        for node, is_end in _walk(body):
            tag = node.tag or ""
            if tag == "-text":
                self._words.append(node.text_content or "")
            elif tag in _LEVELS:
                self._heading(_LEVELS[tag], is_end=is_end)
            elif tag in _BLOCKS:
                self._end_block()
            elif tag in ("td", "th") and not is_end and self._text():
                self._words.append(" | ")
        self._end_line()

    def _heading(self, level: int, *, is_end: bool) -> None:
        if not is_end:
            self._end_line()
        elif heading := self._text():
            self.outline.heading(level, heading)
            self._words = []
        self._in_heading = not is_end

    def _end_block(self) -> None:
        if self._in_heading:
            self._words.append(" ")
        else:
            self._end_line()

    def _end_line(self) -> None:
        self.outline.line(self._text())
        self.outline.line("")
        self._words = []

    def _text(self) -> str:
        return " ".join("".join(self._words).split())


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Every node below `root` when it begins and, behind those inside it, when it ends."""
    node = root.first_child
    while node is not None:
        yield node, False
        below = node.first_child
        while below is None and node is not None:
            if node.tag != "-text":
                yield node, True
            below, node = node.next, node.parent
            if below is None and (node is None or node.mem_id == root.mem_id):
                return
        node = below
