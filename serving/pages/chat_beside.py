"""`Beside`: what an open chat page keeps up with beside the conversation: earlier sessions, news from the TAs."""

from collections.abc import Mapping

from nicegui import Client, ui

from serving.gateway.errors import GatewayError
from serving.pages import chat_acts as acts
from serving.pages.chat_side import history_html, news_html
from serving.pages.chat_view import TurnView, markup
from serving.pages.visits import Visit
from serving.pages.words import words
from serving.store.caller import Caller
from serving.store.tables.base import now

DESK_SECONDS = 15.0
"""How often an open page looks whether a TA has answered. A choice."""


class Beside:
    """`turns` are those on the page by trace id. Nothing is read any more once the login has ended."""

    def __init__(self, visit: Visit, client: Client, turns: Mapping[str, TurnView]) -> None:
        self._visit, self._client, self._turns = visit, client, turns
        self._say = words("chat", visit.lang)
        self._store = visit.service.store
        self._timer: ui.timer | None = None

    def build_history(self) -> None:
        self._history = markup(classes="side")

    def build_news(self) -> None:
        self._news = markup()

    async def follow_desk(self) -> None:
        """Look now, from time to time, and when a browser comes back."""
        await self.look_at_desk()
        self._timer = ui.timer(DESK_SECONDS, self.look_at_desk, immediate=False)
        self._client.on_connect(self.look_at_desk)

    async def draw_history(self, current: str | None) -> None:
        """The visitor's sessions, with the one on the page marked."""
        caller = await self._caller()
        if caller is not None:
            sessions = await self._store.reading(acts.sessions(caller))
            self._history.set_content(history_html(sessions, current, self._say, at=now()))

    async def look_at_desk(self) -> None:
        """Show what TAs have answered since: in its turn when that is on the page, else above it."""
        caller = await self._caller()
        if caller is None:
            return
        fresh = await self._store.reading(acts.news(caller))
        here = [one for one, _ in fresh if one.trace_id in self._turns]
        for one in here:
            self._turns[one.trace_id or ""].show_question_state(one)
        elsewhere = [(one, session_id) for one, session_id in fresh if one not in here]
        self._news.set_content(news_html(elsewhere, self._say))
        if here and self._client.has_socket_connection:
            await self._store.writing(acts.mark_seen(caller, [one.question_id for one in here]))

    async def _caller(self) -> Caller | None:
        try:
            return await self._visit.still()
        except GatewayError:
            if self._timer is not None:
                self._timer.cancel()
            return None
