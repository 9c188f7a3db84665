"""What is left of a program's requirements by what a student says to have: "I have 22 of the credits, how many are
missing". Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.names import find_program, is_short_for
from serving.assistant.composing.semester.wishes import read_wishes
from serving.assistant.composing.semester.wording import plan_wording
from serving.assistant.understanding.closed_words import NUMBER_WORDS
from serving.index.evidence import Evidence

_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})"
_AMOUNT = re.compile(
    rf"(?<![\w.]){_NUMBER}\s(?:of the\s)?(?P<before>(?:[\w'’&]+\s){{0,4}}?)"
    r"(?P<unit>credits?|credit hours?|classes|courses)\b"
    r"(?:\s(?:in|of|from)\s(?:the\s)?(?P<behind>[a-z]+(?: (?!and\b|or\b|how\b|so\b|to\b|already\b)[a-z]+)?))?",
    re.IGNORECASE,
)
_MORE = re.compile(rf",?(?: and)? {_NUMBER} in (?:the )?(?P<behind>[a-z]+)", re.IGNORECASE)
"""Another amount of the same unit: "36 credits in computing and 12 in mathematics"."""
_LEVEL = re.compile(rf"(?<![\w.]){_NUMBER}(?:\s\w+){{0,3}}\s(?:at|on) the (?P<level>\d{{3,4}})[- ]level", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:missing|left|to go|remain\w*|short of|still (?:need|miss|have to|lack|require)\w*|more do i need"
    r"|do i still|are lacking|lack)\b|还差|还要|还需",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Amount:
    """So many credits or classes, `of` what subject, or at which level; empty where that is not said."""

    number: int
    unit: str
    of: str = ""
    level: str = ""


def amounts_in(text: str) -> list[Amount]:
    """The amounts of credits and classes that a text names, in its order, those of a level last."""
    found = []
    for one in _AMOUNT.finditer(text):
        unit = "credit" if one["unit"].lower().startswith("credit") else "class"
        found.append(Amount(_number(one["number"]), unit, _subject(one)))
        at = one.end()
        while (more := _MORE.match(text, at)) is not None:
            found.append(Amount(_number(more["number"]), unit, more["behind"].lower()))
            at = more.end()
    return found + [Amount(_number(one["number"]), "class", level=one["level"]) for one in _LEVEL.finditer(text)]


def _subject(found: re.Match[str]) -> str:
    return (found["behind"] or found["before"] or "").strip().lower()


def _number(text: str) -> int:
    return int(text) if text.isdigit() else NUMBER_WORDS[text.lower()]


def compose_progress(request: Request) -> Composed | None:
    """What the page of a program asks for less what the student has; `None` where that is not asked, where no program
    is named and where its page names no such amount."""
    if _ASKS.search(request.asked) is None:
        return None
    title = find_program(request.asked, request.catalogue)
    if title is None:
        return None
    have = amounts_in(request.asked) or _classes_in(request, title)
    said = plan_wording(request.spoken)
    pages = [(amount, page) for page in request.catalogue.program_pages[title] for amount in amounts_in(page.text)]
    found = [
        ComposedStatement(
            (said.left_of if own.number < needed.number else said.none_left).format(
                program=title,
                needed=needed.number,
                unit=_name_amount(needed, said.credits_word, said.classes_word),
                sum=f"{needed.number} − {own.number} = {needed.number - own.number}",
            ),
            page,
        )
        for own in have
        if (asked := _find_required(own, pages)) is not None
        for needed, page in [asked]
    ]
    pages_cited = {one.evidence.evidence_id for one in found if one.evidence is not None}
    shown = [page for page in request.catalogue.program_pages[title] if page.evidence_id in pages_cited]
    texts = [ComposedStatement(safe(page.text), page) for page in shown]
    return Composed(request.kind, "partial", (*found, *texts), score=LIKELY) if found else None


def _classes_in(request: Request, title: str) -> list[Amount]:
    """How many of the classes that a student names as passed are of the subject of which the program asks for some."""
    titles = {key: one.title for key, one in request.catalogue.classes.items()}
    wishes = read_wishes(request.asked, titles)
    passed = wishes.passed or (wishes.unclear if _HAS.search(request.asked) else ())
    if not passed and _HAS_THESE.search(request.asked):  # what is wanted is the program
        passed = wishes.wanted
    asked = [one for page in request.catalogue.program_pages[title] for one in amounts_in(page.text)]
    of = next((one.of for one in asked if one.unit == "class" and not one.level), None)
    if of is None:
        return []
    subjects = [request.catalogue.classes[key].subject for key in passed]
    counted = [one for one in subjects if not of or is_short_for(one, of)]
    return [Amount(len(counted), "class", of)] if counted else []


_HAS_THESE = re.compile(r"\b(?:have|had|got)\s(?=[A-Z]{2,5}\s?\d{3})", re.IGNORECASE)
_HAS = re.compile(r"\b(?:have|had|got)\b|修|学过", re.IGNORECASE)


def _find_required(own: Amount, pages: Sequence[tuple[Amount, Evidence]]) -> tuple[Amount, Evidence] | None:
    """The amount of a page that one of the student's counts towards: of its unit and level, of its subject where the
    page tells several apart."""
    same = [(one, page) for one, page in pages if one.unit == own.unit and one.level == own.level]
    words = own.of.split()
    of_subject = [
        (one, page)
        for one, page in same
        if one.of and any(len(word) > 2 and is_short_for(word, one.of) for word in words)
    ]
    return next(iter(of_subject or same), None)


def _name_amount(amount: Amount, credits: str, classes: str) -> str:
    unit = credits if amount.unit == "credit" else classes
    if amount.level:
        return f"{unit} ({amount.level})"
    return f"{unit} in {amount.of}" if amount.of else unit
