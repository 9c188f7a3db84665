"""How long the catalogue expert takes to find its pages, by stage (Tulane 5.I: "around 0.32 seconds", over 100 runs).

Times are of the machine they were measured on, and never twice the same: they are rounded to two digits. What can be
compared with another machine is the share of a stage in the whole, by medians.
"""

import asyncio
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from statistics import fmean
from typing import TypeVar

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.generation.xml_context import document
from serving.assistant.retrieval.candidates import PairCandidate, Retrieved
from serving.assistant.retrieval.catalog_expert import CatalogExpert, Space, space_terms, title_score
from serving.assistant.retrieval.concept_aware import retrieve
from serving.assistant.retrieval.dynamic_top_k import fill
from serving.assistant.retrieval.evaluating import quantile
from serving.assistant.understanding.understand import understand
from serving.evaluation.catalog.catalogs import PAPER_TOKENS, CatalogQuestion, paper_tokens
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table
from serving.index.analysis import content_terms
from serving.index.evidence import from_entry
from serving.index.search import SearchIndex

RUNS = 120
"""More than the paper's 100."""

UNDERSTANDING, WHOLE, DIRECT = "understanding", "whole", "direct_answer"
COSINE, KEYWORD, TOP_K = "cosine", "keyword", "top_k"

STAGES: Mapping[str, str] = {
    UNDERSTANDING: "understanding the question (before retrieval)",
    WHOLE: "retrieval, whole",
    DIRECT: "of it: is there a direct answer (BM25)",
    COSINE: "of it: cosine with every page",
    KEYWORD: "of it: question's words in every title",
    TOP_K: "of it: documents written and counted for the top k",
}
"""By the order they are shown in. What is left of the whole is weighing, sorting and waiting for a thread."""

Clock = Callable[[], float]
"""Seconds that only grow."""

T = TypeVar("T")
_DIGITS = 2


@dataclass(frozen=True)
class Latency:
    """Milliseconds of each run by stage. `pages` are those of both modes together."""

    where: str
    name: str
    pages: int
    runs: Mapping[str, Sequence[float]]

    def mean(self, stage: str) -> float:
        return fmean(self.runs[stage])

    def median(self, stage: str) -> float:
        return quantile(sorted(self.runs[stage]), 0.5)

    def ratio(self, stage: str, other: str) -> float | None:
        """One median by another: a busy machine moves means by a few long runs. `None` for a clock that saw nothing."""
        return self.median(stage) / self.median(other) if self.median(other) else None


@dataclass(frozen=True)
class _Watch:
    """Times calls."""

    clock: Clock

    def time(self, call: Callable[[], T]) -> tuple[T, float]:
        """What the call gives, and its milliseconds."""
        started = self.clock()
        given = call()
        return given, (self.clock() - started) * 1000


def measure_stages(
    index: SearchIndex,
    asked: Sequence[CatalogQuestion],
    graph: ConceptGraph,
    *,
    where: str,
    name: str,
    runs: int = RUNS,
    clock: Clock = time.perf_counter,
) -> Latency:
    """Ask the questions in turn, each of its own mode's expert with the paper's budget, until there are `runs`.

    Spaces are made before, as a gateway has them. Raises `ValueError` without questions.
    """
    if not asked:
        raise ValueError("Without questions nothing can be measured.")
    watch = _Watch(clock)
    expert = CatalogExpert(index, PAPER_TOKENS, paper_tokens)
    spaces = {one.mode: expert.spaces.of(one.question.course_id, one.mode) for one in asked}
    found: dict[str, list[float]] = {stage: [] for stage in STAGES}
    with asyncio.Runner() as runner:
        _one_run(expert, asked[0], spaces[asked[0].mode], graph, watch, runner)
        for one in islice(cycle(asked), runs):
            for stage, took in _one_run(expert, one, spaces[one.mode], graph, watch, runner).items():
                found[stage].append(took)
    pages = sum(space.vectors.size for space in spaces.values() if space is not None)
    return Latency(where, name, pages, found)


def latency_table(measured: Sequence[Latency]) -> Table:
    """One row per place and stage beside the published mean."""
    columns = ("catalogue", "pages", "stage", "runs", "mean, ms", "p50, ms", "p95, ms", "share of the whole, by p50")
    rows: list[tuple[Cell, ...]] = [_PUBLISHED, *(row for one in measured for row in _rows_of(one))]
    return Table(
        "catalog_latency",
        "How long the catalogue expert takes, by stage",
        "Tulane, section 5.I: retrieval time over more than 100 runs",
        columns,
        tuple(rows),
        (*(_ratio(one) for one in measured), NumberedNote(_ABOUT)),
    )


