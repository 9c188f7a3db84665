"""The ratings of one answer brought together: which rows of several raters' files mean the same answer.

Files may be in another order, and may hold a question twice. Pure.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from serving.evaluation.ratings.human_ratings import RatedFile, RatedRow, RatedSystem

Key = tuple[str, ...]


@dataclass
class RatedAnswer:
    """One answer and the rows of those who rated it, by rater."""

    part: str
    rows: dict[str, RatedRow] = field(default_factory=dict)

    @property
    def row(self) -> RatedRow:
        """Any of the rows, for what they share: course, category, conversation."""
        return next(iter(self.rows.values()))

    def scores(self, aspect: int) -> list[int]:
        """The possible ratings of an aspect, in order of rater."""
        given = (self.rows[rater].scores[aspect] for rater in sorted(self.rows))
        return [score for score in given if score is not None]


def answers_of(system: RatedSystem) -> tuple[RatedAnswer, ...]:
    """Every answer of a system, part by part."""
    return tuple(answer for part, files in system.parts().items() for answer in join(part, files))


def join(part: str, files: Sequence[RatedFile]) -> list[RatedAnswer]:
    """Rows of the same course, question and answer are one answer; then, of those left alone, of the same course and
    question. The second row with the same words is the second such answer of every file.

    A row without question and answer is joined to no other.
    """
    found: dict[Key, RatedAnswer] = {}
    for file in files:
        for key, row in _with_keys(file):
            found.setdefault(key, RatedAnswer(part)).rows[file.rater] = row
    whole = [answer for answer in found.values() if len(answer.rows) == len(files)]
    return whole + _join_by_question([answer for answer in found.values() if len(answer.rows) < len(files)])


def _with_keys(file: RatedFile) -> list[tuple[Key, RatedRow]]:
    seen: Counter[Key] = Counter()
    keyed: list[tuple[Key, RatedRow]] = []
    for place, row in enumerate(file.rows):
        words: Key = (row.course, row.question, row.answer)
        if not (row.question or row.answer):
            words = (file.rater, str(place), "")
        seen[words] += 1
        keyed.append(((*words, str(seen[words])), row))
    return keyed


def _join_by_question(lonely: Sequence[RatedAnswer]) -> list[RatedAnswer]:
    """Each into the first answer to the same question that has no row of its raters yet."""
    joined: defaultdict[Key, list[RatedAnswer]] = defaultdict(list)
    for answer in lonely:
        row = answer.row
        same = joined[row.course, row.question] if row.question else []
        other = next((one for one in same if not one.rows.keys() & answer.rows.keys()), None)
        if other is not None:
            other.rows.update(answer.rows)
        elif row.question:
            same.append(answer)
        else:
            joined["", str(len(joined))].append(answer)
    return [answer for answers in joined.values() for answer in answers]
