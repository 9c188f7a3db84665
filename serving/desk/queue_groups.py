"""`QueueGroup`: questions of the TAs' queue that ask the same in other words, so that one decision goes to all of them.

Those in the same words are one item by a digest (`deduplication`). Here items are compared by words and meaning, which
may err: a TA sees every wording, and says which of them an answer is for.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import structlog
from numpy.typing import NDArray

from models.embedding.embedder import Embedder, EmbeddingFailed
from serving.assistant.understanding.asked_for import asks_for
from serving.desk.discovery.similarity import alike
from serving.desk.queue import REASONS, QueueItem, Reason, place

MOST_GROUPED = 400
"""Items of one course and language that are compared, the first of the queue; the others stand alone. A choice: their
distances are 160,000 numbers."""

MOST_VECTORS = 4_000
"""Vectors of questions that are kept: 6 MB."""

Grouping = Callable[[Sequence[str], str], list[list[int]]]
"""Texts and their language to the places of those that ask the same."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class QueueGroup:
    """An item of the queue, and those that ask the same in other words, in the queue's order."""

    item: QueueItem
    others: tuple[QueueItem, ...] = ()

    @property
    def items(self) -> tuple[QueueItem, ...]:
        return (self.item, *self.others)

    @property
    def waiting(self) -> int:
        """Students who asked it in any of its wordings."""
        return len(frozenset().union(*(each.asked_by for each in self.items)))

    @property
    def reason(self) -> Reason:
        """The strongest reason for which one of them waits."""
        return min((each.reason for each in self.items), key=REASONS.index)

    @property
    def as_one(self) -> QueueItem:
        """The first item with what all of them come to."""
        return replace(
            self.item,
            reason=self.reason,
            waiting=self.waiting,
            resting=sum(each.resting for each in self.items),
            asked_at=min(each.asked_at for each in self.items),
        )


class QueueVectors:
    """The vectors of questions, each encoded once: an open page looks at the queue every few seconds."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], NDArray[np.float32]] = {}

    def of(self, texts: Sequence[str], embedder: Embedder) -> NDArray[np.float32]:
        """One row for each text, (n, dimension), of unit length. Raises `EmbeddingFailed`."""
        kept = dict(self._kept)
        if new := [text for text in dict.fromkeys(texts) if (embedder.name, text) not in kept]:
            kept |= {(embedder.name, text): row for text, row in zip(new, embedder.encode(new), strict=True)}
        rows = np.stack([kept[embedder.name, text] for text in texts])
        self._kept = dict(list(kept.items())[-MOST_VECTORS:])
        return rows


def grouping(vectors: QueueVectors, embedder: Embedder | None) -> Grouping:
    """By meaning in the languages that the `embedder` knows, by words alone in others and while it does not answer."""

    def group(texts: Sequence[str], lang: str) -> list[list[int]]:
        if embedder is not None and lang in embedder.languages:
            try:
                return alike(texts, encode=partial(vectors.of, embedder=embedder))
            except EmbeddingFailed as error:
                log.warning("queue_grouped_by_words_alone", reason=str(error))
        return alike(texts)

    return group


def group_queue(items: Sequence[QueueItem], group: Grouping) -> list[QueueGroup]:
    """The items of a queue in groups, those first that should be worked on first. What came back because its sources
    changed stands alone: it has an answer of its own."""
    buckets: dict[tuple[str | None, str, str, str], list[QueueItem]] = defaultdict(list)
    for item in items:
        own = item.same_as if item.answer_id is not None else ""
        buckets[item.course_id, item.lang, asks_for(item.question), own].append(item)
    found: list[QueueGroup] = []
    for (_, lang, _, _), bucket in buckets.items():
        compared = bucket[:MOST_GROUPED]
        places = group([each.question for each in compared], lang) if len(compared) > 1 else [[0]]
        found += [QueueGroup(compared[one[0]], tuple(compared[each] for each in one[1:])) for one in places]
        found += [QueueGroup(each) for each in bucket[MOST_GROUPED:]]
    return sorted(found, key=lambda one: place(one.as_one))


def of_reason(groups: Collection[QueueGroup], reason: Reason | None) -> list[QueueGroup]:
    """The groups whose strongest reason this is; `None` for all."""
    return [one for one in groups if reason in (None, one.reason)]


def count_groups(groups: Collection[QueueGroup]) -> dict[Reason, int]:
    """How many groups are open for each reason; every reason is there."""
    reasons = [one.reason for one in groups]
    return {reason: reasons.count(reason) for reason in REASONS}


def others_like(groups: Collection[QueueGroup], same_as: str) -> tuple[QueueItem, ...]:
    """The other items of the group that an item is in, by its digest."""
    found = next((one for one in groups if any(each.same_as == same_as for each in one.items)), None)
    return () if found is None else tuple(each for each in found.items if each.same_as != same_as)
