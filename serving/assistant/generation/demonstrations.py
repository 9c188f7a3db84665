"""The collection of Chain of Teach demonstrations and `sample_similar` of Algorithm 1."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from knowledge_graph.lake.records import Lang
from serving.assistant.understanding.complexity import Complexity
from serving.index.analysis import terms

COLLECTION = Path(__file__).with_name("demonstrations.yaml")


@dataclass(frozen=True)
class Demonstration:
    """A question taught well: what each concept is, the reasoning over them, the answer. `date` is ISO 8601."""

    id: str
    lang: Lang
    kind: Complexity
    question: str
    reasoning: str
    answer: str
    author: str
    date: str


@cache
def load_demonstrations(path: Path = COLLECTION) -> tuple[Demonstration, ...]:
    """Every demonstration of a collection, in the order of the file."""
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    return tuple(Demonstration(**{**row, "date": str(row["date"])}) for row in rows)


def sample_similar(
    question: str, collection: Sequence[Demonstration], *, lang: Lang, kind: Complexity | None, count: int = 1
) -> tuple[Demonstration, ...]:
    """The `count` nearest demonstrations in the question's language; same kind first, then shared terms, then id.

    Nearness is Jaccard over all terms: the words between the concepts ("difference between") are what makes two
    questions alike in form.
    """
    asked = set(terms(question))

    def distance(demonstration: Demonstration) -> tuple[bool, float, str]:
        own = set(terms(demonstration.question))
        return (demonstration.kind != kind, -len(asked & own) / max(1, len(asked | own)), demonstration.id)

    return tuple(sorted((one for one in collection if one.lang == lang), key=distance)[:count])
