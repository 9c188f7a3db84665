"""Sentences of a passage that alone would say the contrary: cut from what holds, or taken back by the next. Pure."""

import re
from collections.abc import Sequence

from serving.assistant.composing.cues import takes_back
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.reply_cues import is_taken_back, tells_what_others_held
from serving.assistant.composing.terms import Coverage
from serving.assistant.understanding.question_kind import QuestionKind

TOLD_BY_CLAIMS = frozenset[QuestionKind](("definition", "list", "how", "comparison", "aspect", "people", "calculation"))
"""Kinds of questions that ask what is so, for which what nobody claims is no answer; whether and why may ask of it."""


def is_cut(piece: MaterialPiece, place: int) -> bool:
    """Whether a sentence only says under which condition, tells what others held, or the next one takes it back: alone
    it may say the contrary."""
    text, following = piece.lines[place].text, piece.lines[place + 1].text if place + 1 < len(piece.lines) else ""
    return _CONDITION.match(text) is not None or tells_what_others_held(text) or takes_back(following)


_CONDITION = re.compile(r"^(?:(?:so|and|but),? ){0,2}(?:if|when|although|whereas)\b[^,]*$", re.IGNORECASE)
"""A sentence that only says under which condition, and leaves what holds then to the next."""


def is_nearer_taken_back(
    piece: MaterialPiece, key: int, places: Sequence[int], said: Sequence[frozenset[str]], covered: Coverage
) -> bool:
    """Whether a sentence beside the key, that speaks of more of the question, is taken back: the key may only lead to
    what is then said not to be so."""
    nearer = (at for at in places if at != key and is_taken_back(piece.lines[at].text))
    return any(covered.of(said[at]) > covered.of(said[key]) for at in nearer)
