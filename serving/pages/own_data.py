"""`/me`: what is kept of the visitor, saved as a file, deleted by their own click. Plain HTML that needs no script."""

from collections.abc import Mapping, Sequence
from html import escape

from nicegui import ui

from knowledge_graph.text.time_code import time_code
from serving.gateway.quiz.known import RememberedConcept
from serving.gateway.quiz.routes import find_known_concepts
from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.parts import add_styles, heading, text
from serving.pages.visits import StudentVisit
from serving.pages.words import PageTexts, words
from serving.pages.working import look_up
from serving.store.lecture_progress import WatchedLecture, list_watched
from serving.store.notices import EVENTS, Channel, Event
from serving.store.privacy import own_counts, stays_of
from serving.store.quiz_cards import CourseProgress, progress_of
from serving.store.tables.base import now
from serving.store.tables.notification import Subscription

SHOWN = ("sessions", "turns", "feedback", "ta_questions", "quiz_cards", "lecture_progress")
"""Tables that are told of; what hangs on them goes with them."""

SHOWN_LECTURES = 20
"""Lectures that are listed, those seen last; all are in the file. A choice."""


@ui.page("/me", response_timeout=PATIENCE_SECONDS)
async def own_data_page(visit: StudentVisit, done: str = "", kept: str = "") -> None:
    say, caller = words("own_data", visit.lang), visit.caller
    counts = await look_up(visit, lambda db: own_counts(db, caller.person_id))
    stays = await look_up(visit, lambda db: stays_of(db, caller.person_id))
    progress = await look_up(visit, lambda db: progress_of(db, caller.person_id, at=now()))
    known = await find_known_concepts(visit.service, caller) if progress else []
    watched = await look_up(visit, lambda db: list_watched(db, caller.person_id))
    wish = await look_up(visit, lambda db: db.get(Subscription, caller.person_id))
    ways = visit.service.notifier.channels
    with frame(visit, say("title"), wide=False):
        add_styles()
        heading(say("title"), 1)
        if done:
            text(say("done"), "note", tag="p").props("role=status")
        if kept:
            text(say("kept_wish"), "note", tag="p").props("role=status")
        text(say("lead" if caller.role == "student" else "lead_staff"), "muted", tag="p")
        titles = visit.service.course_titles
        markup = data_html(counts, say) + memory_html(progress, known, titles, say) + places_html(watched, titles, say)
        labels: dict[Event, str] = {one: say(f"event_{one}") for one in EVENTS if one != "digest"}
        if caller.is_at_least("ta"):
            labels["digest"] = say(f"event_digest_{visit.service.settings.digest_every}")
        markup += notices_html(wish, labels, ways, say) + save_html(say)
        ui.html(markup + delete_html(stays, say, has_key=bool(counts.get("api_keys"))), sanitize=False)


def data_html(counts: Mapping[str, int], say: PageTexts) -> str:
    rows = "".join(f"<li>{escape(say(one))}: <b>{counts[one]:,}</b></li>" for one in SHOWN if counts.get(one))
    told = f'<ul class="plain-list">{rows}</ul>' if rows else f'<p class="muted">{escape(say("nothing"))}</p>'
    return f'<section class="card files-form"><h2>{escape(say("kept"))}</h2>{told}</section>'


def memory_html(
    progress: Sequence[CourseProgress],
    known: Sequence[RememberedConcept],
    titles: Mapping[str, str],
    say: PageTexts,
) -> str:
    """What is remembered of quizzes, with the way to forget it, or one known concept; empty where nothing is."""
    if not progress:
        return ""
    rows = "".join(
        f"<li>{escape(titles.get(one.course_id, one.course_id))}: "
        f"{escape(say('remembered', asked=one.asked, right=one.right, due=one.due))}</li>"
        for one in progress
    )
    return (
        f'<section class="card files-form"><h2>{escape(say("memory"))}</h2><ul class="plain-list">{rows}</ul>'
        f"{_known(known, say)}"
        f'<form method="post" action="/me/forget"><button class="press danger">{escape(say("forget_memory"))}</button>'
        f"</form></section>"
    )


