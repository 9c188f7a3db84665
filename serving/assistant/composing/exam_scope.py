"""What an exam covers: the parts of the course that the material names, or that it names none. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from re import Pattern

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.document_answers import quote_under_heading
from serving.assistant.composing.request import Request
from serving.assistant.composing.stored import give_stored
from serving.assistant.composing.timetable import find_rows
from serving.assistant.composing.window import heading_of
from serving.assistant.composing.wording import wording

_TEST = r"tests?(?! ?-?(?:sets?|data|errors?|examples?|cases?|scores?|samples?|statistics?)\b)"
_EXAM = (
    rf"(?:(?:the|our|this|that|my) )?(?:(?:next|first|second|third|last|oral|written|online) )?"
    rf"(?:(?:finals?|mid-?terms?)(?: exams?| {_TEST})?|exams?|quiz(?:zes)?|{_TEST})\b"
    r"(?! (?:layer|step|value|state|version|answer)s?\b)"
)
_PARTS = r"(?:lectures?|weeks?|chapters?|units?|modules?|topics?|sections?|subjects?|material|content|stuff|things)"
_NO_PART = (
    r"(?:allowed|permitted|there|open|closed|credits?|points|calculators?|notes?|sheets?|books?|time|choice|questions?"
    r"|curved?|online|it|this|that|these|those|what)"
)
"""What is asked of an exam and is no part of the course: whether notes are allowed on it."""
ASKS = re.compile(
    "|".join(
        (
            rf"\b(?:does|do|will|did) {_EXAM} (?:(?:all|also|really|actually) )?(?:cover|include|contain)\b",
            rf"\b{_EXAM} (?:covers?|includes?) (?:what|everything|all)\b",
            rf"\b(?:what|which) (?:\w+ )?{_PARTS} .{{0,40}}\b(?:on|in|for|by) {_EXAM}\W*$",
            r"\b(?:what|which) (?:do|does|should|must|will) (?:i|we|one) (?:(?:have to|need to|all) )?"
            rf"(?:study|revise|learn|know|review|read|prepare) (?:for|before) {_EXAM}\W*$",
            r"^\W*(?:(?:and|so|ok) )?what(?:'?s| is| will be) (?:(?:covered|going to be) )?(?:on|in|by|part of) "
            rf"{_EXAM}\W*$",
            r"^\W*(?:(?:and|so|ok) )?(?:is|are|will) "
            rf"(?:everything|all (?:of (?:it|this)|(?:the )?{_PARTS})|{_PARTS} \w+) "
            rf"(?:(?:be|going to be|covered) )?(?:on|in|by|part of) {_EXAM}\W*$",
            rf"^\W*(?:(?:and|so) )?(?:will|is|are) (?:(?!{_NO_PART}\b)[\w'-]+ ){{1,4}}?(?:(?:be|going to be) )?"
            rf"(?:on|part of) {_EXAM}\W*$",
            r"(?:期中|期末|考试|测验).{0,6}(?:范围|考什么|考哪|涵盖|覆盖|包括)",
            r"(?:会考|要考|考)(?:哪些|什么)(?:内容|章节?|知识)?",
            r"^(?!.*(?:是什么|什么是)).{1,12}(?:会不会考|考不考|会考吗|要考吗|在考试范围)",
        )
    ),
    re.IGNORECASE,
)
"""What asks for the parts of a course that an exam is about, or whether one of them is among these."""
SCOPE = re.compile(
    r"\b(?:covers?|covered|covering|cumulative|comprehensive|examinable)\b"
    rf"|\b(?:on|about|from|of) (?:the )?(?:(?:whole|entire) course|everything|all (?:the )?{_PARTS}|{_PARTS} "
    r"(?:\d|one|two|three|four|five|six|seven|eight|nine|ten))\b"
    r"|范围|涵盖|覆盖|(?:第.{1,3}|前.{1,2})[章周讲]|全部内容|所有章|考.{0,4}内容",
    re.IGNORECASE,
)
"""What names the parts of the course that something is about."""


@dataclass(frozen=True)
class _Exam:
    """An exam by how questions and texts name it, and how an answer does: in English and in Chinese."""

    asked: Pattern[str]
    said: Pattern[str]
    names: tuple[str, str]


_EXAMS = (
    _Exam(re.compile(r"\bmid-?term", re.I), re.compile(r"\bmid-?term|期中", re.I), ("the midterm", "期中考试")),
    _Exam(
        re.compile(r"\bfinal", re.I),
        re.compile(r"\bfinals?\b(?! (?:grade|result|mark|project|decision|score)s?\b)|\bexam week\b|期末", re.I),
        ("the final exam", "期末考试"),
    ),
    _Exam(re.compile(r"\bquiz", re.I), re.compile(r"\bquiz|测验", re.I), ("the quiz", "测验")),
    _Exam(re.compile(r"期中"), re.compile(r"期中|\bmid-?term", re.I), ("the midterm", "期中考试")),
    _Exam(re.compile(r"期末"), re.compile(r"期末|\bfinal", re.I), ("the final exam", "期末考试")),
    _Exam(re.compile(""), re.compile(r"\bexams?\b|\bmid-?term|\bfinals?\b|考试|期中|期末", re.I), ("the exam", "考试")),
)
QUERY = {"en": "covers lectures weeks topics exam", "zh": "考试 范围 涵盖 内容 章"}
"""What finds such sentences beside the question's own words."""
MOST = 3
"""Sentences that are shown. A choice."""


def compose_exam_scope(request: Request) -> Composed | None:
    """What the exam that is asked about covers: by the FAQ, a table's row or a sentence that names parts of the course;
    else that the material does not say so, above the row in which it stands. `None` where something else is asked."""
    if ASKS.search(request.question) is None:
        return None
    exam = next(one for one in _EXAMS if one.asked.search(request.question))
    for entry in (one.entry for one in request.stored if one.entry.source == "faq"):
        if exam.said.search(f"{entry.title} {entry.text}") and SCOPE.search(entry.text):
            given = give_stored(entry, kind=request.kind, spoken=request.spoken)
            return given if ASKS.search(entry.title) else replace(given, coverage="partial", score=0.7)
    said = wording(request.spoken)
    rows = find_rows(request)[:MOST]
    told = [one for one in rows if SCOPE.search(one.text) and exam.said.search(one.text)]
    lead = (ComposedStatement(said.in_table),) if told else ()
    if shown := (*lead, *told, *_sentences(request, exam))[: MOST + len(lead)]:
        return Composed("logistics", "partial", shown, score=0.7, is_whole=True)
    lack = said.no_scope.format(exam=exam.names[request.spoken == "zh"])
    if not rows:
        return Composed(request.kind, "none", (ComposedStatement(lack),), after=said.ask_ta)
    return Composed(
        "logistics", "partial", (ComposedStatement(said.in_table), *rows), note=lack, after=said.hand_off, is_whole=True
    )


def _sentences(request: Request, exam: _Exam) -> Iterator[ComposedStatement]:
    """Sentences that name the exam, or stand under its heading, and parts of the course; those of documents first."""
    query = f"{request.question} {QUERY[request.lang]}"
    pieces = request.material.pieces(query, request.material.vector_of(query), lang=request.lang)
    for piece in sorted(pieces, key=lambda one: one.entry.source != "document"):
        for line in piece.lines:
            is_named = exam.said.search(line.text) or (
                piece.entry.source == "document" and exam.said.search(heading_of(piece.entry))
            )
            if is_named and SCOPE.search(line.text) and line.is_sentence:
                yield quote_under_heading(piece, [line])
