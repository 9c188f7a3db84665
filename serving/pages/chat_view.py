"""The elements of the chat page that change, and how each is drawn. Knows NiceGUI; decides and stores nothing.

Belongs here: a turn, an answer while it is written, and what went wrong, in words a student can do something with.
"""

import json
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from html import escape

from nicegui import Client, ui

from serving.assistant.turn import Delta
from serving.desk.own_questions import OwnQuestion
from serving.desk.refusals import NotFit
from serving.feedback.reasons import FeedbackRefused
from serving.gateway.conversations import ConversationAnswer
from serving.gateway.errors import GatewayError
from serving.gateway.spending import CourseSwitches, DayUsedUp, SwitchedOff
from serving.pages.chat_tools import desk_html, retry_html, tools_html
from serving.pages.chat_turn import ShownTurn, answer_html, question_html, waiting_html, writing_html
from serving.pages.frame import icon
from serving.pages.words import PageTexts
from serving.store.tables.conversation import Feedback
from serving.store.turns import NotYours

REDRAW_SECONDS = 0.08
"""How often a growing answer is drawn anew. A choice: faster than it can be read."""

_BY_STATUS = {401: "error_login", 403: "error_login", 404: "error_course", 429: "error_busy"}


def markup(html: str = "", classes: str = "") -> ui.html:
    """An element of our own markup: only words of ours and escaped text are in it."""
    return ui.html(html, sanitize=False).classes(classes)


class TurnView:
    """One turn on the page. What a model, a source or a TA wrote is looked through once more by the browser."""

    def __init__(self, question: str, say: PageTexts) -> None:
        self._say = say
        with ui.element("article").classes("turn") as self._article:
            markup(question_html(question, say))
            self._desk = ui.html("", sanitize=True).classes("from-desk")
            self._answer = ui.html(waiting_html(say), sanitize=True).classes("answer")
            self._tools = markup(classes="under")
        self.trace_id: str | None = None

    def writes(self, text: str, *, is_by_ai: bool) -> None:
        self._article.classes("writing")
        self._answer.set_content(writing_html(text, self._say, is_by_ai=is_by_ai))

    def ends(self, said: ShownTurn, given: Feedback | None = None, asked: OwnQuestion | None = None) -> None:
        """Show the whole answer and what can be done with it."""
        self.trace_id = said.trace_id
        self._article.classes(remove="writing", add=said.outcome).props(f"id=turn-{said.trace_id}")
        self._answer.set_content(answer_html(said, self._say))
        tools = tools_html(said.trace_id, self._say, given, asked) if said.is_kept else retry_html(self._say)
        self._tools.set_content(tools)
        self.show_question_state(asked)

    def show_question_state(self, asked: OwnQuestion | None) -> None:
        """Show where the question stands with the TAs, above the answer that they correct."""
        self._desk.set_content(desk_html(asked, self._say))

    def show_failure(self, told: str) -> None:
        """Say why there is no answer; the question stays to be asked again."""
        self._article.classes(remove="writing", add="failed")
        self._answer.set_content(error_html(told))
        self._tools.set_content(retry_html(self._say))


class Writing:
    """One answer that is drawn on the chat page while it is written.

    `text` is what there is of the answer, also after it broke off; `is_by_ai` once a model wrote some of it.
    """

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


def describe_error(error: Exception, say: PageTexts) -> str:
    """One sentence for an error; what only programs understand becomes a general one. Why an assistant is off is told
    in the words of whoever switched it off."""
    if isinstance(error, SwitchedOff):
        return error.told or say("error_assistant_off")
    if isinstance(error, DayUsedUp):
        return say(f"error_day_{error.why}")
    return say(error_key(error))


def error_key(error: Exception) -> str:
    if isinstance(error, NotYours):
        return "error_gone"
    if isinstance(error, NotFit | FeedbackRefused):
        return "error_note"
    if isinstance(error, GatewayError):
        return "error_not_built" if error.code == "not_built" else _BY_STATUS.get(error.status, "error_other")
    return "error_other"


def error_html(told: str) -> str:
    return f'<p class="error" role="alert">{escape(told)}</p>'


def off_html(switches: CourseSwitches, course_id: str | None, say: PageTexts) -> str:
    """That the assistant of the course is switched off, before somebody asks; empty while it is on."""
    if course_id is None or switches.state(course_id) != "assistant_off":
        return ""
    return f'<p class="warn" role="status">{escape(switches.message(course_id) or say("error_assistant_off"))}</p>'


def opener_html(say: PageTexts) -> str:
    """Opens the earlier sessions where there is no room to have them beside the conversation."""
    told = escape(say("show_history"))
    return (
        f'<button type="button" class="tool" id="show-side" data-side aria-label="{told}" title="{told}">'
        f"{icon('history')}</button>"
    )


def tell(client: Client, function: str, *values: object) -> None:
    """Call a function of `static/chat.js` in the browser."""
    arguments = ", ".join(json.dumps(value) for value in values)
    client.run_javascript(f"coteachChat.{function}({arguments})")
