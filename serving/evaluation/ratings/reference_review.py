"""What experts say of references: seven ways collapsed to relevant or not, and the share of either (Course Hero 3.1).

Belongs here: the reviews of `gold/reference_reviews.csv` of a course folder and of this home's store, and their counts.
Tables of them are in reference_tables.py. Pure but for the reader.
"""

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.files import read_text
from models.statistics.intervals import Interval, wilson
from serving.feedback.rating_forms import DONT_KNOW, IRRELEVANT, RELEVANCE, RELEVANT

FILE = Path("gold") / "reference_reviews.csv"
COLUMNS = ("question", "subject", "passage", "rating", "reviewer")
LEAST_REVIEWS = 20
"""Reviews of a subject below which nothing is said of it (Course Hero 3.2)."""

Verdict = Literal["relevant", "irrelevant", "ignored"]
_QUOTED = 60

_ENGLISH: Mapping[str, str] = {
    "计算机科学": "computer science",
    "计算机": "computer science",
    "数学": "mathematics",
    "math": "mathematics",
    "maths": "mathematics",
    "统计学": "statistics",
    "物理": "physics",
    "物理学": "physics",
    "化学": "chemistry",
    "生物学": "biology",
    "经济学": "economics",
    "管理学": "management",
    "金融学": "finance",
    "会计学": "accounting",
    "心理学": "psychology",
    "传播学": "communications",
    "历史": "history",
    "历史学": "history",
    "文学": "literature",
    "法学": "law",
}
"""One subject is one row in whichever language its courses are."""


class CountsBroken(CoteachError):
    """Counts of reviews that do not add up."""


@dataclass(frozen=True)
class ReferenceReview:
    """One expert's rating of one reference. `subject` is "" where the course names none."""

    subject: str
    value: str
    reviewer: str


@dataclass(frozen=True)
class ReviewCounts:
    """Reviews by what they come to. Raises `CountsBroken` when the parts are not the whole."""

    rated: int
    relevant: int
    irrelevant: int
    ignored: int

    def __post_init__(self) -> None:
        if self.relevant + self.irrelevant + self.ignored != self.rated:
            raise CountsBroken(
                f"Expected relevant, irrelevant and ignored reviews to be the {self.rated} rated ones; found "
                f"{self.relevant} + {self.irrelevant} + {self.ignored}."
            )

    @property
    def judgement_count(self) -> int:
        """Those whose expert knew."""
        return self.relevant + self.irrelevant

    def of_rated(self, verdict: Verdict) -> Interval:
        """The paper's shares: "I don't know" counts below the line."""
        return wilson(getattr(self, verdict), self.rated)

    def of_judged(self, verdict: Literal["relevant", "irrelevant"]) -> Interval:
        """Without those who did not know."""
        return wilson(getattr(self, verdict), self.judgement_count)


PUBLISHED = ReviewCounts(rated=1960, relevant=1378, irrelevant=433, ignored=149)
"""Course Hero, Table 4."""


def verdict_of(value: str) -> Verdict:
    """The paper's collapse: the first three ways are irrelevant, the next three relevant, "I don't know" is ignored.

    Raises `ValueError` for a value the form does not have.
    """
    if value in RELEVANT:
        return "relevant"
    if value in IRRELEVANT:
        return "irrelevant"
    if value == DONT_KNOW:
        return "ignored"
    raise ValueError(f"The form relevance has no value {value!r}.")


def count(reviews: Iterable[ReferenceReview]) -> ReviewCounts:
    """How many came to what."""
    found = Counter(verdict_of(review.value) for review in reviews)
    return ReviewCounts(found.total(), found["relevant"], found["irrelevant"], found["ignored"])


def by_subject(reviews: Sequence[ReferenceReview]) -> tuple[dict[str, ReviewCounts], int]:
    """The subjects with `LEAST_REVIEWS` reviews of experts who knew, by name, and how many subjects had fewer."""
    of_subject: defaultdict[str, list[ReferenceReview]] = defaultdict(list)
    for review in reviews:
        of_subject[review.subject].append(review)
    counts = {subject: count(listed) for subject, listed in sorted(of_subject.items()) if subject}
    enough = {subject: found for subject, found in counts.items() if found.judgement_count >= LEAST_REVIEWS}
    return enough, len(counts) - len(enough)


def read_reviews(folder: Path, log: ProblemLog) -> list[ReferenceReview]:
    """The reviews of a course folder, none when it has no such file. A row that cannot be is told and left out."""
    path = folder / FILE
    if not path.is_file():
        return []
    log.file = f"{folder.name}/{FILE.as_posix()}"
    decoded = read_text(path, log)
    if decoded is None:
        return []
    cells = csv.DictReader(io.StringIO(decoded.text, newline=""))
    try:
        return _reviews_of(cells, log)
    except csv.Error as error:
        log.error(cells.line_num, f"Expected a row of CSV; found {error}.", "Mend it; until then the file is left out.")
        return []


def _reviews_of(cells: "csv.DictReader[str]", log: ProblemLog) -> list[ReferenceReview]:
    names = [name.strip().lower() for name in cells.fieldnames or ()]
    if missing := [name for name in COLUMNS if name not in names]:
        message = f"Expected the columns {', '.join(COLUMNS)}; {', '.join(missing)} missing."
        log.error(1, message, "Add them; until then the file is left out.")
        return []
    cells.fieldnames = names
    return _reviews(cells, log)


def _reviews(cells: "csv.DictReader[str]", log: ProblemLog) -> list[ReferenceReview]:
    reviews = []
    seen: set[tuple[str, ...]] = set()
    line = cells.line_num + 1
    for row in cells:
        fields = {name: (row[name] or "").strip() for name in COLUMNS}
        value = _VALUES.get(_fold(fields["rating"]))
        same = (fields["question"], fields["passage"], fields["reviewer"])
        if value is None:
            expected = ", ".join(choice.value for choice in RELEVANCE.choices)
            message = f"Expected one of {expected}; found {fields['rating'][:_QUOTED] or 'an empty cell'}."
            log.error(line, message, "Mend the rating: the row is left out.")
        elif same in seen:
            log.error(line, "The same reviewer rates this passage of this question again.", "Keep one of the rows.")
        else:
            reviews.append(ReferenceReview(_subject(fields["subject"]), value, fields["reviewer"]))
            seen.add(same)
        line = cells.line_num + 1
    return reviews


def own_reviews(
    ratings: Sequence[Mapping[str, Any]], turns: Sequence[Mapping[str, Any]], subjects: Mapping[str, str | None]
) -> list[ReferenceReview]:
    """Ratings on the form `relevance` from rows of the store's logs; `subjects` is the subject of each course."""
    courses = {turn["trace_id"]: turn["course_id"] for turn in turns}
    given = [one for one in ratings if one["form"] == RELEVANCE.name and one["value"] in _VALUES.values()]
    return [
        ReferenceReview(_subject(subjects.get(courses.get(one["trace_id"]) or "") or ""), one["value"], one["rater"])
        for one in given
    ]


def _subject(name: str) -> str:
    """One name of a subject: in English where it is known, however its letters and blanks are written."""
    plain = " ".join(re.split(r"[\s_-]+", name.casefold())).strip()
    return _ENGLISH.get(plain, plain)


def _fold(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


_VALUES = {_fold(name): one.value for one in RELEVANCE.choices for name in (one.value, one.en, one.zh)}
