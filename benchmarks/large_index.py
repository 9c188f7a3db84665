"""The index at a size no course reaches: a million generated QA pairs, indexed, searched, updated, all measured.

    .venv/bin/python benchmarks/large_index.py [--pairs 1000000] [--queries 1000] [--keep FOLDER]

Searching is measured beside raw Tantivy on the same index, same words and same filter, in the same run; memory is that
of a process of its own that opens the index and answers.
"""

import argparse
import hashlib
import multiprocessing
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache
from itertools import accumulate
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import tantivy

from knowledge_graph.lake.schemas import QA_PAIRS
from serving.index.analysis import query_terms
from serving.index.build import build_index
from serving.index.engine import PAIR_WEIGHT
from serving.index.search import SearchIndex
from serving.index.tables import Tables
from serving.index.tantivy_reader import TantivyReader

SEED = 20
COURSES = 50
SOURCES = ("concept", "search", "faq", "document")
VOCABULARY = 60_000
QUESTION_WORDS = (6, 14)
ANSWER_WORDS = (15, 60)
GROUP = 122_880
"""Rows of a group of the Parquet file: DuckDB's own, which is what dbt writes."""
QUERIES = 1_000
CHANGED = 1_000


class Generator:
    """QA pairs from a seed, in words as often as `counts` has them; without it, in made-up words whose frequencies fall
    as in language (Zipf)."""

    def __init__(self, seed: int, counts: Mapping[str, int] | None = None) -> None:
        self._random = random.Random(seed)
        self._words, weights = make_up_words(self._random) if counts is None else (sorted(counts), counts)
        self._cumulative = list(accumulate(weights[word] for word in self._words))

    def text(self, shortest: int, longest: int) -> str:
        chosen = self._random.choices(
            self._words, cum_weights=self._cumulative, k=self._random.randint(shortest, longest)
        )
        return " ".join(chosen)

    def column(self, count: int, shortest: int, longest: int) -> list[str]:
        return [self.text(shortest, longest) for _ in range(count)]


