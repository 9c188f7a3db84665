"""Addresses of a catalogue's pages: which are one page, which lie below a start link, which are worth asking for."""

import re
from urllib.parse import quote, unquote, urlsplit, urlunsplit

_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$", re.IGNORECASE)
_PAGE_SUFFIX = re.compile(r"\.(?:html?|php|aspx?)$", re.IGNORECASE)
_OTHER_SUFFIX = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|csv|zip|gz|jpe?g|png|gif|svg|webp|ico|mp[34]|mov|css|js|json|xml|rss|ics|txt)$",
    re.IGNORECASE,
)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LONGEST = 2_000
"""Characters. Longer addresses are made by pages that link to themselves with one parameter more each time."""


def page_address(url: str) -> str:
    """The one address of a page: no fragment, no `index.html`, no default port. Raises `ValueError`."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    return urlunsplit((parts.scheme, host + port, _INDEX.sub("/", parts.path) or "/", parts.query, ""))


def address_of_saved(path: str) -> str:
    """An address for a saved page, by its path in the catalogue's folder; relative links between such pages hold."""
    return page_address(f"file:///{quote(path)}")


def is_within(url: str, starts: tuple[str, ...]) -> bool:
    """Whether a page is on the host, and in or below the folder, of one of the start links, by http or https."""
    try:
        parts, own = urlsplit(page_address(url)), [urlsplit(page_address(start)) for start in starts]
    except ValueError:
        return False
    return any(parts.netloc == start.netloc and f"{parts.path}/".startswith(_folder(start.path)) for start in own)


def may_be_page(url: str) -> bool:
    """Whether an address can be asked for and does not name a file of another kind than a page."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and len(url) <= _LONGEST and not _OTHER_SUFFIX.search(parts.path)


def place_of(address: str) -> str:
    """What names a page on its site and in a folder of saved pages alike: `programs/biology`, `show?id=7`."""
    parts = urlsplit(address)
    path = _PAGE_SUFFIX.sub("", unquote(parts.path)).strip("/")
    return f"{path}?{parts.query}" if parts.query else path


def _folder(path: str) -> str:
    """The folder of a page; a path such as /programs is one itself, because its server would add the slash."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/" if "." in name or not name else f"{path}/"
