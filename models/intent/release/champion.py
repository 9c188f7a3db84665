"""The newest trained model beside the one in use: their contest, the record of it, and putting a model in use.

The tests and the rule are promotion.py's; this module opens the models and reads and writes under `models/intent`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import write_text_atomic
from models.embedding.embedder import Embedder
from models.intent.classifier import IntentClassifier
from models.intent.labels.categories import Floats
from models.intent.labels.examples import IntentExample
from models.intent.release.promotion import Contest, PromotionDecision, compare, decide
from models.intent.release.seen_questions import mark, read_seen
from models.intent.release.tries import next_try, record_try
from models.intent.release.uses import BUILD, VersionUse, read_uses, record_use
from models.intent.training.scoring import probabilities
from models.versions import ModelError, ModelMissing, current_folder, current_version

_RECORD = "challenger.json"


@dataclass(frozen=True)
class Challenger:
    """The newest training: what was decided, and where MLflow has it."""

    decision: PromotionDecision
    registered: int
    """Version of the registered model."""
    run_id: str
    run_url: str
    """Path to append to the address of the MLflow UI."""


@dataclass(frozen=True)
class InUse:
    """The model that answers students after `put_in_use`."""

    version: str | None
    changed: bool
    reason: str


def contest(
    version: str,
    test: Sequence[IntentExample],
    linear: Floats,
    *,
    beats_majority: bool,
    data_digest: str,
    data_dir: DataDir,
    embedder: Embedder | None = None,
) -> PromotionDecision:
    """Compare a published version with the linear baseline and the one in use, on questions that were held out.

    Of versions with a refit their judged networks are compared: those that are served have learnt from such questions.
    `linear` holds the baseline's probabilities on `test`, `data_digest` is that of all examples, `embedder` the home's,
    if it is open.
    """
    ours = probabilities(IntentClassifier.open_judged(data_dir.intent / version, embedder=embedder), test)
    against_linear = compare([one.category for one in test], ours, linear, name="the linear baseline")
    champion = current_version(data_dir.intent)
    against, works = None, True
    if champion is not None and champion != version:
        try:
            folder = current_folder(data_dir.intent, what="intent model", remedy="Run `coteach build`.")
            opponent = IntentClassifier.open_judged(folder, embedder=embedder)
        except ModelError:
            works = False
        else:
            against = _against_champion(version, opponent, ours, test, data_digest, data_dir)
    return decide(
        version,
        champion,
        beats_majority=beats_majority,
        linear=against_linear,
        against_champion=against,
        champion_works=works,
    )


def write_challenger(challenger: Challenger, *, data_dir: DataDir) -> None:
    """Record the newest training for the checks and for `put_in_use`."""
    text = TypeAdapter(Challenger).dump_json(challenger, indent=2).decode()
    write_text_atomic(data_dir.intent / _RECORD, text + "\n")


def read_challenger(data_dir: DataDir) -> Challenger:
    """The newest training. Raises `ModelMissing` when there was none."""
    path = data_dir.intent / _RECORD
    if not path.exists():
        raise ModelMissing(f"No training is recorded in {path}. Materialize `intent_model`.")
    return TypeAdapter(Challenger).validate_json(path.read_bytes())


def put_in_use(data_dir: DataDir) -> InUse:
    """Make the newest training the one that answers students, if that was decided; safe to repeat.

    When the model in use is no longer the one it was compared with, or a person has chosen another one since, nothing
    changes.
    """
    challenger = read_challenger(data_dir)
    decision = challenger.decision
    current = current_version(data_dir.intent)
    if current == decision.version or not decision.promote:
        return InUse(current, changed=False, reason=decision.reason)
    if since := _find_choice_since(challenger, data_dir):
        return InUse(current, changed=False, reason=f"{since.who} chose {since.version} since: {since.why}")
    if current != decision.champion:
        reason = (
            f"{decision.version} was compared with {decision.champion}, but {current} is in use by now. "
            "Materialize `intent_model` to compare again."
        )
        return InUse(current, changed=False, reason=reason)
    record_use(decision.version, who=BUILD, why=decision.reason, known_run=challenger.run_id, data_dir=data_dir)
    return InUse(decision.version, changed=True, reason=decision.reason)


def _find_choice_since(challenger: Challenger, data_dir: DataDir) -> VersionUse | None:
    """The newest choice that was made when this training was known already: its decision is not carried out twice."""
    chosen = [use for use in read_uses(data_dir) if use.known_run == challenger.run_id]
    return chosen[-1] if chosen else None


def _against_champion(
    version: str,
    opponent: IntentClassifier,
    ours: Floats,
    test: Sequence[IntentExample],
    data_digest: str,
    data_dir: DataDir,
) -> Contest | None:
    """The contest, which counts as a try on its questions; None when the opponent has seen all of them."""
    seen = _read_seen_by(data_dir.intent / opponent.version, data_digest)
    fair = [number for number, one in enumerate(test) if seen is None or mark(one) not in seen]
    if not fair:
        return None
    asked = [test[number] for number in fair]
    marks = [mark(one) for one in asked]
    found = compare(
        [one.category for one in asked],
        ours[fair],
        probabilities(opponent, asked),
        name=opponent.version,
        left_out=None if seen is None else len(test) - len(fair),
        at=next_try(version, marks, data_dir=data_dir),
    )
    record_try(version, marks, data_dir=data_dir)
    return found


def _read_seen_by(folder: Path, data_digest: str) -> frozenset[str] | None:
    """What a version's judged network was trained on; None when that was not recorded yet and it had other examples."""
    if (seen := read_seen(folder)) is not None:
        return seen
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    return frozenset() if card["data"]["digest"] == data_digest else None
