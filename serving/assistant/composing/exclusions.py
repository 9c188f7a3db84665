"""Classes of which a catalogue counts one alone: whether both may be counted, by the record that says it. Pure."""

import re
from collections.abc import Sequence

from knowledge_graph.sources.catalog.needs import code_key, needs_of
from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.material import MaterialPiece
from serving.assistant.composing.request import Request
from serving.assistant.composing.wording import wording

_ASKS_WHETHER = re.compile(
    r"^\W*(?:(?:and|so|but|hi|hello)\W+)?(?:can|may|could|do|does|will|would|is|are|am)\b|吗|能不能|可不可以",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"\b(?:count\w*|credits? for|used? towards?)\b|算|计入|认", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:both|together|as well|double|at once)\b|都|同时|一起", re.IGNORECASE)


def deny_counting_both(request: Request, records: Sequence[MaterialPiece], codes: Sequence[str]) -> Composed | None:
    """A no, with the sentence of a record by which two of the classes that are named are not counted together, where
    that is asked; `None` where it is not, and where no record says so. `codes` are those of the records, in order."""
    if not all(asked.search(request.question) for asked in (_ASKS_WHETHER, _COUNTS, _TOGETHER)):
        return None
    keys = {code_key(code) for code in codes if code}
    for record, code in zip(records, codes, strict=True):
        for line in record.lines:
            if needs_of(line.text, {}).excludes & (keys - {code_key(code)}):
                said = ComposedStatement(line.text, record.evidence([line]))
                return Composed(request.kind, "full", (said,), note=wording(request.spoken).no, score=1.0)
    return None
