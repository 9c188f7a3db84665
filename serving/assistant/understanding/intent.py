"""The face of the intent model, as serving asks it. `models.intent.classifier.IntentClassifier` stands behind it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Protocol

_THREADS = ThreadPoolExecutor(2, thread_name_prefix="intent")
"""Its own, so that no embedding is waited for. Two, a choice: as many as there are processors at the least."""


class ServedScores(Protocol):
    """What the intent model says of one question; `h` is the chit-chat score of eq. 4, `complex` that it asks for
    reasoning, both 0..1."""

    @property
    def category(self) -> str: ...
    @property
    def h(self) -> float: ...
    @property
    def complex(self) -> float: ...


class Intent(Protocol):
    """The intent model. `alpha_for` is its calibrated chit-chat threshold for a question of this length."""

    @property
    def version(self) -> str: ...
    def alpha_for(self, question: str) -> float: ...
    def classify(self, question: str, *, previous: str = "", course: str = "") -> ServedScores: ...


@dataclass(frozen=True)
class WithoutContext:
    """An intent model that reads the question alone."""

    intent: Intent

    @property
    def version(self) -> str:
        return self.intent.version

    def alpha_for(self, question: str) -> float:
        return self.intent.alpha_for(question)

    def classify(self, question: str, *, previous: str = "", course: str = "") -> ServedScores:
        """The scores whatever came before and wherever it is asked."""
        return self.intent.classify(question)


async def classify_in_thread(intent: Intent, question: str, *, previous: str, course: str) -> ServedScores:
    """The scores, from another thread: a fifth of all that a direct answer takes, during which others are answered."""
    asking = partial(intent.classify, question, previous=previous, course=course)
    return await asyncio.get_running_loop().run_in_executor(_THREADS, asking)
