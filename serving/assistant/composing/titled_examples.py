"""An example that a document has under a heading of its own: the slide "Flow Sensitivity Example". Pure."""

import re
from dataclasses import replace

from serving.assistant.composing.composed import Composed
from serving.assistant.composing.document_answers import quote_under_heading
from serving.assistant.composing.explain import LIKELY, compose_explanation
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import ALL_OF_IT, coverage, known, terms_of
from serving.assistant.composing.window import heading_of

_EXAMPLE = re.compile(r"\bexamples?\b|例子|示例|举例|例题", re.IGNORECASE)


def compose_aspect(request: Request) -> Composed | None:
    """What is asked of a thing; of an example first what stands under its own heading."""
    found, titled = compose_explanation(request), _find_titled_example(request)
    if titled is None:
        return found
    beside = [one for one in found.statements if one.evidence != titled.statements[0].evidence] if found else []
    return replace(titled, statements=(*titled.statements, *beside[:1]))


def _find_titled_example(request: Request) -> Composed | None:
    units = known(request.units)
    if not units or all(one.key != "example" for one in request.aspects):
        return None
    for piece in request.pieces:
        heading = heading_of(piece.entry)
        if _EXAMPLE.search(heading) and coverage(units, terms_of(heading)) >= ALL_OF_IT:
            return Composed("aspect", "partial", (quote_under_heading(piece, piece.lines),), score=LIKELY)
    return None
