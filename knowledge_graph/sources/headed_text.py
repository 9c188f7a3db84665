"""Markdown and HTML text to parts under headings.

HTML is parsed as browsers do (selectolax); the standard library's parser takes hours for a few megabytes of "<!--".
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from selectolax.lexbor import LexborHTMLParser, LexborNode

from knowledge_graph.sources.articles import join_paragraphs
from knowledge_graph.text.invisible import without_invisible
from knowledge_graph.text.layout import CELLS, code_lines, is_fence, item_line

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE_FIELD = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_BOLD_LINE = re.compile(r"^(\*\*|__)(?=\S)((?:(?!\1).)+)(?<=\S)\1\W*$")
_BOLD_NUMBER = re.compile(r"^(\*\*|__)\d{1,3}[.)](?:[^\S\n](?:(?!\1).)+)?\1\W*\s\S.*$")
_QUESTION = re.compile(r"^\W*\w[^.。]*[?？]\W*$")
_BELOW_HASHES = 7
"""The level of a heading that is a bold line: below every heading with hash signs."""
_LABEL = re.compile(r"[:：](?:\*\*|__)?\s*$")
_LONGEST_BOLD = 200
"""Characters of the longest line that is a heading for being bold: a longer one is a paragraph that warns."""
_TO_A_PLACE_IN_IT = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[^\[\]]+\]\(#[^)]*\)\s*$")
_TABLE_ROW = re.compile(r"^\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"^\s*:?-{2,}:?\s*$")
_INLINE = (
    (re.compile(r"!\[([^\[\]]*+)\]\([^)]{0,500}+\)"), r"\1"),
    (re.compile(r"\[([^\[\]]++)\]\([^)]{0,500}+\)"), r"\1"),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*]+?)(?<=[^\s\\])\*(?![\w*])"), r"\1"),
)
_CODE_OR_TAG = re.compile(
    r"`(?P<code>[^`]+)`|(?P<power><sup>)"
    r"|</?(?:(?P<block>br|table|thead|tbody|tr|td|th|div|img|center|details|summary|ul|ol|li|hr|p|blockquote)"
    r"|span|sup|sub|kbd|strong|em|font|small|[abiu])(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_TO_BE_WRITTEN = re.compile(r"\W*(?:(?:your |the )?answers? (?:goes )?here|todo)\W*", re.IGNORECASE)
_SKIPPED = ["script", "style", "nav", "footer", "aside", "noscript", "template", "svg", "button", "select", "textarea"]
_BLOCKS = frozenset(
    "address article aside blockquote br caption dd details div dl dt fieldset figcaption figure form header hr legend "
    "li main ol p pre section summary table tbody tfoot thead tr ul".split()
)
_IN_A_CELL = frozenset("p div br".split())
"""Blocks that do not end the line of the row whose cell they are in."""
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
            self._lines += [CELLS.join(_plain(cell.strip()) for cell in cells), ""]

    def parts(self) -> tuple[tuple[str | None, str], ...]:
        self._flush()
        return tuple(self._parts)

    def _flush(self) -> None:
        text = join_paragraphs(self._lines)
        if text and not _TO_BE_WRITTEN.fullmatch(text):
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
    lines = text.split("\n")
    bold = _bold_headings(lines)
    in_code = False
    for number, line in enumerate(lines):
        in_code ^= is_fence(line)
        heading = None if in_code else _HEADING.match(line)
        if heading or number in bold:
            level, title = (len(heading.group(1)), heading.group(2)) if heading else (_BELOW_HASHES, line)
            outline.heading(level, _without_marks(_plain(title)))
        elif _TABLE_ROW.match(line) and not in_code:
            outline.row(line.strip().strip("|").split("|"))
        elif in_code or is_fence(line):
            outline.line(line)
        elif not _TO_A_PLACE_IN_IT.match(line):
            outline.line(_plain(line))


def _bold_headings(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines that head what is below them without a hash sign, as questions in a list of them do.

    Such a line stands alone between blank ones (a question may touch its answer), and has text below it: else it is a
    sentence that is made much of.
    """
    in_code = False
    kinds: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        in_code ^= is_fence(line)
        if in_code or is_fence(line):
            kinds.append((number, "text"))
        elif _HEADING.match(line):
            kinds.append((number, "heading"))
        elif line.strip() and _TAG_LINE.sub("", line).strip():
            is_alone = _is_blank(lines, number - 1) and (_is_blank(lines, number + 1) or _QUESTION.match(line))
            kinds.append((number, "bold" if is_alone and _is_bold_heading(line.strip()) else "text"))
    return frozenset(number for (number, kind), (_, below) in pairwise(kinds) if (kind, below) == ("bold", "text"))


