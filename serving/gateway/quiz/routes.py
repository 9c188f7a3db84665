"""`/v1/courses/{course_id}/quiz`: quiz me. `/quiz/{course_id}`: the same as a page, which the chat opens beside itself.

One question at a time, from the course alone (`items.py`); what was right, why, and where the course says so after the
answer. Answers are remembered for whoever wants that, and for nobody else.
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.sources.folders import find_courses
from serving.evaluation.choice_questions import KnownQuestion, QuestionsUnusable, read_known_questions
from serving.gateway.access import Asking, links_for, no_such_course
from serving.gateway.authoring.uploads import text_of
from serving.gateway.errors import RESPONSES, GatewayError
from serving.gateway.lti.routes import form_of
from serving.gateway.quiz.items import CourseQuiz, QuizItem, course_quiz
from serving.gateway.quiz.known import RememberedConcept, known_by
from serving.gateway.service import Service, Shared
from serving.gateway.spending import SwitchedOff
from serving.pages.plain_page import lang_of, plain_page
from serving.pages.words import PageTexts, words
from serving.store.caller import Caller
from serving.store.quiz_cards import (
    KnownCard,
    cards_of,
    forget_card,
    next_item,
    progress_of,
    remembers,
    review,
    set_memory,
)
from serving.store.tables.base import now

router = APIRouter(tags=["questions"], responses=RESPONSES)

CHOICES = "gold/choices.jsonl"
"""Where a course keeps its own multiple-choice questions."""

MOST_SEEN = 400
"""Items of one sitting that are not asked again. A choice: more than anybody answers at once."""

CourseId = Annotated[str, Path(max_length=200)]
Concept = Annotated[str, Query(max_length=200, description="Only on this concept, by any of its names.")]
Lecture = Annotated[str, Query(max_length=300, description="Only of this lecture, by its video id.")]
Seen = Annotated[str, Query(max_length=17 * MOST_SEEN, description="Ids asked in this sitting, comma separated.")]

FORMS: dict[int | str, dict[str, object]] = {
    200: {"content": {"text/html": {}}},
    303: {"description": "Back to the page."},
    "4XX": {"description": "Refused, with the reason.", "content": {"text/html": {}, "application/json": {}}},
}


class QuizQuestionReply(BaseModel):
    """A question without its answer; `item_id` null where nothing is left to ask, with the reason."""

    course_id: str
    item_id: str | None
    question: str
    options: dict[str, str]
    available: int = Field(description="Questions that there are on what was asked for.")
    is_remembered: bool
    reason: str | None = Field(description="`nothing` for this course, `nothing_about` this, or `over` for now.")


class QuizAnswerRequest(BaseModel):
    """Which option was chosen, by its label."""

    model_config = ConfigDict(extra="forbid")
    item_id: str = Field(max_length=32)
    choice: str = Field(max_length=4)


class QuizAnswerReply(BaseModel):
    """Whether it was right, what is, and where the course says so."""

    is_right: bool
    answer: str
    answer_text: str
    explanation: str
    url: str | None
    due: datetime | None = Field(description="When it is asked again; null of somebody who is not remembered.")


class MemoryRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    is_wanted: bool = Field(description="Whether answers in quizzes are remembered; false forgets all of them.")


class ProgressReply(BaseModel):
    """How one stands in a course."""

    course_id: str
    asked: int
    right: int
    due: int


class KnownConceptReply(BaseModel):
    """A concept that one knows: its definition was asked twice at least, and right the last time."""

    concept_id: str
    name: str
    course_id: str


class MemoryReply(BaseModel):
    """Whether one is remembered, and what is. `known` is left out of study paths."""

    is_wanted: bool
    courses: list[ProgressReply]
    known: list[KnownConceptReply]


@dataclass(frozen=True)
class QuizSitting:
    """What can be asked now: `items` on what was asked for, how the student stands, and which is next."""

    quiz: CourseQuiz
    items: Sequence[QuizItem]
    cards: dict[str, KnownCard]
    is_remembered: bool
    next: QuizItem | None

    @property
    def reason(self) -> str | None:
        """Why there is none."""
        if self.next is not None:
            return None
        return "nothing" if not self.quiz.items else "nothing_about" if not self.items else "over"


@router.get("/v1/courses/{course_id}/quiz")
async def next_question(
    course_id: CourseId,
    request: Request,
    caller: Asking,
    service: Shared,
    concept: Concept = "",
    lecture: Lecture = "",
    seen: Seen = "",
) -> QuizQuestionReply:
    """The next question: what is due again first, then what was never asked."""
    sitting = await sit(request, service, caller, course_id, concept=concept, lecture=lecture, seen=seen.split(","))
    item = sitting.next
    return QuizQuestionReply(
        course_id=course_id,
        item_id=None if item is None else item.item_id,
        question="" if item is None else item.stem,
        options={} if item is None else item.options,
        available=len(sitting.items),
        is_remembered=sitting.is_remembered,
        reason=sitting.reason,
    )


@router.post("/v1/courses/{course_id}/quiz")
async def answer_question(
    course_id: CourseId, body: QuizAnswerRequest, request: Request, caller: Asking, service: Shared
) -> QuizAnswerReply:
    """Answer a question; what is right, why, and where the course says so."""
    quiz = await quiz_of(request, service, caller, course_id)
    item, due = await answer_item(service, caller, quiz, body.item_id, body.choice)
    url = None if item.url is None else _sign(item.url, request, caller)
    is_right = body.choice == item.answer
    said = (item.answer, item.options[item.answer], item.explanation)
    return QuizAnswerReply(
        is_right=is_right, answer=said[0], answer_text=said[1], explanation=said[2], url=url, due=due
    )


@router.get("/v1/me/memory")
async def show_memory(caller: Asking, service: Shared) -> MemoryReply:
    """Whether the caller's answers in quizzes are remembered, and how they stand."""
    return await memory_of(service, caller)


