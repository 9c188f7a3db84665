"""How much of a sentence its evidence says, by words alone.

Words of the question are discounted: repeating what was asked is no information, so it can be neither right nor wrong.
What is new must be in the evidence (`known`), in the order in which it is said there (`order`), and is surest where it
is copied (`copied`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from serving.assistant.grounding.facts import Fact, missing
from serving.assistant.grounding.material import EvidenceSentence, GroundingMaterial
from serving.assistant.grounding.negation import contradicts
from serving.index.analysis import content_terms, terms
from serving.index.confidence import Weigh

NEUTRAL = 0.5
"""The value of a measure about which a sentence says nothing."""

LONGEST_RUN = 8
"""Words in a row that are no accident; a longer run is no surer. A choice."""

SAME_STATEMENT = 0.6
"""Share of a sentence's terms that one evidence sentence must hold for their negations to be compared. A choice."""

_FRAME = frozenset(
    (
        *content_terms(
            "yes no answer question according lecture course material source passage text mention state say"
        ),
        *"答案 回答 问题 根据 按照 课程 讲义 材料 资料 来源 提到 指出".split(),
    )
)
"""Terms of an answer that speak of the answer and its sources, not of the subject: "the answer is", 根据讲义."""


@dataclass(frozen=True)
class Support:
    """What the evidence gives one sentence.

    `known`, `order` and `copied` are shares, 0 to 1, `NEUTRAL` where there is nothing to measure. `claims` is the
    weight of the new terms, 0 for a sentence that tells nothing new. `best` is the evidence that shares most.
    """

    known: float
    order: float
    copied: float
    claims: float
    missing: tuple[Fact, ...]
    best: EvidenceSentence | None
    denied: bool


def support(sentence: str, material: GroundingMaterial, weigh: Weigh = lambda _: 1.0) -> Support:
    """Measure one sentence. `weigh` gives the weight of a term, above 0; all weigh the same by default."""
    content = [term for term in content_terms(sentence, strict=True) if term not in _FRAME]
    new = [term for term in content if term not in material.question_terms]
    best = nearest(content, material)
    same = best is not None and bool(content) and _share(content, best.content, weigh) >= SAME_STATEMENT
    return Support(
        known=_share(new, material.holding(new), weigh),
        order=_order(new, material, weigh),
        copied=_share_copied(sentence, material),
        claims=math.fsum(map(weigh, new)),
        missing=missing(sentence, material),
        best=best,
        denied=same and best is not None and contradicts(sentence, best.text),
    )


def nearest(content: Sequence[str], material: GroundingMaterial) -> EvidenceSentence | None:
    """The evidence sentence with most of these terms, the shorter one of equals; `None` when none has any."""
    wanted = frozenset(content)
    best = max(material.sentences, key=lambda each: (len(wanted & each.content), -len(each.terms)), default=None)
    return best if best is not None and wanted & best.content else None


def _share(wanted: Sequence[str], known: frozenset[str], weigh: Weigh) -> float:
    total = math.fsum(map(weigh, wanted))
    return math.fsum(weigh(term) for term in wanted if term in known) / total if total > 0 else NEUTRAL


def _order(new: Sequence[str], material: GroundingMaterial, weigh: Weigh) -> float:
    """Share of the neighbours among the new terms that are neighbours in the evidence too; of one term, if known."""
    if len(new) < 2:
        return _share(new, material.holding(new), weigh)
    weights = [weigh(left) + weigh(right) for left, right in pairwise(new)]
    found = [weight for pair, weight in zip(pairwise(new), weights, strict=True) if pair in material.pairs]
    total = math.fsum(weights)
    return math.fsum(found) / total if total > 0 else NEUTRAL


def _share_copied(sentence: str, material: GroundingMaterial) -> float:
    """Longest run of words that stands in the evidence, over the words of the sentence, both up to `LONGEST_RUN`."""
    said = terms(sentence)
    if all(term in _FRAME for term in said):
        return NEUTRAL
    most = min(len(said), LONGEST_RUN)
    length = 0
    while length < most and _shares_run(said, material, length + 1):
        length += 1
    return length / most


def _shares_run(said: Sequence[str], material: GroundingMaterial, length: int) -> bool:
    known = material.runs(length)
    return any(run in known for run in zip(*(said[n:] for n in range(length)), strict=False))
