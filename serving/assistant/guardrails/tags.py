"""HTML tags in text that is no HTML: what is one, and what only looks like one. Pure.

Lenient as browsers are: whatever follows `<` and a letter counts, well formed or not.
"""

import re

_ELEMENTS = frozenset(
    "a abbr acronym address animate applet area article aside audio b base basefont bdi bdo bgsound big blink "
    "blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog "
    "dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head "
    "header hgroup hr html i iframe image img input ins isindex kbd keygen label layer legend li link listing main "
    "map mark marquee math menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option "
    "output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script search section select "
    "slot small source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot "
    "th thead time title tr track tt u ul var video wbr xml xmp".split()
)
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)([^<>]*)>")
_NO_ELEMENT = re.compile(r"<[?!][^<>]*>")
_TYPE = re.compile(r"<([A-Za-z]\w*)(?:, ?[A-Za-z]\w*)*>", re.ASCII)
_HEADER = re.compile(r"<[A-Za-z]\w*\.\w+>", re.ASCII)


def tag_end(window: str, *, whole: bool) -> int:
    """Where the tag or comment ends that the text starts with: -1 for one that never ends, 0 when more must be seen.

    `whole`: nothing of what may belong to it comes after `window`. A tag that another begins in never ends.
    """
    if window.startswith("<!--"):
        end = window.find("-->", 4)
        if end >= 0 or not whole:
            return end + 3 if end >= 0 else 0
    end, other = window.find(">"), window.find("<", 1)
    if end >= 0 and not 0 <= other < end:
        return end + 1
    return -1 if whole or other >= 0 else 0


def is_type(tag: str) -> bool:
    """Whether it may be a type's parameter, as `<int>` of `List<int>`: nothing a browser knows, and no attributes."""
    found = _TYPE.fullmatch(tag)
    return found is not None and found[1].lower() not in _ELEMENTS


def is_header(tag: str) -> bool:
    """Whether it names a file, as `<stdio.h>`; no HTML element has a dot in its name."""
    return _HEADER.fullmatch(tag) is not None


def is_markup(tag: str) -> bool:
    """Whether nothing is lost without it; `<b and c>` of `a<b and c>d` and `<your name>` are no markup."""
    found = _TAG.fullmatch(tag)
    if found is None:
        return tag.startswith("<!--") or _NO_ELEMENT.fullmatch(tag) is not None
    name, rest = found[1].lower(), found[2]
    return tag.startswith("</") or "=" in rest or (name in _ELEMENTS and (len(name) > 1 or not rest.strip(" /")))
