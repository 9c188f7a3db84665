"""The engines of the index beside each other in one run: LanceDB in a folder and in an object store, and Tantivy.

    .venv/bin/python benchmarks/index_engines.py [--pairs 100000] [--url s3://bucket/path] [--keep FOLDER]

The generated QA pairs of `large_index.py` are indexed, searched within one of fifty courses and over all, and a
thousand of them changed. Each engine answers in a process of its own: the first pass over the questions, when nothing
was read yet, and the second. `--url` is of a store that runs, with its `AWS_…` variables set; for one to try with:
`python -m moto.server -p 5555`, `AWS_ENDPOINT_URL=http://127.0.0.1:5555`, `AWS_ALLOW_HTTP=true`, and a bucket.
`--vectors` measures search by meaning, too, over so many made-up vectors.
"""

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from large_index import CHANGED, COURSES, SEED, change_pairs, queries, say, write_pairs

from knowledge_graph.lake.schemas import embeddings_schema
from serving.index.build import build_index
from serving.index.dense import DenseIndex
from serving.index.engine import IndexPlace, NearestNeighbours, Vector
from serving.index.lance_vectors import LanceVectors, publish_vectors
from serving.index.search import SearchIndex
from serving.index.tables import Tables

ASKED = 200
MODEL, DIMENSION = "made-up@0", 384
NEAREST = 50

Question = tuple[str | None, str]


def passes(search: Callable[[str | None, str], object], asked: list[Question]) -> tuple[list[float], list[float]]:
    """Milliseconds of each search the first time and the second."""
    both = []
    for _ in range(2):
        taken = []
        for course, question in asked:
            started = time.perf_counter()
            search(course, question)
            taken.append((time.perf_counter() - started) * 1000)
        both.append(taken)
    return both[0], both[1]


def serve(folder: Path, asked: list[Question]) -> dict[str, float]:
    """In a process of its own: seconds to open, milliseconds of a search, megabytes at the end."""
    started = time.perf_counter()
    index = SearchIndex.open(folder)
    opened = time.perf_counter() - started
    first, second = passes(lambda course, question: index.reader.best("qa", *wanted(question, course)), asked)
    return told(opened, first, second)


def wanted(
    question: str, course: str | None
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], dict[str, list[str]], int]:
    """As `SearchIndex.search` asks its reader, without what it remembers of the first pass."""
    from serving.index.analysis import query_terms  # noqa: PLC0415  in the process that is measured
    from serving.index.schema import list_scopes  # noqa: PLC0415

    words, pairs = query_terms(question)
    allowed = {} if course is None else {"scope": list_scopes("qa", course, None)}
    return (tuple(words), tuple(pairs)), allowed, 10


def told(opened: float, first: list[float], second: list[float]) -> dict[str, float]:
    cuts = [statistics.quantiles(taken, n=100) for taken in (first, second)]
    return {
        "open s": opened,
        "first p50": cuts[0][49],
        "first p95": cuts[0][94],
        "p50": cuts[1][49],
        "p95": cuts[1][94],
        "memory MB": psutil.Process().memory_info().rss / 1e6,
    }


def measure_words(name: str, place: IndexPlace, tables: tuple[Path, Path], folder: Path, count: int) -> None:
    started = time.perf_counter()
    build_index(Tables(tables[0], ()), folder, place=place)
    built = time.perf_counter() - started
    asked = queries(count)
    for where, chosen in (("all courses", [(None, text) for _, text in asked]), ("one course", list(asked))):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            say(f"{name:24} {where:12} {line(pool.apply(serve, (folder, chosen)))}")
    started = time.perf_counter()
    report = build_index(Tables(tables[1], ()), folder, place=place)
    say(
        f"{name:24} built in {built:.1f} s, {CHANGED:,} changed in {time.perf_counter() - started:.1f} s"
        f" ({'an update' if report.updated else 'anew'})"
    )


def line(found: dict[str, float]) -> str:
    return "  ".join(f"{what} {value:.2f}" for what, value in found.items())


