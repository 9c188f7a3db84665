"""`Overlay`: what TAs decided since the index was made, laid over what the index finds; `OverlayHolder` keeps it new.

An approved answer is found by the match of eq. 7, as if the index had it: by its own question, and by every wording in
which students had asked it; and by meaning, where there is an embedder. It answers in its own course only; one of the
platform's in all (`SearchIndex.platforms_for`).
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import structlog

from knowledge_graph.lake.records import Lang, Mode
from models.embedding.embedder import Embedder
from serving.assistant.generation.phrases import phrases
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.retrieval.direct import best_match, match
from serving.assistant.understanding.understand import Understanding
from serving.desk.approved_answers import NONE, PREFIX, Decisions, Stamp, read_decisions, stamp
from serving.desk.meanings import Meanings, Meant, WordingVectors
from serving.desk.postings import Near, Postings
from serving.index.analysis import content_terms, normalize_question
from serving.index.engine import Vector
from serving.index.schema import Entry
from serving.index.search import SearchIndex
from serving.store.database import Store

log = structlog.get_logger(__name__)

MOST = 3
"""Approved answers that are laid over one look-up: more would crowd out the material. A choice."""

SHOWN_FROM = 0.3
"""The match from which one is a candidate at all: it is at hand for the model where it is not sure enough to be given
as it stands. A choice."""

LOOK_SECONDS = 1.0
"""How often the store is read for decisions that another process took: one small read."""

MEANT_FROM = 0.6
"""The cosine from which one is a candidate that shares too few words. A choice: below what answers by meaning."""

_LOOKED_AT = 10
"""Entries of the index to consider when the best one may not be served."""


@dataclass(frozen=True)
class Overlay:
    """One state of all decisions. Cheap to ask, safe to share between threads."""

    decisions: Decisions = NONE
    postings: Mapping[str, Postings] = field(default_factory=dict, repr=False)
    """By course."""
    worded: Mapping[tuple[str, str], Entry] = field(default_factory=dict, repr=False)
    """By course and wording (`normalize_question`)."""
    meanings: Mapping[str, Meanings] = field(default_factory=dict, repr=False)
    """By course, what of it is embedded."""

    @classmethod
    def of(cls, decisions: Decisions) -> "Overlay":
        by_course = decisions.by_course
        postings = {course_id: Postings.of(each) for course_id, each in sorted(by_course.items())}
        worded: dict[tuple[str, str], Entry] = {}
        for course_id, each in by_course.items():
            for one in each:
                for wording in one.wordings:
                    worded.setdefault((course_id, normalize_question(wording.text)), one.entry)
        return cls(decisions, postings, worded)

    def word_for_word(self, question: str, course_id: str | None) -> Entry | None:
        """The approved answer of the course one of whose wordings is this question, but for case, blanks and end
        marks; `None` where there is none."""
        return self.worded.get((course_id or "", normalize_question(question))) if course_id is not None else None

    def over(
        self,
        retrieved: Retrieved,
        asked: Understanding,
        *,
        course_id: str | None,
        index: SearchIndex,
        mode: Mode | None = None,
    ) -> Retrieved:
        """What was found, without what TAs withdrew or replaced, and with the approved answers that match.

        A catalogue expert's `mode` gets none of them. What the index has already, in the same words, stays the index's.
        """
        near = self.near(asked.question, course_id=course_id, index=index) if mode is None else []
        meant = self._meant(retrieved.vector, course_id, index) if mode is None else {}
        near += self._near_in_meaning(meant, {one.approved.entry.entry_id for one in near})
        kept = [one for one in retrieved.ranked if not self.hides(one.entry)]
        best = retrieved.best
        if best is not None and self.hides(best.entry):
            best = best_match(asked, self._others(asked, course_id, index, mode))
        if not near and best is retrieved.best and len(kept) == len(retrieved.ranked):
            return retrieved
        twins = {one.entry.entry_id: one for one in (*kept, *([best] if best is not None else []))}
        compared = [(one, meant.get(one.approved.entry.entry_id)) for one in near]
        added = [each for one, by in compared if (each := _candidate(one, by, asked, index, twins, kept)) is not None]
        gone = {one.entry.entry_id for one in added}
        ranked = [*added, *(one for one in kept if one.entry.entry_id not in gone)]
        ordered = sorted(ranked, key=lambda one: (-one.score, one.entry.entry_id))
        found = best_match(asked, [*ordered, *([best] if best is not None and best.entry.entry_id not in gone else [])])
        return replace(retrieved, ranked=tuple(ordered), best=found)

    def near(self, question: str, *, course_id: str | None, index: SearchIndex, most: int = MOST) -> list[Near]:
        """The approved answers of a course and of its platforms, `None` for all, whose question is most like this; best
        first."""
        terms = content_terms(question)
        courses = _courses(course_id, index) or list(self.postings)
        posted = [self.postings[course] for course in courses if course in self.postings]
        found = [one for each in posted for one in each.near(terms, index, least=SHOWN_FROM, most=most)]
        return sorted(found, key=lambda one: (-one.overlap, one.approved.entry.entry_id))[:most]

    def _meant(self, vector: Vector | None, course_id: str | None, index: SearchIndex) -> dict[str, Meant]:
        """How near each approved answer that may be given here is to a question's vector, by the id of its entry."""
        if vector is None:
            return {}
        courses = _courses(course_id, index) or list(self.meanings)
        listed = [self.meanings[course].near(vector) for course in courses if course in self.meanings]
        return {key: one for each in listed for key, one in each.items()}

    def _near_in_meaning(self, meant: Mapping[str, Meant], known: Collection[str]) -> list[Near]:
        """Those that no word led to, the nearest first."""
        by_id = {one.entry.entry_id: one for one in self.decisions.approved.values()}
        new = [(key, one) for key, one in meant.items() if key not in known and one.cosine >= MEANT_FROM]
        new.sort(key=lambda one: (-one[1].cosine, one[0]))
        return [Near(by_id[key], one.wording, 0.0) for key, one in new[:MOST]]

    def note(self, entry: Entry, lang: Lang) -> str:
        """That an entry is from older material, where its sources have changed; empty for any other."""
        is_stale = entry.source == "faq" and (entry.course_id, entry.origin_id) in self.decisions.stale
        return phrases(lang).older_material if is_stale else ""

    def hides(self, entry: Entry) -> bool:
        """Whether an entry of the index may not be served: withdrawn, replaced, or edited since."""
        if entry.source != "faq" or entry.origin_id is None:
            return False
        named = (entry.course_id, entry.origin_id)
        if named in self.decisions.withdrawn or named in self.decisions.replaced:
            return True
        if not entry.origin_id.startswith(PREFIX):
            return False
        newer = self.decisions.approved.get(entry.origin_id.removeprefix(PREFIX))
        return newer is not None and not _says_the_same(newer.entry, entry)

    def warm_up(self, index: SearchIndex) -> "Overlay":
        """Work out now what the first question over this index would wait for; itself."""
        for each in self.postings.values():
            each.weights(index)
        return self

    def _others(
        self, asked: Understanding, course_id: str | None, index: SearchIndex, mode: Mode | None
    ) -> list[PairCandidate]:
        """What else the index has for a question whose best match may not be served; eq. 6 weighs all of it by 1."""
        query, sources = content_terms(asked.question), ("faq", "document", "catalog")
        hits = index.search(query, course_id=course_id, sources=sources, mode=mode, k=_LOOKED_AT)
        kept = [hit for hit in hits if not self.hides(hit.entry)]
        return [PairCandidate(hit.entry, hit.score, match(asked, hit.entry, index)) for hit in kept]


