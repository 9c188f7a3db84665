"""What a student says of the semester to be planned: what was passed, what is wanted, how much, and when not. Pure.

Each class that is named takes the role of the words before it in its sentence ("I passed A and B and want C"), else of
those behind it (A 已经修过了). One without either has no role, and is asked about: nothing is guessed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from knowledge_graph.sources.catalog.needs import CODE, code_key
from knowledge_graph.sources.meetings import MeetingUnreadable, days_of
from serving.assistant.composing.semester.calendar import AcademicTerm, read_term
from serving.assistant.composing.semester.names import cut_short
from serving.assistant.understanding.closed_words import NUMBER_WORDS

Role = Literal["passed", "taking", "missing", "wanted", "avoided"]

_ROLES: tuple[tuple[Role, str], ...] = (
    (
        "missing",
        r"\b(?:haven't|have not|hasn't|didn't|did not|not yet|never|failed|dropped|flunked|without having)\b"
        r"(?: \w+)?? ?(?:passed|taken|done|completed|finished|had)?"
        r"|[还并]?没有?(?:修|学|上|过|通过|选)过?|未(?:修|学|通过)|挂了|不及格",
    ),
    (
        "avoided",
        r"\b(?:without|except(?: for)?|avoid(?:ing)?|other than|do(?:n't| not) want(?: to take| to have)?"
        r"|not (?:interested in|want)|no more)\b|不想(?:选|上|学|修)?|不要|不选|除了|避开",
    ),
    (
        "taking",
        r"\b(?:i'm|i am|am) (?:now |currently )?taking\b|\bcurrently (?:taking|in|enrolled in)\b|\benrolled in\b"
        r"|(?:正在|目前在|现在在|在)(?:修|学|上|读)",
    ),
    (
        "passed",
        r"\b(?:passed|took|taken|completed|finished|done(?: with)?|have had|got (?:credit for|through)|credits? for"
        r"|with (?:only|just|nothing but)|only (?:did|know)"
        r"|i (?:already |only |just )?have(?=\s{7,}(?:$|[,.;&?]|and))"  # right before a class, whose name is blanked
        r"|after(?: taking| having taken| passing)?|having (?:taken|passed)|(?:can|could|may) i take with)\b"
        r"|(?:已经?)?(?:修|学|上|通|读|选)(?:过|完)了?|已(?:修|学|通过)|通过了?|完成了?|学了",
    ),
    (
        "wanted",
        r"\b(?:want|wants|wish|take|include|including|need|must|have to|interested in|like|love|hope|get into|add)\b"
        r"|(?:想|要|希望|打算|必须|准备|计划)(?:选|上|学|修|读)?|包括|选上",
    ),
)
_ROLE = re.compile("|".join(f"(?P<{role}>{words})" for role, words in _ROLES), re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?。！？；;])(?=\s|[^\s\d])|\n")
_SAME_SUBJECT = re.compile(
    r"\s*(?:,|/|&|\band\b|\bor\b|和|、|跟|与|，|,\s*and\b)\s*(\d{3,4}[A-Za-z]?)(?![A-Za-z0-9]|\s*(?:credits?|学分))"
)
_NOTHING_PASSED = re.compile(
    r"\b(?:passed|taken|completed|finished|done|have) (?:nothing|none|no (?:classes|courses|class|course))\b"
    r"|\b(?:have not|haven't|not) (?:yet )?(?:passed|taken|completed|finished) (?:any(?:thing)?|a single)\b"
    r"|\bnothing (?:yet|so far)\b|\bnone (?:yet|so far)\b|\bno class yet\b"
    r"|\b(?:first[- ]year|freshman|fresher|new student)\b"
    r"|\b(?:my )?first (?:semester|term)\b|\bjust (?:starting|started|beginning)\b|\bfrom scratch\b"
    r"|新生|大一|零基础|(?:还没|没有?)(?:修|上|学|选)过?(?:任何|什么|课)|什么(?:课)?都没",
    re.IGNORECASE,
)
_NUMBERS = {
    **NUMBER_WORDS,
    **{"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8},
}
_NUMBER = (
    rf"(?=[\d{''.join(sorted({word[0] for word in _NUMBERS}))}])"
    rf"(\d{{1,3}}(?:\.\d{{1,2}})?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
)
"""A number in digits or words; looking at its first letter spares most places of a text two hundred words."""
_CREDITS = re.compile(
    r"(?P<has>\b(?:have|got|earned|finished|passed) (?:already )?|已有|已修)?"
    r"(?:(?P<least>at least|minimum(?: of)?|no fewer than|至少|不少于)"
    r"|(?P<most>at most|max(?:imum)?(?: of)?|no more than|up to|under|不超过|最多|至多))?\s{0,3}"
    rf"(?<!\d){_NUMBER}(?:\s{{0,3}}(?:-|–|to|and|至|到)\s{{0,3}}{_NUMBER})?[\s-]{{0,3}}"
    r"(?:credits?\b|credit hours?\b|cr\b|units?\b|个?学分)",
    re.IGNORECASE,
)
_TO_FILL = re.compile(r"\s*(?:to fill|to take|free|open|left)\b", re.IGNORECASE)
_CLASSES = re.compile(
    rf"(?<!passed )(?<!taken )(?<!finished )(?<!completed )\b{_NUMBER} (?:more )?(?:classes|courses)\b"
    r"|([一二两三四五六七八\d]{1,3})\s{0,3}门课",
    re.IGNORECASE,
)
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|wed|thu|fri|sat|sun"
    r"|(?:周|星期|礼拜)[一二三四五六日天]"
)
DAYS = rf"(?:{_DAY})(?:\s*(?:,|and|or|/|、|和|或)\s*(?:{_DAY})){{0,6}}"
_FREE_DAYS = re.compile(
    r"\b(?:no|not on|without|avoid|except|free on)(?: any)?(?: class(?:es)?| courses?| lectures?)?(?: on)?(?: a)?"
    rf" ({DAYS})\b|\b({DAYS}) (?:off|free)\b"
    rf"|(?:不要|不想|没有|避开|别)(?:在|排在?|安排在?)?({DAYS})|({DAYS})(?:不(?:想)?上课|没课|休息|空出来)",
    re.IGNORECASE,
)
CLOCK = r"(\d{1,2})(?::(\d\d))?\s*(am|pm|a\.m\.|p\.m\.|点)?"
_NOT_BEFORE = re.compile(
    rf"\b(?:not|nothing|no class(?:es)?|none|never)(?: \w+)? before {CLOCK}"
    rf"|(?:不要|不想|别)(?:早于|在)?\s*{CLOCK}\s*(?:之?前)",
    re.IGNORECASE,
)
_NOT_AFTER = re.compile(
    rf"\b(?:not|nothing|no class(?:es)?|none|never)(?: \w+)? after {CLOCK}"
    rf"|(?:不要|不想|别)(?:晚于|在)?\s*{CLOCK}\s*(?:之?后|以后)",
    re.IGNORECASE,
)
_NO_EVENINGS = re.compile(
    r"\bno (?:evenings?|evening class(?:es)?|night class(?:es)?)\b|(?:不要|不想上?)晚(?:上|课)", re.I
)
EVENING = 18 * 60
_OPTIONS = re.compile(
    r"\b(?:what|which)(?: \w+){0,2} (?:can|could|may) (?:i|we) (?:take|choose|enrol)"
    r"|\bwhat(?:'s| is| are)? .{0,20}open to me\b"
    r"|(?:可以|能)(?:选|上|修|学)(?:什么|哪些|哪)|(?:哪些|什么)课?(?:可以|能)(?:选|上|修|学)",
    re.IGNORECASE,
)


MAY_TAKE = re.compile(
    r"\b(?:can|could|may) (?:i|we|you|one|somebody|someone|students?|an? \w+)\b.{0,24}?"
    r"\b(?:take|enroll?|register|sign up|get into|do|fit|start|join)\b"
    r"|\b(?:am i|are we) (?:\w+ )?(?:allowed|able|eligible|ready)\b"
    r"|(?:可以|能不能|能)(?:直接|现在|一起|同时)?(?:选|修|上|学|读)",
    re.IGNORECASE,
)
"""What asks whether somebody may take a class. Where a clash is asked about as well, "can I take A and B or do they
clash", this is what is answered."""

