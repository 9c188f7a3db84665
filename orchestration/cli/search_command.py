"""What `coteach search` does: reads questions from a file and writes the best QA pairs for each.

Plain BM25 of the index, or a retrieval strategy by its name. No language model is asked: `fused` searches for the
question alone.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard, get_args

from rich.console import Console

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Mode
from knowledge_graph.lake.source_kinds import Source
from knowledge_graph.lake.tables import read_rows
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.files import open_text
from orchestration.cli.output import output
from serving.assistant.generation.chain_of_teach import estimate_tokens
from serving.assistant.retrieval.comparison import ask
from serving.assistant.retrieval.dense import find_dense
from serving.assistant.retrieval.strategies import STRATEGIES, Parts, StrategyName, make_strategy
from serving.index.engine import Hit
from serving.index.search import SearchIndex

_FORM = '{"id": "...", "question": "...", "course": "..."} (course may be left out)'
_DEPTH = 50
"""Candidates of a strategy before the filters it does not know, source and subject, leave some out."""
_BUDGET = 1_000_000
"""Tokens that `catalog_expert` may fill here, where `--k` says how many hits are wanted."""
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class SearchUnusable(CoteachError):
    """The questions cannot be read, or the course does not exist."""


@dataclass(frozen=True)
class Query:
    """One line of the input; its id is given back as it is."""

    query_id: str | int
    question: str
    course_id: str | None


@dataclass(frozen=True)
class SearchFilters:
    """What hits may be: of which course (for lines that name none), sources, subject and catalogue mode."""

    course_id: str | None = None
    sources: tuple[Source, ...] | None = None
    subject: str | None = None
    mode: Mode | None = None


def sources_of(names: Sequence[str]) -> tuple[Source, ...] | None:
    """The sources named, `None` for all when none is. Raises `SearchUnusable` for one that does not exist."""
    known: tuple[Source, ...] = get_args(Source)
    if unknown := sorted(set(names) - set(known)):
        raise SearchUnusable(f"No source '{unknown[0]}'; there are: {', '.join(known)}.")
    return tuple(source for source in known if source in names) or None


Search = Callable[[Query], Sequence[Hit]]


def strategy_of(name: str | None) -> StrategyName | None:
    """The strategy named; `None` for plain BM25. Raises `SearchUnusable` for one that does not exist."""
    found = next((each for each in STRATEGIES if each == name), None)
    if name is not None and found is None:
        raise SearchUnusable(f"No strategy '{name}'; there are: {', '.join(STRATEGIES)}.")
    return found


def search_file(
    queries: Path, *, home: Path, filters: SearchFilters, k: int, out: Path | None, strategy: StrategyName | None = None
) -> int:
    """Search each line and write its hits; return 0 when every line was searched, 1 when some were left out.

    Raises `SearchUnusable` for a file that cannot be read or a course that is not in the home.
    """
    data_dir = DataDir(home)
    search, without = _search(data_dir, filters, k, strategy)
    known = {row["course_id"] for row in read_rows(data_dir.graph_courses)}
    _require_course(filters.course_id, known, home)
    log = BoundedTold(queries.name)
    started, count, left_out = time.monotonic(), 0, 0
    with output(out) as sink:
        for query in read_queries(queries, filters.course_id, known, log):
            if query is None:
                left_out += 1
                continue
            sink.write(json.dumps(_to_json(query, search(query)), ensure_ascii=False) + "\n")
            count += 1
    seconds = time.monotonic() - started
    console = Console(stderr=True)
    for problem in log.problems:
        console.print(f"! {problem}", style="yellow", markup=False, highlight=False)
    if without:
        console.print(f"! Searched by words alone: {without}", style="yellow", markup=False, highlight=False)
    place = f" -> {out}" if out else ""
    console.print(f"{count:,} searched, {left_out:,} left out, {seconds:.1f} s{place}", highlight=False)
    return 1 if left_out else 0


def read_queries(path: Path, course: str | None, known: Iterable[str], log: BoundedTold) -> Iterator[Query | None]:
    """The queries of a JSON lines file, one by one; `None`, with a problem logged, for a line that is none.

    `course` is the one to search for lines that name none. Raises `SearchUnusable` when the file cannot be read.
    """
    courses = set(known)
    stream = open_text(path, log)
    if stream is None:
        raise SearchUnusable("; ".join(f"{path}: {each.message} {each.remedy}" for each in log.problems))
    with stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                found = _query(line, course, courses)
                if isinstance(found, str):
                    log.error(number, found, f"Write one query a line: {_FORM}.")
                yield found if isinstance(found, Query) else None
    log.close()


def _query(line: str, course: str | None, courses: set[str]) -> Query | str:
    """The query of a line, or what is wrong with it."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return "Not valid JSON."
    if not isinstance(fields, dict):
        return f"Expected an object, found {type(fields).__name__}."
    query_id, question, named = (fields.get(name) for name in ("id", "question", "course"))
    if not (_is_text(query_id) or type(query_id) is int) or not _is_text(question):
        return "The line has no 'id' or no 'question' with text."
    if named is None or named == "":
        named = course
    if named is not None and not (isinstance(named, str) and named in courses):
        return f"No course '{named}' is built here; there are: {', '.join(sorted(courses))}."
    return Query(query_id, question, named)


