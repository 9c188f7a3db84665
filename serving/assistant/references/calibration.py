"""How likely a passage supports an answer, and from where on it is shown: weights and cut, as stored with a home.

Belongs here: the record that the gateway reads, and what is used when there is none. How it is found on labelled
answers is fitting.py's, which needs scikit-learn.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import write_text_atomic
from serving.assistant.references.ranking import Signals

FILE = "calibration.json"


class CalibrationBroken(CoteachError):
    """The stored calibration of references cannot be read."""


@dataclass(frozen=True)
class Point:
    """What a cut would do to the labelled pairs: shares 0..1, and how many it accepts."""

    cut: float
    precision: float
    recall: float
    accepted: int


@dataclass(frozen=True)
class CutMeasures:
    """What a cut does on labelled pairs that its weights were not fitted on (cross-validated by answer).

    `nested_precision` and `nested_recall`: the same when the cut too is chosen without the answers it is judged on.
    `precision_bound`: with confidence `confidence` the precision is at least this, by the exact binomial bound
    (Clopper & Pearson 1934) on those nested decisions, as if the pairs of an answer were independent. On the pairs
    that chose the cut it would be broken too often: they were chosen to look good.
    """

    answers: int
    pairs: int
    relevant: int
    accepted: int
    precision: float
    recall: float
    target: float
    confidence: float
    precision_bound: float
    nested_precision: float
    nested_recall: float
    average_precision: float
    curve: tuple[Point, ...] = ()

    @property
    def reaches_target(self) -> bool:
        return self.precision >= self.target


@dataclass(frozen=True)
class Scorer:
    """A logistic model over signals for one language: P(supports) = 1 / (1 + exp(-(intercept + weights * signals))).

    `embedder` names the model whose cosines it was fitted on; `None` for one that looks at words alone. A candidate is
    shown when its score is above `cut`. `measured` is `None` for a scorer that came with the program.
    """

    lang: str
    embedder: str | None
    intercept: float
    weights: Mapping[str, float]
    cut: float
    measured: CutMeasures | None = None

    def score(self, signals: Signals) -> float:
        """From 0 to 1. Raises `KeyError` for a signal that is missing."""
        total = self.intercept + math.fsum(weight * signals[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-total))


@dataclass(frozen=True)
class Calibration:
    """The scorers of a home: for a language one by words, and one by words and meaning where labels and model allow."""

    scorers: tuple[Scorer, ...] = ()

    def scorer(self, lang: str, embedder: str | None = None) -> Scorer:
        """The one for a language and an embedder; by words alone when that embedder's cosines were never calibrated."""
        found = {(one.lang, one.embedder): one for one in (*UNCALIBRATED, *self.scorers)}
        return found.get((lang, embedder)) or found.get((lang, None)) or replace(UNCALIBRATED[0], lang=lang)


UNCALIBRATED = (
    Scorer("en", None, -7.16447, {"overlap": 13.813007, "support": 6.547036, "title": 2.390869}, 0.59),
    Scorer("zh", None, -5.554847, {"overlap": 8.791726, "support": 12.858051, "title": 2.122515}, 0.38),
)
"""By words alone, for homes without labelled answers: what fitting.py found on the two sample courses."""


def write_calibration(folder: Path, calibration: Calibration) -> Path:
    """Store it for the gateway; the file is replaced in one rename."""
    path = folder / FILE
    text = json.dumps(asdict(calibration), ensure_ascii=False, indent=2, sort_keys=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text_atomic(path, text + "\n")
    return path


def read_calibration(folder: Path) -> Calibration:
    """What a build has stored; the program's own scorers alone when nothing is. Raises `CalibrationBroken`."""
    path = folder / FILE
    if not path.is_file():
        return Calibration()
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))["scorers"]
        return Calibration(tuple(_scorer(values) for values in listed))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise CalibrationBroken(f"{path} cannot be read: {error!r}. Materialize `reference_cut`.") from error


def _scorer(values: dict[str, object]) -> Scorer:
    found = Scorer(**values)  # type: ignore[arg-type]
    if found.measured is None:
        return found
    told: dict[str, object] = dict(values["measured"])  # type: ignore[call-overload]
    curve = tuple(Point(**point) for point in told.pop("curve"))  # type: ignore[attr-defined]
    return replace(found, measured=CutMeasures(**told, curve=curve))  # type: ignore[arg-type]
