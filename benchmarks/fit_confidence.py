"""Fit the weights of `definitions/confidence.py` and `prerequisites/confidence.py` to the labels' development half.

    .venv/bin/python benchmarks/fit_confidence.py --home DATA definitions
    .venv/bin/python benchmarks/fit_confidence.py --home DATA edges

Prints bias and weights to be put into the module, and by cut how many development labels were right above it, over all
and without the samples, each judged by weights fitted without its concept's tenth. The edges' features need the
concepts built with the definitions' weights: fit definitions, build, fit edges. No label of the held-out half is used.
The home must hold the labelled courses.
"""

import argparse
import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parent))

from labelled import SAMPLES, definition_labels, digest, edge_labels

from knowledge_graph.concepts.corpus import course_sentences
from knowledge_graph.definitions.confidence import features as features_of_definition
from knowledge_graph.definitions.define import sayings
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Concept, Cue, DocumentSection, Prerequisite, Snippet, from_row
from knowledge_graph.lake.source_kinds import CourseTable
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.prerequisites.confidence import features as features_of_edge
from knowledge_graph.prerequisites.find import weigh_links
from knowledge_graph.text.matching import TermMatcher

Record = TypeVar("Record")
_SOFT = (
    0.1  # inverse strength of the penalty on weights of features scaled to unit variance; chosen among .03, .1, .3, 1
)
_FOLDS = 10
_CUTS = np.arange(0.5, 0.95, 0.05)


@dataclass(frozen=True)
class Example:
    """A labelled definition or edge."""

    concept: tuple[str, str]
    """Course and concept, of an edge the later one."""
    item: tuple[str, ...]
    """What one of is shown: of the candidates for a definition of a concept only the surest."""
    features: Mapping[str, float]
    right: bool


def definitions(data_dir: DataDir) -> list[Example]:
    labels = {key: label.right for key, label in definition_labels().items() if label.split == "development"}
    found: dict[tuple[str, str, str], Example] = {}
    for course in sorted({key[0] for key in labels}):
        concepts = _read(data_dir, "concepts", course, Concept)
        terms = TermMatcher((one.concept_id, name) for one in concepts for name in (one.name, *one.aliases))
        spoken, written = course_sentences(
            _read(data_dir, "cues", course, Cue), _read(data_dir, "documents", course, DocumentSection)
        )
        snippets = _read(data_dir, "search_snippets", course, Snippet)
        for concept_id, saying in sayings(terms, [*spoken, *written], snippets):
            key = (course, concept_id, digest(saying.text))
            if key in labels and key not in found:
                found[key] = Example(key[:2], key[:2], features_of_definition(saying), labels[key])
    return [found[key] for key in sorted(found)]


def edges(data_dir: DataDir) -> list[Example]:
    labels = {key: label.right for key, label in edge_labels().items() if label.split == "development"}
    found = []
    for course in sorted({key[0] for key in labels}):
        accepted = {
            (one.prerequisite_id, one.concept_id): one.probability
            for one in _read(data_dir, "prerequisites", course, Prerequisite)
            if (course, one.prerequisite_id, one.concept_id) in labels and one.accepted
        }
        links = weigh_links(
            _read(data_dir, "concepts", course, Concept),
            _read(data_dir, "cues", course, Cue),
            accepted,
            documents=_read(data_dir, "documents", course, DocumentSection),
        )
        for (before, after), link in sorted(links.items()):
            key = (course, before, after)
            found.append(Example((course, after), key, features_of_edge(link), labels[key]))
    return found


def fit(examples: Sequence[Example]) -> tuple[float, dict[str, float]]:
    names, values, right = _matrix(examples)
    bias, weights = _fitted(values, right)
    return bias, dict(zip(names, weights.tolist(), strict=True))


@dataclass(frozen=True)
class Shown:
    """How many would be shown, and how many of these are right."""

    count: int
    right: int

    def __str__(self) -> str:
        return f"{self.count} shown, {self.right} right, {self.right / max(1, self.count):.3f}"


def cuts(examples: Sequence[Example]) -> list[tuple[float, Shown, Shown]]:
    """Of each cut, what is shown over all and without the samples; every concept judged without its tenth."""
    _, values, right = _matrix(examples)
    folds = np.array([_fold(one.concept[1]) for one in examples])
    sure = np.zeros(len(examples))
    for fold in range(_FOLDS):
        rest, own = folds != fold, folds == fold
        bias, weights = _fitted(values[rest], right[rest])
        sure[own] = 1 / (1 + np.exp(-bias - values[own] @ weights))
    best: dict[tuple[str, ...], int] = {}
    for at, one in enumerate(examples):
        if one.item not in best or sure[at] > sure[best[one.item]]:
            best[one.item] = at
    chosen = np.zeros(len(examples), dtype=np.bool_)
    chosen[sorted(best.values())] = True
    said = np.array([one.concept[0] not in SAMPLES for one in examples])
    above = [(float(cut), chosen & (sure >= cut)) for cut in _CUTS]
    return [(cut, _shown(right, shown), _shown(right, shown & said)) for cut, shown in above]


def _shown(right: NDArray[np.bool_], shown: NDArray[np.bool_]) -> Shown:
    return Shown(int(shown.sum()), int(right[shown].sum()))


def _fitted(values: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[float, NDArray[np.float64]]:
    spread = values.std(axis=0)
    spread[spread == 0] = 1
    model = LogisticRegression(C=_SOFT, max_iter=5_000).fit(values / spread, right)
    return float(model.intercept_[0]), model.coef_[0] / spread


def _matrix(examples: Sequence[Example]) -> tuple[list[str], NDArray[np.float64], NDArray[np.bool_]]:
    names = list(examples[0].features)
    values = np.array([[float(one.features[name]) for name in names] for one in examples])
    return names, values, np.array([one.right for one in examples])


def _fold(concept_id: str) -> int:
    return int(hashlib.sha256(f"fold {concept_id}".encode()).hexdigest(), 16) % _FOLDS


def _read(data_dir: DataDir, table: CourseTable, course: str, record: type[Record]) -> list[Record]:
    return [from_row(record, row) for row in read_rows(data_dir.table(table, course))]


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("of", choices=("definitions", "edges"))
    parser.add_argument("--home", type=Path, required=True, help="a home in which the labelled courses are built")
    arguments = parser.parse_args()
    data_dir = DataDir(arguments.home)
    examples = definitions(data_dir) if arguments.of == "definitions" else edges(data_dir)
    bias, weights = fit(examples)
    _say(f"{len(examples)} of the development labels found, {sum(one.right for one in examples)} right")
    _say(f"BIAS = {bias:.2f}")
    _say("WEIGHTS: Mapping[str, float] = {")
    for name, weight in weights.items():
        _say(f'    "{name}": {weight:.2f},')
    _say("}")
    for cut, shown, without_samples in cuts(examples):
        _say(f"from {cut:.2f}: {shown}; without the samples {without_samples}")


if __name__ == "__main__":
    main()
