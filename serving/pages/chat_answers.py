"""`Answers`: what a student does with the answers on an open chat page: thumbs, and asking a TA."""

from collections.abc import Mapping
from typing import Any

from nicegui import Client

from serving.pages import chat_acts as acts
from serving.pages.chat_view import TurnView, tell
from serving.pages.visits import Visit
from serving.pages.words import words


class Answers:
    """`turns` are those on the page by trace id. What is `sent` is a browser's, and believed in nothing."""

    def __init__(self, visit: Visit, client: Client, turns: Mapping[str, TurnView]) -> None:
        self._visit, self._client, self._turns = visit, client, turns
        self._say = words("chat", visit.lang)
        self._store = visit.service.store

    async def give_thumb(self, sent: Mapping[str, Any]) -> None:
        """Raises `GatewayError` 401, `NotYours`, `FeedbackRefused`."""
        caller, trace_id, given = await self._visit.still(), str(sent.get("turn")), acts.thumb_in(sent)
        await self._store.writing(acts.give_thumb(caller, trace_id, given))
        key = "feedback_removed" if given.value == 0 else "feedback_queued" if given.value < 0 else "feedback_saved"
        tell(self._client, "saved", trace_id, self._say(key))

    async def ask_ta(self, sent: Mapping[str, Any]) -> None:
        """Raises `GatewayError` 401, `NotYours`, `NotFit`."""
        caller, trace_id = await self._visit.still(), str(sent.get("turn"))
        await self._store.writing(acts.ask_ta(caller, trace_id, str(sent.get("note") or "")))
        asked = await self._store.reading(lambda db: acts.questions_by_trace(db, caller))
        if trace_id in self._turns:
            self._turns[trace_id].show_question_state(asked.get(trace_id))
        tell(self._client, "sentToTas", trace_id)