def _known(known: Sequence[RememberedConcept], say: PageTexts) -> str:
    """The concepts that one is taken to know, each with a button that forgets it."""
    if not known:
        return ""
    rows = "".join(
        f'<li><form method="post" action="/me/forget-concept"><input type="hidden" name="item" value="{one.item_id}">'
        f'{escape(one.name)} <button class="plain" aria-label="{escape(say("forget_one", name=one.name))}">'
        f"{escape(say('forget_short'))}</button></form></li>"
        for one in known
    )
    return f'<h3>{escape(say("known"))}</h3><p>{escape(say("known_lead"))}</p><ul class="plain-list">{rows}</ul>'


def places_html(watched: Sequence[WatchedLecture], titles: Mapping[str, str], say: PageTexts) -> str:
    """Where one was in lectures, as players told, with the way to forget it; empty where none did."""
    if not watched:
        return ""
    rows = "".join(f"<li>{escape(_place(one, titles, say))}</li>" for one in watched[:SHOWN_LECTURES])
    return (
        f'<section class="card files-form"><h2>{escape(say("places"))}</h2><p>{escape(say("places_lead"))}</p>'
        f'<ul class="plain-list">{rows}</ul><form method="post" action="/me/forget-places">'
        f'<button class="press danger">{escape(say("forget_places"))}</button></form></section>'
    )


def _place(one: WatchedLecture, titles: Mapping[str, str], say: PageTexts) -> str:
    at, furthest = time_code(one.at_ms), time_code(one.furthest_ms)
    return f"{titles.get(one.course_id, one.course_id)}: {say('place', lecture=one.video_id, at=at, furthest=furthest)}"


def notices_html(
    wish: Subscription | None, events: Mapping[Event, str], ways: Sequence[Channel], say: PageTexts
) -> str:
    """What one wants to be told, and how; empty where nobody can be told anything. `events` are in words."""
    if not ways:
        return ""
    chosen = [] if wish is None else wish.events
    boxes = "".join(
        f'<label class="check"><input type="checkbox" name="events" value="{one}"'
        f"{' checked' if one in chosen else ''}> <span>{escape(told)}</span></label>"
        for one, told in events.items()
    )
    fields = ""
    if "email" in ways:
        email = "" if wish is None else wish.email
        state = "" if wish is None or not email else say("is_confirmed" if wish.confirmed_at else "not_confirmed_yet")
        fields += (
            f'<label for="email">{escape(say("email"))}</label><input class="field" id="email" name="email" '
            f'type="email" maxlength="254" autocomplete="email" value="{escape(email)}" aria-describedby="email-hint">'
            f'<p class="small" id="email-hint">{escape(state or say("email_hint"))}</p>'
        )
    if "webhook" in ways:
        checked = " checked" if wish is not None and wish.by_webhook else ""
        fields += (
            f'<label class="check"><input type="checkbox" name="by_webhook" value="1"{checked}> '
            f"<span>{escape(say('by_webhook'))}</span></label>"
        )
    return (
        f'<section class="card files-form"><h2>{escape(say("notices"))}</h2><p>{escape(say("notices_lead"))}</p>'
        f'<form method="post" action="/me/notifications"><fieldset class="plain"><legend class="sr-only">'
        f"{escape(say('notices'))}</legend>{boxes}</fieldset>{fields}"
        f'<button class="press primary">{escape(say("keep_wish"))}</button></form></section>'
    )


def save_html(say: PageTexts) -> str:
    return (
        f'<section class="card files-form"><h2>{escape(say("save"))}</h2><p>{escape(say("save_lead"))}</p>'
        f'<p><a class="press plain" href="/v1/me/data" download="my-data.json">{escape(say("save"))}</a></p></section>'
    )


def delete_html(stays: Mapping[str, int], say: PageTexts, *, has_key: bool) -> str:
    answers = stays.get("approved_answers", 0)
    more = f'<p class="small">{escape(say("stays_answers", n=answers))}</p>' if answers else ""
    more += f'<p class="warn">{escape(say("shared_key"))}</p>' if has_key else ""
    return (
        f'<section class="card files-form"><h2>{escape(say("delete"))}</h2><p>{escape(say("delete_lead"))}</p>'
        f'<p class="small">{escape(say("stays"))}</p>{more}<form method="post" action="/me/delete">'
        f'<label class="check"><input type="checkbox" name="confirm" value="everything" required> '
        f"<span>{escape(say('confirm'))}</span></label>"
        f'<button class="press danger">{escape(say("delete_now"))}</button></form></section>'
    )
