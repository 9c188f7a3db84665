"""`Meanings`: the vectors of one course's approved wordings, so that a question in other words finds them, too."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import structlog

from models.embedding.embedder import Embedder, EmbeddingFailed
from serving.desk.approved_answers import Approved
from serving.index.engine import Vector

AT_ONCE = 64
"""Wordings that one look at the store embeds, half a second's work; the others wait for the next. A choice."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Meant:
    """How near an approved answer is in meaning, and the wording of it that is nearest."""

    wording: str
    cosine: float


@dataclass(frozen=True)
class Meanings:
    """The n-th row of `vectors` is of `wordings[n]`, of the answer `approved[n]`."""

    approved: tuple[Approved, ...]
    wordings: tuple[str, ...]
    vectors: Vector = field(repr=False)

    def near(self, vector: Vector) -> dict[str, Meant]:
        """How near each approved answer is to a question's vector, by the id of its entry."""
        found: dict[str, Meant] = {}
        cosines = (self.vectors @ vector).tolist()
        for one, wording, cosine in zip(self.approved, self.wordings, cosines, strict=True):
            key = one.entry.entry_id
            if key not in found or cosine > found[key].cosine:
                found[key] = Meant(wording, cosine)
        return found


class WordingVectors:
    """The vectors of approved wordings, each embedded once, some at a time: a gateway that starts over thousands of
    them answers meanwhile, by words."""

    def __init__(self) -> None:
        self._embedder: Embedder | None = None
        self._known: dict[str, Vector] = {}

    def use(self, embedder: Embedder | None) -> None:
        """Embed by this one from now on; by none, nothing is compared."""
        before, self._embedder = self._embedder, embedder
        if embedder is None or before is None or before.name != embedder.name:
            self._known = {}

    def add(self, approved: Iterable[Approved]) -> bool:
        """Embed what is new, `AT_ONCE` at most; whether anything was."""
        embedder = self._embedder
        if embedder is None:
            return False
        listed = [one for one in approved if one.entry.lang in embedder.languages]
        wanted = {wording.text: None for one in listed for wording in one.wordings}
        new = [text for text in wanted if text not in self._known][:AT_ONCE]
        if not new:
            return False
        try:
            rows = embedder.encode(new)
        except EmbeddingFailed as error:
            log.warning("approved_wordings_compared_by_words_alone", reason=str(error))
            return False
        kept = {text: row for text, row in self._known.items() if text in wanted}
        self._known = kept | dict(zip(new, rows, strict=True))
        return True

    def of(self, by_course: Mapping[str, Sequence[Approved]]) -> dict[str, Meanings]:
        """What is embedded of each course's answers."""
        known = self._known
        found: dict[str, Meanings] = {}
        for course_id, each in by_course.items():
            pairs = [(one, wording.text) for one in each for wording in one.wordings if wording.text in known]
            if pairs:
                approved, wordings = zip(*pairs, strict=True)
                found[course_id] = Meanings(approved, wordings, np.stack([known[text] for text in wordings]))
        return found
