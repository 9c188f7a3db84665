"""How often an answer begins with a yes, a no or a denied premise, of questions made from patterns.

    .venv/bin/python benchmarks/verdicts.py --home HOME [--home HOME] [--show]

Of each English course of the homes the `CONCEPTS` that are mentioned most are put into questions whether one is needed,
hard or important and why, and `PAIRS` of them, drawn by a seed, into questions whether and why one uses, needs or is
the other. Lectures hardly ever say yes or no to these, so verdicts on them are wrong more often than not: `--show`
prints each with the answer, to be read. Without a language model.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from serving.gateway.knowledge import Knowledge, load_knowledge
from serving.settings import Settings

CONCEPTS, PAIRS, SEED = 40, 45, 5
OF_ONE = (
    *("why is {} important", "why do we need {}", "why do we use {}", "why does {} work", "why is {} useful"),
    *("relationship of {} to the rest", "is {} hard", "do we need {}", "is {} important", "can we avoid {}"),
    *("why is {} called that", "how does {} help"),
)
OF_TWO = (
    *("is {} a {}", "does {} use {}", "is {} faster than {}", "can {} be used for {}", "does {} need {}"),
    *("is {} the same as {}", "why does {} need {}", "why is {} better than {}", "why is {} used in {}"),
    *("does {} depend on {}", "are {} and {} related"),
)
VERDICTS = ("Yes.", "No.", "Careful:")
"""How an answer with one begins."""


def questions(knowledge: Knowledge, course_id: str) -> Iterator[tuple[int, str]]:
    """How many concepts a question names, and the question."""
    graph = knowledge.graph
    listed = sorted(graph.concepts_of(course_id), key=lambda one: -graph.concept(one[0]).mention_count)[:CONCEPTS]
    names = [name for _, name in listed]
    drawn = random.Random(SEED)
    pairs = [drawn.sample(names, 2) for _ in range(PAIRS)] if len(names) > 1 else []
    for one in names:
        yield from ((1, pattern.format(one)) for pattern in OF_ONE)
    for pair in pairs:
        yield from ((2, pattern.format(*pair)) for pattern in OF_TWO)


async def _count_verdicts(knowledge: Knowledge, course_id: str, *, is_shown: bool) -> None:
    asked, told = {1: 0, 2: 0}, {1: 0, 2: 0}
    for named, question in questions(knowledge, course_id):
        text = (await knowledge.assistant.answer(question, course_id=course_id)).text
        asked[named] += 1
        if text.startswith(VERDICTS):
            told[named] += 1
            if is_shown:
                sys.stdout.write(f"{question}: {' '.join(text.split())[:300]}\n")
    sys.stdout.write(
        f"{course_id}: {told[1]} of {asked[1]} questions on one concept and {told[2]} of {asked[2]} on two\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, action="append", required=True, help="may be given several times")
    parser.add_argument("--show", action="store_true", help="print each verdict with the answer")
    given = parser.parse_args()
    for home in given.home:
        knowledge = load_knowledge(Settings(home=home, kept_answers=0), None)
        for course_id in knowledge.course_ids:
            if knowledge.graph.course(course_id).lang == "en":
                asyncio.run(_count_verdicts(knowledge, course_id, is_shown=given.show))


if __name__ == "__main__":
    main()
