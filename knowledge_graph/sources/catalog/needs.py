"""What a class's record says of taking it: which classes have to be passed first, its credits, what it excludes. Pure.

Prerequisites are prose. What is read here is what can be read for certain; the rest is kept as `condition`, in the
record's own words, and nobody plans over it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

CODE = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]{2,6})[ \u00a0-]?(\d{2,4}[A-Za-z]?)(?![A-Za-z0-9])")
"""A class's code as most catalogues write it; others are found by the codes of their own records (`needs_of`)."""

MOST_WAYS = 64
"""Ways to meet one prerequisite; more are a text that was misread."""

Ways = tuple[frozenset[str], ...]
"""Every set of classes, by `code_key`, that meets a prerequisite; a single empty set where nothing is needed."""

NOTHING: Ways = (frozenset(),)


@dataclass(frozen=True)
class Needs:
    """`before`: the ways to have passed enough; `with_`: classes that may be taken in the same term instead.

    `condition` is what else is asked, in the record's words: consent, standing, an audition. `excludes` are classes
    that may not be counted together with this one.
    """

    before: Ways = NOTHING
    with_: frozenset[str] = frozenset()
    condition: str = ""
    excludes: frozenset[str] = frozenset()

    def met_by(self, passed: frozenset[str], beside: frozenset[str] = frozenset()) -> bool:
        """Whether a student who passed these classes, and takes others beside it, may take this one."""
        have = passed | (beside & self.with_)
        return any(way <= have for way in self.before)

    def missing(self, passed: frozenset[str]) -> frozenset[str]:
        """The fewest classes that are still needed; empty when nothing is. Those first in the alphabet among equals."""
        return min((way - passed for way in self.before), key=lambda way: (len(way), sorted(way)))


def code_key(code: str) -> str:
    """A code as it is compared: "comp-1200" and "COMP 1200" are one."""
    return re.sub(r"[\s\u00a0_-]+", "", code).upper()