_TAG_LINE = re.compile(r"</?[a-z]+(?:\s[^<>]*)?/?>", re.IGNORECASE)


def _is_blank(lines: Sequence[str], number: int) -> bool:
    """Whether a line is blank, a rule, a tag alone or a heading, or outside the text."""
    if not 0 <= number < len(lines):
        return True
    return _HEADING.match(lines[number]) is not None or not re.search(r"\w", _TAG_LINE.sub("", lines[number]))


def _is_bold_heading(line: str) -> bool:
    """Whether a line is bold as a whole, begins with a bold number, or is a question with a picture before or behind
    it."""
    if len(line) > _LONGEST_BOLD or _LABEL.search(line):
        return False
    is_marked = _QUESTION.match(line) is not None and _without_marks(line) != line
    return _BOLD_LINE.match(line) is not None or _BOLD_NUMBER.match(line) is not None or is_marked


def _without_marks(heading: str) -> str:
    """A heading without the pictures at its ends, which mark a level or a kind: "What is a tree? 👶"."""
    start, end = 0, len(heading)
    while start < end and _is_picture_or_blank(heading[start]):
        start += 1
    while end > start and _is_picture_or_blank(heading[end - 1]):
        end -= 1
    return heading[start:end]


def _is_picture_or_blank(sign: str) -> bool:
    return (
        sign.isspace() or sign in _JOINERS or unicodedata.category(sign) == "So" or "\U0001f3fb" <= sign <= "\U0001f3ff"
    )


_JOINERS = "\u200d\ufe0e\ufe0f"
"""What joins pictures to one, and says whether one is coloured."""


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
    return _CODE_OR_TAG.sub(_plain_text, line)


def _plain_text(found: re.Match[str]) -> str:
    """Code as it stands, a raised number as a power, nothing of other tags."""
    return found["code"] or ("^" if found["power"] else " " if found["block"] else "")


