"""The same question about another part of the course: "and the one after it?", "and lecture 11?", "and for the
quizzes?", 那期末呢.

Belongs here: rules by which a part of the course in the previous question gives way to another. What is asked of
another concept is in `follow_up_fragments.py`.
"""

import re

from serving.assistant.understanding.closed_words import HAN_NUMBER, read_number
from serving.assistant.understanding.follow_up_question import LONGEST_FOLLOW_UP, FollowUpQuestion, Resolved, Rule

_UNIT_EN = r"(?:lecture|lesson|video|week|chapter|unit|module|part|section|class|assignment|homework|exercise|quiz|lab)"
_UNIT_ZH = r"(?:讲|课|节|章|周|单元|次作业|个?作业|次测验|次实验)"
_NUMBERED_EN = re.compile(rf"\b(?P<unit>{_UNIT_EN}) (?:number |no\.? |#)?(?P<n>\d{{1,3}})\b", re.IGNORECASE)
_NUMBERED_ZH = re.compile(rf"第\s?(?P<n>\d{{1,3}}|{HAN_NUMBER})(?P<unit>\s?{_UNIT_ZH})")
_NEXT_EN = re.compile(
    rf"(?:for |of |in )?(?:the )?(?:(?:next|following|previous) (?:one|{_UNIT_EN})"
    rf"|(?:one|{_UNIT_EN}) (?:after|following|before)(?: (?:it|that|this)(?: one)?)?)",
    re.IGNORECASE,
)
_NEXT_ZH = re.compile(rf"(?:下|后|接下来的?|上|前)(?:面那?)?一?(?:个|{_UNIT_ZH})(?:呢|讲了什么|讲什么)?")
_FORWARD = re.compile(r"\b(?:next|following|after)\b|下|后", re.IGNORECASE)

_WORK_EN = (
    r"(?:mid-?terms?|finals?|exams?|examinations?|quiz(?:zes)?|assignments?|homeworks?|projects?|labs?|lab reports?"
    r"|essays?|resits?|problem sets?)"
)
_QUALIFIED = r"(?:(?:midterm|final|resit|oral|written) )?"
COURSEWORK = re.compile(
    rf"\b{_QUALIFIED}{_WORK_EN}\b(?: \d{{1,3}}\b)?|(?:期[中末])(?:考试|测验)?|考试|测验|作业|补考", re.IGNORECASE
)
"""What a question may be about that no graph has: "it" behind one on the final is the final, not what is said of it."""
_ITEM_EN = re.compile(
    rf"\b(?:(?:the|an?|my|each|this|all|any) )?{_QUALIFIED}"
    rf"(?:{_WORK_EN}|tutorials?|lectures?|sections?|A\d)\b(?: \d{{1,3}}\b)?",
    re.IGNORECASE,
)
_ITEM_ZH = re.compile(r"(?:期[中末])(?:考试|测验)?|补考|(?:大|小|编程)?作业|小?测验|考试|实验(?:课|报告)?|项目|讨论课")
_TERM = re.compile(
    r"(?:the )?(?:spring|summer|fall|autumn|winter)(?: (?:term|semester|of))?(?: 20\d\d)?"
    r"|20\d\d年?[春夏秋冬]季?(?:学期)?|[春夏秋冬]季(?:学期)?",
    re.IGNORECASE,
)
CLASS_CODE = re.compile(r"\b[A-Z]{2,5} ?\d{3,4}[A-Z]?\b")
"""The code of a class of a catalogue, in capitals: "in 2027" is none."""
_A_CLASS = re.compile(rf"(?:{CLASS_CODE.pattern})(?: \([^()]*\))?")
"""A class as it is written for the rules: its code, with its title in brackets where the student gave that."""
_HAD_BEFORE = re.compile(
    r"\b(?:took|taken|passed|after|completed|finished|done|had|have|with(?:out)?)(?: \w+)? $|(?:修|学|上)(?:过|完)了?$",
    re.IGNORECASE,
)
"""What stands before a class that a student has had, and asks nothing about."""
_THE_CLASS = re.compile(r"\b(?:it|(?:this|that|the) (?:class|course))\b|它|这门课|那门课", re.IGNORECASE)
_BEFORE_ITEM = re.compile(r"^(?:for|of|in|on|about|with|at)\b\s*", re.IGNORECASE)


