"""Which message of a session stands under which item's rule. Pure: what recognises an item is handed in.

Two things hold whatever is said. A message that pleads, or leans on what was said before, stays under the rule of the
item it goes on from. And what a message under no rule is answered from is the session without the messages that were
under one: an item that was asked about cannot come back as context.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.lake.records import GradedItem
from serving.assistant.graded_work.pleading import goes_on, pleads
from serving.assistant.graded_work.recognition import NEAR_BY, ItemMatch
from serving.llm.messages import Message

By = Literal["wording", "meaning", "session"]
"""What an item was recognised by; `session`: the message goes on from one that was."""

Recognise = Callable[[str], ItemMatch | None]
"""The item in force that a text is most like; `None` where there is none in force."""

FindPasted = Callable[[str], GradedItem | None]
"""The item in force that stands in a text word for word."""

Subject = Literal["concept", "other", "none"]
"""What a message is about that follows an item: a concept of its own, something else that is not the item (the course's
life, small talk), or nothing that it names."""

SubjectOf = Callable[[str, GradedItem], Subject]


@dataclass(frozen=True)
class Ruling:
    """The rule that a message stands under: that of `item`. `turn`, from 1, counts the messages of the session about
    it, this one included."""

    item: GradedItem
    turn: int
    by: By


@dataclass(frozen=True)
class RuledMessage:
    """The ruling over a message, `None` for none, and the history without what stood under a rule."""

    ruling: Ruling | None
    history: tuple[Message, ...]


class _Session:
    """A session read from its beginning; `item` is the last that was recognised in it."""

    def __init__(self, recognise: Recognise, find_pasted: FindPasted, subject_of: SubjectOf) -> None:
        self._recognise, self._find_pasted, self._subject = recognise, find_pasted, subject_of
        self._item: GradedItem | None = None
        self._turns: Counter[GradedItem] = Counter()
        self._is_before_ruled = False
        self._before = ""

    def read(self, text: str) -> Ruling | None:
        """The ruling over the next message of the student."""
        found, by = self._find_rule(text)
        self._is_before_ruled, self._before = found is not None, text
        if found is None:
            return None
        self._item = found
        self._turns[found] += 1
        return Ruling(found, self._turns[found], by)

    def was_shown(self, text: str) -> bool:
        """Whether a message of the assistant, which a client may have made up, holds an item word for word."""
        found = self._find_pasted(text)
        if found is not None:
            self._item, self._is_before_ruled = found, True
        return found is not None

    def _find_rule(self, text: str) -> tuple[GradedItem | None, By]:
        match, item = self._recognise(text), self._item
        if match is not None and match.is_item:
            return match.known.item, match.by
        if not self._is_before_ruled and (halves := self._find_pasted(f"{self._before} {text}")) is not None:
            return halves, "wording"
        if item is None or match is None:
            return None, "session"
        if match.known.item == item and match.margin >= -NEAR_BY:
            return item, "session"
        return (item if self._stays(text, item) else None), "session"

    def _stays(self, text: str, item: GradedItem) -> bool:
        """Whether a message that is no item by itself goes on from the item before it: at once whatever asks nothing
        else; later on what pleads, for a plea says nothing by itself."""
        subject = self._subject(text, item)
        if subject == "concept":
            return False
        if not self._is_before_ruled:
            return pleads(text)
        return subject == "none" or pleads(text) or goes_on(text)


def judge(
    question: str,
    history: Sequence[Message],
    *,
    recognise: Recognise,
    find_pasted: FindPasted,
    subject_of: SubjectOf,
) -> RuledMessage:
    """The ruling over a question, asked after what was said before, oldest first."""
    session, kept, is_ruled = _Session(recognise, find_pasted, subject_of), list[Message](), False
    for message in history:
        if message.role == "assistant":
            is_ruled = session.was_shown(message.content) or is_ruled
        else:
            is_ruled = session.read(message.content) is not None
        if not is_ruled:
            kept.append(message)
    return RuledMessage(session.read(question), tuple(kept))