class _Page:
    """Collects words until a block begins or ends; the cells of a row are parted, and items marked, as `layout` says.

    What only leads elsewhere is left out: "Next page", "Go back to the list of activities", the name of a file to load.
    """

    def __init__(self) -> None:
        self.outline = _Outline()
        self._words: list[str] = []
        self._in_heading = self._in_cell = False
        self._lists: list[tuple[bool, int]] = []
        """Whether each list that is open is numbered, and how many items it has had."""
        self._item: str | None = None
        """The mark of the item that has begun and has no words yet."""
        self._linked = 0
        self._in_link = False

    def read(self, body: LexborNode) -> None:
        for node, is_end in _walk(body):
            tag = node.tag or ""
            if tag == "-text":
                self._say(node.text_content or "")
            elif tag == "a":
                self._in_link = not is_end
            elif tag in _LEVELS:
                self._heading(_LEVELS[tag], is_end=is_end)
            elif tag == "pre":
                self._code(node, is_end=is_end)
            elif tag in ("ul", "ol", "dl"):
                self._list(is_numbered=tag == "ol", is_end=is_end)
            elif tag in ("li", "dt", "dd"):
                self._begin_item(tag, is_end=is_end)
            elif tag in ("td", "th"):
                self._cell(is_end=is_end)
            elif tag in _BLOCKS:
                self._end_block(tag)
        self._end_line()

    def _say(self, words: str) -> None:
        self._words.append(words)
        self._linked += len(_visible_text(words)) if self._in_link else 0

    def _heading(self, level: int, *, is_end: bool) -> None:
        if not is_end:
            self._end_line()
        elif heading := self._text():
            self.outline.heading(level, heading)
            self._words, self._linked = [], 0
        self._in_heading = not is_end

    def _code(self, node: LexborNode, *, is_end: bool) -> None:
        self._end_line()
        if not is_end:
            return
        for line in code_lines((node.text() or "").strip("\n").split("\n")):
            self.outline.line(line)

    def _list(self, *, is_numbered: bool, is_end: bool) -> None:
        self._end_line()
        if not is_end:
            self._lists.append((is_numbered, 0))
        elif self._lists:
            self._lists.pop()

    def _begin_item(self, tag: str, *, is_end: bool) -> None:
        """A term of a list of terms is one item with what is said of it: "Lexer: turns characters into tokens"."""
        if tag == "dd" and not is_end and self._text():
            self._words.append(": ")
            return
        if tag == "dt" and is_end:
            return
        self._end_line()
        self._item = None if is_end else self._mark()

    def _mark(self) -> str:
        if not self._lists:
            return "-"
        is_numbered, count = self._lists[-1]
        self._lists[-1] = is_numbered, count + 1
        return f"{count + 1}." if is_numbered else "-"

    def _cell(self, *, is_end: bool) -> None:
        """A cell goes on in the line of its row, whatever paragraphs are in it."""
        if not is_end and self._text():
            self._words.append(CELLS)
        self._in_cell = not is_end

    def _end_block(self, tag: str) -> None:
        if self._in_heading or (self._in_cell and tag in _IN_A_CELL):
            self._words.append(" ")
        else:
            self._end_line()

    def _end_line(self) -> None:
        text = self._text()
        is_link = bool(text) and self._linked >= len(_visible_text(text)) and self._item is None
        has_link = self._linked > 0
        self._words, self._linked = [], 0
        if text and not _leads_elsewhere(text, is_link=is_link, has_link=has_link):
            level = max(0, len(self._lists) - 1)
            self.outline.line(text if self._item is None else item_line(text, level, self._item.removeprefix("-")))
        if text:
            self._item = None
        self.outline.line("")

    def _text(self) -> str:
        return " ".join(without_invisible("".join(self._words)).split())


def _visible_text(text: str) -> str:
    return "".join(without_invisible(text).split())


_LONGEST_WAY = 200
"""Characters of the longest line that only leads elsewhere. A choice."""
_WAY = re.compile(
    r"^\W*(?:back to\b|click (?:on )?(?:this|the|here|next|below)\b"
    r"|(?:(?:next|previous|prev|back|home|top|continue|menu)(?: (?:page|section|chapter|unit|module|lesson|topic|slide"
    r"|up|to (?:the )?top))?\W*)+$|table of contents\W*$|\(?opens? in (?:a )?new (?:window|tab)"
    r"|返回|上一?[页节章]\W*$|下一?[页节章]\W*$|点击)",
    re.IGNORECASE,
)
_LONGEST_LINK = 80
"""Characters of a line that is one link to a file or a film. A choice."""
_LOADS = re.compile(r"\b(?:transcripts?|download\w*|videos?|audio|pdf|powerpoint|asl)\b|下载|视频", re.IGNORECASE)


_BY_LINK = re.compile(
    r"^\W*(?:go|return|jump|skip|scroll|continue|proceed) (?:back |on |forward )?(?:up |down )?to\b", re.IGNORECASE
)
"""What leads elsewhere where it holds a link: "Go to the left child" is a step of an algorithm."""


def _leads_elsewhere(text: str, *, is_link: bool, has_link: bool) -> bool:
    """Whether a line says nothing of its own: it tells where to go on, or is a link to a file or a film alone."""
    if is_link and len(text) <= _LONGEST_LINK and _LOADS.search(text):
        return True
    if len(text) > _LONGEST_WAY:
        return False
    return _WAY.match(text) is not None or (has_link and _BY_LINK.match(text) is not None)


def _walk(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Every node below `root` when it begins and, behind those inside it, when it ends."""
    node = root.first_child
    while node is not None:
        yield node, False
        below = None if node.tag == "pre" else node.first_child
        while below is None and node is not None:
            if node.tag != "-text":
                yield node, True
            below, node = node.next, node.parent
            if below is None and (node is None or node.mem_id == root.mem_id):
                return
        node = below
