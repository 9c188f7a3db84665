"""Ratings that this home's experts gave on the form `aspects`, as a rated system beside the published ones. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from serving.evaluation.ratings.human_ratings import ASPECTS, VALUES, RatedFile, RatedRow, RatedSystem

NAME = "coteach"

Row = Mapping[str, Any]


def own_system(
    ratings: Sequence[Row], turns: Sequence[Row], categories: Mapping[str, str] | None = None
) -> RatedSystem | None:
    """Rows of `lake.LOG_RATINGS` and `lake.LOG_TURNS` as the system "coteach"; `None` when nobody used the form.

    `categories` has the letter of each course (`rating_categories.category_of`). Each expert is a rater. What
    rows are not independent within is the session in which the answer was given.
    """
    asked = {turn["trace_id"]: turn for turn in turns}
    given: defaultdict[str, defaultdict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for one in ratings:
        if one["form"] == "aspects":
            given[one["rater"]][one["trace_id"]][one["item"]] = one["value"]
    files = [_file(rater, of_rater, asked, categories or {}) for rater, of_rater in sorted(given.items())]
    return RatedSystem(NAME, tuple(files)) if files else None


def _file(
    rater: str, given: Mapping[str, Mapping[str, str]], asked: Mapping[str, Row], categories: Mapping[str, str]
) -> RatedFile:
    rows = tuple(_row(trace_id, values, asked.get(trace_id), categories) for trace_id, values in sorted(given.items()))
    content = sha256(repr((rater, rows)).encode()).hexdigest()
    return RatedFile(f"ratings of {rater}", "", rater, content, rows)


def _row(trace_id: str, values: Mapping[str, str], turn: Row | None, categories: Mapping[str, str]) -> RatedRow:
    """The trace is what raters' rows are joined by; the question's words are not needed."""
    course_id = (turn["course_id"] if turn else None) or ""
    scores = tuple(_score(values.get(aspect)) for aspect in ASPECTS)
    return RatedRow(
        conversation=(turn["session"] if turn else None) or trace_id,
        category=categories.get(course_id, ""),
        course=course_id,
        question=trace_id,
        answer=trace_id,
        scores=scores,
        written=tuple(None if score is None else float(score) for score in scores),
    )


def _score(value: str | None) -> int | None:
    return int(value) if value in {str(one) for one in VALUES} else None
