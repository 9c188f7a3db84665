"""`check_sentence`: is what a sentence says of its subject what the evidence says of that subject.

Every mark of the sentence (a term, number, order of growth or direction) is looked up in the evidence at the place
whose neighbourhood is most alike. There it must be said of the same names, with the same denial, the same end of its
axis, the same value. Where it is not, nor at any place nearly as alike, the sentence is contradicted: subjects are
swapped, a comparison is turned, a denial is added or lost, a number is another. A near copy of one sentence of the
evidence is laid beside it first (`alignment`). No model, no parser.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import Literal

from knowledge_graph.text.sentences import has_cjk
from serving.assistant.grounding.alignment import find_alteration
from serving.assistant.grounding.questions import find_expected
from serving.assistant.grounding.sentences import blank_citations, readable, split, split_evidence
from serving.assistant.grounding.statements import ReadStatement, StatementMark, StatementReader, Subjects
from serving.index.evidence import Evidence

Ruling = Literal["supported", "contradicted", "unsupported", "no_claim"]

Reason = Literal["", "subject", "direction", "denial", "number", "unknown"]

LONGEST = 1000
"""Characters of a sentence that are read: several times what anybody says in one. A choice."""

MOST_MARKS, MOST_PLACES = 150, 60
"""Marks of a sentence that are looked up, and places where each is: noise has thousands of both. A choice."""

WINDOW = 4
"""Marks on either side that make a neighbourhood. A choice."""

WHOLE = 0.3
"""What a key of the same sentence counts, beside one that is near. A choice."""

NAMED = 2.0
"""What a name of whom a mark is said counts, beside a key that is near. A choice."""

SMOOTH = 1.0
"""Added to both sides when surroundings are compared, so that a bare sentence is not told by one word. A choice."""

BINDING = 3.0
"""What a number or order of growth counts beside a word when it is asked of whom something is said. A choice."""

NEARLY = 0.85
"""A place counts as nearly as alike from this share of the best on. A choice."""

CUTS: dict[Reason, float] = {"number": 0.35, "direction": 0.3, "denial": 0.2, "subject": 0.1, "unknown": 0.5}
"""Shares from which a sentence is ruled against: chosen on one half of the courses of `benchmarks/attribution.py`.
Lower ones catch hardly more there."""


_AFFIRMS = re.compile(r"\W*(?:yes\b|是的|可以|能(?!否)|会|有)", re.IGNORECASE)
"""How a text begins that says yes to its title."""


@dataclass(frozen=True)
class Shares:
    """How much of a sentence fails, 0 to 1 by reason; `unknown` is the weight of what no evidence says at all."""

    subject: float = 0.0
    direction: float = 0.0
    denial: float = 0.0
    number: float = 0.0
    unknown: float = 0.0

    def of(self, reason: Reason) -> float:
        return float(getattr(self, reason)) if reason else 0.0


@dataclass(frozen=True)
class SentenceVerdict:
    """`contradicted` where the evidence says otherwise, `unsupported` where it says too little of it, `no_claim` for a
    sentence that says nothing, such as "I hope this helps".

    `evidence_id` and `evidence` are the sentence of the evidence that decides, empty when none does; `said` is the word
    that fails.
    """

    ruling: Ruling
    reason: Reason
    evidence_id: str
    evidence: str
    said: str
    shares: Shares

    @property
    def may_stand(self) -> bool:
        """Whether the sentence may be shown."""
        return self.ruling in ("supported", "no_claim")


def check_sentence(
    sentence: str,
    evidence: Sequence[Evidence],
    *,
    concepts: Collection[str] = (),
    question: str = "",
    before: str = "",
) -> SentenceVerdict:
    """Compare one sentence of an answer with the evidence, titles included.

    `concepts` are the names of the course's concepts, other names included; without them only what stands in titles
    and administrative words are subjects. `before` is the answer up to this sentence: "it" is who was spoken of there.
    Evidence and concepts are read once for the sentences of an answer.
    """
    sentence = blank_citations(readable(sentence)[:LONGEST])
    sources = _read(tuple(evidence), tuple(sorted(set(concepts))))
    reader = sources.reader
    last = split(readable(before))[-1:]
    carried = frozenset[str]().union(*(reader.names(piece.text) for piece in last)) or reader.names(question)
    return sources.verdict(reader.read(sentence, carried=carried), asked=reader.read(question))


def read_ahead(evidence: Sequence[Evidence], *, concepts: Collection[str] = ()) -> None:
    """Read the evidence now, so that `check_sentence` need not when the first sentence is waited for: of forty
    milliseconds that it takes, thirty are this."""
    _ = _read(tuple(evidence), tuple(sorted(set(concepts)))).places


@lru_cache(maxsize=32)
def _read(evidence: tuple[Evidence, ...], concepts: tuple[str, ...]) -> "Sources":
    return Sources.of(evidence, _reader(concepts))


@lru_cache(maxsize=16)
def _reader(concepts: tuple[str, ...]) -> StatementReader:
    return StatementReader(concepts)


@dataclass(frozen=True)
class Surroundings:
    """The keys around a mark: the few on either side, those of its clause, the two beside it, of whom it is said, and
    all of its sentence.

    Those beside it say with an arrow on which side they stand, so that "smaller before larger" is not turned unseen.
    """

    window: frozenset[str]
    clause: frozenset[str]
    sides: frozenset[str]
    subjects: Subjects
    whole: frozenset[str]

    @classmethod
    def of(cls, marks: Sequence[StatementMark], at: int) -> "Surroundings":
        others = [(place - at, mark) for place, mark in enumerate(marks) if place != at and not mark.is_subject]
        return cls(
            frozenset(mark.sign for away, mark in others if abs(away) <= WINDOW),
            frozenset(mark.sign for _, mark in others if mark.clause == marks[at].clause),
            frozenset(f"{'<' if away < 0 else '>'}{mark.sign}" for away, mark in others if abs(away) == 1),
            marks[at].subjects,
            frozenset(mark.sign for _, mark in others),
        )


@dataclass(frozen=True)
class EvidencePlace:
    """Where the evidence says something: a mark of a statement, and what stands around it."""

    statement: ReadStatement
    mark: StatementMark
    near: "Surroundings"


@dataclass(frozen=True)
class MarkVerdict:
    """What became of one mark: the place most alike and why it fails there; no reason when it holds.

    `alike` is how much of what stands around the mark stands there too, 0 to 1; `is_shared` whether the evidence says
    the same of others as well, so that it tells nobody apart.
    """

    mark: StatementMark
    weight: float
    place: EvidencePlace | None
    reason: Reason
    alike: float = 0.0
    is_shared: bool = False


@dataclass(frozen=True)
class Sources:
    """The evidence of one answer, read."""

    reader: StatementReader
    statements: tuple[ReadStatement, ...]

    @classmethod
    def of(cls, evidence: Sequence[Evidence], reader: StatementReader) -> "Sources":
        """Every sentence of the evidence; one that names nobody speaks of those before it, or of the title. A title
        that asks whether something is so says that it is where the text begins with yes, and else nothing."""
        found = []
        for one in evidence:
            title = reader.read(readable(one.title), evidence_id=one.evidence_id)
            carried = title.names
            if find_expected(one.title) != "yes_no" or _AFFIRMS.match(one.text):
                found.append(title)
            for text in split_evidence(readable(one.text)):
                statement = reader.read(text[:LONGEST], evidence_id=one.evidence_id, carried=carried)
                carried = statement.names or carried
                found.append(statement)
        return cls(reader, tuple(found))

    @cached_property
    def places(self) -> dict[str, list[EvidencePlace]]:
        """Every place by the key of its mark."""
        found: dict[str, list[EvidencePlace]] = defaultdict(list)
        for statement in self.statements:
            for at, mark in enumerate(statement.marks):
                if not mark.is_subject:
                    marks = statement.marks
                    found[mark.key].append(EvidencePlace(statement, mark, Surroundings.of(marks, at)))
        return found

    @cached_property
    def spread(self) -> Counter[str]:
        """In how many statements each key is said."""
        return Counter(
            key for one in self.statements for key in {each for mark in one.marks for each in (mark.key, mark.sign)}
        )

    def weight(self, key: str) -> float:
        """What is said in few statements tells places apart."""
        return log(1 + (1 + len(self.statements)) / (1 + self.spread[key.lstrip("<>")]))

    def verdict(self, said: ReadStatement, *, asked: ReadStatement) -> SentenceVerdict:
        """The ruling on a sentence that was read."""
        if (changed := find_alteration(said.text, [one.text for one in self.statements])) is not None:
            copied = self.statements[changed.number]
            shares = Shares(
                direction=float(changed.reason == "direction"),
                denial=float(changed.reason == "denial"),
                number=float(changed.reason == "number"),
            )
            where = (copied.evidence_id, copied.text)
            return SentenceVerdict("contradicted", changed.reason, *where, changed.said, shares)
        known = {mark.key for mark in asked.marks}
        found = [self._look_up(said, at) for at, mark in enumerate(said.marks[:MOST_MARKS]) if not mark.is_subject]
        telling = [one for one in found if one.mark.key not in known or one.reason]
        if not telling:
            return SentenceVerdict("no_claim", "", "", "", "", Shares())
        shares = _shares(telling)
        reason = _reason_of(shares)
        failed = [one for one in telling if one.reason == reason] if reason else telling
        place = next((one.place for one in failed if one.place), None)
        ruling: Ruling = "supported" if not reason else "unsupported" if reason == "unknown" else "contradicted"
        return SentenceVerdict(
            ruling,
            reason,
            place.statement.evidence_id if place else "",
            place.statement.text if place else "",
            failed[0].mark.text if reason else "",
            shares,
        )

    def _look_up(self, said: ReadStatement, at: int) -> MarkVerdict:
        mark = said.marks[at]
        weight = self.weight(mark.key)
        places = self.places.get(mark.key, [])[:MOST_PLACES]
        if not places:
            return MarkVerdict(
                mark, weight, None, "number" if mark.kind in ("number", "growth") else "unknown", alike=1.0
            )
        near = Surroundings.of(said.marks, at)
        most = self._alike(near, near)
        scores = [self._alike(near, one.near) for one in places]
        best = max(scores)
        close = [one for score, one in zip(scores, places, strict=True) if score >= NEARLY * best]
        first = places[scores.index(best)]
        reasons = [_failing(mark, one) for one in close]
        shared = any(_other(mark.subjects, one.mark.subjects) for one in places if one.mark.value == mark.value)
        holds = "" in reasons or any(_is_number_of(mark, one.mark) for one in places)
        reason: Reason = "" if holds else _failing(mark, first)
        if reason == "subject":  # whoever it is said of cannot be alike
            most -= NAMED * sum(self.weight(key) for key in mark.subjects)
        return MarkVerdict(mark, weight, first, reason, alike=(best + SMOOTH) / (most + SMOOTH), is_shared=shared)

    def _alike(self, one: "Surroundings", other: "Surroundings") -> float:
        """The weight of what stands around both, counted once more for each thing that is nearer."""
        shared = (
            one.window & other.window,
            one.clause & other.clause,
            one.sides & other.sides,
        )
        total = sum(self.weight(key) for keys in shared for key in keys)
        total += NAMED * sum(self.weight(key) for key in one.subjects & other.subjects)
        return total + WHOLE * sum(self.weight(key) for key in one.whole & other.whole)


def _failing(mark: StatementMark, place: EvidencePlace) -> Reason:
    """Why a mark does not say what the evidence says at a place; nothing when it does."""
    known = place.mark
    turned = bool(mark.denied) != bool(known.denied)
    if mark.kind == "direction":
        if (mark.value == known.value) == turned:
            return "direction" if not turned else "denial"
    elif mark.value != known.value:
        return "number"
    elif turned:
        return "denial"
    if _other(mark.subjects, known.subjects):
        return "subject"
    return ""


def _is_number_of(said: StatementMark, known: StatementMark) -> bool:
    """Whether the same number is said of the same thing, in however other words."""
    is_same = said.kind == "number" and said.value == known.value and bool(said.denied) == bool(known.denied)
    return is_same and bool(said.subjects & known.subjects)


def _other(said: Subjects, known: Subjects) -> bool:
    """Whether both speak of somebody, and not of the same. "The tree" may stand for "the search tree"."""
    if not said or not known or said & known:
        return False
    return not any(_ends_with(one, other) or _ends_with(other, one) for one in said for other in known)


def _ends_with(long: str, short: str) -> bool:
    return long.endswith(short if has_cjk(short) and len(short) > 1 else f" {short}")


def _shares(found: Sequence[MarkVerdict]) -> Shares:
    placed = [one for one in found if one.place is not None]
    return Shares(
        subject=_of_others(placed),
        direction=max((one.alike for one in found if one.reason == "direction"), default=0.0),
        denial=max(_scopes(placed), default=0.0),
        number=max((one.alike for one in found if one.reason == "number"), default=0.0),
        unknown=_part([one for one in found if one.reason == "unknown"], found),
    )


def _of_others(placed: Sequence[MarkVerdict]) -> float:
    """The weighted share of distinguishing marks that the evidence says of others, times how alike the places are."""
    wrong = [one for one in placed if one.reason == "subject"]
    telling = [one for one in placed if one.reason == "subject" or (not one.is_shared and one.mark.subjects)]
    alike = max((one.alike for one in wrong), default=0.0)
    return _part(wrong, telling) * alike


def _part(some: Sequence[MarkVerdict], of: Sequence[MarkVerdict]) -> float:
    def weight(among: Sequence[MarkVerdict]) -> float:
        return sum(one.weight * (BINDING if one.mark.kind in ("number", "growth") else 1.0) for one in among)

    total = weight(of)
    return weight(some) / total if total else 0.0


def _scopes(found: Sequence[MarkVerdict]) -> Iterator[float]:
    """For each denial, the share of its reach, in the sentence or the evidence, that is denied on one side only."""
    reached: dict[tuple[str, int, str], list[MarkVerdict]] = defaultdict(list)
    for one in found:
        if one.mark.denied:
            reached["said", one.mark.denied, ""].append(one)
        if one.place is not None and one.place.mark.denied:
            reached["known", one.place.mark.denied, one.place.statement.text].append(one)
    for group in reached.values():
        wrong = [one for one in group if one.reason == "denial"]
        yield _part(wrong, group) * max((one.alike for one in wrong), default=0.0)


def _reason_of(shares: Shares) -> Reason:
    return next((reason for reason, cut in CUTS.items() if shares.of(reason) >= cut), "")
