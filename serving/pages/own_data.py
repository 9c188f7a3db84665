"""`/me`: what is kept of the visitor, saved as a file, deleted by their own click. Plain HTML that needs no script."""

from collections.abc import Mapping
from html import escape

from nicegui import ui

from serving.pages.frame import PATIENCE_SECONDS, frame
from serving.pages.parts import add_styles, heading, text
from serving.pages.visits import StudentVisit
from serving.pages.words import PageTexts, words
from serving.pages.working import look_up
from serving.store.privacy import own_counts, stays_of

SHOWN = ("sessions", "turns", "feedback", "ta_questions")
"""Tables that are told of; what hangs on them goes with them."""


@ui.page("/me", response_timeout=PATIENCE_SECONDS)
async def own_data_page(visit: StudentVisit, done: str = "") -> None:
    say, caller = words("own_data", visit.lang), visit.caller
    counts = await look_up(visit, lambda db: own_counts(db, caller.person_id))
    stays = await look_up(visit, lambda db: stays_of(db, caller.person_id))
    with frame(visit, say("title"), wide=False):
        add_styles()
        heading(say("title"), 1)
        if done:
            text(say("done"), "note", tag="p").props("role=status")
        text(say("lead" if caller.role == "student" else "lead_staff"), "muted", tag="p")
        ui.html(
            kept_html(counts, say) + save_html(say) + delete_html(stays, say, has_key=bool(counts.get("api_keys"))),
            sanitize=False,
        )


def kept_html(counts: Mapping[str, int], say: PageTexts) -> str:
    rows = "".join(f"<li>{escape(say(one))}: <b>{counts[one]:,}</b></li>" for one in SHOWN if counts.get(one))
    told = f'<ul class="plain-list">{rows}</ul>' if rows else f'<p class="muted">{escape(say("nothing"))}</p>'
    return f'<section class="card files-form"><h2>{escape(say("kept"))}</h2>{told}</section>'


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
