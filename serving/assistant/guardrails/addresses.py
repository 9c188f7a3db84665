"""Web addresses in running text and in Markdown links: where one starts and ends, and how no client makes it a link."""

import re

_STARTS = ("https://", "http://", "ftp://", "www.")
_SCHEMES = re.compile(r"(?:(?:https?|ftp)://|www\.)++", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s<>\"'`|\\^{}\[\]\x80-\U0010ffff]+")
_FOUND = re.compile(rf"(?i:https?|ftp)://{_ADDRESS.pattern}")
_STOPS = ".,;:!?*_~"
_LONGEST = 2000
"""Characters of an address that are looked at. A choice: browsers open little longer ones."""

_GAP = r"[ \t]*+(?:\n[ \t]*+)?+"
_TITLE = r"(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\))"
TARGET = re.compile(
    rf"\({_GAP}(?:<([^<>\n]*+)>|([^\s()<>]*+(?:\([^\s()<>]*+\)[^\s()<>]*+){{0,20}}+))"
    rf"(?>[ \t\n]{_GAP}{_TITLE})?+{_GAP}\)"
)
DEFINED = re.compile(rf":{_GAP}(\S*+)")
"""What follows `]`: the target of a link, with its title, or of a link that is defined here and used elsewhere. Nothing
in them is tried twice."""

HOST_REST = re.compile(r"(?:\.[A-Za-z0-9-]{1,63}+){1,12}+")
_HOST = re.compile(r"(?<![A-Za-z0-9.-])[A-Za-z0-9-]{1,63}+(?:\.[A-Za-z0-9-]{1,63}+){1,12}+")
_OPENS = re.compile(r"[/?#]|:\d")
_COMMON = frozenset(
    "com net org edu gov mil int info biz name pro app dev xyz top site online shop club store tech live link click "
    "cn uk de fr jp ru br in it nl au ca es eu us ch se no at be dk kr tw hk sg nz ie fi io co me tv to ly".split()
)
"""Ends of names that many clients make a link although nothing says that it is one. A choice: those of files stay."""

_LIKE_AN_ADDRESS = re.compile(r"[:/\\&%.#?<]")


def web_addresses(text: str) -> tuple[str, ...]:
    """The addresses that a text names, each once, in order: those of a stored answer, which its author put there."""
    return tuple(dict.fromkeys(_without_stops(found.group()) for found in _FOUND.finditer(text)))


def hosts_in(text: str) -> frozenset[str]:
    """The names of hosts that stand in a text, those behind an `@` too, in small letters."""
    return frozenset(found.group().lower() for found in _HOST.finditer(text))


def is_host(before: str, rest: str, after: str) -> bool:
    """Whether clients may open the two on a click: `evil.com`, `a@evil.com`, `evil.example/x`, but not `main.py`."""
    labels = rest.lower().strip(".").split(".")
    last = labels[-1]
    if not (before[-1:].isalnum() and last.isascii() and last.isalpha() and len(last) > 1):
        return False
    return last in _COMMON or "@" in before or _OPENS.match(after) is not None


def is_like_an_address(target: str) -> bool:
    """Whether a link to it could leave the page, or run something: all but words, as in `a[i](x)`."""
    return _LIKE_AN_ADDRESS.search(target) is not None


def may_start(text: str) -> bool:
    """Whether more text could make this the start of an address: `htt`."""
    return any(start.startswith(text.lower()) for start in _STARTS)


def address_at_start(text: str, *, whole: bool) -> str | None:
    """The address that the text starts with, without the full stop of its sentence; empty when there is none.

    `None` when it may go on: `whole` says that nothing comes after. What is longer than any address is cut.
    """
    if not text[:8].lower().startswith(_STARTS):
        return ""
    found = _ADDRESS.match(text, 0, _LONGEST)
    if found is None or (found.end() == len(text) and not whole and len(text) < _LONGEST):
        return None if found else ""
    address = _without_stops(found.group())
    return address if address.lower().startswith(_STARTS) else ""


def scheme_end(address: str) -> int:
    """Where an address goes on after its schemes: 12 of `https://www.example.org`."""
    found = _SCHEMES.match(address)
    return found.end() if found else 0


def _without_stops(address: str) -> str:
    bare = address.rstrip(_STOPS)
    unopened = bare.count(")") - bare.count("(")
    while bare.endswith(")") and unopened > 0:
        bare, unopened = bare[:-1].rstrip(_STOPS), unopened - 1
    return bare
