"""Other names that a question gives a thing beside the first: "a 2d tree (kd tree)", "commutative, i.e. does order
matter". Either name is enough, so both are one unit. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.terms import QuestionUnit
from serving.assistant.understanding.translation import synonyms

_BRACKETS = re.compile(r" ?[(（](?P<other>[^()（）?？]{1,60})[)）]")
_SAID_AGAIN = re.compile(
    r"(?:, ?|，| [-\u2013\u2014] )"
    r"(?:(?:i\.? ?e\.?|that is|in other words|or rather),? |也就是说?|换句话说，?|即|又[叫称]|也[叫称])"
    r"(?P<other>[^()（）?？]{1,60})",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"(?:i\.? ?e\.?|a\.?k\.?a\.?|or|also (?:called|known as)|called|short for),? "
    r"|也就是|即|又[叫称]|也[叫称]|简称|全称",
    re.IGNORECASE,
)
"""With what brackets begin that hold another name, and no closer word on the thing."""


def join_other_names(units: Sequence[QuestionUnit], question: str) -> tuple[QuestionUnit, ...]:
    """The units, of which those of another name of a thing are one with the last unit of the name before it."""
    for found in (*_BRACKETS.finditer(question), *_SAID_AGAIN.finditer(question)):
        before, other = question[: found.start()].lower(), found["other"].lower()
        placed = [(before.rfind(one.label.lower()), one) for one in units]
        first = max((at for at in placed if at[0] >= 0), key=lambda at: at[0] + len(at[1].label), default=None)
        others = [one for at, one in placed if at < 0 and one.label.lower() in other]
        if first is None or not others:
            continue
        name = _CALLED.sub("", other, count=1) if (marked := _CALLED.match(other)) else other
        if found.re is _SAID_AGAIN or marked or _is_name_of(name, before[first[0] :].strip()):
            units = [_join(one, others) if one is first[1] else one for one in units if one not in others]
    return tuple(units)


def _is_name_of(other: str, name: str) -> bool:
    """Whether a name in brackets is of the same kind as the one before it, its initials, or known to mean the same."""
    words, letters = name.split(), other.replace(".", "")
    initials = "".join(word[0] for word in re.findall(r"\w+", name))
    is_of_its_kind = len(words) > 1 and len(other.split()) > 1 and words[-1] == other.split()[-1]
    return is_of_its_kind or letters in (initials, f"{initials}s") or other in synonyms(name)


def _join(first: QuestionUnit, others: Sequence[QuestionUnit]) -> QuestionUnit:
    """A unit that the others together cover as well as it does itself."""
    told = frozenset().union(*(one.names[0] for one in others))
    names = others[0].names if len(others) == 1 else (told,)
    weight = first.weight if first.is_known else max(one.weight for one in others)
    return replace(
        first,
        names=tuple(dict.fromkeys((*first.names, *names))),
        weight=weight,
        concept_id=first.concept_id or (others[0].concept_id if len(others) == 1 else None),
        is_known=first.is_known or all(one.is_known for one in others),
    )
