"""Whether merge sort works in place: a question without a course, and a passage with how near its sentences are."""

from types import SimpleNamespace
from typing import cast

from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.request import Request
from serving.assistant.composing.terms import QuestionUnit
from serving.index.schema import Entry, Locator

PLACE = Locator(video_id="v", start_ms=0, end_ms=60_000)
MERGE_SORT = QuestionUnit("merge sort", (frozenset({"merg", "sort"}),), 1.0, "en:merge sort")
IN_PLACE = QuestionUnit("place", (frozenset({"place"}),), 1.0)


def spoken(*said: tuple[str, float]) -> MaterialPiece:
    """A passage of a lecture, each sentence with its nearness to the question."""
    entry = Entry("p", "passage", "subtitle", "ds", "en", "Sorting", " ".join(text for text, _ in said), locator=PLACE)
    lines = tuple(MaterialLine(text, 1000 * at, 1000 * at + 900, near) for at, (text, near) in enumerate(said))
    return MaterialPiece(entry, lines, 1.0, max(near for _, near in said))


def asking(question: str, *units: QuestionUnit, **more: object) -> Request:
    known = {"kind": "yes_no", "lang": "en", "units": units, "question": question, "aspects": (), "is_compared": True}
    known["pieces"] = ()
    return cast("Request", SimpleNamespace(**(known | more)))
