"""`AnswerCache`: answers kept for whoever asks the same again, and never longer than what they rest on.

An answer belongs to one assistant, which is made anew for every index, graph, setting and set of visible courses; it
ends with the day, with the next decision of a TA and with another exam of the model. So none is older than its sources.
Of 4,002 questions of a public log a quarter repeat an earlier one (`serving/evaluation/release/traffic_shape.py`).
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import date

from knowledge_graph.lake.records import Mode
from serving.assistant.answer import Answer
from serving.assistant.guardrails.ending import Options
from serving.assistant.recording import trace_again
from serving.assistant.retrieval.reviewed import Reviewed
from serving.assistant.turn import Turn, Usage
from serving.assistant.understanding.focus import Position
from serving.exam.admission import Admitting
from serving.index.analysis import normalize_question


@dataclass(frozen=True)
class AnswerKey:
    """What two questions must share to get one answer: the assistant that is asked (`asked_of`, by identity), the words
    but for case, blanks and end marks, the course, the student's place in a video, and the catalogue's expert."""

    asked_of: object
    question: str
    course_id: str | None
    position: Position | None
    mode: Mode | None


@dataclass(frozen=True, eq=False)
class AnswerBasis:
    """What an answer rests on beside the index: it ends when any of them is another than it was."""

    reviewed: Reviewed
    admission: Admitting | None
    day: date

    def is_that_of(self, other: "AnswerBasis") -> bool:
        same = self.reviewed is other.reviewed and self.admission == other.admission
        return same and self.day == other.day


class AnswerCache:
    """At most `most` answers, those that were asked for last. Assistants may share it, within one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[AnswerKey, tuple[AnswerBasis, Answer]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, key: AnswerKey, basis: AnswerBasis) -> Answer | None:
        """The answer that was given to the same question; `None` where there is none that still holds."""
        found = self._kept.get(key)
        if found is None:
            return None
        if not found[0].is_that_of(basis):
            del self._kept[key]
            return None
        self._kept.move_to_end(key)
        return found[1]

    async def find_for(self, turn: Turn, key: AnswerKey, basis: AnswerBasis) -> Answer | None:
        """As `find`, unless it is a study path and something is kept of this student by which they get another."""
        found = self.find(key, basis)
        if found is not None and _goes_by_progress(found) and not (await turn.progress()).is_empty:
            return None
        return found

    def keep(self, key: AnswerKey, basis: AnswerBasis, answer: Answer) -> None:
        """Keep an answer, and let go of the one that nobody asked for the longest."""
        self._kept[key] = basis, answer
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


def key_of(turn: Turn, *, asked_of: object) -> AnswerKey | None:
    """What a question is known by; `None` where its answer is for this student alone: it goes on from what was said, or
    asks for a length, an end or a tone of its own."""
    if turn.history or turn.options != Options():
        return None
    return AnswerKey(asked_of, normalize_question(turn.question), turn.course_id, turn.position, turn.mode)


def _goes_by_progress(answer: Answer) -> bool:
    """Whether an answer, or a part of it, is a study path, which says what is kept of the student."""
    return "before" in {answer.kind, *(part.question_kind for part in answer.trace.parts)}


def may_be_kept(answer: Answer, turn: Turn) -> bool:
    """Whether an answer may be given to others: it says nothing of this student, is whole, looked up with all there is,
    and either put together from the material or written by an admitted model, each sentence of it checked."""
    is_checked = answer.trace.model is None or answer.kind != ""
    is_whole = answer.finish == "stop" and not answer.degraded and answer.trace.error is None
    return not turn.is_personal and is_checked and is_whole and not answer.trace.retrieval_notes


def give_again(answer: Answer, turn: Turn) -> Answer:
    """The same answer to another student, with a trace of its own that names the first."""
    return replace(answer, usage=Usage(), trace=trace_again(answer.trace, turn))
