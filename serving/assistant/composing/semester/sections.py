"""When and where classes meet, what seats are left and whether two of them fit together, by the schedule. Pure."""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from knowledge_graph.lake.records import Offering
from knowledge_graph.sources.catalog.needs import code_key
from serving.assistant.composing.catalogue_fields import EXAMS
from serving.assistant.composing.catalogue_records import code_of, find_named_records
from serving.assistant.composing.composed import Composed, ComposedStatement, Coverage
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.calendar import AcademicTerm, read_term
from serving.assistant.composing.semester.names import find_classes
from serving.assistant.composing.semester.offers import Class
from serving.assistant.composing.semester.search import clash, exclude
from serving.assistant.composing.semester.wishes import MAY_TAKE
from serving.assistant.composing.semester.wording import PlanWording, plan_wording

MOST = 3
"""Classes that are looked up at once: with their terms as many as can be cited. A choice."""

PAIR = 2
"""Classes that are asked about together."""

_MEETS = re.compile(
    r"\b(?:what|which|when|at what)\b.{0,24}\b(?:days?|times?|hours?|room|section)s?\b|\bwhen (?:is|does|do|are|will)\b"
    r"|\bwhere (?:is|does|do|will)\b.{0,40}\b(?:meet|held|taught|class)|\b(?:meet|meets|timetable|time ?slots?)\b"
    r"|\b(?:seats?|spots?|places?|chairs?)\b.{0,16}\b(?:left|free|open|available|remain\w*)\b"
    r"|\bany (?:seats?|spots?|chairs?)\b"
    r"|\b(?:is|are) there (?:(?:still|any|some|only|another|even|just) ){0,2}(?:an? )?(?:free |open |empty )?"
    r"(?:seats?|spots?|chairs?)\b|\bstill (?:\w+ )?(?:an?|one|some) (?:free |open |empty )?(?:seats?|spots?|chairs?)\b"
    r"|\bis there (?:still |any |some |enough |more ){0,2}(?:room|space)\b"
    r"|\b(?:room|space) (?:(?:is|still) ){0,2}(?:left|free|available)\b"
    r"|\b(?:still|already|currently) (?:open|closed)\b(?! to\b)"
    r"|\b(?:more|fewer|less|most|many) (?:seats?|spots?|places?)\b|\bsections?\b|\bwhen and where\b"
    r"|\b(?:full|filled up|waitlist)\b|\b(?:is|are|be) .{0,40}\b(?:offered|running|given|scheduled|held)\b"
    r"|\bwill .{0,40}\b(?:taught|offered|given)\b|\b(?:which|what) (?:terms?|semesters?|quarters?)\b"
    r"|几点|[星周]期?几|上课时间|什么时候上|教室|在哪上|名额|空位|还有(?:没有)?[座空]?位[子置]?|满了|哪个学期(?:开|有)|(?:开不开|有没有开|开课吗)",
    re.IGNORECASE,
)
_FIT = re.compile(
    r"\b(?:together|same (?:time|term|semester)|fit|clash\w*|conflict\w*|overlap\w*|collid\w+|at once|both"
    r"|(?:get|be|gets|is) in the way of)\b"
    r"|冲突|同时|一起|撞课",
    re.IGNORECASE,
)

_CLASH = re.compile(
    r"^(?!.*\b(?:without|no|not|avoid)\b.{0,14}(?:clash|conflict|overlap))(?!.*(?:不会?|没有?|无|避免)(?:时间)?(?:冲突|撞课))"
    r".*(?:\b(?:clash|conflict|overlap|collid|in the way of\b)|冲突|撞课)",
    re.IGNORECASE | re.DOTALL,
)
"""What asks for the opposite of fitting; "without a clash" asks whether they fit."""

_REQUIRED = re.compile(
    r"\b(?:do (?:i|we)|must (?:i|we)|does .{2,40}) (?:\w+ )?(?:have to|need(?: to)?|do|require|want|ask for)\b"
    r".{0,60}\bboth\b"
    r"|\bboth\b.{0,60}\b(?:required|needed|necessary|mandatory|compulsory)\b|\bis one (?:of them )?enough\b"
    r"|(?:都|两门).{0,6}(?:要|必须|得)(?:修|学|上)",
    re.IGNORECASE,
)
"""What asks whether a program wants both, which its requirements say."""

