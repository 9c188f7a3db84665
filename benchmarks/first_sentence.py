"""What holding sentences back costs: the time to the first sentence that a student sees, over the raw server's time to
the same number of tokens, with a stand-in that writes faithfully at a steady pace.

    .venv/bin/python benchmarks/first_sentence.py --home data --course data-structures
"""

import argparse
import asyncio
import gc
import statistics
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

from serving.assistant.turn import Delta
from serving.exam.admission import Admission, KindResult
from serving.exam.item import ItemKind
from serving.gateway.knowledge import load_knowledge
from serving.llm.language_model import AS_SERVED, ChoiceProbabilities, Completion, Sampling, StreamChunk
from serving.llm.messages import Message
from serving.settings import Settings

QUESTIONS = (
    "Compare linked lists and dynamic arrays.",
    "Compare AVL trees and hash tables for looking up keys.",
    "Compare merge sort and binary search.",
    "Compare binary heaps and binary search trees.",
    "Compare breadth-first search and Dijkstra's algorithm.",
    "Compare linked lists and hash tables.",
    "Compare stacks and linked lists.",
)
"""Comparisons that no FAQ entry of the sample course answers."""


class Faithful:
    """Says the notes of its prompt again, a word at a time; remembers when each word was sent."""

    def __init__(self, pace_s: float) -> None:
        self._pace = pace_s
        self.sent: list[tuple[float, str]] = []

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, sampling: Sampling = AS_SERVED
    ) -> AsyncGenerator[StreamChunk, None]:
        notes = [line.split(": ", 1)[1] for line in messages[-1].content.splitlines() if line.startswith("[")]
        self.sent = []
        for word in " ".join(notes).split(" "):
            await asyncio.sleep(self._pace)
            self.sent.append((time.perf_counter(), f"{word} "))
            yield StreamChunk(f"{word} ")

    async def complete(
        self, messages: Sequence[Message], *, max_tokens: int = 256, temperature: float = 0.2
    ) -> Completion:
        raise NotImplementedError

    async def choose(self, messages: Sequence[Message], choices: Sequence[str]) -> ChoiceProbabilities:
        raise NotImplementedError

    async def count_tokens(self, text: str) -> int | None:
        return len(text.split())

    async def model_name(self) -> str:
        return "faithful-stand-in"

    async def is_alive(self) -> bool:
        return True


def admitted() -> Admission:
    """An admission for what is asked here."""
    written: tuple[ItemKind, ...] = ("definition", "comparison")
    kinds = [KindResult("en", kind, 1, 1, 1, 1, 1, 1.0, (), (), {}) for kind in written]
    return Admission("benchmark", "faithful-stand-in", tuple(kinds), 1, 1, 1, 1, 0.0, None, None)


async def measure(home: Path, course: str, pace_s: float) -> list[float]:
    """Of each question that the model wrote to: shown over raw, from the first word sent to the server."""
    model = Faithful(pace_s)
    settings = Settings(home=home, model_admission="exam", context_tokens=1500)
    assistant = load_knowledge(settings, model, admission=admitted).assistant
    gc.collect()
    gc.freeze()  # as the gateway does when it has started: a collection of all it loaded takes as long as ten words
    ratios = []
    for question in QUESTIONS:
        model.sent = []
        async for part in assistant.stream(question, course_id=course):
            if not isinstance(part, Delta) or not model.sent:
                break
            seen, begun = time.perf_counter(), model.sent[0][0] - pace_s
            raw, _ = model.sent[min(len(part.text.split()), len(model.sent)) - 1]
            ratios.append((seen - begun) / (raw - begun))
            sys.stdout.write(f"{question}  {len(part.text.split())} words, {ratios[-1]:.2f} x raw\n")
            break
    return ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--course", required=True)
    parser.add_argument("--pace", type=float, default=0.03, help="seconds a word")
    given = parser.parse_args()
    ratios = asyncio.run(measure(given.home, given.course, given.pace))
    if ratios:
        worst = max(ratios)
        sys.stdout.write(f"{len(ratios)} answers: median {statistics.median(ratios):.2f}, worst {worst:.2f}\n")


if __name__ == "__main__":
    main()
