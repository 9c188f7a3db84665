"""How long understanding, retrieval and a direct answer take, beside raw Tantivy on the same index in the same run.

And how much processor time answers to students' questions take, most of them composed.

    COTEACH_HOME=data .venv/bin/python benchmarks/direct_answers.py [--pairs 50000]

Every FAQ question of the home is asked once to warm up and `ROUNDS` times measured, without a language model. So are
the student questions that may be looked at (`students/*.dev.jsonl`, `gold/students.dev.jsonl` of the samples), of
courses that the home has; what they take the first time is said beside. `--pairs` fills the home's largest course up
with generated pairs, in an index of their own that is thrown away.
"""

import argparse
import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import tantivy
from large_index import SEED, Generator, rows

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import QA_PAIRS
from knowledge_graph.lake.tables import read_rows
from serving.assistant.assistant import Assistant
from serving.gateway.knowledge import load_knowledge
from serving.index.analysis import terms
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.index.tables import Tables
from serving.index.tantivy_reader import TantivyReader
from serving.settings import Settings

ROUNDS = 5
P95_BOUND_MS = 40


async def through_coteach(assistant: Assistant, questions: list[tuple[str, str]]) -> list[float]:
    """Milliseconds of each whole answer."""
    taken = []
    for course_id, question in questions:
        started = time.perf_counter()
        await assistant.answer(question, course_id=course_id)
        taken.append((time.perf_counter() - started) * 1000)
    return taken


async def processor_ms(assistant: Assistant, questions: list[tuple[str, str]]) -> list[float]:
    """Milliseconds of the processor that each whole answer takes, in all threads: what is left of the time when others
    use the machine, too."""
    taken = []
    for course_id, question in questions:
        started = time.process_time()
        await assistant.answer(question, course_id=course_id)
        taken.append((time.process_time() - started) * 1000)
    return taken


def student_questions(courses: Collection[str]) -> list[tuple[str, str]]:
    """Course and question of those that may be looked at, without follow-ups."""
    here = Path(__file__).parent
    files = [*here.glob("students/*.dev.jsonl"), *here.parent.glob("examples/courses/*/gold/students.dev.jsonl")]
    rows = [json.loads(line) for path in sorted(files) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row["course"], row["question"]) for row in rows if row["course"] in courses and not row.get("history")]


def through_tantivy(index: SearchIndex, questions: list[tuple[str, str]]) -> list[float]:
    """Milliseconds of one plain BM25 search for the same words, without reading the hits: the floor."""
    assert isinstance(index.reader, TantivyReader)
    searcher, schema = index.reader.raw("qa")
    taken = []
    for _, question in questions:
        started = time.perf_counter()
        clauses = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "words", term, index_option="freq"))
            for term in terms(question)
        ]
        searcher.search(tantivy.Query.boolean_query(clauses), limit=5)
        taken.append((time.perf_counter() - started) * 1000)
    return taken


def words_of(built: DataDir) -> Counter[str]:
    """The English words of the home's passages, counted: a question in made-up words is taken for another language."""
    texts = (text for path in built.tables("passages") for text in pq.read_table(path)["text"].to_pylist())
    return Counter(word for text in texts for word in re.findall(r"[a-z]+", text.lower()))


def enlarged(built: DataDir, scratch: Path, pairs: int) -> Path:
    """A home with the artefacts of `built` and an index of at least `pairs` QA pairs, the new ones the FAQ of one."""
    for found in built.root.iterdir():
        if found != built.index:
            (scratch / found.name).symlink_to(found.resolve())
    own = pq.read_table(built.qa_pairs).select(QA_PAIRS.names).cast(QA_PAIRS)
    more = rows(0, max(0, pairs - own.num_rows), Generator(SEED, words_of(built)))
    largest = own["course_id"].value_counts().sort("descending")[0]["values"].as_py()
    for name, value in (("course_id", largest), ("source", "faq")):
        column = pa.array([value] * more.num_rows, QA_PAIRS.field(name).type)
        more = more.set_column(more.schema.get_field_index(name), QA_PAIRS.field(name), column)
    table = scratch / "pairs.parquet"
    pq.write_table(pa.concat_tables([own, more]), table)
    passages = tuple(built.tables("passages"))
    build_index(Tables(table, passages), DataDir(scratch).index)
    return scratch


def main() -> int:
    """Print p50, p95 and their ratios; return 1 when the home is not built."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=0)
    wanted = parser.parse_args().pairs
    built = Settings()
    if not built.data_dir.qa_pairs.exists():
        sys.stderr.write(f"Nothing to measure in {built.home}. Run `coteach build`, or set COTEACH_HOME.\n")
        return 1
    faq = [row for row in read_rows(built.data_dir.qa_pairs) if row["source"] == "faq"]
    questions = [(row["course_id"], row["question"]) for row in faq] * ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        home = enlarged(built.data_dir, Path(folder), wanted) if wanted else built.home
        knowledge = load_knowledge(Settings(home=home, kept_answers=0), None)
        assistant = knowledge.assistant
        asyncio.run(through_coteach(assistant, questions[: len(faq)]))
        ours = asyncio.run(through_coteach(assistant, questions))
        floor = through_tantivy(knowledge.index, questions)
        composed = student_questions(knowledge.course_ids)
        first = asyncio.run(processor_ms(assistant, composed))
        again = asyncio.run(processor_ms(assistant, composed * ROUNDS)) if composed else []
        count = sum(knowledge.index.counts()["qa"].values())
    sys.stdout.write(f"{len(questions)} direct questions over {count} QA pairs\n")
    for name, taken in (("coteach", ours), ("raw Tantivy", floor)):
        cuts = statistics.quantiles(taken, n=20)
        sys.stdout.write(f"{name:12} p50 {statistics.median(taken):6.2f} ms   p95 {cuts[-1]:6.2f} ms\n")
    sys.stdout.write(f"ratio of p50 {statistics.median(ours) / statistics.median(floor):.1f}\n")
    for name, taken in (("the first time", first), (f"in {ROUNDS} rounds", again)):
        if len(taken) > 1:
            cuts = statistics.quantiles(taken, n=20)
            told = f"p50 {statistics.median(taken):6.2f} ms   p95 {cuts[-1]:6.2f} ms of the processor"
            sys.stdout.write(f"{len(composed)} student questions {name}: {told}\n")
    within = statistics.quantiles(ours, n=20)[-1] <= P95_BOUND_MS
    sys.stdout.write(f"p95 within {P95_BOUND_MS} ms: {'yes' if within else 'no'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
