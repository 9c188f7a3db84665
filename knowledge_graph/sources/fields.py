"""Rows from people: looking up a field by any of its usual names, and telling what is wrong with a row."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from knowledge_graph.lake.problems import Problem, Severity

Fields = Mapping[str, tuple[str, ...]]
"""Our name of a field -> the names it goes by, the usual first."""

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")  # without blanks and line breaks

_RUN_BY_BROWSERS = re.compile(
    r"<\s*(script|iframe|embed|object)\b|<[a-z][^<>]{0,400}?[\s/\"'](on[a-z]{3,20})\s*=", re.IGNORECASE
)
"""An element that runs, or another one with an attribute that does: `<img src=x onerror=…>`."""
_RUN_BY_LINKS = re.compile(r"(?:\]\(|href\s*=|src\s*=)[\s<\"']{0,9}((?:javascript|vbscript):)", re.IGNORECASE)
"""A link, in Markdown or HTML, that runs what it holds: `[here](javascript:…)`."""
_FORMULA = re.compile(r"\s*[=@]\s*(?:([A-Z][A-Z0-9.]+)\s*\(|(\w+)\|')")
"""What a spreadsheet would work out or run: `=HYPERLINK("…")`, `=cmd|'/C …'!A0`. A sum in a text has no such name."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_ADDRESSES = ("url",)
_NAN = re.compile(r"\.?nan", re.IGNORECASE)

LONGEST_QUESTION = 2_000
"""Characters of a question, query or headline. More is a text in the wrong place."""
LONGEST_TEXT = 50_000
"""Characters of an answer or text. More is a whole document, and would be cited as one."""


@dataclass
class ProblemLog:
    """Problems met so far; `file` is the one being read."""

    file: str = ""
    problems: list[Problem] = field(default_factory=list)

    def error(self, line: int | None, message: str, remedy: str) -> None:
        """Something was left out."""
        self._add(line, message, remedy, "error")

    def has_errors(self) -> bool:
        """Whether an error of the file being read was reported."""
        return any(problem.file == self.file and problem.severity == "error" for problem in self.problems)

    def warning(self, line: int | None, message: str, remedy: str) -> None:
        """Something was repaired, or is doubtful."""
        self._add(line, message, remedy, "warning")

    def _add(self, line: int | None, message: str, remedy: str, severity: Severity) -> None:
        """Messages quote what files hold, and half a character can be neither stored nor printed."""
        self.problems.append(Problem(self.file, line, whole_characters(message), remedy, severity))


def lower_keys(row: Mapping[object, object]) -> dict[str, object]:
    """The row with its names as we compare them: lower case, no blanks around, `_` for blanks and hyphens."""
    return {
        whole_characters(str(key)).strip().lower().replace(" ", "_").replace("-", "_"): value
        for key, value in row.items()
    }


def texts_of(row: Mapping[str, object], names: Fields, line: int | None, log: ProblemLog) -> dict[str, str | None]:
    """The text of each of our fields (see `text_of`) as it can be kept and shown (see `repair`, `_address`)."""
    filled = {key: value for key, value in row.items() if not is_nan(value)}
    found = {name: text_of(filled, known) for name, known in names.items()}
    tell_nan(row, {name: known for name, known in names.items() if found[name] is None}, line, log)
    whole = {name: text and repair(name, text, line, log) for name, text in found.items()}
    return whole | {name: _address(name, whole[name], line, log) for name in _ADDRESSES if name in whole}


def _address(name: str, text: str | None, line: int | None, log: ProblemLog) -> str | None:
    """An address of the web; another one, such as `javascript:`, is left out and told: a page would run it."""
    scheme, colon, _ = (text or "").partition(":")
    if not colon or not _SCHEME.fullmatch(scheme.strip()) or scheme.strip().lower() in ("http", "https"):
        return text
    log.warning(
        line, f"'{name}' is no address of the web but {scheme.strip()}:…; it was left out.", "Write http(s)://…"
    )
    return None


