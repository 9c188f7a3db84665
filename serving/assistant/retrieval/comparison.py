"""Strategies side by side on labelled questions: what each finds, and how long it takes. No answer is written.

How good that is, is `evaluating`'s; where it is kept, the asset `retrieval_table`'s.
"""

import time
from collections.abc import Callable, Mapping, Sequence

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.records import Mode
from serving.assistant.retrieval.candidates import Retrieved, Strategy
from serving.assistant.retrieval.evaluating import DEPTH, QUANTITIES, JudgedQuestion, measure
from serving.assistant.retrieval.question_sets import LabelledQuestion
from serving.assistant.understanding.understand import Understanding, understand

Figures = Mapping[str, Mapping[str, float]]
"""Measures by bucket, as `evaluating.measure` gives them."""

Tell = Callable[[str], None]

_COLUMNS = (*QUANTITIES, "p50_ms", "p95_ms")


async def compare(
    strategies: Mapping[str, Strategy],
    questions: Sequence[LabelledQuestion],
    *,
    graph: ConceptGraph,
    tell: Tell = lambda _: None,
) -> dict[str, Figures]:
    """Figures of each strategy by its name in `strategies`. The first question is asked twice and timed the second
    time, for what is prepared once is not part of a question's time."""
    figures: dict[str, Figures] = {}
    for name, strategy in strategies.items():
        await _judge(strategy, questions[0], graph)
        figures[name] = measure([await _judge(strategy, each, graph) for each in questions])
        tell(f"{name}: {len(questions)} questions, MRR@{DEPTH} {figures[name]['all']['mrr_at_10']:.3f}")
    return figures


async def _judge(strategy: Strategy, asked: LabelledQuestion, graph: ConceptGraph) -> JudgedQuestion:
    started = time.perf_counter()
    retrieved = await ask(strategy, asked.question, asked.course_id, graph)
    taken = (time.perf_counter() - started) * 1000
    return JudgedQuestion(asked.question, list_found_ids(retrieved, asked.gold), asked.gold, taken)


async def ask(
    strategy: Strategy, question: str, course_id: str | None, graph: ConceptGraph, *, mode: Mode | None = None
) -> Retrieved:
    """Understand a question as without an intent model, and retrieve for it."""
    understood: Understanding = understand(question, graph=graph, intent=None, course_id=course_id)
    domains = graph.course(course_id).domains if course_id else ()
    return await strategy.retrieve(understood, course_id=course_id, domains=domains, mode=mode)


def list_found_ids(retrieved: Retrieved, gold: frozenset[str]) -> list[str]:
    """What was found, each by the name that `gold` knows it by."""
    entries = [candidate.entry for candidate in retrieved.ranked[:DEPTH]]
    return [one.entry_id if one.entry_id in gold or one.origin_id is None else one.origin_id for one in entries]


def markdown_table(figures: Mapping[str, Figures]) -> str:
    """One row per strategy and bucket."""
    head = ["strategy", "characters", "questions", *_COLUMNS]
    rows = ["| " + " | ".join(head) + " |", "|---|---|" + "--:|" * (len(head) - 2)]
    for name, by_bucket in figures.items():
        for bucket, measures in by_bucket.items():
            shown = [f"{measures[column]:.{1 if column.endswith('_ms') else 3}f}" for column in _COLUMNS]
            rows.append(f"| {name} | {bucket} | {measures['questions']:.0f} | " + " | ".join(shown) + " |")
    return "\n".join(rows)
