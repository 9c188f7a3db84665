"""Who teaches the course: asked for as such, or by a name that is one of theirs. Pure."""

import re

from knowledge_graph.lake.records import CourseCard
from serving.assistant.composing.card import card_evidence
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.material import join_material_lines
from serving.assistant.composing.request import Request
from serving.assistant.composing.window import is_slide
from serving.assistant.composing.windows import LONGEST_WHOLE
from serving.assistant.composing.wording import wording

TEACHERS = re.compile(
    r"\bwho\b.{0,30}\b(?:teach\w*|lectur\w*|instructors?|professors?|runs?|giv\w+|made)\b|\b(?:instructors?"
    r"|professors?|lecturers?|teachers?)(?:'s)? (?:name|of)\b|\bname of the (?:instructor|professor|lecturer"
    r"|teacher)|\bwho(?:'s| is| are)(?: the| my| our)? (?:instructors?|professors?|lecturers?|teachers?|prof)\b"
    r"|\bwho(?:'s|s| is)?(?: the (?:person|one|guy|lady|woman|man))? (?:(?:that|who)(?:'s|s| is)? )?"
    r"(?:present|host|narrat)(?:s|ing|es|ed) (?:this|these|the (?:videos?|series|course|show))\b"
    r"|\bwho(?:'s| is) the (?:presenter|host|narrator)\b"
    r"|(?:谁|哪位|哪些老师|什么老师).{0,8}(?:讲|教|授|开|上|负责)|(?:老师|讲师|教师|授课人?"
    r"|主讲)[^。？！]{0,6}(?:是谁|叫什么|名字|有谁|有哪些|是哪)"
    r"|谁是.{0,10}(?:老师|讲师)",
    re.IGNORECASE,
)
_TEACHES_THIS = re.compile(
    r"^\W*(?:so |and |hey |hi |ok )*who(?:'s|s| is| are)? (?:the (?:person|one) )?(?:actually )?(?:teach(?:es|ing)?"
    r"|giv(?:es|ing)"
    r"|lectur\w+|present(?:s|ing)|host(?:s|ing)|runs?"
    r"|running|made|behind) (?:this|it|here|us|these)\b(?: (?:stuff|thing|one|course|class|lectures|videos|mooc))?\W*$"
    r"|^\W*(?:是?谁|哪位)(?:在?教|讲|上|开)(?:的|这个|我们)?\W*$",
    re.IGNORECASE,
)
WHO_TEACHES = re.compile(
    r"\bwho(?:'s|s| is| will| are)? ?(?:teach\w*|lectur\w*|instruct\w*)\b|谁(?:在?教|讲|上)", re.IGNORECASE
)
"""Questions for a teacher, whom no record of a scholar names."""
_ABOUT_THE_COURSE = re.compile(
    r"\b(?:course|class|professor|prof|instructors?|lecturers?|teachers?|lectures|mooc)\b|课|老师|讲师|授",
    re.IGNORECASE,
)


def asks_for_teachers(question: str) -> bool:
    """Whether a question asks who teaches, and not who made a thing."""
    is_named = TEACHERS.search(question) is not None and _ABOUT_THE_COURSE.search(question) is not None
    return is_named or _TEACHES_THIS.search(question) is not None


def compose_teachers(request: Request) -> Composed | None:
    """Who teaches the course, by its card, else by the line of a document that names them."""
    if not asks_for_teachers(request.question):
        return None
    if request.card is None or not request.card.instructors:
        return _find_in_document(request)
    return _name_teachers(request, request.card)


def compose_named_teacher(request: Request) -> Composed | None:
    """Who teaches it, where it is asked who one of them is: "who is Andrew Ng?"."""
    named, card = _WHO_IS.match(request.asked or request.question), request.card
    if named is None or card is None:
        return None
    asked = set(_WORDS.findall((named[1] or named[2]).lower()))
    is_named = any(asked and asked <= set(_WORDS.findall(one.lower())) for one in card.instructors)
    return _name_teachers(request, card) if is_named else None