class OverlayHolder:
    """The newest overlay, for every request of a process; `follow` sees what other processes decide."""

    def __init__(self) -> None:
        self._current = Overlay()
        self._stamp: Stamp | None = None
        self._reading = asyncio.Lock()
        self._vectors = WordingVectors()

    def compare_by(self, embedder: Embedder | None) -> None:
        """Compare questions by this embedder from the next look on."""
        self._vectors.use(embedder)

    @property
    def current(self) -> Overlay:
        return self._current

    async def refresh(self, store: Store, index: SearchIndex | None = None) -> Overlay:
        """Read the decisions if there are others than before; to be called right after one, and when an `index` is new.

        Raises what the store raises; the overlay stays as it was.
        """
        async with self._reading:
            return await asyncio.to_thread(self._refresh, store, index)

    def _refresh(self, store: Store, index: SearchIndex | None) -> Overlay:
        found = store.read(stamp)
        overlay = self._current
        if found != self._stamp:
            overlay = Overlay.of(store.read(lambda db: read_decisions(db, overlay.decisions)))
        if self._vectors.add(overlay.decisions.approved.values()) or overlay is not self._current:
            overlay = replace(overlay, meanings=self._vectors.of(overlay.decisions.by_course))
        if index is not None:
            overlay.warm_up(index)
        self._current, self._stamp = overlay, found
        return self._current

    async def follow(self, store: Store, *, seconds: float = LOOK_SECONDS) -> None:
        """Refresh for ever; a store that cannot be read leaves what there is, and is asked again."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.refresh(store)
            except Exception:
                log.exception("decisions_not_read", retry_seconds=seconds)


def _candidate(
    near: Near,
    meant: Meant | None,
    asked: Understanding,
    index: SearchIndex,
    twins: Mapping[str, PairCandidate],
    ranked: Sequence[PairCandidate],
) -> PairCandidate | None:
    """An approved answer among the others; `None` where the index has found it just as well, and nothing is known of
    how near its wordings mean.

    Its score is on their scale, whatever that is: a whole match stands beside the best of them.
    """
    entry = index.mark_platform(near.approved.entry)
    matched = match(asked, replace(entry, title=near.wording), index)
    twin = twins.get(entry.entry_id)
    if twin is not None and twin.match >= matched and meant is None:
        return None
    top = max((one.score for one in ranked), default=1.0)
    found = PairCandidate(entry, matched * top, matched)
    if twin is not None:
        found = twin if twin.match >= matched else replace(found, entry=twin.entry)
    compared = {} if meant is None else {"cosine": meant.cosine}
    wording = near.wording if meant is None else meant.wording
    return replace(found, parts={**found.parts, "reviewed": matched, **compared}, asked_as=wording)


def _courses(course_id: str | None, index: SearchIndex) -> list[str]:
    """The courses whose answers are given in one; empty for all of them."""
    return [] if course_id is None else [course_id, *index.platforms_for(course_id)]


def _says_the_same(left: Entry, right: Entry) -> bool:
    return (left.title, left.text, left.reviewer) == (right.title, right.text, right.reviewer)
