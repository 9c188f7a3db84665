"""Lists of a catalogue: the classes of a subject or with a property, and the programs. Pure.

Belongs here: what is answered by a list and names no class; what is asked of a class that is named is `catalogue`'s.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from knowledge_graph.sources.catalog.needs import Needs
from serving.assistant.composing.catalogue_records import (
    CREDITS,
    GUIDE,
    WANTS,
    codes_in,
    compose_records,
    find_by_description,
)
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LIKELY, UNLIKELY
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.calendar import read_term
from serving.assistant.composing.semester.names import find_classes, find_programs, is_short_for
from serving.assistant.composing.semester.offers import Class
from serving.assistant.composing.semester.wording import plan_wording
from serving.assistant.composing.terms import QuestionUnit, coverage, terms_of
from serving.assistant.composing.wording import wording
from serving.index.analysis import content_terms, terms

MOST_LISTED = 8
"""Classes or programs of a list. A choice."""


TOGETHER = re.compile(
    r"\b(?:together|total|in all|in one (?:term|semester)|altogether|sum|add up|combined|both|all (?:three|of them))\b"
    r"|一共|总共|共",
    re.IGNORECASE,
)


def compose_list(request: Request) -> Composed | None:
    """The classes or programs that a question asks for without naming one; `None` where it asks for none."""
    return _list_subject(request) or _list_by_property(request) or _list_programs(request)


_CLASSES = re.compile(
    r"\b(?:which|what|list|any|all|show|name)\b.{0,30}?\b([a-z]{3,}(?: [a-z]{3,})?) (?:courses|classes)\b"
    r"|\b(?:which|what|list|any|all|show|name)\b.{0,20}?\b(?:courses|classes) (?:(?:are )?there |are )?"
    r"(?:about|in|on|of) ([a-z]{3,}(?: [a-z]{3,})?)\W*$",
    re.IGNORECASE,
)

_ASKS_A_RULE = re.compile(r"\b(?:rules?|policy|policies)\b|规定|规则", re.IGNORECASE)


def _list_subject(request: Request) -> Composed | None:
    """The classes of the subject whose classes are asked for, by the letters of their codes: by name, with their
    credits; `None` where it is not asked, and where there are none."""
    asked = _CLASSES.search(request.question)
    if _FREE.search(request.question):
        return None
    if asked is None or codes_in(request.question) or _ASKS_A_RULE.search(request.question):
        return None
    subject = asked[1] or asked[2]
    found = [one for _, one in sorted(request.catalogue.classes.items()) if is_short_for(one.subject, subject)]
    if not found:
        return None
    credits = [one.credits for one in found if one.credits is not None]
    if CREDITS.search(request.question) and TOGETHER.search(request.question) and len(credits) == len(found):
        listed = list_classes(request, found)
        return replace(listed, statements=(write_sum(request, credits), *listed.statements))
    beside = [one for one in request.catalogue.beside if is_short_for(one.subject, subject)]
    return list_classes(request, [*found, *beside])


def list_classes(request: Request, found: Sequence[Class]) -> Composed:
    """Classes by name, with their credits; how many more there are beyond `MOST_LISTED`."""
    said = plan_wording(request.spoken)
    items = [
        ComposedStatement(
            f"**{safe(one.name)}**"
            + ("" if one.credits is None else f" ({said.credits.format(credits=f'{one.credits:g}')})"),
            one.evidence,
            is_item=True,
        )
        for one in found[:MOST_LISTED]
    ]
    more = len(found) - len(items)
    end = [ComposedStatement(said.more_classes.format(count=more), is_item=True)] if more else []
    return Composed(request.kind, "partial", (*items, *end), score=LIKELY)


_WORTH = re.compile(
    r"\b(\d{1,2})[- ]credits? (?:(?P<subject>[a-z]{3,}) )?(?:courses|classes|electives)\b"
    r"|\b(?:courses|classes|electives) (?:that (?:are|have) )?(?:with|worth|of|for)? ?(\d{1,2}) credits?\b"
    r"|(\d{1,2}) ?个?学分的课",
    re.IGNORECASE,
)

_FREE = re.compile(
    r"(?:\b(?:no|zero|without(?: any)?)|n['’]?t (?:have|need|require)(?: any| a)?"
    r"|\bnot (?:have|need|require)(?: any| a)?) (?:\w+ )?pre-?req\w*"
    r"|(?:没有|没|不需要|不要求|不用|无需|无)(?:任何|什么)?先修",
    re.IGNORECASE,
)
_ASKS_FOR_CLASSES = re.compile(
    r"\b(?:what(?! (?:happens|if|about)\b)|which|any|list|show|name|is there|are there|recommend|looking for|want)\b"
    r"|哪|什么课|有没有|推荐",
    re.IGNORECASE,
)
_OF_NEEDS = re.compile(r"pre-?req\w*|without|(?:need|requir|tak)\w*|class(?:es)?|courses?|先修\w*|课", re.IGNORECASE)


def _list_by_property(request: Request) -> Composed | None:
    """The classes of so many credits, those that need none before them, or somebody's consent, where the catalogue's
    are asked for so."""
    classes = [one for _, one in sorted(request.catalogue.classes.items())]
    if codes_in(request.question):
        return None
    if _BY_CONSENT.search(request.question):
        found = [one for one in (*classes, *request.catalogue.beside) if _CONSENT.search(one.needs.condition)]
        return list_classes(request, found) if found else None
    if (worth := _WORTH.search(request.question)) is not None:
        credits = float(next(one for one in worth.groups() if one is not None and one.isdigit()))
        subject, term = worth["subject"], read_term(request.question)
        terms = [one for one in request.catalogue.terms if one.fits(term)]
        offered = frozenset(key for one in terms for key in request.catalogue.offerings_in(one))
        found = [one for one in classes if one.credits == credits and (not terms or one.key in offered)]
        found = [one for one in found if subject and is_short_for(one.subject, subject)] or found
        listed = list_classes(request, found) if found else None
        if listed is None or not terms:
            return listed
        said = plan_wording(request.spoken)
        lead = ComposedStatement(said.offered_then.format(term=terms[0].label), request.catalogue.schedule(terms[0]))
        return replace(listed, statements=(lead, *listed.statements))
    return _list_free(request, classes)


def _list_free(request: Request, classes: Sequence[Class]) -> Composed | None:
    """The classes whose records name nothing that is needed before, where such are asked for: those of the subject, or
    on the topic, that is named; all of them, under a doubt, where none is on it."""
    asked = request.asked or request.question
    is_asked = _FREE.search(asked) and _ASKS_FOR_CLASSES.search(asked)
    free = [one for one in classes if one.needs == Needs()]
    if not is_asked or not free or find_classes(request.question, request.catalogue):
        return None
    topic = [unit for unit in request.units if not _OF_NEEDS.fullmatch(unit.label)]
    on_topic = _find_on_topic(request, free, topic) if topic else free
    listed = list_classes(request, on_topic or free)
    said = wording(request.spoken)
    lead = ComposedStatement(said.free_classes)  # a record that is silent may have left it out
    listed = replace(listed, statements=(lead, *listed.statements))
    return listed if on_topic else replace(listed, note=said.not_direct, after=said.hand_off, score=UNLIKELY)


def _find_on_topic(request: Request, classes: Sequence[Class], topic: Sequence[QuestionUnit]) -> list[Class]:
    """The classes of a subject or on a topic: by the letters of their codes, by the words of their records, else by
    what these mean."""
    names = sorted((unit.label for unit in topic), key=request.question.find)
    subjects = [*names, " ".join(names)]
    if found := [one for one in classes if any(is_short_for(one.subject, name) for name in subjects)]:
        return found
    if found := [one for one in classes if coverage(topic, terms_of(f"{one.title} {one.evidence.text}")) > 0.0]:
        return found
    near = {piece.entry.title for piece in request.pieces if piece.meaning >= NEAR_TOPIC}
    return [one for one in classes if one.name in near]


NEAR_TOPIC = 0.5
"""Meaning (stretched cosine) from which a record is on the topic of a question that it has no word of: the sea for the
ocean. A choice."""


_BY_CONSENT = re.compile(
    r"\b(?:which|what|any|list) (?:classes|courses)\b.{0,60}\b(?:consent|permission|approv\w+|sign(?:ed)? off|say yes"
    r"|(?:okay|ok) from)\b|(?:哪些|什么)课.{0,12}(?:批准|同意|许可)",
    re.IGNORECASE,
)

_CONSENT = re.compile(r"\b(?:consent|permission|approval)\b|同意|批准|许可", re.IGNORECASE)


_PROGRAM_OF = re.compile(
    r"\b(?:(?:is|are) there|(?:do|does) (?:you|they|the university) (?:have|offer)|can (?:i|you) study) "
    r"(?:an? |any |the )?((?:[a-z]{3,} ){0,3}?)(?:programs?|programmes?|majors?|minors?|degrees?)\b"
    r"(?: (?:in|of) ([a-z]{3,}(?: [a-z]{3,}){0,2}))?",
    re.IGNORECASE,
)

_PROGRAM_CALLED = re.compile(
    r"\b(?:the|an?) (?!(?:whole|same|double|second|other|different|full|entire|first|one|bachelor\w*|master\w*"
    r"|college|university|undergraduate|graduate) )(?:[a-z]{2,} ){1,3}(?:major|minor|degree)\b",
    re.IGNORECASE,
)
"""A program by its name: "the data science major"."""


_EVERY_PROGRAM = re.compile(
    r"\b(?:what|which|list|all)(?: \w+)? (?:programs|programmes|majors|minors|degrees)\b"
    r"|\bwhat (?:can|could) (?:i|you|we|one|students?) (?:major|minor|study|get a degree)(?: in)?"
    r"(?: here| there| at (?:this|your|the) \w+)?\W*$"
    r"|(?:哪些|什么)(?:专业|学位|辅修)",
    re.IGNORECASE,
)


def _list_programs(request: Request) -> Composed | None:
    """Every program where all are asked for, or where one is that the catalogue has no page of."""
    pages = request.catalogue.program_pages
    asked = _PROGRAM_OF.search(request.question)
    if not pages or codes_in(request.question) or (WANTS.search(request.question) and asked is None):
        return None
    said = plan_wording(request.spoken)
    named = [(title, one[0]) for title, one in pages.items() if not GUIDE.match(title)][:MOST_LISTED]
    items = [ComposedStatement(f"**{safe(title)}**", one, is_item=True) for title, one in named]
    if _EVERY_PROGRAM.search(request.question):
        return Composed(request.kind, "full", (ComposedStatement(said.programs_are), *items), score=LIKELY)
    called = _PROGRAM_CALLED.search(request.question) if asked is None else None
    if called is not None and not find_programs(called.group(), request.catalogue):
        return Composed(request.kind, "partial", (ComposedStatement(said.no_program), *items), score=LIKELY)
    name = content_terms(f"{asked[1]} {asked[2] or ''}", strict=True) if asked is not None else []
    if not name or any(term.startswith(one) for title in pages for term in terms(title) for one in name):
        return None
    if described := find_by_description(request):
        return compose_records(request, described)
    return Composed(request.kind, "full", (ComposedStatement(said.no_program), *items), score=LIKELY)


def write_sum(request: Request, credits: Sequence[float]) -> ComposedStatement:
    text = f"{' + '.join(f'{one:g}' for one in credits)} = {sum(credits):g}"
    return ComposedStatement(wording(request.spoken).credits_together.format(sum=text))
