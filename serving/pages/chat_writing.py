"""`Writing`: one answer that is drawn on the chat page while it is written."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing

from serving.assistant.turn import Delta
from serving.gateway.conversations import ConversationAnswer
from serving.pages.chat_view import TurnView

REDRAW_SECONDS = 0.08
"""How often a growing answer is drawn anew. A choice: faster than it can be read."""


class Writing:
    """`text` is what there is of the answer, also after it broke off; `is_by_ai` once a model wrote some of it."""

    def __init__(self, view: TurnView) -> None:
        self.text, self.is_by_ai = "", False
        self._view = view

    async def drawn(self, parts: AsyncGenerator[Delta | ConversationAnswer, None]) -> ConversationAnswer:
        """Draw the text as it comes; the whole answer. Raises what `parts` raise."""
        drawn = 0.0
        async with aclosing(parts):
            async for part in parts:
                if isinstance(part, ConversationAnswer):
                    return part
                self.text += part.text
                self.is_by_ai = self.is_by_ai or part.is_by_ai
                if time.monotonic() - drawn > REDRAW_SECONDS:
                    self._view.writes(self.text, is_by_ai=self.is_by_ai)
                    drawn = time.monotonic()
        raise AssertionError("an answer ends with what was told")