_END = r"(?=\n(?!(?:and|or|[A-Z]{2,6}[ \u00a0]?\d))|[.;](?:\s|$)|[。；]|$)"
_BEFORE = re.compile(
    rf"(?:pre-?requisites?|pre-?reqs?|先修(?:课程?|要求)?|前置(?:课程?)?)\s*(?:\(s\))?\s*(?:[:：]|\bis\b|\bare\b)\s*(.+?){_END}",
    re.IGNORECASE | re.DOTALL,
)
_WITH = re.compile(
    rf"(?:(?:pre-?requisites? )?(?:or )?co-?requisites?|co-?reqs?|同修课程?)\s*(?:\(s\))?\s*(?:[:：]|\bis\b|\bare\b)\s*"
    rf"(.+?){_END}",
    re.IGNORECASE | re.DOTALL,
)
_EXCLUDES = re.compile(
    r"\b(?:may not both|not both be|not open to students with|no credit for both|credit is not given"
    r"|may not be (?:taken|counted) (?:together )?(?:with|after))\b|不得同时|不能同时",
    re.IGNORECASE,
)
_CREDITS = re.compile(
    r"(?:credits?(?:\s{0,3}hours?)?|units?|学分)\s{0,5}[:：]\s{0,5}(\d{1,3}(?:\.\d{1,2})?)(?!\s{0,3}(?:-|–|to\b|\.?\d))|(?<![\d.])(\d{1,3}(?:\.\d{1,2})?)\s{0,3}学分",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(r"\b(?:pre-?requisites?|pre-?reqs?)\b|先修", re.IGNORECASE)
_NO_NEED = re.compile(r"\s*(?:none|no prerequisites?|n/?a|-|无|没有)\s*[.。]?\s*", re.IGNORECASE)
_HARMLESS = re.compile(
    r"\((?:or )?(?:equivalent|concurrent)\)|,?\s{0,3}\bor (?:an? |the )?equivalents?(?: course| class)?\b"
    r"|,?\s{0,3}\b(?:all )?with (?:an? )?(?:minimum )?(?:grade|mark)s? of (?:at least )?\"?[A-D][+-]?\"?"
    r"(?: or (?:better|higher|above))?"
    r"(?: in (?:each|both|all)(?: of them)?)?"
    r"|\b(?:an? )?(?:minimum )?grade of (?:at least )?\"?[A-D][+-]?\"?(?: or (?:better|higher|above))? in\b"
    r"|\b(?:completion of|credit for|successful completion of|students must have (?:passed|completed)|passed)\b"
    r"|或同等(?:课程|水平)",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"\s*(?:(?P<open>[(（])|(?P<close>[)）])|(?P<one>\b(?:one|any)(?: class| course)? of\b(?: the following)?:?"
    r"|\beither\b|以下之一[:：]?)|(?P<both>\b(?:both|all(?: of)?)\b:?)"
    r"|(?P<and>\band\b|&|\+|;|；|和|及|与|并)|(?P<or>\bor\b|/|或)|(?P<comma>[,、，])"
    r"|(?P<code>[^\s,、，;；()（）/]+))",
    re.IGNORECASE,
)


LONGEST_RECORD = 4_000
"""Characters of a class's record that are read; what it needs is said in a line or two. A choice."""


def needs_of(text: str, titles: Mapping[str, str]) -> Needs:
    """What a record's text asks of a student. `titles` are the catalogue's classes by `code_key`: what stands behind a
    code as its title is no condition."""
    text = text[:LONGEST_RECORD]
    before, condition = NOTHING, _unread(text)
    for found in _BEFORE.finditer(text):
        ways, asked = _read(found[1], titles)
        before, condition = _both(before, ways), condition or asked
    beside = frozenset(key for found in _WITH.finditer(text) for key in _codes(found[1]))
    if beside:
        before = _both(before, (beside,))
    excluded = frozenset(key for clause in _clauses(_EXCLUDES, text) for key in _codes(clause))
    return Needs(before, beside, condition, excluded)


def _unread(text: str) -> str:
    """The line in which a prerequisite is spoken of in another form than those that are read."""
    said = next(_clauses(_SPOKEN_OF, _WITH.sub("", _BEFORE.sub("", text))), "")
    return " ".join(said.split())


_STOPS = {True: (re.compile(r"[.\n]"), 100), False: (re.compile(r"[。\n]"), 60)}
"""What ends a clause, and how many characters before a cue belong to it at most; of English, of Chinese."""


def _clauses(cue: re.Pattern[str], text: str) -> Iterator[str]:
    """The clauses of a text in which a cue stands, each once."""
    end = 0
    for found in cue.finditer(text):
        if found.start() < end:
            continue
        stop, most = _STOPS[found.group().isascii()]
        before = [one.end() for one in stop.finditer(text, max(end, found.start() - most), found.start())]
        start = before[-1] if before else max(end, found.start() - most)
        stopped = stop.search(text, found.end())
        end = len(text) if stopped is None else stopped.start()
        yield text[start:end]


def credits_of(text: str) -> float | None:
    """The credits of a class by its record; `None` where it has none, or a range of them."""
    found = _CREDITS.search(text, 0, LONGEST_RECORD)
    return float(found[1] or found[2]) if found is not None else None


def key_digits(key: str) -> int:
    """Where the number of a key begins."""
    return next((place for place, letter in enumerate(key) if letter.isdigit()), len(key))


def _codes(text: str) -> list[str]:
    return [code_key(found.group()) for found in CODE.finditer(text)]


def _read(text: str, titles: Mapping[str, str]) -> tuple[Ways, str]:
    """The ways that a prerequisite names, and the text itself where it asks for something that is no class."""
    said = " ".join(text.split()).strip(" .;。")
    if _NO_NEED.fullmatch(said):
        return NOTHING, ""
    plain = _HARMLESS.sub(" ", said)
    for key in sorted(set(_codes(plain)), key=len, reverse=True):
        if title := titles.get(key):
            code = rf"({re.escape(key[: key_digits(key)])}[ \u00a0-]?{re.escape(key[key_digits(key) :])})"
            plain = re.sub(rf"{code}[\s\u00a0:,–-]*{re.escape(' '.join(title.split()))}", r"\1", plain, flags=re.I)
    plain = CODE.sub(lambda found: code_key(found.group()), plain)
    tokens = [
        (found.lastgroup or "", found.group().strip()) for found in _TOKEN.finditer(plain) if found.group().strip()
    ]
    try:
        return _Reading(tokens).ways(), ""
    except _Unclear:
        return NOTHING, said


class _Unclear(ValueError):
    """Something that is no class, or "and" and "or" without brackets: it has more than one reading."""


class _Reading:
    """The tokens of a prerequisite, read from left to right."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens, self._at = tokens, 0

    def ways(self) -> Ways:
        found = self._group()
        if self._at < len(self._tokens):
            raise _Unclear
        return found

    def _kind(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _group(self) -> Ways:
        """Items joined by one kind of word: "A, B and C", "A or B"; a comma before another kind parts groups."""
        parts = [self._item()]
        joints: list[str] = []
        while self._kind() in ("and", "or", "comma"):
            joint = self._kind()
            self._at += 1
            if joint == "comma" and self._kind() in ("and", "or"):
                joint = f"comma-{self._kind()}"
                self._at += 1
            joints.append(joint)
            parts.append(self._item())
        return _join(parts, joints)

    def _item(self) -> Ways:
        kind = self._kind()
        if kind in ("one", "both"):
            self._at += 1
            return self._list_of_ways(any_of=kind == "one")
        if kind == "open":
            self._at += 1
            found = self._group()
            if self._kind() != "close":
                raise _Unclear
            self._at += 1
            return found
        if kind != "code" or not CODE.fullmatch(self._tokens[self._at][1]):
            raise _Unclear
        self._at += 1
        return (frozenset([self._tokens[self._at - 1][1]]),)

    def _list_of_ways(self, *, any_of: bool) -> Ways:
        """The classes behind "one of" or "both", whatever joins them, to the end of them."""
        parts = [self._item()]
        while self._kind() in ("and", "or", "comma"):
            self._at += 1
            if self._kind() in ("and", "or"):
                self._at += 1
            parts.append(self._item())
        return _any(parts) if any_of else _all(parts)


def _join(parts: list[Ways], joints: list[str]) -> Ways:
    """Parts by the words between them. Commas take the meaning of the word that ends the list. Raises `_Unclear`."""
    words = {joint.removeprefix("comma-") for joint in joints} - {"comma"}
    if words in (set(), {"and"}):
        return _all(parts)
    if words == {"or"}:
        return _any(parts)
    if "comma" in joints or sum(joint.startswith("comma-") for joint in joints) != 1:
        raise _Unclear
    split = next(place for place, joint in enumerate(joints) if joint.startswith("comma-"))
    left = _join(parts[: split + 1], joints[:split])
    right = _join(parts[split + 1 :], joints[split + 1 :])
    return _all([left, right]) if joints[split] == "comma-and" else _any([left, right])


def _any(parts: list[Ways]) -> Ways:
    return _fewest(way for part in parts for way in part)


def _all(parts: list[Ways]) -> Ways:
    found = NOTHING
    for part in parts:
        found = _both(found, part)
    return found


def _both(one: Ways, other: Ways) -> Ways:
    return _fewest(left | right for left, right in product(one, other))


def _fewest(ways: Iterator[frozenset[str]]) -> Ways:
    found = sorted(set(ways), key=lambda way: (len(way), sorted(way)))
    if len(found) > MOST_WAYS:
        raise _Unclear
    return tuple(way for place, way in enumerate(found) if not any(less < way for less in found[:place]))
