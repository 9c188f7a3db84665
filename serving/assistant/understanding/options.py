"""Options of a multiple-choice question, with marks or without, and the stem without them.

Which texts are multiple-choice questions at all is `form`'s to say. The time is linear in the length of the text.
"""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from serving.assistant.understanding.marks import GAP, Kind, Run, find_marks, find_runs

MOST_PLAIN = 8
LONGEST_PLAIN_LINE = 240
LONGEST_PLAIN_ITEM = 40
"""Options without marks: how many there may be, and characters of one on its own line or within a line. Choices."""

_TAIL = 40
"""Characters at the end of a text in which what separates options is looked for."""

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_SEPARATOR = re.compile(
    r"(?<![ \t\n])[ \t\n]*+[,，;；、|/][ \t\n]*+(?:(?:or|and)\b|或者?|和)?[ \t\n]*+\Z"
    r"|(?<![ \t\n])[ \t\n]++(?:or|and|或者?|和)[ \t\n]*+\Z"
)
_BULLET_END = re.compile(r"\n[ \t]*[-*•·>]+\Z")
_HEADING = re.compile(
    r"(?:^|(?<=\s)|(?<=[。？?.)）]))(?:options?|choices|answers|选项)(?:[ \t]+are)?[ \t]*[:：]?\s*\Z", re.IGNORECASE
)
_STEM_END = re.compile(r"[?？:：]\s*+\Z|(?:[(（【\[][ \t]*+[)）】\]]|(?<!_)_{2,}+)\s*+[.。]?+\s*+\Z")
_GAP = re.compile(GAP)
_DASH = re.compile(r"\s([-*–—·])\s")
_BEFORE_ALTERNATIVES = re.compile(r"[?？:：]|[ \t][-–—][ \t]|——")
_BETWEEN = (
    re.compile(r"\s{0,3}[;；|]\s{0,3}"),
    re.compile(r"\s{0,3}(?:[,，、]\s{0,3}(?:or\b|and\b|或者?|还是|和)?|\b(?:or)\b|或者?|还是)\s{0,3}"),
    re.compile(r"\s{0,3}/\s{0,3}"),
)
_NO_OPTION = re.compile(
    r"[?？]|\b(?:what|how|which|why|when|where|who|if|given|suppose|assume|let)\b|什么|哪|如何|怎|多少|几|是否|吗|为何|如果|设有|已知",
    re.IGNORECASE,
)
_STATEMENT = re.compile(r"(?:[ⅠⅡⅢⅣⅤⅥIVX]{1,4}|[ivx]{1,4})[.．、,，:：)）][ \t]*(?![ⅠⅡⅢⅣⅤⅥIVXivx\s])")
_CODE = re.compile(r"[{}]|[,(\[]$|^[)\]]")
_BULLET = re.compile(r"^[^\w\s(（\[\"'“‘$\\<¬~]")


class Option(NamedTuple):
    """One option: its label as written ("B", "b", "2", "②"; its number where it has none) and its text."""

    label: str
    text: str


@dataclass(frozen=True)
class OptionList:
    """A list that may be the options of a question.

    `stem` is the text without it. `whole` is false when labels are missing or an option has no text. `by_line`: every
    option begins a line. `start` and `last_start` are where the first and the last mark stand in the text.
    """

    stem: str
    options: tuple[Option, ...]
    kind: Kind | Literal["plain"]
    whole: bool
    by_line: bool
    start: int
    last_start: int


def find_labelled_lists(text: str) -> list[OptionList]:
    """Lists with marks, whole or not, in the order of their first marks."""
    lists = [_from_run(text, run) for run in find_runs(find_marks(text))]
    lists = [one for one in lists if one.by_line or all(option.text for option in one.options[:-1])]
    return sorted(lists, key=lambda found: (found.start, found.last_start))


def _from_run(text: str, run: Run) -> OptionList:
    marks = run.marks
    by_line = all(mark.on_new_line for mark in marks)
    last = _end_of_last(text, run, by_line=by_line)
    ends = [*(mark.start for mark in marks[1:]), last]
    texts = [text[mark.end : end].strip() for mark, end in zip(marks, ends, strict=True)]
    labels = [str(place) if mark.kind == "bullet" else mark.label for place, mark in enumerate(marks, 1)]
    options = tuple(map(Option, labels, _clean(texts, by_line=by_line)))
    stem = f"{_without_heading(text[: marks[0].start])}\n{text[last:].strip()}".strip()
    whole = run.whole and len(marks) > 1 and all(option.text for option in options)
    return OptionList(stem, options, marks[0].kind, whole, by_line, marks[0].start, marks[-1].start)