def make_up_words(chance: random.Random) -> tuple[list[str], dict[str, float]]:
    """`VOCABULARY` words and their weights."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = sorted({"".join(chance.choices(letters, k=chance.randint(2, 10))) for _ in range(VOCABULARY)})
    chance.shuffle(words)
    # "the", "of" and the like, which English text has in every second place.
    words[:8] = ["the", "of", "a", "to", "is", "and", "in", "for"]
    return words, {word: 1 / (rank + 2.7) for rank, word in enumerate(words)}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def rows(first: int, count: int, generator: Generator) -> pa.Table:
    """`count` rows of `qa_pairs`, numbered from `first`."""
    numbers = range(first, first + count)
    questions = generator.column(count, *QUESTION_WORDS)
    answers = generator.column(count, *ANSWER_WORDS)
    nothing = [None] * count
    columns: dict[str, list[object]] = {
        **{name: list(nothing) for name in QA_PAIRS.names},
        "qa_id": [digest(str(number))[:32] for number in numbers],
        "source": [SOURCES[number % len(SOURCES)] for number in numbers],
        "course_id": [f"course-{number % COURSES}" for number in numbers],
        "lang": ["en"] * count,
        "domains": [["computing"]] * count,
        "question": list(questions),
        "answer": list(answers),
        "origin_id": [str(number) for number in numbers],
        "content_hash": [digest(answer) for answer in answers],
    }
    return pa.table({name: pa.array(columns[name], QA_PAIRS.field(name).type) for name in QA_PAIRS.names})


def write_pairs(path: Path, count: int) -> None:
    """The whole table, a group of rows at a time."""
    generator = Generator(SEED)
    with pq.ParquetWriter(path, QA_PAIRS, compression="zstd") as writer:
        for first in range(0, count, GROUP):
            writer.write_table(rows(first, min(GROUP, count - first), generator))


def change_pairs(path: Path, target: Path, count: int) -> None:
    """The same table with `count` rows rewritten, spread evenly over it."""
    with pq.ParquetFile(path) as file, pq.ParquetWriter(target, QA_PAIRS, compression="zstd") as writer:
        every = file.metadata.num_rows // count
        fresh = rows(0, count, Generator(SEED + 1))
        first = 0
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            places = [place for place in range(table.num_rows) if (first + place) % every == 0]
            numbers = [(first + place) // every for place in places if (first + place) // every < count]
            writer.write_table(_replaced(table, places[: len(numbers)], fresh.take(numbers)))
            first += table.num_rows


def _replaced(table: pa.Table, places: list[int], fresh: pa.Table) -> pa.Table:
    """`table` with other questions, answers and hashes at `places`."""
    order = list(range(table.num_rows))
    for number, place in enumerate(places):
        order[place] = table.num_rows + number
    for name in ("question", "answer", "content_hash"):
        column = pa.chunked_array([*table[name].chunks, *fresh[name].chunks]).take(order)
        table = table.set_column(table.schema.get_field_index(name), QA_PAIRS.field(name), column)
    return table


def queries(count: int) -> list[tuple[str, str]]:
    """Course and question of each search."""
    generator = Generator(SEED + 2)
    return [(f"course-{number % COURSES}", generator.text(*QUESTION_WORDS)) for number in range(count)]


def raw_search(index: SearchIndex) -> Callable[[str | None, str], int]:
    """The floor: the same terms and filter by Tantivy alone, hits and their stored bytes fetched, nothing decoded.

    The terms of a question are made before, at its first search.
    """
    assert isinstance(index.reader, TantivyReader)
    searcher, schema = index.reader.raw("qa")
    analysed = cache(query_terms)

    def clause(name: str, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(schema, name, term, index_option="freq")

    def search(course: str | None, question: str) -> int:
        asked = analysed(question)
        words = [clause("words", term) for term in asked.words]
        pairs = [tantivy.Query.boost_query(clause("pairs", term), PAIR_WEIGHT) for term in asked.pairs]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in (*words, *pairs)])
        if course is not None:
            scopes = [tantivy.Query.term_query(schema, "scope", one, index_option="basic") for one in (course, "*")]
            own = tantivy.Query.boolean_query([(tantivy.Occur.Should, scope) for scope in scopes])
            only = tantivy.Query.const_score_query(own, 0.0)
            query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, only)])
        hits = searcher.search(query, limit=10, count=False).hits
        return sum(len(searcher.doc(address)["payload"][0]) for _, address in hits)

    return search


def milliseconds(search: Callable[[str | None, str], object], asked: list[tuple[str | None, str]]) -> list[float]:
    """How long each search took, the second time over: the first only warms up."""
    for course, question in asked:
        search(course, question)
    taken = []
    for course, question in asked:
        started = time.perf_counter()
        search(course, question)
        taken.append((time.perf_counter() - started) * 1000)
    return taken


def serve(folder: Path, asked: list[tuple[str | None, str]]) -> dict[str, list[float] | float]:
    """In a process of its own: times of both, in turns, and the memory at the end (MB)."""
    index = SearchIndex.open(folder)
    ours = milliseconds(lambda course, question: index.search(question, course_id=course), asked)
    memory = psutil.Process().memory_info().rss / 1e6
    raw = raw_search(index)
    floor = milliseconds(lambda course, question: raw(course, question), asked)
    return {"ours": ours, "floor": floor, "memory": memory}


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    """Print every figure; return 1 when one is beyond its bound."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--keep", type=Path, help="a folder to keep tables and index in")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        return measure(folder, options.pairs, count_queries=options.queries)


def measure(folder: Path, pairs: int, *, count_queries: int) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    table, changed, index = folder / "qa_pairs.parquet", folder / "changed.parquet", folder / "index"
    if not changed.exists():
        write_pairs(table, pairs)
        change_pairs(table, changed, CHANGED)
    bounds: list[bool] = []

    def tell(what: str, value: float, bound: float, unit: str) -> None:
        bounds.append(value <= bound)
        say(f"{what:44} {value:8.2f} {unit:4} (bound {bound:g}) {'' if bounds[-1] else '  MISSED'}")

    started = time.perf_counter()
    build_index(Tables(table, ()), index)
    tell(f"index of {pairs:,} QA pairs", time.perf_counter() - started, 60, "s")
    asked = queries(count_queries)
    for name, chosen in (("all courses", [(None, text) for _, text in asked]), ("one course", list(asked))):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            found = pool.apply(serve, (index, chosen))
        compare(name, found, tell)
    started = time.perf_counter()
    report = build_index(Tables(changed, ()), index)
    tell(f"update of {CHANGED:,} rows", time.perf_counter() - started, 2, "s")
    say(f"changed {report.changes['qa'].changed}, updated in place: {report.updated}")
    return 0 if all(bounds) else 1


def compare(name: str, found: dict[str, list[float] | float], tell: Callable[[str, float, float, str], None]) -> None:
    ours, floor = found["ours"], found["floor"]
    assert isinstance(ours, list)
    assert isinstance(floor, list)
    for label, part in (("p50", 50), ("p95", 95)):
        mine, raw = (statistics.quantiles(taken, n=100)[part - 1] for taken in (ours, floor))
        tell(f"search, {name}: {label} / raw ({mine:.2f} / {raw:.2f} ms)", mine / raw, 2, "x")
    memory = found["memory"]
    assert isinstance(memory, float)
    tell(f"memory while searching, {name}", memory, 600, "MB")


if __name__ == "__main__":
    sys.exit(main())
