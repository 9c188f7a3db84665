"""Who answers students' questions: the product, and the plain baseline of the nearest passages and FAQ entry."""

from collections.abc import Sequence
from dataclasses import dataclass

from serving.assistant.assistant import Assistant
from serving.assistant.references.reference import from_evidence
from serving.assistant.retrieval.fusion import reciprocal_ranks
from serving.assistant.retrieval.lookup import Dense
from serving.evaluation.students.marking import GivenAnswer
from serving.evaluation.students.questions import StudentQuestion
from serving.index.evidence import from_entry
from serving.index.schema import Kind
from serving.index.search import SearchIndex
from serving.llm.messages import Message

NEAREST = 3
DEPTH = 20


async def answer_as_product(assistant: Assistant, question: StudentQuestion) -> GivenAnswer:
    """The answer a student gets, after the turns before it have been answered."""
    history: list[Message] = []
    for before in question.history:
        given = await assistant.answer(before, course_id=question.course_id, history=tuple(history))
        history += [Message("user", before), Message("assistant", given.text)]
    answer = await assistant.answer(question.question, course_id=question.course_id, history=tuple(history))
    return GivenAnswer(answer.text, answer.coverage == "full", answer.references)


@dataclass(frozen=True)
class Baseline:
    """The three passages nearest by words and meaning and the nearest FAQ entry, as they stand: nothing is decided."""

    index: SearchIndex
    dense: Dense | None

    def answer(self, question: StudentQuestion) -> GivenAnswer:
        """What it shows, all of it as the answer."""
        text = " ".join([*question.history[-1:], question.question])
        entries = [
            *(self.index.entries("passage", self._nearest(text, question, "passage", None)[:NEAREST])),
            *(self.index.entries("qa", self._nearest(text, question, "qa", ["faq"])[:1])),
        ]
        evidence = [from_entry(number, entry) for number, entry in enumerate(entries, 1)]
        shown = "\n\n".join(f"{entry.title}\n{entry.text}" for entry in entries)
        return GivenAnswer(shown, bool(entries), tuple(from_evidence(one, "en") for one in evidence))

    def _nearest(self, text: str, question: StudentQuestion, which: Kind, sources: Sequence[str] | None) -> list[str]:
        course = question.course_id
        hits = self.index.search(text, kind=which, course_id=course, sources=sources, k=DEPTH)
        lists = [[hit.entry.entry_id for hit in hits]]
        if self.dense is not None and question.lang in self.dense.embedder.languages:
            (vector,) = self.dense.embedder.encode([text])
            found = self.dense.index.search(vector, kind=which, course_id=course, sources=sources, k=DEPTH)
            lists.append([key for key, _ in found])
        fused = reciprocal_ranks(lists)
        return sorted(fused, key=lambda key: (-fused[key], key))
