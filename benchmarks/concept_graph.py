"""The concept graph at the size of MOOCCubeX: 600,000 generated concepts merged, loaded and asked, all measured.

    .venv/bin/python benchmarks/concept_graph.py [--concepts 600000] [--keep FOLDER]

Matching is measured beside a plain lookup of every stretch of words in a dictionary of the same names, which knows
neither plurals nor word boundaries; loading beside reading the same three tables. Merging and serving are measured in
processes of their own, so that their memory is theirs alone.
"""

import argparse
import multiprocessing
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.graph.merging import merge_concepts, merge_prerequisites
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import CONCEPTS, GRAPH_COURSES, PREREQUISITES
from knowledge_graph.lake.tables import write_atomic

SEED = 20
COURSES = 60
SHARED = 0.2
"""Of the concepts, taught in a second course too."""
EDGES = 5 / 3
"""Prerequisites of a concept, on average: a million for 600,000."""
CONTRADICTED = 0.005
"""Of the edges, turned round in another course."""
QUESTIONS = 2_000
KNOWN = 20


class Words:
    """English and Chinese words whose frequencies fall as in language (Zipf), from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        letters = "abcdefghijklmnopqrstuvwxyz"
        made = {"".join(self.random.choices(letters, k=self.random.randint(3, 10))) for _ in range(60_000)}
        self._words = sorted(made)
        self.random.shuffle(self._words)
        self._signs = [chr(0x4E00 + number) for number in range(5_000)]
        self.random.shuffle(self._signs)
        self._of_words = list(accumulate(1 / (rank + 2.7) for rank in range(len(self._words))))
        self._of_signs = list(accumulate(1 / (rank + 2.7) for rank in range(len(self._signs))))

    def english(self, count: int) -> str:
        return " ".join(self.random.choices(self._words, cum_weights=self._of_words, k=count))

    def chinese(self, count: int) -> str:
        return "".join(self.random.choices(self._signs, cum_weights=self._of_signs, k=count))

    def names(self, count: int) -> list[str]:
        """Different names, half of them English."""
        found: dict[str, None] = {}
        while len(found) < count:
            english = len(found) % 2
            name = self.english(self.random.randint(1, 4)) if english else self.chinese(self.random.randint(2, 8))
            found[name] = None
        return list(found)


def key_of(name: str) -> str:
    return f"{'en' if name.isascii() else 'zh'}:{name}"


def concept_tables(names: Sequence[str], words: Words) -> Iterator[pa.Table]:
    """The concepts of each course: every one with a definition, an alias for each second one, and evidence."""
    aliases = words.names(len(names) // 2)
    texts = [words.english(17)[:100] for _ in range(10_000)]
    for course in range(COURSES):
        own = [n for n in range(len(names)) if n % COURSES == course or (n % 1000 < SHARED * 1000 and n % 59 == course)]
        yield pa.Table.from_pylist([_concept(course, n, names, aliases, texts) for n in own], schema=CONCEPTS)


def _concept(
    course: int, number: int, names: Sequence[str], aliases: Sequence[str], texts: Sequence[str]
) -> dict[str, object]:
    start = number % 3_000 * 1_000
    place = {"video_id": f"week {number % 9}/video {number % 97}", "start_ms": start, "end_ms": start + 20_000}
    nowhere = {"url": None, "video_title": None, "document": None, "page": None, "article": None}
    text = texts[number % len(texts)]
    return {
        "course_id": f"course-{course}",
        "concept_id": key_of(names[number]),
        "name": names[number],
        "aliases": [aliases[number // 2]] if number % 2 else [],
        "lang": key_of(names[number])[:2],
        "rank": number,
        "score": (number + course) % 100 / 100,
        "definition": text,
        "definition_kind": "subtitle",
        "definition_locator": {**nowhere, **place},
        "domains": [f"domain {course % 8}"],
        "mention_count": 5,
        "evidence": [{**place, "text": text, "document": None, "page": None, "article": None}],
        "votes": [],
    }


def edge_tables(names: Sequence[str], words: Words) -> Iterator[pa.Table]:
    """Edges from a concept to one of the thousand after it in teaching order, spread over the courses."""
    count = int(len(names) * EDGES)
    draw = words.random
    sources = [draw.randrange(len(names) - 1) for _ in range(count)]
    pairs = [(s, min(len(names) - 1, s + draw.randint(1, 1_000))) for s in sources]
    pairs += [(b, a) for a, b in draw.sample(pairs, int(count * CONTRADICTED))]
    for course in range(COURSES):
        own = pairs[course::COURSES]
        ends = [[key_of(names[pair[side]]) for pair in own] for side in (0, 1)]
        columns: dict[str, object] = {
            **{name: [None] * len(own) for name in PREREQUISITES.names},
            "course_id": [f"course-{course}"] * len(own),
            "prerequisite_id": ends[0],
            "concept_id": ends[1],
            "probability": [round(draw.uniform(0.55, 1), 3) for _ in own],
            "accepted": [True] * len(own),
            "evidence": [[] for _ in own],
        }
        yield pa.table({name: pa.array(columns[name], PREREQUISITES.field(name).type) for name in PREREQUISITES.names})


def merge(home: Path) -> tuple[float, float]:
    """In a process of its own: seconds from the courses' tables to the graph's, and peak memory (MB)."""
    data_dir = DataDir(home)
    started = time.perf_counter()
    write_atomic(data_dir.graph_concepts, merge_concepts(pq.read_table(p) for p in data_dir.tables("concepts")))
    edges = merge_prerequisites(pq.read_table(p) for p in data_dir.tables("prerequisites"))
    write_atomic(data_dir.graph_prerequisites, edges)
    return time.perf_counter() - started, peak()


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def peer(names: Sequence[str]) -> Callable[[str], list[tuple[int, int]]]:
    """The floor: every stretch of up to four words, or eight signs, looked up in a dictionary, longest first."""
    numbers = {name: number for number, name in enumerate(names)}

    def find(question: str) -> list[tuple[int, int]]:
        found, at = [], 0
        chinese = not question.isascii()
        units = list(question) if chinese else question.split()
        longest, glue = (8, "") if chinese else (4, " ")
        while at < len(units):
            for size in range(min(longest, len(units) - at), 0, -1):
                number = numbers.get(glue.join(units[at : at + size]))
                if number is not None:
                    found.append((at, number))
                    at += size - 1
                    break
            at += 1
        return found

    return find


def questions(names: Sequence[str], words: Words) -> list[str]:
    """Questions of twenty words, or thirty signs, that name two concepts each."""
    asked = []
    for number in range(QUESTIONS):
        one, other = words.random.sample(names, 2)
        english = number % 2
        text = words.english(8) if english else words.chinese(14)
        asked.append(f"{one} {text} {other}" if english else f"{one}{text}{other}")
    return asked


def milliseconds(asked: Sequence[str], ask: Callable[[str], object]) -> list[float]:
    taken = []
    for one in asked:
        started = time.perf_counter()
        ask(one)
        taken.append((time.perf_counter() - started) * 1000)
    return taken


def serve(home: Path) -> dict[str, float | list[float]]:
    """In a process of its own: loading, memory, and the times of each kind of question."""
    data_dir = DataDir(home)
    paths = (data_dir.graph_concepts, data_dir.graph_prerequisites, data_dir.graph_courses)
    before = psutil.Process().memory_info().rss
    started = time.perf_counter()
    graph = ConceptGraph.load(data_dir)
    graph.warm_up()
    found: dict[str, float | list[float]] = {"load": time.perf_counter() - started}
    found["memory"] = (psutil.Process().memory_info().rss - before) / 1e6
    found["peak"] = peak()
    started = time.perf_counter()
    sizes = [len(pq.read_table(path)) for path in paths]
    found["read"] = time.perf_counter() - started
    ids = pq.read_table(data_dir.graph_concepts, columns=["concept_id"])["concept_id"].to_pylist()
    names = [key[3:] for key in ids]
    words = Words(SEED + 2)
    asked = questions(names, words)
    found["first"] = milliseconds(asked[:1], graph.mentions)[0]
    found["ours"] = milliseconds(asked, graph.mentions)
    found["find"] = milliseconds(words.random.sample(names, QUESTIONS), graph.find)
    chosen = words.random.sample(ids, QUESTIONS)
    known = words.random.sample(ids, KNOWN)
    found["path"] = milliseconds(chosen, lambda key: graph.study_path(key, known))
    found["neighbours"] = milliseconds(chosen, graph.neighbours)
    found["plain"] = milliseconds(asked, peer(names))
    found["concepts"], found["edges"] = sizes[:2]
    return found


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    """Print every figure; return 1 when one is beyond its bound."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--concepts", type=int, default=600_000)
    parser.add_argument("--keep", type=Path, help="a folder to keep the tables in")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        return measure(options.keep or Path(scratch), options.concepts)


