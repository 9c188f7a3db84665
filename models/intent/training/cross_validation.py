"""Systems compared by cross-validation: every labelled question is answered by a system that did not learn it.

A test set of a few hundred questions cannot carry the choice of what is served; all labels, each asked once, can.
Belongs here: the parts, the answers and the figures. What is chosen by them is `release/system_choice.py`'s.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np

from knowledge_graph.lake.tables import digest, replacing
from models.albert import Encoder
from models.intent.labels.categories import CATEGORIES, Floats
from models.intent.labels.examples import IntentExample
from models.intent.labels.question_text import question_key
from models.intent.settings import IntentSettings
from models.intent.training.systems import Fit
from models.progress import OnProgress, TrainingProgress, ignore_progress

Kept = Callable[[str, int, Callable[[], Floats]], Floats]
"""What a system says of the questions of a part, by its name and the part's place: from before, or by asking it."""

_TRAINS = (
    *("labels/pairs", "labels/question_text"),
    *("training/bag", "training/baselines", "training/batches", "training/optimisation"),
    *("training/network", "training/systems", "training/vector_heads", "question_vectors"),
)
_LEARNT_FROM = ("question", "previous", "course", "session_id", "category", "weight")
_TOLD_ELSEWHERE = ("encoder", "languages", "categories")
"""Settings that the encoder and the examples themselves tell."""
_LIBRARIES = ("numpy", "scikit-learn", "tokenizers", "torch", "transformers")

PARTS = 5
"""As is customary."""


@dataclass(frozen=True)
class Fold:
    """The places of the questions that are asked, and of those that may be learnt from for it."""

    asked: tuple[int, ...]
    known: tuple[int, ...]


def parts(examples: Sequence[IntentExample], *, seed: int, number: int = PARTS) -> tuple[Fold, ...]:
    """Each question is asked in one part. A session is never divided, and no text that is asked is among those learnt.

    Sessions, and questions without one by their text, are dealt by a keyed hash as in `examples.split`. Where a text
    was asked in sessions of several parts, its other rows are not learnt from. Raises `ValueError` when a part would
    be empty.
    """
    dealt = [_part_of(one, seed, number) for one in examples]
    keys = [question_key(one.question) for one in examples]
    found = []
    for part in range(number):
        asked = tuple(place for place, one in enumerate(dealt) if one == part)
        barred = {keys[place] for place in asked}
        known = tuple(place for place, one in enumerate(dealt) if one != part and keys[place] not in barred)
        if not asked or not known:
            raise ValueError(f"{len(examples)} questions are too few to be dealt into {number} parts.")
        found.append(Fold(asked, known))
    return tuple(found)


def cross_validate(
    examples: Sequence[IntentExample],
    systems: Mapping[str, Fit],
    *,
    seed: int,
    number: int = PARTS,
    kept: Kept = lambda _name, _part, ask: ask(),
    on_progress: OnProgress = ignore_progress,
) -> dict[str, Floats]:
    """What each system says of each question that it has not learnt: rows as `examples`, columns as `CATEGORIES`.

    `kept` gives what a system said before of the questions of a part, or asks it.
    """
    dealt = parts(examples, seed=seed, number=number)
    found = {name: np.zeros((len(examples), len(CATEGORIES))) for name in systems}
    done = 0
    for name, fit in systems.items():
        for place, part in enumerate(dealt):

            def ask(fit: Fit = fit, part: Fold = part) -> Floats:
                system = fit([examples[known] for known in part.known], on_progress)
                return system.predict_proba([examples[asked] for asked in part.asked])

            found[name][list(part.asked)] = kept(name, place, ask)
            done += 1
            on_progress(TrainingProgress("cross-validation", done, len(systems) * len(dealt), {}))
    return found


def repeat_rounds(
    examples: Sequence[IntentExample], rounds: int, say: Callable[[int], Mapping[str, Floats]]
) -> tuple[list[IntentExample], dict[str, Floats]]:
    """The questions once for each round, with what each system said of them in it; `say` gives a round by its number.

    Each round deals and trains by a seed of its own, which evens out the luck of either. The rows of a question
    are of one session in every round: drawn together, they make no interval narrower than questions allow.
    """
    said = [say(number) for number in range(rounds)]
    return list(examples) * rounds, {name: np.vstack([one[name] for one in said]) for name in said[0]}


def keep_in(
    folder: Path,
    examples: Sequence[IntentExample],
    *,
    encoder: Encoder | None,
    embedder: str | None,
    settings: IntentSettings,
    seed: int,
    number: int = PARTS,
    reuse: bool = True,
) -> Kept:
    """Keep what systems say in `folder`, by all that it depends on: an evaluation that was stopped goes on there.

    `embedder` is the name of the one in use, which tells its weights.

    Without `reuse` everything is asked again. An encoder from a hub is asked again too: what a name stands for may
    change.
    """
    told = {
        "examples": [[getattr(one, name) for name in _LEARNT_FROM] for one in examples],
        "encoder": encoder and encoder.name,
        "embedder": embedder,
        "settings": {name: value for name, value in asdict(settings).items() if name not in _TOLD_ELSEWHERE},
        "seed": seed,
        "parts": number,
        "code": _code(),
    }
    common = json.dumps(told, sort_keys=True, ensure_ascii=False)

    def keep(name: str, part: int, ask: Callable[[], Floats]) -> Floats:
        key = hashlib.sha256(f"{common}\0{name}\0{part}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
        path = folder / f"{key}.npy"
        if reuse and (encoder is None or encoder.origin != "hub") and path.is_file():
            found: Floats = np.load(path)
            return found
        made = ask()
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary, temporary.open("wb") as stream:
            np.save(stream, made)
        return made

    return keep


@cache
def _code() -> str:
    """Another one whenever a module that makes a system, or a library that trains it, is another one."""
    here = Path(__file__).parents[1]
    told = [f"{name} {digest(here / f'{name}.py')}" for name in _TRAINS] + [
        f"{one} {version(one)}" for one in _LIBRARIES
    ]
    return "\n".join(told)


def _part_of(example: IntentExample, seed: int, number: int) -> int:
    group = f"session\0{example.session_id}" if example.session_id else f"text\0{question_key(example.question)}"
    digest = hashlib.sha256(f"cross-validation\0{seed}\0{group}".encode()).digest()
    return int.from_bytes(digest[:8]) % number