_OF_SUBJECT = re.compile(
    r"\bcredits? (?:of|in) ([a-z]{3,}(?: [a-z]{3,})?)\b(?<!\bthe)|\b(?:only|just) ([a-z]{4,}) (?:classes|courses)\b",
    re.IGNORECASE,
)
_REQUIRED = re.compile(
    r"\brequired\b|\brequirements?\b|\bmandatory\b|\b(?:class(?:es)?|courses?) (?:for|of) (?:my|the|this)\b|必修|必需",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Wishes:
    """`passed` and the others are classes by `code_key`, in the order they are named.

    `is_told`: whether anything is said of what was passed. `unclear` are classes that are named without a role, and
    `unknown` codes that the catalogue has no record of. Hours are minutes since midnight. `lists`: whether it is asked
    what may be taken, not for one plan.
    """

    passed: tuple[str, ...] = ()
    taking: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    avoided: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    is_told: bool = False
    least_credits: float | None = None
    most_credits: float | None = None
    most_classes: int | None = None
    term: AcademicTerm | None = None
    free_days: tuple[int, ...] = ()
    not_before: int | None = None
    not_after: int | None = None
    lists: bool = False
    subject: str = ""
    """The subject of which the credits or classes shall be: "8 credits of computing"; empty for any."""
    only_required: bool = False
    """Whether only what the program asks for is wanted."""


@dataclass(frozen=True)
class _Named:
    start: int
    end: int
    key: str


def read_wishes(text: str, titles: Mapping[str, str]) -> Wishes:
    """What a message wishes. `titles` are the catalogue's classes by `code_key`: they are known by title, too."""
    found = _find_classes(text, titles)
    roles = _roles(text, found)
    of: dict[str, list[str]] = {}
    unknown = []
    for one in found:
        if one.key not in titles:
            unknown.append(text[one.start : one.end])
        else:
            of.setdefault(roles.get(one.start) or "unclear", []).append(one.key)
    each = {role: tuple(dict.fromkeys(keys)) for role, keys in of.items()}
    clear = {key for role, keys in each.items() if role != "unclear" for key in keys}
    least, most = _credits(text)
    term = read_term(text)
    return Wishes(
        passed=each.get("passed", ()),
        taking=each.get("taking", ()),
        wanted=each.get("wanted", ()),
        avoided=each.get("avoided", ()),
        missing=each.get("missing", ()),
        unclear=tuple(key for key in each.get("unclear", ()) if key not in clear),
        unknown=tuple(dict.fromkeys(unknown)),
        is_told=bool(each.get("passed") or each.get("taking")) or _NOTHING_PASSED.search(text) is not None,
        least_credits=least,
        most_credits=most,
        most_classes=_classes(text),
        term=term if term.month is not None or term.year is not None else None,
        free_days=_free_days(text),
        not_before=minute_of(_NOT_BEFORE.search(text)),
        not_after=EVENING if _NO_EVENINGS.search(text) else minute_of(_NOT_AFTER.search(text)),
        lists=_OPTIONS.search(text) is not None and not _credits(text)[0],
        subject=next(((found[1] or found[2]).lower() for found in _OF_SUBJECT.finditer(text)), ""),
        only_required=_REQUIRED.search(text) is not None,
    )


def _find_classes(text: str, titles: Mapping[str, str]) -> list[_Named]:
    """Classes by code, by the number behind another code of their subject, and by title, cut short too, in order."""
    found: list[_Named] = []
    subjects = {re.sub(r"\d.*", "", key) for key in titles}
    for code in CODE.finditer(text):
        if code[1].upper() not in subjects:
            continue
        found.append(_Named(code.start(), code.end(), code_key(code.group())))
        at = code.end()
        while (more := _SAME_SUBJECT.match(text, at)) is not None:
            found.append(_Named(more.start(1), more.end(1), code_key(f"{code[1]}{more[1]}")))
            at = more.end()
    for key, title in titles.items():
        if len(title) < SHORTEST_TITLE:
            continue
        for said in re.finditer(rf"(?<!\w){re.escape(title)}(?!\w)", text, re.IGNORECASE):
            if not any(one.start < said.end() and said.start() < one.end for one in found):
                behind = any(one.key == key and 0 <= said.start() - one.end <= 2 for one in found)
                found += [] if behind else [_Named(said.start(), said.end(), key)]
    for key, (start, end) in cut_short(text, titles).items():
        if not any(one.start < end and start < one.end for one in found):
            found.append(_Named(start, end, key))
    ordered = sorted(found, key=lambda one: (one.start, -one.end))
    return [one for place, one in enumerate(ordered) if all(one.start >= other.end for other in ordered[:place])]


SHORTEST_TITLE = 6
"""Characters of a title that is looked for in what a student writes. A choice."""


def _roles(text: str, found: list[_Named]) -> dict[int, Role]:
    """The role of each class by where it stands."""
    roles: dict[int, Role] = {}
    begin = 0
    for sentence in (*(piece for piece in _SENTENCE.split(text)),):
        at = text.index(sentence, begin)
        end = at + len(sentence)
        inside = [one for one in found if at <= one.start < end]
        blanked = _without(text, inside, at, end)
        cues = [(cue.start() + at, _role(cue)) for cue in _ROLE.finditer(blanked)]
        for one in inside:
            before = [role for place, role in cues if place < one.start]
            behind = [role for place, role in cues if place > one.start]
            if before:
                roles[one.start] = before[-1]
            elif behind and behind[0] in ("passed", "missing", "taking"):
                roles[one.start] = behind[0]
        begin = end
    return roles


def _without(text: str, named: list[_Named], start: int, end: int) -> str:
    """The sentence with the names of its classes blanked: "Introduction to Want" is no wish."""
    said = list(text[start:end])
    for one in named:
        said[one.start - start : one.end - start] = " " * (min(one.end, end) - one.start)
    return "".join(said)


def _role(found: re.Match[str]) -> Role:
    return next(role for role, _ in _ROLES if role == found.lastgroup)


def _number(text: str | None) -> float | None:
    if not text:
        return None
    return float(_NUMBERS[text.lower()]) if text.lower() in _NUMBERS else float(text)


def _credits(text: str) -> tuple[float | None, float | None]:
    """The least and the most credits; one number is both. What was earned already is no wish."""
    for found in _CREDITS.finditer(text):
        first, second = _number(found[4]), _number(found[5])
        if found["has"] and not _TO_FILL.match(text, found.end()):
            continue
        if second is not None:
            return first, second
        return (None if found["most"] else first), (None if found["least"] else first)
    return None, None


def _classes(text: str) -> int | None:
    found = _CLASSES.search(text)
    number = _number(found[1] or found[2]) if found is not None else None
    return int(number) if number else None


def _free_days(text: str) -> tuple[int, ...]:
    days: set[int] = set()
    for found in _FREE_DAYS.finditer(text):
        listed = next(group for group in found.groups() if group)
        days.update(days_in(listed))
    return tuple(sorted(days))


def days_in(text: str) -> set[int]:
    """The days of the week that a text names, from 1, Monday."""
    days: set[int] = set()
    for day in re.findall(_DAY, text, re.IGNORECASE):
        try:
            days.update(days_of(day.rstrip("s") if day.lower().endswith("days") else day))
        except MeetingUnreadable:
            continue
    return days


def minute_of(found: re.Match[str] | None) -> int | None:
    """The minute of the day of a clock; `None` without one. Below seven it is after noon unless it says "am"."""
    groups = () if found is None else found.groups()
    clocks = (groups[place : place + 3] for place in range(0, len(groups), 3) if groups[place])
    if (clock := next(clocks, None)) is None:
        return None
    hour, minute, half = clock
    value = int(hour)
    if (half and half[0].lower() == "p" and value < 12) or (not (half and half[0].lower() == "a") and value < 7):
        value += 12
    return value * 60 + int(minute or 0)
