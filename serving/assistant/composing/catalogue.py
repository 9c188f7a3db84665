"""Classes and programs of a catalogue that a question names: their records, and what is asked of them. Pure.

Belongs here: which records are named, what leads from one to another (what needs a class, what it opens), and sums of
credits. A plan of several terms is `semester`'s.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from knowledge_graph.sources.catalog.needs import Needs, code_key, credits_of, needs_of
from knowledge_graph.text.layout import CELLS
from knowledge_graph.text.sentences import split_sentences
from serving.assistant.composing.catalogue_fields import (
    FIELDS,
    PREREQUISITES,
    REPEATED,
    SELDOM_SAID,
    Field,
    judge_grade,
)
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.exclusions import deny_counting_both
from serving.assistant.composing.explain import LIKELY, UNLIKELY
from serving.assistant.composing.found_units import MOST_STRANGE
from serving.assistant.composing.material import MaterialPiece, safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.calendar import read_term
from serving.assistant.composing.semester.names import find_classes, find_programs, is_short_for, is_word_of
from serving.assistant.composing.semester.offers import Class
from serving.assistant.composing.semester.wording import plan_wording
from serving.assistant.composing.terms import coverage, known, phrases, stands_as_noun, stands_as_verb, terms_of
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.analysis import content_terms, terms

CODE = re.compile(r"\b([A-Z]{2,5})[ \u00a0-]?(\d{3,4}[A-Z]?)\b", re.IGNORECASE)
MOST = 3
MOST_LISTED = 8
_KINDS = frozenset[QuestionKind](
    (
        *("before", "after", "catalogue", "aspect", "definition", "list", "logistics", "yes_no", "how", "other"),
        *("comparison", "calculation", "why", "plan"),
    )
)
"""A plan where the catalogue has no schedule: what a class opens can be said all the same."""

_TOGETHER = re.compile(
    r"\b(?:together|total|in all|in one (?:term|semester)|altogether|sum|add up|combined|both|all (?:three|of them))\b"
    r"|一共|总共|共",
    re.IGNORECASE,
)
_CREDITS = re.compile(r"\b(?:credits?|credit hours?)\b|学分", re.IGNORECASE)
_PROGRAMS = re.compile(
    r"\b(?:programs?|programmes?|degrees?|majors?|minors?|certificates?)\b|专业|学位|项目|辅修", re.IGNORECASE
)
_WANTS = re.compile(
    r"\b(?:require|want|need|ask for|include|contain|list|use|have|demand)\w*\b|要求|需要|包括|要修|要学", re.IGNORECASE
)
_OPENS = re.compile(
    r"\b(?:which|what) (?:other )?(?:class(?:es)?|courses?)\b.{0,12}\b(?:need|require|asks? for|want|depend|build)\w*\b"
    r"|\b(?:have|has|list|name|with)\b.{0,50}\bas (?:an? |their |its |the )?pre-?req\w*"
    r"|\b(?:a |the )?pre-?req\w* (?:for|of) (?:what|which)\b|\bwhat.{0,50}\ba pre-?req\w* (?:for|of)\b"
    r"|\b(?:next|after|then|opens?(?: up)?|unlocks?|follows?|leads? to|qualif\w+|can i (?:now )?take|finished|done with"
    r"|passed)\b"
    r"|之后|接下来|然后|学完|修完|后续",
    re.IGNORECASE,
)


def compose_catalogue(request: Request) -> Composed | None:
    """The records of what a question names by code or title, or those that it leads to; `None` where it names none.
    What they do not hold of what is asked is said."""
    found = _compose_catalogue(request)
    if found is None or found.coverage != "partial" or found.evidence == ():
        return found
    text = "\n".join(one.text for one in found.statements)
    asked = (one for one in SELDOM_SAID if one.asked.search(request.question))
    lacking = next((one for one in asked if not one.held.search(text)), None)
    if lacking is not None and (of_programs := _quote_programs(request, lacking, found)):
        told = Composed(request.kind, "partial", tuple(of_programs), score=LIKELY)
        return _with_grade_judged(request, told)
    if lacking is None or found.note:
        return _with_grade_judged(request, found)
    said = wording(request.spoken)
    titles = list(dict.fromkeys(safe(one.title) for one in found.evidence))[:MOST]
    aspect = lacking.zh if request.spoken == "zh" else lacking.en
    note = said.no_aspect.format(names=said.join(titles), aspect=aspect)
    return replace(found, note=note, after=said.hand_off, score=UNLIKELY)


def _quote_programs(request: Request, field: Field, found: Composed) -> list[ComposedStatement]:
    """What is asked of classes where no record of theirs holds it: the lines of the programs that the question names,
    else of those that name the classes."""
    asked, pages = frozenset(terms(request.question)), request.catalogue.program_pages
    named = [title for title in pages if frozenset(content_terms(name_of(title))) <= asked]
    if not named:
        keys = {code_key(code_of(one.title)) for one in found.evidence}
        named = [one.title for one in request.catalogue.programs if keys & one.classes]
    return [
        ComposedStatement(f"**{safe(title)}**\n{safe(line)}", replace(page, text=line))
        for title in dict.fromkeys(named)
        for page in pages.get(title, ())
        for line in split_sentences(page.text, request.lang)
        if field.held.search(line)
    ][:MOST]


def _with_grade_judged(request: Request, found: Composed) -> Composed:
    """The answer with whether a grade that the question names is enough, where a record says which is needed."""
    for one in found.statements:
        if (judged := judge_grade(request.question, one.text)) is not None:
            said, (is_enough, least) = plan_wording(request.spoken), judged
            text = (said.grade_enough if is_enough else said.grade_too_low).format(least=least)
            return replace(found, statements=(ComposedStatement(text), *found.statements))
    return found


def _compose_catalogue(request: Request) -> Composed | None:
    if request.kind not in _KINDS:
        return None
    if (listed := _of_subject(request) or _of_property(request) or _of_programs(request)) is not None:
        return listed
    if (missing := _not_in_it(request)) is not None:
        return missing
    records, codes = find_named_records(request), codes_in(request.question)
    if not (records or codes) or (request.kind == "plan" and request.catalogue.offerings):
        return None
    own = [code_of(one.entry.title) for one in records]
    counted = deny_counting_both(request, records, own) or _of_their_credits(request, records)
    if counted is not None:
        return counted
    if not records and (said_of := _quote_other_records(request, codes[0])):
        return Composed(request.kind, "partial", tuple(said_of), score=LIKELY)
    if (led := _compose_dependents(request, records[0].entry.title if records else codes[0])) is not None:
        return led
    return _of_records(request, records) if records and request.kind != "plan" else None


def _of_records(request: Request, records: Sequence[MaterialPiece]) -> Composed:
    """What is asked of a record where it is one of its fields; else the records, with what others say of the class, or
    with what none speaks of."""
    if len(records) == 1:
        record = records[0]
        field = next((one for one in FIELDS if one.asked.search(request.question) and not _is_guide(record)), None)
        beside = _quote_other_records(request, record.entry.title) if field in (None, REPEATED) else []
        if field is not None and not beside:
            return _answer_of_record(request, record, field)
        if beside:
            return Composed(request.kind, "partial", (*beside, _whole(record)), score=LIKELY)
    return _compose_with_unknown_words(request, records) or _compose_records(request, records)


def _of_their_credits(request: Request, records: Sequence[MaterialPiece]) -> Composed | None:
    """The credits of several classes, each or together, where that is asked."""
    if not _CREDITS.search(request.question) or len(records) < 2:
        return None
    keys = [code_key(code_of(one.entry.title)) for one in records]
    if _COMPARES_CREDITS.search(request.question) and all(key in request.catalogue.classes for key in keys):
        return _list_classes(request, [request.catalogue.classes[key] for key in keys])
    return _credits_together(request, records)


def _quote_other_records(request: Request, title: str) -> list[ComposedStatement]:
    """What a record of another class says of the class of this title, or code alone, beside that it needs it: "who took
    it before 2019 need not repeat it". Of a class with a record of its own it must speak of more that is asked than
    that title."""
    code, own = code_of(title), frozenset(terms(title))
    others = [unit for unit in request.units if not any(name <= own for name in unit.names)]
    has_record = code_key(code) in request.catalogue.classes
    for one in _naming(request, code, "") if code else ():
        if code_of(one.entry.title) == code:
            continue
        for line in one.lines:
            if code not in line.text or CELLS in line.text or PREREQUISITES.held.search(line.text):
                continue
            is_again = REPEATED.asked.search(request.question) and REPEATED.held.search(line.text)
            if not has_record or is_again or (others and coverage(others, terms_of(line.text)) > 0):
                whose = f"**{safe(one.entry.title)}**\n" if not has_record and code_of(one.entry.title) else ""
                return [ComposedStatement(f"{whose}{line.text}", one.evidence([line]))]
    return []


def _answer_of_record(request: Request, record: MaterialPiece, field: Field) -> Composed:
    """One record where it holds what is asked of it; beside it what its page says of all its classes; else that neither
    says it."""
    if any(field.held.search(line.text) for line in record.lines):
        return _compose_records(request, [record])
    if field is PREREQUISITES and (of_all := _of_all_classes(request, record)) is not None:
        return Composed(request.kind, "partial", (of_all, _whole(record)), score=LIKELY)
    said = wording(request.spoken)
    aspect = field.zh if request.spoken == "zh" else field.en
    note = said.no_aspect.format(names=safe(record.entry.title), aspect=aspect)
    return Composed(request.kind, "partial", (_whole(record),), note=note, after=said.hand_off, score=UNLIKELY)


_CLASSES = re.compile(
    r"\b(?:which|what|list|any|all|show|name)\b.{0,30}?\b([a-z]{3,}(?: [a-z]{3,})?) (?:courses|classes)\b"
    r"|\b(?:which|what|list|any|all|show|name)\b.{0,20}?\b(?:courses|classes) (?:(?:are )?there |are )?"
    r"(?:about|in|on|of) ([a-z]{3,}(?: [a-z]{3,})?)\W*$",
    re.IGNORECASE,
)


_ASKS_A_RULE = re.compile(r"\b(?:rules?|policy|policies)\b|规定|规则", re.IGNORECASE)


def _of_subject(request: Request) -> Composed | None:
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
    if _CREDITS.search(request.question) and _TOGETHER.search(request.question) and len(credits) == len(found):
        listed = _list_classes(request, found)
        return replace(listed, statements=(_sum_of(request, credits), *listed.statements))
    beside = [one for one in request.catalogue.beside if is_short_for(one.subject, subject)]
    return _list_classes(request, [*found, *beside])


_COMPARES_CREDITS = re.compile(
    r"\b(?:more|fewer|less|most|fewest|least|same|as many)\b.{0,20}\b(?:credits?|credit hours?)\b"
    r"|学分(?:更|最)?[多少高低]",
    re.IGNORECASE,
)
"""What asks which class has more credits."""


def _list_classes(request: Request, found: Sequence[Class]) -> Composed:
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
    r"\b(?:courses|classes|electives)\b.{0,24}\b(?:no|without(?: any)?|don't (?:have|need)(?: any)?) ?pre-?req\w*"
    r"|没有先修(?:要求)?的课|哪些课(?:程)?(?:没有|不需要|不要求)先修",
    re.IGNORECASE,
)


def _of_property(request: Request) -> Composed | None:
    """The classes of so many credits, those that need none before them, or somebody's consent, where the catalogue's
    are asked for so."""
    classes = [one for _, one in sorted(request.catalogue.classes.items())]
    if codes_in(request.question):
        return None
    if _BY_CONSENT.search(request.question):
        found = [one for one in (*classes, *request.catalogue.beside) if _CONSENT.search(one.needs.condition)]
        return _list_classes(request, found) if found else None
    if (worth := _WORTH.search(request.question)) is not None:
        credits = float(next(one for one in worth.groups() if one is not None and one.isdigit()))
        subject, term = worth["subject"], read_term(request.question)
        terms = [one for one in request.catalogue.terms if one.fits(term)]
        offered = frozenset(key for one in terms for key in request.catalogue.offerings_in(one))
        found = [one for one in classes if one.credits == credits and (not terms or one.key in offered)]
        found = [one for one in found if subject and is_short_for(one.subject, subject)] or found
        listed = _list_classes(request, found) if found else None
        if listed is None or not terms:
            return listed
        said = plan_wording(request.spoken)
        lead = ComposedStatement(said.offered_then.format(term=terms[0].label), request.catalogue.schedule(terms[0]))
        return replace(listed, statements=(lead, *listed.statements))
    if not _FREE.search(request.question):
        return None
    subject = _CLASSES.search(request.question)
    free = [one for one in classes if one.needs == Needs()]
    named = (subject[1] or subject[2]) if subject is not None else ""
    found = [one for one in free if named and is_short_for(one.subject, named)] or free
    if not found:
        return None
    listed = _list_classes(request, found)
    lead = ComposedStatement(wording(request.spoken).free_classes)  # a record that is silent may have left it out
    return replace(listed, statements=(lead, *listed.statements))


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


def _of_programs(request: Request) -> Composed | None:
    """Every program where all are asked for, or where one is that the catalogue has no page of."""
    pages = request.catalogue.program_pages
    asked = _PROGRAM_OF.search(request.question)
    if not pages or codes_in(request.question) or (_WANTS.search(request.question) and asked is None):
        return None
    said = plan_wording(request.spoken)
    named = [(title, one[0]) for title, one in pages.items() if not _GUIDE.match(title)][:MOST_LISTED]
    items = [ComposedStatement(f"**{safe(title)}**", one, is_item=True) for title, one in named]
    if _EVERY_PROGRAM.search(request.question):
        return Composed(request.kind, "full", (ComposedStatement(said.programs_are), *items), score=LIKELY)
    called = _PROGRAM_CALLED.search(request.question) if asked is None else None
    if called is not None and not find_programs(called.group(), request.catalogue):
        return Composed(request.kind, "partial", (ComposedStatement(said.no_program), *items), score=LIKELY)
    name = content_terms(f"{asked[1]} {asked[2] or ''}", strict=True) if asked is not None else []
    if not name or any(term.startswith(one) for title in pages for term in terms(title) for one in name):
        return None
    if described := _find_by_description(request):
        return _compose_records(request, described)
    return Composed(request.kind, "full", (ComposedStatement(said.no_program), *items), score=LIKELY)


def _find_by_description(request: Request) -> list[MaterialPiece]:
    """Programs by what their pages say and their names do not: "in the evening"."""
    sought = [unit for unit in request.units if not _PROGRAMS.search(unit.label)]
    names = request.catalogue.program_pages
    return [
        one
        for one in request.pieces
        if _is_record(one)
        and sought
        and coverage(sought, terms_of(one.entry.text)) == 1.0
        and any(_BESIDE.sub("", one.entry.title) == _BESIDE.sub("", title) for title in names)
    ][:MOST]


def _not_in_it(request: Request) -> Composed | None:
    """That the catalogue has no class of a code, where it has others of the same subject; `None` where it has all."""
    classes = request.catalogue.classes
    subjects = {one.subject for one in classes.values()}
    codes = codes_in(request.question)
    known = {*classes, *(one.key for one in request.catalogue.beside)}
    strange = [code for code in codes if code_key(code) not in known and code.split()[0] in subjects]
    if not strange or len(strange) < len(codes) or any(_quote_other_records(request, code) for code in strange):
        return None
    said = wording(request.spoken)
    text = said.nothing_of.format(names=said.join(strange))
    return Composed(request.kind, "none", (ComposedStatement(text),), after=said.ask_ta)


def _compose_records(request: Request, records: Sequence[MaterialPiece]) -> Composed:
    return Composed(request.kind, "partial", tuple(_whole(one) for one in records), score=LIKELY)


def _compose_with_unknown_words(request: Request, records: Sequence[MaterialPiece]) -> Composed | None:
    """The records with what no text of the catalogue speaks of, where the question has such words; else `None`."""
    strange = [
        unit.label
        for unit in request.units
        if not unit.is_known and unit.label.isalpha() and not stands_as_verb(unit.label, request.question)
        if not _WANTS.search(unit.label) and not any(is_word_of(unit.label, one.entry.title) for one in records)
    ]
    if request.asked != request.question or not 0 < len(strange) <= MOST_STRANGE or _hold_more(request, records):
        return None
    said, things = wording(request.spoken), [one for one in strange if stands_as_noun(one, request.question)]
    note = (
        said.nothing_of_part.format(names=said.join(phrases(things, request.question))) if things else said.not_direct
    )
    return replace(_compose_records(request, records), note=note, after=said.hand_off, score=UNLIKELY)


def _hold_more(request: Request, records: Sequence[MaterialPiece]) -> bool:
    """Whether the records speak of more that is asked than their titles do."""
    titled = terms_of("\n".join(one.entry.title for one in records))
    said = terms_of("\n".join(line.text for one in records for line in one.lines))
    others = [unit for unit in known(request.units) if unit.measure_coverage(titled) < 1.0]
    return any(unit.measure_coverage(said) == 1.0 for unit in others)


_OPEN = re.compile(
    r"\b(?:needs?|requires?|open to|prerequisites?|permission|consent|admitted)\b|先修|要求|需要", re.IGNORECASE
)
"""What a page says of all its classes that decides who may take one."""


def _of_all_classes(request: Request, record: MaterialPiece) -> ComposedStatement | None:
    """What the page of a class says of who may take its classes; `None` where it says nothing."""
    subject = code_of(record.entry.title).partition(" ")[0]
    for one in request.material.pieces(f"{subject} {request.question}", None, lang=request.lang):
        if _is_record(one) and one.entry.mode is None and _are_beside(one, record):
            lines = [line for line in one.lines if _OPEN.search(line.text) and not code_of(line.text)]
            lines = [line for line in lines if not _CREDITS.search(line.text)]  # of a class beside it
            lines += [line for line in one.lines if _OPEN.search(line.text) and _RANGE.match(line.text)]
            if lines:
                return ComposedStatement("\n".join(line.text for line in lines), one.evidence(lines))
    return None


_RANGE = re.compile(r"\b[A-Z]{2,5} \d{3,4}[ -]level\b", re.IGNORECASE)


def _are_beside(one: MaterialPiece, other: MaterialPiece) -> bool:
    """Whether two records are of one page."""
    left, right = one.entry.locator, other.entry.locator
    return left is not None and right is not None and (left.url, left.document) == (right.url, right.document)


def _compose_dependents(request: Request, title: str) -> Composed | None:
    """The programs that list a class, or the classes that need it, where that is asked; `None` where it is not."""
    code, name = code_of(title), name_of(title)
    if not code:
        return None
    if _PROGRAMS.search(request.question) and _WANTS.search(request.question):
        found = [
            one for one in _naming(request, code, name) if not code_of(one.entry.title) and _lists(one, code, name)
        ]
    elif request.kind == "after" or (_OPENS.search(request.question) and not _CREDITS.search(request.question)):
        found = [one for one in _naming(request, code, name) if code_of(one.entry.title) != code and _needs(one, code)]
    else:
        return None
    return _compose_records(request, found[:MOST_LISTED]) if found else None


def _naming(request: Request, code: str, name: str) -> list[MaterialPiece]:
    """Every record that names a class by its code or name, in the order of their titles."""
    queries = [code, f"prerequisite {code}", *([name] if name else [])]
    found = {
        one.entry.entry_id: one
        for query in queries
        for one in request.material.pieces(query, None, lang=request.lang)
        if _is_record(one)
    }
    return sorted(found.values(), key=lambda one: one.entry.title)


def _lists(program: MaterialPiece, code: str, name: str) -> bool:
    text = program.entry.text.lower()
    return code.lower() in text or (bool(name) and name.lower() in text)


def _needs(one: MaterialPiece, code: str) -> bool:
    """Whether a record names a code in what must be had before, or beside it."""
    needs = needs_of(one.entry.text, {})
    asked = needs.with_.union(*needs.before)
    return code_key(code) in asked or code_key(code) in code_key(needs.condition)


def _credits_together(request: Request, records: Sequence[MaterialPiece]) -> Composed | None:
    """The sum of the credits of several classes, with each record; `None` where one does not say its own."""
    if not _TOGETHER.search(request.question):
        return None
    credits = [
        found for one in records if (found := credits_of("\n".join(line.text for line in one.lines))) is not None
    ]
    if len(credits) < len(records):
        return None
    statements = (_sum_of(request, credits), *(_whole(one) for one in records))
    return Composed(request.kind, "partial", statements, score=LIKELY)


def _sum_of(request: Request, credits: Sequence[float]) -> ComposedStatement:
    text = f"{' + '.join(f'{one:g}' for one in credits)} = {sum(credits):g}"
    return ComposedStatement(wording(request.spoken).credits_together.format(sum=text))


def find_named_records(request: Request) -> list[MaterialPiece]:
    """Records by the codes in the question; without one, those whose whole name the question has.

    Of a program with several records the ones that speak of its requirements come first. A class is also known by its
    title cut short: "calc 2".
    """
    codes = codes_in(request.question)
    classes = _of_codes(request, codes) if codes else _find_by_title(request) or _cut_short(request)
    if codes and request.kind != "yes_no" and not _COUNTS.search(request.question):
        return classes
    programs = _programs(request, [one for one in classes if code_of(one.lines[0].text if one.lines else "")])
    own = {one.entry.entry_id for one in programs}
    return [*programs, *(one for one in classes if one.entry.entry_id not in own)][:MOST]


def _cut_short(request: Request) -> list[MaterialPiece]:
    return _of_codes(request, [one.code for one in find_classes(request.question, request.catalogue)])


_COUNTS = re.compile(r"\b(?:counts?|enough|ok(?:ay)?|accepted)\b|算", re.IGNORECASE)
_OF_REQUIREMENTS = frozenset[QuestionKind](("comparison", "yes_no", "before", "calculation"))
"""Kinds of question about a program that what it requires answers."""


def _programs(request: Request, classes: Sequence[MaterialPiece]) -> list[MaterialPiece]:
    """What each program that is named requires, where that is asked; no program whose words are those of a class."""
    asks = _WANTS.search(request.question) or _COUNTS.search(request.question)
    if request.kind not in _OF_REQUIREMENTS and not asks:
        return []
    found = []
    for title in find_programs(request.question, request.catalogue):
        if any(frozenset(content_terms(name_of(title))) <= frozenset(terms(one.entry.text)) for one in classes):
            continue
        pieces = (*request.pieces, *request.material.pieces(title, None, lang=request.lang))
        pages = [
            one for one in pieces if _is_record(one) and _BESIDE.sub("", one.entry.title) == _BESIDE.sub("", title)
        ]
        found += [_of_name(request, pages)] if pages else []
    return found if request.kind != "comparison" or len(found) + len(classes) > 1 else []


def _of_codes(request: Request, codes: Sequence[str]) -> list[MaterialPiece]:
    found = []
    for code in codes[:MOST]:
        pieces = (*request.pieces, *request.material.pieces(code, None, lang=request.lang))
        own = [one for one in pieces if _is_record(one) and code_of(one.entry.title) == code]
        found += own[:1] or _beside(code, pieces)
    return found


def _beside(code: str, pieces: Sequence[MaterialPiece]) -> list[MaterialPiece]:
    """What a page of other classes says of one that has no record of its own."""
    for one in pieces:
        if _is_record(one) and not code_of(one.entry.title):
            at = next((place for place, line in enumerate(one.lines) if code_of(line.text) == code), len(one.lines))
            rest = one.lines[at + 1 :]
            end = next((place for place, line in enumerate(rest) if code_of(line.text)), len(rest))
            if at < len(one.lines):
                return [replace(one, lines=(one.lines[at], *rest[:end]))]
    return []


def _find_by_title(request: Request) -> list[MaterialPiece]:
    asked = frozenset(terms(request.question))
    titled: list[tuple[frozenset[str], MaterialPiece]] = []
    for one in request.pieces:
        name = frozenset(content_terms(name_of(one.entry.title)))
        is_spelled = len(name) > 1 or _is_guide(one) or _is_spelled(one, request.question)
        if _is_record(one) and name and name <= asked and is_spelled:
            titled.append((name, one))
    widest = [(name, one) for name, one in titled if not any(name < other for other, _ in titled)]
    names = list(dict.fromkeys(name for name, _ in widest))
    is_named = any(code_of(one.entry.title) or _is_guide(one) for _, one in widest)
    if len(names) < 2 and request.kind != "before" and not is_named and not _CREDITS.search(request.question):
        return []
    return [_of_name(request, [one for other, one in widest if other == name]) for name in names][:MOST]


_GUIDE = re.compile(r"how to\b|(?:如何|怎样|怎么)", re.IGNORECASE)


def _is_guide(one: MaterialPiece) -> bool:
    """Whether a page says how something is done: "How to apply"."""
    return _GUIDE.match(one.entry.title) is not None


def _of_name(request: Request, records: Sequence[MaterialPiece]) -> MaterialPiece:
    """Of the records with one name: a class, else a program's requirements, else the nearest."""
    return min(records, key=lambda one: (not code_of(one.entry.title), _REQUIRES.search(one.entry.title) is None))