def repair(name: str, text: str, line: int | None, log: ProblemLog) -> str:
    """The text with whole characters and without control characters, and a warning in `log` for what was repaired."""
    whole = whole_characters(text)
    if whole.count("\N{REPLACEMENT CHARACTER}") > text.count("\N{REPLACEMENT CHARACTER}"):
        message = f"'{name}' holds half a character; it was replaced by \N{REPLACEMENT CHARACTER}."
        log.warning(line, message, "Write the character out, or remove what is left of it.")
    if control_characters(whole):
        whole = without_controls(f"'{name}'", whole, line, log).strip()
    if named := run_by_browsers(whole):
        message = f"'{name}' holds markup that browsers run ({named}); it is shown as text."
        log.warning(line, message, "Remove it, unless it is what is taught.")
    if formula := _FORMULA.match(whole):
        message = f"'{name}' is a spreadsheet's formula ({formula[1] or formula[2]}); it is shown as text."
        log.warning(line, message, "Write what it comes to, unless it is what is taught.")
    return whole


def without_controls(what: str, text: str, line: int | None, log: ProblemLog) -> str:
    """The text without control characters, and a warning in `log` that `what` held some."""
    if named := control_characters(text):
        log.warning(line, f"{what} holds control characters ({named}); they were taken out.", "Remove them.")
    return plain(text)


def plain(text: str) -> str:
    """The text without control characters."""
    return _CONTROL.sub("", text)


def tell_nan(row: Mapping[str, object], names: Fields, line: int | None, log: ProblemLog) -> None:
    """A warning for each of the fields that holds what programs write for an empty cell."""
    for name, known in names.items():
        if found := next((str(row[each]).strip() for each in known if is_nan(row.get(each))), None):
            log.warning(line, f"'{name}' is {found}, which is no text; it was taken as empty.", "Leave it empty.")


def is_nan(value: object) -> bool:
    """Whether a value is a number that is none, or the word for it: `NaN`, `Infinity`, "nan", ".nan"."""
    if isinstance(value, str):
        return _NAN.fullmatch(value.strip()) is not None
    return isinstance(value, float) and not math.isfinite(value)


def control_characters(text: str) -> str:
    """Those in a text, `U+0000, U+0007`; blanks and line breaks are none."""
    return ", ".join(f"U+{ord(each):04X}" for each in sorted(set(_CONTROL.findall(text))))


def run_by_browsers(text: str) -> str:
    """What in a text a browser would run if it were markup: `javascript:, onerror, script`."""
    found = {link.lower() for link in _RUN_BY_LINKS.findall(text)} if ":" in text else set()
    if "<" in text:
        found |= {(element or handler).lower() for element, handler in _RUN_BY_BROWSERS.findall(text)}
    return ", ".join(sorted(found))


def whole_characters(text: str) -> str:
    """Surrogates in pairs become the character they stand for, a lone one U+FFFD: it cannot be stored or printed."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def excess(name: str, text: str, limit: int) -> str | None:
    """What is too long about a text, `None` when nothing is. Limits and lengths are characters."""
    return f"its {name} has {len(text):,} characters, the limit is {limit:,}" if len(text) > limit else None


def text_of(row: Mapping[str, object], names: Sequence[str]) -> str | None:
    """The first of `names` that holds text, trimmed; `None` when none does. Lists are joined by line breaks.

    A number that is none (JSON's `NaN`, a spreadsheet's empty cell) is no text.
    """
    for name in names:
        value = row.get(name)
        if isinstance(value, list):
            value = "\n".join(str(item) for item in value if _is_text(item))
        if isinstance(value, date):
            return value.isoformat()
        if _is_text(value) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))


def to_date(text: str) -> str | None:
    """An ISO 8601 date (or date and time) from the ways people write one; `None` when it is none of them."""
    try:
        return datetime.fromisoformat(text).isoformat() if len(text) > 10 else date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    for form in ("%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日", "%d %B %Y", "%B %d, %Y"):
        try:
            return datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a date has no time zone
        except ValueError:
            continue
    return None
