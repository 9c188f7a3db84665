"""Which case a rule of law comes from: the one that it is said to be from, or that is told before its name. Pure."""

import re
from collections.abc import Sequence

from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed
from serving.assistant.composing.definition import quote_sentences
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import QuestionUnit, known
from serving.assistant.composing.titled_examples import is_name_of_it

_ASKS_WHICH = re.compile(
    r"\b(?:which|what) (?:leading |famous )?case (?:(?:is|are|was|were|does|do|did) [^?]{3,60} (?:come )?from\b"
    r"|(?:first )?(?:established|created|introduced|laid down|started|gave)\b)"
    r"|(?:哪|什么)(?:一?[个起])?案(?:例|件|子)?(?:[里中])?(?:首先|最早)?(?:确立|提出|开创|创立)"
    r"|(?:来自|出自|源于|源自)(?:哪|什么)(?:一?[个起])?案",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\b[A-Z][\w'’.-]+(?: [\w'’.&-]+){0,6}? v [A-Z]\w+|[\u4e00-\u9fff·]{1,12}诉[\u4e00-\u9fff·]{1,12}?案"
)
"""The name of a case: "Reed v Marsh", 甲诉乙案."""
_FROM = re.compile(
    r"\b(?:it|this|that)(?:['’]s| is| comes| was) from\b|\b(?:established|laid down|comes? from|goes back)\b",
    re.IGNORECASE,
)
BEFORE, BEHIND = 8, 1
"""Sentences before the name of a rule, and behind it, in which its case is looked for. Choices."""


def compose_leading_case(request: Request) -> Composed | None:
    """The case of the rule that is asked about, from where it is named to where the rule is; `None` for any other
    question, and where none is told of."""
    if _ASKS_WHICH.search(request.question) is None:
        return None
    things = [unit for unit in known(request.units) if unit.label.lower() != "case"]
    wanted = [unit for unit in things if unit.concept_id is not None] or things
    if not wanted:
        return None
    lectures = request.material.lectures
    for video_id, spoken in lectures.naming([unit.names for unit in wanted]).items():
        lecture = lectures.by_id[video_id]
        spans = (_find_case(lecture.sentences, lecture.places[named.position], wanted) for named in spoken)
        if (span := next((one for one in spans if one is not None), None)) is not None:
            told = quote_sentences(request, lecture.sentences[slice(*span)])
            return Composed("other", "partial", (told,), score=LIKELY)
    return None


def _find_case(said: Sequence[LectureSentence], place: int, wanted: Sequence[QuestionUnit]) -> tuple[int, int] | None:
    """From where to where a rule and its case are told: the case that it is said to be from, or the last one before a
    sentence that gives it its name: "That's the lamp rule."."""
    for behind in range(place, min(len(said), place + 1 + BEHIND)):
        if _FROM.search(said[behind].text) and _CASE.search(said[behind].text):
            return place, behind + 1
    if not is_name_of_it(said[place].text, wanted):
        return None
    before = range(place, max(-1, place - 1 - BEFORE), -1)
    first = next((at for at in before if _CASE.search(said[at].text)), None)
    return (first, place + 1) if first is not None else None
