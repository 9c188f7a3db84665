"""`grade_grounding`: is an answer grounded in its evidence, for the question asked. Always a score and a verdict.

The score is a logistic regression over the measures of `measures.py`, fitted by `benchmarks/fit_grader.py` to answers
that a small model really wrote, marked by hand, and to right answers with corrupted ones beside them. The weights, the
cut and the figures on the half that was not fitted are data: `weights.json`.
"""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from models.embedding.embedder import Embedder
from serving.assistant.grounding.attribution import SentenceVerdict, check_sentence
from serving.assistant.grounding.embedding import meanings
from serving.assistant.grounding.facts import Fact
from serving.assistant.grounding.material import GroundingMaterial
from serving.assistant.grounding.measures import GroundingMeasures, MeasuredSentence, measures
from serving.assistant.grounding.replies import bare_reply, blank_frame, claim_of
from serving.assistant.grounding.sentences import MOST_READ, SentenceSpan, blank_citations, readable, split
from serving.assistant.grounding.support import support
from serving.assistant.grounding.verdict import GroundingVerdict
from serving.index.analysis import terms
from serving.index.confidence import Weigh
from serving.index.evidence import Evidence

WEIGHTS = Path(__file__).with_name("weights.json")

_BEFORE = 400
"""Characters before a sentence in which its pronouns may find whom they mean. A choice."""

UNRELATED = 0.4
"""A cosine below which other words do not say the same. A choice: own paraphrases reach .58, unrelated text .14."""


@dataclass(frozen=True)
class Weights:
    """What the grader learnt. From `cut` on an answer counts as grounded; below `low` a bad score is no accident."""

    bias: float
    weights: Mapping[str, float]
    cut: float
    low: float

    def score(self, measured: GroundingMeasures) -> float:
        """The probability, 0 to 1, that nobody would have to correct an answer with these measures."""
        odds = self.bias + math.fsum(self.weights[name] * value for name, value in asdict(measured).items())
        return 1 / (1 + math.exp(-odds))


def read_weights(path: Path = WEIGHTS) -> Weights:
    """The weights of a file that `benchmarks/fit_grader.py` wrote."""
    row = json.loads(path.read_text(encoding="utf-8"))
    return Weights(row["bias"], row["weights"], row["cut"], row["low"])


LEARNT = read_weights()

GROUNDED_CUT = LEARNT.cut


@dataclass(frozen=True)
class GradedSentence:
    """One sentence of an answer: `answer[start:end]`.

    `evidence_id` is of the evidence that shares most with it; `missing` are its numbers, names and quotes that stand in
    no evidence and not in the question. `meaning` is the cosine with the evidence, `None` when it was not measured.
    """

    start: int
    end: int
    text: str
    score: float
    evidence_id: str | None
    missing: tuple[Fact, ...]
    claims: float
    denied: bool
    meaning: float | None
    verdict: SentenceVerdict

    @property
    def is_supported(self) -> bool:
        return self.score >= GROUNDED_CUT and self.verdict.ruling != "contradicted"


@dataclass(frozen=True)
class Grounding:
    """The verdict on an answer; `score` is 0 to 1, `grounded` from `GROUNDED_CUT` on.

    `certain` is false where a language model may be asked (`verdict.settled`). An answer is certainly grounded only
    when every sentence of it stands word for word in the evidence and none is contradicted: swapped subjects, turned
    comparisons, denials and other numbers never are. It is certainly not when its score is low and facts are missing,
    sentences contradicted or meanings far: other words alone, as in a paraphrase, make nothing certain.
    """

    score: float
    grounded: bool
    certain: bool
    sentences: tuple[GradedSentence, ...]

    @property
    def missing(self) -> tuple[Fact, ...]:
        """The unsupported facts of all sentences, in order."""
        return tuple(fact for sentence in self.sentences for fact in sentence.missing)

    @property
    def verdict(self) -> GroundingVerdict:
        return GroundingVerdict(self.score, GROUNDED_CUT, self.certain)


@dataclass(frozen=True)
class Record:
    """An answer to grade: what was asked, what was known, what was answered."""

    record_id: str | int
    question: str
    knowledge: tuple[str, ...]
    answer: str


def grade_grounding(
    question: str,
    answer: str,
    evidence: Sequence[Evidence],
    *,
    concepts: Collection[str] = (),
    embedder: Embedder | None = None,
    weigh: Weigh = lambda _: 1.0,
) -> Grounding:
    """Grade an answer; any text is accepted. An empty answer and an answer without evidence have score 0.

    `concepts` are names that the course's concepts have, for attribution; `weigh` gives the weight of an index term,
    above 0 (`SearchIndex.idf`).
    """
    material = GroundingMaterial.of(question, evidence)
    return grade(answer, material, concepts=concepts, embedder=embedder, weigh=weigh)


