"""`discover`: groups of questions that several people ask and the FAQ does not answer, best first. Pure."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from serving.desk.deduplication import same_as
from serving.desk.discovery.anonymization import without_names
from serving.desk.discovery.coverage import KnownEntry, Meaning, coverage
from serving.desk.discovery.similarity import BY_MEANING, BY_WORDS, LikenessCuts, Matrix, likeness, put_together

FEWEST_PEOPLE = 2
"""Different people who must have asked before a question is proposed. A choice: one person's question is answered in
the queue, and its words stay theirs."""

MOST_QUESTIONS = 2_500
"""Different questions of a course that are compared, the newest. A choice: their distances are six million numbers."""

MOST_WORDINGS = 8
"""Wordings of a group that are shown. A choice: as many as find an approved answer (`desk/approved_answers.py`)."""

WEEK = timedelta(days=7)


@dataclass(frozen=True)
class StudentTurn:
    """One question as it was asked. `gap`, 0..1, is how far its answer fell short of being sure.

    `answer_id` is the approved answer that it got since. `is_dismissed`: a TA said that it needs no entry.
    """

    trace_id: str
    person_id: str
    question: str
    asked_at: datetime
    gap: float = 1.0
    concept_ids: tuple[str, ...] = ()
    answer_id: str | None = None
    is_dismissed: bool = False

    @property
    def is_open(self) -> bool:
        return self.answer_id is None and not self.is_dismissed


@dataclass(frozen=True)
class QuestionGroup:
    """Questions that ask the same. `question` is the most central wording, and the first of `wordings`; no names.

    `shared` is the most central wording that two people or more used, for case and marks; empty where every wording is
    one person's own.
    `count` and `people` say how often it was asked, and by how many; `last_week` and `week_before` what of that was
    lately. `coverage` is how near the FAQ is to answering it, `gap` how far the answers given fell short, both 0..1.
    `trace_ids` are the questions that wait for an entry, the newest first; `answer_id` an approved answer to one of
    the others.
    """

    question: str
    wordings: tuple[str, ...]
    count: int
    people: int
    last_week: int
    week_before: int
    coverage: float
    gap: float
    concept_ids: tuple[str, ...]
    trace_ids: tuple[str, ...]
    answer_id: str | None = None
    shared: str = ""

    @property
    def trend(self) -> int:
        """How much more it was asked in the last week than in the one before."""
        return self.last_week - self.week_before

    @property
    def weight(self) -> float:
        """What the list is sorted by: by how many it was asked, and how badly it is answered now."""
        return self.people * self.gap * (1 - self.coverage)


@dataclass(frozen=True)
class _Wording:
    """One question with everybody who asked it in these words, but for case and marks, by which it has its `key`."""

    key: str
    text: str
    asked: tuple[StudentTurn, ...]


def discover(
    asked: Collection[StudentTurn],
    entries: Sequence[KnownEntry],
    *,
    now: datetime,
    meaning: Meaning | None = None,
    cuts: LikenessCuts | None = None,
) -> list[QuestionGroup]:
    """The groups of one course's questions, the most pressing first; the same for any order of what was asked."""
    wordings = _wordings(asked)
    if not wordings:
        return []
    cuts = cuts or (BY_WORDS if meaning is None else BY_MEANING)
    texts = [wording.text for wording in wordings]
    vectors = meaning.encode(texts) if meaning is not None else None
    concepts = [_concepts(wording.asked) for wording in wordings]
    cosines = likeness(texts, vectors, words=cuts.words, concepts=concepts)
    grouped = put_together(cosines, cuts.apart)
    matches = meaning.match(vectors) if meaning is not None and vectors is not None and entries else None
    covered = [one / cuts.known for one in coverage(grouped, texts, entries, matches, words=cuts.entry_words)]
    stored = {same_as(None, entry.question) for entry in entries}
    found = [
        _group([wordings[place] for place in _central_first(places, cosines)], known, now)
        for places, known in zip(grouped, covered, strict=True)
        if known < 1 and _is_proposed([wordings[place] for place in places], stored)
    ]
    return sorted(found, key=lambda group: (-group.weight, group.question, group.trace_ids))


def _wordings(asked: Collection[StudentTurn]) -> list[_Wording]:
    """Each different question once, worded as it was asked first; those that were asked last are kept."""
    same: dict[str, list[StudentTurn]] = {}
    for one in sorted(asked, key=lambda one: (one.asked_at, one.trace_id)):
        same.setdefault(same_as(None, one.question), []).append(one)
    newest = sorted(same.items(), key=lambda pair: (pair[1][-1].asked_at, pair[0]), reverse=True)[:MOST_QUESTIONS]
    return [_Wording(key, each[0].question, tuple(each)) for key, each in sorted(newest)]


def _concepts(asked: Collection[StudentTurn]) -> list[str]:
    return sorted({concept for one in asked for concept in one.concept_ids})


def _is_proposed(wordings: Sequence[_Wording], stored: Collection[str]) -> bool:
    """Whether none of them is an entry's own question, and enough people ask it who were neither answered nor
    dismissed: so what was dismissed comes back as soon as enough others ask it."""
    asking = {one.person_id for wording in wordings for one in wording.asked if one.is_open}
    return len(asking) >= FEWEST_PEOPLE and all(wording.key not in stored for wording in wordings)


def _central_first(places: Sequence[int], cosines: Matrix) -> list[int]:
    """The places of a group, those most like all others of it first."""
    closeness: Mapping[int, float] = {place: float(cosines[place, list(places)].sum()) for place in places}
    return sorted(places, key=lambda place: (-round(closeness[place], 6), place))


def _group(wordings: Sequence[_Wording], covered: float, now: datetime) -> QuestionGroup:
    asked = [one for wording in wordings for one in wording.asked]
    open_turns = sorted(
        (one for one in asked if one.is_open), key=lambda one: (one.asked_at, one.trace_id), reverse=True
    )
    answers = Counter(one.answer_id for one in asked if one.answer_id is not None)
    counted = Counter(concept for one in asked for concept in one.concept_ids)
    texts = tuple(dict.fromkeys(without_names(wording.text) for wording in wordings))[:MOST_WORDINGS]
    return QuestionGroup(
        question=texts[0],
        wordings=texts,
        count=len(asked),
        people=len({one.person_id for one in asked}),
        last_week=sum(now - WEEK < one.asked_at <= now for one in asked),
        week_before=sum(now - 2 * WEEK < one.asked_at <= now - WEEK for one in asked),
        coverage=round(covered, 4),
        gap=round(sum(one.gap for one in open_turns) / len(open_turns), 4),
        concept_ids=tuple(sorted(counted, key=lambda concept: (-counted[concept], concept))),
        trace_ids=tuple(one.trace_id for one in open_turns),
        answer_id=min(answers, key=lambda each: (-answers[each], each or ""), default=None),
        shared=next((without_names(one.text) for one in wordings if len({by.person_id for by in one.asked}) > 1), ""),
    )
