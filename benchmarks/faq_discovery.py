"""Whether entries that are taken out of a FAQ come back as proposals, from how students asked them in other words.

    .venv/bin/python benchmarks/faq_discovery.py HOME FOLDER

FOLDER has `documents.json`, a list of entries {"id", "course", "section", "question", "text"}, and `questions.csv` with
the columns question, course and document: how students asked for the entry of that id. HOME is a built home, for its
embedder. Every wording is asked by a person of its own, those of the entries that stay too.

The entries of each course are split in two halves by chance. On the first the cuts are chosen, on the second measured:
a third of its entries is taken out, five times with another seed. The last lines are on whole courses, with the entries
of one section taken out at a time. An entry has come back when one of the first 100 groups has two or more of its
wordings, and more of them than of all others.
"""

import argparse
import csv
import json
import random
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knowledge_graph.lake.home import DataDir
from models.embedding.published import open_embedder
from serving.desk.deduplication import same_as
from serving.desk.discovery.coverage import KnownEntry, Meaning
from serving.desk.discovery.groups import StudentTurn, discover
from serving.desk.discovery.similarity import BY_MEANING, BY_WORDS, LikenessCuts
from serving.index.analysis import content_terms

FIRST = 100
TAKEN_OUT = 1 / 3
SEEDS = range(5)
NOW = datetime(2026, 1, 1, tzinfo=UTC)

Vectors = Mapping[str, NDArray[np.float32]]
Propose = Callable[[Collection[StudentTurn], Sequence[KnownEntry]], list[tuple[str, ...]]]
"""What was asked and the FAQ that is left, to groups of ids of what was asked, the first first."""


@dataclass(frozen=True)
class Entry:
    """An entry with the wordings in which students asked for it."""

    entry_id: str
    course_id: str
    section: str
    question: str
    answer: str
    wordings: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """Entries taken out that have two wordings or more, and how many came back; wordings in the groups that were
    looked at, how many of them are their group's entry's, and how many groups there were."""

    taken_out: int
    came_back: int
    wordings: int
    own: int
    groups: int

    @property
    def recall(self) -> float:
        return self.came_back / max(self.taken_out, 1)

    @property
    def purity(self) -> float:
        return self.own / max(self.wordings, 1)


