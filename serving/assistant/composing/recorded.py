"""What a web search, scholarly records or informal reviews say of something that the course itself does not, marked as
such. Pure.
"""

import re

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.cues import answers_kind
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.material import safe, split_written_lines
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import coverage, terms_of
from serving.assistant.composing.wording import wording
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.evidence import from_entry

COVERS = 0.9
"""Share of the question that a record must speak of. A choice: nobody of the course has read it."""
SHOWN = 3
"""Sentences of a record that are shown."""


def compose_recorded(request: Request) -> Composed | None:
    """The first record, in the order found, that speaks of all that was asked."""
    if not request.units:
        return None
    said = wording(request.spoken)
    for candidate in request.stored:
        entry = candidate.entry
        if entry.source not in ("search", "scholar"):
            continue
        text = f"{entry.title} {entry.text}"
        has_aspects = all(one.said.search(entry.text) for one in request.aspects)
        if coverage(request.units, terms_of(text)) < COVERS or not has_aspects:
            continue
        if not answers_kind(entry.text, request.kind):
            continue
        note = said.from_scholar if entry.source == "scholar" else said.from_web
        lines = split_written_lines(entry)[:SHOWN]
        if request.kind in _TOLD and not any(coverage(request.units, terms_of(one.text)) >= COVERS for one in lines):
            note = f"{said.unsure} {note}"
        shown = " ".join(line.text for line in lines) or safe(entry.text)
        return Composed(
            request.kind, "partial", (ComposedStatement(shown, from_entry(0, entry)),), note=note, score=LIKELY
        )
    return None


_TOLD = frozenset[QuestionKind](("how", "why", "yes_no", "list", "other"))
"""Kinds of question that one sentence has to speak of whole, else what is shown may be on something beside it."""

MOST_REVIEWS = 3
"""Reviews that are shown of one question. A choice."""

_OPINION = re.compile(
    r"\b(?:eas(?:y|ier|iest)|hard(?:er|est)?|difficult|workload|worth|boring|fun|enjoy\w*|recommend\w*|manageable"
    r"|opinions?|reviews?|students? (?:say|think))\b|难不难|难吗|容易|轻松|水课|好过|值得|推荐|评价|作业(?:多|量)|口碑",
    re.IGNORECASE,
)


def compose_reviews(request: Request) -> Composed | None:
    """What informal reviews say where an opinion is asked for: of the class that is named, else of any that speak of
    what is asked. `None` where there are none, which is so unless they are switched on."""
    if _OPINION.search(request.question) is None:
        return None
    reviews = [one.entry for one in request.stored if one.entry.source == "review"]
    named = [one for one in reviews if one.section and one.section.casefold() in request.question.casefold()]
    found = named or [one for one in reviews if _OPINION.search(one.text)]
    if not found:
        return None
    said = [
        ComposedStatement(f"**{safe(one.section or one.title)}**: {safe(one.text)}", is_item=True)
        for one in found[:MOST_REVIEWS]
    ]
    note = wording(request.spoken).from_reviews
    return Composed(request.kind, "partial", tuple(said), note=note, stored=from_entry(0, found[0]), score=LIKELY)
