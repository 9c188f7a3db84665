"""What people labelled to measure a graph by: `gold/concepts.txt` and `gold/prerequisites.tsv` of a course folder.

Nothing is learnt from these files: extraction never opens them. What is to be learnt from belongs in
`prerequisites.jsonl` or `graph.yaml`.
"""

from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake import digest
from knowledge_graph.prerequisites.evaluation import LabelledPair, read_labelled_pairs
from knowledge_graph.problems import Problem, display_path
from knowledge_graph.sources.bounded_told import BoundedTold
from knowledge_graph.sources.fields import Told
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.terms import named_concepts


@dataclass(frozen=True)
class Gold:
    """What a course can be measured by; a digest (SHA-256) is `None` where there is no file."""

    concepts: tuple[tuple[str, ...], ...] = ()
    """The names of each gold concept."""
    pairs: tuple[LabelledPair, ...] = ()
    concepts_digest: str | None = None
    pairs_digest: str | None = None


def read_gold(folder: CourseFolder) -> tuple[Gold, tuple[Problem, ...]]:
    """Both lists as far as they are there; of two files for one list the first by name counts, and that is told."""
    told = BoundedTold()
    found: dict[str, Path] = {}
    problems: list[Problem] = []
    for path in input_files(folder, "gold"):
        told.file = display_path(path, folder.path)
        if path.stem not in ("concepts", "prerequisites"):
            told.warning(None, "Not read: the name says nothing.", "Name it concepts.txt or prerequisites.tsv.")
        elif path.stem in found:
            told.warning(None, f"Not read: {found[path.stem].name} exists too.", "Keep one of them.")
        else:
            found[path.stem] = path
    concepts = _concepts(found.get("concepts"), folder, told)
    pairs = _pairs(found.get("prerequisites"), folder, told, problems)
    told.close()
    digests = (_digest(found.get(name)) for name in ("concepts", "prerequisites"))
    return Gold(concepts, pairs, *digests), (*told.problems, *problems)


def _concepts(path: Path | None, folder: CourseFolder, told: Told) -> tuple[tuple[str, ...], ...]:
    if path is None:
        return ()
    told.file = display_path(path, folder.path)
    return tuple(names for _, names in named_concepts(path, told))


def _pairs(path: Path | None, folder: CourseFolder, told: Told, problems: list[Problem]) -> tuple[LabelledPair, ...]:
    if path is None:
        return ()
    told.file = display_path(path, folder.path)
    decoded = read_text(path, told)
    pairs, found = read_labelled_pairs(decoded.text if decoded else "", file=told.file)
    problems += found
    return tuple(pairs)


def _digest(path: Path | None) -> str | None:
    try:
        return digest(path) if path else None
    except OSError:
        return None  # its reader told
