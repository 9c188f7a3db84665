"""`/`: the chat page. Events and what they change; what is drawn is in `chat_view.py` and what it draws with, what is
stored in `chat_acts.py`, what is done with an answer that is there in `chat_answers.py`.

The markup of a turn is made whole by pure functions, and `static/chat.js` sends back what is pressed. So an answer that
is being written costs one element of NiceGUI's, and the text in the input leaves the browser only when it is sent.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import structlog
from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import CourseCard, Mode
from serving.assistant.understanding.focus import Position
from serving.gateway.chat_schemas import LONGEST_QUESTION, extension
from serving.gateway.conversations import ConversationAnswer, Question
from serving.gateway.errors import GatewayError
from serving.gateway.links import Links
from serving.gateway.metrics import metrics_of
from serving.gateway.player import player_origins
from serving.gateway.sources import lectures_of
from serving.pages import chat_acts as acts
from serving.pages.chat_answers import Answers
from serving.pages.chat_beside import Beside
from serving.pages.chat_composer import composer_html, empty_html, map_html, picker_html, quiz_html
from serving.pages.chat_place import last_place, place_html, place_of, players_html, read_place
from serving.pages.chat_side import dialogs_html
from serving.pages.chat_start import Start, choose, mode_of, open_courses, start_of
from serving.pages.chat_turn import ShownTurn, to_shown_turn
from serving.pages.chat_view import (
    TurnView,
    Writing,
    describe_error,
    error_html,
    error_key,
    markup,
    off_html,
    opener_html,
    tell,
)
from serving.pages.frame import PATIENCE_SECONDS, StudentVisit, Visit, frame, static_url
from serving.pages.words import words
from serving.store.tables.base import new_id

log = structlog.get_logger(__name__)

COURSE_COOKIE = "coteach_course"

KEEP_SECONDS = 15.0
"""How often it is written where somebody is in a lecture that plays. A choice: each is a transaction."""


@ui.page("/", response_timeout=PATIENCE_SECONDS)
async def chat_page(
    visit: StudentVisit, session: str = "", course: str = "", lecture: str = "", second: str = ""
) -> None:
    """`session` is one of the visitor's own to go on with; `course` the course to ask, for links from elsewhere, and
    `lecture` and `second` where in it the visitor is."""
    say = words("chat", visit.lang)
    ui.add_head_html(f'<link rel="stylesheet" href="{static_url("chat.css")}">')
    for script in ("chat_player.js", "chat.js") if player_origins(visit.request) else ("chat.js",):
        ui.add_head_html(f'<script type="module" src="{static_url(script)}"></script>')
    with frame(visit, say("title"), active="chat"):
        try:
            chat = await _open(visit, session, course, (lecture, second))
        except CoteachError as error:
            markup(error_html(describe_error(error, say)))
            return
        await chat.build()


async def _open(visit: Visit, session_id: str, course: str, named: tuple[str, str]) -> "Chat":
    """The chat with its session, if it goes on with one. Raises `GatewayError` 503 before anything is built."""
    service, caller = visit.service, visit.caller
    knowledge = await service.knowledge()
    courses, all_at_once = open_courses(knowledge, caller), caller.courses is None
    found: acts.Conversation | None = None
    if session_id:
        found = await service.store.reading(acts.conversation(caller, session_id))
    last = found.session.course_id or "" if found is not None else None
    wanted = [course or None, last, visit.request.cookies.get(COURSE_COOKIE)]
    course_id = None if last == "" and not course else choose(courses, wanted, all_at_once=all_at_once)
    start = await asyncio.to_thread(start_of, course_id, courses, service.data_dir, visit.lang)
    place = await (place_of(visit, course_id, *named) if named[0] else last_place(visit, course_id))
    return Chat(visit, courses, start, found, place, all_at_once=all_at_once)


class Chat:
    """One open chat page."""

    def __init__(
        self,
        visit: Visit,
        courses: Sequence[CourseCard],
        start: Start,
        found: acts.Conversation | None,
        place: Position | None,
        *,
        all_at_once: bool,
    ) -> None:
        self._visit, self._courses, self._start, self._found = visit, courses, start, found
        self._place = place
        self._lectures: tuple[str, dict[str, str]] | None = None
        self._furthest: dict[str, int] = {}
        self._place_kept = ("", 0.0)
        self._all_at_once = all_at_once
        self._say = words("chat", visit.lang)
        self._store, self._conversations = visit.service.store, visit.service.conversations
        self._client = ui.context.client
        self._session_id = found.session.session_id if found is not None else None
        self._mode: Mode | None = mode_of(found.session.mode if found else None, has_catalogue=start.has_catalogue)
        self._turns: dict[str, TurnView] = {}
        self._writing: asyncio.Task[None] | None = None
        self._beside = Beside(visit, self._client, self._turns)
        answers = Answers(visit, self._client, self._turns)
        self._acts: dict[str, Callable[[Mapping[str, Any]], Awaitable[None]]] = {
            "ask": self._on_ask,
            "stop": self._on_stop,
            "course": self._on_course,
            "mode": self._on_mode,
            "position": self._on_position,
            "forget": self._on_forget,
            "thumb": answers.give_thumb,
            "ask-ta": answers.ask_ta,
        }

    async def build(self) -> None:
        say = self._say
        with ui.element("div").classes("chat"):
            self._beside.build_history()
            with ui.element("div").classes("talk"):
                with ui.element("div").classes("talk-top"):
                    markup(opener_html(say))
                    self._picker = markup(classes="picker")
                    self._map = markup()
                    self._quiz = markup()
                self._off = markup()
                self._where = markup()
                self._beside.build_news()
                with ui.element("div").classes("thread").props("id=thread") as self._thread:
                    self._empty = markup()
                markup(composer_html(say), "composer-box")
                markup('<p class="sr-only" id="spoken" aria-live="polite"></p>')
        markup(dialogs_html(say))
        self._players = markup()
        self._draw_start()
        self._show_found()
        await self._beside.draw_history(self._session_id)
        await self._beside.follow_desk()
        ui.on("coteach", self._on_event)
        self._client.on_delete(self._stop)

    def _draw_start(self) -> None:
        picker = picker_html(self._courses, self._start, self._mode, self._say, all_at_once=self._all_at_once)
        self._picker.set_content(picker)
        self._players.set_content(players_html(player_origins(self._visit.request), self._start.course_id))
        self._map.set_content(map_html(self._start, self._say))
        watched = self._here.video_id if self._here is not None else None
        self._quiz.set_content(quiz_html(self._start.course_id, watched, self._say))
        self._off.set_content(off_html(self._visit.service.switches, self._start.course_id, self._say))
        self._where.set_content(place_html(self._here, self._say))
        is_new = not self._turns and self._found is None and self._writing is None
        self._empty.set_content(empty_html(self._start, self._say) if is_new else "")

    @property
    def _here(self) -> Position | None:
        """Where the student is in the course that is asked; a place of another course is none of it."""
        return self._place if self._place is not None and self._place.course_id == self._start.course_id else None

    def _show_found(self) -> None:
        if self._found is None:
            return
        for row in self._found.turns:
            with self._thread:
                view = TurnView(row.question, self._say)
            said = to_shown_turn(row, is_changed=row.trace_id in self._found.changed)
            view.ends(said, self._found.thumbs.get(row.trace_id), self._found.asked.get(row.trace_id))
            self._turns[row.trace_id] = view

    async def _on_event(self, event: GenericEventArguments) -> None:
        """Something was pressed. What is sent is believed in nothing; every act looks whose the answer is."""
        sent = event.args if isinstance(event.args, Mapping) else {}
        act = self._acts.get(str(sent.get("act")))
        if act is None:
            return
        try:
            await act(sent)
        except Exception as error:
            if error_key(error) == "error_other":
                log.exception("page_act_failed", act=str(sent.get("act"))[:40])
            tell(self._client, "failed", str(sent.get("turn") or ""), describe_error(error, self._say))

    async def _on_ask(self, sent: Mapping[str, Any]) -> None:
        question = str(sent.get("text") or "").strip()
        if not question or len(question) > LONGEST_QUESTION or self._is_writing():
            return
        try:
            await self._move(sent.get("at"), is_asking=True)
        except Exception:  # whatever is wrong with the place does not cost the answer
            log.exception("place_not_taken")
        if self._is_writing():  # another was sent meanwhile
            return
        self._empty.set_content("")
        with self._thread:
            view = TurnView(question, self._say)
        self._writing = background_tasks.create(self._answer(question, view), name="answer")

    def _is_writing(self) -> bool:
        return self._writing is not None

    async def _on_stop(self, sent: Mapping[str, Any]) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._writing is not None:
            self._writing.cancel()

    async def _answer(self, question: str, view: TurnView) -> None:
        """Have a question answered and shown as it is written. What goes wrong is said where the answer would be."""
        trace_id, writing, course_id = new_id(), Writing(view), self._start.course_id
        tell(self._client, "begun")
        try:
            async with self._visit.asking(course_id) as caller:
                place, session_id = self._here, self._session_id
                asked = Question(question, course_id, self._mode, place, session_id=session_id, trace_id=trace_id)
                count = metrics_of(self._visit.request).count_parts(course_id)
                self._show_answer(await writing.drawn(self._conversations.ask(caller, asked, count)), question, view)
        except asyncio.CancelledError:
            kept = await self._restore_turn(trace_id)
            view.ends(kept or ShownTurn(trace_id, question, writing.text, "stopped", is_kept=False))
            self._turns[trace_id] = view
        except Exception as error:
            if error_key(error) == "error_other":
                log.exception("page_answer_failed", trace_id=trace_id)
            view.show_failure(describe_error(error, self._say))
            if not writing.text and isinstance(error, GatewayError):
                tell(self._client, "giveBack", question)
            else:
                await self._restore_turn(trace_id)
        finally:
            self._writing = None
            tell(self._client, "done")
            await self._beside.draw_history(self._session_id)

    def _show_answer(self, told: ConversationAnswer, question: str, view: TurnView) -> None:
        """The whole answer is there; stored, unless the store failed."""
        answer, trace_id = told.answer, told.answer.trace.trace_id
        view.ends(
            ShownTurn(trace_id, question, answer.text, "answered", extension(answer, Links()), is_kept=told.is_stored)
        )
        if told.is_stored:
            self._turns[trace_id] = view
            self._go_on_with(told.session_id)

    async def _restore_turn(self, trace_id: str) -> ShownTurn | None:
        """What the store has of a turn that broke off, whose session is gone on with; `None` when it has nothing."""
        await self._conversations.aclose()
        try:
            row = await self._store.reading(acts.read_kept_turn(self._visit.caller, trace_id))
        except CoteachError:
            return None
        self._go_on_with(row.session_id)
        return to_shown_turn(row)

    def _go_on_with(self, session_id: str) -> None:
        if self._session_id != session_id:
            self._session_id = session_id
            tell(self._client, "session", session_id)

    async def _on_course(self, sent: Mapping[str, Any]) -> None:
        wanted = str(sent.get("value") or "") or None
        ids = [one.course_id for one in self._courses]
        if wanted not in ids and not (wanted is None and self._all_at_once):
            return
        visit = self._visit
        await visit.still()
        self._start = await asyncio.to_thread(start_of, wanted, self._courses, visit.service.data_dir, visit.lang)
        self._mode = mode_of(self._mode, has_catalogue=self._start.has_catalogue)
        self._draw_start()

    async def _on_mode(self, sent: Mapping[str, Any]) -> None:
        self._mode = mode_of(sent.get("value"), has_catalogue=self._start.has_catalogue)

    async def _on_position(self, sent: Mapping[str, Any]) -> None:
        await self._move(sent.get("at"))

    async def _move(self, told: object, *, is_asking: bool = False) -> None:
        """Where the player says that the student is now: shown, and kept from time to time and with a question. What is
        no place in the course that is asked is left alone."""
        course_id = self._start.course_id
        if told is None or course_id is None:
            return
        if self._lectures is None or self._lectures[0] != course_id:
            caller = await self._visit.still()
            self._lectures = (course_id, await lectures_of(self._visit.service, caller, course_id))
        place = read_place(told, course_id, self._lectures[1])
        if place is None:
            return
        if place != self._place:
            self._place = place
            self._where.set_content(place_html(place, self._say))
            self._quiz.set_content(quiz_html(course_id, place.video_id, self._say))
        self._furthest[place.video_id] = max(place.at_ms, self._furthest.get(place.video_id, 0))
        at = time.monotonic()
        if not is_asking and self._place_kept[0] == place.video_id and at - self._place_kept[1] < KEEP_SECONDS:
            return
        kept = acts.be_at(self._visit.caller, place, self._furthest[place.video_id])
        if await self._store.writing(kept):
            self._place_kept = (place.video_id, at)

    async def _on_forget(self, sent: Mapping[str, Any]) -> None:
        session_id = str(sent.get("session"))
        await self._conversations.forget(await self._visit.still(), session_id)
        if session_id == self._session_id:
            self._stop()
            ui.navigate.to("/")
            return
        await self._beside.draw_history(self._session_id)
