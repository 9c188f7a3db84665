"""Terms as schedules and students name them, in order, and which of them is the next. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

_SEASONS = (
    (1, r"winter|冬季?|寒假"),
    (2, r"spring|春季?|第二学期|下半学年"),
    (6, r"summer|夏季?|暑期|暑假"),
    (9, r"fall|autumn|秋季?|第一学期|上半学年"),
)
"""The month in which each usually begins, of which only the order matters here."""
_SEASON = re.compile("|".join(f"(?P<m{month}>{names})" for month, names in _SEASONS), re.IGNORECASE)
_ACADEMIC = re.compile(r"(20\d\d)\s*(?:-|–|/|至|到)\s*(?:20)?(\d\d)(?!\d)")
_YEAR = re.compile(
    r"(?<!\d)(20\d\d)(?!\d)"
    r"|\b(?:winter|spring|summer|fall|autumn)(?: term| semester)? ?['’]?(\d\d)(?!\d|[:.%]|\s*(?:am|pm|credits?))",
    re.IGNORECASE,
)
_AUTUMN = 9


@dataclass(frozen=True)
class AcademicTerm:
    """A term by its `label`; `month` is when it usually begins, `None` where the label does not say, nor the `year`."""

    label: str
    month: int | None = None
    year: int | None = None

    @property
    def begins(self) -> tuple[int, int]:
        return (self.year or 0, self.month or 0)

    def fits(self, asked: "AcademicTerm") -> bool:
        """Whether a student names this term: by its label, or by season and year as far as they are said."""
        if self.label.casefold() in asked.label.casefold():
            return True
        if asked.month is None and asked.year is None:
            return False
        return (asked.month in (None, self.month)) and (asked.year in (None, self.year))


def read_term(text: str) -> AcademicTerm:
    """The term that a text names, as far as it names one. In "2026-2027" autumn is of the first year."""
    found = _SEASON.search(text)
    month = int((found.lastgroup or "m0")[1:]) if found is not None else None
    if academic := _ACADEMIC.search(text):
        first = int(academic[1])
        return AcademicTerm(text, month, first if month in (None, _AUTUMN) else first + 1)
    year = _YEAR.search(text)
    return AcademicTerm(text, month, int(year[1] or f"20{year[2]}") if year else None)


def terms_in(labels: Iterable[str]) -> tuple[AcademicTerm, ...]:
    """The terms of a schedule, the earliest first; those that do not say when they are keep their order, in front."""
    return tuple(sorted((read_term(label) for label in dict.fromkeys(labels)), key=lambda term: term.begins))


def next_term(terms: Sequence[AcademicTerm], today: date | None) -> AcademicTerm | None:
    """The first term that begins in a later month than today's; the last one when none does.

    `None` where that cannot be told: terms without a year, or without a day to count from.
    """
    if len(terms) == 1:
        return terms[0]
    if today is None or any(term.year is None or term.month is None for term in terms):
        return None
    ahead = [term for term in terms if term.begins > (today.year, today.month)]
    return ahead[0] if ahead else terms[-1]


def is_over(term: AcademicTerm, today: date | None) -> bool:
    """Whether a term began in an earlier month, or in this one."""
    return today is not None and term.year is not None and term.begins <= (today.year, today.month)
