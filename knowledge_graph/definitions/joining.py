"""Two consecutive sentences as one definition: one names the term, its neighbour explains it. English only.

Decides which neighbours go together and how good the pair is. Chinese lectures name and explain a term in one sentence.
"""

import re
from collections.abc import Iterator

from knowledge_graph.definitions.cleaning import clean_spoken
from knowledge_graph.definitions.flaws import emptiness, flaws
from knowledge_graph.definitions.parts import KINDS, PURPOSES
from knowledge_graph.definitions.wordings import LENGTHS, extract_definition, lead_of, wording

_NAMES = re.compile(
    r"(?:\b(?:called|known as|named|about|is|are|use|using|of|with|for|apply|concept|idea|algorithm|method|behind)"
    r"|^(?:what|the term)|^) ?(?:(?:the|an?|this|our|so-called) |[\"“']){0,6}$",
    re.IGNORECASE,
)
_TO_END = re.compile(
    rf"[\"”']?(?: (?:{KINDS}|do|does|work|mean|means))?(?: or (?:the )?[\w ]{{1,30}})?[.?!,:]*$", re.IGNORECASE
)
_THIS_IS_CALLED = re.compile(
    r"^(?:this|that|these|those|it|they)(?: [a-z]{1,20}){0,2}?(?:(?: is| are| be| has)|'s|)(?: \w{1,20}){0,2}? "
    r"(?:called|known as|named)(?: (?:so-called|name|term|idea of|concept of))?(?: (?:the|an?))? [\"“']?$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?:what )?(?P<subject>it|they|this|that)\b", re.IGNORECASE)
_SYMBOL = re.compile(
    r"\b([a-z]{1,20}),?(?: here)? (?:is|are|'s)(?: \w{1,20}){0,5} (?:called|known as|our|the) ", re.IGNORECASE
)
_GOES_ON = re.compile(
    rf"(?:the|its|our) (?:\w+ )?(?:{PURPOSES})(?: here| behind (?:it|this)| of (?:it|this))? is (?:to|that|the|an?)\b"
    r"|(?:by (?:that|this),? )?what (?:i|we) mean(?: by (?:that|this|it))?,? is\b"
    rf"|(?:specifically,? )?(?:in|with|using|for) (?:this|that|these) (?:{KINDS})s?,? (?:what )?(?:we|you|the|each)\b",
    re.IGNORECASE,
)
_UNSURE = frozenset(("this", "that"))

_UNSURE_COST = 0.2  # "this" may point at something else
_STAND_IN = "Qq"  # replaces a pronoun, so that the sentence is scored as if it named the term
_CALLED, _CONTINUED = 0.74, 0.8  # worth of "…. This is called X." and of "X. The idea is to …"
_LEAST_UNSURE = 0.3  # least quality of a sentence about "this" that counts as one about the term
_COUNTS = re.compile(
    r"\b(?:two|three|four|2|3|4) (?:\w+ )?(?:things|steps|parts|phases|pieces|components|kinds|types|cases)[.:]?$"
)
_FIRST = re.compile(r"(?:the )?(?:first|one|step one)\b", re.IGNORECASE)
_OF_SOMETHING = re.compile(r"(?:this|that|it|here)(?: is|'s) (?:an?|the|one) \w+ of\b", re.IGNORECASE)
_PARTS_BONUS = 0.1
_SHORTEST_DESCRIPTION = 40  # characters
_FORMULA = re.compile(r"\b(?:(?:is|are) (?:equal to|defined (?:as|to be))|equals)\b", re.IGNORECASE)
_FORMULA_BONUS = 0.2  # makes up for symbols read aloud, which count as flaws
_SHORT = 150  # longest sentence, in characters, that may merely introduce the term