@router.put("/v1/me/memory")
async def choose_memory(body: MemoryRequest, caller: Asking, service: Shared) -> MemoryReply:
    """Have answers in quizzes remembered, or all of them forgotten."""
    await remember(service, caller, is_wanted=body.is_wanted)
    return await memory_of(service, caller)


@router.post("/me/forget", response_class=HTMLResponse, responses=FORMS)
async def forget_by_form(caller: Asking, service: Shared) -> Response:
    """What the page `/me` sends to have everything forgotten that was remembered."""
    await remember(service, caller, is_wanted=False)
    return RedirectResponse("/me", status_code=303)


@router.post("/me/forget-concept", response_class=HTMLResponse, responses=FORMS, openapi_extra=form_of("item"))
async def forget_concept_by_form(request: Request, caller: Asking, service: Shared) -> Response:
    """What the page `/me` sends to have it forgotten that one knows a concept."""
    item_id = text_of(await request.form(), "item")
    await service.store.writing(lambda db: forget_card(db, caller.person_id, item_id))
    return RedirectResponse("/me", status_code=303)


@router.post(
    "/quiz/{course_id}/memory",
    response_class=HTMLResponse,
    responses=FORMS,
    openapi_extra=form_of("wanted", "concept", "lecture"),
)
async def memory_by_form(course_id: CourseId, request: Request, caller: Asking, service: Shared) -> Response:
    """What the quiz's page sends to be remembered or forgotten."""
    form = await request.form()
    await remember(service, caller, is_wanted=text_of(form, "wanted") == "1")
    query = {name: told for name in ("concept", "lecture") if (told := text_of(form, name)[:300])}
    return RedirectResponse(_address(course_id) + (f"?{urlencode(query)}" if query else ""), status_code=303)