def _is_text(value: object) -> TypeGuard[str]:
    """Whether it can be searched and written again: JSON may escape half a character."""
    return isinstance(value, str) and bool(value.strip()) and not _HALF_CHARACTER.search(value)


def _search(data_dir: DataDir, filters: SearchFilters, k: int, strategy: StrategyName | None) -> tuple[Search, str]:
    """What finds the hits of a query, and why meanings are not compared where the strategy would."""
    index = _open_index(data_dir)
    if strategy is None:
        return lambda query: _by_words(index, query, filters, k), ""
    dense, without = find_dense(data_dir) if strategy in ("hybrid", "fused") else (None, "")
    parts = Parts(index, dense, max(k, _DEPTH), _BUDGET, estimate_tokens)
    chosen, graph = make_strategy(strategy, parts), ConceptGraph.load(data_dir)

    def search(query: Query) -> list[Hit]:
        found = asyncio.run(ask(chosen, query.question, query.course_id, graph, mode=filters.mode))
        hits = [Hit(candidate.entry, candidate.score) for candidate in found.ranked]
        return [hit for hit in hits if _is_wanted(hit, filters)][:k]

    return search, without


def _open_index(data_dir: DataDir) -> SearchIndex:
    """The index as a gateway sees it: the FAQ of a platform answers in the courses with which it shares."""
    index = SearchIndex.open(data_dir.index)
    platforms = [row["course_id"] for row in read_rows(data_dir.graph_courses) if row.get("is_platform")]
    return index.within(None, ConceptGraph.load(data_dir).shares).with_platforms(platforms) if platforms else index


def _by_words(index: SearchIndex, query: Query, filters: SearchFilters, k: int) -> list[Hit]:
    return index.search(
        query.question,
        course_id=query.course_id,
        sources=filters.sources,
        subject=filters.subject,
        mode=filters.mode,
        k=k,
    )


def _is_wanted(hit: Hit, filters: SearchFilters) -> bool:
    in_sources = filters.sources is None or hit.entry.source in filters.sources
    return in_sources and filters.subject in (None, hit.entry.subject)


def _to_json(query: Query, hits: Sequence[Hit]) -> dict[str, object]:
    return {
        "id": query.query_id,
        "hits": [
            {
                "qa_id": hit.entry.entry_id,
                "origin_id": hit.entry.origin_id,
                "source": hit.entry.source,
                "score": round(hit.score, 4),
            }
            for hit in hits
        ],
    }


def _require_course(course: str | None, known: set[str], home: Path) -> None:
    if course is not None and course not in known:
        listed = ", ".join(sorted(known)) or "none"
        raise SearchUnusable(f"No course '{course}' is built in {home}; there are: {listed}.")
