"""`TutorLesson`: one answer to learn, with the prompt that it answers; the files of a tutor model that say what it has
learnt from.

Belongs here: no library of training, so that an exam may ask what a model has seen.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

CARD = "tutor.json"
"""Beside the weights: what the model was made from."""

_HELD_OUT = 10
"""One lesson of so many is not learnt, to measure by. A choice."""


@dataclass(frozen=True)
class TutorLesson:
    """`prompt` are turns, role and text, as the model is asked; `learnt` the ids of the evidence in the answer."""

    lesson_id: str
    kind: str
    prompt: tuple[tuple[str, str], ...]
    answer: str
    learnt: tuple[str, ...]

    @property
    def is_held_out(self) -> bool:
        """The same for all lessons on the same evidence, so that nothing held out is learnt beside it."""
        return _digest(" ".join(sorted(self.learnt))) % _HELD_OUT == 0


@dataclass(frozen=True)
class TutorCard:
    """What a tutor model was made from. `learnt` are the ids of the evidence whose content it was shown."""

    base: str
    lessons: int
    lessons_digest: str
    learnt: tuple[str, ...]

    def write(self, folder: Path) -> None:
        text = json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True)
        (folder / CARD).write_text(text + "\n", encoding="utf-8")


def read_card(folder: Path) -> TutorCard | None:
    """The card of the model in a folder; `None` where it is none that coteach made."""
    try:
        row = json.loads((folder / CARD).read_text(encoding="utf-8"))
        return TutorCard(row["base"], row["lessons"], row["lessons_digest"], tuple(row["learnt"]))
    except (OSError, json.JSONDecodeError, KeyError, TypeError):
        return None


def lessons_digest(lessons: Sequence[TutorLesson]) -> str:
    """Another one whenever anything that is learnt is another."""
    told = json.dumps([asdict(one) for one in lessons], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def may_learn(evidence_id: str) -> bool:
    """Whether a tutor model may learn what this evidence says. The other half is left for its exam, so that it is
    examined in what it has not seen."""
    return _digest(evidence_id) % 2 == 0


def _digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)
