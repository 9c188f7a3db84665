"""The language and the colours a visitor wants: two cookies that the page's own script sets, else what the browser
asks for. Pure.

Nothing about them is kept on the server, so no storage of NiceGUI's is used and no secret is needed.
"""

from collections.abc import Mapping
from typing import Literal, cast, get_args

from knowledge_graph.lake.records import LANGS, Lang

Theme = Literal["auto", "light", "dark"]

LANG_COOKIE = "coteach_lang"
THEME_COOKIE = "coteach_theme"

HTML_LANG: Mapping[Lang, str] = {"en": "en", "zh": "zh-Hans"}


def choose_lang(cookies: Mapping[str, str], accept_language: str) -> Lang:
    """The language chosen before, else the first of `Accept-Language` that there is, else English."""
    if (chosen := cookies.get(LANG_COOKIE)) in LANGS:
        return chosen
    return next((lang for lang in _rank_langs(accept_language) if lang in LANGS), "en")


def choose_theme(cookies: Mapping[str, str]) -> Theme:
    chosen = cookies.get(THEME_COOKIE, "auto")
    return cast(Theme, chosen) if chosen in get_args(Theme) else "auto"


def _rank_langs(accept_language: str) -> list[Lang]:
    """Primary subtags by falling weight (RFC 9110, 12.5.4): `zh-CN,en;q=0.8` is zh, en."""
    weighed: list[tuple[float, str]] = []
    for part in accept_language.split(","):
        tag, _, parameters = part.partition(";")
        weighed.append((_weight(parameters), tag.strip().lower().split("-")[0]))
    by_weight = sorted(weighed, key=lambda one: -one[0])
    return [cast(Lang, tag) for weight, tag in by_weight if weight > 0]


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0