def write_vectors(path: Path, rows: int) -> None:
    """Vectors around one centre for each course, so that they are as unlike as texts are, in the order of the lake."""
    chance = np.random.default_rng(SEED)
    centres = chance.normal(size=(COURSES, DIMENSION))
    schema = embeddings_schema(MODEL, DIMENSION)
    with pq.ParquetWriter(path, schema) as writer:
        for course in sorted(range(COURSES), key=lambda number: f"course-{number}"):
            count = rows // COURSES
            found = centres[course] + chance.normal(size=(count, DIMENSION))
            halves = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16)
            ids = [f"{course:02}-{number:08}" for number in range(count)]
            facts = {"kind": ["qa"] * count, "entry_id": ids, "source": ["faq"] * count}
            facts |= {"course_id": [f"course-{course}"] * count, "lang": ["en"] * count, "text_hash": ids}
            arrays = [pa.array(facts.get(name, [None] * count), pa.string()) for name in schema.names[:-2]]
            column = pa.FixedSizeListArray.from_arrays(pa.array(halves.ravel()), DIMENSION)
            writer.write_table(pa.Table.from_arrays([*arrays, column, pa.nulls(count, pa.binary())], schema=schema))


def serve_vectors(path: Path, folder: Path | None, within: bool) -> dict[str, float]:
    started = time.perf_counter()
    vectors: NearestNeighbours
    if folder is None:
        vectors = DenseIndex.open(path, model=MODEL, dimension=DIMENSION)
    else:
        vectors = LanceVectors.open(folder, model=MODEL, dimension=DIMENSION)
    opened = time.perf_counter() - started
    asked = near(path, ASKED)

    def search(course: str | None, place: str) -> object:
        return vectors.search(asked[int(place)], course_id=course, k=NEAREST)

    chosen: list[Question] = [(f"course-{n % COURSES}" if within else None, str(n)) for n in range(len(asked))]
    return told(opened, *passes(search, chosen))


def near(path: Path, count: int) -> Vector:
    """Vectors near some that are stored."""
    with pq.ParquetFile(path) as file:
        stored = file.read_row_group(0, columns=["vector"])["vector"].combine_chunks().flatten().to_numpy()
    chance = np.random.default_rng(SEED + 1)
    found = stored.reshape(-1, DIMENSION)[:count].astype(np.float32)
    found = found + 0.3 * chance.normal(size=found.shape).astype(np.float32) / DIMENSION**0.5
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def recall(path: Path, folder: Path) -> float:
    """Share of the nearest over all courses that LanceDB finds."""
    exact = DenseIndex.open(path, model=MODEL, dimension=DIMENSION)
    ours = LanceVectors.open(folder, model=MODEL, dimension=DIMENSION)
    shares = []
    for vector in near(path, 50):
        right = dict(exact.search(vector, k=NEAREST))
        shares.append(len(right.keys() & dict(ours.search(vector, k=NEAREST)).keys()) / len(right))
    return statistics.fmean(shares)


def measure_vectors(places: dict[str, IndexPlace], scratch: Path, rows: int) -> None:
    path = scratch / "embeddings.parquet"
    write_vectors(path, rows)
    for name, place in places.items():
        folder = scratch / f"vectors of {name}"
        started = time.perf_counter()
        publish_vectors(path, folder, place)
        published = time.perf_counter() - started
        opened = None if place.engine == "tantivy" else folder
        for where, within in (("all courses", False), ("one course", True)):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                found = pool.apply(serve_vectors, (path, opened, within))
            say(f"{name:24} {where:12} {line(found)}")
        if opened is not None:
            say(f"{name:24} {rows:,} vectors published in {published:.1f} s, recall {recall(path, folder):.3f}")


def main() -> int:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=ASKED)
    parser.add_argument("--vectors", type=int, default=0)
    parser.add_argument("--url", help="an object store's address")
    parser.add_argument("--keep", type=Path, help="a folder to keep tables and indexes in")
    options = parser.parse_args()
    places = {"tantivy": IndexPlace(), "lance on disk": IndexPlace("lance")}
    if options.url:
        places["lance in the store"] = IndexPlace("lance", f"{options.url.rstrip('/')}/{options.pairs}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if options.pairs:
            table, changed = folder / "qa_pairs.parquet", folder / "changed.parquet"
            write_pairs(table, options.pairs)
            change_pairs(table, changed, CHANGED)
            say(f"{options.pairs:,} QA pairs, {options.questions} questions twice, milliseconds of a search")
            for name, place in places.items():
                measure_words(name, place, (table, changed), folder / name, options.questions)
        if options.vectors:
            say(f"{options.vectors:,} vectors, {ASKED} questions twice, milliseconds of a search")
            measure_vectors(places, folder, options.vectors)
    return 0


if __name__ == "__main__":
    sys.exit(main())