_COUNTS = re.compile(r"\b(?:count\w*|credits?)\b|学分|算", re.IGNORECASE)
"""What asks for credits, which are the records'."""


def compose_sections(request: Request) -> Composed | None:
    """The sections of the classes that a question for times, rooms or seats names, or whether two classes fit; `None`
    for another question, without a schedule, and where no class is named."""
    catalogue, asked = request.catalogue, request.asked
    is_pair = _FIT.search(asked) is not None and _REQUIRED.search(asked) is None
    if (
        not catalogue.offerings
        or not (is_pair or _MEETS.search(asked))
        or _COUNTS.search(asked)
        or EXAMS.asked.search(asked)
    ):
        return None
    named = find_classes(asked, catalogue)
    if not named or (is_pair and len(named) < PAIR):
        named = list({one.key: one for one in (*named, *_by_title(request))}.values())
    named = named[:MOST]
    if not named or (request.kind == "plan" and not (is_pair and len(named) > 1)):
        return None
    said = plan_wording(request.spoken)
    wanted = read_term(asked)
    terms = [term for term in catalogue.terms if term.fits(wanted)]
    if (wanted.month is not None or wanted.year is not None) and not terms:
        names = said.join(term.label for term in catalogue.terms)
        lead = [ComposedStatement(said.no_such_term.format(names=names), catalogue.schedule(catalogue.terms[-1]))]
    else:
        lead = []
    shown = terms or list(catalogue.terms)
    if is_pair and len(named) > 1:
        return _fitting(request, named, [*shown], lead, said)
    items = [
        item for term in shown for one in named for item in list_sections(request, one, term, said, is_sole=bool(terms))
    ]
    if not items:
        return None
    note = said.one_of_them.format(name=safe(named[0].name)) if is_pair else ""
    coverage: Coverage = "partial" if lead or note else "full"
    return Composed(request.kind, coverage, (*lead, *items), note=note, score=LIKELY)


def _by_title(request: Request) -> list[Class]:
    """The classes whose whole titles the question has, of one word too: "when is databases"."""
    keys = [code_key(code_of(one.entry.title)) for one in find_named_records(request)]
    return [request.catalogue.classes[key] for key in keys if key in request.catalogue.classes]


def list_sections(
    request: Request, one: Class, term: AcademicTerm, said: PlanWording, *, is_sole: bool
) -> list[ComposedStatement]:
    """A class in one term: a line, and an item for each section; that there is none where only this term was meant."""
    sections = request.catalogue.offerings_in(term).get(one.key, ())
    evidence = request.catalogue.schedule(term)
    if not sections:
        others = [each.label for each in request.catalogue.terms if one.key in request.catalogue.offerings_in(each)]
        reason = (said.not_offered_but if others else said.not_offered).format(
            term=term.label, others=said.join(others)
        )
        text = said.left_item.format(name=safe(one.name), reason=safe(reason))
        return [ComposedStatement(text, evidence)] if is_sole or not others else []
    lead = ComposedStatement(said.sections_of.format(name=f"**{safe(one.name)}**", term=term.label), evidence)
    return [lead, *(ComposedStatement(section_line(each, said), evidence, is_item=True) for each in sections)]


def section_line(section: Offering, said: PlanWording) -> str:
    label = said.section.format(section=section.section).lstrip(",， ") if section.section else ""
    seats = "" if section.seats is None else said.seats.format(count=section.seats) if section.seats else said.no_seats
    parts = [said.meets(section), section.room or "", section.instructor or "", seats]
    text = said.semicolon.join(part for part in parts if part)
    return safe(f"{label}{said.colon}{text}" if label else text)


