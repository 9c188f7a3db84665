"""Passages that contrast the things that are compared. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from serving.assistant.composing.compared_sides import PLACES, Side, are_all_named, is_named
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.cues import THAN_ZH, says_opposite
from serving.assistant.composing.explain import find_windows
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import (
    QuestionUnit,
    coverage,
    is_of_concept,
    terms_of,
)
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows

LONGER = 1.3
"""How much longer than usual what is said of a thing is. A choice."""


_NOT_THE_SAME_ZH = r"区别|不同|相比|不是一回事|[另两]外?一?回事|[搞弄]混|混为一谈|分清|相反|不像"
CONTRASTS = re.compile(
    r"\b(?:whereas|unlike|differ\w*|in contrast|by contrast|compared? (?:to|with)|than|on the other hand|versus|similar"
    r"|instead of|rather than|advantage|while|however|but|both|better|worse)\b"
    rf"|{_NOT_THE_SAME_ZH}|{THAN_ZH}|(?<!因)(?<!从)而(?![且后])|反之|但|[怎如][么何样]选",
    re.IGNORECASE,
)


_CONTRASTS_PLAINLY = re.compile(
    r"\b(?:whereas|unlike|(?:in|by) contrast|on the other hand|versus|differences?)\b"
    rf"|{_NOT_THE_SAME_ZH}|{THAN_ZH}",
    re.IGNORECASE,
)
"""What stands before the definitions; a sentence that only says "but" stands behind them."""


_CONTRASTS_ALL = re.compile(
    r"\b(?:both|differ\w*|compared? (?:to|with)|(?:\w+er|more \w+|less \w+) than(?! (?:or|\d|zero|one)\b))\b",
    re.IGNORECASE,
)
"""What does so where the sentence names all that is compared: both may be two other things."""


def find_versus(request: Request, sides: Sequence[Side]) -> list[ComposedStatement]:
    """What a lecture or part says that compares one of the things by its title, "X vs. Y", in whatever words the other
    is asked about."""
    found = []
    for window in find_windows(request, most=PLACES):
        title = window.piece.entry.title
        if _VERSUS.search(title) and any(is_named(side, title) for side in sides):
            found.append(window.statement)
    return found


_VERSUS = re.compile(r"\b(?:vs|versus|compared (?:to|with))\b|对比|比较|区别", re.IGNORECASE)


def is_plain_contrast(text: str) -> bool:
    """Whether a text contrasts something by more than a "but"."""
    return _CONTRASTS_PLAINLY.search(text) is not None


def contrasts_plainly(window: Window, sides: Sequence[Side]) -> bool:
    """Whether a sentence contrasts one of the sides, and not a third thing beside them."""
    for line in window.lines:
        named = [is_named(side, line.text) for side in sides]
        if (any(named) and _CONTRASTS_PLAINLY.search(line.text)) or (all(named) and _CONTRASTS_ALL.search(line.text)):
            return True
    return False


def find_contrasts(request: Request, sides: tuple[Side, ...]) -> list[Window]:
    """At most two windows that name both and contrast them in what is asked, best first; records of a catalogue stand
    for themselves."""
    windows = best_windows(
        request.pieces, request.units, kind="comparison", aspects=request.aspects, most=8, cue=CONTRASTS, length=LONGER
    )
    windows = [_begin_at_compared(window, sides) for window in windows]
    beside = [unit for unit in request.units if not any(unit in side for side in sides)]
    windows.sort(key=lambda one: (-_measure_contrast_in(beside, one), not _contrasts_all_plainly(one, sides)))
    return [
        window
        for window in windows
        if window.piece.entry.source != "catalog"
        and (_contrasts_them(window, sides) or any(_is_parallel(line.text, sides) for line in window.lines))
        and (window.piece.entry.source != "document" or contrasts_in_a_sentence(window, sides))
        and not all(_ANNOUNCES.search(line.text) for line in window.lines)
        and not _OF_A_THIRD.search(window.text)
        and are_all_named(sides, window.text)
        and (all(aspect.said.search(window.text) for aspect in request.aspects) or says_faster(window, sides, request))
    ][:2]


def _begin_at_compared(window: Window, sides: Sequence[Side]) -> Window:
    """A window that begins with a comparison ("比较一下，垄断的价格高") from where what it compares is named: right
    before it."""
    if not _COMPARES_WHAT_WAS_SAID.search(window.lines[0].text):
        return window
    lines = window.piece.lines
    for start in range(window.start - 1, max(-1, window.start - 1 - MOST_BEFORE), -1):
        if are_all_named(sides, " ".join(line.text for line in lines[start : window.stop])):
            return replace(window, start=start)
    return window


_COMPARES_WHAT_WAS_SAID = re.compile(r"^[^，,]{0,6}(?:比较|对比)一下[，,：:].{6}")
MOST_BEFORE = 3
"""Sentences before a comparison that may name what it compares. A choice."""


def _measure_contrast_in(beside: Sequence[QuestionUnit], window: Window) -> float:
    """How much of what is asked beside the things ("在价格和产量上") a contrast in a window, or what follows it right
    away, speaks of."""
    if not beside:
        return 0.0
    told = [line.text for line in window.lines]
    return max(
        (
            coverage(beside, terms_of(f"{text} {following}"))
            for text, following in pairwise((*told, ""))
            if CONTRASTS.search(text)
        ),
        default=0.0,
    )


def _contrasts_all_plainly(window: Window, sides: Sequence[Side]) -> bool:
    """Whether one sentence names all the things and contrasts them by more than a "but"."""
    told = (line.text for line in window.lines if is_plain_contrast(line.text))
    return any(are_all_named(sides, text) for text in told)


_FASTER = re.compile(
    r"\b(?:faster|slower|quicker|(?:more|less) efficient)\b|[更较](?:有?效率|高效|快|慢)", re.IGNORECASE
)
"""What asks which of two is the faster one, and what says so."""


def says_faster(window: Window, sides: Sequence[Side], request: Request) -> bool:
    """Whether it is asked which is faster and a sentence says it of all the things, in whatever else is asked."""
    if not _FASTER.search(request.question):
        return False
    told = (line.text for line in window.lines if _FASTER.search(line.text) and CONTRASTS.search(line.text))
    return any(all(is_named(side, text) for side in sides) for text in told)


def _contrasts_them(window: Window, sides: Sequence[Side]) -> bool:
    """Whether a window contrasts something; one of the things in the same sentence, where none is a concept."""
    if any(map(is_of_concept, sides)):
        return CONTRASTS.search(window.text) is not None
    named = (line.text for line in window.lines if any(is_named(side, line.text) for side in sides))
    return any(map(CONTRASTS.search, named))


def fits_question(window: Window, sides: Sequence[Side], question: str) -> bool:
    """Whether a contrast says nothing opposite to what is asked. That the other one is faster says the same as that
    the first one is slower."""
    if not says_opposite(question, window.text):
        return True
    if " than " not in question.lower() or len(sides) != len(("first", "other")):
        return False
    told = ((line.text, more) for line in window.lines if (more := _MORE.search(line.text)) is not None)
    return any(
        all(is_named(side, text) for side in sides) and _last_named(sides, text[: more.start()]) is sides[1]
        for text, more in told
    )


_MORE = re.compile(
    r"\b(?:faster|slower|better|worse|larger|smaller|bigger|cheaper|higher|lower|longer|shorter|easier|harder|more|less)\b",
    re.IGNORECASE,
)


def _last_named(sides: Sequence[Side], text: str) -> Side:
    """The side of which a word is named last in a text."""
    return max(sides, key=lambda side: max(text.lower().rfind(unit.label.lower()) for unit in side))


def tells_one_from_the_other(window: Window, sides: Sequence[Side]) -> bool:
    """Whether a sentence says in a row what the one and what the other is: "one is called X, and the other Y"."""
    told = (line.text for line in window.lines if _ONE_AND_THE_OTHER.search(line.text))
    return any(all(is_named(side, text) for side in sides) for text in told)


_ONE_AND_THE_OTHER = re.compile(
    r"\bone(?:['’]s| (?:is|was|of them))\b.{1,60}\bother\b|一[个种].{1,30}另一[个种]", re.IGNORECASE
)


def contrasts_in_a_sentence(window: Window, sides: Sequence[Side]) -> bool:
    """Whether one sentence contrasts all of the things: a page says much beside them, a "but" among it."""
    contrasting = (line.text for line in window.lines if CONTRASTS.search(line.text))
    return any(all(is_named(side, text) for side in sides) for text in contrasting)


_ANNOUNCES = re.compile(
    r"\b(?:let's|let us|we(?:'ll| will| can)?) (?:now )?compare\b|(?:比较|对比)一下(?![，,：:].{6})", re.IGNORECASE
)
"""What says that a comparison follows, and compares nothing itself."""


_OF_A_THIRD = re.compile(r"\bthan both\b", re.IGNORECASE)
"""What compares the two with something else."""


_CLAUSES = re.compile(r"[,，;；]\s*")


def _is_parallel(line: str, sides: Sequence[Side]) -> bool:
    """Whether a sentence says something of each thing in a clause of its own: "X uses a stack, Y uses a queue"; a list
    of them says nothing of any."""
    own = {term for side in sides for unit in side for name in unit.names for term in name}
    telling = [clause for clause in _CLAUSES.split(line) if terms_of(clause) - own]
    named = [[is_named(side, clause) for side in sides] for clause in telling]
    return all(any(one[place] and sum(one) == 1 for one in named) for place in range(len(sides)))
