"""Classes and programs of a catalogue that a question names: their records, and what is asked of them. Pure.

Belongs here: what leads from one record to another (what needs a class, what it opens), what a record does not hold,
and sums of credits. A plan of several terms is `semester`'s.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from knowledge_graph.sources.catalog.needs import code_key, credits_of, needs_of
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
from serving.assistant.composing.catalogue_records import (
    CREDITS,
    MOST_RECORDS,
    PROGRAMS,
    WANTS,
    code_of,
    codes_in,
    compose_records,
    find_named_records,
    is_guide,
    is_record,
    name_of,
    quote_whole,
)
from serving.assistant.composing.class_lists import MOST_LISTED, TOGETHER, compose_list, list_classes, write_sum
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.exclusions import deny_counting_both
from serving.assistant.composing.explain import LIKELY, UNLIKELY
from serving.assistant.composing.found_units import MOST_STRANGE
from serving.assistant.composing.material import MaterialPiece, safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.names import is_word_of
from serving.assistant.composing.semester.wording import plan_wording
from serving.assistant.composing.terms import coverage, known, phrases, stands_as_noun, stands_as_verb, terms_of
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.analysis import content_terms, terms

_KINDS = frozenset[QuestionKind](
    (
        *("before", "after", "catalogue", "aspect", "definition", "list", "logistics", "yes_no", "how", "other"),
        *("comparison", "calculation", "why", "plan"),
    )
)
"""A plan where the catalogue has no schedule: what a class opens can be said all the same."""


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
    titles = list(dict.fromkeys(safe(one.title) for one in found.evidence))[:MOST_RECORDS]
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
    ][:MOST_RECORDS]


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
    if (listed := compose_list(request)) is not None:
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
        field = next((one for one in FIELDS if one.asked.search(request.question) and not is_guide(record)), None)
        beside = _quote_other_records(request, record.entry.title) if field in (None, REPEATED) else []
        if field is PREREQUISITES and not beside and not code_of(record.entry.title):
            return _answer_of_program(request, record)
        if field is not None and not beside:
            return _answer_of_record(request, record, field)
        if beside:
            return Composed(request.kind, "partial", (*beside, quote_whole(record)), score=LIKELY)
    return _compose_with_unknown_words(request, records) or compose_records(request, records)


def _answer_of_program(request: Request, record: MaterialPiece) -> Composed:
    """What a program requires, with the classes of its that need one that is asked about before them: "do I need
    calculus for the computing major"."""
    catalogue, name = request.catalogue, name_of(record.entry.title)
    asked = frozenset(content_terms(request.question))
    own = frozenset[str]().union(*(one.classes for one in catalogue.programs if name_of(one.title) == name))
    before = {
        key
        for key in catalogue.add_implied(own) - own
        if key in catalogue.classes and asked & frozenset(content_terms(catalogue.classes[key].title))
    }
    needing = [
        one for key, one in catalogue.classes.items() if key in own and before & frozenset().union(*one.needs.before)
    ]
    led = [
        ComposedStatement(f"**{safe(one.name)}**\n{one.evidence.text.removeprefix(one.name).strip()}", one.evidence)
        for one in (*needing, *(catalogue.classes[key] for key in sorted(before)))
    ]
    found = _compose_with_unknown_words(request, [record]) if not led else None
    return found or Composed(request.kind, "partial", (quote_whole(record), *led[:MOST_RECORDS]), score=LIKELY)


def _of_their_credits(request: Request, records: Sequence[MaterialPiece]) -> Composed | None:
    """The credits of several classes, each or together, where that is asked."""
    if not CREDITS.search(request.question) or len(records) < 2:
        return None
    keys = [code_key(code_of(one.entry.title)) for one in records]
    if _COMPARES_CREDITS.search(request.question) and all(key in request.catalogue.classes for key in keys):
        return list_classes(request, [request.catalogue.classes[key] for key in keys])
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
        return compose_records(request, [record])
    if field is PREREQUISITES and (of_all := _of_all_classes(request, record)) is not None:
        return Composed(request.kind, "partial", (of_all, quote_whole(record)), score=LIKELY)
    said = wording(request.spoken)
    aspect = field.zh if request.spoken == "zh" else field.en
    note = said.no_aspect.format(names=safe(record.entry.title), aspect=aspect)
    return Composed(request.kind, "partial", (quote_whole(record),), note=note, after=said.hand_off, score=UNLIKELY)


_COMPARES_CREDITS = re.compile(
    r"\b(?:more|fewer|less|most|fewest|least|same|as many)\b.{0,20}\b(?:credits?|credit hours?)\b"
    r"|学分(?:更|最)?[多少高低]",
    re.IGNORECASE,
)
"""What asks which class has more credits."""


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


def _compose_with_unknown_words(request: Request, records: Sequence[MaterialPiece]) -> Composed | None:
    """The records with what no text of the catalogue speaks of, where the question has such words; else `None`."""
    strange = [
        unit.label
        for unit in request.units
        if not unit.is_known and unit.label.isalpha() and not stands_as_verb(unit.label, request.question)
        if not WANTS.search(unit.label) and not any(is_word_of(unit.label, one.entry.title) for one in records)
    ]
    if request.asked != request.question or not 0 < len(strange) <= MOST_STRANGE or _hold_more(request, records):
        return None
    said, things = wording(request.spoken), [one for one in strange if stands_as_noun(one, request.question)]
    note = (
        said.nothing_of_part.format(names=said.join(phrases(things, request.question))) if things else said.not_direct
    )
    return replace(compose_records(request, records), note=note, after=said.hand_off, score=UNLIKELY)


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
        if is_record(one) and one.entry.mode is None and _are_beside(one, record):
            lines = [line for line in one.lines if _OPEN.search(line.text) and not code_of(line.text)]
            lines = [line for line in lines if not CREDITS.search(line.text)]  # of a class beside it
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
    if PROGRAMS.search(request.question) and WANTS.search(request.question):
        found = [
            one for one in _naming(request, code, name) if not code_of(one.entry.title) and _lists(one, code, name)
        ]
    elif request.kind == "after" or (_OPENS.search(request.question) and not CREDITS.search(request.question)):
        found = [one for one in _naming(request, code, name) if code_of(one.entry.title) != code and _needs(one, code)]
    else:
        return None
    return compose_records(request, found[:MOST_LISTED]) if found else None


def _naming(request: Request, code: str, name: str) -> list[MaterialPiece]:
    """Every record that names a class by its code or name, in the order of their titles."""
    queries = [code, f"prerequisite {code}", *([name] if name else [])]
    found = {
        one.entry.entry_id: one
        for query in queries
        for one in request.material.pieces(query, None, lang=request.lang)
        if is_record(one)
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
    if not TOGETHER.search(request.question):
        return None
    credits = [
        found for one in records if (found := credits_of("\n".join(line.text for line in one.lines))) is not None
    ]
    if len(credits) < len(records):
        return None
    statements = (write_sum(request, credits), *(quote_whole(one) for one in records))
    return Composed(request.kind, "partial", statements, score=LIKELY)
