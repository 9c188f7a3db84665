"""The intent model in use: opens what was exported and scores questions. ONNX Runtime, tokenizers and numpy only."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from models.embedding.embedder import Embedder
from models.embedding.published import open_files
from models.intent.labels.categories import CATEGORIES, CHAT, Category, Floats
from models.intent.labels.pairs import PaddedBatch, PairEncoder
from models.intent.question_vectors import vectors_of
from models.intent.thresholds import IntentThresholds, read_thresholds, temper, thresholds_path
from models.onnx_session import UNREADABLE, open_session
from models.versions import ModelBroken, ModelMissing, current_folder

SERVED = "model.onnx"
"""The network that answers students."""

JUDGED = "judged.onnx"
"""The network that was trained with held-out questions, beside one that was fitted on all labelled questions after it.
Without this file the served network is the judged one."""

EMBEDDER = "embedder"
"""In `labels.json` of a network that reads sentence embeddings: `version`, the folder of the home's embedder that made
them, and its `name`. Without it the network reads none."""

_REMEDY = "Materialize `intent_model`."

_AT_ONCE = 64
"""Questions of like length that are run together: bounds memory, and short ones are not padded to long ones."""

Turn = tuple[str, str, str]
"""Previous turn (or ""), course title (or ""), question."""


@dataclass(frozen=True)
class IntentScores:
    """What the model thinks of one question; every score 0..1."""

    category: Category
    probabilities: dict[Category, float]
    h: float
    """Chit-chat of either kind (LittleMu eq. 4)."""
    complex: float
    """That the question asks for reasoning."""


class IntentClassifier:
    """One version of the exported model. Immutable; open again to follow `CURRENT`."""

    def __init__(
        self,
        folder: Path,
        *,
        thresholds: IntentThresholds | None = None,
        threads: int = 1,
        network: str = SERVED,
        embedder: Embedder | None = None,
    ) -> None:
        """Open the version in `folder`. Raises `ModelBroken` naming what cannot be read.

        `thresholds` are those of a calibration; without, the scores are the network's own. `network` is the file.
        `embedder` is one that is open already: it is asked if it is the one whose vectors the network reads, so that
        no question is embedded twice and no model held twice. Else that one is opened, among the home's embedders.
        """
        self.version = folder.name
        labels = _read_json(folder / "labels.json")
        if labels.get("categories") != list(CATEGORIES):
            raise ModelBroken(
                f"{folder} knows the categories {labels.get('categories')}, not {list(CATEGORIES)}. {_REMEDY}"
            )
        try:
            exported = IntentThresholds(float(_read_json(folder / "thresholds.json")["alpha"]), promised=False)
            self._pairs = PairEncoder.from_settings(Tokenizer.from_file(str(folder / "tokenizer.json")), labels)
        except Exception as error:
            raise ModelBroken(f"{folder} cannot be read: {error}. {_REMEDY}") from error
        self._thresholds = thresholds or exported
        self._embedder = _embedder(folder, labels, embedder, threads)
        self._session = open_session(folder / network, threads, remedy=_REMEDY)
        self._try(folder / network)

    @classmethod
    def open(cls, folder: Path, *, threads: int = 1, embedder: Embedder | None = None) -> "IntentClassifier":
        """The version that `<folder>/CURRENT` names, with its calibration if there is one.

        Raises `ModelMissing` when nothing was published, `ModelBroken` when the files are damaged or do not fit.
        """
        version = current_folder(folder, what="intent model", remedy=_REMEDY)
        found = read_thresholds(thresholds_path(version))
        return cls(version, thresholds=found, threads=threads, embedder=embedder)

    @classmethod
    def open_judged(
        cls, folder: Path, *, thresholds: IntentThresholds | None = None, embedder: Embedder | None = None
    ) -> "IntentClassifier":
        """The version in `folder` as it was before it learnt from held-out questions: who scores those asks this one.

        Without `thresholds` its scores are the network's own. Raises `ModelBroken` as opening it for serving does.
        """
        network = JUDGED if (folder / JUDGED).exists() else SERVED
        return cls(folder, thresholds=thresholds, network=network, embedder=embedder)

    def alpha_for(self, question: str) -> float:
        """A question of this length with h above it is chit-chat: the calibrated cut, else the one of training."""
        return self._thresholds.alpha_for(question)

    def classify(self, question: str, *, previous: str = "", course: str = "") -> IntentScores:
        """Score one question, read after the previous turn and within a course. Any text is accepted, empty too."""
        return self.classify_batch([(previous, course, question)])[0]

    def classify_batch(self, turns: Sequence[Turn]) -> list[IntentScores]:
        """Score many questions at once, in order."""
        if not turns:
            return []
        return [_scores(row) for row in temper(self._probabilities(turns), self._thresholds.temperature)]

    def encode(self, question: str, *, previous: str = "", course: str = "") -> list[int]:
        """The token ids that the network reads for one question."""
        return self._pairs.encode(previous, course, question)[0]

    def _probabilities(self, turns: Sequence[Turn]) -> Floats:
        rows = [self._pairs.encode(*turn) for turn in turns]
        by_length = sorted(range(len(rows)), key=lambda place: len(rows[place][0]))
        found = []
        for start in range(0, len(rows), _AT_ONCE):
            some = by_length[start : start + _AT_ONCE]
            found.append(
                self._run(self._pairs.pad([rows[place] for place in some]), [turns[place][2] for place in some])
            )
        together = np.concatenate(found)
        probabilities = np.empty_like(together)
        probabilities[by_length] = together
        return probabilities

    def _run(self, batch: PaddedBatch, questions: Sequence[str]) -> Floats:
        beside = {} if self._embedder is None else vars(vectors_of(questions, self._embedder))
        (found,) = self._session.run(["probabilities"], {**vars(batch), **beside})
        return np.asarray(found, dtype=np.float64)

    def _try(self, path: Path) -> None:
        """Ask one question: a model of another version opens well and fails at the first student."""
        try:
            found = self._probabilities([("你好", "", "What is a heap?")])
        except (*UNREADABLE, ValueError) as error:
            raise ModelBroken(f"{path} does not answer as this version of coteach asks: {error}. {_REMEDY}") from error
        if found.shape != (1, len(CATEGORIES)) or not np.isclose(found.sum(), 1.0, atol=1e-3):
            raise ModelBroken(
                f"{path} answers with {found.shape} numbers that add up to {found.sum():.3f}; expected are "
                f"{len(CATEGORIES)} probabilities that add up to 1. {_REMEDY}"
            )


def _scores(row: Floats) -> IntentScores:
    probabilities = dict(zip(CATEGORIES, row.tolist(), strict=True))
    return IntentScores(
        category=CATEGORIES[int(row.argmax())],
        probabilities=probabilities,
        h=sum(probabilities[name] for name in CHAT),
        complex=probabilities["complex"],
    )


def _embedder(folder: Path, labels: dict[str, Any], given: Embedder | None, threads: int) -> Embedder | None:
    if (wanted := labels.get(EMBEDDER)) is None:
        return None
    if given is not None and given.name == wanted["name"]:
        return given
    try:
        return open_files(embedder_folder(folder, labels), threads=threads)
    except ModelMissing as error:
        raise ModelBroken(f"{folder} reads sentence embeddings of {wanted['name']}: {error} {_REMEDY}") from error


def embedder_folder(folder: Path, labels: dict[str, Any]) -> Path:
    """Where the embedder of a version lies: beside the intent models of its home, under the name of its content."""
    return folder.parents[1] / "embedding" / str(labels[EMBEDDER]["version"])


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelBroken(f"{path} cannot be read: {error}. {_REMEDY}") from error
    if not isinstance(content, dict):
        raise ModelBroken(f"{path} holds {type(content).__name__}, not an object. {_REMEDY}")
    return content
