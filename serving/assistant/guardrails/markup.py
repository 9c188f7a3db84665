"""Markdown that a model wrote, made safe to render: no images, no HTML, no links but to the references' own addresses.

Belongs here: what a text may *do* when a client shows it. Headings, lists, emphasis, tables, code and formulas stay.
Nothing is rendered: this stands before whatever the client renders with. So where parsers may differ it takes the side
of the one that sees less code: HTML stays only in a code block whose fences begin their lines, or in a code span within
one line; after a fence elsewhere nothing more is taken for code, after a lone backtick nothing up to an empty line.
"""

import re
from collections.abc import Collection
from html import unescape
from typing import NamedTuple

from knowledge_graph.text.invisible import without_invisible
from serving.assistant.guardrails.addresses import (
    DEFINED,
    HOST_REST,
    TARGET,
    address_at_start,
    hosts_in,
    is_host,
    is_like_an_address,
    may_start,
    scheme_end,
)
from serving.assistant.guardrails.tags import is_header, is_markup, is_type, tag_end

MOST_HELD = 1000
"""Characters looked at for the end of a tag, a link or its text; what is longer is broken up by a space. A choice."""

_PLAIN = re.compile(
    r"(?:[^\n`~<\[\]!\\(:.&hHfFwW]|[hHfF](?=[^tT])|[wW](?=[^wW])|(?<=[^wW])\.(?=[^A-Za-z0-9])|(?<=[^oO]):(?=[^/])|(?<=.)\()++",
    re.DOTALL,
)
"""What is shown as it is. What may begin an address, or be joined to what came before, is decided on by itself; within
a run of plain text that is seen from the next or the last character, which spares half of all decisions."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r"(`{3,}+)[^`|\n]*+(?:\n|\Z)|(~{3,}+)[^|\n]*+(?:\n|\Z)")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>")
_LABEL_END = re.compile(r"[\[\]\n<`\\]")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});?")
_MAY_BE_ENTITY = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{0,7}|[A-Za-z][A-Za-z0-9]{0,30})?\Z")
_ESCAPED_NUMBER = re.compile(r"\\\[(?=[\d\s,，、;；–-]{1,24}\\?\])")
_MAY_ESCAPE_NUMBER = re.compile(r"\\\[[\d\s,，、;；–-]{0,24}\\?\Z")
_OPEN_NUMBER = re.compile(r"[\[(][\d\s,，、;；–-]{1,24}\Z")
_BEGUN = re.compile(r"(?:https?|ftp|mailto):?/?\Z|www\Z", re.IGNORECASE)
_BEFORE_DOT = re.compile(r"(?:(?<![A-Za-z0-9.@_+-])[A-Za-z0-9.@_+-]++)?+\Z")
_PIECE = 2000
"""Characters that are worked on at once, so that a long delta costs no more than many short ones."""
_GUARDED = tuple("<]!`~\\")
"""Characters that what follows must not be joined to when something between them was taken out."""


_TAIL = 80
"""Characters kept of what was shown: as many as the longest name of a host's part, and what may stand before it."""


class _Step(NamedTuple):
    """`taken` characters of what is held make `shown`; `again` goes back in front of the rest and is looked at next."""

    taken: int
    shown: str
    again: str = ""


