"""What a web search or scholarly records say of something that the course itself does not, marked as such. Pure."""

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.cues import answers_kind
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.material import safe, written_lines
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import coverage, terms_of
from serving.assistant.composing.wording import wording
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
        lines = written_lines(entry)[:SHOWN]
        shown = " ".join(line.text for line in lines) or safe(entry.text)
        return Composed(
            request.kind, "partial", (ComposedStatement(shown, from_entry(0, entry)),), note=note, score=LIKELY
        )
    return None
