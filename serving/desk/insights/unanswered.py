"""Questions that got no answer, those that ask the same together. Pure but for the embedder that is handed in."""

from collections.abc import Sequence
from dataclasses import dataclass

from serving.desk.discovery.similarity import Encode, alike

MOST_QUESTIONS = 500
"""Different questions that are grouped: the most asked. Their distances to each other are 500 x 500 numbers."""


@dataclass(frozen=True)
class Open:
    """A question without an answer, and how often it was asked."""

    question: str
    n: int


@dataclass(frozen=True)
class Cluster:
    """Questions that ask the same: `asked` times in all. `question` is the most asked of them, `questions` all."""

    question: str
    asked: int
    questions: tuple[Open, ...]


def clusters(listed: Sequence[Open], *, encode: Encode | None = None) -> list[Cluster]:
    """Groups of questions that ask the same, most asked first; with an embedder compared by meaning too."""
    kept = sorted(listed, key=lambda one: (-one.n, one.question))[:MOST_QUESTIONS]
    groups = [[kept[place] for place in places] for places in alike([one.question for one in kept], encode=encode)]
    found = [Cluster(group[0].question, sum(one.n for one in group), tuple(group)) for group in groups]
    return sorted(found, key=lambda cluster: (-cluster.asked, cluster.question))