def generate(home: Path, concepts: int) -> None:
    data_dir = DataDir(home)
    words = Words(SEED)
    names = words.names(concepts)
    for course, table in enumerate(concept_tables(names, words)):
        write_atomic(data_dir.table("concepts", f"course-{course}"), table)
    for course, table in enumerate(edge_tables(names, words)):
        write_atomic(data_dir.table("prerequisites", f"course-{course}"), table)
    write_atomic(data_dir.graph_courses, GRAPH_COURSES.empty_table())


def measure(home: Path, concepts: int) -> int:
    bounds: list[bool] = []

    def tell(what: str, value: float, bound: float, unit: str) -> None:
        bounds.append(value <= bound)
        say(f"{what:58} {value:8.2f} {unit:4} (bound {bound:g}) {'' if bounds[-1] else '  MISSED'}")

    processes = multiprocessing.get_context("spawn")
    if not DataDir(home).graph_courses.exists():
        with processes.Pool(1) as pool:
            pool.apply(generate, (home, concepts))
    with processes.Pool(1) as pool:
        seconds, memory = pool.apply(merge, (home,))
    tell(f"merge of {COURSES} courses, {concepts:,} concepts", seconds, 60, "s")
    tell("  peak memory of the merge", memory, 3_000, "MB")
    with processes.Pool(1) as pool:
        found = pool.apply(serve, (home,))
    report(found, tell)
    return 0 if all(bounds) else 1


def report(found: dict[str, float | list[float]], tell: Callable[[str, float, float, str], None]) -> None:
    def part(name: str, percent: int) -> float:
        taken = found[name]
        return statistics.quantiles(taken, n=100)[percent - 1] if isinstance(taken, list) else taken

    say(f"{part('concepts', 0):,} concepts and {part('edges', 0):,} prerequisites")
    load, read = part("load", 0), part("read", 0)
    tell(f"load and warm up (reading the tables alone: {read:.2f} s)", load, 30, "s")
    tell("memory of the graph", part("memory", 0), 3_000, "MB")
    tell("  peak of the process", part("peak", 0), 3_000, "MB")
    tell("first question after loading", part("first", 0), 2, "ms")
    for percent in (50, 95):
        ours, plain = part("ours", percent), part("plain", percent)
        tell(f"concepts of a question, p{percent} (plain dictionary {plain:.3f} ms)", ours, 2, "ms")
        tell("  times the plain dictionary's", ours / plain, 2, "x")
    tell("find by name, p95", part("find", 95), 2, "ms")
    tell("study path, p95", part("path", 95), 20, "ms")
    tell("neighbours, p95", part("neighbours", 95), 20, "ms")


if __name__ == "__main__":
    sys.exit(main())
