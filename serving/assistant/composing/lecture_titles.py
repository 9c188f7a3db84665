"""Which lectures a question calls by their titles: one, or several that share a title. Pure."""

import re
from collections.abc import Sequence

from serving.assistant.composing.lectures import CourseLectures, SpokenLecture
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, QuestionUnit, coverage, terms_of

LEAST_TERMS = 2
"""Words of a title that a question must have all of for the lecture to be meant, whatever else it says. A choice."""

SERIES = re.compile(
    r"\b(?:lectures|videos|lessons|episodes|classes)\b|(?:几|系列)[^。？！]{0,2}[讲节课集]", re.IGNORECASE
)
ONE = re.compile(r"\b(?:lecture|video|lesson|episode|class)\b|[讲节集]", re.IGNORECASE)


def find_lecture_by_name(question: str, lectures: CourseLectures) -> SpokenLecture | None:
    """The lecture that the question calls by the name that tells it from others of its title: "Heaps (2/3)"."""
    asked = question.casefold()
    of_name = {name.casefold(): key for key, name in lectures.names.items() if name != lectures.by_id[key].title}
    longest = max((name for name in of_name if name in asked), key=len, default=None)
    return None if longest is None else lectures.by_id[of_name[longest]]


def of_one_title(request: Request, lectures: CourseLectures) -> list[SpokenLecture]:
    """The lectures of the longest title that the question says, numbers before it left out: several may share it. A
    title of one word is said only beside the word lecture."""
    asked, question = terms_of(request.question), request.question.lower()

    def is_said(name: str) -> bool:
        title = terms_of(name)
        return (title <= asked and len(title) >= LEAST_TERMS) or _is_beside_its_kind(name, question)

    said = {name for one in lectures.lectures if is_said(name := _name(one))}
    longest = max(sorted(said), key=len, default="")
    return [one for one in lectures.lectures if longest and _name(one) == longest]


def _is_beside_its_kind(name: str, question: str) -> bool:
    """Whether the question says "the lecture Overview", "the Overview lecture" or 绪论这一讲."""
    if not name or name not in question:
        return False
    quoted, kind = rf"[\"'“‘《]?{re.escape(name)}[\"'”’》]?", "(?:lecture|video|lesson|episode|class)"
    before = rf"\b{kind} (?:called |named |titled |on |about )?{quoted}(?!\w)"
    return re.search(rf"{before}|(?<!\w){quoted} {kind}\b|{quoted}(?:这|那)?(?:一)?[讲节课集]", question) is not None


def meant_of(request: Request, titled: Sequence[SpokenLecture]) -> SpokenLecture | None:
    """Which lecture of one title is meant: the one whose folder the question names too, or the one being watched."""
    asked, name_of = terms_of(request.question), request.material.lectures.name_of
    in_folder = [one for one in titled if terms_of(name_of(one)) <= asked]
    if len(in_folder) == 1:
        return in_folder[0]
    watched = request.position.video_id if request.position is not None else None
    return next((one for one in titled if one.video_id == watched), None)


def _name(lecture: SpokenLecture) -> str:
    """The title of a lecture without the number before it."""
    return _NUMBERED_TITLE.sub("", lecture.title).lower()


_NUMBERED_TITLE = re.compile(r"^\W*\d{1,3}(?:\.\d{1,3})*[\W_]+")


def lecture_of_title(units: Sequence[QuestionUnit], lectures: Sequence[SpokenLecture]) -> SpokenLecture | None:
    """The lecture whose title has most of what is asked, and at least half of it; the shortest title of equals."""
    if not units:
        return None
    scored = [(coverage(units, terms_of(one.title)), one) for one in lectures]
    best = max(score for score, _ in scored)
    if best < 0.5:
        return None
    return min((one for score, one in scored if score == best), key=lambda one: (len(one.title), one.index))


def find_lecture_by_title(request: Request, lectures: Sequence[SpokenLecture]) -> SpokenLecture | None:
    """The one lecture whose title is what is asked about, no more and no less, where one lecture is asked for."""
    if SERIES.search(request.question) or not request.units:
        return None
    asked = frozenset(term for unit in request.units for name in unit.names for term in name)
    within = _whose_title_is_in(terms_of(request.question), lectures) or _whose_title_is_in(asked, lectures)
    widest = max((len(terms_of(one.title)) for one in within), default=0)
    if len(longest := [one for one in within if len(terms_of(one.title)) == widest]) == 1:
        return longest[0]
    exact = [
        one
        for one in lectures
        if (title := terms_of(one.title)) and title <= asked and coverage(request.units, title) >= ALL_OF_IT
    ]
    return exact[0] if len(exact) == 1 else _only_titled(request, lectures)


def _whose_title_is_in(asked: frozenset[str], lectures: Sequence[SpokenLecture]) -> list[SpokenLecture]:
    return [
        one
        for one in lectures
        if len(title := terms_of(one.title)) >= LEAST_TERMS and title <= asked and "?" not in one.title
    ]


def _only_titled(request: Request, lectures: Sequence[SpokenLecture]) -> SpokenLecture | None:
    """The one lecture whose title has all that is asked about, where one lecture is asked for."""
    if ONE.search(request.question) is None:
        return None
    titled = [one for one in lectures if coverage(request.units, terms_of(one.title)) >= ALL_OF_IT]
    return titled[0] if len(titled) == 1 else None
