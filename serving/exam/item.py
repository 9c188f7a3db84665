"""`ExamItem`: one question of a course's exam, with what a right answer rests on, must say and must not say."""

from dataclasses import dataclass
from typing import Literal

from serving.index.evidence import Evidence
from serving.llm.messages import Message

ItemKind = Literal["definition", "comparison", "reason", "unanswerable", "regulation", "follow_up", "injection"]


@dataclass(frozen=True)
class ExamItem:
    """`must_say` holds groups: a right answer says one wording of each. An unanswerable item has none, and is declined.

    `subjects` are the names that the question is about, in its order; `evidence` is numbered from 1, as it is given to
    the model.
    """

    item_id: str
    course_id: str
    lang: str
    kind: ItemKind
    question: str
    evidence: tuple[Evidence, ...]
    subjects: tuple[str, ...] = ()
    must_say: tuple[tuple[str, ...], ...] = ()
    must_not_say: tuple[str, ...] = ()
    is_answerable: bool = True
    history: tuple[Message, ...] = ()

    @property
    def rests_on(self) -> frozenset[str]:
        """The ids of the evidence that a right answer says: that of the subjects, where it is named by them."""
        named = {one.evidence_id for one in self.evidence if one.title in self.subjects}
        return frozenset(named or (one.evidence_id for one in self.evidence))