def join_neighbours(
    previous: str, text: str, following: str, start: int, end: int
) -> Iterator[tuple[str, float, bool]]:
    """Candidate definitions: the sentence that names the term at `text[start:end]`, joined with a neighbour that
    explains it; the quality of the pair; and whether that neighbour is the previous sentence.

    "This is called X." takes the sentence before it; "One method is X." or "What is X?" the one after it, when that
    goes on with "It is …" or "The idea is to …".
    """
    if len(text) > LENGTHS["en"][1]:
        return
    at_end = _TO_END.match(text, end) is not None
    if not at_end and len(text) > _SHORT:
        return
    before = text[min(lead_of(text, "en"), start) : start]
    if at_end and previous and _THIS_IS_CALLED.match(before):
        yield from ((both, quality, True) for both, quality in _with_previous(previous, text))
    yield from ((both, quality, False) for both, quality in _onwards(text, following, before, start, end, at_end))


def _onwards(text: str, following: str, before: str, start: int, end: int, at_end: bool) -> Iterator[tuple[str, float]]:
    if not following or len(following) > LENGTHS["en"][1] or "example of" in text or _OF_SOMETHING.match(text):
        return
    yield from _with_parts(text, following, start, end)
    if not _NAMES.search(before[-40:]):
        return
    if at_end:
        yield from _with_following(text, following)
    if len(text) <= _SHORT:
        yield from _with_continuation(text, following, text[start:end])


def _with_previous(previous: str, text: str) -> Iterator[tuple[str, float]]:
    first = clean_spoken(_after_colon(previous), "en")
    if len(first) >= _SHORTEST_DESCRIPTION and not _PRONOUN.match(first):
        yield (
            f"{first} {clean_spoken(text, 'en')}",
            _CALLED - flaws(first, "en") + _FORMULA_BONUS * bool(_FORMULA.search(first)),
        )


def _after_colon(text: str) -> str:
    """What follows the colon in "I define it as follows: …"."""
    _, colon, rest = text.partition(": ")
    return rest if colon and len(rest) >= _SHORTEST_DESCRIPTION else text


def _with_following(text: str, following: str) -> Iterator[tuple[str, float]]:
    lead = lead_of(following, "en")
    subject = _same_subject(text, following, lead)
    if not subject:
        return
    start, end = subject.span("subject")
    named = following[lead:start] + _STAND_IN + following[end:]
    found = wording(named, start - lead, start - lead + len(_STAND_IN), "en")
    unsure = subject.group("subject").lower() in _UNSURE
    if found.quality > (_LEAST_UNSURE if unsure else 0.0):
        second = clean_spoken(following[lead:][: found.end + (end - start) - len(_STAND_IN)], "en")
        yield f"{clean_spoken(text, 'en')} {second}", found.quality - _cost(text) - _UNSURE_COST * unsure


def _with_parts(text: str, following: str, start: int, end: int) -> Iterator[tuple[str, float]]:
    if _COUNTS.search(text) and _FIRST.match(following, lead_of(following, "en")):
        found, second = wording(text, start, end, "en"), clean_spoken(following, "en")
        if found.quality:
            yield (
                f"{extract_definition(text, found, 'en')} {second}",
                found.quality + _PARTS_BONUS - flaws(second, "en") / 4,
            )


def _with_continuation(text: str, following: str, term: str) -> Iterator[tuple[str, float]]:
    if _GOES_ON.match(following, lead_of(following, "en")):
        second = clean_spoken(following, "en")
        quality = _CONTINUED - flaws(second, "en") - emptiness(second, "en", term) - _cost(text)
        yield f"{clean_spoken(text, 'en')} {second}", quality


def _cost(text: str) -> float:
    """Penalty for the flaws of a sentence that only names the term: none for a question, else a quarter of the usual
    one."""
    return 0.0 if text.endswith("?") else flaws(clean_spoken(text, "en"), "en") / 4


def _same_subject(text: str, following: str, lead: int) -> re.Match[str] | None:
    """The subject of the next sentence when it stands for the term: a pronoun, or the symbol that `text` names."""
    symbol = _SYMBOL.search(text)
    if symbol:
        again = re.compile(rf"(?:what )?(?P<subject>{re.escape(symbol.group(1))})\b", re.IGNORECASE)
        if found := again.match(following, lead):
            return found
    return _PRONOUN.match(following, lead)
