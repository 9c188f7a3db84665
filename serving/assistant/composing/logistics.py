"""The life of the course: dates, grades, rules and people, from the FAQ, the documents and the course's card. Pure."""

import re

from serving.assistant.composing.card import card_evidence
from serving.assistant.composing.composed import Composed, Statement
from serving.assistant.composing.explain import compose_explanation
from serving.assistant.composing.material import Piece
from serving.assistant.composing.request import Request
from serving.assistant.composing.stored import compose_close
from serving.assistant.composing.sufficiency import sufficient
from serving.assistant.composing.terms import coverage, terms_of
from serving.assistant.composing.windows import Window, best_windows
from serving.assistant.composing.wording import wording

_TEACHERS = re.compile(
    r"\bwho\b.{0,30}\b(?:teach\w*|lectur\w*|instructors?|professors?|runs?|giv\w+|made)\b|\b(?:instructors?"
    r"|professors?|lecturers?|teachers?)(?:'s)? (?:name|of)\b|\bname of the (?:instructor|professor|lecturer"
    r"|teacher)|\bwho(?:'s| is| are)(?: the| my| our)? (?:instructors?|professors?|lecturers?|teachers?|prof)\b"
    r"|(?:谁|哪位|哪些老师|什么老师).{0,8}(?:讲|教|授|开|上|负责)|(?:老师|讲师|教师|授课人?|主讲)[^。？！]{0,6}(?:是谁|叫什么|名字|有谁|有哪些|是哪)"
    r"|谁是.{0,10}(?:老师|讲师)",
    re.IGNORECASE,
)
_ABOUT_THE_COURSE = re.compile(
    r"\b(?:course|class|professor|prof|instructors?|lecturers?|teachers?|lectures|mooc)\b|课|老师|讲师|授",
    re.IGNORECASE,
)
_ABOUT_LIFE = re.compile(
    r"\b(?:exams?|midterms?|finals?|final exam|quiz(?:zes)?|assignments?|homeworks?|hand(?:ing)? in|hand-?ins?"
    r"|deadlines?|due|late days?|late|extensions?|grades?|grading|graded|marks?|points|"
    r"pass(?:ing|ed)? (?:the|this) (?:course|class)|pass mark|certificates?|credits?|register\w*|registration"
    r"|enrol\w*|resits?|retake|repeat the|office hours|forum|discussion board|attendance|attend|syllabus|"
    r"schedule|calendar|timetable|plagiaris\w*|cheat\w*|collaborat\w*|copilot|chatgpt|chat gpt|gpt|ai tools?"
    r"|textbooks?|refund|appeal|regrade|submit\w*|submission\w*|instructors?|professors?|lecturers?|"
    r"teaching assistants?|tas?|office|email|contact|missed|ill|sick|absen\w*|internet went|connection (?:broke"
    r"|went|dropped)|laptop|cheat ?sheet|open[- ]book|closed[- ]book|proctor\w*|transcript|recordings?|slides"
    r"|subtitles|download)\b"
    r"|考试|期中|期末|测验|作业|截止|迟交|延期|成绩|评分|分数|及格|证书|学分|报名|注册|补考|重修|答疑|论坛|出勤|考勤|教学大纲|大纲|抄袭|作弊|合作|教材|退课|申诉|提交|交作业|老师|讲师|助教"
    r"|办公室|邮箱|请假|生病|缺考|开卷|闭卷|课件|录像|字幕|下载",
    re.IGNORECASE,
)


_SURELY = re.compile(
    r"\b(?:exams?|midterms?|final exam|quiz(?:zes)?|assignments?|homeworks?|deadlines?|due|late days?|certificates?"
    r"|resits?|office hours|syllabus|plagiaris\w*|chatgpt|copilot|instructors?)\b"
    r"|考试|期中|期末|测验|作业|截止|迟交|证书|补考|教学大纲|抄袭|老师|助教",
    re.IGNORECASE,
)
"""Words that a question about a concept does not have by chance, as it may have grades or points."""


def is_about_the_course(question: str, *, names_concept: bool = False) -> bool:
    """Whether it asks about the course's life rather than its subject, by its words; surely so beside a concept."""
    if names_concept and not _SURELY.search(question):
        return False
    return _ABOUT_LIFE.search(question) is not None or _TEACHERS.search(question) is not None


def compose_logistics(request: Request) -> Composed | None:
    """Who teaches it by the card; else the rule that speaks of all that is asked; else the nearest, said to be that."""
    if (taught := _teachers(request)) is not None:
        return taught
    said = wording(request.spoken)
    rules = tuple(piece for piece in request.pieces if piece.entry.source == "document")
    windows = _best_rules(request, rules)
    close = compose_close(request)
    beside = close.statements if close is not None else ()
    if windows and _covers_all(windows[0], request):
        return Composed("logistics", "partial", (windows[0].statement, *beside), score=0.7)
    near = tuple(one.statement for one in windows if sufficient(one, request) != "none")
    if near or close is not None:
        note = said.not_direct if close is None else close.note
        choices = close.choices if close is not None else ()
        return Composed(
            "logistics", "partial", (*beside, *near), note=note, after=said.hand_off, choices=choices, score=0.4
        )
    return compose_explanation(request)


def _best_rules(request: Request, rules: tuple[Piece, ...]) -> list[Window]:
    """The two rules that fit best, and the one nearest in meaning where that is another."""
    windows = best_windows(rules, request.units, kind="logistics", aspects=request.aspects, most=2)
    nearest = sorted(rules, key=lambda piece: -piece.meaning)[:1]
    if nearest and nearest[0].meaning > 0.0 and not any(window.piece in nearest for window in windows):
        windows += best_windows(nearest, request.units, kind="logistics", aspects=request.aspects)
    return windows


ALL = 0.95
"""Share of the question that a rule must speak of: one that leaves a condition out is another rule."""


def _covers_all(window: Window, request: Request) -> bool:
    said = terms_of(f"{window.piece.entry.title} {window.text}")
    return window.is_cued and coverage(request.units, said) >= ALL


def _teachers(request: Request) -> Composed | None:
    if _TEACHERS.search(request.question) is None or _ABOUT_THE_COURSE.search(request.question) is None:
        return None
    said, card = wording(request.spoken), request.card
    if card is None or not card.instructors:
        return None
    names = ("、" if request.spoken == "zh" else said.and_).join(card.instructors)
    evidence = card_evidence(card, names)
    return Composed("logistics", "full", (Statement(said.instructors.format(names=names), evidence),), score=1.0)
