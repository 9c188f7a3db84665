"""What people labelled to measure a graph by: `gold/concepts.txt` and `gold/prerequisites.tsv` of a course folder.

Nothing is learnt from these files: extraction never opens them. What is to be learnt from belongs in
`prerequisites.jsonl` or `graph.yaml`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.tables import digest
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.fields import ProblemLog, repair
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.graded_items import item_files
from knowledge_graph.sources.terms import fold_name, list_lines, read_named_concepts

_TABS = re.compile(r"\t+")
_LABELS = ("1-", "-1", "-")
_FORM = "Write: concept, tab, concept, tab, and 1-, -1 or -."


@dataclass(frozen=True)
class LabelledPair:
    """What people say of two concepts by name: `prerequisite` is the one to know first, `None` when neither is."""

    first: str
    second: str
    prerequisite: str | None


@dataclass(frozen=True)
class Gold:
    """What a course can be measured by; a digest (SHA-256) is `None` where there is no file."""

    concepts: tuple[tuple[str, ...], ...] = ()
    """The names of each gold concept."""
    pairs: tuple[LabelledPair, ...] = ()
    concepts_digest: str | None = None
    pairs_digest: str | None = None


def read_gold(folder: CourseFolder) -> tuple[Gold, tuple[Problem, ...]]:
    """Both lists as far as they are there; of two files for one list the first by name counts, and that is reported."""
    log = BoundedTold()
    found: dict[str, Path] = {}
    of_graded_work = item_files(folder)
    for path in input_files(folder, "gold"):
        log.file = display_path(path, folder.path)
        if log.file in of_graded_work:
            continue
        if path.suffix in (".jsonl", ".csv"):
            continue  # labelled questions, references and reviews: the evaluations read those
        if path.stem not in ("concepts", "prerequisites"):
            log.warning(None, "Not read: the name says nothing.", "Name it concepts.txt or prerequisites.tsv.")
        elif path.stem in found:
            log.warning(None, f"Not read: {found[path.stem].name} exists too.", "Keep one of them.")
        else:
            found[path.stem] = path
    concepts = _concepts(found.get("concepts"), folder, log)
    pairs = _pairs(found.get("prerequisites"), folder, log)
    log.close()
    digests = (_digest(found.get(name)) for name in ("concepts", "prerequisites"))
    return Gold(concepts, pairs, *digests), tuple(log.problems)


def _concepts(path: Path | None, folder: CourseFolder, log: ProblemLog) -> tuple[tuple[str, ...], ...]:
    if path is None:
        return ()
    log.file = display_path(path, folder.path)
    return tuple(names for _, names in read_named_concepts(path, log))


def _pairs(path: Path | None, folder: CourseFolder, log: ProblemLog) -> tuple[LabelledPair, ...]:
    """Rows `a TAB b TAB label`, tabs in any number: `1-` when b is a prerequisite of a, `-1` when a is one of b, `-`.

    Rows in another form, of one concept twice, or that contradict an earlier row are left out and told.
    """
    if path is None:
        return ()
    log.file = display_path(path, folder.path)
    pairs: dict[frozenset[str], LabelledPair] = {}
    for line, text in list_lines(path, log):
        row = _pair(repair("row", text, line, log))
        if isinstance(row, str):
            log.error(line, row, _FORM)
            continue
        known = pairs.setdefault(frozenset((fold_name(row.first), fold_name(row.second))), row)
        if _first_to_know(known) != _first_to_know(row):
            message = f"'{row.first}' and '{row.second}' are labelled otherwise above; the first label counts."
            log.error(line, message, "Keep one of the two rows.")
    return tuple(pairs.values())


def _pair(text: str) -> LabelledPair | str:
    """The pair of a row, or what is wrong with it."""
    parts = [part.strip() for part in _TABS.split(text.strip("\t\r "))]
    if len(parts) != 3 or not all(parts):
        return f"Expected three fields between tabs, found {len(parts)}; the row was left out."
    first, second, label = parts
    if label not in _LABELS:
        return f"Unknown label '{label}'; the row was left out."
    if fold_name(first) == fold_name(second):
        return f"Both names are of one concept, '{first}'; the row was left out."
    return LabelledPair(first, second, {"1-": second, "-1": first, "-": None}[label])


def _first_to_know(pair: LabelledPair) -> str | None:
    return pair.prerequisite and fold_name(pair.prerequisite)


def _digest(path: Path | None) -> str | None:
    try:
        return digest(path) if path else None
    except OSError:
        return None  # its reader told
