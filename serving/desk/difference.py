"""What differs between two texts, word for word, as data: how it is shown is the page's. Pure."""

import re
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

Operation = Literal["equal", "insert", "delete", "replace"]

_WORD = re.compile(r"[^\W\u2e80-\u9fff]+|\s+|.", re.DOTALL)
"""A word with the white space after it apart; a Chinese character or a mark stands alone."""

MOST_WORDS = 20_000
"""Longer texts are shown as one replaced by the other: comparing takes time that grows with both. A choice."""


class DifferencePiece(NamedTuple):
    """A stretch of both texts: `old` and `new` are the same when `op` is `equal`."""

    op: Operation
    old: str
    new: str


def difference(old: str, new: str) -> list[DifferencePiece]:
    """The pieces in order. Joined, their `old` is the one text and their `new` the other, white space evened out."""
    left, right = _words(old), _words(new)
    if len(left) + len(right) > MOST_WORDS:
        return [DifferencePiece("replace", "".join(left), "".join(right))]
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [DifferencePiece(op, "".join(left[a:b]), "".join(right[c:d])) for op, a, b, c, d in codes]


def _words(text: str) -> list[str]:
    return _WORD.findall(" ".join(text.split()))
