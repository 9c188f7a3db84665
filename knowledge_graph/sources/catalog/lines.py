"""Lines of text with what a page's markup says of them, and how they are made while the page is walked through."""

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

TERM, STRONG, PLAIN = 7, 8, 9
"""Ranks of a line below the headings 1 to 6: a term of a list, one that begins in bold, and any other."""

RANKS = {**{f"h{level}": level for level in range(1, 7)}, "dt": TERM, "summary": TERM, "legend": TERM, "caption": TERM}
_CONTAINERS = frozenset("div section article main li td dl details fieldset body".split())
_BLOCKS = (
    _CONTAINERS - {"td"}
    | RANKS.keys()
    | frozenset("p ul ol dd tr table tbody blockquote pre hr br header address center figure form".split())
)
_BOLD = frozenset(("strong", "b"))
_GAP_BEFORE_SIGN = re.compile(r"(?<!\s)\s++([.,;:)])(?=\s|$)")


@dataclass(frozen=True)
class PageLine:
    """A line as a reader sees it. `lead` is its bold beginning, all of a heading; `place` its innermost container."""

    text: str
    rank: int = PLAIN
    lead: str = ""
    ids: tuple[str, ...] = ()
    place: int = 0
    is_link: bool = False


@dataclass(frozen=True)
class PageContainer:
    """A container: the one around it (`None` for the outermost), and the lines [start, end) inside."""

    around: int | None
    start: int
    end: int


@dataclass(frozen=True)
class Outline:
    lines: tuple[PageLine, ...]
    places: tuple[PageContainer, ...]


class OutlineBuilder:
    """Collects the words of a line until a block begins or ends."""

    def __init__(self) -> None:
        self._lines: list[PageLine] = []
        self._places: list[tuple[int | None, int]] = [(None, 0)]
        self._ends: dict[int, int] = {}
        self._open = [0]
        self._words: list[str] = []
        self._lead: list[str] = []
        self._ids: list[str] = []
        self._ranks: list[int] = []
        self._bold = self._links = self._pre = 0
        self._lead_is_over = False
        self._unlinked = False

    def enter(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in _BLOCKS:
            self._end_line()
        if tag in _CONTAINERS:
            self._places.append((self._open[-1], len(self._lines)))
            self._open.append(len(self._places) - 1)
        if tag in ("td", "th") and "".join(self._words).strip():
            self._words.append(" | ")
        if tag in RANKS:
            self._ranks.append(RANKS[tag])
        self._count(tag, node, 1)
        if id_ := node.attributes.get("id") or (node.attributes.get("name") if tag == "a" else None):
            self._ids.append(id_)

    def leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in _BLOCKS:
            self._end_line()
        if tag in _CONTAINERS:
            self._ends[self._open.pop()] = len(self._lines)
        if tag in RANKS:
            self._ranks.pop()
        self._count(tag, node, -1)

    def add(self, text: str) -> None:
        """More words; inside `pre` a line ends where the text's does."""
        first, *more = text.split("\n") if self._pre else [text]
        self._add(first)
        for line in more:
            self._end_line()
            self._add(line)

    def finish(self) -> Outline:
        self._end_line()
        ends = len(self._lines)
        places = (
            PageContainer(around, start, self._ends.get(at, ends)) for at, (around, start) in enumerate(self._places)
        )
        return Outline(tuple(self._lines), tuple(places))

    def _count(self, tag: str, node: LexborNode, step: int) -> None:
        self._bold += step if tag in _BOLD else 0
        self._pre += step if tag == "pre" else 0
        self._links += step if tag == "a" and "href" in node.attributes else 0

    def _add(self, text: str) -> None:
        self._words.append(text)
        if text.strip():
            self._lead_is_over |= not self._bold
            self._unlinked |= not self._links
        if not self._lead_is_over:
            self._lead.append(text)

    def _end_line(self) -> None:
        text = " ".join("".join(self._words).split()).strip("| ")
        if text:
            rank = min(self._ranks, default=PLAIN)
            lead = " ".join("".join(self._lead).split())
            lead = text if rank <= TERM else lead
            text = text if rank <= TERM else _GAP_BEFORE_SIGN.sub(r"\1", text)
            rank = STRONG if rank == PLAIN and lead else rank
            self._lines.append(PageLine(text, rank, lead, tuple(self._ids), self._open[-1], not self._unlinked))
            self._ids = []
        self._words, self._lead = [], []
        self._lead_is_over = self._unlinked = False