class MarkupFilter:
    """Lets a stream of Markdown through without its active parts. Where the text is cut into pieces never matters.

    `allowed` are the addresses that links may open. A link elsewhere becomes its text, an image its description, a bare
    address loses its scheme. Text that is held back comes with a later piece or with `flush`. Line ends become `\\n`.
    Without `code` nothing counts as code: for a line that will stand within another text.
    """

    def __init__(self, allowed: Collection[str] = (), *, code: bool = True) -> None:
        self._allowed = frozenset(allowed)
        self._hosts = frozenset(host for one in self._allowed for host in hosts_in(one))
        self._held = ""
        self._return = ""
        self._tail = ""
        self._line_is_blank = True
        self._fence = ""
        self._knows_blocks = code
        self._knows_spans = True
        self._rules = {
            "`": self._ticks,
            "~": self._ticks,
            "<": self._angle,
            "[": self._bracket,
            "!": self._exclamation,
            "]": self._closing,
            "\\": self._backslash,
            "&": self._ampersand,
        }

    def feed(self, text: str) -> str:
        """What can be shown now."""
        text = self._return + text
        self._return = "\r" if text.endswith("\r") else ""
        return self._work(text.removesuffix("\r"), final=False)

    def flush(self) -> str:
        """What was held back, and the end of a code block that is still open: what others say next is no code."""
        rest, self._return = self._return, ""
        shown = self._work(rest, final=True)
        if not self._fence:
            return shown
        closing = self._fence if self._at_line_start else f"\n{self._fence}"
        self._fence = ""
        self._remember(closing)
        return shown + closing

    def _work(self, text: str, *, final: bool) -> str:
        seen = without_invisible(text.replace("\r\n", "\n").replace("\r", "\n"))
        places = range(0, max(len(seen), 1), _PIECE)
        return "".join(self._piece(seen[at : at + _PIECE], final and at == places[-1]) for at in places)

    def _piece(self, text: str, final: bool) -> str:
        self._held += text
        shown = []
        while self._held and (step := self._step(self._held, final)) is not None:
            self._held = step.again + self._held[step.taken :]
            self._remember(step.shown)
            shown.append(step.shown)
        return "".join(shown)

    def _remember(self, shown: str) -> None:
        """Keep what later decisions ask of the text shown so far: its end, and whether a paragraph ended."""
        for line in _LINE.findall(shown):
            self._line_is_blank = (self._line_is_blank or self._at_line_start) and not line.strip(" \t\n")
            self._knows_spans = self._knows_spans or (self._line_is_blank and line.endswith("\n"))
            self._tail = (self._tail + line[-_TAIL:])[-_TAIL:]

    @property
    def _at_line_start(self) -> bool:
        return not self._tail or self._tail.endswith("\n")

    def _step(self, text: str, final: bool) -> _Step | None:
        """The next decision; `None` when it needs more text."""
        if self._fence:
            return self._in_fence(text, final)
        if plain := _PLAIN.match(text):
            return _Step(plain.end(), plain.group())
        if rule := self._rules.get(text[0]):
            return rule(text, final)
        if text[0] in "hHfFwW":
            return self._address(text, final)
        return self._joint(text, final)

    def _joint(self, text: str, final: bool) -> _Step | None:
        """A character that must not complete what was broken up: `](`, `]:`, `http:`, `www.`, `mailto:`, `evil.com`."""
        if text[0] == ".":
            return self._dot(text, final)
        if text[0] == ":":
            if self._tail.lower().endswith("mailto"):
                return _Step(1, " :")
            if "://".startswith(text) and len(text) < 3 and not final:
                return None
            if text.startswith("://"):
                return _Step(1, " :")
        return _Step(1, f" {text[0]}" if text[0] in "(:" and self._tail.endswith("]") else text[0])

    def _dot(self, text: str, final: bool) -> _Step | None:
        """A full stop, or one within the name of a host, which is broken up unless an allowed address names it."""
        rest = HOST_REST.match(text)
        end = rest.end() if rest else 1
        if end >= len(text) - 1 and not final:
            return None
        begun = _BEFORE_DOT.search(self._tail)
        before = begun.group() if begun else ""
        whole = (before.rpartition("@")[2] + text[:end]).lower()
        if rest is None or whole in self._hosts:
            is_www = rest is None and before.lower().endswith("www") and not before[-4:-3].isalnum()
            return _Step(end, " ." if is_www else text[:end])
        is_open = is_host(before, rest.group(), text[end:]) or before.lower() == "www"
        return _Step(end, text[:end].replace(".", "[.]") if is_open else text[:end])

    def _ampersand(self, text: str, final: bool) -> _Step | None:
        """An entity that would make a letter, a mark or a part of an address is broken up, one nobody sees goes."""
        if _MAY_BE_ENTITY.match(text) and not final:
            return None
        found = _ENTITY.match(text)
        meant = unescape(found.group()) if found else "&"
        if found is None or meant == found.group():
            return _Step(1, "&")
        if not without_invisible(meant):
            return self._unwrap(found.end(), "")
        hides = meant.isascii() and meant not in "<>&\"' "
        return _Step(1, "& ") if hides else _Step(found.end(), found.group())

    def _in_fence(self, text: str, final: bool) -> _Step | None:
        end = text.find("\n") + 1
        if not self._at_line_start:
            return _Step(end or len(text), text[: end or len(text)])
        mark = re.escape(self._fence[0])
        is_short = len(text) < MOST_HELD
        if not end and not final and is_short and re.fullmatch(rf" {{0,3}}{mark}*+[ \t]*+", text):
            return None
        line = text[: end or len(text)]
        if re.fullmatch(rf" {{0,3}}{mark}{{{len(self._fence)},}}+[ \t]*+\n?", line):
            self._fence = ""
            self._knows_blocks = self._knows_blocks and not line.startswith(" ")
        return _Step(len(line), line)

    def _ticks(self, text: str, final: bool) -> _Step | None:
        """A run of backticks or tildes: a fence, the start of a code span, or themselves."""
        run = len(text) - len(text.lstrip(text[0]))
        if run == len(text) and not final and run < MOST_HELD:
            return None
        if run >= 3:
            return self._opening(text, run, final)
        if text[0] == "~" or not (self._knows_blocks and self._knows_spans):
            return _Step(run, text[:run])
        line, newline, _ = text[:MOST_HELD].partition("\n")
        closing = re.compile(rf"(?<!`)`{{{run}}}(?!`)").search(line, run)
        goes_on = not newline and not final and len(text) < MOST_HELD
        if goes_on and (closing is None or closing.end() == len(line)):
            return None
        if closing is not None and "|" not in line[: closing.end()]:
            return _Step(closing.end(), line[: closing.end()])
        self._knows_spans = False
        return _Step(run, text[:run])

    def _opening(self, text: str, run: int, final: bool) -> _Step | None:
        """A fence, which needs its whole line; anywhere else a run this long makes code a matter of opinion."""
        if self._at_line_start and "\n" not in text and not final and len(text) < MOST_HELD:
            return None
        fence = _FENCE.match(text[:MOST_HELD]) if self._at_line_start and self._knows_blocks else None
        if fence is None:
            self._knows_blocks = False
            return _Step(run, text[:run])
        self._fence = fence[1] or fence[2]
        return _Step(fence.end(), fence.group())

    def _backslash(self, text: str, final: bool) -> _Step | None:
        if not final and (len(text) == 1 or _MAY_ESCAPE_NUMBER.match(text)):
            return None
        if text[1:2] == "`":
            self._knows_spans = False
        if _ESCAPED_NUMBER.match(text):
            return _Step(2, "(")
        if text[1:2] == "]" and _OPEN_NUMBER.search(self._tail):
            return _Step(2, ")")
        if text[1:2] in ":/." and _BEGUN.search(self._tail):
            return _Step(1, " " if self._tail.endswith(":") else "")
        return _Step(2, text[:2]) if text[1:2] in ("`", "[", "]", "\\") else _Step(1, "\\")

    def _angle(self, text: str, final: bool) -> _Step | None:
        """A tag goes, an address between angle brackets loses them, `List<int>` and `a < b` stay."""
        if len(text) == 1 and not final:
            return None
        if not re.match(r"<[A-Za-z/!?]", text):
            return _Step(1, "<")
        window, whole = _window(text, final)
        end = tag_end(window, whole=whole)
        if end <= 0:
            return _Step(1, "< ") if end else None
        tag = window[:end]
        if found := _AUTOLINK.fullmatch(tag):
            return _Step(end, tag) if found[1] in self._allowed else self._unwrap(end, found[1])
        attached = self._tail[-1:].isalnum() or self._tail.endswith("_")
        if is_header(tag) or (attached and is_type(tag)):
            return _Step(end, tag)
        return self._unwrap(end, "") if is_markup(tag) else _Step(1, "< ")

    def _exclamation(self, text: str, final: bool) -> _Step | None:
        if len(text) == 1 and not final:
            return None
        return self._bracket(text, final) if text[1:2] == "[" else _Step(1, "!")

    def _bracket(self, text: str, final: bool) -> _Step | None:
        """A link or an image becomes its text, unless the link is allowed."""
        start, literal = (2, "! ") if text[0] == "!" else (1, "[")
        window, whole = _window(text, final)
        stop = _LABEL_END.search(window, start)
        if stop is None or (stop.group() == "]" and stop.end() == len(text) and not final):
            return _Step(1, literal) if whole else None
        if not window.startswith("](", stop.start()):
            return _Step(1, literal)
        target = TARGET.match(window, stop.end())
        if target is None:
            return _Step(1, literal) if whole else None
        address = target[1] or target[2] or ""
        if start == 1 and address in self._allowed:
            return _Step(target.end(), text[: target.end()])
        if start == 1 and not is_like_an_address(address):
            return _Step(1, literal)
        return self._unwrap(target.end(), text[start : stop.start()])

    def _closing(self, text: str, final: bool) -> _Step | None:
        """The end of a link's text that `_bracket` did not take for one: its address goes, or is set apart."""
        if len(text) == 1 and not final:
            return None
        if text[1:2] not in ("(", ":"):
            return _Step(1, "]")
        window, whole = _window(text, final)
        if text[1] == ":":
            found = DEFINED.match(window, 1)
            if found is None or (found.end() == len(window) and not whole):
                return None
            defines = "\n" in found.group() or is_like_an_address(found[1])
            return _Step(2, "] :" if defines else "]:")
        if (target := TARGET.match(window, 1)) is None:
            return _Step(2, "] (") if whole else None
        address = target[1] or target[2] or ""
        if address in self._allowed:
            return _Step(target.end(), text[: target.end()])
        return _Step(target.end(), "]") if is_like_an_address(address) else _Step(2, "] (")

    def _address(self, text: str, final: bool) -> _Step | None:
        """A bare address, which many clients make a link: without its scheme, unless it is allowed."""
        address = address_at_start(text, whole=final)
        if address is None or (len(text) < 8 and not final and may_start(text)):
            return None
        if not address:
            return _Step(1, text[0])
        if address in self._allowed:
            return _Step(len(address), address)
        parted = " " if self._tail[-1:].isalnum() or self._tail.endswith(_GUARDED) else ""
        return _Step(scheme_end(address), parted)

    def _unwrap(self, taken: int, text: str) -> _Step:
        """The text in the place of its markup, kept apart from what it would otherwise complete."""
        return _Step(taken, " " if self._tail.endswith(_GUARDED) else "", text)


def defang(text: str, allowed: Collection[str] = (), *, code: bool = True) -> str:
    """The whole text as `MarkupFilter` lets it through."""
    if not text:  # as are half of those that a plan asks for
        return text
    passing = MarkupFilter(allowed, code=code)
    return passing.feed(text) + passing.flush()


def _window(text: str, final: bool) -> tuple[str, bool]:
    """What is looked at, up to an empty line, and whether more text would not change it."""
    blank = text.find("\n\n", 0, MOST_HELD)
    if blank >= 0:
        return text[:blank], True
    return text[:MOST_HELD], final or len(text) >= MOST_HELD
