"""An answer that a TA approved, for a question that asks the same in other words: it stands alone and first. Pure."""

from knowledge_graph.lake.records import Lang
from serving.assistant.composing.composed import Composed
from serving.assistant.composing.request import Request
from serving.assistant.composing.same_question import kinds_apart
from serving.assistant.composing.stored import give_stored
from serving.assistant.retrieval.candidates import PairCandidate
from serving.assistant.understanding.question_kind import question_kind

SAME: dict[Lang, float] = {"en": 0.78, "zh": 0.72}
"""Cosine from which two questions may ask the same. Chosen on half of sixty rewordings of twenty questions and as many
others, and measured on the other half (`benchmarks/approved_wordings.py`)."""

SURELY_SAME = 0.9
"""Cosine from which what is asked may be put as another kind of question: "what is the reason that" is "why"."""


def compose_approved(request: Request) -> Composed | None:
    """The approved answer whose question, in one of its wordings, is the one asked; `None` where there is none, or
    where another stored question is nearer. What words tell apart from the question is not among what is stored."""
    faq = [one for one in request.stored if one.entry.source == "faq"]
    first = max(faq, key=_likeness, default=None)
    if first is None or not first.asked_as or _likeness(first) < SAME[request.lang]:
        return None
    if _likeness(first) < SURELY_SAME and kinds_apart(question_kind(request.question), question_kind(first.asked_as)):
        return None
    return give_stored(first.entry, kind=request.kind, spoken=request.spoken, score=_likeness(first))


def _likeness(stored: PairCandidate) -> float:
    return stored.parts.get("cosine", 0.0)
