"""`StudentQuestion`: a question with what a right answer must say, must not say and must cite, and its reader."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from knowledge_graph.lake.problems import CoteachError

Split = Literal["dev", "unseen"]
FLAGS = re.IGNORECASE | re.DOTALL
_REQUIRED = ("id", "course", "lang", "kind", "question", "answerable", "must", "must_not", "cite")


class QuestionsBroken(CoteachError):
    """A file of student questions cannot be used; the message names file, line and what is wrong."""


@dataclass(frozen=True)
class CitablePlace:
    """One place that a right answer may cite: a stretch of a video, a FAQ entry, a document or its article, a page, an
    address, or the course's card."""

    video: str | None = None
    start: float = 0.0
    end: float = float("inf")
    faq: str | None = None
    document: str | None = None
    article: str | None = None
    url: str | None = None
    page: str | None = None
    card: bool = False


@dataclass(frozen=True)
class StudentQuestion:
    """`must` and `must_not` are regular expressions over the answer's text; `history` are the student's turns before.

    `answerable` is whether the course's material answers it; if not, the right answer says so. `split` is `unseen` for
    those that nobody looked at while the product was developed.
    """

    question_id: str
    course_id: str
    lang: str
    kind: str
    question: str
    history: tuple[str, ...]
    answerable: bool
    must: tuple[re.Pattern[str], ...]
    must_not: tuple[re.Pattern[str], ...]
    cite: tuple[CitablePlace, ...]
    split: Split


def read_student_questions(path: Path, split: Split) -> list[StudentQuestion]:
    """The questions of a JSON lines file. Raises `QuestionsBroken` for a line that cannot be used."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                found.append(_question(json.loads(line), split))
            except (KeyError, TypeError, ValueError, re.error) as error:
                raise QuestionsBroken(
                    f"{path.name}:{number}: expected a question with {', '.join(_REQUIRED)}; found {error!r}. Mend "
                    f"the line."
                ) from error
    return found


def _question(row: Mapping[str, Any], split: Split) -> StudentQuestion:
    return StudentQuestion(
        question_id=row["id"],
        course_id=row["course"],
        lang=row["lang"],
        kind=row["kind"],
        question=row["question"],
        history=tuple(row.get("history") or ()),
        answerable=bool(row["answerable"]),
        must=_patterns(row["must"]),
        must_not=_patterns(row["must_not"]),
        cite=tuple(_place(one) for one in row["cite"]),
        split=split,
    )


def _patterns(texts: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text, FLAGS) for text in texts)


_OF_A_PLACE = frozenset({"video", "from", "to", "faq", "document", "article", "url", "page", "card"})


def _place(row: Mapping[str, Any]) -> CitablePlace:
    """Raises `ValueError` for a field that no place has: a stretch that is not read would be the whole lecture."""
    if unknown := sorted(row.keys() - _OF_A_PLACE):
        raise ValueError(f"a place has {', '.join(sorted(_OF_A_PLACE))}, and no {', '.join(unknown)}")
    return CitablePlace(
        video=row.get("video"),
        start=float(row.get("from", 0)),
        end=float(row.get("to", "inf")),
        faq=row.get("faq"),
        document=row.get("document"),
        article=row.get("article"),
        url=row.get("url"),
        page=row.get("page"),
        card=bool(row.get("card")),
    )


SPLITS: tuple[Split, ...] = get_args(Split)
