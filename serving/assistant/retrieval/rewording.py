"""Other wordings of a question, as a model writes them (Maastricht 1.1): what is made of its text. Pure.

A small model numbers its lines, quotes them, talks about them first, repeats itself or stops early. Whatever can be
read as a wording is taken, nothing is invented, and the question itself always stays the first query.
"""

import re
from collections.abc import Sequence

WANTED = 3
"""Wordings asked for (Maastricht 1.1)."""

LONGEST = 300
"""Characters of a wording. A choice: a longer line is an answer or a ramble, not a question."""

_NUMBER = r"\(?\d{1,2}\s*[.)、:：．](?!\d)\s*|[（(]\d{1,2}[)）]\s*|[①②③④⑤⑥⑦⑧⑨]\s*"
_LABEL = r"(?:Q|Question|Version|问题|问法|改写)\s*\d*\s*[:：]\s*"
_MARK = re.compile(rf"^(?:\s*>)*\s*(?:[-*•·–—]+\s+)?(?:{_NUMBER})?(?:\**\s*{_LABEL})?", re.IGNORECASE)
_QUOTES = "\"'`*_“”‘’「」『』《》 \t"
_OPENING = r"sure|certainly|of course|okay|here (?:are|is)|below (?:are|is)|好的|当然|以下|下面|这里"
_ABOUT = r"versions?|rewordings?|wordings?|alternatives?|改写|问法|说法|版本"
_PREAMBLE = re.compile(rf"[:：]\s*$|^\W*(?:{_OPENING}).*(?:{_ABOUT})", re.IGNORECASE)
"""A line that announces the others: one that ends in a colon, or opens as such lines do and speaks of wordings."""


def queries(question: str, written: str, *, wanted: int = WANTED) -> tuple[str, ...]:
    """The question, then up to `wanted` other wordings of it from the text that a model wrote."""
    return (question, *wordings(written, known=[question])[:wanted])


def wordings(written: str, *, known: Sequence[str] = ()) -> list[str]:
    """The wordings in a text, one a line, in order; none twice and none of `known`, whatever their marks and case."""
    seen = {_key(each) for each in known}
    found = []
    for line in written.splitlines():
        bare = _bare(line)
        key = _key(bare)
        if key and key not in seen and len(bare) <= LONGEST and not _PREAMBLE.search(bare):
            seen.add(key)
            found.append(bare)
    return found


def _bare(line: str) -> str:
    """A line without numbers, bullets and quotes around it."""
    return _MARK.sub("", line.strip().strip(_QUOTES), count=1).strip().strip(_QUOTES).strip()


def _key(text: str) -> str:
    """Letters and digits alone: what differs in nothing else is the same wording."""
    return "".join(character for character in text.casefold() if character.isalnum())
