"""A walk through a built home, for whoever works on it next: `.venv/bin/python examples/walk_through.py`.

Run it after `make build`. It only looks: no model is asked, nothing is written. Each step is a few lines of the code
that the pipeline and the gateway use too; read it beside what it prints.
"""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CourseCard
from knowledge_graph.lake.tables import Row, read_rows
from orchestration.reporting.publishing import read_shown
from orchestration.resources import PipelineSettings
from serving.assistant.answer import Answer
from serving.evaluation.tables import markdown
from serving.gateway.knowledge import load_knowledge, missing_artefacts
from serving.index.search import SearchIndex
from serving.settings import Settings

FEW = 5
"""Lines of each list."""

_WHAT = {"en": "What is {}?", "zh": "什么是{}？"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code: 1 when the home was not built."""
    parser = argparse.ArgumentParser(description="Look at what a build made.")
    parser.add_argument("--home", type=Path, default=Settings().home, help="default COTEACH_HOME, else ./data")
    parser.add_argument("--course", help="default the course with the most concepts")
    chosen = parser.parse_args(arguments)
    console = Console(highlight=False, markup=False, color_system=None, width=110)
    data_dir = DataDir(chosen.home)
    if missing := missing_artefacts(data_dir):
        console.print(f"Nothing is built in {data_dir.root}: {', '.join(missing)} missing. Run `make build`.")
        return 1
    known = [course.course_id for course in ConceptGraph.load(data_dir).courses]
    if chosen.course not in (None, *known):
        console.print(f"No course {chosen.course!r} in this home; found: {', '.join(known)}.")
        return 1
    for heading, lines in walk(data_dir, chosen.course):
        console.rule(heading, characters="-", align="left")
        for line in lines:
            console.print(line)
    return 0


def walk(data_dir: DataDir, course_id: str | None) -> Iterator[tuple[str, list[str]]]:
    """Headings with what is seen under them."""
    graph = ConceptGraph.load(data_dir)
    yield "1. The home and its courses (knowledge_graph/lake/home.py names every file)", courses_of(data_dir, graph)
    chosen = [graph.course(course_id)] if course_id else graph.courses
    course, concepts = max(((one, concepts_of(data_dir, one)) for one in chosen), key=lambda pair: len(pair[1]))
    heading = f"2. Concepts of {course.course_id} and what comes before them (knowledge_graph/graph/concept_graph.py)"
    yield heading, shown_concepts(graph, concepts)
    question = _WHAT[course.lang].format(concepts[0]["name"] if concepts else course.title)
    yield f"3. Searched for: {question} (serving/index/search.py)", hits(data_dir, course, question)
    answer = ask(data_dir, course, question)
    said = [answer.text.strip(), f"({answer.notice or 'no notice'})"]
    yield "4. Answered without a model (serving/assistant/assistant.py)", said
    yield "5. Its trace, kept for every answer (serving/assistant/trace.py)", trace_of(answer)
    yield "6. Evaluation tables (serving/evaluation, assets/evaluation)", evaluation_of(data_dir)
    yield "7. MLflow and Dagster", pages_of(data_dir)


def courses_of(data_dir: DataDir, graph: ConceptGraph) -> list[str]:
    """One line for each course, and the size of the index."""
    index = SearchIndex.open(data_dir.index)
    counts = ", ".join(f"{count} of {source}" for source, count in sorted(index.counts()["qa"].items()))
    courses = [f"{one.course_id} ({one.lang}): {one.title}" for one in graph.courses]
    return [f"home {data_dir.root}", *courses, f"index {index.version}, QA pairs: {counts}"]


def concepts_of(data_dir: DataDir, course: CourseCard) -> list[Row]:
    """The concepts of a course, the surest first, as its table has them."""
    path = data_dir.table("concepts", course.course_id)
    return sorted(read_rows(path), key=lambda row: int(row["rank"])) if path.is_file() else []


def shown_concepts(graph: ConceptGraph, concepts: Sequence[Row]) -> list[str]:
    """The first ones with their definitions and what should be known before."""
    lines = []
    for row in concepts[:FEW]:
        key = row["concept_id"]
        before = ", ".join(one.name for one in graph.prerequisites(key)[:FEW]) if key in graph else ""
        lines.append(f"{row['name']}: {row['definition'] or 'no definition'}\n    before it: {before or 'nothing'}")
    return lines or ["None: this course has no lectures, or nothing was found in them."]


def hits(data_dir: DataDir, course: CourseCard, question: str) -> list[str]:
    """The best QA pairs by words."""
    found = SearchIndex.open(data_dir.index).search(question, course_id=course.course_id, k=FEW)
    return [f"{hit.score:6.2f}  {hit.entry.source:8}  {hit.entry.title}" for hit in found] or ["Nothing."]


def ask(data_dir: DataDir, course: CourseCard, question: str) -> Answer:
    """An answer as the gateway gives it when there is no model server."""
    knowledge = load_knowledge(Settings(home=data_dir.root), None)
    return asyncio.run(knowledge.assistant.answer(question, course_id=course.course_id))


def trace_of(answer: Answer) -> list[str]:
    """Route, scores, references and times."""
    trace = answer.trace
    times = ", ".join(f"{name} {value:.1f}" for name, value in trace.timings.items())
    few = trace.candidates[:FEW]
    best = [f"  candidate {one.entry_id} ({one.source}): score {one.score:.2f}, match {one.match:.2f}" for one in few]
    references = [f"  reference [{one.number}] {one.label}" for one in answer.references]
    return [
        f"route {trace.route}, strategy {trace.strategy}",
        f"h {trace.h:.2f}, alpha {trace.alpha:.2f}, beta {trace.beta:.2f}",
        *best,
        *references,
        f"times: {times}",
    ]


def evaluation_of(data_dir: DataDir) -> list[str]:
    """The names of the tables that were made, and the shortest one."""
    shown = [read_shown(path) for path in sorted(data_dir.evaluation_tables.glob("*.json"))]
    if not shown:
        return ["None was made yet. `make report` makes them all, and docs/results.md of them."]
    short = min(shown, key=lambda one: len(one.table.rows))
    names = ", ".join(one.table.name for one in shown)
    return [names, f"{short.table.title}, MLflow run {short.run_id}:", markdown(short.table)]


def pages_of(data_dir: DataDir) -> list[str]:
    """Where the runs and the assets are looked at."""
    return [
        f"`make up` opens MLflow at {PipelineSettings().mlflow_pages} over {data_dir.mlflow_db}",
        "and prints the addresses of Dagster, which has every asset with its checks, and of the chat page.",
    ]


if __name__ == "__main__":
    raise SystemExit(main())
