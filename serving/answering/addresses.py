"""Web addresses in running text and in Markdown links: where one starts and ends, and how no client makes it a link."""

import re

_STARTS = ("https://", "http://", "ftp://", "www.")
_SCHEME = re.compile(r"(?:https?|ftp)://|www\.", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s<>\"'`|\\^{}\[\]\x80-\U0010ffff]+")
_FOUND = re.compile(rf"(?i:https?|ftp)://{_ADDRESS.pattern}")
_STOPS = ".,;:!?*_~"

_GAP = r"[ \t]*\n?[ \t]*"
TARGET = re.compile(
    rf"\({_GAP}(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*))"
    rf"(?:[ \t\n]{_GAP}(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?{_GAP}\)"
)
DEFINED = re.compile(rf":{_GAP}(\S*)")
"""What follows `]`: the target of a link, with its title, or of a link that is defined here and used elsewhere."""

_LIKE_AN_ADDRESS = re.compile(r"[:/\\&%.#?<]")


def web_addresses(text: str) -> tuple[str, ...]:
    """The addresses that a text names, each once, in order: those of a stored answer, which its author put there."""
    return tuple(dict.fromkeys(_without_stops(found.group()) for found in _FOUND.finditer(text)))


def is_like_an_address(target: str) -> bool:
    """Whether a link to it could leave the page, or run something: all but words, as in `a[i](x)`."""
    return _LIKE_AN_ADDRESS.search(target) is not None


def may_start(text: str) -> bool:
    """Whether more text could make this the start of an address: `htt`."""
    return any(start.startswith(text.lower()) for start in _STARTS)


def address_at_start(text: str, *, whole: bool) -> str | None:
    """The address that the text starts with, without the full stop of its sentence; empty when there is none.

    `None` when it may go on: `whole` says that nothing comes after.
    """
    if not text[:8].lower().startswith(_STARTS):
        return ""
    found = _ADDRESS.match(text)
    if found is None or (found.end() == len(text) and not whole):
        return None if found else ""
    address = _without_stops(found.group())
    return address if address.lower().startswith(_STARTS) else ""


def without_scheme(address: str) -> str:
    """`example.org/a` of `https://www.example.org/a`; no scheme is left anywhere in it."""
    while (shorter := _SCHEME.sub("", address)) != address:
        address = shorter
    return address


def _without_stops(address: str) -> str:
    bare = address.rstrip(_STOPS)
    while bare.endswith(")") and bare.count(")") > bare.count("("):
        bare = bare[:-1].rstrip(_STOPS)
    return bare
