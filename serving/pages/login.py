"""`/login`: the page on which a key is shown. A plain form: the key goes to `POST /login` and nowhere else."""

from html import escape

from fastapi import Request
from nicegui import ui

from serving.gateway.login import safe_path
from serving.pages.frame import PATIENCE_SECONDS, frame, icon
from serving.pages.preferences import choose_lang, choose_theme
from serving.pages.visits import Visit, as_gateway
from serving.pages.words import PageTexts, words
from serving.store.caller import ROLES, Caller

NOBODY = Caller(person_id="")


@ui.page("/login", response_timeout=PATIENCE_SECONDS)
def login_page(request: Request, next: str = "/", role: str = "", error: str = "") -> None:
    """`next` is where to go on, `role` what the page wanted needs, `error` why the last key did not do."""
    lang = choose_lang(request.cookies, request.headers.get("accept-language", ""))
    visit = Visit(as_gateway(request), NOBODY, lang, choose_theme(request.cookies))
    say = words("login", lang)
    with frame(visit, say("title"), wide=False):
        ui.html(_form(say, safe_path(next), _reason(say, words("frame", lang), next, role, error)), sanitize=False)


def _reason(say: PageTexts, frame_says: PageTexts, wanted: str, role: str, error: str) -> tuple[str, str]:
    """Why this page is shown, and how it is to look: `error`, `note` or nothing."""
    if error:
        return ("too_many" if error == "too_many" else "refused"), "error"
    if role in ROLES:
        return f"needs_role:{frame_says(f'role_{role}')}", "note"
    return ("needs_key", "note") if wanted != "/" else ("", "")


def _form(say: PageTexts, wanted: str, reason: tuple[str, str]) -> str:
    key, look = reason
    name, _, role = key.partition(":")
    told = escape(say(name, role=role) if role else say(name)) if name else ""
    notice = f'<p class="{look}" role="{"alert" if look == "error" else "status"}">{told}</p>' if told else ""
    return (
        f'<section class="card login"><h1>{escape(say("title"))}</h1>{notice}<p>{escape(say("lead"))}</p>'
        f'<form method="post" action="/login"><input type="hidden" name="next" value="{escape(wanted)}">'
        f'<label for="key">{escape(say("key"))}</label><div class="secret"><input id="key" name="key" type="password" '
        f'required maxlength="200" autocomplete="current-password" spellcheck="false" autocapitalize="off" '
        f'placeholder="{escape(say("key_hint"))}" autofocus><button type="button" class="tool" data-show="key" '
        f'aria-label="{escape(say("show_key"))}" title="{escape(say("show_key"))}">{icon("eye")}</button></div>'
        f'<button class="primary">{escape(say("submit"))}</button></form>'
        f'<p class="small">{escape(say("where_from"))}</p></section>'
    )
