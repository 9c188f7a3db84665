"""A class of a catalogue that a question names: its record, and whether it says what is asked for. Pure."""

import re
from dataclasses import dataclass
from re import Pattern

from serving.assistant.composing.composed import Composed, Statement
from serving.assistant.composing.explain import LIKELY, UNLIKELY
from serving.assistant.composing.material import Piece, safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording
from serving.index.analysis import content_terms
from serving.understanding.question_kind import QuestionKind

CODE = re.compile(r"\b([A-Z]{2,5})[ \u00a0-]?(\d{3,4}[A-Z]?)\b", re.IGNORECASE)
MOST = 3
_KINDS: frozenset[QuestionKind] = frozenset(
    {"before", "catalogue", "aspect", "definition", "list", "logistics", "yes_no", "how", "other"}
)


@dataclass(frozen=True)
class Field:
    """One field of a record: what asks for it, which of its lines hold it, and its name in both languages."""

    asked: Pattern[str]
    held: Pattern[str]
    en: str
    zh: str


def _field(asked: str, held: str, en: str, zh: str) -> Field:
    return Field(re.compile(asked, re.IGNORECASE), re.compile(held, re.IGNORECASE), en, zh)


FIELDS = (
    _field(
        r"\bpre-?req\w*|\b(?:need|have|take|pass|know)\w*\b.{0,40}\b(?:before|first)\b|\b(?:get|let) (?:me )?into\b"
        r"|\bbefore\b.{0,30}\b(?:taking|starting|enroll)|先修|先学|之前",
        r"prerequisite|先修|corequisite|consent",
        "its prerequisites",
        "先修要求",
    ),
    _field(r"\bcredits?\b|\bcredit hours?\b|学分", r"credit|学分", "its credits", "学分"),
    _field(
        r"\b(?:when|offered|semester|term|fall|spring|autumn|summer|winter)\b|什么时候|学期|开课",
        r"offered|semester|term|fall|spring|开课|学期",
        "when it is offered",
        "开课时间",
    ),
)


def compose_catalogue(request: Request) -> Composed | None:
    """The records of the classes that a question names by code or title; `None` where it names none."""
    if request.kind not in _KINDS:
        return None
    records = _named(request)
    if not records:
        return None
    field = next((one for one in FIELDS if one.asked.search(request.question)), None)
    if field is None:
        return Composed(request.kind, "partial", tuple(_whole(one) for one in records), score=LIKELY)
    held = [one for one in records if any(field.held.search(line.text) for line in one.lines)]
    if held:
        return Composed(request.kind, "partial", tuple(_whole(one) for one in held), score=LIKELY)
    said = wording(request.spoken)
    names = ("、" if request.spoken == "zh" else ", ").join(safe(one.entry.title) for one in records)
    note = said.no_aspect.format(names=names, aspect=field.zh if request.spoken == "zh" else field.en)
    return Composed(
        request.kind, "partial", tuple(_whole(one) for one in records), note=note, after=said.hand_off, score=UNLIKELY
    )


def _named(request: Request) -> list[Piece]:
    """Records by the codes in the question; without one, those whose whole title the question has."""
    codes = list(dict.fromkeys(f"{word.upper()} {number.upper()}" for word, number in CODE.findall(request.question)))
    if codes:
        found = []
        for code in codes[:MOST]:
            pieces = (*request.pieces, *request.material.pieces(code, None, lang=request.lang))
            found += [one for one in pieces if _is_record(one) and code_of(one.entry.title) == code][:1]
        return found
    asked = frozenset(content_terms(request.question))
    titled = []
    for one in request.pieces:
        name = frozenset(content_terms(CODE.sub("", one.entry.title)))
        if _is_record(one) and code_of(one.entry.title) and len(name) > 1 and name <= asked:
            titled.append(one)
    return titled[:1]


def code_of(title: str) -> str:
    """The code that a record's title begins with, as "COMP 3300"; empty without one."""
    found = CODE.match(title)
    return f"{found[1].upper()} {found[2].upper()}" if found is not None else ""


def _is_record(piece: Piece) -> bool:
    return piece.entry.source == "catalog"


def _whole(piece: Piece) -> Statement:
    text = "\n".join(line.text for line in piece.lines)
    return Statement(f"**{safe(piece.entry.title)}**\n{text}", piece.evidence(piece.lines))
