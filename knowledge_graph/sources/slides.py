"""What a slide says: its title, the items of its lists, its code and tables, the words in its drawings, then its notes.

Belongs here: how the shapes of one slide become lines as `knowledge_graph.text.layout` has them. That a file is a deck,
and may be opened, is in `office.py`.
"""

import re
from collections.abc import Iterator, Sequence

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.shapes.base import BaseShape
from pptx.slide import Slide
from pptx.text.text import TextFrame, _Paragraph

from knowledge_graph.sources.articles import Article
from knowledge_graph.text.layout import CELLS, code_lines, item_line

_SURROUND = frozenset({PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER})
"""Placeholders that every slide repeats."""
_CODE = re.compile(
    r"[;{}]\s*$|^\s*[{}]|(?<![=!<>])=(?!=)|:=|←|<-(?!>)"
    r"|^\s*(?:if|else|for|foreach|while|return|case|switch|default|def|do|end)\b[^.?!]*$|^\s*\w+\(.*\)\s*$"
)
_MOSTLY = 0.6
"""Share of a shape's lines that look like code from which it is code. A choice."""
_WORDS = re.compile(r"[^\W\d_]{4,}|[\u4e00-\u9fff]{2,}")
_SENTENCE_WORDS = 4
"""Words from which a text in a drawing is a sentence, and no label of a box. A choice."""

_GREEK = dict(
    zip(
        "ABCDEFGHIKLMNOPQRSTUWXYZabcdefghiklmnopqrstuwxyz",
        "ΑΒΧΔΕΦΓΗΙΚΛΜΝΟΠΘΡΣΤΥΩΞΨΖαβχδεφγηικλμνοπθρστυωξψζ",
        strict=True,
    )
)
_SYMBOLS = {
    **{0xF000 + ord(latin): greek for latin, greek in _GREEK.items()},
    **{0xF000 + ord(sign): sign for sign in "()+,./0123456789:;<=>[]{|}%&!?_"},
    0xF020: " ", 0xF022: "∀", 0xF024: "∃", 0xF02D: "-", 0xF0A3: "≤", 0xF0A5: "∞", 0xF0AB: "↔", 0xF0AC: "←",
    0xF0AD: "↑", 0xF0AE: "→", 0xF0AF: "↓", 0xF0B1: "±", 0xF0B3: "≥", 0xF0B4: "×", 0xF0B7: "·", 0xF0B9: "≠",
    0xF0BA: "≡", 0xF0BB: "≈", 0xF0C6: "∅", 0xF0C7: "∩", 0xF0C8: "∪", 0xF0CC: "⊂", 0xF0CD: "⊆", 0xF0CE: "∈",
    0xF0CF: "∉", 0xF0D0: "∠", 0xF0D5: "∏", 0xF0D6: "√", 0xF0D7: "⋅", 0xF0D8: "¬", 0xF0D9: "∧", 0xF0DA: "∨",
    0xF0DB: "⇔", 0xF0DC: "⇐", 0xF0DE: "⇒", 0xF0E0: "→", 0xF0E5: "∑", 0xF0E8: "⇒", 0xF0FC: "✓",
}  # fmt: skip
"""Private characters by which PowerPoint keeps letters of the font Symbol, and arrows and ticks of Wingdings."""


def read_slide(number: int, slide: Slide) -> Article:
    """A slide as a part of its deck, headed by its title; `page` is its number."""
    title = slide.shapes.title
    heading = " ".join(_unicode(title.text_frame.text).split()) if title is not None and title.has_text_frame else ""
    lines, labels = list[str](), list[str]()
    for shape in slide.shapes:
        if title is None or shape.shape_id != title.shape_id:
            lines += _lines(shape, labels)
    lines += _drawn(labels)
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) is not None:
        lines += (text for _, text in _paragraphs(notes))
    return Article(None, heading or None, number, "\n".join(lines))


def _lines(shape: BaseShape, labels: list[str]) -> Iterator[str]:
    """The lines of a shape: of its text, of the rows of its table, of the shapes it groups. What only labels a drawing
    goes to `labels`."""
    is_placed = shape.is_placeholder
    kind = shape.placeholder_format.type if is_placed else None
    if kind in _SURROUND:
        return
    if shape.has_text_frame:
        said = _paragraphs(shape.text_frame)  # type: ignore[attr-defined]
        is_list = is_placed and kind != PP_PLACEHOLDER.SUBTITLE
        yield from _shape_lines(said, labels, is_list=is_list, is_drawn=not is_placed)
    elif getattr(shape, "has_table", False):
        for row in shape.table.rows:  # type: ignore[attr-defined]
            yield CELLS.join(" ".join(_unicode(cell.text_frame.text).split()) for cell in row.cells)
    else:
        for inner in getattr(shape, "shapes", ()):
            yield from _lines(inner, labels)


def _shape_lines(
    paragraphs: Sequence[tuple[int, str]], labels: list[str], *, is_list: bool, is_drawn: bool
) -> Iterator[str]:
    """The paragraphs of one shape: code as code, those of a body as items of a list, a drawing's by their length."""
    if _is_code([text for _, text in paragraphs]):
        yield from code_lines([text for _, text in paragraphs])
        return
    open_levels = list[int]()
    for level, text in paragraphs:
        flat = " ".join(text.split())
        if is_list and len(paragraphs) > 1:
            open_levels = [*(one for one in open_levels if one < level), level]
            yield item_line(flat, len(open_levels) - 1)
        elif is_drawn and len(flat.split()) < _SENTENCE_WORDS:
            labels.append(flat)
        else:
            yield flat


def _is_code(lines: Sequence[str]) -> bool:
    return len(lines) > 1 and sum(_CODE.search(line) is not None for line in lines) >= _MOSTLY * len(lines)


def _drawn(labels: Sequence[str]) -> Iterator[str]:
    """The labels of a drawing that are words, on one line, then those that are code; single letters say nothing."""
    worded = [one for one in labels if _WORDS.search(one) and not _CODE.search(one)]
    if worded:
        yield " · ".join(dict.fromkeys(worded))
    yield from code_lines([one for one in labels if _CODE.search(one)])


def _paragraphs(frame: TextFrame) -> list[tuple[int, str]]:
    """Level and text of each paragraph that has any; a line break inside one is a blank, tabs are kept as blanks."""
    found = ((paragraph.level, _unicode(_text(paragraph))) for paragraph in frame.paragraphs)
    return [(level, text.replace("\v", " ").expandtabs(4).rstrip()) for level, text in found if text.strip()]


def _text(paragraph: _Paragraph) -> str:
    """The text of a paragraph, what is raised in it as a power: O(n^3)."""
    raised = any(run.font._element.get("baseline", "0").startswith(_RAISED) for run in paragraph.runs)
    if not raised:
        return paragraph.text
    return "".join(
        f"^{run.text}" if run.font._element.get("baseline", "0").startswith(_RAISED) else run.text
        for run in paragraph.runs
    )


_RAISED = ("1", "2", "3", "4", "5", "6")
"""How the shift of a run begins that stands above the line, in thousandths of a percent; one below it is negative."""


def _unicode(text: str) -> str:
    """Letters of the font Symbol as what they look like; other private characters are left out."""
    if text.isascii():
        return text
    return "".join(_SYMBOLS.get(ord(sign), "") if "\uf000" <= sign <= "\uf0ff" else sign for sign in text)