def read_entries(folder: Path) -> list[Entry]:
    with (folder / "questions.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    wordings: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        wordings[row["document"]].append(row["question"])
    documents = json.loads((folder / "documents.json").read_text(encoding="utf-8"))
    found = [
        Entry(one["id"], one["course"], one["section"], one["question"], one["text"], tuple(wordings[one["id"]]))
        for one in documents
        if one["id"] in wordings
    ]
    return sorted({one.entry_id: one for one in found}.values(), key=lambda one: one.entry_id)


def measure(entries: Sequence[Entry], taken_out: Collection[str], vectors: Vectors, propose: Propose) -> Result:
    """Ask everything, with some entries taken out, and look at the first groups that are proposed."""
    asked = {
        f"{entry.entry_id}/{number}": (entry.entry_id, text)
        for entry in entries
        for number, text in enumerate(entry.wordings)
    }
    left = [KnownEntry(one.entry_id, one.question, one.answer) for one in entries if one.entry_id not in taken_out]
    groups = propose([StudentTurn(key, key, text, NOW) for key, (_, text) in asked.items()], left)
    came_back: set[str] = set()
    own = looked_at = 0
    for group in groups[:FIRST]:
        entry_id, count = Counter(asked[key][0] for key in group).most_common(1)[0]
        own, looked_at = own + count, looked_at + len(group)
        if count >= 2 and 2 * count > len(group):
            came_back.add(entry_id)
    wanted = {one.entry_id for one in entries if one.entry_id in taken_out and len(one.wordings) >= 2}
    return Result(len(wanted), len(came_back & wanted), looked_at, own, len(groups))


def discovery(vectors: Vectors, cuts: LikenessCuts, *, by_meaning: bool = True) -> Propose:
    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([vectors[text] for text in texts])

    def propose(asked: Collection[StudentTurn], left: Sequence[KnownEntry]) -> list[tuple[str, ...]]:
        questions, answers = encode([one.question for one in left]), encode([one.answer for one in left])
        meaning = Meaning(encode, lambda asked: np.maximum(asked @ questions.T, asked @ answers.T).astype(np.float64))
        groups = discover(asked, left, now=NOW, meaning=meaning if by_meaning else None, cuts=cuts)
        return [group.trace_ids for group in groups]

    return propose


def same_text(asked: Collection[StudentTurn], left: Sequence[KnownEntry]) -> list[tuple[str, ...]]:
    """Baseline: questions are the same when their texts are, but for case, plurals and marks."""
    return _by_size(asked, lambda one: same_as(None, one.question))


def same_terms(asked: Collection[StudentTurn], left: Sequence[KnownEntry]) -> list[tuple[str, ...]]:
    """Baseline: questions are the same when their words are, whatever their order and without stop words."""
    return _by_size(asked, lambda one: " ".join(sorted(set(content_terms(one.question)))))


def overlapping(least: float) -> Propose:
    """Baseline: a question joins the first one whose words overlap with its own by `least` (Jaccard) or more."""

    def propose(asked: Collection[StudentTurn], left: Sequence[KnownEntry]) -> list[tuple[str, ...]]:
        leaders: list[tuple[frozenset[str], list[str]]] = []
        for one in asked:
            terms = frozenset(content_terms(one.question))
            near = next((each for first, each in leaders if len(terms & first) >= least * len(terms | first)), None)
            if near is None:
                leaders.append((terms, [one.trace_id]))
            else:
                near.append(one.trace_id)
        return sorted((tuple(each) for _, each in leaders if len(each) > 1), key=lambda each: (-len(each), each))

    return propose


def _by_size(asked: Collection[StudentTurn], key: Callable[[StudentTurn], str]) -> list[tuple[str, ...]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for one in asked:
        groups[key(one)].append(one.trace_id)
    return sorted((tuple(each) for each in groups.values() if len(each) > 1), key=lambda each: (-len(each), each))


def taken_out(entries: Sequence[Entry], seed: int) -> frozenset[str]:
    ids = [one.entry_id for one in entries]
    return frozenset(random.Random(seed).sample(ids, round(len(ids) * TAKEN_OUT)))


def thirds(courses: Iterable[Sequence[Entry]], vectors: Vectors, propose: Propose) -> list[Result]:
    return [measure(each, taken_out(each, seed), vectors, propose) for each in courses for seed in SEEDS]


def chosen(courses: Sequence[Sequence[Entry]], vectors: Vectors, *, by_meaning: bool) -> tuple[LikenessCuts, float]:
    """The cuts by which most entries of these come back, and how many do; of those as good, the purest."""
    grid = product((0.3, 0.4, 0.5), (0.45, 0.5, 0.55), (0.7, 0.8), (0.33, 0.36, 0.4))
    by_words = product((1.0,), (0.6, 0.65, 0.7, 0.75), (1.0,), (0.2, 0.25, 0.3))
    best: tuple[float, float, LikenessCuts] | None = None
    for values in grid if by_meaning else by_words:
        cuts = LikenessCuts(*values)
        found = thirds(courses, vectors, discovery(vectors, cuts, by_meaning=by_meaning))
        scored = (round(mean_of(found, "recall"), 2), mean_of(found, "purity"), cuts)
        if best is None or scored[:2] > best[:2]:
            best = scored
    assert best is not None
    return best[2], best[0]


def mean_of(results: Sequence[Result], name: str) -> float:
    return statistics.fmean(getattr(one, name) for one in results)


def told(name: str, results: Sequence[Result]) -> str:
    recalls = [one.recall for one in results]
    spread = f"{min(recalls):.2f} to {max(recalls):.2f}"
    taken = sum(one.taken_out for one in results)
    return (
        f"{name:34} {mean_of(results, 'recall'):.3f} come back ({spread}, {len(results)} runs, {taken} taken out), "
        f"purity {mean_of(results, 'purity'):.3f}, {mean_of(results, 'groups'):.0f} groups"
    )


def sections(entries: Sequence[Entry]) -> list[frozenset[str]]:
    """The entries of each section that has five or more."""
    found: dict[str, set[str]] = defaultdict(set)
    for one in entries:
        found[one.section].add(one.entry_id)
    return [frozenset(ids) for _, ids in sorted(found.items()) if len(ids) >= 5]


def halves(entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    mixed = random.Random(1).sample(list(entries), len(entries))
    middle = len(mixed) // 2
    return sorted(mixed[:middle], key=lambda one: one.entry_id), sorted(mixed[middle:], key=lambda one: one.entry_id)


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("home", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--choose", action="store_true", help="try all cuts on the first halves (some minutes)")
    options = parser.parse_args()
    entries = read_entries(options.folder)
    embedder = open_embedder(DataDir(options.home).embedder)
    texts = sorted({text for one in entries for text in (one.question, one.answer, *one.wordings)})
    vectors: Vectors = dict(zip(texts, embedder.encode(texts), strict=True))
    by_course: dict[str, list[Entry]] = defaultdict(list)
    for one in entries:
        by_course[one.course_id].append(one)
    courses = [by_course[name] for name in sorted(by_course)]
    first, second = zip(*map(halves, courses), strict=True)
    asked = sum(len(one.wordings) for one in entries)
    tell(f"{len(entries)} entries of {len(courses)} courses, {asked} wordings; {embedder.name}")
    if options.choose:
        for by_meaning in (True, False):
            cuts, recall = chosen(first, vectors, by_meaning=by_meaning)
            tell(f"chosen on the first halves: {cuts}, {recall:.2f} come back")
    ways = {
        "discovery": discovery(vectors, BY_MEANING),
        "discovery without an embedder": discovery(vectors, BY_WORDS, by_meaning=False),
        "baseline: same text": same_text,
        "baseline: same words": same_terms,
        "baseline: words overlap by half": overlapping(0.5),
    }
    tell("\nA third of the entries taken out, first halves, on which the cuts were chosen:")
    tell(told("discovery", thirds(first, vectors, ways["discovery"])))
    tell("The same, second halves:")
    for name, propose in ways.items():
        tell(told(name, thirds(second, vectors, propose)))
    tell("Whole courses, the entries of one section taken out at a time:")
    for name, propose in ways.items():
        runs = [measure(each, ids, vectors, propose) for each in courses for ids in sections(each)]
        tell(told(name, runs))


if __name__ == "__main__":
    main()
