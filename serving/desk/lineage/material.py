"""The current text of the material, by the ids that answers keep of their sources."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from sqlalchemy import select
from sqlalchemy.orm import Session

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import CARD_DOCUMENT
from serving.assistant.composing.card import quotes_of_card
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.material import join_material_lines, line_of
from serving.assistant.composing.summary import sentences_of_summary, summary_text
from serving.desk.course_tables import CourseTables
from serving.desk.lineage.quotable_texts import QuotableTexts, text_digest
from serving.index.schema import KINDS
from serving.index.search import SearchIndex
from serving.store.tables.conversation import RestsOn
from serving.store.tables.review import ReviewedAnswer

MOST_QUOTED = 12
"""Neighbouring sentences of a lecture that an answer quotes, at most."""

State = Literal["same", "changed", "gone"]
"""A source compared with when an answer was given: same text, another text, or no longer there under its id (a passage
whose words change gets another id) nor, where it is of a lecture or document, anywhere in that."""

REVIEWED = "ta-"
"""Beginning of the `origin_id` of an answer that a TA approved."""


@dataclass(frozen=True)
class IndexedMaterial:
    """An index version, the graph and the lectures beside it; `reviewed` holds approved answers by their
    `origin_id`."""

    index: SearchIndex
    graph: ConceptGraph
    reviewed: Mapping[str, str] = field(default_factory=dict)
    lectures: CourseLectureIndex = field(default_factory=CourseLectureIndex)

    def text_of(self, piece: RestsOn) -> str | None:
        """The text that stands under the piece's id now; `None` when nothing does."""
        for kind in KINDS:
            for entry in self.index.entries(kind, [piece.entry_id]):
                return entry.text
        if piece.origin_id is not None and piece.origin_id in self.reviewed:
            return self.reviewed[piece.origin_id]
        if piece.entry_id in self.graph:
            return self.graph.definition(piece.entry_id)
        return self._moment(piece) or self._sentences(piece) or self._card(piece)

    def _card(self, piece: RestsOn) -> str | None:
        """What the course's card says: what an answer quotes of it, or else whom it names."""
        card = next((one for one in self.graph.courses if piece.entry_id == f"{one.course_id}/{CARD_DOCUMENT}"), None)
        if card is None:
            return None
        texts = quotes_of_card(card)
        return next((text for text in texts if text_digest(text) == piece.text_sha256), texts[0])

    def _sentences(self, piece: RestsOn) -> str | None:
        """What a lecture says from where a composed answer quotes it: the sentences whose words are the quoted ones, or
        else the first there."""
        lecture = self.lectures.of(piece.course_id).by_id.get(piece.video_id or "")
        if lecture is None or piece.entry_id != f"{piece.video_id}@{piece.start_ms}":
            return None
        found = [place for place, one in enumerate(lecture.sentences) if one.start_ms == piece.start_ms]
        texts = [
            join_material_lines(
                [line_of(one) for one in lecture.sentences[place : place + count]], lecture.sentences[place].lang
            )
            for place in found
            for count in range(1, MOST_QUOTED + 1)
        ]
        # Where a lecture alone is named, what is kept of it is one sentence as it stands there, or its title; where it
        # is summarised, the sentences of its summary.
        texts += [lecture.sentences[place].text for place in found]
        if 0 in found:
            summary = sentences_of_summary(lecture, self.graph, piece.course_id)
            texts += [lecture.title, summary_text(summary)]
        return next((text for text in texts if text_digest(text) == piece.text_sha256), texts[0] if texts else None)

    def _moment(self, piece: RestsOn) -> str | None:
        """Where a study hint points: a stretch of a video that is evidence of a concept."""
        if piece.origin_id not in self.graph or piece.video_id is None:
            return None
        spans = (one.span for one in self.graph.concept(str(piece.origin_id)).evidence)
        at = (piece.video_id, piece.start_ms)
        return next((span.text for span in spans if (span.video_id, span.start_ms) == at), None)

    def state(self, piece: RestsOn) -> State:
        """Whether a piece still says what it said. Composed answers show some sentences of a passage, and its id is of
        all its words: while it is there, they are."""
        text = self.text_of(piece)
        if text is not None and text_digest(text) == piece.text_sha256:
            return "same"
        if self.index.entries("passage", [piece.entry_id]) or (self._quotable and self._quotable.hold(piece)):
            return "same"
        return "gone" if text is None else "changed"

    @cached_property
    def _quotable(self) -> QuotableTexts | None:
        data_dir = self.lectures.data_dir
        return None if data_dir is None else QuotableTexts(self.lectures, CourseTables(data_dir))


def read_reviewed_texts(db: Session) -> dict[str, str]:
    """Approved answers by the `origin_id` of their entries."""
    rows = db.execute(select(ReviewedAnswer.answer_id, ReviewedAnswer.answer).where(ReviewedAnswer.state == "approved"))
    return {f"{REVIEWED}{answer_id}": answer for answer_id, answer in rows}
