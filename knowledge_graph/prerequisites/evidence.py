"""The words of the course that support an edge, opened where both concepts are named, else at the nearest stretch.

Belongs here: choosing spans. Whether there is an edge is decided elsewhere.
"""

from bisect import bisect_left
from collections.abc import Sequence

from knowledge_graph.lake.records import Span
from knowledge_graph.prerequisites.mentions import Mentions
from knowledge_graph.text.sentences import LectureSpan

MOST_SPANS = 3
_NEIGHBOURHOOD = 5  # sentences between two mentions that still make one stretch of evidence
_LONG = 300  # characters of a sentence that is tiring to read as evidence


def evidence(a: int, b: int, mentions: Mentions, sentences: Sequence[LectureSpan]) -> tuple[Span, ...]:
    """One to three spans for "concept a before concept b", by their rows, in the order of the course.

    Sentences that name both, recalls and short ones first; else what is said from one to the other where they are
    nearest; else, where no lecture names both, the place where b is explained or first mentioned.
    """
    others = mentions.positions[a]
    both = sorted(set(others).intersection(mentions.positions[b]))
    if both:
        best = sorted(both, key=lambda at: (at not in mentions.recalling, len(sentences[at].text) > _LONG, at))
        return tuple(sentences[at].span() for at in sorted(best[:MOST_SPANS]))
    meetings = {ends for at in mentions.positions[b] if (ends := _meeting(at, others, mentions.stretch))}
    if not meetings:
        explained = mentions.explained[b]
        return (sentences[mentions.positions[b][0] if explained is None else explained].span(),)
    nearest = sorted(meetings, key=lambda ends: (ends[1] - ends[0], ends))
    close = [ends for ends in nearest if ends[1] - ends[0] <= _NEIGHBOURHOOD][:MOST_SPANS] or nearest[:1]
    spans = [span for first, last in sorted(close) for span in _spans(first, last, sentences)]
    return tuple(dict.fromkeys(spans))[:MOST_SPANS]


def _meeting(at: int, others: Sequence[int], stretch: Sequence[int]) -> tuple[int, int] | None:
    """From one mention to the nearest mention of the other concept in the same stretch."""
    place = bisect_left(others, at)
    near = [other for other in others[max(0, place - 1) : place + 1] if stretch[other] == stretch[at]]
    if not near:
        return None
    nearest = min(near, key=lambda other: (abs(other - at), other))
    return min(at, nearest), max(at, nearest)


def _spans(first: int, last: int, sentences: Sequence[LectureSpan]) -> tuple[Span, ...]:
    """What is said from one sentence to the other; the two alone when it is long, or may run over a document's page."""
    start, end = sentences[first].span(), sentences[last].span()
    if start.document is not None or last - first > _NEIGHBOURHOOD:
        return start, end
    text = " ".join(sentence.text for sentence in sentences[first : last + 1])
    return (Span(start.video_id, start.start_ms, end.end_ms, text),)