_WHO_IS = re.compile(
    r"^\W*(?:so |and |hey |hi )?who(?:'s|s| is) ([\w'’. ·-]{2,40}?)\W*$|^\W*([\w'’. ·-]{2,40}?)(?:老师|教授)?是谁\W*$",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]{2,}")


def compose_lectures_of_teachers(request: Request) -> Composed | None:
    """The line of a document that says who gives which lectures, where that is asked: of the one that is named."""
    question, card = request.asked or request.question, request.card
    if card is None or _WHICH_LECTURES.search(question) is None:
        return None
    asked = [
        one for one in card.instructors if set(_WORDS.findall(one.lower())) & set(_WORDS.findall(question.lower()))
    ]
    asked = asked or [one for one in card.instructors if one in question or f"{one[0]}老师" in question]
    sought = request.material.pieces(f"{question} {_TEACHING}", None, lang=request.lang, sources=("document",))
    for piece in sought:
        for line in piece.lines:
            if _LECTURES_NAMED.search(line.text) and any(one in line.text for one in asked or card.instructors):
                said = ComposedStatement(join_material_lines((line,), piece.lang), piece.evidence((line,)))
                return Composed("logistics", "partial", (said,), score=0.7, is_whole=True)
    return None


_WHICH_LECTURES = re.compile(
    r"\bwhich (?:lectures?|classes|sessions|weeks)\b.{0,30}\b(?:teach|give|hold|lecture)\b"
    r"|\bwho (?:teaches|gives|holds) (?:lecture|class|session|week)s? \d"
    r"|(?:教|上|讲|负责)(?:的?是)?哪(?:几|一|些)?[讲次节]|第.{1,3}[讲节次]课?(?:是|由|的)?(?:谁|哪位)",
    re.IGNORECASE,
)
_LECTURES_NAMED = re.compile(
    r"\b(?:lectures?|classes|sessions|weeks?) \d|第[一二三四五六七八九十\d]{1,3}.{0,8}[讲节次]", re.IGNORECASE
)


def _name_teachers(request: Request, card: CourseCard) -> Composed:
    said = wording(request.spoken)
    names = ("、" if request.spoken == "zh" else said.and_).join(card.instructors)
    evidence = card_evidence(card, names)
    return Composed(
        "logistics", "full", (ComposedStatement(said.instructors.format(names=names), evidence),), score=1.0
    )


def _find_in_document(request: Request) -> Composed | None:
    """The line of a document that names who teaches: the first slide of a deck, a syllabus."""
    sought = request.material.pieces(_TEACHING, None, lang=request.lang)
    for piece in (*request.pieces, *sought):
        for place, line in enumerate(piece.lines if piece.entry.source == "document" else ()):
            if line.is_sentence and _TEACHER_NAMED.search(line.text):
                stop = place + 1 if is_slide(piece.entry) or sum(piece.sizes) > LONGEST_WHOLE["document"] else None
                lines = piece.lines[place:stop]
                said = ComposedStatement(join_material_lines(lines, piece.lang), piece.evidence(lines))
                return Composed("logistics", "partial", (said,), score=0.7, is_whole=True)
    return None


_TEACHING = "professor prof dr instructor lecturer teacher teaches taught by 老师 教师 讲师 教授"
_TEACHER_NAMED = re.compile(
    r"^(?:Prof(?:essor)?|Dr|Instructors?|Lecturers?|Teachers?|Taught by)\b\.?:? +(?:Dr\.? |Prof\.? )?[A-Z][\w'’-]+"
    r"(?: [A-Z][\w'’.-]*)+"
    r"|[A-Z][\w'’.-]{1,40} [A-Z][\w'’-]{1,40} (?:teaches|lectures|gives|is (?:the|your) (?:instructor|lecturer"
    r"|professor|teacher))\b|(?:taught|given|led) by (?:Dr\.? |Prof\.? )?[A-Z]|(?:主讲|授课|任课)(?:老师|教师|人)?[:：]"
)