@router.get("/quiz/{course_id}", response_class=HTMLResponse, responses=FORMS)
async def show_quiz(
    course_id: CourseId,
    request: Request,
    caller: Asking,
    service: Shared,
    concept: Concept = "",
    lecture: Lecture = "",
    seen: Seen = "",
) -> Response:
    """The next question as a page."""
    say, asked = words("quiz", lang_of(request)), _ids(seen)
    try:
        sitting = await sit(request, service, caller, course_id, concept=concept, lecture=lecture, seen=asked)
    except GatewayError as error:
        told = say("unknown_concept", name=concept) if error.code == "no_such_concept" else error.message
        body = f'<p class="warn" role="alert">{escape(told)}</p>' + _choice_form(course_id, "", say)
        return _page(request, say, body, status=error.status)
    hidden = _render_hidden_fields({"concept": concept, "lecture": lecture, "seen": ",".join(asked)})
    about = _head(sitting, concept, lecture, course_id, say)
    if sitting.next is None:
        again = f'<p><a href="{_address(course_id)}">{escape(say("again"))}</a></p>' if sitting.quiz.items else ""
        told = f'<p class="note" role="status">{escape(say(sitting.reason or "over"))}</p>'
        return _page(request, say, about + told + again + _memory_form(sitting, course_id, concept, lecture, say))
    question = _question_form(sitting.next, course_id, hidden, say)
    return _page(request, say, about + question + _memory_form(sitting, course_id, concept, lecture, say))


@router.post(
    "/quiz/{course_id}",
    response_class=HTMLResponse,
    responses=FORMS,
    openapi_extra=form_of("item", "choice", "concept", "lecture", "seen"),
)
async def answer_quiz(course_id: CourseId, request: Request, caller: Asking, service: Shared) -> Response:
    """What the quiz's page sends: a choice. It shows what is right, and the way to the next question."""
    form, say = await request.form(), words("quiz", lang_of(request))
    choice, item_id = text_of(form, "choice"), text_of(form, "item")
    quiz = await quiz_of(request, service, caller, course_id)
    item, due = await answer_item(service, caller, quiz, item_id, choice)
    seen = _ids(f"{item.item_id},{text_of(form, 'seen')}")
    query = {name: told for name in ("concept", "lecture") if (told := text_of(form, name)[:300])}
    onward = f"{_address(course_id)}?{urlencode(query | {'seen': ','.join(seen)})}"
    return _page(request, say, _solution_html(item, choice, due, onward, request, caller, say))


async def sit(
    request: Request,
    service: Service,
    caller: Caller,
    course_id: str,
    *,
    concept: str = "",
    lecture: str = "",
    seen: Collection[str] = (),
) -> QuizSitting:
    """What can be asked now. Raises `GatewayError` 404 for a course that is not there, and for a concept it has not."""
    quiz = await quiz_of(request, service, caller, course_id)
    concept_id = None
    if concept.strip():
        graph = (await service.knowledge()).visible_to(caller.courses, course_id).graph
        concept_id = graph.find(concept.strip(), graph.course(course_id).lang)
        if concept_id is None:
            named = f"The course '{course_id}' has no concept '{concept[:200]}'."
            raise GatewayError(named, status=404, code="no_such_concept", param="concept")
    items = quiz.about(concept_id=concept_id, video_id=lecture.strip() or None)
    cards, wants = await service.store.reading(
        lambda db: (cards_of(db, caller.person_id, course_id), remembers(db, caller.person_id))
    )
    chosen = next_item([one.item_id for one in items], cards, seen=set(seen), at=now())
    return QuizSitting(quiz, items, cards, wants, None if chosen is None else quiz.by_id[chosen])


async def quiz_of(request: Request, service: Service, caller: Caller, course_id: str) -> CourseQuiz:
    """The items of a course; made once for what is built now. Raises `GatewayError` 404, `SwitchedOff`."""
    knowledge = await service.knowledge()
    if course_id not in knowledge.course_ids or not caller.may_see(course_id):
        raise no_such_course(course_id)
    if service.switches.state(course_id) == "assistant_off":
        raise SwitchedOff(service.switches.message(course_id))
    graph, rules = knowledge.visible_to(caller.courses, course_id).graph, knowledge.rules_for(caller.courses)
    made: dict[tuple[int, str], tuple[ConceptGraph, CourseQuiz]] = _quizzes(request)
    key = (id(graph), course_id)
    if rules.holds_now or key not in made or made[key][0] is not graph:
        known = await asyncio.to_thread(known_questions, service, course_id)
        quiz = await asyncio.to_thread(
            course_quiz, graph, course_id, known, is_protected=lambda text: rules.ruling_over(text) is not None
        )
        if rules.holds_now:
            return quiz
        if len(made) >= MOST_KEPT:
            made.pop(next(iter(made)))
        made[key] = (graph, quiz)
    return made[key][1]


