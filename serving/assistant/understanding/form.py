"""Question form: multiple choice or free response, by rules (Course Hero 2.3), in English and Chinese.

A multiple-choice question whose options are missing, in part or all, is never sent to the model: it would make them up.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.text.invisible import without_invisible
from serving.assistant.understanding.cues import has_cue, is_ones_own
from serving.assistant.understanding.options import (
    Option,
    OptionList,
    asks_at_end,
    find_dashed_alternatives,
    find_labelled_lists,
    has_gap,
    plain_alternatives,
    plain_lines,
)

Form = Literal["mcq", "frq"]

LONGEST_READ = 10_000
"""Characters at the end of a text in which options and wording are looked for: it takes 0.4 s at worst. A choice."""

_TASK = re.compile(
    r"^(?:please |briefly )?(?:find|compute|calculate|prove|show|explain|describe|what|why|how|when|where|which|write|"
    r"draw|give|list|determine|derive|discuss|state|is|are|does|do|can)\b"
    r"|^(?:请|试|求|计算|证明|说明|写出|画出|给出|简述|解释|为什么|如何|怎|什么|是否)",
    re.IGNORECASE,
)
_NUMBERS_ALONE = re.compile(r"(?:\d{1,2}\.\s*)+")
_CODE_LINE = re.compile(r"[:;{]$|\w\(\s?\)$|^(?:print|return|import|def)\b|^\w+ ?= ?\w")
_LINE_END = re.compile(r"\r\n?|<br\s{0,3}/?>|[\u2028\u2029]")
_IS_QUESTION = re.compile(r"[?？]\s*$")
_OF_THE_ABOVE = re.compile(r"\b(?:none|all|both|any|neither) of the (?:above|below)\b|以上", re.IGNORECASE)
_SEVERAL_ASKED = re.compile(
    r"\b(?:following (?:cases?|situations?|circumstances|conditions|questions)|each of|calculate|compute|prove|explain|"
    r"describe|briefly|derive)\b|请计算|证明|(?<![考测尝面调])试|(?<![请要需追])求|简述|请解释|请说明|下列情况|以下情况",
    re.IGNORECASE,
)
_TO_DO_WITH_A_LIST = re.compile(
    r"^\W*(?:compare|summari[sz]e|define|find the following|prove|what(?:'s| is) wrong)\b"
    r"|\bbetween\s*:|\bTraceback\b|名词解释|判断下列|计算下列",
    re.IGNORECASE,
)
"""Stems that say what to do with the list below them: it is no list of options, whatever its marks."""

_MINE = re.compile(r"^\W*my (?!question)\b", re.IGNORECASE)
"""Stems about a list of one's own; with three letters and a question at its end one may still choose among them."""

_ABOUT_THE_LIST = re.compile(
    r"^\W*(?:(?:can|could|would) you|please|dear)\b|老师好"
    r"|\b(?:these (?!statements|options)\w+|my|differences? between|differ)\b"
    r"|\bthis (?:algorithm|proof|pseudocode|query|sql)\b|^\W*(?:why|how)\b.*\b(?:these|this|my)\b"
    r"|(?:有什么|有何)区别|这几个|这段|对吗[？?]",
    re.IGNORECASE,
)
"""Stems that may ask about the list below them, or a person for help; with letters it may still be the options."""

_LEFT_OPEN = re.compile(r"(?:\b(?:is|are|was|were|by|to|of|as|called)|[是为有]|属于|包括)\s*$", re.IGNORECASE)
"""How a stem ends that the option goes on with: "The root of a heap is A. …"."""

_OF_ONE_ASKING = re.compile(
    r"\bI(?:'m|'ve|'d| (?:am|have|was|did|do|get|got|tried|try|want|need|think|can|cannot|don't|ran|run|see|used?))\b"
    r"|\b[Mm]y\b|\b[Pp]lease\b|\b[Tt]hanks\b|Traceback|我|(?<!申)请(?!求)|谢谢|报错"
)


@dataclass(frozen=True)
class QuestionForm:
    """The form of a question, its options, and the question without them.

    `is_whole` is false for a multiple-choice question without its options, or with a part of them.
    """

    form: Form
    stem: str
    options: tuple[Option, ...] = ()
    is_whole: bool = True


def question_form(question: str, *, previous: str = "") -> QuestionForm:
    """Multiple choice or free response. `previous` is the user's turn before: options sent alone belong to it."""
    whole = _clean(question)
    before, text = whole[:-LONGEST_READ], whole[-LONGEST_READ:]
    found = _choose(text)
    if found is not None and found.whole:
        stem = before + found.stem or _clean(previous)
        return QuestionForm("mcq", stem, found.options, is_whole=bool(stem))
    if found is not None:
        return QuestionForm("mcq", before + found.stem, found.options, is_whole=False)
    if not is_ones_own(text) and has_cue(text, pointing=not previous):
        return QuestionForm("mcq", whole, is_whole=False)
    return QuestionForm("frq", whole)


