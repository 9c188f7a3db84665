"""The lectures of a course themselves: how many there are, and which. Pure."""

import re
from itertools import islice

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.lecture_places import lecture_evidence
from serving.assistant.composing.lectures import SpokenLecture
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording

_LECTURES = r"(?:lectures?|videos?|lessons?|episodes?|chapters?|units?)"
_OF_COURSE = r"(?:the|this|your|our) (?:whole |entire )?(?:course|class|series)"
HOW_MANY = re.compile(
    rf"\bhow many {_LECTURES}\b"
    rf"(?=[^?.]{{0,20}}\b(?:are there|in total|altogether|(?:in|does) {_OF_COURSE})\b|\W*$)"
    r"|(?:一共|总共|共|课程?)有?(?:多少|几)(?:讲|集|节|个视频|堂)",
    re.IGNORECASE,
)
"""What asks for the number of lectures."""

WHICH = re.compile(
    r"^\W{0,9}(?:(?:please|pls|so|and|ok|can you|could you|i want to see|i need) ){0,3}(?:"
    rf"(?:which|what)(?: are)?(?: all)?(?: the)? {_LECTURES}"
    rf"(?: (?:are there|exist|do (?:you|we) have|can i watch|(?:are )?(?:in|of) {_OF_COURSE}"
    rf"|does {_OF_COURSE} have))?"
    rf"|(?:list|show|give|name)(?: me)?(?: an? (?:full )?list of)?(?: all)?(?: of)?(?: the| your| its)? {_LECTURES}"
    rf"(?: (?:in|of) {_OF_COURSE})?"
    rf"|(?:the )?(?:list of(?: all)?(?: the)? {_LECTURES}|(?:lecture|video|episode) list))\W{{0,9}}$"
    r"|^(?:请|帮我|这门课?|本课|课程|一共|总共|都){0,4}(?:有哪些(?:讲座?|课程?|视频|节课|集)|有哪几[讲集节]"
    r"|(?:列出|列举|给出)(?:所有|全部)?的?(?:讲座?|课程?|视频|集)|(?:课程|视频|讲座)列表)[呢吗]?\W{0,9}$",
    re.IGNORECASE,
)
"""What asks for the lectures by their names, and for nothing of what they say."""

MOST_LISTED = 60
"""Lectures that are named; others are counted. A choice."""


def count_lectures(request: Request) -> Composed | None:
    """How many lectures there are, by those that the course has, from the first to the last."""
    listed = _list_spoken(request)
    if not HOW_MANY.search(request.question) or not listed:
        return None
    name_of = request.material.lectures.name_of
    text = wording(request.spoken).lectures.format(
        count=len(listed), first=name_of(listed[0]), last=name_of(listed[-1])
    )
    return Composed("logistics", "full", (_cite(request, text, listed[0]),), score=1.0)


def list_lectures(request: Request) -> Composed | None:
    """The names of the lectures in teaching order; `None` where they are not asked for, or there are none."""
    listed = _list_spoken(request)
    if not WHICH.match(request.question) or not listed:
        return None
    said = wording(request.spoken)
    lead = _cite(request, said.lectures_listed.format(count=len(listed)), listed[0])
    names = (safe(request.material.lectures.name_of(one)) for one in islice(listed, MOST_LISTED))
    items = [ComposedStatement(name, is_item=True) for name in names]
    rest = len(listed) - len(items)
    after = said.lectures_in_all.format(count=rest) if rest else ""
    return Composed("logistics", "full", (lead, *items), after=after, score=1.0)


def _list_spoken(request: Request) -> list[SpokenLecture]:
    return [one for one in request.material.lectures.lectures if one.sentences]


def _cite(request: Request, text: str, lecture: SpokenLecture) -> ComposedStatement:
    return ComposedStatement(text, lecture_evidence(lecture.sentences[0], request.course_id, lecture.title))
