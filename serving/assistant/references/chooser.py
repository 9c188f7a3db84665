"""Which places are shown beside an answer: what it cites, what it was made from, and passages that support it.

At most three, each to evidence of this turn, each to a place that opens; none for subjects on the off-list.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import chain, count, islice

from knowledge_graph.lake.records import Lang
from serving.assistant.generation.phrases import phrases
from serving.assistant.references.calibration import Calibration, Scorer
from serving.assistant.references.off_list import OffList
from serving.assistant.references.ranking import (
    CANDIDATES,
    ReferenceCandidate,
    Response,
    find_candidates,
    lexical_signals,
    rank_candidates,
)
from serving.assistant.references.reference import NO_NAMES, NamesOf, Reference, can_be_opened, from_evidence
from serving.assistant.references.semantic import Semantics
from serving.index.evidence import MAX_CITED, MAX_REFERENCES, Evidence, from_entry
from serving.index.schema import Entry
from serving.index.search import SearchIndex

SAME_PLACE_MS = 30_000
"""Two times in one video closer than this open the same explanation."""


@dataclass(frozen=True)
class References:
    """What is shown. `reason` is a sentence for the student when a subject on the off-list left nothing, else empty.

    `candidates` are the passages that were weighed, best first; `scorer` is what weighed them, `None` when none was.
    """

    chosen: tuple[Reference, ...] = ()
    reason: str = ""
    candidates: tuple[ReferenceCandidate, ...] = ()
    scorer: Scorer | None = None
    evidence: tuple[Evidence, ...] = ()
    """What each of `chosen` leads to, with its text."""


class ReferenceChooser:
    """Chooses the references of answers over one index version. Immutable, safe to share between threads."""

    def __init__(
        self,
        index: SearchIndex,
        *,
        calibration: Calibration | None = None,
        semantics: Semantics | None = None,
        off_list: OffList | None = None,
        candidates: int = CANDIDATES,
        names_of: NamesOf = lambda _: NO_NAMES,
    ) -> None:
        """`names_of` tells what the lectures of a course are called in references."""
        self._index = index
        self._calibration = Calibration() if calibration is None else calibration
        self._semantics = semantics
        self._off_list = OffList() if off_list is None else off_list
        self._candidates = candidates
        self.names_of = names_of

    def allows(self, subject: str | None) -> bool:
        """Whether answers of a course of this subject may carry references; if not, let no mark into the text."""
        return not self._off_list.has(subject)

    def by_words(self) -> "ReferenceChooser":
        """The same without meaning, which takes 50 ms: for answers that were stored and must not wait."""
        other = copy(self)
        other._semantics = None
        return other

    def choose(
        self,
        response: Response,
        *,
        cited: Sequence[Evidence],
        used: Sequence[Evidence],
        course_id: str | None,
        subject: str | None,
        lang: Lang,
        cut: float | None = None,
    ) -> References:
        """Up to three references in order of number: what the answer cites, what it was made from, then passages.

        `cited` stays whole, two in one place too, for each has its mark in the text, and keeps its numbers; the others
        take the lowest numbers left. A passage must be above `cut`, the
        calibrated one when `None`. `subject` is the course's.
        """
        if not self.allows(subject):
            return References(reason=phrases(lang).no_references_for.format(subject=subject))
        candidates, scorer = self.weigh(response, course_id=course_id, lang=lang)
        least = scorer.cut if cut is None else cut
        above = [one.entry for one in candidates if one.score > least]
        passages = [from_entry(0, entry) for entry in above if self.allows(entry.subject)]
        openable = (one for one in chain(used, passages) if can_be_opened(one))
        beside = (one for one in _different(chain(cited, openable)) if one not in cited)
        chosen = list(islice(chain(cited, beside), MAX_REFERENCES))
        off = next((entry.subject for entry in above if not self.allows(entry.subject)), None)
        reason = phrases(lang).no_references_for.format(subject=off) if off and not chosen else ""
        shown = _number(chosen, cited)
        return References(self._name_references(shown, lang), reason, tuple(candidates), scorer, shown)

    def cite(self, evidence: Sequence[Evidence], *, lang: Lang) -> References:
        """References to what a composed answer is made of, and to nothing else; in every subject, for nobody searched
        them: the list of subjects is of those where what was found beside an answer was too often beside the point.
        """
        shown = tuple(one for one in evidence if one.number <= MAX_CITED and can_be_opened(one))
        return References(self._name_references(shown, lang), evidence=shown)

    def _name_references(self, shown: Iterable[Evidence], lang: Lang) -> tuple[Reference, ...]:
        return tuple(from_evidence(one, lang, self.names_of(one.course_id)) for one in shown)

    def weigh(self, response: Response, *, course_id: str | None, lang: str) -> tuple[list[ReferenceCandidate], Scorer]:
        """The candidates with their scores, best first; by meaning too where the embedder knows the language."""
        entries = find_candidates(response, self._index, course_id=course_id, k=self._candidates)
        signals = lexical_signals(response, entries, self._index)
        semantics = self._semantics if self._semantics is not None and self._semantics.knows(lang) else None
        scorer = self._calibration.scorer(lang, semantics.embedder.name if semantics is not None else None)
        if semantics is not None and scorer.embedder is not None:
            meant = semantics.signals(response, entries)
            signals = [by_words | by_meaning for by_words, by_meaning in zip(signals, meant, strict=True)]
        return rank_candidates(_score(entries, signals, scorer)), scorer


def _score(entries: Sequence[Entry], signals: Sequence[dict[str, float]], scorer: Scorer) -> list[ReferenceCandidate]:
    return [
        ReferenceCandidate(entry, known, scorer.score(known)) for entry, known in zip(entries, signals, strict=True)
    ]


def _number(chosen: Sequence[Evidence], cited: Sequence[Evidence]) -> tuple[Evidence, ...]:
    kept = {one.number for one in chosen if one in cited}
    free = (number for number in count(1) if number not in kept)
    numbered = [one if one in cited else replace(one, number=next(free)) for one in chosen]
    return tuple(sorted(numbered, key=lambda one: one.number))


def _different(found: Iterable[Evidence]) -> Iterator[Evidence]:
    """Each place once, the first to name it."""
    seen: list[Evidence] = []
    for one in found:
        if not any(_same_place(one, other) for other in seen):
            seen.append(one)
            yield one


def _same_place(one: Evidence, other: Evidence) -> bool:
    if one.evidence_id == other.evidence_id:
        return True
    left, right = one.locator, other.locator
    if left is None or right is None or one.course_id != other.course_id:
        return False
    if left.video_id is not None and left.start_ms is not None and right.start_ms is not None:
        return left.video_id == right.video_id and abs(left.start_ms - right.start_ms) < SAME_PLACE_MS
    return left == right
