"""How good a course's prerequisites are against pairs that people labelled, beside two baselines on the same pairs.

Belongs here: reading the labelled pairs and counting. The pairs are never seen by what finds prerequisites.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.prerequisites.measures import count_matrix, references
from knowledge_graph.prerequisites.mentions import Mentions, find_mentions
from knowledge_graph.problems import Problem
from knowledge_graph.records import Concept
from knowledge_graph.text import Sentence, language_of, normal_form

_TABS = re.compile(r"\t+")
_LABELS = ("1-", "-1", "-")
_DISTANCE = 0.02  # of the reference distance, as Liang et al. (2015) choose it

Edge = tuple[str, str]
Numbers = tuple[int, int]


@dataclass(frozen=True)
class LabelledPair:
    """What people say of two concepts by name: `prerequisite` is the one to know first, `None` when neither is."""

    first: str
    second: str
    prerequisite: str | None


@dataclass(frozen=True)
class Scores:
    """Precision, recall and their harmonic mean over ordered pairs, 0..1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class PairScores:
    """The scores of a graph and of baselines on the same instances: both directions of every covered labelled pair."""

    scores: Scores
    baselines: dict[str, Scores]
    """`first_mention`: who is mentioned first; `reference_distance`: and is referred to more; `every_pair`."""
    labelled: int
    covered: int
    """Labelled pairs of which the course mentions both concepts."""
    instances: int
    positives: int


def read_labelled_pairs(text: str, *, file: str = "prerequisites.tsv") -> tuple[list[LabelledPair], list[Problem]]:
    """Rows `a TAB b TAB label`, tabs in any number: `1-` when b is a prerequisite of a, `-1` when a is one of b, `-`.

    Blank lines and lines that begin with # are passed over. Rows in another form, of one concept twice, or that
    contradict an earlier row are left out and told.
    """
    pairs: dict[frozenset[str], LabelledPair] = {}
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        row = _pair(line)
        if isinstance(row, str):
            problems.append(Problem(file, number, row, "Write: concept, tab, concept, tab, and 1-, -1 or -."))
            continue
        key = frozenset((_folded(row.first), _folded(row.second)))
        known = pairs.setdefault(key, row)
        if _first_to_know(known) != _first_to_know(row):
            message = f"'{row.first}' and '{row.second}' are labelled otherwise above; the first label counts."
            problems.append(Problem(file, number, message, "Keep one of the two rows."))
    return list(pairs.values()), problems


def evaluate_pairs(
    accepted: Iterable[Edge],
    concepts: Sequence[Concept],
    sentences: Sequence[Sentence],
    labelled: Sequence[LabelledPair],
) -> PairScores:
    """Compare accepted edges (prerequisite, concept), by name, with labelled pairs.

    A labelled name stands for the concept that bears it as name or alias, and for itself where no concept does. A pair
    is covered when the sentences mention both; it gives two instances, both directions, of which one may be positive.
    """
    terms = _Terms.of(concepts, labelled)
    mentions = find_mentions(terms.concepts, sentences)
    row = {one.concept_id: at for at, one in enumerate(mentions.concepts)}
    ends = {(row.get(terms.id(one.first)), row.get(terms.id(one.second))): one for one in labelled}
    covered = {(a, b): one for (a, b), one in ends.items() if a is not None and b is not None and a != b}
    instances = {edge for a, b in covered for edge in ((a, b), (b, a))}
    gold = {
        (a, b) if terms.id(one.prerequisite) == terms.id(one.first) else (b, a)
        for (a, b), one in covered.items()
        if one.prerequisite is not None
    }
    found = {(row.get(terms.id(a), -1), row.get(terms.id(b), -1)) for a, b in accepted}
    baselines = {**_baselines(mentions), "every_pair": instances}
    return PairScores(
        scores=_scores(instances & found, gold),
        baselines={name: _scores(instances & edges, gold) for name, edges in baselines.items()},
        labelled=len(labelled),
        covered=len(covered),
        instances=len(instances),
        positives=len(gold),
    )


@dataclass(frozen=True)
class _Terms:
    """Who bears a name: a concept of the course, or else a term that only the labels know."""

    by_name: Mapping[str, Concept]
    concepts: list[Concept]
    """What the labels speak of."""

    @classmethod
    def of(cls, concepts: Sequence[Concept], labelled: Iterable[LabelledPair]) -> "_Terms":
        by_name = {_folded(name): one for one in reversed(concepts) for name in one.aliases}
        by_name |= {_folded(one.name): one for one in reversed(concepts)}
        spoken_of = {}
        for name in (name for pair in labelled for name in (pair.first, pair.second)):
            term = by_name.setdefault(_folded(name), _term(name))
            spoken_of[term.concept_id] = term
        return cls(by_name, list(spoken_of.values()))

    def id(self, name: str) -> str:
        known = self.by_name.get(_folded(name))
        return "" if known is None else known.concept_id


def _pair(line: str) -> LabelledPair | str:
    """The pair of a row, or what is wrong with it."""
    parts = [part.strip() for part in _TABS.split(line.strip("\t\r "))]
    if len(parts) != 3 or not all(parts):
        return f"Expected three fields between tabs, found {len(parts)}; the row was left out."
    first, second, label = parts
    if label not in _LABELS:
        return f"Unknown label '{label}'; the row was left out."
    if _folded(first) == _folded(second):
        return f"Both names are of one concept, '{first}'; the row was left out."
    return LabelledPair(first, second, {"1-": second, "-1": first, "-": None}[label])


def _baselines(mentions: Mentions) -> dict[str, set[Numbers]]:
    """What needs no learning: order of the first mention, and with it the distance of references between stretches."""
    if not mentions.concepts:
        return {"first_mention": set(), "reference_distance": set()}
    first = np.array([found[0] for found in mentions.positions])
    earlier = first[:, None] < first[None, :]
    refers = references(count_matrix(mentions))
    distant = earlier & (refers - refers.T > _DISTANCE)
    return {"first_mention": _edges(earlier), "reference_distance": _edges(distant)}


def _edges(chosen: NDArray[np.bool_]) -> set[Numbers]:
    a, b = np.nonzero(chosen)
    return set(zip(a.tolist(), b.tolist(), strict=True))


def _scores(found: set[Numbers], gold: set[Numbers]) -> Scores:
    right = len(found & gold)
    precision, recall = right / max(1, len(found)), right / max(1, len(gold))
    return Scores(precision, recall, 2 * right / max(1, len(found) + len(gold)))


def _term(name: str) -> Concept:
    lang = language_of(name)
    return Concept(
        course_id="",
        concept_id=f"{lang}:{normal_form(name, lang)}",
        name=name,
        aliases=(),
        lang=lang,
        rank=0,
        score=0.0,
        definition=None,
        definition_kind="none",
        definition_locator=None,
        domains=(),
        mention_count=0,
        evidence=(),
        votes={},
    )


def _first_to_know(pair: LabelledPair) -> str | None:
    return pair.prerequisite and _folded(pair.prerequisite)


def _folded(name: str) -> str:
    return normal_form(name, language_of(name))
