"""Where a strategy has what answers a question: asked as it is written, and asked as one turn of a session.

Nothing is answered: retrieval alone, without an intent model, as in `retrieval.comparison`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.retrieval.candidates import Strategy
from serving.assistant.retrieval.comparison import ask, list_found_ids
from serving.assistant.understanding.follow_ups import focus_of, resolve
from serving.evaluation.release.reshaping import ReshapedTurn
from serving.evaluation.sets.golden import Golden
from serving.llm.messages import Message

AMONG = 3
"""Results in which the recall of SOLA's figures looks."""

MEASURES: Mapping[str, Callable[[int | None], float]] = {
    "hit_at_1": lambda rank: float(rank == 1),
    "recall_at_3": lambda rank: float(rank is not None and rank <= AMONG),
    "mrr_at_10": lambda rank: 0.0 if rank is None else 1 / rank,
}
"""Each 0..1 of one question, from the 1-based place of the first gold id. `recall_at_3` is whether any gold id is
among the first three, as SOLA's; with several gold ids that is not the share of them."""


@dataclass(frozen=True)
class GoldRank:
    """A golden question as it was asked, and the 1-based place of its first gold id; `None`: not among the first 10."""

    golden: Golden
    question: str
    rank: int | None


async def ask_written(strategy: Strategy, questions: Sequence[Golden], *, graph: ConceptGraph) -> list[GoldRank]:
    """Every question as it is written, by itself, in the order of their ids."""
    ordered = sorted(questions, key=lambda one: one.question_id)
    return [GoldRank(one, one.question, await _rank(strategy, one, one.question, graph)) for one in ordered]


async def ask_in_sessions(strategy: Strategy, turns: Sequence[ReshapedTurn], *, graph: ConceptGraph) -> list[GoldRank]:
    """Every question once, in the order of their ids; a turn is understood by the student's turns before it.

    A gateway would know its own answers too, which name concepts where a question does not: they are not asked for
    here.
    """
    found: list[GoldRank] = []
    for _, session in groupby(turns, key=lambda turn: turn.session):
        said: list[Message] = []
        for turn in session:
            if turn.golden is not None and not turn.is_repeat:
                resolved = resolve(turn.question, focus=focus_of(said, graph=graph), graph=graph, lang=turn.lang)
                rank = await _rank(strategy, turn.golden, resolved.question, graph)
                found.append(GoldRank(turn.golden, turn.question, rank))
            said.append(Message("user", turn.question))
    return sorted(found, key=lambda one: one.golden.question_id)


def values(found: Sequence[GoldRank]) -> dict[str, list[float]]:
    """Every measure of every question, in the order of `found`."""
    return {name: [of(one.rank) for one in found] for name, of in MEASURES.items()}


def figures(found: Sequence[GoldRank]) -> dict[str, float]:
    """The mean of every measure. Raises `statistics.StatisticsError` without questions."""
    return {name: fmean(listed) for name, listed in values(found).items()}


async def _rank(strategy: Strategy, golden: Golden, question: str, graph: ConceptGraph) -> int | None:
    retrieved = await ask(strategy, question, golden.course_id, graph)
    ids = list_found_ids(retrieved, golden.gold)
    return next((place for place, key in enumerate(ids, start=1) if key in golden.gold), None)
