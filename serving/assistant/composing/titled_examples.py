"""What is asked of a thing, where it is told in a place of its own: an example under its heading, the slide "Flow
Sensitivity Example", and what a thing is for where it is introduced. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.announcements import TELLS_USES
from serving.assistant.composing.composed import Composed, without_shown
from serving.assistant.composing.definition import compose_definition
from serving.assistant.composing.document_answers import quote_under_heading
from serving.assistant.composing.explain import LIKELY, UNLIKELY, compose_explanation
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, is_of_concept, known, terms_of
from serving.assistant.composing.window import Window, begin_with_what_it_leans_on, heading_of
from serving.assistant.composing.wording import wording

_EXAMPLE = re.compile(r"\bexamples?\b|例子|示例|举例|例题", re.IGNORECASE)


def compose_aspect(request: Request) -> Composed | None:
    """What is asked of a thing; of an example first what stands under its own heading, and of what a thing is for first
    what introduces it, where that tells it."""
    found = compose_explanation(request)
    leading, most = _find_titled_example(request), 1
    if leading is None and (found is None or found.note):
        leading, most = _find_example_before_name(request), 0
    if leading is None and not (found and TELLS_USES.search(found.statements[0].text)):
        leading, most = _find_introduction(request), MOST_BESIDE
    if leading is None:
        return found
    others = found.statements if found else ()
    told = leading.statements[0]
    shown = next((one for one in others if told.text in one.text.replace("**", "")), told)
    beside = [one for one in others if one.evidence != shown.evidence]
    return replace(leading, statements=(shown, *without_shown(beside, shown.text)[:most]))


def _find_example_before_name(request: Request) -> Composed | None:
    """What is told before a sentence that only then gives its name, with that sentence: "… That's confounding"."""
    units = known(request.units)
    if not units or all(one.key != "example" for one in request.aspects):
        return None
    for piece in request.pieces:
        named = (at for at, line in enumerate(piece.lines) if at > 0 and is_name_of_it(line.text, units))
        if (place := next(named, None)) is not None:
            start = begin_with_what_it_leans_on(piece, place - 1) if place > 1 else 0
            window = Window(piece, start, place + 1, place, 0.0, 0.0, 0.0, is_cued=False, has_aspect=True)
            said = wording(request.spoken)
            statement = window.statement
            return Composed(
                "aspect",
                "partial",
                (statement,),
                note=said.probably,
                is_whole=True,
                after=said.hand_off,
                score=UNLIKELY,
            )
    return None


def is_name_of_it(text: str, units: Sequence[QuestionUnit]) -> bool:
    """Whether a sentence gives what was told before it the name that is asked about, and no longer one."""
    own = frozenset[str]().union(*(name for unit in units for name in unit.names))
    named = (terms_of(found["name"] or found["zh"]) for found in _THAT_IS.finditer(text))
    return any(coverage(units, one) >= ALL_OF_IT and one <= own for one in named)


_THAT_IS = re.compile(
    r"\b(?:(?:that|this)(?:['’]s| is| was)(?: called| known as| what (?:we|you|people) call)?|we call (?:that|this|it))"
    r" (?!not\b)(?:an? |the )?(?P<name>[\w'’-]+(?: [\w'’-]+){0,2}?)"
    r"(?=[^\w\s'’-]|$| (?:for|in|of|at|here|and|or|which|that|because|then|as|with)\b)"
    r"|[这那](?:个?现象|种情况|种做法)?就?(?:是|叫做?|称为)(?:我们常?说的|所谓的?|一个)?(?P<zh>[^，。：！？]{1,10})(?=[，。：！？]|$)",
    re.IGNORECASE,
)
MOST_BESIDE = 2
"""Statements that are shown beside an introduction. A choice."""


def _find_introduction(request: Request) -> Composed | None:
    """What introduces the one concept whose purpose is asked, where that says what it is for: "an algorithm that finds
    the shortest paths"."""
    purpose = next((one for one in request.aspects if one.key == "purpose"), None)
    if purpose is None or len(request.units) != 1 or not is_of_concept(request.units):
        return None
    found = compose_definition(replace(request, kind="definition", aspects=()))
    if found is None or found.note or _IS_FOR.search(found.statements[0].text) is None:
        return None
    return Composed("aspect", "partial", found.statements[:1], score=LIKELY)


_IS_FOR = re.compile(
    rf"{TELLS_USES.pattern}"
    r"|\b(?:algorithm|method|way|procedure|technique|tool|structure|rule|formula)s?,? (?:that|which|for|to) [a-z]+"
    r"|\b(?:used|in order) to\b|用于|用来|为了",
    re.IGNORECASE,
)
"""How an introduction says what a thing is for."""


def _find_titled_example(request: Request) -> Composed | None:
    units = known(request.units)
    if not units or all(one.key != "example" for one in request.aspects):
        return None
    for piece in request.pieces:
        heading = heading_of(piece.entry)
        if _EXAMPLE.search(heading) and coverage(units, terms_of(heading)) >= ALL_OF_IT:
            return Composed("aspect", "partial", (quote_under_heading(piece, piece.lines),), score=LIKELY)
    return None
