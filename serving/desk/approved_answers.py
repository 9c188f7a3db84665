"""`Approved`: a reviewed answer as it is matched and served, with every wording it answers. Read from the store."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from serving.index.analysis import content_terms
from serving.index.schema import Entry
from serving.store.tables.review import ReviewedAnswer, TaQuestion

Stamp = tuple[object, ...]

PREFIX = "ta-"
"""Before the id of a reviewed answer it makes the `origin_id` of its entry in the FAQ."""

MOST_WORDINGS = 8
"""Questions besides its own by which an answer is found. A choice: they are the same but for case and marks, unless
the TA worded the question anew."""


_AT_ONCE = 500


@dataclass(frozen=True)
class ApprovedWording:
    """A question in one wording; `terms` are what it is matched by."""

    text: str
    terms: tuple[str, ...]


@dataclass(frozen=True)
class Approved:
    """An entry with the questions that it answers, its own first."""

    entry: Entry
    wordings: tuple[ApprovedWording, ...]


@dataclass(frozen=True)
class Decisions:
    """All that TAs decided. `replaced` and `withdrawn` are entries of the FAQ that are not to be served, `stale` those
    to be served with a note, each by course and `origin_id`.
    """

    approved: Mapping[str, Approved]
    replaced: frozenset[tuple[str, str]] = frozenset()
    withdrawn: frozenset[tuple[str, str]] = frozenset()
    stale: frozenset[tuple[str, str]] = frozenset()
    made_of: Mapping[str, tuple[int, Sequence[str]]] | None = None
    """Version and wordings of each approved answer, by which it is known to be the same."""

    @property
    def by_course(self) -> Mapping[str, Sequence[Approved]]:
        """The approved answers of each course; "" for those of none."""
        found: dict[str, list[Approved]] = defaultdict(list)
        for one in self.approved.values():
            found[one.entry.course_id or ""].append(one)
        return found


NONE = Decisions({})


def stamp(db: Session) -> Stamp:
    """What is another one after every decision: one row, and the ids of those that are stale, for of two answers one
    may become stale while the other becomes whole again."""
    stale = db.scalars(select(ReviewedAnswer.answer_id).where(ReviewedAnswer.is_stale)).all()
    asked = select(func.count()).where(TaQuestion.state == "answered").scalar_subquery()
    newest = func.max(ReviewedAnswer.updated_at)
    counted = db.execute(select(func.count(), func.sum(ReviewedAnswer.version), newest, asked)).one()
    return (*counted, *sorted(stale))


def read_decisions(db: Session, last: Decisions = NONE) -> Decisions:
    """All decisions. The texts of what is in `last` already are neither read nor analysed again."""
    row = ReviewedAnswer
    facts = db.execute(
        select(row.answer_id, row.course_id, row.version, row.state, row.is_stale, row.replaces).order_by(row.answer_id)
    ).all()
    live = [each for each in facts if each.state == "approved"]
    asked = _wordings(db)
    made_of = {each.answer_id: (each.version, asked.get(each.answer_id, ())) for each in live}
    before = last.made_of or {}
    kept = {key: one for key, one in last.approved.items() if key in made_of and before.get(key) == made_of[key]}
    new = {one.answer_id: _to_approved(one, asked.get(one.answer_id, ())) for one in _texts(db, made_of.keys() - kept)}
    return Decisions(
        {key: one for key in made_of if (one := kept.get(key) or new.get(key)) is not None},
        replaced=frozenset((each.course_id, each.replaces) for each in live if each.replaces),
        withdrawn=frozenset(
            (each.course_id, f"{PREFIX}{each.answer_id}") for each in facts if each.state != "approved"
        ),
        stale=frozenset((each.course_id, f"{PREFIX}{each.answer_id}") for each in live if each.is_stale),
        made_of=made_of,
    )


def _texts(db: Session, ids: Collection[str]) -> Iterator[ReviewedAnswer]:
    """The answers with these ids, some at a time: databases limit how many a query may name."""
    listed = sorted(ids)
    for start in range(0, len(listed), _AT_ONCE):
        some = listed[start : start + _AT_ONCE]
        yield from db.scalars(select(ReviewedAnswer).where(ReviewedAnswer.answer_id.in_(some)))


def entry_id(course_id: str, origin_id: str) -> str:
    """The id that the pair has in the index too, once the pipeline has taken the answer up (`dbt/.../qa_pairs.sql`)."""
    return hashlib.md5(f"faq|{course_id}|{origin_id}".encode(), usedforsecurity=False).hexdigest()


def _wordings(db: Session) -> Mapping[str, Sequence[str]]:
    """How students asked what was answered, each wording once, oldest first."""
    asked = select(TaQuestion.answer_id, TaQuestion.question).where(
        TaQuestion.state == "answered", TaQuestion.reason != "source_changed", TaQuestion.answer_id.is_not(None)
    )
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for row in db.execute(asked.order_by(TaQuestion.created_at, TaQuestion.question_id)):
        if len(found[row.answer_id]) < MOST_WORDINGS:
            found[row.answer_id][row.question] = None
    return {answer_id: tuple(texts) for answer_id, texts in found.items()}


def _to_approved(row: ReviewedAnswer, asked: Sequence[str]) -> Approved:
    origin_id = f"{PREFIX}{row.answer_id}"
    entry = Entry(
        entry_id=entry_id(row.course_id, origin_id),
        kind="qa",
        source="faq",
        course_id=row.course_id,
        lang=row.lang,
        title=row.question,
        text=row.answer,
        origin_id=origin_id,
        reviewer=row.reviewer,
    )
    distinct: dict[frozenset[str], ApprovedWording] = {}
    for text in (row.question, *asked):
        terms = tuple(content_terms(text))
        distinct.setdefault(frozenset(terms), ApprovedWording(text, terms))
    return Approved(entry, tuple(distinct.values()))
