"""Answers with the places that support them, as people labelled them: `gold/references.jsonl` of a course folder.

One answer a line: `{"question", "answer", "explanation"?, "relevant": [places], "irrelevant": [places]}`. A place is
named so that it survives a rebuild: `05 - Stacks and queues@03:12`, `06 - Trees@¶12` (a lecture without times),
`documents/regulations.pdf#5.1.1`, `documents/syllabus.md#Late days`, or an address. Nothing but the cut of references
is learnt from these files.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.text.time_code import read_paragraph, time_code
from serving.index.schema import Entry

FILE = Path("gold") / "references.jsonl"

SAME_START_SECONDS = 10
"""A passage of a video is the labelled one when it begins this near: its cues may be edited, its text mended."""


class LabelsBroken(CoteachError):
    """A line of labelled references that does not say what it must."""


@dataclass(frozen=True)
class LabelledAnswer:
    """An answer and what people say of the places the search found for it; of other places nothing is said."""

    question: str
    answer: str
    relevant: tuple[str, ...]
    irrelevant: tuple[str, ...]
    explanation: str = ""

    def label(self, entry: Entry) -> bool | None:
        """Whether the passage supports the answer; `None` when nobody looked."""
        if any(is_place(place, entry) for place in self.relevant):
            return True
        return False if any(is_place(place, entry) for place in self.irrelevant) else None


def place_of(entry: Entry) -> str:
    """The name of a passage's place."""
    where = entry.locator
    if where is None:
        return entry.entry_id
    if where.video_id is not None:
        return f"{where.video_id}@{time_code(where.start_ms or 0)}"
    if where.document is not None:
        return f"{where.document}#{where.article or _heading(entry.title)}"
    return where.url or entry.entry_id


def is_place(place: str, entry: Entry) -> bool:
    """Whether `place` names where the passage is."""
    where = entry.locator
    if where is None or where.video_id is None or "@" not in place:
        return place == place_of(entry)
    video, _, time = place.rpartition("@")
    if video != where.video_id:
        return False
    return abs(_seconds(time) - (where.start_ms or 0) / 1000) <= SAME_START_SECONDS


def read_labelled(folder: Path) -> tuple[LabelledAnswer, ...]:
    """The labelled answers of a course folder, none when it has no such file. Raises `LabelsBroken` with the line."""
    path = folder / FILE
    if not path.is_file():
        return ()
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(_answer(line, f"{FILE}:{number}") for number, line in enumerate(lines, start=1) if line.strip())


def _answer(line: str, where: str) -> LabelledAnswer:
    try:
        values: dict[str, Any] = json.loads(line)
        found = LabelledAnswer(
            question=values["question"],
            answer=values["answer"],
            relevant=tuple(values["relevant"]),
            irrelevant=tuple(values["irrelevant"]),
            explanation=values.get("explanation", ""),
        )
        times = [place.rpartition("@")[2] for place in (*found.relevant, *found.irrelevant) if "@" in place]
        if found.question.strip() and found.answer.strip() and all(_seconds(time) >= 0 for time in times):
            return found
        problem = "an empty question or answer"
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        problem = repr(error)
    raise LabelsBroken(
        f"{where}: expected question, answer, relevant and irrelevant, places as video@03:12 or document#article; "
        f"found {problem}. Mend or remove the line."
    )


def _heading(title: str) -> str:
    """`Late days` of `Data Structures: syllabus — Late days`."""
    return title.partition(" — ")[2]


def _seconds(time: str) -> int:
    if (place := read_paragraph(time)) is not None:
        return place // 1000
    total = 0
    for part in time.split(":"):
        total = 60 * total + int(part)
    return total
