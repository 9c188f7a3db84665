"""How the text of a document's section is laid out: paragraphs, items of lists, rows of tables, code.

Each stands on a line of its own. An item begins with "- " or its number, two blanks deeper for each list that it is
inside of; the cells of a row are parted by " | "; code stands between fences, as in Markdown. The readers of documents
write this, and whoever shows or searches a section reads it here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Literal

from knowledge_graph.lake.records import Lang
from knowledge_graph.text.sentences import split_sentences

FENCE = "```"
CELLS = " | "
LEVEL = "  "
DEEPEST = 4
"""Lists within each other that are told apart; what is deeper stands as deep."""

BlockKind = Literal["paragraph", "item", "row", "code"]

_ITEM = re.compile(
    r"^(?P<indent> *)(?P<mark>[-•●▪*·–]|\(?\d{1,2}[.)]|\(?[a-z]\)|\(?[ivx]{1,4}\))(?!\d)\s+(?P<text>\S.*)$"
)
_BULLETS = frozenset("-•●▪*·–")


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """A line, or the lines of a piece of code, without its marks. `number` is how an item is numbered, "2."; `level` is
    how many lists an item is inside of, 0 for one."""

    kind: BlockKind
    text: str
    level: int = 0
    number: str = ""

    @property
    def mark(self) -> str:
        """What stands before it where it is shown on a line of its own."""
        if self.kind != "item":
            return ""
        return f"{LEVEL * self.level}{self.number or '-'} "


def item_line(text: str, level: int = 0, number: str = "") -> str:
    """An item of a list as it is written down."""
    return f"{LEVEL * min(level, DEEPEST)}{number or '-'} {text}"


def code_lines(code: list[str]) -> list[str]:
    """Lines of code between their fences; none where there are none."""
    return [FENCE, *code, FENCE] if any(map(str.strip, code)) else []


def is_fence(line: str) -> bool:
    return line.lstrip().startswith((FENCE, "~~~"))


def layout_of(text: str) -> Iterator[LayoutBlock]:
    """The blocks of a section's text, in order."""
    code: list[str] | None = None
    for line in text.split("\n"):
        if is_fence(line):
            if code:
                yield LayoutBlock("code", "\n".join(code))
            code = [] if code is None else None
        elif code is not None:
            code.append(line)
        elif line.strip():
            yield _block(line)
    if code:  # a section that was cut in the middle of its code
        yield LayoutBlock("code", "\n".join(code))


def _block(line: str) -> LayoutBlock:
    if (found := _ITEM.match(line)) is not None:
        mark = found["mark"]
        level = min(DEEPEST, len(found["indent"]) // len(LEVEL))
        return LayoutBlock("item", found["text"].strip(), level, "" if mark in _BULLETS else mark)
    return LayoutBlock("row" if CELLS in line else "paragraph", line.strip())


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """One sentence of a written text, an item of a list, a piece of code or a table. `block` is what it is or, of a
    paragraph, begins; `None` for its other sentences."""

    text: str
    block: LayoutBlock | None = None


def split_written_sentences(text: str, lang: Lang) -> list[WrittenSentence]:
    """The sentences, items, code and tables of a section's text, in order. A long table is none of them."""
    found: list[WrittenSentence] = []
    for kind, grouped in groupby(layout_of(text), key=attrgetter("kind")):
        blocks = list(grouped)
        if kind == "paragraph":
            for block in blocks:
                texts = [one for one in split_sentences(block.text, lang) if one.strip()]
                found += (WrittenSentence(one, block if place == 0 else None) for place, one in enumerate(texts))
        else:
            found += (WrittenSentence(one.text, one) for one in (_table(blocks) if kind == "row" else blocks))
    return found


def _table(rows: Sequence[LayoutBlock]) -> Sequence[LayoutBlock]:
    """The rows of a table of two columns one by one; one of more as a whole, none of it where it is long."""
    if all(row.text.count(CELLS) < LEAST_CELLS - 1 for row in rows):
        return rows
    text = "\n".join(row.text for row in rows)
    return [replace(rows[0], text=text)] if len(text) <= LONGEST_TABLE else []


LONGEST_TABLE = 400
"""Characters of a table that is shown and looked through as one. A choice."""

LEAST_CELLS = 3
"""Cells that make a line of a text the row of a table."""
