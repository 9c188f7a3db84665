"""What is measured of an answer, sentence by sentence and as a whole: the features of the groundedness grader.

Each is a share from 0 to 1 that a person can check by hand. Which of them counts how much is fitted by
`benchmarks/fit_grader.py` and stands in `weights.json`.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

from serving.assistant.grounding.attribution import SentenceVerdict
from serving.assistant.grounding.material import GroundingMaterial, triples
from serving.assistant.grounding.support import NEUTRAL, Support
from serving.index.analysis import terms

MOST_MISSING = 2
"""Facts in no evidence that count; more do not make it worse."""

_MARKUP = re.compile(
    r"</?[a-z][a-z_]*[^<>\n]*>|\[(?:[4-9]|\d\d+)\]|```|\$\$|^[^\w\n]{0,8}\[\d\] [^.:\n]{2,60}:"
    r"|prerequisite concepts of|belongs to the domain|document number",
    re.IGNORECASE | re.MULTILINE,
)
"""Tags, marks, and the notes of a prompt as they are written there: "[2] queue: A queue is …"."""


@dataclass(frozen=True)
class MeasuredSentence:
    """One sentence with what its words and its statements found in the evidence."""

    text: str
    support: Support
    verdict: SentenceVerdict


@dataclass(frozen=True)
class GroundingMeasures:
    """Measures of one answer.

    `known` is the share of the first sentence's new claims that the evidence supports, `unknown` the mean unsupported
    share over all sentences; `missing` counts numbers, names and quotes without a source, two at most.

    `contradicted` is attribution's finding on the worst sentence. `on_subject` is 1 if the first sentence rests on
    evidence about the question's subject, 0 if it rests on other evidence or claims nothing. `repeated` is the share of
    repeated word triples; `markup` counts tags, marks and copied notes that no reader should see, three at most.
    """

    known: float
    unknown: float
    missing: float
    contradicted: float
    on_subject: float
    repeated: float
    markup: float

    @property
    def values(self) -> tuple[float, ...]:
        return astuple(self)


def measures(
    sentences: Sequence[MeasuredSentence], material: GroundingMaterial, *, is_whole: bool = True
) -> GroundingMeasures:
    """The measures of an answer with at least one sentence; of a sentence of one, which need not be on the subject,
    where it is not `is_whole`."""
    first = next((one.support for one in sentences if one.support.claims > 0), None)
    is_on_subject = first is not None and first.best is not None and first.best.evidence_id in material.ids_asked_about
    text = "\n".join(one.text for one in sentences)
    return GroundingMeasures(
        known=first.known if first is not None else NEUTRAL,
        unknown=math.fsum(one.verdict.shares.unknown for one in sentences) / len(sentences),
        missing=min(sum(len(one.support.missing) for one in sentences), MOST_MISSING) / MOST_MISSING,
        contradicted=max((_against(one.verdict) for one in sentences), default=0.0),
        on_subject=float(is_on_subject or not is_whole),
        repeated=_share_repeated(sentences, material),
        markup=min(3, len(_MARKUP.findall(text))) / 3,
    )


def _against(verdict: SentenceVerdict) -> float:
    """How much the evidence says otherwise."""
    shares = verdict.shares
    if verdict.ruling != "contradicted":
        return 0.0
    return max(shares.subject, shares.direction, shares.denial, shares.number)


def _share_repeated(sentences: Sequence[MeasuredSentence], material: GroundingMaterial) -> float:
    """The share of word triples that were said before, and more often than the evidence says them."""
    said = Counter(triple for one in sentences for triple in triples(tuple(terms(one.text))))
    again = sum(max(0, count - max(1, material.triples[triple])) for triple, count in said.items())
    return again / said.total() if said else 0.0


NAMES = tuple(field.name for field in fields(GroundingMeasures))
"""The names of the measures, in the order of their values."""
