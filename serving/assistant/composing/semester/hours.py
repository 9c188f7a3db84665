"""Which classes meet on a day or at an hour, are full, or are offered in a term: "which classes meet in the evening",
"which math classes are there in spring". Pure."""

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from knowledge_graph.lake.records import Meeting, Offering
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.calendar import AcademicTerm, read_term
from serving.assistant.composing.semester.names import find_classes, find_programs, is_short_for
from serving.assistant.composing.semester.sections import section_line
from serving.assistant.composing.semester.wishes import CLOCK, DAYS, EVENING, days_in, minute_of
from serving.assistant.composing.semester.wording import PlanWording, plan_wording

MOST = 8
"""Sections, or classes of a term, that are shown. A choice."""

_NOON = 12 * 60
_PARTS: tuple[tuple[re.Pattern[str], int, int], ...] = tuple(
    (re.compile(words, re.IGNORECASE), start, end)
    for words, start, end in (
        (
            r"\b(?:evening|night)s?\b|\bafter (?:my )?(?:work(?:ing)?(?: hours)?|job|shift)\b|晚上|晚课|夜间|下班",
            EVENING,
            24 * 60,
        ),
        (r"\bmornings?\b|上午|早上", 0, _NOON),
        (r"\bafternoons?\b|下午", _NOON, EVENING),
    )
)
"""Parts of a day and the minutes in which a class of theirs begins."""
_END = r"(?!\d)(?=\W*(?:$|[?.,!]|(?:in|on|and|during|this|next|or)\b|\d{4}))"
"""Of a clock: "after 3 semesters" and "after 2027" name none."""
_AFTER = re.compile(rf"\b(?:after|later than) {CLOCK}{_END}|(?<!\d){CLOCK}\s*(?:之后|以后|后)", re.IGNORECASE)
_BEFORE = re.compile(
    rf"\b(?:before|earlier than) (?:noon|{CLOCK}{_END})|(?<!\d){CLOCK}\s*(?:之前|以前|前)", re.IGNORECASE
)
_FEWER_SEATS = re.compile(
    r"\b(?:fewer|less) than (\d{1,3}) (?:seats?|places?|spots?)|\bmore than (\d{1,3}) (?:seats?|places?|spots?)",
    re.IGNORECASE,
)
_ROOM = re.compile(
    r"\b(?:in|at) (?:the )?((?:[A-Z][a-z]+ ){0,2}(?:Room|Hall|Lab|Library|Market|House|Building|Theatre|Auditorium)"
    r"(?: \w{1,3})?)"
    r"(?=\W*(?:$|in\b|on\b|this\b|next\b|during\b))"
)
"""A room as it is written in a schedule, in capitals."""
_ON = re.compile(rf"(?<![a-z]){DAYS}(?![a-z])", re.IGNORECASE)
_CLASSES = re.compile(
    r"\b(?:which|what|any|list|name|show(?: me)?|(?:is|are) there|all)\b.{0,40}?\b(?:([a-z]{3,}) )?"
    r"(?:class(?:es)?|courses?|sections?)\b|(?:哪些|什么|有没有|有哪[些门]).{0,12}课|课.{0,8}(?:哪些|有吗|吗)"
    r"|\b(?:what|which)(?: \w+)? (?:can|could) i (?:take|do)\b"
    r"|^\W*(?:so |and |ok )?(?:what(?:'s| is| all)?|anything)"
    r" (?:meets?|starts?|begins?|runs?|on offer|offered|taught|is on)\b"
    r"|^\W*(?:so |and |ok )?is (?:there )?(?:anything|something) (?:else )?(?:taught|offered|given|held|on|running)\b",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    r"\b(?:offer\w*|taught|given|runs?|running|available|scheduled|held|(?:are|is) there|have)\b|开|有哪|有什么",
    re.IGNORECASE,
)
_FULL = re.compile(
    r"\b(?:full|filled(?: up)?|booked out|sold out|no (?:seats?|places?|spots?)(?: left)?|waitlist\w*)\b"
    r"|满了|名额已满|没有名额",
    re.IGNORECASE,
)
_SEATS = re.compile(
    r"\b(?:seats?|places?|spots?|room)\b.{0,16}\b(?:left|free|open|available|remain\w*)\b"
    r"|\bstill (?:have|has) (?:seats?|room|places?)\b"
    r"|还有名额",
    re.IGNORECASE,
)
_PASSED = re.compile(r"\b(?:passed|took|taken|finished|completed|done)\b|修过|学过|通过", re.IGNORECASE)
"""What says which classes a student has, so that a plan is wanted."""
_NOT = re.compile(r"\b(?:no|not|without|avoid|never|plan|fit|clash\w*)\b|n't\b|不|没有课|避开|别", re.IGNORECASE)
"""What wishes for hours off, which is a plan's."""


