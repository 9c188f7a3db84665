"""How often models were tried against the same test questions, and what a win is worth after that.

Ten models that are no better win once by luck more often than one does. The level of .05 is therefore spent over all
tries (alpha spending, Lan and DeMets 1983; here by 1/(k(k+1)), whose sum is 1): however many follow, the chance that
any of them wins by luck stays .05. Fresh test questions start a new count.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge_graph.lake.home import DataDir
from models.statistics.paired import LEVEL

_RECORD = "tries.jsonl"

_SAME = 0.5
"""Test questions of which more than this share was looked at before are no fresh ones. A choice."""


@dataclass(frozen=True)
class Try:
    """A look at the test questions: its number among those at these, and the level at which it may win."""

    number: int
    level: float


def spent(number: int) -> float:
    """What the `number`th try may use of the level; all of them together use no more than `LEVEL`."""
    return LEVEL / (number * (number + 1))


def next_try(version: str, marks: Sequence[str], *, data_dir: DataDir) -> Try:
    """The try that comparing `version` on these test questions is. The same version asked again is the same try."""
    asked = set(marks)
    others: set[str] = set()
    for line in _lines(data_dir):
        known = json.loads(line)
        if len(asked.intersection(known["test"])) > _SAME * len(asked):
            others.add(known["version"])
    number = 1 + len(others - {version})
    return Try(number, spent(number))


def record_try(version: str, marks: Sequence[str], *, data_dir: DataDir) -> None:
    """Remember that a version was compared on test questions, by their marks."""
    with (data_dir.intent / _RECORD).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"version": version, "test": sorted(set(marks))}) + "\n")


def _lines(data_dir: DataDir) -> list[str]:
    path = data_dir.intent / _RECORD
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
