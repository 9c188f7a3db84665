"""`dbt build` at a size no course reaches: a million FAQ entries in fifty courses, every test of the project run.

.venv/bin/python benchmarks/large_table.py [--pairs 1000000]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from large_index import ANSWER_WORDS, COURSES, QUESTION_WORDS, SEED, Generator

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.source_kinds import CourseTable

DBT = Path(__file__).resolve().parent.parent / "dbt"
BOUND_SECONDS = 60
EMPTY: dict[CourseTable, pa.Schema] = {
    "concepts": schemas.CONCEPTS,
    "ta_answers": schemas.TA_ANSWERS,
    "documents": schemas.DOCUMENTS,
    "web_snippets": schemas.SEARCH_SNIPPETS,
    "scholar_records": schemas.SCHOLAR_RECORDS,
    "catalog_pages": schemas.CATALOG_PAGES,
    "informal_reviews": schemas.INFORMAL_REVIEWS,
}


def write_course(data_dir: DataDir, course_id: str, first: int, count: int, generator: Generator) -> None:
    """The lake's tables of one course with `count` FAQ entries."""
    card: dict[str, str | None] = dict.fromkeys(schemas.COURSE_CARDS.names)
    card |= {"course_id": course_id, "title": course_id, "lang": "en"}
    tables.write_table(data_dir.table("course_cards", course_id), [card], schemas.COURSE_CARDS)
    for table, schema in EMPTY.items():
        tables.write_table(data_dir.table(table, course_id), [], schema)
    columns: dict[str, list[object]] = {name: [None] * count for name in schemas.FAQ.names}
    columns |= {
        "course_id": [course_id] * count,
        "origin_id": [str(number) for number in range(first, first + count)],
        "question": list(generator.column(count, *QUESTION_WORDS)),
        "answer": list(generator.column(count, *ANSWER_WORDS)),
        "file": ["faq.csv"] * count,
        "lang": ["en"] * count,
    }
    path = data_dir.table("faq", course_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns, schema=schemas.FAQ), path)


def main() -> int:
    """Print the time; return 1 when it is beyond the bound or dbt failed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    pairs = parser.parse_args().pairs
    with tempfile.TemporaryDirectory() as scratch:
        data_dir = DataDir(Path(scratch))
        data_dir.dbt_output.mkdir()
        generator, each = Generator(SEED), pairs // COURSES
        for number in range(COURSES):
            write_course(data_dir, f"course-{number}", number * each, each, generator)
        dbt = str(Path(sys.executable).parent / "dbt")
        command = [dbt, "build", "--exclude", "tag:feedback", "--project-dir", str(DBT), "--profiles-dir", str(DBT)]
        started = time.perf_counter()
        done = subprocess.run(
            [*command, "--vars", json.dumps({"home": scratch}), "--target-path", f"{scratch}/target"], check=False
        )
        seconds = time.perf_counter() - started
        rows = pq.ParquetFile(data_dir.dbt_output / "qa_pairs.parquet").metadata.num_rows
    missed = "" if seconds <= BOUND_SECONDS else "  MISSED"
    sys.stdout.write(
        f"dbt build of {rows:,} QA pairs, tests included: {seconds:.1f} s (bound {BOUND_SECONDS}){missed}\n"
    )
    return done.returncode or int(seconds > BOUND_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
