"""A page without a script of NiceGUI's: what is shown in a panel, or in the place of a page that cannot be built."""

from html import escape

from fastapi import Request
from fastapi.responses import HTMLResponse

from knowledge_graph.lake.records import Lang
from serving.pages.frame import static_url
from serving.pages.preferences import HTML_LANG, choose_lang, choose_theme

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'",
    "X-Frame-Options": "SAMEORIGIN",
    "Cache-Control": "no-store",
}
"""No script and style but the files of this host; in frames of our own pages alone."""


def lang_of(request: Request) -> Lang:
    return choose_lang(request.cookies, request.headers.get("accept-language", ""))


def plain_page(request: Request, title: str, body: str, *, status: int = 200) -> HTMLResponse:
    """`body` is markup of our own with everything else escaped."""
    lang, theme = lang_of(request), choose_theme(request.cookies)
    return HTMLResponse(
        f'<!doctype html><html lang="{HTML_LANG[lang]}" data-theme="{theme}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f'<link rel="icon" href="{static_url("icon.svg")}"><link rel="stylesheet" href="{static_url("style.css")}">'
        f'<script src="{static_url("frame.js")}" data-lang="{HTML_LANG[lang]}" data-theme="{theme}"></script></head>'
        f'<body><main id="main" class="main">{body}</main></body></html>',
        status_code=status,
        headers=HEADERS,
    )