MOST_KEPT = 64
"""Quizzes that are kept ready, of courses and of those who see some of them. A choice."""


def _quizzes(request: Request) -> dict[tuple[int, str], tuple[ConceptGraph, CourseQuiz]]:
    state: Any = request.app.state
    if not hasattr(state, "quizzes"):
        state.quizzes = {}
    found: dict[tuple[int, str], tuple[ConceptGraph, CourseQuiz]] = state.quizzes
    return found


def known_questions(service: Service, course_id: str) -> tuple[KnownQuestion, ...]:
    """The course's own multiple-choice questions; none where its folder is not here, or has no such file."""
    settings = service.settings
    folders = find_courses(settings.courses_folder, is_single=settings.single_course)
    folder = next((one for one in folders if one.course_id == course_id), None)
    if folder is None or not (folder.path / CHOICES).is_file():
        return ()
    try:
        return read_known_questions(folder.path / CHOICES).questions
    except QuestionsUnusable:
        return ()


async def answer_item(
    service: Service, caller: Caller, quiz: CourseQuiz, item_id: str, choice: str
) -> tuple[QuizItem, datetime | None]:
    """The item that was answered, and when it is due again. Raises `GatewayError` 404 and 400."""
    item = quiz.by_id.get(item_id)
    if item is None:
        raise GatewayError("There is no such question in this quiz; it may have changed. Take the next.", status=404)
    if choice not in item.options:
        raise GatewayError(f"Choose one of {', '.join(item.options)}.", param="choice")
    course_id, is_right = quiz.course_id, choice == item.answer
    due = await service.store.writing(
        lambda db: review(db, caller.person_id, course_id, item.item_id, is_right=is_right)
    )
    return item, due


async def remember(service: Service, caller: Caller, *, is_wanted: bool) -> None:
    """Raises `GatewayError` 400 for a caller who could not be recognised again."""
    if caller.is_new and is_wanted:
        raise GatewayError("Ask a question first: then there is somebody to be remembered.")
    await service.store.writing(lambda db: set_memory(db, caller.person_id, is_wanted=is_wanted))


async def memory_of(service: Service, caller: Caller) -> MemoryReply:
    """What is remembered of a person."""
    person_id, at = caller.person_id, now()
    wants, courses = await service.store.reading(
        lambda db: (remembers(db, person_id), progress_of(db, person_id, at=at))
    )
    known = await find_known_concepts(service, caller) if courses else []
    return MemoryReply(
        is_wanted=wants,
        courses=[ProgressReply.model_validate(one, from_attributes=True) for one in courses],
        known=[KnownConceptReply.model_validate(one, from_attributes=True) for one in known],
    )


async def find_known_concepts(service: Service, caller: Caller) -> list[RememberedConcept]:
    """The concepts of the caller's courses that they are remembered to know, by name."""
    graph = (await service.knowledge()).visible_to(caller.courses, None).graph
    return sorted(await known_by(service.store, caller, graph), key=lambda one: one.name.casefold())


def _sign(path: str, request: Request, caller: Caller) -> str:
    """An address as its reader opens it."""
    links = links_for(request, caller)
    added = links.query_for(path.partition("?")[0]) if links.query_for is not None else ""
    return path + (f"{'&' if '?' in path else '?'}{added}" if added else "")


def _ids(seen: str) -> list[str]:
    """The ids of a sitting, each once, the newest first."""
    return list(dict.fromkeys(one for one in seen.split(",") if one.isalnum()))[:MOST_SEEN]


def _address(course_id: str) -> str:
    return f"/quiz/{quote(course_id, safe='')}"


def _render_hidden_fields(values: dict[str, str]) -> str:
    return "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in values.items() if value
    )


