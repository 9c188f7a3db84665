"""Records of a catalogue: which of them a question names, by code, title or description. Pure.

Belongs here: finding records and quoting them whole; what is asked of them is `catalogue`'s.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.material import MaterialPiece, safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.names import find_classes, find_programs
from serving.assistant.composing.terms import coverage, terms_of
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.analysis import content_terms, terms

CODE = re.compile(r"\b([A-Z]{2,5})[ \u00a0-]?(\d{3,4}[A-Z]?)\b", re.IGNORECASE)

MOST_RECORDS = 3
"""Records that are quoted whole. A choice."""


CREDITS = re.compile(r"\b(?:credits?|credit hours?)\b|学分", re.IGNORECASE)

PROGRAMS = re.compile(
    r"\b(?:programs?|programmes?|degrees?|majors?|minors?|certificates?)\b|专业|学位|项目|辅修", re.IGNORECASE
)

WANTS = re.compile(
    r"\b(?:require|want|need|ask for|include|contain|list|use|have|demand)\w*\b|要求|需要|包括|要修|要学", re.IGNORECASE
)


def find_by_description(request: Request) -> list[MaterialPiece]:
    """Programs by what their pages say and their names do not: "in the evening"."""
    sought = [unit for unit in request.units if not PROGRAMS.search(unit.label)]
    names = request.catalogue.program_pages
    return [
        one
        for one in request.pieces
        if is_record(one)
        and sought
        and coverage(sought, terms_of(one.entry.text)) == 1.0
        and any(_BESIDE.sub("", one.entry.title) == _BESIDE.sub("", title) for title in names)
    ][:MOST_RECORDS]


def compose_records(request: Request, records: Sequence[MaterialPiece]) -> Composed:
    return Composed(request.kind, "partial", tuple(quote_whole(one) for one in records), score=LIKELY)


def find_named_records(request: Request) -> list[MaterialPiece]:
    """Records by the codes in the question; without one, those whose whole name the question has.

    Of a program with several records the ones that speak of its requirements come first. A class is also known by its
    title cut short: "calc 2".
    """
    codes = codes_in(request.question)
    classes = _find_by_code(request, codes) if codes else _find_by_title(request) or _find_cut_short(request)
    if codes and request.kind != "yes_no" and not _COUNTS.search(request.question):
        return classes
    programs = _programs(request, [one for one in classes if code_of(one.lines[0].text if one.lines else "")])
    own = {one.entry.entry_id for one in programs}
    return [*programs, *(one for one in classes if one.entry.entry_id not in own)][:MOST_RECORDS]


def _find_cut_short(request: Request) -> list[MaterialPiece]:
    return _find_by_code(request, [one.code for one in find_classes(request.question, request.catalogue)])


_COUNTS = re.compile(r"\b(?:counts?|enough|ok(?:ay)?|accepted)\b|算", re.IGNORECASE)


_OF_REQUIREMENTS = frozenset[QuestionKind](("comparison", "yes_no", "before", "calculation"))
"""Kinds of question about a program that what it requires answers."""


def _programs(request: Request, classes: Sequence[MaterialPiece]) -> list[MaterialPiece]:
    """What each program that is named requires, where that is asked; no program whose words are those of a class."""
    asks = WANTS.search(request.question) or _COUNTS.search(request.question)
    if request.kind not in _OF_REQUIREMENTS and not asks:
        return []
    found = []
    for title in find_programs(request.question, request.catalogue):
        if any(frozenset(content_terms(name_of(title))) <= frozenset(terms(one.entry.text)) for one in classes):
            continue
        pieces = (*request.pieces, *request.material.pieces(title, None, lang=request.lang))
        pages = [one for one in pieces if is_record(one) and _BESIDE.sub("", one.entry.title) == _BESIDE.sub("", title)]
        found += [_of_name(request, pages)] if pages else []
    return found if request.kind != "comparison" or len(found) + len(classes) > 1 else []


def _find_by_code(request: Request, codes: Sequence[str]) -> list[MaterialPiece]:
    found = []
    for code in codes[:MOST_RECORDS]:
        pieces = (*request.pieces, *request.material.pieces(code, None, lang=request.lang))
        own = [one for one in pieces if is_record(one) and code_of(one.entry.title) == code]
        found += own[:1] or _find_beside(code, pieces)
    return found


def _find_beside(code: str, pieces: Sequence[MaterialPiece]) -> list[MaterialPiece]:
    """What a page of other classes says of one that has no record of its own."""
    for one in pieces:
        if is_record(one) and not code_of(one.entry.title):
            at = next((place for place, line in enumerate(one.lines) if code_of(line.text) == code), len(one.lines))
            rest = one.lines[at + 1 :]
            end = next((place for place, line in enumerate(rest) if code_of(line.text)), len(rest))
            if at < len(one.lines):
                return [replace(one, lines=(one.lines[at], *rest[:end]))]
    return []


def _find_by_title(request: Request) -> list[MaterialPiece]:
    asked = frozenset(terms(request.question))
    titled: list[tuple[frozenset[str], MaterialPiece]] = []
    for one in filter(is_record, request.pieces):
        name = frozenset(content_terms(name_of(one.entry.title)))
        if name and name <= asked and (len(name) > 1 or is_guide(one) or _is_spelled(one, request.question)):
            titled.append((name, one))
    widest = [(name, one) for name, one in titled if not any(name < other for other, _ in titled)]
    names = list(dict.fromkeys(name for name, _ in widest))
    is_named = any(code_of(one.entry.title) or is_guide(one) for _, one in widest)
    if len(names) < 2 and request.kind != "before" and not is_named and not CREDITS.search(request.question):
        return []
    return [_of_name(request, [one for other, one in widest if other == name]) for name in names][:MOST_RECORDS]


GUIDE = re.compile(r"how to\b|(?:如何|怎样|怎么)", re.IGNORECASE)


def is_guide(one: MaterialPiece) -> bool:
    """Whether a page says how something is done: "How to apply"."""
    return GUIDE.match(one.entry.title) is not None


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


def is_record(piece: MaterialPiece) -> bool:
    return piece.entry.source == "catalog"


def quote_whole(piece: MaterialPiece) -> ComposedStatement:
    text = "\n".join(line.text for line in piece.lines)
    return ComposedStatement(f"**{safe(piece.entry.title)}**\n{text}", piece.evidence(piece.lines))