def grade(
    answer: str,
    material: GroundingMaterial,
    *,
    concepts: Collection[str] = (),
    embedder: Embedder | None = None,
    weigh: Weigh = lambda _: 1.0,
) -> Grounding:
    """`grade_grounding` over `material` that was read of the evidence before."""
    answer = readable(answer)[:MOST_READ]
    pieces = split(answer)
    if not pieces or not material.sentences:
        return Grounding(0.0, False, True, tuple(_without_claim(piece) for piece in pieces))
    measured = measure_sentences(answer, pieces, material, concepts=concepts, weigh=weigh)
    texts = [piece.text for piece in pieces]
    cosines = meanings(texts, material, embedder) if embedder else [None] * len(texts)
    graded = tuple(
        _grade(piece, one, near, material) for piece, one, near in zip(pieces, measured, cosines, strict=True)
    )
    score = LEARNT.score(measures(measured, material))
    return Grounding(score, score >= LEARNT.cut, _is_certain(score, graded, material), graded)


def score_sentence(sentence: str, verdict: SentenceVerdict, material: GroundingMaterial) -> float:
    """How far one sentence of an answer that attribution looked at is grounded, 0 to 1, on the subject of the question
    or beside it."""
    measured = MeasuredSentence(sentence, support(sentence, material), verdict)
    return LEARNT.score(measures([measured], material, is_whole=False)) if material.sentences else 0.0


def measure_sentences(
    answer: str,
    pieces: Sequence[SentenceSpan],
    material: GroundingMaterial,
    *,
    concepts: Collection[str] = (),
    weigh: Weigh = lambda _: 1.0,
) -> list[MeasuredSentence]:
    """Each sentence with its support and its verdict; those said before are not measured again."""
    found: dict[str, MeasuredSentence] = {}
    known = replace(material, question="") if claim_of(material.question) else material
    for piece in pieces:
        if piece.text not in found:
            before = answer[: piece.start][-_BEFORE:]
            found[piece.text] = _measure(piece, material.question, known, concepts, weigh=weigh, before=before)
    return [found[piece.text] for piece in pieces]


def _measure(
    piece: SentenceSpan,
    question: str,
    known: GroundingMaterial,
    concepts: Collection[str],
    *,
    weigh: Weigh,
    before: str,
) -> MeasuredSentence:
    """One sentence without its frame; a yes or no says what was asked. What is to be affirmed is not `known`."""
    if (reply := bare_reply(piece.text, question)) is not None:
        verdict = reply.verdict(known.evidence, concepts=concepts)
        return MeasuredSentence(piece.text, support(reply.claim, known, weigh), verdict)
    said = blank_frame(blank_citations(piece.text))
    verdict = check_sentence(said, known.evidence, concepts=concepts, question=known.question, before=before)
    return MeasuredSentence(piece.text, support(said, known, weigh), verdict)


def grade_record(record: Record, embedder: Embedder | None = None) -> Grounding:
    """Grade one record; each text of its knowledge is a piece of evidence, named by its number from 1."""
    evidence = [
        Evidence(number=number, evidence_id=str(number), source="knowledge", course_id=None, title="", text=text)
        for number, text in enumerate(record.knowledge, start=1)
    ]
    return grade_grounding(record.question, record.answer, evidence, embedder=embedder)


def _grade(
    piece: SentenceSpan, found: MeasuredSentence, meaning: float | None, material: GroundingMaterial
) -> GradedSentence:
    said = found.support
    return GradedSentence(
        start=piece.start,
        end=piece.end,
        text=piece.text,
        score=LEARNT.score(measures([found], material, is_whole=False)),
        evidence_id=said.best.evidence_id if said.best else None,
        missing=tuple(fact.move(piece.start) for fact in said.missing),
        claims=said.claims,
        denied=said.denied,
        meaning=meaning,
        verdict=found.verdict,
    )


def _is_certain(score: float, sentences: Sequence[GradedSentence], material: GroundingMaterial) -> bool:
    if score >= LEARNT.cut:
        return all(
            one.is_supported and not one.denied and stands_word_for_word(one.text, material) for one in sentences
        )
    return score < LEARNT.low and any(
        one.missing or one.verdict.ruling == "contradicted" or (one.meaning is not None and one.meaning < UNRELATED)
        for one in sentences
    )


def stands_word_for_word(text: str, material: GroundingMaterial) -> bool:
    """Whether all terms of a text stand in a row within one sentence of the evidence; a text without terms does."""
    said = tuple(terms(blank_citations(text)))
    return not said or said in material.runs(len(said))


def _without_claim(piece: SentenceSpan) -> GradedSentence:
    nothing = check_sentence(piece.text, ())
    return GradedSentence(piece.start, piece.end, piece.text, 0.0, None, (), 0.0, False, None, nothing)