def _head(sitting: QuizSitting, concept: str, lecture: str, course_id: str, say: PageTexts) -> str:
    """How the student stands, and on what they are asked."""
    asked = [sitting.cards[one.item_id] for one in sitting.items if one.item_id in sitting.cards]
    at = now()
    told = say("progress_new", n=len(sitting.items))
    if asked:
        right, due = sum(one.was_right for one in asked), sum(one.due <= at for one in asked)
        told = say("progress", asked=len(asked), n=len(sitting.items), right=right, due=due)
    about = say("about_concept", name=concept) if concept else say("about_lecture", name=lecture) if lecture else ""
    shown = f'<p class="small">{escape(about)} · <a href="{_address(course_id)}">{escape(say("whole_course"))}</a></p>'
    return f'<p class="small">{escape(told)}</p>' + (shown if about else "") + _choice_form(course_id, concept, say)


def _choice_form(course_id: str, concept: str, say: PageTexts) -> str:
    return (
        f'<form method="get" action="{_address(course_id)}" class="quiz-about"><label for="concept">'
        f'{escape(say("about"))}</label><span><input class="field" id="concept" name="concept" maxlength="200" '
        f'autocomplete="off" value="{escape(concept)}"><button class="plain">{escape(say("choose"))}</button></span>'
        f"</form>"
    )


def _question_form(item: QuizItem, course_id: str, hidden: str, say: PageTexts) -> str:
    options = "".join(
        f'<label class="quiz-option"><input type="radio" name="choice" value="{escape(label)}" required> '
        f"<span>{escape(text)}</span></label>"
        for label, text in item.options.items()
    )
    stem = "".join(f"<p>{escape(line)}</p>" for line in item.stem.splitlines())
    return (
        f'<form method="post" action="{_address(course_id)}" class="quiz card">{hidden}'
        f'<input type="hidden" name="item" value="{item.item_id}"><div class="quiz-stem">{stem}</div><fieldset>'
        f"<legend>{escape(say('options'))}</legend>{options}</fieldset>"
        f'<button class="primary">{escape(say("answer"))}</button></form>'
    )


def _solution_html(
    item: QuizItem, choice: str, due: datetime | None, onward: str, request: Request, caller: Caller, say: PageTexts
) -> str:
    """What is right, why, and where the course says so."""
    right = item.options[item.answer]
    is_right = choice == item.answer
    told = say("right") if is_right else say("wrong", answer=right)
    stem = "".join(f"<p>{escape(line)}</p>" for line in item.stem.splitlines())
    why = f"<p>{escape(item.explanation)}</p>" if item.explanation else ""
    where = ""
    if item.url is not None:
        label = escape(say("where", place=item.place or ""))
        where = f'<p><a href="{escape(_sign(item.url, request, caller))}">{label}</a></p>'
    again = f'<p class="small">{escape(say("due", at=f"{due:%Y-%m-%d %H:%M}"))}</p>' if due is not None else ""
    return (
        f'<section class="quiz card"><div class="quiz-stem">{stem}<p><b>{escape(right)}</b></p></div>'
        f'<p class="{"note" if is_right else "warn"}" role="status">{escape(told)}</p>{why}{where}{again}'
        f'<p><a class="next" href="{escape(onward)}">{escape(say("next"))}</a></p></section>'
    )


def _memory_form(sitting: QuizSitting, course_id: str, concept: str, lecture: str, say: PageTexts) -> str:
    wanted, button = ("0", "forget") if sitting.is_remembered else ("1", "remember")
    state = "memory_on" if sitting.is_remembered else "memory_off"
    hidden = _render_hidden_fields({"wanted": wanted, "concept": concept, "lecture": lecture})
    return (
        f'<form method="post" action="{_address(course_id)}/memory" class="quiz-memory">{hidden}'
        f'<p class="small">{escape(say(state))} <button class="plain">{escape(say(button))}</button></p>'
        f'<p class="small">{escape(say("made_of"))}</p></form>'
    )


def _page(request: Request, say: PageTexts, body: str, *, status: int = 200) -> Response:
    return plain_page(request, say("title"), f"<h1>{escape(say('title'))}</h1>{body}", status=status)
