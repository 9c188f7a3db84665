"""Where something is taught: the lectures that speak most of it, each with the time at which it begins. Pure."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge_graph.records import Locator
from knowledge_graph.text import singular
from knowledge_graph.time_code import time_code
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.assistant.composing.composed import Composed, Statement
from serving.assistant.composing.lectures import CourseLectures, Lecture
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import Unit, coverage, known, terms_of
from serving.assistant.composing.wording import wording
from serving.evidence import Evidence

MOST = 3
TAUGHT = 3
"""Sentences from which a lecture is said to explain something rather than to mention it. A choice."""
_NEAR_MS = 90_000


@dataclass(frozen=True)
class Place:
    """A lecture that speaks of what is asked: `count` sentences do, most densely from `first` on."""

    lecture: Lecture
    count: int
    first: LectureSentence
    is_titled: bool


def compose_where(request: Request) -> Composed | None:
    """The places, best first; documents and the FAQ where no lecture speaks of it."""
    said = wording(request.spoken)
    places = find_places(request.units, request.material.lectures)
    is_strange = any(not unit.is_known and unit.concept_id is None and len(unit.label) > 3 for unit in request.units)
    if not places or is_strange:
        return _nearest(request)
    taught = [place for place in places if place.count >= TAUGHT or place.is_titled][:MOST] or places[:MOST]
    is_taught = taught[0].count >= TAUGHT or taught[0].is_titled
    lead = (said.taught_in if is_taught else said.mentioned_in).format(names=request.names or said.of_course)
    items = tuple(_item(request, place) for place in taught)
    return Composed("where", "partial", (Statement(lead), *items), score=0.8)


def _nearest(request: Request) -> Composed | None:
    """Where no lecture names all of it: those that speak of most of it, said to be no more."""
    places = find_nearest(request.units, request.material.lectures)[:2]
    if not places:
        return None
    said = wording(request.spoken)
    items = tuple(_item(request, place) for place in places)
    return Composed("where", "partial", items, note=said.not_direct, score=0.4)


def _item(request: Request, place: Place) -> Statement:
    title, time = place.lecture.title, time_code(place.first.start_ms)
    text = wording(request.spoken).item_lecture.format(title=title, time=time)
    return Statement(text, lecture_evidence(place.first, request.course_id), is_item=True)


def find_places(units: Sequence[Unit], lectures: CourseLectures) -> list[Place]:
    """The lectures that speak of all units (of the named concepts, if any), the one that says most of them first.

    Where none does: those that speak of the most of them, by weight.
    """
    wanted = [unit for unit in units if unit.concept_id is not None] or list(known(units))
    if not wanted:
        return []
    said = {
        video_id: kept
        for video_id, spoken in lectures.naming([unit.names for unit in wanted]).items()
        if (kept := [one for one in spoken if all(_is_worded(unit, one.text) for unit in wanted)])
    }
    found = []
    for lecture in lectures.lectures:
        is_titled = coverage(wanted, terms_of(lecture.title)) >= 0.99
        if (spoken := said.get(lecture.video_id, [])) or is_titled:
            found.append(Place(lecture, len(spoken), _densest(spoken) if spoken else lecture.sentences[0], is_titled))
    return sorted(found, key=lambda place: (-place.count - 6 * place.is_titled, place.lecture.index))


def _is_worded(unit: Unit, text: str) -> bool:
    """Whether a single English word stands in a text as a noun of its own: a transformer is not what transforms."""
    if unit.concept_id is not None or not unit.label.isascii() or " " in unit.label:
        return True
    words = {singular(word.strip(".,;:!?()\"'")) for word in text.lower().split()}
    return len(unit.names) > 1 or singular(unit.label.lower()) in words


def find_nearest(units: Sequence[Unit], lectures: CourseLectures) -> list[Place]:
    """The lectures that speak of the most that is asked, by weight: a unit counts more the oftener it is named."""
    scores: dict[str, float] = defaultdict(float)
    sentences: dict[str, list[LectureSentence]] = defaultdict(list)
    for unit in known(units):
        for video_id, spoken in lectures.naming([unit.names]).items():
            scores[video_id] += unit.weight * (1.0 - 0.5 ** len(spoken))
            sentences[video_id] += spoken
        for lecture in lectures.lectures:
            if unit.covered(terms_of(lecture.title)) == 1.0:
                scores[lecture.video_id] += unit.weight
                sentences[lecture.video_id].append(lecture.sentences[0])
    best = sorted(scores, key=lambda video_id: (-scores[video_id], lectures.by_id[video_id].index))
    return [
        Place(lectures.by_id[video_id], 0, _densest(sorted(sentences[video_id], key=_at)), is_titled=False)
        for video_id in best
        if scores[video_id] >= NEARLY * scores[best[0]]
    ]


NEARLY = 0.7
"""A lecture is shown beside the nearest one when it speaks of this share of what that does. A choice."""


def _at(sentence: LectureSentence) -> int:
    return sentence.start_ms


def _densest(said: Sequence[LectureSentence]) -> LectureSentence:
    """The sentence after which most others follow soon; the first of equals."""
    return max(
        said, key=lambda one: (sum(0 <= other.start_ms - one.start_ms < _NEAR_MS for other in said), -one.start_ms)
    )


def lecture_evidence(sentence: LectureSentence, course_id: str | None, text: str | None = None) -> Evidence:
    """A moment of a lecture as evidence."""
    return Evidence(
        number=0,
        evidence_id=f"{sentence.video_id}@{sentence.start_ms}",
        source="subtitle",
        course_id=course_id,
        title=sentence.video_title,
        text=sentence.text if text is None else text,
        locator=Locator(
            video_id=sentence.video_id,
            video_title=sentence.video_title,
            start_ms=sentence.start_ms,
            end_ms=sentence.end_ms,
        ),
    )
