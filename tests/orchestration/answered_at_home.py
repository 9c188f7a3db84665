"""Questions asked of a built home and stored in it, as the gateway does, without a model server."""

import asyncio
from collections.abc import Sequence
from typing import Any

from knowledge_graph.lake.home import DataDir
from serving.gateway.conversations import ConversationAnswer, Conversations, Question
from serving.gateway.knowledge import Knowledge, load_knowledge
from serving.settings import Settings
from serving.store.caller import Caller
from serving.store.database import open_store


def ask_at_home(data_dir: DataDir, questions: Sequence[str], course_id: str) -> list[ConversationAnswer]:
    """Each question in a session of its own."""
    settings = Settings(home=data_dir.root)
    knowledge, store = load_knowledge(settings, None), open_store(settings)

    async def known() -> Knowledge:
        return knowledge

    async def all_told() -> list[ConversationAnswer]:
        talk: Any = Conversations(store, known, shown=lambda answer: {})
        asked = [Question(text, course_id, live=False) for text in questions]
        parts = [[part async for part in talk.ask(Caller("student", is_new=True), one)] for one in asked]
        return [part for each in parts for part in each if isinstance(part, ConversationAnswer)]

    try:
        return asyncio.run(all_told())
    finally:
        store.close()
