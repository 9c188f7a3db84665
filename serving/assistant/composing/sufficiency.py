"""Whether what was found covers what was asked: of a sentence of the material and of a stored answer. Pure.

Belongs here: the decision and its cuts. They were chosen by `benchmarks/sufficiency.py` on the development half of the
student questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from serving.assistant.composing.composed import Coverage
from serving.assistant.composing.terms import Unit, coverage, known
from serving.assistant.composing.windows import Window
from serving.index.analysis import content_terms, terms
from serving.index.confidence import Weigh, share
from serving.retrieval.candidates import Candidate

FULL = 0.8
"""Share of the question, by weight, that a window must speak of to answer it."""
NEAREST = 0.2
"""Share from which a window is worth being shown as nearest to the question."""
MEANS_NEARLY = 0.4
"""Meaning (stretched cosine) that makes up for words that are missing, for what is shown as nearest."""


def sufficient(window: Window, units: Sequence[Unit]) -> Coverage:
    """How well a window answers: `full` when all that was asked is spoken of, in the wording of an answer."""
    concept = [unit for unit in units if unit.concept_id is not None]
    said = frozenset(terms(f"{window.piece.entry.title} {window.piece.entry.section or ''} {window.text}"))
    covers = coverage(units, said)
    names_all = all(unit.covered(said) == 1.0 for unit in concept)
    means = window.piece.meaning
    if covers >= FULL and names_all and window.has_aspect and (window.is_cued or window.own >= FULL):
        return "full"
    near = coverage(known(units), said) if known(units) else 0.0
    return "partial" if near >= NEAREST or means >= MEANS_NEARLY else "none"


@dataclass(frozen=True)
class StoredMatch:
    """A stored pair beside the question: the share of the question that its own question, and that the whole entry,
    speaks of; the share of its question that was asked; the cosine, 0..1."""

    candidate: Candidate
    by_title: float
    by_entry: float
    back: float
    meaning: float

    @property
    def score(self) -> float:
        """How likely the entry is the one that was meant, 0..1."""
        return 0.3 * self.by_title + 0.2 * self.by_entry + 0.2 * self.back + 0.3 * self.meaning


STORED_FULL = 0.72
STORED_NEAR = 0.45


def match_stored(candidate: Candidate, units: Sequence[Unit], question: str, weigh: Weigh) -> StoredMatch:
    """How one stored pair fits a question."""
    entry = candidate.entry
    title = frozenset(terms(entry.title))
    whole = title.union(terms(entry.text), terms(entry.section or ""))
    cosine = candidate.parts.get("cosine", 0.0)
    return StoredMatch(
        candidate,
        by_title=coverage(units, title),
        by_entry=coverage(units, whole),
        back=share(content_terms(entry.title), terms(question), weigh),
        meaning=max(0.0, min(1.0, (cosine - 0.2) / 0.6)),
    )