_REQUIRES = re.compile(r"require|要求", re.IGNORECASE)


def _is_spelled(one: MaterialPiece, question: str) -> bool:
    """Whether a name of one word stands in a question as it is written; a program's with its degree."""
    degree = "" if code_of(one.entry.title) else _DEGREE
    return re.search(rf"\b{re.escape(name_of(one.entry.title))}\b{degree}", question, re.IGNORECASE) is not None


_DEGREE = r"\W{1,2}(?:b[as]c?|m[as]c?|major|minor|program\w*|degree|certificate)\b"


_BESIDE = re.compile(r"\([^)]{1,12}\)|\s[—–]\s.*$")


def name_of(title: str) -> str:
    """The name in a record's title, without code, degree and topic: "History" of "History (BA) — requirements"."""
    return " ".join(_BESIDE.sub(" ", CODE.sub("", title)).split())


def codes_in(question: str) -> list[str]:
    """The codes of classes in a question, in its order, each once."""
    found = (pair for pair in CODE.findall(question) if pair[0].lower() not in _BEFORE_YEARS)
    return list(dict.fromkeys(f"{word.upper()} {number.upper()}" for word, number in found))


_BEFORE_YEARS = frozenset("in on of by for from to since until till after before year fall term and the".split())
"""Words before a number that is a year: "in 2017" is no class."""


def code_of(title: str) -> str:
    """The code that a record's title begins with, as "COMP 3300"; empty without one."""
    found = CODE.match(title)
    return f"{found[1].upper()} {found[2].upper()}" if found is not None else ""


def _is_record(piece: MaterialPiece) -> bool:
    return piece.entry.source == "catalog"


def _whole(piece: MaterialPiece) -> ComposedStatement:
    text = "\n".join(line.text for line in piece.lines)
    return ComposedStatement(f"**{safe(piece.entry.title)}**\n{text}", piece.evidence(piece.lines))
