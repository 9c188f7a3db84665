"""What to watch first: a hint with time codes when a concept asked about needs one that the student has not met. Pure.

A prerequisite is unmet when the course explains it in a video and the student has not come that far. Where the student
is says the position in the course; without one, what the session has spoken of counts as met.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.lectures import lecture_order
from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import Lang, Locator, Span
from knowledge_graph.text.time_code import time_code
from serving.assistant.generation.phrases import phrases
from serving.assistant.understanding.focus import Position
from serving.assistant.understanding.understand import Understanding
from serving.index.evidence import Evidence
from serving.llm.messages import Message

MOST_HINTS = 2


MOST_READ = 12
"""Messages of the session that are looked at, the latest. A choice, as for follow-ups."""


@dataclass(frozen=True)
class _Watched:
    """A concept on the way to one asked about, and the moment of the course's video to watch for it."""

    concept: GraphConcept
    course_id: str
    need: float
    span: Span
    video_id: str
    start_ms: int


@dataclass(frozen=True)
class StudyHint:
    """One sentence for the student, and the moment of the lecture it speaks of, to be opened. `text` has its mark."""

    concept_id: str
    text: str
    evidence: Evidence


def study_hints(
    asked: Understanding,
    *,
    graph: ConceptGraph,
    course_id: str | None,
    history: Sequence[Message] = (),
    position: Position | None = None,
    videos: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    evidence: Sequence[Evidence] = (),
) -> tuple[StudyHint, ...]:
    """At most `MOST_HINTS`, the most needed, in the order to learn them. None without a course.

    `videos` are the course's in teaching order, id and title, which is "" where it is not known; without them the order
    is that of their ids. `names` are what its lectures are called. A hint at something in `evidence`, what the answer
    may cite, keeps its number; another gets the next number.
    """
    if course_id is None or (position is not None and position.course_id != course_id):
        return ()
    places = list(videos or {})
    met = {concept.concept_id for concept in asked.concepts}
    if position is None:
        met |= find_concepts_spoken_of(history, graph)
    unmet = [
        step
        for step in _steps(asked, graph, course_id)
        if step.concept.concept_id not in met and (position is None or _is_later(step, position, places))
    ]
    needed = sorted(unmet, key=lambda step: -step.need)[:MOST_HINTS]
    titles = {**(videos or {}), **(names or {})}
    return _hints([step for step in unmet if step in needed], titles, list(evidence), asked.lang)


def find_concepts_spoken_of(history: Sequence[Message], graph: ConceptGraph) -> frozenset[str]:
    """The concepts that the student asked about or that an answer named, in the latest turns."""
    turns = [turn.content for turn in history if turn.role != "system"][-MOST_READ:]
    return frozenset(mention.concept_id for text in turns for mention in graph.mentions(text))


def _steps(asked: Understanding, graph: ConceptGraph, course_id: str) -> list[_Watched]:
    """What the concepts asked about need, each once, where the course shows it in a video."""
    found: dict[str, _Watched] = {}
    for concept in asked.concepts:
        for step in graph.study_path(concept.concept_id, course_id=course_id):
            at = step.watch
            if at is not None and at.video_id is not None and at.start_ms is not None and step.course_id == course_id:
                watched = _Watched(step.concept, course_id, step.need, at, at.video_id, at.start_ms)
                found.setdefault(step.concept.concept_id, watched)
    return list(found.values())


def _is_later(step: _Watched, position: Position, videos: list[str]) -> bool:
    """Whether the course explains it after the student's position; videos that are not listed come last, by id."""
    if step.video_id in videos and position.video_id in videos:
        return (videos.index(step.video_id), step.start_ms) > (videos.index(position.video_id), position.at_ms)
    return lecture_order(step.span) > lecture_order(Span(position.video_id, position.at_ms, None, ""))


def _hints(
    steps: Sequence[_Watched], videos: Mapping[str, str], evidence: list[Evidence], lang: Lang
) -> tuple[StudyHint, ...]:
    hints = []
    for step in steps:
        known = next((one for one in evidence if _opens(one, step)), None)
        shown = known or _evidence(step, videos, max((one.number for one in evidence), default=0) + 1)
        if known is None:
            evidence.append(shown)
        hints.append(StudyHint(step.concept.concept_id, _sentence(step, shown, videos, lang), shown))
    return tuple(hints)


def _opens(evidence: Evidence, step: _Watched) -> bool:
    """Whether a piece of evidence is this concept at this moment."""
    at = evidence.locator
    return (
        evidence.origin_id == step.concept.concept_id
        and at is not None
        and (at.video_id, at.start_ms) == (step.video_id, step.start_ms)
    )


def _evidence(step: _Watched, videos: Mapping[str, str], number: int) -> Evidence:
    """The moment as something to cite; its id is its own, as the concept's may stand for another place."""
    defined = step.concept.definition_locator
    title = defined.video_title if defined is not None and defined.video_id == step.video_id else None
    return Evidence(
        number=number,
        evidence_id=f"{step.concept.concept_id}@{step.video_id}:{step.start_ms}",
        source="concept",
        course_id=step.course_id,
        title=step.concept.name,
        text=step.span.text,
        locator=Locator(
            video_id=step.video_id,
            video_title=videos.get(step.video_id) or title,
            start_ms=step.start_ms,
            end_ms=step.span.end_ms,
        ),
        origin_id=step.concept.concept_id,
    )


def _sentence(step: _Watched, evidence: Evidence, videos: Mapping[str, str], lang: Lang) -> str:
    said = phrases(lang)
    start, end = time_code(step.start_ms), time_code(step.span.end_ms or step.start_ms)
    title = evidence.locator.video_title if evidence.locator is not None else None
    lecture = videos.get(step.video_id) or title or step.video_id
    concept = f"{step.concept.name} {evidence.mark}".rstrip()
    if end == start:
        return said.watch_from.format(lecture=lecture, start=start, concept=concept)
    return said.watch_first.format(lecture=lecture, start=start, end=end, concept=concept)
