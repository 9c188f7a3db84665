"""What a system's answers come to: the same measures under the same names for all systems. Pure."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from models.statistics.bootstrap import Counted, difference_of_pairs, share
from models.statistics.intervals import Interval
from serving.assistant.retrieval.evaluating import quantile
from serving.evaluation.systems.citations import ANSWERING
from serving.evaluation.systems.system_answers import SystemAnswer
from serving.evaluation.tables import Style

ABSTAINING = ("clarify", "refuse", "ask_ta")
SILENT: Counted = (0.0, 0.0)


@dataclass(frozen=True)
class Measure:
    """A figure over answers: a sum over a sum (`bootstrap`). `title` heads a column; scores are shown times 100."""

    name: str
    title: str
    count: Callable[[SystemAnswer], Counted]
    style: Style = "percent"

    def of(self, rows: Sequence[SystemAnswer]) -> Interval:
        return share([self.count(one) for one in rows])

    def between(self, first: Sequence[SystemAnswer], second: Sequence[SystemAnswer]) -> Interval:
        """`first` less `second` over the questions that both were asked."""
        pairs = pair_answers(first, second)
        return difference_of_pairs([self.count(one) for one, _ in pairs], [self.count(other) for _, other in pairs])


def _share_of(says: Callable[[SystemAnswer], bool]) -> Callable[[SystemAnswer], Counted]:
    return lambda row: (float(says(row)), 1.0)


def _if_gold(value: Callable[[SystemAnswer], float]) -> Callable[[SystemAnswer], Counted]:
    return lambda row: SILENT if row.recall5 is None else (value(row), 1.0)


def _score(name: str) -> Callable[[SystemAnswer], Counted]:
    def count(row: SystemAnswer) -> Counted:
        found: float | None = getattr(row, name)
        return SILENT if found is None else (found, 1.0)

    return count


def _gold_references(row: SystemAnswer) -> Counted:
    return SILENT if row.gold_references is None else (float(row.gold_references), float(len(row.references)))


def _count_unsupported(row: SystemAnswer) -> Counted:
    return SILENT if row.grounded is None else (float(not row.grounded), 1.0)


MEASURES: Mapping[str, Measure] = {
    one.name: one
    for one in (
        Measure("answered", "answered", _share_of(lambda row: row.route in ANSWERING)),
        Measure("abstained", "abstained", _share_of(lambda row: row.route in ABSTAINING)),
        Measure("degraded", "degraded", _share_of(lambda row: row.degraded)),
        Measure("hit_at_1", "hit@1", _if_gold(lambda row: float(row.hit_rank == 1))),
        Measure("recall_at_5", "recall@5", _score("recall5")),
        Measure("mrr", "MRR", _if_gold(lambda row: 1 / row.hit_rank if row.hit_rank else 0.0)),
        Measure("rouge1", "R1", _score("rouge1")),
        Measure("rouge2", "R2", _score("rouge2")),
        Measure("rougel", "RL", _score("rougel")),
        Measure("gold_references", "gold references", _gold_references),
        Measure(
            "citation_precision",
            "citation precision",
            lambda row: (float(row.supported_citations), float(row.citations)),
        ),
        Measure(
            "statement_recall",
            "statement recall",
            lambda row: (float(row.supported_statements), float(row.statements)),
        ),
        Measure("unsupported", "unsupported answers", _count_unsupported),
    )
}

LATENCIES = {"p50_ms": 0.5, "p95_ms": 0.95}


def pair_answers(
    first: Sequence[SystemAnswer], second: Sequence[SystemAnswer]
) -> list[tuple[SystemAnswer, SystemAnswer]]:
    """The answers of both to the questions that both were asked, in the order of `first`."""
    others = {one.question_id: one for one in second}
    return [(one, others[one.question_id]) for one in first if one.question_id in others]


def latency(rows: Sequence[SystemAnswer], part: float) -> float | None:
    """The time in milliseconds that this part of the answers did not exceed; `None` where none was timed."""
    times = sorted(one.total_ms for one in rows if one.total_ms is not None)
    return quantile(times, part) if times else None


def slices(rows: Sequence[SystemAnswer], *, sampled: frozenset[str]) -> dict[str, list[SystemAnswer]]:
    """Groups of answers by the name that MLflow has them under, without the empty ones.

    `sample` are the questions that every system is asked; `course` and `public` all of a section, for systems that
    were asked all of it. Each by kind and by language too.
    """
    courses = [one for one in rows if one.section == "course"]
    beyond = any(one.question_id not in sampled for one in courses)
    found = {
        "sample": [one for one in courses if one.question_id in sampled],
        "course": courses if beyond else [],
        "public": [one for one in rows if one.section == "public"],
    }
    for name, group in list(found.items()):
        found |= {f"{name}/{kind}": [one for one in group if one.kind == kind] for kind in ("simple", "complex")}
        found |= {f"{name}/{lang}": [one for one in group if one.lang == lang] for lang in ("en", "zh")}
    return {name: group for name, group in found.items() if group}


def metrics(rows: Sequence[SystemAnswer], *, sampled: frozenset[str]) -> dict[str, float]:
    """Every figure of a system as MLflow keeps it: `<slice>/<measure>`, `<slice>/route/<route>`, `<slice>/p50_ms`."""
    found: dict[str, float | None] = {}
    for name, group in slices(rows, sampled=sampled).items():
        found |= {f"{name}/{one.name}": _plain(one, group) for one in MEASURES.values()}
        found |= {f"{name}/{key}": latency(group, part) for key, part in LATENCIES.items()}
        routes = Counter(one.route for one in group)
        found |= {f"{name}/route/{route}": count / len(group) for route, count in sorted(routes.items())}
        found[f"{name}/questions"] = float(len(group))
    return {name: value for name, value in found.items() if value is not None}


def _plain(measure: Measure, rows: Sequence[SystemAnswer]) -> float | None:
    """Without its interval, which takes longer than all else."""
    counted = [measure.count(one) for one in rows]
    among = math.fsum(each for _, each in counted)
    return math.fsum(each for each, _ in counted) / among if among > 0 else None
