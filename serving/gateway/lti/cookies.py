"""Cookies of a gateway whose pages an LMS shows in a frame, where a browser keeps none that is not made for that.

In a frame: `SameSite=None; Secure; Partitioned`, so that it is kept for coteach inside this LMS and for nothing else
(CHIPS). In a window of its own a login's cookie is `Lax`, as every login's. https://www.w3.org/TR/CHIPS
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.responses import Response

from serving.store.platforms import LOOPBACK

BROWSER_COOKIE = "coteach_lti_browser"
BROWSER_PATH = "/lti/"


def is_framed(headers: Mapping[str, str]) -> bool:
    """Whether a page is loaded into a frame; browsers that do not say so are taken to be in one."""
    return headers.get("sec-fetch-dest", "iframe") != "document"


def can_keep_cookies(address: str) -> bool:
    """Whether a browser keeps secure cookies of this address: by https, or of this machine."""
    parts = urlsplit(address)
    return parts.scheme == "https" or parts.hostname in LOOPBACK


def set_for_launch(response: Response, name: str, value: str, *, seconds: int, path: str, framed: bool) -> None:
    """A cookie that comes back when an LMS's page sends a form to us, from within its frame or beside it.

    Starlette's own way to partition one needs Python 3.14.
    """
    response.set_cookie(name, value, max_age=seconds, path=path, httponly=True, samesite="none", secure=True)
    if framed:
        header, kept = response.raw_headers[-1]
        response.raw_headers[-1] = (header, kept + b"; Partitioned")
