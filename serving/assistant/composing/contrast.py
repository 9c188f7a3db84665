"""Passages that contrast the things that are compared. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from serving.assistant.composing.compared_sides import PLACES, Side, are_all_named, is_named
from serving.assistant.composing.composed import ComposedStatement
from serving.assistant.composing.continuation import add_what_follows, read_announced
from serving.assistant.composing.cues import THAN_ZH
from serving.assistant.composing.explain import find_windows
from serving.assistant.composing.opposites import says_opposite
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import (
    QuestionUnit,
    coverage,
    is_of_concept,
    terms_of,
)
from serving.assistant.composing.window import LENGTH, Window
from serving.assistant.composing.windows import best_windows
from serving.assistant.understanding.aspects import find_aspects

LONGER = 1.3
"""How much longer than usual what is said of a thing is. A choice."""


CHOOSES = re.compile(
    r"\b(?:when|should|would|pick|choose|prefer|better|best|faster|slower|use|instead of|or)\b"
    r"|选|用哪|什么时候|更|哪个[好快慢]|还是",
    re.IGNORECASE,
)
"""What asks which of them to take, for which what each is does not help; nor does it for an advantage of one."""


OF_MORE = re.compile(r"\b(?:why|how come|how (?:much|many))\b|为什么|为何", re.IGNORECASE)
"""What asks for a reason or an amount, for which what each thing is does not help either."""


_NOT_THE_SAME_ZH = r"区别|不同|相比|不是一回事|[另两]外?一?回事|[搞弄]混|混为一谈|分清|相反|不像|不等于"
_NOT_THE_SAME_ZH += r"|不是[^，。；？]{1,12}，[它而][就才]?是"
CONTRASTS = re.compile(
    r"\b(?:whereas|unlike|differ\w*|in contrast|by contrast|compared? (?:to|with)|than|on the other hand|versus|similar"
    r"|instead of|rather than|advantage|while|however|but|both|better|worse)\b"
    rf"|{_NOT_THE_SAME_ZH}|{THAN_ZH}|(?<!因)(?<!从)而(?![且后])|反之|但|[怎如][么何样]选",
    re.IGNORECASE,
)

_CONTRASTS_PLAINLY = re.compile(
    r"\b(?:whereas|unlike|(?:in|by) contrast|on the other hand|versus|differences?"
    r"|the (?:exact |very )?opposite|(?:mix|confus)(?:e|es|ed|ing)? (?:them|the two|these)|sounds? the same)\b"
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
        is_of_all = all(named) and _CONTRASTS_ALL.search(line.text) is not None
        if (any(named) and _CONTRASTS_PLAINLY.search(line.text)) or (is_of_all and _parts_them(line.text, sides)):
            return True
    return _says_which_is_more(window, sides)


def _parts_them(text: str, sides: Sequence[Side]) -> bool:
    """Whether what a sentence compares by "than" is one of the things with the other: an average of both is compared
    with something else."""
    before, than, behind = text.partition(" than ")
    return not than or not any(all(is_named(side, part) for side in sides) for part in (before, behind))


def _says_which_is_more(window: Window, sides: Sequence[Side]) -> bool:
    """Whether a sentence says that one of the things is faster, or more so in another way, and it or the next one names
    all of them: "X is faster but …"."""
    texts = [line.text for line in window.lines]
    return any(
        (more := _IS_MORE.search(text)) is not None
        and sum(is_named(side, text[: more.start()]) for side in sides) == 1
        and all(is_named(side, " ".join(texts[at : at + 2])) for side in sides)
        for at, text in enumerate(texts)
    )


def find_contrasts(request: Request, sides: tuple[Side, ...]) -> list[Window]:
    """At most two windows that name both and contrast them in what is asked, best first; records of a catalogue stand
    for themselves."""
    aspects = request.aspects or [one for one in find_aspects(request.question) if one.key == "when"]
    windows = best_windows(
        request.pieces, request.units, kind="comparison", aspects=aspects, most=8, cue=CONTRASTS, length=LONGER
    )
    windows = [_begin_at_compared(window, sides) for window in windows]
    beside = [unit for unit in request.units if not any(unit in side for side in sides)]
    windows.sort(
        key=lambda one: (
            not one.is_announced,
            -_measure_contrast_in(beside, one),
            not _contrasts_all_plainly(one, sides),
        )
    )
    found = [
        window
        for window in windows
        if window.piece.entry.source != "catalog"
        and (
            _contrasts_them(window, sides, request.question)
            or any(is_parallel(line.text, sides) for line in window.lines)
        )
        and (window.piece.entry.source != "document" or contrasts_in_a_sentence(window, sides))
        and not all(_ANNOUNCES.search(line.text) for line in window.lines)
        and not _OF_A_THIRD.search(window.text)
        and (window.is_announced or are_all_named(sides, window.text))
        and (all(aspect.said.search(window.text) for aspect in request.aspects) or says_faster(window, sides, request))
    ][:2]
    return [_read_other_half(read_announced(one, request.material.lectures), sides, request) for one in found]


def _read_other_half(window: Window, sides: Sequence[Side], request: Request) -> Window:
    """A window with the sentences right behind it that contrast one of the things with what it says of the other."""
    piece, stop = window.piece, window.stop
    if piece.entry.source == "subtitle":
        piece = add_what_follows(piece, request.material.lectures, LENGTH[piece.lang])
    while stop < len(piece.lines) and _goes_on_contrasting(piece.lines[stop].text, sides):
        stop += 1
    return replace(window, piece=piece, stop=stop)


def _goes_on_contrasting(text: str, sides: Sequence[Side]) -> bool:
    return is_plain_contrast(text) and any(is_named(side, text) for side in sides)


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

_WHICH_IS_BETTER = re.compile(
    r"\bwhich\b.{0,40}\b(?:better|worse|best)\b|哪一?[个种].{0,6}[更较]?[好差]", re.IGNORECASE
)
_IS_MORE = re.compile(
    r"\b(?:is|are) (?:(?:also|much|always|usually|a (?:bit|little|lot)) ){0,2}(?:faster|slower|better|worse|cheaper"
    r"|simpler|larger|smaller|easier|harder|(?:more|less) \w+)\b|[更较](?:有?效率|高效|[快慢好差大小简]|容易)",
    re.IGNORECASE,
)


def says_faster(window: Window, sides: Sequence[Side], request: Request) -> bool:
    """Whether it is asked which is faster and a sentence says it of all the things, in whatever else is asked; or which
    is better, and it is said which is more so."""
    if _WHICH_IS_BETTER.search(request.question) and _says_which_is_more(window, sides):
        return True
    if not _FASTER.search(request.question):
        return False
    told = (line.text for line in window.lines if _FASTER.search(line.text) and CONTRASTS.search(line.text))
    return any(all(is_named(side, text) for side in sides) for text in told)


def _contrasts_them(window: Window, sides: Sequence[Side], question: str) -> bool:
    """Whether a window contrasts the things in a sentence and those beside it, in any sentence where one of them is to
    be chosen or more than a difference is asked for; one of them in the same sentence, where none is a concept."""
    if any(map(is_of_concept, sides)):
        if CHOOSES.search(question) or OF_MORE.search(question):
            return CONTRASTS.search(window.text) is not None
        texts = [line.text for line in window.lines]
        beside = (" ".join(texts[max(0, at - 1) : at + 2]) for at, text in enumerate(texts) if CONTRASTS.search(text))
        return any(all(is_named(side, text) for side in sides) for text in beside)
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


def is_parallel(line: str, sides: Sequence[Side]) -> bool:
    """Whether a sentence says something of each thing in a clause of its own: "X uses a stack, Y uses a queue"; a list
    of them says nothing of any."""
    own = {term for side in sides for unit in side for name in unit.names for term in name}
    telling = [clause for clause in _CLAUSES.split(line) if terms_of(clause) - own]
    named = [[is_named(side, clause) for side in sides] for clause in telling]
    return all(any(one[place] and sum(one) == 1 for one in named) for place in range(len(sides)))
