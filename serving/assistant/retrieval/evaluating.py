"""How good rankings are: hit@1, recall@5, MRR@10 and nDCG@10, by length of the question. Pure.

Relevance is binary: an answer is one of the question's gold ids or it is not. Definitions as in Manning, Raghavan and
Schuetze 2008, chapter 8; nDCG with 1 / log2(1 + rank) (Jarvelin and Kekalainen 2002). Own code, twenty lines, because
no library of such measures is among the locked ones.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

DEPTH = 10
"""Results looked at."""

LENGTHS: tuple[tuple[str, int], ...] = (("1-10", 10), ("11-20", 20), ("21-50", 50))
"""Buckets by characters of the question; whatever is longer is in `LONGER`."""

LONGER = "51+"
ALL = "all"
BUCKETS = (ALL, *(name for name, _ in LENGTHS), LONGER)


@dataclass(frozen=True)
class JudgedQuestion:
    """One question asked of one strategy: what was found, best first, what should be, and how long it took."""

    question: str
    found: Sequence[str]
    gold: Collection[str]
    milliseconds: float = 0.0


def bucket(question: str) -> str:
    """The length bucket of a question, by its characters without blanks around."""
    length = len(question.strip())
    return next((name for name, most in LENGTHS if length <= most), LONGER)


def hit_at_1(judged: JudgedQuestion) -> float:
    """1 when the first result is gold, else 0."""
    return float(bool(judged.found) and judged.found[0] in judged.gold)


def recall_at_5(judged: JudgedQuestion) -> float:
    """Share of the gold ids among the first five; of five when there are more."""
    return len(set(judged.found[:5]) & set(judged.gold)) / min(5, len(set(judged.gold)))


def reciprocal_rank(judged: JudgedQuestion) -> float:
    """1 / rank of the first gold id among the first ten, 0 when there is none (MRR@10 is the mean)."""
    ranks = (place for place, key in enumerate(judged.found[:DEPTH], start=1) if key in judged.gold)
    return next((1.0 / place for place in ranks), 0.0)


def ndcg(judged: JudgedQuestion) -> float:
    """Discounted gain of the first ten over that of the best order there is, 0..1."""
    seen: set[str] = set()
    gain = 0.0
    for place, key in enumerate(judged.found[:DEPTH], start=1):
        if key in judged.gold and key not in seen:
            gain += 1.0 / math.log2(1 + place)
            seen.add(key)
    return gain / sum(1.0 / math.log2(1 + place) for place in range(1, min(DEPTH, len(set(judged.gold))) + 1))


QUANTITIES: Mapping[str, Callable[[JudgedQuestion], float]] = {
    "hit_at_1": hit_at_1,
    "recall_at_5": recall_at_5,
    "mrr_at_10": reciprocal_rank,
    "ndcg_at_10": ndcg,
}


def measure(judged: Iterable[JudgedQuestion]) -> dict[str, dict[str, float]]:
    """Means of every measure, number of questions and latency (p50, p95 in milliseconds), by bucket.

    Buckets without questions are left out. Raises `ValueError` for a question without gold: nothing could be right.
    """
    listed = list(judged)
    if empty := [each.question for each in listed if not each.gold]:
        raise ValueError(f"Questions without a gold id cannot be judged: {empty[:5]}.")
    groups = {name: [each for each in listed if name in (ALL, bucket(each.question))] for name in BUCKETS}
    return {name: _means(group) for name, group in groups.items() if group}


def _means(group: Sequence[JudgedQuestion]) -> dict[str, float]:
    times = sorted(each.milliseconds for each in group)
    means = {name: fmean(map(of, group)) for name, of in QUANTITIES.items()}
    return {
        "questions": float(len(group)),
        **means,
        "p50_ms": quantile(times, 0.5),
        "p95_ms": quantile(times, 0.95),
    }


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the ordered values do not exceed (nearest rank)."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