@dataclass(frozen=True)
class Hours:
    """`days` from 1, Monday; none is any. A class begins in the minutes from `start` up to, not with, `end`."""

    days: frozenset[int]
    start: int
    end: int

    def hold(self, meeting: Meeting) -> bool:
        return (not self.days or meeting.day in self.days) and self.start <= meeting.start < self.end


def read_hours(text: str) -> Hours | None:
    """The days and hours that a text names; `None` where it names neither."""
    days = frozenset(day for found in _ON.finditer(text) for day in days_in(found.group()))
    part = next(((start, end) for words, start, end in _PARTS if words.search(text)), None)
    start, end = part or (0, 24 * 60)
    after, before = _AFTER.search(text), _BEFORE.search(text)
    if (minute := minute_of(after)) is not None:
        start = minute
    if before is not None:
        minute = minute_of(before)
        end = _NOON if minute is None else minute
    return Hours(days, start, end) if days or part or after or before else None


@dataclass(frozen=True)
class SectionCondition:
    """Which sections are asked for, and what is said above them and where there are none."""

    hold: Callable[[Offering], bool]
    lead: str
    none: str


def _find_condition(asked: str, said: PlanWording) -> SectionCondition | None:
    """Those that are full, that have seats left, or that meet at a time; `None` where none of that is asked."""
    if _FULL.search(asked):
        return SectionCondition(lambda one: one.seats == 0, said.full_then, said.none_so)
    if (bound := _FEWER_SEATS.search(asked)) is not None:
        number = int(next(one for one in bound.groups() if one))
        is_most = bound[1] is not None
        return SectionCondition(
            lambda one: (
                one.seats is not None and one.seats > 0 and (one.seats < number if is_most else one.seats > number)
            ),
            said.free_then,
            said.none_so,
        )
    if (room := _ROOM.search(asked)) is not None:
        place = room[1].lower()
        return SectionCondition(lambda one: place in (one.room or "").lower(), said.meet_then, said.none_so)
    if _SEATS.search(asked):
        return SectionCondition(lambda one: bool(one.seats), said.free_then, said.none_so)
    hours = None if _NOT.search(asked) else read_hours(asked)
    if hours is None:
        return None
    return SectionCondition(lambda one: any(map(hours.hold, one.meetings)), said.meet_then, said.none_then)


