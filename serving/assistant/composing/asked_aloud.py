"""The questions that a lecturer asks aloud, and the sentences that reply to them: the very question that was asked, one
for the reason of something, one that announces a use. Pure."""

import re
from collections.abc import Sequence
from re import Pattern

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.reply_cues import GIVES_REASON, is_bare_why, replies_to_why
from serving.assistant.composing.terms import ALL_OF_IT, Coverage
from serving.assistant.composing.window import LONGEST_HEADING
from serving.assistant.understanding.question_kind import QuestionKind, question_kind

WHOLE_TITLE = 0.8
"""Share of the question from which a title asks the same. A choice."""

ASKED_THE_SAME: dict[Lang, float] = {"en": 0.6, "zh": 0.75}
"""Meaning (stretched cosine) of a question asked aloud from which what it names need not be named by what replies to
it. Choices."""

ASKED_NEARLY = 0.6
"""Meaning (stretched cosine) from which a question asked aloud is nearly the one that was asked. A choice."""


SHORTEST_MARKED: dict[Lang, int] = {"en": 45, "zh": 12}
"""Characters below which a sentence is a heading, said aloud, or a piece of one. A choice."""

HALF = 0.5
"""Share of the question from which a sentence speaks of it. A choice."""


def find_question_before(piece: MaterialPiece, place: int) -> int | None:
    """Where the lecturer asks what a sentence replies to: right before it, but for "Good question."."""
    for before in range(place - 1, max(-1, place - 3), -1):
        if piece.wordings[before][2]:
            return before
        if piece.sizes[before] > LONGEST_HEADING[piece.lang]:
            return None
    return None


def measure_asked_before(piece: MaterialPiece, place: int) -> float:
    """How much more than nearly, 0..1, a question that the lecturer asks right before a sentence means what is asked:
    the sentence replies to it."""
    asked = [piece.lines[one].meaning for one in range(max(0, place - 2), place) if piece.wordings[one][2]]
    return max(0.0, max(asked, default=0.0) - ASKED_NEARLY) / (1.0 - ASKED_NEARLY)


def find_opening(
    piece: MaterialPiece, place: int, said: Sequence[frozenset[str]], covered: Coverage, announced: Pattern[str]
) -> int | None:
    """Where the answer begins that a sentence announces, or that it gives to a question asked aloud which does: there,
    or at that question. What is asked about is named in it; in one of "it", right before."""
    text = piece.lines[place].text
    if (told := announced.search(text)) is not None:
        near = covered.find_terms_in(text[max(0, told.start() - BESIDE_IT) : told.end() + BESIDE_IT])
        begin = place - (not near and place > 0 and _OF_IT.search(told.group()) is not None)
        near = near | said[begin]
        return begin if covered.of(near) > 0.0 and covered.names_concepts(near) else None
    opens = find_question_before(piece, place)
    if opens is None or announced.search(piece.lines[opens].text) is None:
        return None
    named = said[opens]
    if _OF_IT.search(piece.lines[opens].text):
        named = named.union(*said[max(0, opens - MOST_REFERRED) : opens])
    return opens if covered.of(named) > 0.0 and covered.names_concepts(named) else None


BESIDE_IT = 60
"""Characters beside the words that tell a use in which that is named whose use it is: further away it is of another
thing. A choice."""
_OF_IT = re.compile(r"\b(?:it|this|that|these|those|they|one|each|which)\b|它|[这那]些?(?!个)|哪", re.IGNORECASE)
MOST_REFERRED = 3
"""Sentences before a question of "it" in which that is named. A choice."""


def gives_reason_of_another(
    piece: MaterialPiece, place: int, said: Sequence[frozenset[str]], covered: Coverage
) -> bool:
    """Whether a sentence gives the reason of something that the lecturer asks for and that is not asked about: "Why do
    they curve? Because …", in one line or in two; a bare "Why?" asks of what is said before it."""
    line, own = piece.lines[place], said[place]
    if place > 1 and is_bare_why(piece.lines[place - 1].text) and GIVES_REASON.search(line.text):
        own = own | said[place - 2]
    elif (asked := find_question_of_reason(piece, place)) is not None:
        return covered.of(own | said[asked]) == 0.0
    elif not replies_to_why(line.text):
        return False
    return covered.of(own) == 0.0 and line.meaning < ASKED_THE_SAME[piece.lang]


def leans_on_question(
    piece: MaterialPiece, key: int, covered: Coverage, said: Sequence[frozenset[str]], title: frozenset[str]
) -> bool:
    """Whether a sentence leans on the question that it replies to, and that on what is said before it: "Why the smaller
    child? Good question. Because …"."""
    asked = find_question_before(piece, key)
    return asked is not None and piece.wordings[key][0] and covered.of(said[asked] | title) < WHOLE_TITLE


def find_question_of_reason(piece: MaterialPiece, place: int) -> int | None:
    """Where the question stands whose reason a sentence gives; that for why a sort is used so much does not say why it
    is unstable."""
    return find_question_before(piece, place) if GIVES_REASON.search(piece.lines[place].text) else None


def find_asked_terms(piece: MaterialPiece, place: int, said: Sequence[frozenset[str]]) -> frozenset[str]:
    """What the question names that a sentence replies to, where that means nearly what is asked."""
    asked = find_question_before(piece, place)
    if asked is None or piece.lines[asked].meaning < ASKED_THE_SAME[piece.lang]:
        return frozenset()
    return said[asked]


def find_terms_of_question(
    piece: MaterialPiece, place: int, said: Sequence[frozenset[str]], covered: Coverage, kind: QuestionKind
) -> frozenset[str]:
    """What the question names that stands right before a sentence, where that is all that is asked, in a question of
    that kind, and the sentence has less than half of it."""
    is_asked = place > 0 and piece.wordings[place - 1][2] and covered.of(said[place - 1]) >= ALL_OF_IT
    if not is_asked or covered.of(said[place]) >= HALF:
        return frozenset()
    aloud = question_kind(piece.lines[place - 1].text)
    return said[place - 1] if aloud == kind or {aloud, kind} <= _ASK_WHAT_MAKES_IT else frozenset()


_ASK_WHAT_MAKES_IT = frozenset[QuestionKind](("why", "list", "aspect", "other"))
"""Kinds, by wording, of questions of which one may ask what the other does: what makes a good one, its properties."""


def begin_of_reply(piece: MaterialPiece, place: int) -> int:
    """Where a reply to the question right before it begins: there, or before that where it only points back: 就是它"""
    return max(0, place - 1 - (piece.sizes[place] < SHORTEST_MARKED[piece.lang]))
