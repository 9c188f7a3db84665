"""Renders a source page as HTML, with the security headers that belong to it."""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.video_addresses import VideoAddress
from serving.pages.preferences import HTML_LANG, Theme
from serving.pages.words import words

TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class PageReader:
    """The preferred language and colours of who opens the page, and the title of the course they are in."""

    lang: Lang
    theme: Theme
    course: str


def render(template: str, reader: PageReader, **shown: object) -> str:
    """The HTML of a page; the template escapes every text in `shown`."""
    return (
        _templates()
        .get_template(f"{template}.html")
        .render(
            say=words("source", reader.lang),
            reader=reader,
            html_lang=HTML_LANG[reader.lang],
            style=Markup(style()),
            **shown,
        )
    )


def headers(video: VideoAddress | None = None) -> dict[str, str]:
    """Headers that allow no script, only our own style sheet, media from the video's origin alone, and frames of our
    own pages alone.
    """
    media = video.origin if video is not None and video.kind != "page" else "'none'"
    policy = (
        "default-src 'none'",
        f"style-src 'sha256-{_digest()}'",
        f"media-src {media}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    )
    return {"Content-Security-Policy": "; ".join(policy), "X-Frame-Options": "SAMEORIGIN", "Vary": "Accept, Cookie"}


@cache
def style() -> str:
    return (TEMPLATES / "source.css").read_text(encoding="utf-8")


@cache
def _digest() -> str:
    return base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(TEMPLATES)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