def compose_hours(request: Request) -> Composed | None:
    """The sections that meet then, are full or have seats, in the term that is named, else in each; what a term offers
    where it alone is named. `None` where none of it is asked for, where a class is named, and without a schedule."""
    catalogue, asked = request.catalogue, request.asked
    wanted = _CLASSES.search(asked)
    if not catalogue.offerings or wanted is None or find_classes(asked, catalogue):
        return None
    if _PASSED.search(asked):
        return None
    named, is_of = read_term(asked), _of(wanted[1] or "")
    terms = [term for term in catalogue.terms if term.fits(named)]
    is_named = named.month is not None or named.year is not None
    sections = _find_condition(asked, plan_wording(request.spoken))
    if sections is None:
        is_offer = is_named and _OFFERED.search(asked) and not _NOT.search(asked)
        return _compose_offered(request, terms, is_of) if is_offer else None
    if not terms and is_named:
        return None
    if programs := find_programs(asked, catalogue):
        return _compose_of_program(request, programs[0], terms or catalogue.terms, sections)
    found = []
    for term in terms or catalogue.terms:
        offered = frozenset(catalogue.offerings_in(term))
        of_subject = frozenset(key for key in offered if is_of(catalogue.classes[key].subject))
        found += _list_sections(request, term, sections, of_subject or offered)
    return Composed(request.kind, "full", tuple(found), score=LIKELY)


def _compose_of_program(
    request: Request, title: str, terms: Sequence[AcademicTerm], sections: SectionCondition
) -> Composed:
    """Of the classes that a program's pages name the sections that are asked for, and those pages: they may count what
    they do not name, "a class in philosophy"."""
    catalogue, said = request.catalogue, plan_wording(request.spoken)
    keys = frozenset[str]().union(*(one.classes for one in catalogue.programs if one.title == title))
    lead = ComposedStatement(said.of_program.format(name=f"**{safe(title)}**"))
    found = [line for term in terms for line in _list_sections(request, term, sections, keys)] if keys else []
    pages = [ComposedStatement(safe(one.text), one) for one in catalogue.program_pages[title]]
    return Composed(request.kind, "partial", (*([lead] if found else []), *found, *pages), score=LIKELY)


def _of(subject: str) -> Callable[[str], bool]:
    return lambda prefix: bool(subject) and is_short_for(prefix, subject)


def _compose_offered(request: Request, terms: Sequence[AcademicTerm], is_of: Callable[[str], bool]) -> Composed:
    """The classes that terms offer, of the subject alone where it is one of the catalogue's; that the schedule has no
    such term where there are none."""
    catalogue, said = request.catalogue, plan_wording(request.spoken)
    if not terms:
        names = said.join(term.label for term in catalogue.terms)
        lead = ComposedStatement(said.no_such_term.format(names=names), catalogue.schedule(catalogue.terms[-1]))
        return Composed(request.kind, "partial", (lead,), score=LIKELY)
    found = []
    for term in terms:
        evidence = catalogue.schedule(term)
        offered = [catalogue.classes[key] for key in sorted(catalogue.offerings_in(term))]
        offered = [one for one in offered if is_of(one.subject)] or offered
        found.append(ComposedStatement(said.offered_then.format(term=term.label), evidence))
        found += [ComposedStatement(f"**{safe(one.name)}**", evidence, is_item=True) for one in offered[:MOST]]
        if (more := len(offered) - MOST) > 0:
            found.append(ComposedStatement(said.more_classes.format(count=more), is_item=True))
    return Composed(request.kind, "full", tuple(found), score=LIKELY)


def _list_sections(
    request: Request, term: AcademicTerm, sections: SectionCondition, keys: Set[str]
) -> list[ComposedStatement]:
    """The sections of one term that are asked for, of these classes."""
    catalogue, said = request.catalogue, plan_wording(request.spoken)
    evidence = catalogue.schedule(term)
    found = [
        (catalogue.classes[key], section)
        for key, each in sorted(catalogue.offerings_in(term).items())
        for section in each
        if key in keys and sections.hold(section)
    ]
    if not found:
        return [ComposedStatement(sections.none.format(term=term.label), evidence)]
    items = [
        ComposedStatement(f"**{safe(one.name)}**, {section_line(section, said)}", evidence, is_item=True)
        for one, section in found[:MOST]
    ]
    more = len(found) - len(items)
    end = [ComposedStatement(said.more_classes.format(count=more), is_item=True)] if more else []
    return [ComposedStatement(sections.lead.format(term=term.label), evidence), *items, *end]