def _other_number(asked: FollowUpQuestion) -> Resolved | None:
    """The next or another one of a numbered row: lectures, weeks, assignments."""
    previous = asked.focus.previous
    numbered = _NUMBERED_ZH if asked.is_zh else _NUMBERED_EN
    found = list(numbered.finditer(previous))
    if len(found) != 1 or len(previous) > LONGEST_FOLLOW_UP:
        return None
    was, core = found[0], _BEFORE_ITEM.sub("", asked.core)
    step = (_NEXT_ZH if asked.is_zh else _NEXT_EN).fullmatch(asked.core)
    other = numbered.fullmatch(core.rstrip("呢"))
    if step is not None:
        number = read_number(was["n"]) + (1 if _FORWARD.search(asked.core) else -1)
    elif other is not None and asked.is_continued and other["unit"].lower() == was["unit"].lower():
        number = read_number(other["n"])
    else:
        return None
    if number < 1:
        return None
    return _swap(asked, was, was.group().replace(was["n"], str(number)))


def _other_item(asked: FollowUpQuestion) -> Resolved | None:
    """Exams, quizzes, assignments: the previous question of another one."""
    previous = asked.focus.previous
    item = _ITEM_ZH if asked.is_zh else _ITEM_EN
    core = _BEFORE_ITEM.sub("", asked.core).removesuffix("呢")
    if not asked.is_continued or len(previous) > LONGEST_FOLLOW_UP or item.fullmatch(core) is None:
        return None
    found = list(item.finditer(previous))
    if len(found) != 1 or found[0].group().lower() == core.lower():
        return None
    return _swap(asked, found[0], core)


def _other_term(asked: FollowUpQuestion) -> Resolved | None:
    """And in fall 2027? The previous question of another term."""
    previous, core = asked.focus.previous, _BEFORE_ITEM.sub("", asked.core).removesuffix("呢")
    if not asked.is_continued or len(previous) > LONGEST_FOLLOW_UP or _TERM.fullmatch(core) is None:
        return None
    found = list(_TERM.finditer(previous))
    return _swap(asked, found[0], core) if len(found) == 1 else None


_PROGRAM = re.compile(
    r"\b(?:the|an?|my) (?:[\w&'’-]+ ){1,3}?"
    r"(?:degrees?|majors?|minors?|certificates?|program(?:me)?s?|b\.?[as]c?\.?|m\.?[as]c?\.?)(?!\w)",
    re.IGNORECASE,
)
_PROGRAM_ZH = re.compile(r"[^\W请问读学修要这那个的]{2,8}(?:专业|辅修|学位|证书)")


def _other_program(asked: FollowUpQuestion) -> Resolved | None:
    """And the history major? The previous question of another program."""
    previous, core = asked.focus.previous, _BEFORE_ITEM.sub("", asked.core).removesuffix("呢")
    program = _PROGRAM_ZH if asked.is_zh else _PROGRAM
    if not asked.is_continued or len(previous) > LONGEST_FOLLOW_UP or program.fullmatch(core) is None:
        return None
    found = list(program.finditer(previous))
    return _swap(asked, found[0], core) if len(found) == 1 else None


_DIMENSIONS = re.compile(
    r"\b(?:\d|n|one|two|three|four)[- ]?(?:d|dimension(?:s|al)?)\b|[一二三四nN\d]维", re.IGNORECASE
)