def _fitting(
    request: Request,
    named: Sequence[Class],
    terms: Sequence[AcademicTerm],
    lead: list[ComposedStatement],
    said: PlanWording,
) -> Composed | None:
    """Whether sections of all the classes can be taken together, with the sections, in each term that has them all."""
    wanted = _sections_wanted(request)
    names = said.join_together(_with_section(one, wanted) for one in named)
    both = [(one, other) for one in named for other in named if one.key < other.key and exclude(one, other)]
    found = [
        *lead,
        *(
            ComposedStatement(
                said.left_item.format(name=safe(one.name), reason=said.excluded.format(names=other.code)), one.evidence
            )
            for one, other in both
        ),
    ]
    needed = {
        one.key: [other for other in named if any(other.key in way - one.needs.with_ for way in one.needs.before)]
        for one in named
    }
    is_bound = bool(both) or any(needed.values())
    offering = [term for term in terms if all(one.key in request.catalogue.offerings_in(term) for one in named)]
    for term in offering:
        sections = [_of_wanted(request.catalogue.offerings_in(term)[one.key], wanted.get(one.key)) for one in named]
        ways = [way for way in product(*sections) if not _clashing(way)]
        is_clash_asked = _CLASH.search(request.asked) is not None and MAY_TAKE.search(request.asked) is None
        worded = (
            (said.no_clash if is_clash_asked else said.times_fit if is_bound else said.they_fit)
            if ways
            else (said.yes_clash if is_clash_asked else said.they_clash)
        )
        others = [request.catalogue.offerings_in(term)[one.key] for one in named]
        every_way = prod(len(each) for each in sections)
        fits = said.never_at_once if len(ways) == every_way else said.some_sections_fit
        reason = fits if ways else _reason(sections, others, said)
        text = worded.format(names=names, term=term.label, reason=reason)
        found.append(ComposedStatement(text, request.catalogue.schedule(term)))
        found += [item for one in named for item in list_sections(request, one, term, said, is_sole=False)]
    if not offering:
        found += [
            item for term in terms for one in named for item in list_sections(request, one, term, said, is_sole=True)
        ]
    for one in named:
        if needed[one.key]:
            reason = said.needs.format(names=said.join(other.code for other in needed[one.key]))
            found.append(ComposedStatement(said.left_item.format(name=safe(one.name), reason=reason), one.evidence))
    return Composed(request.kind, "partial" if lead or not offering else "full", tuple(found), score=LIKELY)


_SECTION = re.compile(r"\bsections? (?:number |no\.? )?(\w{1,3})\b|第?\s?(\d{1,2})\s?(?:班|组)", re.IGNORECASE)


def _sections_wanted(request: Request) -> dict[str, re.Match[str]]:
    """By class the section that a question names: of the class right after it, else of the one before it."""
    wanted = {}
    for found in _SECTION.finditer(request.asked):
        after = find_classes(request.asked[found.end() :], request.catalogue)
        one = next(iter(after or find_classes(request.asked[: found.start()], request.catalogue)[-1:]), None)
        if one is not None:
            wanted[one.key] = found
    return wanted


def _with_section(one: Class, wanted: Mapping[str, re.Match[str]]) -> str:
    """The code of a class, with the section that is meant."""
    found = wanted.get(one.key)
    return safe(one.code) if found is None else f"{safe(one.code)} ({safe(found.group())})"


def _of_wanted(sections: Sequence[Offering], wanted: re.Match[str] | None) -> Sequence[Offering]:
    """The sections of that name; all where none is named, or none is called so."""
    name = "" if wanted is None else (wanted[1] or wanted[2]).lower()
    return [one for one in sections if one.section.lower() == name] or sections


def _reason(meant: Sequence[Sequence[Offering]], all_of_them: Sequence[Sequence[Offering]], said: PlanWording) -> str:
    """Why the sections that are meant clash: where some were named, whether others would not."""
    if all(len(some) == len(every) for some, every in zip(meant, all_of_them, strict=True)):
        return said.every_choice
    return said.as_named if all(map(_clashing, product(*all_of_them))) else said.as_named_alone


def _clashing(way: Sequence[Offering]) -> bool:
    return any(clash(one, other) for place, one in enumerate(way) for other in way[:place])