_PUBLISHED: tuple[Cell, ...] = (
    "Tulane's",
    Published("over 400 files of programs, over 1,000 of classes"),
    STAGES[WHOLE],
    Published("over 100"),
    Published("320"),
    "",
    "",
    "",
)
_ABOUT = (
    "Times belong to the machine and the moment they were measured at and are rounded to two digits; they are measured "
    "again only when this table is made again. The shares are what to compare. Questions repeat until there are enough "
    "runs, so their words are known to the analysis; tokens are counted as four characters each, which takes "
    "hardly any time; the paper's tiktoken takes more. The simulated catalogue is made up, as large as the paper's."
)


def _one_run(
    expert: CatalogExpert,
    one: CatalogQuestion,
    space: Space | None,
    graph: ConceptGraph,
    watch: _Watch,
    runner: asyncio.Runner,
) -> dict[str, float]:
    text, course_id = one.question.question, one.question.course_id
    asked, understanding = watch.time(lambda: understand(text, graph=graph, intent=None, course_id=course_id))
    domains = graph.course(course_id).domains if course_id else ()
    found, whole = watch.time(
        lambda: runner.run(expert.retrieve(asked, course_id=course_id, domains=domains, mode=one.mode))
    )
    _, direct = watch.time(
        lambda: retrieve(
            asked, expert.index, course_id=course_id, domains=domains, top_k=expert.decided_by, mode=one.mode
        )
    )
    cosine, keyword = _scoring(text, space, watch)
    parts = {DIRECT: direct, COSINE: cosine, KEYWORD: keyword, TOP_K: _top_k(found, watch)}
    return {UNDERSTANDING: understanding, WHOLE: whole, **parts}


def _scoring(text: str, space: Space | None, watch: _Watch) -> tuple[float, float]:
    """Milliseconds of the two parts of a score, over all pages of a space."""
    if space is None:
        return 0.0, 0.0
    _, cosine = watch.time(lambda: space.vectors.cosines(space_terms(text)).tolist())

    def title_scores() -> list[float]:
        words = content_terms(text)
        return [title_score(words, title) for title in space.titles]

    _, keyword = watch.time(title_scores)
    return cosine, keyword


def _top_k(found: Retrieved, watch: _Watch) -> float:
    """Milliseconds of writing what was retrieved as it stands in a prompt, and counting it until the budget is full."""

    def text(candidate: PairCandidate) -> str:
        return document(from_entry(1, candidate.entry))

    return watch.time(lambda: fill(found.ranked, PAPER_TOKENS, count=paper_tokens, text=text))[1]


def _rows_of(one: Latency) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for stage, label in STAGES.items():
        times = sorted(one.runs[stage])
        key = f"{one.name}/{stage}"
        share = one.ratio(stage, WHOLE)
        first = stage == UNDERSTANDING
        rows.append(
            (
                one.where if first else "",
                MeasuredNumber(f"{one.name}/pages", one.pages, style="count") if first else "",
                label,
                MeasuredNumber(f"{key}/runs", len(times), style="count"),
                _milliseconds(f"{key}/mean_ms", one.mean(stage)),
                _milliseconds(f"{key}/p50_ms", one.median(stage)),
                _milliseconds(f"{key}/p95_ms", quantile(times, 0.95)),
                "" if stage in (UNDERSTANDING, WHOLE) else _share(f"{key}/share", share),
            )
        )
    return rows


def _ratio(one: Latency) -> NumberedNote:
    ratio = one.ratio(KEYWORD, COSINE)
    text = (
        f"{one.where}: the question's words in the titles take {{ratio}} times as long as the cosine, by p50. The "
        "paper says that leaving them out would reduce the time greatly."
    )
    shown = None if ratio is None else round_to_digits(ratio)
    return NumberedNote(text, {"ratio": MeasuredNumber(f"{one.name}/keyword_to_cosine", shown, digits=1)})


def _share(metric: str, value: float | None) -> MeasuredNumber:
    return MeasuredNumber(metric, None if value is None else round(value, 2), style="percent", digits=0)


def _milliseconds(metric: str, value: float) -> MeasuredNumber:
    """Two digits that count: 0.034, 0.34, 3.4, 34, 340."""
    shown = round_to_digits(value)
    places = 0 if not shown else max(0, _DIGITS - 1 - math.floor(math.log10(shown)))
    return MeasuredNumber(metric, shown, digits=places)


def round_to_digits(value: float) -> float:
    """To two significant digits."""
    return float(f"{value:.{_DIGITS}g}")
