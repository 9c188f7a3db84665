"""How good a ranking of concepts is against a list that people made: precision, average precision, recall.

Belongs here: the measures and the matching of names. The gold list is read in `sources/gold.py` and never seen by
extraction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.lake.records import Concept
from knowledge_graph.sources.terms import fold_name

PRECISION_AT = (50, 100)
RECALL_AT = (100, 200)


@dataclass(frozen=True)
class RankingScores:
    """All measures lie between 0 and 1; `precision` and `recall` are keyed by how many ranks are looked at."""

    gold: int
    ranked: int
    found: int
    precision: Mapping[int, float]
    average_precision: float
    recall: Mapping[int, float]

    def measures(self) -> dict[str, float]:
        """Every figure under a name."""
        return {
            "gold_concepts": float(self.gold),
            "concepts": float(self.ranked),
            "found": float(self.found),
            "precision": self.found / max(1, self.ranked),
            "recall": self.found / max(1, self.gold),
            **{f"precision_at_{k}": value for k, value in self.precision.items()},
            "average_precision": self.average_precision,
            **{f"recall_at_{k}": value for k, value in self.recall.items()},
        }


def evaluate_concepts(concepts: Sequence[Concept], gold: Sequence[Sequence[str]]) -> RankingScores:
    """Compare concepts, best first, with gold concepts, each given by its names.

    A concept is right when one of its names is one of a gold concept's in normal form, and that gold concept was not
    found at a better rank. Precision at k divides by k even when fewer were ranked; average precision divides by the
    number of gold concepts (Manning, Raghavan and Schütze 2008, section 8.4).
    """
    owner = {fold_name(name): number for number, names in enumerate(gold) for name in reversed(names)}
    seen: set[int] = set()
    right = []
    for concept in sorted(concepts, key=lambda one: one.rank):
        named = {owner[key] for name in (concept.name, *concept.aliases) if (key := fold_name(name)) in owner} - seen
        right.append(bool(named))
        seen |= named
    return _scores(right, len(gold), len(seen))


def _scores(right: Sequence[bool], gold: int, found: int) -> RankingScores:
    hits, total = 0, 0.0
    for rank, good in enumerate(right, 1):
        hits += good
        total += good * hits / rank
    return RankingScores(
        gold=gold,
        ranked=len(right),
        found=found,
        precision={k: sum(right[:k]) / k for k in PRECISION_AT},
        average_precision=total / max(1, gold),
        recall={k: sum(right[:k]) / max(1, gold) for k in RECALL_AT},
    )
