"""`GradedWork`: the rules of some courses about graded work, as they hold now; the one place that every door asks.

Answers come by `Assistant`, whatever the protocol, and ask `judge`; look-ups of the material, by REST and by MCP, ask
`ruling_over`. What these return is shown without the text of an item, which the course's staff alone read
(`assessments_of`).
"""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from functools import lru_cache

import structlog

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import GradedItem, Lang, from_row
from knowledge_graph.lake.tables import read_rows
from models.embedding.by_language import ByLanguage
from models.embedding.embedder import Embedder, EmbeddingFailed
from serving.assistant.graded_work.assessments import Assessment, gather_assessments, rule_state
from serving.assistant.graded_work.recognition import (
    Encode,
    Fingerprint,
    ItemMatch,
    KnownItem,
    Vectors,
    best_match,
    fingerprints,
    marks_of,
    measure_pasted_share,
    pieces_of,
)
from serving.assistant.graded_work.sessions import RuledMessage, Ruling, SubjectOf, judge
from serving.llm.messages import Message

log = structlog.get_logger(__name__)

Clock = Callable[[], datetime]
"""The time now, with its zone."""

REMEMBERED = 512
"""Texts whose fingerprints are kept: those of a session are compared again at each of its turns. A choice."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class GradedWork:
    """The items of some courses. Safe to share between threads."""

    def __init__(
        self, items: Sequence[GradedItem] = (), *, embedder: Embedder | None = None, now: Clock = utc_now
    ) -> None:
        """Without `embedder` items are recognised by their wording alone."""
        self._encode = None if embedder is None else encode_by(embedder)
        marks = fingerprints([one.text for one in items], self._encode)
        self._known = tuple(KnownItem(item, mark) for item, mark in zip(items, marks, strict=True))
        self._now = now
        self._marks = lru_cache(REMEMBERED)(self._marks_of)

    @classmethod
    def load(cls, data_dir: DataDir, *, embedder: Embedder | None = None, now: Clock = utc_now) -> "GradedWork":
        """The items of every course of a home."""
        rows = [row for path in data_dir.tables("graded_items") for row in read_rows(path)]
        return cls([from_row(GradedItem, row) for row in rows], embedder=embedder, now=now)

    def within(self, course_ids: Collection[str]) -> "GradedWork":
        """The items of these courses alone."""
        found = GradedWork(now=self._now)
        found._encode = self._encode
        found._known = tuple(one for one in self._known if one.item.course_id in course_ids)
        return found

    @property
    def holds_now(self) -> bool:
        """Whether a rule is in force; without one nothing needs to be compared."""
        return bool(self._in_force())

    def assessments_of(self, course_id: str) -> tuple[Assessment, ...]:
        """The graded work of a course, for its staff."""
        return gather_assessments((one.item for one in self._known if one.item.course_id == course_id), self._now())

    def judge(
        self, question: str, history: Sequence[Message], *, subject_of: SubjectOf, instructions: str = ""
    ) -> RuledMessage:
        """The rule that a question stands under, asked after what was said before, oldest first, and what of that may
        be context. What an application instructs counts as said at the very beginning."""
        before = [Message("assistant", instructions)] if instructions else []
        judged = judge(
            question,
            [*before, *history],
            recognise=self._recognise,
            find_pasted=self._find_pasted,
            subject_of=subject_of,
        )
        return RuledMessage(judged.ruling, tuple(one for one in judged.history if one not in before))

    def ruling_over(self, text: str) -> Ruling | None:
        """The rule that a text stands under by itself."""
        match = self._recognise(text)
        return None if match is None or not match.is_item else Ruling(match.known.item, 1, match.by)

    def _in_force(self) -> list[KnownItem]:
        now = self._now()
        return [one for one in self._known if is_in_force(one.item, now)]

    def _recognise(self, text: str) -> ItemMatch | None:
        items = self._in_force()
        return best_match(self._marks(text), items) if items else None

    def _find_pasted(self, text: str) -> GradedItem | None:
        mark = fingerprints(pieces_of(text)[:1], None)[0]
        return next((one.item for one in self._in_force() if measure_pasted_share(mark, one.mark) > 0), None)

    def _marks_of(self, text: str) -> list[Fingerprint]:
        return marks_of(text, self._known, self._encode)


NO_RULES = GradedWork()


def is_in_force(item: GradedItem, now: datetime) -> bool:
    """Whether the rule over an item holds now."""
    return rule_state(item.opens, item.closes, now) == "in_force"


def encode_by(embedder: Embedder) -> Encode:
    """What compares texts by an embedder, in the languages that it knows; nothing while its server fails."""

    def encode(texts: Sequence[str], lang: Lang) -> Vectors | None:
        if lang not in embedder.languages:
            return None
        try:
            return embedder.encode_by(lang, texts) if isinstance(embedder, ByLanguage) else embedder.encode(texts)
        except EmbeddingFailed as error:
            log.warning("graded_work_compared_by_words_alone", reason=str(error))
            return None

    return encode
