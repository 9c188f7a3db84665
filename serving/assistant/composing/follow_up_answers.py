"""What a follow-up asks itself, beside what it leans on in the brackets at its end, and whether its answer is
the last one once more. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.composed import Composed, without_shown
from serving.assistant.composing.composers import compose
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, OF_QUESTIONS, QuestionUnit, coverage, known, terms_of
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.follow_up_context import own_part, points_back
from serving.index.analysis import content_terms
from serving.llm.messages import Message

_ASKS = re.compile(
    r"[?？]|\b(?:what|why|how|explain|when|where|which|can (?:you|i|we)|do (?:i|we|they))\b"
    r"|什么|啥|怎么|为什么|干嘛|如何|哪|吗",
    re.IGNORECASE,
)
_MORE_OF_SAME = re.compile(r"^\W*(?:(?:and|but|so|ok),? )?(?:what|how) (?:about|if)\b", re.IGNORECASE)
"""How a message asks the question before it of something else."""


def drop_context(question: str) -> str:
    """A follow-up by whose wording its kind is told: with nothing in the brackets of what it leans on, where it asks
    something itself."""
    own = own_part(question)
    is_asking = _ASKS.search(own) is not None and _MORE_OF_SAME.match(own) is None
    return f"{own} (…)" if own != question and is_asking else question


def weaken_context(units: Sequence[QuestionUnit], question: str) -> tuple[QuestionUnit, ...]:
    """Units of which those that a question only leans on weigh less where it names `ENOUGH` things itself, or asks the
    same of another thing that it names in two words: "what about the paper one"."""
    own = {unit.label for unit in known(find_own(units, question))}
    if len(own) < (ENOUGH_OF_ANOTHER if _MORE_OF_SAME.match(question) else ENOUGH):
        return tuple(units)
    return tuple(unit if unit.label in own else replace(unit, weight=OF_CONTEXT * unit.weight) for unit in units)


ENOUGH, ENOUGH_OF_ANOTHER, OF_CONTEXT = 3, 2, 0.5
"""Things of its own from which a follow-up is told by them rather than by what it leans on, and how much of its weight
that keeps then. Choices."""


def find_own(units: Sequence[QuestionUnit], question: str) -> list[QuestionUnit]:
    """The units that a follow-up names itself."""
    own = own_part(question).lower()
    return [unit for unit in units if unit.label.lower() in own]


def note_repetition(found: Composed, request: Request, history: Sequence[Message]) -> Composed:
    """The answer to a follow-up, with a word on it where it is the last answer once more and lacks something that the
    follow-up names itself; a record of a catalogue holds the answer to many questions."""
    last = find_last_answer(history).replace("**", "")
    shown = [one.text.replace("**", "") for one in found.statements if one.evidence is not None]
    is_repeated = 0 < len(shown) == len(_MARK.findall(last)) and all(text in last for text in shown)
    if not is_repeated or request.catalogue.classes:
        return found
    said = terms_of("\n".join(shown))
    is_lacking = any(unit.measure_coverage(said) < 1.0 for unit in find_own(request.units, request.question))
    return replace(found, note=wording(request.spoken).no_more) if is_lacking else found


def compose_unseen(request: Request) -> Composed:
    """The answer without what the session has shown; an example with that, where nothing else names the thing."""
    found = leave_out_seen(compose(request), request)
    if request.wish != "example" or not request.seen or _leads_with(request.units, found):
        return found
    shown = compose(replace(request, seen=""))
    return leave_out_seen(shown, request) if _leads_with(request.units, shown) else found


def _leads_with(units: Sequence[QuestionUnit], found: Composed) -> bool:
    """Whether a sentence that names all that is asked about leads an answer, and no list does."""
    is_list = any("\n" in one.text for one in found.statements[:1])
    return not is_list and bool(_terms_led_by(found)) and coverage(known(units), _terms_led_by(found)) >= ALL_OF_IT


def leave_out_seen(found: Composed, request: Request) -> Composed:
    """The answer without what the session has shown; with all of it, and a word on that, where nothing else was found.
    Who wishes it simpler is told that the course is only quoted; an example may be part of what was shown."""
    if not request.seen or found.coverage == "none" or (request.wish == "example" and found.is_whole):
        return found
    fresh = without_shown(found.statements, request.seen)
    said = wording(request.spoken)
    is_other = any(one.evidence is not None for one in fresh)
    if request.wish == "simpler":
        note = said.other_words if is_other else said.no_other_words
    else:
        has_example = request.wish == "example" and any(_HAS_EXAMPLE.search(one.text) for one in found.statements)
        note = "" if is_other or has_example else said.no_more
    is_led = is_other and len(fresh) < len(found.statements)
    return replace(
        found,
        statements=fresh if is_other else found.statements,
        note="\n\n".join(part for part in (note, found.note) if part),
        stored=None if is_led else found.stored,
        coverage="partial" if is_led else found.coverage,
    )


_HAS_EXAMPLE = re.compile(r"\b(?:examples?|for instance)\b|例子|举个?例|比如|例如", re.IGNORECASE)
"""How a sentence that was shown says that an example follows, which is not "nothing more" then."""


def own_question(question: str) -> str:
    """What a follow-up asks itself, where that is a whole question that names `LEAST_OWN` things and points at nothing:
    "how do you rename the variables afterwards". Empty for any other, and for a question that leans on nothing."""
    own = _AFTERWARDS.sub("", _GOES_ON.sub("", own_part(question)))
    is_whole = own_part(question) != question and _BEGINS.match(own) is not None and not points_back(own)
    return own if is_whole and len(_own_terms(own)) >= LEAST_OWN else ""


def is_told_alone(alone: Composed, leant: Composed, own: str) -> bool:
    """Whether what leads the answer to a follow-up alone speaks of all that it names itself, and what leads the answer
    to it with what it leans on does not."""
    wanted = _own_terms(own)
    return wanted <= _terms_led_by(alone) and not wanted <= _terms_led_by(leant)


def _own_terms(own: str) -> frozenset[str]:
    return frozenset(content_terms(own, strict=True)) - OF_QUESTIONS


def _terms_led_by(found: Composed) -> frozenset[str]:
    """The terms of the first that an answer quotes, with its title."""
    led = next((one for one in found.statements if one.evidence is not None), None)
    return terms_of(f"{led.evidence.title} {led.text}") if led is not None and led.evidence is not None else frozenset()


LEAST_OWN = 2
"""Things that a follow-up names itself from which it is looked for alone. A choice."""
_AFTERWARDS = re.compile(r" (?:afterwards?|later|then|after that)\W*$", re.IGNORECASE)
_GOES_ON = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|also|then|那么?|还有|另外)\b,? ?|(?:那么?|还有|另外)，?)+", re.IGNORECASE
)
_BEGINS = re.compile(
    r"(?:what|why|how|when|where|which|who|is|are|do|does|did|can|could|should|will|would)\b(?! (?:about|if)\b)"
    r"|.*(?:什么|啥|怎么|如何|为什么|哪|谁|多少|吗)",
    re.IGNORECASE,
)


def find_last_answer(history: Sequence[Message]) -> str:
    """The last answer of a session; empty without one."""
    return next((turn.content for turn in reversed(history) if turn.role == "assistant"), "")


_MARK = re.compile(r"\[\d+\]")
