"""What the direct decision (LittleMu eq. 7) would be right in by source: one beta for all, as it is, and one for each.

    .venv/bin/python benchmarks/beta_by_source.py HOME QUESTIONS.jsonl [COURSE=QUESTIONS.jsonl ...]

Lines are {"question", "gold", "course"}; of a file that is named with a course, `course` may be left out. `gold` is an
`origin_id` or a list of them. For each source whose entry matches best: how many questions, how many of them above the
beta of the index, how many of these are wrong, and the exact upper bound of that share (90%, one-sided). Behind it the
smallest beta at which that bound is at most 5%, where the labels of the source are enough for one.
"""

import argparse
import asyncio
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from models.statistics.calibration import upper_bound
from serving.assistant.retrieval.comparison import ask
from serving.assistant.retrieval.concept_aware import ConceptAware
from serving.index.calibration import DELTA, ERROR_BOUND
from serving.index.search import SearchIndex

LOOKED_AT = 10

Matches = list[tuple[float, bool]]
"""The match of the best entry, 0..1, and whether it is a right one."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("home", type=Path)
    parser.add_argument("questions", nargs="+")
    given = parser.parse_args()
    data_dir = DataDir(given.home)
    index = SearchIndex.open(data_dir.index)
    found = asyncio.run(matches(data_dir, index, given.questions))
    sys.stdout.write(f"beta of the index: {index.beta.value:.3f}\n")
    for source, each in sorted(found.items()):
        sys.stdout.write(f"{source:9} {line(each, index.beta.value)}\n")


async def matches(data_dir: DataDir, index: SearchIndex, files: list[str]) -> dict[str, Matches]:
    """By source, what matched each question best."""
    strategy, graph = ConceptAware(index, LOOKED_AT), ConceptGraph.load(data_dir)
    found: defaultdict[str, Matches] = defaultdict(list)
    for named in files:
        course, _, path = named.rpartition("=")
        for row in map(json.loads, Path(path).read_text(encoding="utf-8").splitlines()):
            best = (await ask(strategy, row["question"], course or row["course"], graph)).best
            if best is not None:
                gold = {row["gold"]} if isinstance(row["gold"], str) else set(row["gold"])
                found[best.entry.source].append((best.match, best.entry.origin_id in gold))
    return found


def line(found: Matches, beta: float) -> str:
    above = [is_right for match, is_right in found if match > beta]
    wrong = above.count(False)
    own = smallest_beta(found)
    said = "too few labels for a beta of its own" if own is None else f"a beta of its own: {own:.3f}"
    return (
        f"best of {len(found)}, above beta {len(above)}, wrong {wrong} (at most {bound(wrong, len(above)):.0%}); {said}"
    )


def smallest_beta(found: Matches) -> float | None:
    """The smallest match from which the bound of wrong ones is kept; `None` where no cut keeps it."""
    for cut in sorted({0.0, *(match for match, _ in found)}):
        above = [is_right for match, is_right in found if match > cut]
        if above and bound(above.count(False), len(above)) <= ERROR_BOUND:
            return cut
    return None


def bound(wrong: int, size: int) -> float:
    return float(upper_bound(np.array([wrong]), np.array([size]), DELTA)[0]) if size else 1.0


if __name__ == "__main__":
    main()
