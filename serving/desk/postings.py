"""`Postings`: the wordings of one course's approved answers by their terms, so that a question is compared with those
alone that share a word with it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from serving.desk.approved_answers import Approved
from serving.index.search import SearchIndex


@dataclass(frozen=True)
class Near:
    """An approved answer found by one of its wordings; `overlap` is that of `serving.index.confidence`, 0..1."""

    approved: Approved
    wording: str
    overlap: float


@dataclass(frozen=True)
class Postings:
    """The n-th wording is `wordings[n]` with `terms[n]`, of the answer `approved[n]`, whose entry has the id `ids[n]`.

    Immutable but for the weights, which are those of the newest index asked for.
    """

    approved: tuple[Approved, ...]
    ids: tuple[str, ...]
    wordings: tuple[str, ...]
    terms: tuple[tuple[str, ...], ...]
    places: Mapping[str, tuple[int, ...]]
    """Term -> the wordings that it stands in."""
    _weights: dict[str, tuple[float, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, approved: Sequence[Approved]) -> "Postings":
        pairs = [(one, wording) for one in approved for wording in one.wordings]
        places: dict[str, list[int]] = defaultdict(list)
        for number, (_, wording) in enumerate(pairs):
            for term in wording.terms:
                places[term].append(number)
        return cls(
            tuple(one for one, _ in pairs),
            tuple(one.entry.entry_id for one, _ in pairs),
            tuple(wording.text for _, wording in pairs),
            tuple(wording.terms for _, wording in pairs),
            {term: tuple(each) for term, each in places.items()},
        )

    def near(self, terms: Sequence[str], index: SearchIndex, *, least: float, most: int) -> list[Near]:
        """The answers whose overlap with the distinct `terms` is `least`, above 0, or more; each by its best wording.

        At most `most`, best first, ties by id.
        """
        shared: dict[int, float] = defaultdict(float)
        for term in terms:
            weight = index.idf(term)
            for number in self.places.get(term, ()):
                shared[number] += weight
        whole, weights = sum(index.idf(term) for term in terms), self.weights(index)
        overlaps = ((2 * weight / (whole + weights[number]), number) for number, weight in shared.items())
        enough = [(-overlap, self.ids[number], number) for overlap, number in overlaps if overlap >= least]
        best: dict[str, Near] = {}
        for negative, key, number in sorted(enough):
            if key not in best:
                best[key] = Near(self.approved[number], self.wordings[number], -negative)
            if len(best) == most:
                break
        return list(best.values())

    def weights(self, index: SearchIndex) -> tuple[float, ...]:
        """The weight of each wording by the idf of an index, worked out once."""
        if (known := self._weights.get(index.version)) is None:
            known = tuple(sum(index.idf(term) for term in terms) for terms in self.terms)
            self._weights.clear()
            self._weights[index.version] = known
        return known
