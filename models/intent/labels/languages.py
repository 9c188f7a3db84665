"""Label files in a language that the model is not made for: told, never guessed.

A question counts as Chinese or English (`language_of`); one in German would be learnt from as English, without a word.
Belongs here: finding files whose questions are in neither. By closed lists, as no language is identified otherwise.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.language import has_chinese
from models.intent.labels.files import LabelRow

_ENGLISH = frozenset(
    "about all and any are be been between by can cant could did does dont explain for from get give good have hello "
    "help how if im it its just like make more my need not of one or other please should show some tell than thanks "
    "that the their them then there these they thing this to understand versus vs what whats when where which who why "
    "with would you your".split()
)
"""Words that questions in English have and those in its neighbours do not: no *in*, *was*, *so*, *on* or *me*."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_OTHER_SCRIPT = re.compile(r"[\u0400-\u2bff\u2c80-\u2dff\u3040-\u30ff\uac00-\ud7af]")
"""Letters from Cyrillic to Khmer, Kana and Hangul; Greek is left out, for mathematics is written in it."""

_SHORTEST = 4
"""Words of a question from which on one of `_ENGLISH` is expected. Of 403, 1,577 and 2,090 such English questions 4 %,
.7 % and .1 % have none."""
_LEAST, _SHARE = 5, 0.3
"""Questions of a file, and share of those that tell, from which on it is told. A choice, far from those shares."""


def is_foreign(question: str) -> bool | None:
    """Whether a question is neither English nor Chinese; None where it is too short to tell."""
    letters = "".join(one for one in question if one.isalpha())
    if letters and 3 * len(_OTHER_SCRIPT.findall(letters)) >= len(letters):
        return True
    if has_chinese(question):
        return False
    words = _WORD.findall(question.lower())
    return None if len(words) < _SHORTEST else _ENGLISH.isdisjoint(words)


def tell_languages(rows: Sequence[LabelRow], told: BoundedTold) -> None:
    """A warning for each file in which many questions are neither English nor Chinese."""
    for file, same in groupby(sorted(rows, key=attrgetter("file", "line")), key=attrgetter("file")):
        judged = [(row, foreign) for row in same if (foreign := is_foreign(row.question)) is not None]
        found = [row for row, foreign in judged if foreign]
        if len(found) < _LEAST or len(found) < _SHARE * len(judged):
            continue
        told.file = file
        told.warning(
            found[0].line,
            f"{len(found)} questions, '{found[0].question[:60]}' the first, seem to be neither English nor Chinese; "
            "they count as English.",
            "Label questions of students who ask in English or Chinese; figures of other languages mean nothing.",
        )
        told.close()
