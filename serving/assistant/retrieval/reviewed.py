"""`Reviewed`: what people decided since the index was made, as the assistant sees it (serving.desk.overlay)."""

from typing import Protocol

from knowledge_graph.lake.records import Lang, Mode
from serving.assistant.retrieval.candidates import Retrieved
from serving.assistant.understanding.understand import Understanding
from serving.index.schema import Entry
from serving.index.search import SearchIndex


class Reviewed(Protocol):
    """Approved answers that no index has yet, entries that a TA replaced or withdrew, and notes of stale ones."""

    def over(
        self,
        retrieved: Retrieved,
        asked: Understanding,
        *,
        course_id: str | None,
        index: SearchIndex,
        mode: Mode | None = None,
    ) -> Retrieved:
        """What was found, with the people's decisions over it."""
        ...

    def word_for_word(self, question: str, course_id: str | None) -> Entry | None:
        """The approved answer of the course one of whose wordings is this question; `None` where there is none."""
        ...

    def hides(self, entry: Entry) -> bool:
        """Whether an entry of the index may not be used any more."""
        ...

    def note(self, entry: Entry, lang: Lang) -> str:
        """What a student should know of an entry whose sources have changed; empty for any other."""
        ...


class NothingReviewed:
    """Where there is no desk: on the command line and in evaluations."""

    def over(
        self,
        retrieved: Retrieved,
        asked: Understanding,
        *,
        course_id: str | None,
        index: SearchIndex,
        mode: Mode | None = None,
    ) -> Retrieved:
        return retrieved

    def word_for_word(self, question: str, course_id: str | None) -> Entry | None:
        return None

    def hides(self, entry: Entry) -> bool:
        return False

    def note(self, entry: Entry, lang: Lang) -> str:
        return ""


NOTHING_REVIEWED = NothingReviewed()
