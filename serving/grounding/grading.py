"""`grade_grounding`: is an answer grounded in its evidence, for the question asked. Always a score and a verdict.

The score of a sentence is a logistic regression over five measures. Its weights were learnt (L2, C = 1) on 100 records
of public encyclopaedia questions, each with a right answer, the same said as a sentence, and a hallucinated one; both
kinds of right answers counted half. Area under the curve on records left out (5 folds, 20 repetitions): .981 ± .002 for
right answers as given, .948 ± .002 when they are said as sentences of the question's length. The figures differ because
right answers of that data are copied word for word, which `copied` sees at once; without `copied` both are .94.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.embedding.embedder import Embedder
from serving.evidence import Evidence
from serving.grounding.embedding import meanings
from serving.grounding.facts import Fact
from serving.grounding.material import Material
from serving.grounding.sentences import MOST_READ, Piece, readable, split
from serving.grounding.support import Support, support
from serving.grounding.verdict import Verdict
from serving.index.confidence import Weigh

GROUNDED_CUT = 0.5
"""From here on an answer counts as grounded. Of records left out, 96 % of right answers reach it (88 % of those said as
sentences) and 10 % of hallucinated ones. The middle of the scale, a choice: .3 keeps 100 % (95 %) and passes 18 %."""

CERTAIN = (0.2, 0.8)
"""Below, no right answer was found; above, 6 % of hallucinated ones. Between them a language model may be asked."""

UNRELATED = 0.4
"""A cosine below which other words do not say the same. A choice: own paraphrases reach .58, unrelated text .14."""

BIAS, KNOWN, ORDER, COPIED, MISSING, MEANING = -3.7, 0.8, 3.5, 2.4, 2.5, 0.25
"""Learnt weights, rounded."""

DENIED = 1.0
"""Taken off where a sentence denies its evidence. A choice: too rare in the data to learn (3 of 100 hallucinated)."""

USUAL_MEANING = 0.6
"""The cosine at which meaning neither helps nor harms: about the mean over the data."""

MOST_MISSING = 2
"""Facts in no evidence that count; more do not make it worse."""


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

    @property
    def supported(self) -> bool:
        return self.score >= GROUNDED_CUT


@dataclass(frozen=True)
class Grounding:
    """The verdict on an answer; `score` is 0 to 1, `grounded` from `GROUNDED_CUT` on.

    `certain` is false where a language model may be asked (`verdict.settled`): in the middle of the scale, where
    evidence is denied, and where a low score has no better reason than other words, as in a paraphrase.
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
    def verdict(self) -> Verdict:
        return Verdict(self.score, GROUNDED_CUT, self.certain)


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
    embedder: Embedder | None = None,
    weigh: Weigh = lambda _: 1.0,
) -> Grounding:
    """Grade an answer; any text is accepted. An empty answer and an answer without evidence have score 0.

    `weigh` gives the weight of an index term, above 0 (`SearchIndex.idf`). The score is the mean of the sentences that
    claim something, weighed by how much they claim, halfway to the weakest of them: a choice.
    """
    return grade(answer, Material.of(question, evidence), embedder=embedder, weigh=weigh)


def grade(
    answer: str, material: Material, *, embedder: Embedder | None = None, weigh: Weigh = lambda _: 1.0
) -> Grounding:
    """`grade_grounding` over evidence that was read before."""
    pieces = split(readable(answer)[:MOST_READ])
    if not pieces or not material.sentences:
        return Grounding(0.0, False, True, tuple(_ungrounded(piece) for piece in pieces))
    texts = [piece.text for piece in pieces]
    cosines = meanings(texts, material, embedder) if embedder else [None] * len(texts)
    measured = {text: support(text, material, weigh) for text in dict.fromkeys(texts)}
    graded = tuple(_graded(piece, measured[piece.text], near) for piece, near in zip(pieces, cosines, strict=True))
    score = _overall(graded)
    return Grounding(score, score >= GROUNDED_CUT, _is_certain(score, graded), graded)


def grade_record(record: Record, embedder: Embedder | None = None) -> Grounding:
    """Grade one record; each text of its knowledge is a piece of evidence, named by its number from 1."""
    evidence = [
        Evidence(number=number, evidence_id=str(number), source="knowledge", course_id=None, title="", text=text)
        for number, text in enumerate(record.knowledge, start=1)
    ]
    return grade_grounding(record.question, record.answer, evidence, embedder=embedder)


def score_records(records: Iterable[Record], embedder: Embedder | None = None) -> list[float]:
    """The score of each record, 0 to 1, in order: what an evaluation of the grader needs."""
    return [grade_record(record, embedder).score for record in records]


def sentence_score(found: Support, meaning: float | None) -> float:
    """The probability, 0 to 1, that a sentence with these measures is right."""
    odds = (
        BIAS
        + KNOWN * found.known
        + ORDER * found.order
        + COPIED * found.copied
        - MISSING * min(len(found.missing), MOST_MISSING) / MOST_MISSING
        - DENIED * found.denied
        + (MEANING * (meaning - USUAL_MEANING) if meaning is not None else 0.0)
    )
    return 1 / (1 + math.exp(-odds))


def _graded(piece: Piece, found: Support, meaning: float | None) -> GradedSentence:
    return GradedSentence(
        start=piece.start,
        end=piece.end,
        text=piece.text,
        score=sentence_score(found, meaning),
        evidence_id=found.best.evidence_id if found.best else None,
        missing=tuple(fact.moved(piece.start) for fact in found.missing),
        claims=found.claims,
        denied=found.denied,
        meaning=meaning,
    )


def _is_certain(score: float, sentences: Sequence[GradedSentence]) -> bool:
    if score >= CERTAIN[1]:
        return not any(sentence.denied for sentence in sentences)
    return score < CERTAIN[0] and any(
        sentence.missing or (sentence.meaning is not None and sentence.meaning < UNRELATED) for sentence in sentences
    )


def _ungrounded(piece: Piece) -> GradedSentence:
    return GradedSentence(piece.start, piece.end, piece.text, 0.0, None, (), 0.0, False, None)


def _overall(sentences: Sequence[GradedSentence]) -> float:
    telling = [sentence for sentence in sentences if sentence.claims > 0] or sentences
    weights = [sentence.claims or 1.0 for sentence in telling]
    mean = math.fsum(w * each.score for w, each in zip(weights, telling, strict=True)) / math.fsum(weights)
    return (mean + min(each.score for each in telling)) / 2
