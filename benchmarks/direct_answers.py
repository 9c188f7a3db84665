"""How long understanding, retrieval and a direct answer take, beside raw Tantivy on the same index in the same run.

    COTEACH_HOME=data .venv/bin/python benchmarks/direct_answers.py

Every FAQ question of the home is asked once to warm up and `ROUNDS` times measured, without a language model.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import tantivy

from knowledge_graph.lake import read_rows
from serving.assistant import Assistant
from serving.gateway.service import load_knowledge
from serving.index.analysis import terms
from serving.index.search import SearchIndex
from serving.settings import Settings

ROUNDS = 5


async def through_coteach(assistant: Assistant, questions: list[tuple[str, str]]) -> list[float]:
    """Milliseconds of each whole answer."""
    taken = []
    for course_id, question in questions:
        started = time.perf_counter()
        await assistant.answer(question, course_id=course_id)
        taken.append((time.perf_counter() - started) * 1000)
    return taken


def through_tantivy(index: SearchIndex, questions: list[tuple[str, str]]) -> list[float]:
    """Milliseconds of one plain BM25 search for the same words, without reading the hits: the floor."""
    searcher, schema = index.raw("qa")
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


def main() -> int:
    """Print p50, p95 and their ratios; return 1 when the home is not built."""
    built = Settings()
    if not built.data_dir.qa_pairs.exists():
        sys.stderr.write(f"Nothing to measure in {built.home}. Run `coteach build`, or set COTEACH_HOME.\n")
        return 1
    rows = [row for row in read_rows(built.data_dir.qa_pairs) if row["source"] == "faq"]
    questions = [(row["course_id"], row["question"]) for row in rows] * ROUNDS
    knowledge = load_knowledge(built, None)
    with tempfile.TemporaryDirectory() as scratch:
        # Traces of a measurement are no answers to students: they go to a folder of their own.
        assistant = knowledge.assistant.recording_to(Path(scratch) / "traces.jsonl")
        asyncio.run(through_coteach(assistant, questions[: len(rows)]))
        ours = asyncio.run(through_coteach(assistant, questions))
    floor = through_tantivy(knowledge.index, questions)
    sys.stdout.write(f"{len(questions)} direct questions over {len(read_rows(built.data_dir.qa_pairs))} QA pairs\n")
    for name, taken in (("coteach", ours), ("raw Tantivy", floor)):
        cuts = statistics.quantiles(taken, n=20)
        sys.stdout.write(f"{name:12} p50 {statistics.median(taken):6.2f} ms   p95 {cuts[-1]:6.2f} ms\n")
    sys.stdout.write(f"ratio of p50 {statistics.median(ours) / statistics.median(floor):.1f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