def _clean(text: str) -> str:
    """The text with one kind of line end and without characters that are not seen."""
    lines = _LINE_END.sub("\n", text)
    return without_invisible(lines).strip()


def _choose(text: str) -> OptionList | None:
    """The list that is meant as options; `None` for a free-response question, or when there is none."""
    lists = find_labelled_lists(text)
    whole = [one for one in lists if one.whole and _is_choice(one)]
    partial = [one for one in lists if not one.whole and _is_partial(one)]
    best = _best(whole)
    broken = max(partial, key=lambda one: len(one.options), default=None)
    if best is not None and (broken is None or len(broken.options) <= len(best.options)):
        return best
    if broken is not None:
        return broken
    return _without_marks(text)


def _best(lists: list[OptionList]) -> OptionList | None:
    """Letters before others; of two lists one after the other the later, of two within each other the outer."""
    letters = [one for one in lists if one.kind == "letter"]
    best: OptionList | None = None
    for one in letters or lists:
        if best is None or one.start > best.last_start or _is_fuller(one, best):
            best = one
    return best


def _is_fuller(one: OptionList, other: OptionList) -> bool:
    """Whether it has more options than another of the same kind that it is mixed with; lines before what is within."""
    return (len(one.options), one.by_line) > (len(other.options), other.by_line) and one.kind == other.kind


def _is_choice(found: OptionList) -> bool:
    """Whether a list with marks is meant as options, and not as parts of the question."""
    stem, items = found.stem, [option.text for option in found.options]
    if found.kind != "letter" and _goes_on(items[-1], by_line=found.by_line):
        return False
    if has_cue(stem):
        return True
    if not has_gap(stem) and (_TO_DO_WITH_A_LIST.search(stem) or _is_told(found)):
        return False
    if _MINE.search(stem) and not (found.kind == "letter" and len(items) > 2 and asks_at_end(stem)):
        return False
    if sum(bool(_IS_QUESTION.search(item)) for item in items) * 2 >= len(items):
        return False
    asks = asks_at_end(stem) or has_gap(stem)
    if found.kind == "letter" and len(items) > 2:
        return asks or not _are_tasks(items)
    is_list = found.kind == "letter" or len(items) > 2
    return has_gap(stem) or (asks and is_list and _may_be_options(stem, items))


def _is_told(found: OptionList) -> bool:
    """Whether letters stand within a text that asks nothing: "A. Jones wrote it, B. Lee edited it"."""
    is_open = asks_at_end(found.stem) or _LEFT_OPEN.search(found.stem) is not None
    return found.kind == "letter" and not found.by_line and not is_open


def _are_tasks(items: Sequence[str]) -> bool:
    """Whether most of the items are to be done or answered, as the parts of an exercise are."""
    return sum(bool(_TASK.search(item)) for item in items) * 2 >= len(items)


def _may_be_options(stem: str, items: Sequence[str]) -> bool:
    """Whether a list below a question may be its options: not its parts, nor code, nor what the student did."""
    other = (_SEVERAL_ASKED, _TO_DO_WITH_A_LIST, _MINE, _ABOUT_THE_LIST)
    if _are_tasks(items) or any(one.search(stem) for one in other):
        return False
    if all(_NUMBERS_ALONE.fullmatch(item) for item in items):
        return False
    return not any(_OF_ONE_ASKING.search(item) or _CODE_LINE.search(item) for item in items)


def _goes_on(last: str, *, by_line: bool) -> bool:
    """Whether the question goes on behind the last item: then the list is a part of it ("① … ② … 正确的是（ ）")."""
    rest = last.partition("\n")[2] if by_line else last
    return has_gap(rest) or (has_cue(rest) and not _OF_THE_ABOVE.search(rest))


def _is_partial(found: OptionList) -> bool:
    """Whether a list that lacks something is what is left of options."""
    stem, count = found.stem, len(found.options)
    if has_cue(stem):
        return found.kind == "letter" or (found.kind == "number" and count > 1)
    if found.kind != "letter":
        return False
    return (found.by_line and has_gap(stem)) or (count > 1 and (asks_at_end(stem) or has_gap(stem)))


def _without_marks(text: str) -> OptionList | None:
    """Options on lines, or after a colon, without marks; within a line only where the wording says that they are."""
    found = plain_lines(text)
    if found is not None:
        items = [option.text for option in found.options]
        if has_cue(found.stem) or has_gap(found.stem):
            return found
        if len(items) > 2 and _may_be_options(found.stem, items):
            return found
    if (found := find_dashed_alternatives(text)) is not None:
        if has_cue(found.stem) or has_gap(found.stem):
            return found
        if _may_be_options(found.stem, [option.text for option in found.options]):
            return found
    found = plain_alternatives(text) if has_cue(text) else None
    return found if found is not None and has_cue(found.stem) else None
