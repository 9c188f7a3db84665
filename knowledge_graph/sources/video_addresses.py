"""Where the videos of a course can be watched: addresses in `course.yaml`, and the one that opens at a second. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

from knowledge_graph.sources.videos import split_suffix

SECONDS = "{seconds}"
VIDEO = "{video}"

Kind = Literal["video", "audio", "page"]

_MEDIA: dict[str, Kind] = {
    ".mp4": "video",
    ".m4v": "video",
    ".webm": "video",
    ".ogv": "video",
    ".mp3": "audio",
    ".m4a": "audio",
    ".ogg": "audio",
}
"""Endings of files that a browser plays by itself."""

_HOST = re.compile(r"[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]")
_BREAKS_OUT = re.compile(r"[\s\"'<>;,\\`]|[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class VideoAddress:
    """A video at a second: a media file that the page plays itself, or a page to open. `origin` is scheme and host."""

    url: str
    kind: Kind
    origin: str


def why_unusable(address: str) -> str | None:
    """What is wrong with an address in `course.yaml`, in words for its author; `None` when it can be used."""
    if _BREAKS_OUT.search(address.replace(SECONDS, "0").replace(VIDEO, "v")):
        return "it holds a space, a quote or another character that no address has"
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return "it is no web address"
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        return "it does not begin with http:// or https://"
    host = parts.netloc if port is None else parts.netloc.rsplit(":", 1)[0]
    return None if _HOST.fullmatch(host) else "its host is no plain name"


def address_at(video_id: str, seconds: int, *, videos: Mapping[str, str], video_url: str | None) -> VideoAddress | None:
    """The address of a video at a second: its own in `videos`, else the course's template; `None` when there is none.

    `videos` may name a video with or without the suffix of its subtitle file.
    """
    known = {split_suffix(name)[0]: address for name, address in videos.items()}
    given = videos.get(video_id) or known.get(split_suffix(video_id)[0]) or video_url
    if given is None or why_unusable(given) is not None:
        return None
    at = max(seconds, 0)
    url = given.replace(VIDEO, quote(video_id, safe="/")).replace(SECONDS, str(at))
    parts = urlsplit(url)
    suffix = re.search(r"\.\w+$", parts.path)
    kind = _MEDIA.get(suffix.group().lower(), "page") if suffix else "page"
    if kind != "page" and not parts.fragment and at:
        url = f"{url}#t={at}"
    return VideoAddress(url, kind, f"{parts.scheme}://{parts.netloc}")
