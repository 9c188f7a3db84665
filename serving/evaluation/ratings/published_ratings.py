"""Table 3 of LittleMu as printed, and which folder of ratings holds which of its systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from serving.evaluation.ratings.human_ratings import ASPECTS, RatedSystem, fold_name


@dataclass(frozen=True)
class PublishedSystem:
    """One row: means and halves of the 95% intervals, both in the order of `ASPECTS`."""

    name: str
    means: tuple[float, ...]
    halves: tuple[float, ...]
    folders: tuple[str, ...]
    """Names its ratings go by, folded."""


def _row(name: str, means: str, halves: str, *folders: str) -> PublishedSystem:
    printed = tuple(map(float, means.split())), tuple(map(float, halves.split()))
    if any(len(one) != len(ASPECTS) for one in printed):
        raise ValueError(f"{name}: expected {len(ASPECTS)} means and halves.")
    return PublishedSystem(name, *printed, (fold_name(name), *folders))


PUBLISHED = (
    _row("CPM-2", "0.17 0.22 0.15 0.58 0.13 0.09", ".01 .01 .01 .02 .01 .01"),
    _row("GLM", "0.98 0.94 0.95 1.20 0.89 0.65", ".04 .04 .04 .03 .04 .03", "glm10b"),
    _row("GLM-130B", "1.50 1.45 1.57 1.55 1.42 1.02", ".03 .03 .03 .03 .03 .03"),
    _row("CDial-GPT", "0.47 0.44 0.44 0.95 0.35 0.22", ".03 .03 .03 .04 .03 .02", "cdial", "cdialgpt2"),
    _row("EVA2.0", "0.81 0.69 0.76 1.01 0.59 0.47", ".04 .04 .04 .04 .03 .03", "eva", "eva2"),
    _row("PLATO-XL", "0.92 0.87 1.06 1.47 0.67 0.55", ".04 .03 .03 .03 .03 .03", "plato"),
    _row("XiaoMu", "1.27 1.25 1.26 0.66 1.16 0.72", ".04 .04 .04 .03 .04 .03"),
    _row("LittleMu (10B)", "1.46 1.46 1.50 0.89 1.35 1.05", ".03 .03 .03 .03 .03 .03", "cot10b"),
    _row("LittleMu (130B)", "1.60 1.59 1.59 1.07 1.55 1.45", ".05 .05 .05 .07 .05 .06", "cot130b"),
)
"""In the paper's order."""

_BY_FOLDER: Mapping[str, PublishedSystem] = {name: one for one in PUBLISHED for name in one.folders}


def find_published(folder: str) -> PublishedSystem | None:
    """The row that a folder's ratings are of; case, hyphens and underscores do not matter. `None` for others."""
    return _BY_FOLDER.get(fold_name(folder))


def in_published_order(systems: Sequence[RatedSystem]) -> list[tuple[PublishedSystem | None, RatedSystem | None]]:
    """The paper's rows with their ratings or `None`, then the systems that are not in the paper, by name.

    A second folder of the same system is one of those.
    """
    of_row: dict[str, RatedSystem] = {}
    others = []
    for system in sorted(systems, key=lambda one: one.name):
        published = find_published(system.name)
        if published is not None and published.name not in of_row:
            of_row[published.name] = system
        else:
            others.append(system)
    rows: list[tuple[PublishedSystem | None, RatedSystem | None]] = [(one, of_row.get(one.name)) for one in PUBLISHED]
    return rows + [(None, system) for system in others]
