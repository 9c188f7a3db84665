"""Stored answers of the two tiny courses, made by the assistant itself and kept as the gateway keeps them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from serving.assistant.assistant import Assistant
from serving.desk.lineage.material import IndexedMaterial
from serving.gateway.conversations import ConversationAnswer, Conversations, Question
from serving.index.search import SearchIndex
from serving.store.caller import Caller
from serving.store.database import Store

STUDENT = Caller("student", is_new=True)


@dataclass
class Asking:
    """Questions asked one after the other; each in a session of its own unless `session_id` says which."""

    store: Store
    material: IndexedMaterial
    assistant: Assistant
    caller: Caller = field(default=STUDENT)

    @property
    def index(self) -> SearchIndex:
        return self.material.index

    async def told(
        self, question: str, course_id: str | None = "ds", session_id: str | None = None
    ) -> ConversationAnswer:
        async def knowledge() -> Any:
            return self

        talk = Conversations(self.store, knowledge, shown=lambda answer: {})
        async for part in talk.ask(self.caller, Question(question, course_id, session_id=session_id, live=False)):
            if isinstance(part, ConversationAnswer):
                return part
        raise AssertionError("an answer ends with what was told")

    async def all_told(self, questions: Sequence[str], course_id: str | None = "ds") -> list[ConversationAnswer]:
        return [await self.told(question, course_id) for question in questions]

    def assistant_with(self, changes: object, courses: object = None) -> Assistant:
        return self.assistant
