"""What is asked of one record of a catalogue: the words that ask for it, and those of the lines that hold it. Pure."""

import re
from dataclasses import dataclass
from re import Pattern


@dataclass(frozen=True)
class Field:
    """One field of a record: what asks for it, which of its lines hold it, and its name in both languages."""

    asked: Pattern[str]
    held: Pattern[str]
    en: str
    zh: str


def _field(asked: str, held: str, en: str, zh: str) -> Field:
    return Field(re.compile(asked, re.IGNORECASE), re.compile(held, re.IGNORECASE), en, zh)


PREREQUISITES = _field(
    r"\bpre-?req\w*|\bneed (?:(?!credits?\b)\w+ )?(?:for|to take|to get into)\b"
    r"|\b(?:need|have|take|pass|know|want|expect)\w*\b.{0,40}\b(?:before|first)\b"
    r"|\b(?:get|let|walk|jump|step) (?:me |right |just )?into\b"
    r"|\bbefore\b.{0,30}\b(?:taking|starting|enroll)|^\W*(?:can|may|could|is|are)\b.{0,60}\btake\b"
    r"|\bwho (?:can|may|is allowed to|gets to) (?:take|enroll|register)"
    r"|先修|先学|之前|谁(?:可以|能)(?:选|修|上)",
    r"prerequisite|先修|corequisite|consent",
    "its prerequisites",
    "先修要求",
)

_AGAIN = r"\b(?:redo(?:ing)?|retak\w+|repeat\w*|again|(?:do|take) (?:it|them) over|twice)\b|重修|再修|再上一遍"
REPEATED = _field(_AGAIN, _AGAIN, "whether it may be taken again", "能否重修")

FIELDS = (
    REPEATED,
    PREREQUISITES,
    _field(r"\bcredits?\b|\bcredit hours?\b|学分", r"credit|学分", "its credits", "学分"),
    _field(
        r"^\W*(?:(?:and|so|hi|hey|hello)\W+)*who\b(?! (?:can|may|is allowed|gets|should|must|has to))"
        r"|\b(?:teach\w*|instructors?|professors?|lecturers?|faculty)\b|谁(?!可以|能)|老师|教师|教授",
        r"instructors?|professors?|taught by|lecturers?|faculty|teachers?|老师|教师|教授|讲师",
        "its teacher",
        "授课教师",
    ),
    _field(
        r"\b(?:when|offered|semester|term|fall|spring|autumn|summer|winter)\b|什么时候|学期|开课",
        r"offered|semester|term|fall|spring|开课|学期",
        "when it is offered",
        "开课时间",
    ),
)


_OF_AN_EXAM = (
    r"(?:exams?|tests?|week|is|are|was|be|will|in|on|at|for|of|and|or|to|if|from|with|this|next|count\w*|worth|look\w*|like"
    r"|online|open|take-?home)\b"
)
"""What may stand behind "final" where that is an exam; before another word it is of that: a final recital."""
EXAMS = _field(
    rf"\b(?:finals|final(?! (?!{_OF_AN_EXAM})[a-z])|mid-?terms?|exams?|quiz(?:zes)?)\b"
    r"|考试|期末|期中|测验",
    r"\b(?:finals?|mid-?terms?|exams?|examination|quiz(?:zes)?|tests?)\b|考试|期末|期中|测验|考核",
    "anything on exams",
    "考试安排",
)

_ENOUGH = (
    r"\b(?:is|does|do|would|will|with) an? [A-DF](?:[+-]|\b)(?: \w+)? "
    r"(?:ok(?:ay)?|enough|fine|counts?|suffic\w+|acceptable)\b"
)
"""What asks whether a grade is enough."""

SELDOM_SAID = (
    EXAMS,
    _field(r"\b(?:text)?books?\b|教材|课本", r"\b(?:text)?books?\b|\breadings?\b|教材|课本", "a book", "教材"),
    _field(
        r"\b(?:hard(?:er|est)?|easy|easier|easiest|difficult\w*|workload)\b|难不难|难吗|[更最]难|容易|轻松",
        r"\b(?:hard|eas[yi]\w*|difficult\w*|workload|demanding|hours (?:a|per) week)\b|难|容易|轻松",
        "how hard a class is",
        "难度",
    ),
    _field(
        r"\b(?:minimum|lowest|least|what) (?:\w+ )?(?:grades?|marks?|gpa)\b|(?:最低|至少).{0,6}(?:分|成绩|绩点)"
        rf"|{_ENOUGH}",
        r"\b(?:grades?|gpa|marks?)\b|分数|成绩|绩点",
        "which grade is needed",
        "成绩要求",
    ),
)
"""What students ask of a class or a program and records seldom hold."""


_GRADE_ASKED = re.compile(rf"(?={_ENOUGH})\w+ an? (?P<grade>[A-DF][+-]?)", re.IGNORECASE)
_LEAST_GRADE = re.compile(
    r"\b(?:grades?|marks?) of (?:at least )?\"?(?P<grade>[A-DF][+-]?)(?![\w+-])"
    r"|\bat least an? (?P<other>[A-DF][+-]?)(?![\w+-])"
)


def judge_grade(question: str, text: str) -> tuple[bool, str] | None:
    """Whether the letter that a question names as a grade is enough by a text, and the least that the text asks for;
    `None` where either names none."""
    asked, least = _GRADE_ASKED.search(question), _LEAST_GRADE.search(text)
    if asked is None or least is None:
        return None
    needed = least["grade"] or least["other"]
    return _rank(asked["grade"].upper()) >= _rank(needed), needed


def _rank(grade: str) -> int:
    """The place of a letter among the grades, the worst first."""
    return 3 * "FDCBA".index(grade[0]) + {"+": 1, "-": -1}.get(grade[1:], 0)
