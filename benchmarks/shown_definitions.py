"""How many definitions and prerequisites of a built home are shown, and how many of these are right by hand labels.

    .venv/bin/python benchmarks/shown_definitions.py --home DATA

The labels are those of `benchmarks/labels`; the half that was held out counts, the other one chose weights and cuts.
What is shown without a label is told beside. Intervals are exact (Clopper-Pearson, 95%). Bounds: definitions .92,
edges .85.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scipy.stats import binomtest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from labelled import SAMPLES, Label, definition_labels, digest, edge_labels, split_of

from knowledge_graph.graph.showing import definition_to_show, is_shown
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Concept, Prerequisite, from_row
from knowledge_graph.lake.tables import read_rows

BOUNDS = {"definitions": 0.92, "edges": 0.85}


@dataclass(frozen=True)
class Item:
    """A definition or an accepted edge; `label` is `None` when nobody read it."""

    course: str
    concept_id: str
    shown: bool
    label: Label | None


@dataclass(frozen=True)
class Count:
    """One row of the report."""

    name: str
    found: int
    shown: int
    labelled: int
    """Of the shown ones held out."""
    unlabelled: int
    right: int

    def __str__(self) -> str:
        share, interval = "–", ""
        if self.labelled:
            within = binomtest(self.right, self.labelled).proportion_ci(0.95, method="exact")
            share, interval = f"{self.right / self.labelled:.3f}", f"{within.low:.3f}–{within.high:.3f}"
        held_out = f"{self.right} of {self.labelled}"
        cells = (self.name, self.found, self.shown, held_out, share, interval, self.unlabelled)
        return f"| {' | '.join(map(str, cells))} |"


def definitions(data_dir: DataDir, courses: Iterable[str]) -> list[Item]:
    labels = definition_labels()
    return [
        Item(
            course,
            one.concept_id,
            definition_to_show(one) is not None,
            labels.get((course, one.concept_id, digest(one.definition))),
        )
        for course in courses
        for one in (from_row(Concept, row) for row in read_rows(data_dir.table("concepts", course)))
        if one.definition
    ]


def edges(data_dir: DataDir, courses: Iterable[str]) -> list[Item]:
    labels = edge_labels()
    return [
        Item(course, one.concept_id, is_shown(one), labels.get((course, one.prerequisite_id, one.concept_id)))
        for course in courses
        for one in (from_row(Prerequisite, row) for row in read_rows(data_dir.table("prerequisites", course)))
        if one.accepted
    ]


def counted(name: str, items: Sequence[Item]) -> Count:
    shown = [one for one in items if one.shown]
    held_out = [one for one in shown if split_of(one.concept_id) == "held_out"]
    labels = [one.label.right for one in held_out if one.label]
    return Count(name, len(items), len(shown), len(labels), len(held_out) - len(labels), sum(labels))


def before(name: str, items: Sequence[Item]) -> str:
    """How many of all labelled held-out items are right, shown or not: what students saw when all were."""
    labels = [one.label for one in items if one.label and one.label.split == "held_out"]
    right = sum(label.right for label in labels)
    return f"All {name} of that half with a label, shown or not: {right} of {len(labels)} right."


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True, help="a home in which the labelled courses are built")
    data_dir = DataDir(parser.parse_args().home)
    labelled = sorted({key[0] for key in definition_labels()} | {key[0] for key in edge_labels()})
    built = [course for course in labelled if data_dir.table("concepts", course).is_file()]
    if not built:
        raise SystemExit(f"None of the labelled courses ({', '.join(labelled)}) is built in {data_dir.root}.")
    met = True
    for name, items in (("definitions", definitions(data_dir, built)), ("edges", edges(data_dir, built))):
        counts = [counted(course, [one for one in items if one.course == course]) for course in built]
        total = counted("all", items)
        real = counted("all but the samples", [one for one in items if one.course not in SAMPLES])
        _say(f"| {name} | found | shown | held out, right | share | 95% | held out, no label |")
        _say("|---|--:|--:|--:|--:|---|--:|")
        _say("\n".join(map(str, [*counts, real, total])))
        _say(before(name, items))
        share = total.right / max(1, total.labelled)
        met &= share >= BOUNDS[name]
        _say(f"Bound {BOUNDS[name]:.2f}: {'met' if share >= BOUNDS[name] else 'NOT met'}\n")
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