def _other_dimension(asked: FollowUpQuestion) -> Resolved | None:
    """And in 3D? The previous question in another number of dimensions, or in that one where it names none."""
    previous, core = asked.focus.previous, _BEFORE_ITEM.sub("", asked.core).removesuffix("呢")
    if not asked.is_continued or len(previous) > LONGEST_FOLLOW_UP or _DIMENSIONS.fullmatch(core) is None:
        return None
    found = list(_DIMENSIONS.finditer(previous))
    if len(found) == 1:
        return _swap(asked, found[0], core)
    if found or not previous:
        return None
    stem = previous.rstrip("?？.。 ")
    whole = f"在{core}里，{stem}？" if asked.is_zh else f"{stem}, in {core}?"
    return Resolved(whole, (f"{core} -> {whole} (the previous question)",), "same_question")


def is_class_alone(text: str) -> bool:
    """Whether a message names a class and hardly says more: "and for MATH 1300 (Discrete Structures)?"."""
    found = _A_CLASS.search(text)
    return found is not None and len(f"{text[: found.start()]} {text[found.end() :]}".split()) <= FEWEST_BESIDE


FEWEST_BESIDE = 3
"""Words beside the name of a class with which a message asks nothing of its own. A choice."""


def _find_asked_classes(previous: str) -> list[re.Match[str]]:
    """The classes that a question asks about: without those that the student has had."""
    found = list(_A_CLASS.finditer(previous))
    return [one for one in found if _HAD_BEFORE.search(previous[: one.start()]) is None] or found


def _other_class(asked: FollowUpQuestion) -> Resolved | None:
    """And for Discrete Structures? The previous question of another class of the catalogue."""
    previous, core = asked.focus.previous, _BEFORE_ITEM.sub("", asked.core).removesuffix("呢")
    if not asked.is_continued or len(previous) > LONGEST_FOLLOW_UP or _A_CLASS.fullmatch(core) is None:
        return None
    found = _find_asked_classes(previous)
    return _swap(asked, found[0], core) if len(found) == 1 else None


def _class(asked: FollowUpQuestion) -> Resolved | None:
    """What comes after it? Said of the one class of a catalogue that the previous question asks about."""
    pronoun = _THE_CLASS.search(asked.text)
    asked_about = " ".join(one.group() for one in _find_asked_classes(asked.focus.previous))
    codes = list(dict.fromkeys(CLASS_CODE.findall(asked_about)))
    if pronoun is None or len(codes) != 1 or asked.words.no_reference.search(asked.text):
        return None
    if asked.names.subjects or CLASS_CODE.search(asked.text):
        return None
    whole = f"{asked.text[: pronoun.start()]}{codes[0]}{asked.text[pronoun.end() :]}"
    return Resolved(whole, (f"{pronoun.group()} -> {codes[0]} (from the previous question)",), "pronoun")


def _coursework(asked: FollowUpQuestion) -> Resolved | None:
    """Can I take it again? Said of the one exam or assignment that the previous question names, and of no concept."""
    pronoun = asked.words.no_reference.search(asked.text) is None and _IT.search(asked.text)
    items = list(dict.fromkeys(found.group().lower() for found in COURSEWORK.finditer(asked.focus.previous)))
    if not pronoun or len(items) != 1 or asked.focus.topics or asked.names.subjects or COURSEWORK.search(asked.text):
        return None
    is_bare = asked.is_zh or items[0][-1].isdigit()
    item = items[0] if is_bare else f"the {items[0]}"
    whole = f"{asked.text[: pronoun.start()]}{item}{asked.text[pronoun.end() :]}"
    return Resolved(whole, (f"{pronoun.group()} -> {item} (from the previous question)",), "pronoun")


_IT = re.compile(r"\b(?:it|(?:that|this) one)\b|它", re.IGNORECASE)

PARTS: tuple[Rule, ...] = (
    _other_number,
    _other_item,
    _other_term,
    _other_program,
    _other_dimension,
    _other_class,
    _class,
    _coursework,
)


def _swap(asked: FollowUpQuestion, was: re.Match[str], now: str) -> Resolved:
    previous = asked.focus.previous
    whole = f"{previous[: was.start()]}{now}{previous[was.end() :]}"
    return Resolved(whole, (f"{was.group()} -> {now} (in the previous question)",), "same_question")