def _end_of_last(text: str, run: Run, *, by_line: bool) -> int:
    """Where the last option ends: at a blank line, or with the line when all options stand on one."""
    start = run.marks[-1].end
    blank = _BLANK_LINE.search(text, start)
    end = blank.start() if blank and text[start : blank.start()].strip() else len(text)
    is_one_line = not by_line and "\n" not in text[run.marks[0].start : start]
    line = text.find("\n", start, end) if is_one_line or run.marks[0].start == 0 else -1
    return line if line >= 0 and text[start:line].strip() else end


def _clean(texts: list[str], *, by_line: bool) -> list[str]:
    """Options without the bullet of the next line; within a line without what separates them, if all are separated."""
    shown = [_without_end(one, _BULLET_END) for one in texts[:-1]]
    bare = [_without_end(one, _SEPARATOR) for one in shown]
    is_separated = not by_line and all(len(short) < len(one) for short, one in zip(bare, shown, strict=True))
    is_separated = is_separated and _without_end(texts[-1], _SEPARATOR) == texts[-1]
    return [*(bare if is_separated else shown), *texts[-1:]]


def _without_heading(text: str) -> str:
    """A stem without "Options:" at its end."""
    return _without_end(text.strip(), _HEADING)


def _without_end(text: str, pattern: re.Pattern[str]) -> str:
    """Only the last characters are looked at: a pattern that may begin anywhere takes long over long blanks."""
    return (text[:-_TAIL] + pattern.sub("", text[-_TAIL:])).strip()


def asks_at_end(text: str) -> bool:
    """Whether the text ends in a question mark, a colon or a gap to fill in."""
    return _STEM_END.search(text.rstrip()[-_TAIL:]) is not None


def has_gap(text: str) -> bool:
    """Whether something is left open to be filled in: ( ), ____, 【 】."""
    return _GAP.search(text) is not None


def plain_lines(text: str) -> OptionList | None:
    """Options without marks, each on a line of its own below the stem; `None` when the lines do not look like that."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    place = next((at for at, line in enumerate(lines) if asks_at_end(line) or has_gap(line)), len(lines))
    while place + 1 < len(lines) and _STATEMENT.match(lines[place + 1]):
        place += 1
    below = lines[place + 1 :]
    if not 2 <= len(below) <= MOST_PLAIN or sum(line[-1] in "?？:：" for line in below) * 2 >= len(below):
        return None
    if any(len(line) > LONGEST_PLAIN_LINE or _CODE.search(line) for line in below):
        return None
    bullet = _BULLET.match(below[0])
    if bullet and all(line.startswith(bullet.group()) for line in below):
        below = [line[1:].strip() for line in below]
    return _plain(_without_heading("\n".join(lines[: place + 1])), below, by_line=True) if all(below) else None


def find_dashed_alternatives(text: str) -> OptionList | None:
    """Options within a line, each after a dash or an asterisk between blanks: "...? - a stack - a queue - a tree"."""
    start = max(0, len(text) - MOST_PLAIN * LONGEST_PLAIN_LINE)
    for first in _DASH.finditer(text, start):
        stem = _without_heading(text[: first.start()])
        if asks_at_end(stem) or has_gap(stem[-LONGEST_PLAIN_ITEM:]):
            items = [one.strip() for one in re.split(rf"\s{re.escape(first.group(1))}\s", text[first.end() :])]
            return _plain(stem, items, by_line=False) if 2 < len(items) <= MOST_PLAIN and all(items) else None
    return None


def plain_alternatives(text: str) -> OptionList | None:
    """Options without marks within a line, after a colon, a dash or the question: "...: a stack, a queue or a tree"."""
    start = max(0, len(text) - MOST_PLAIN * LONGEST_PLAIN_ITEM)
    for found in _BEFORE_ALTERNATIVES.finditer(text, start):
        tail = text[found.end() :].rstrip("?？.。!！ \n").strip()
        if _NO_OPTION.search(tail) or has_gap(tail):
            continue
        for between in _BETWEEN:
            items = [one for one in between.split(tail) if one]
            if 2 <= len(items) <= MOST_PLAIN and all(len(one) <= LONGEST_PLAIN_ITEM for one in items):
                return _plain(text[: found.end()].rstrip(" -–—:：").strip(), items, by_line=False)
    return None


def _plain(stem: str, items: list[str], *, by_line: bool) -> OptionList:
    options = tuple(Option(str(place), item) for place, item in enumerate(items, 1))
    return OptionList(stem, options, "plain", whole=True, by_line=by_line, start=len(stem), last_start=len(stem))
