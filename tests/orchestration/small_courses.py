"""Small real courses and a place to build them: everything a build does, but for training the intent model.

The intent model is reported to Dagster as built, as it is in any home after its first build.
"""

import io
import json
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from rich.console import Console

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows
from orchestration.building.build import Builder, RunOutcome, RunPlan
from orchestration.cli.build_command import build_home, forget_course, open_instance
from orchestration.cli.report_command import report
from orchestration.definitions import defs
from orchestration.jobs import INTENT_ASSETS
from orchestration.resources import PipelineSettings, inputs_of
from serving.store.database import Store, sqlite_url

Pairs = Mapping[tuple[str, str], dict[str, Any]]
"""Rows of `qa_pairs` by source and origin."""

STACKS = (
    "Today we talk about the stack.",
    "A stack is a list where items are pushed and popped at one end only.",
    "The last item pushed onto the stack is the first item popped.",
    "A linked list is a chain of nodes where each node points to the next node.",
    "You can build a stack on top of a linked list.",
    "To understand the call stack you first need to understand the stack.",
    "The call stack is a stack that holds one frame for every running function.",
    "Each frame of the call stack remembers where the function must return to.",
    "When recursion never ends, the call stack overflows.",
    "A linked list needs one pointer for every node.",
)
TREES = (
    "In this lecture we meet the binary tree.",
    "A binary tree is a tree where every node has at most two children.",
    "A binary search tree is a binary tree whose keys are in order.",
    "Before the binary search tree you should know the binary tree.",
    "Searching a binary search tree takes time proportional to its height.",
    "A heap is a binary tree where every parent is smaller than its children.",
    "The heap gives us the smallest key at once.",
    "A priority queue is usually built on a heap.",
    "The height of a binary tree matters more than anything else here.",
    "Deleting from a binary search tree has three cases.",
)
SORTING = (
    "This week is about sorting.",
    "Merge sort is a sorting algorithm that splits the array and merges the halves.",
    "Quicksort is a sorting algorithm that chooses a pivot and partitions the array.",
    "To analyse merge sort we need recursion.",
    "The pivot of quicksort should be chosen at random.",
    "In the worst case quicksort takes quadratic time.",
    "Merge sort always takes time proportional to n log n.",
    "Insertion sort is a sorting algorithm for small arrays.",
    "A stable sorting algorithm keeps equal keys in order.",
    "Merge sort is a stable sorting algorithm and quicksort is not.",
)
FAQ = (
    "id,question,answer\n"
    "due,When is the homework due?,On Sunday at noon.\n"
    "late,May I hand in late?,Two days late is fine.\n"
    "help,Where do I get help?,In the forum.\n"
)
CLASSES = """<h1>Computing</h1>
<h3>COMP 1100 Loops (3)</h3><p>Loops and functions, again and again.</p>
<h3>COMP 1200 Trees (3)</h3><p>Trees and their leaves, in spring.</p>"""
PROGRAM = """<h1>Data Ethics Certificate</h1>
<p><a href="#top">Overview</a> | <a href="#needed">Requirements</a></p>
<h2 id="top">Overview</h2><p>A certificate for people who decide what is done with the data of others.</p>
<h2 id="needed">Requirements</h2><p>One class in philosophy and a written case study of 6,000 words.</p>"""
EXAMS = "# Exams\n\n## How are exams graded?\n\nOut of ten\npoints.\n\n## Language\n\nExams are held in English.\n"
UNNAMED_FAQ = "question,answer\nMay I use a calculator?,A plain one.\nWhere is the exam?,In the great hall.\n"
"""A FAQ whose entries have no ids."""
REGULATION = "5.1 Resits\n\nA resit takes place in {month}.\n\n5.2 Appeals\n\nAn appeal is sent to the board.\n"


def srt(sentences: Sequence[str], *, times_around: int = 3) -> str:
    """A lecture that says its sentences `times_around` times, two seconds each."""
    blocks = []
    for number, sentence in enumerate([*sentences] * times_around):
        start, end = (f"00:{second // 60:02d}:{second % 60:02d},000" for second in (2 * number, 2 * number + 2))
        blocks.append(f"{number + 1}\n{start} --> {end}\n{sentence}\n")
    return "\n".join(blocks)


def write_course(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def write_two_courses(folder: Path) -> None:
    """`structures` with two videos and a FAQ, `sorting` with one video and a FAQ."""
    write_course(
        folder / "structures",
        {
            "course.yaml": "title: Data Structures\nlang: en\ndomains: [computer science]\n",
            "subtitles/01 - Stacks.srt": srt(STACKS),
            "subtitles/02 - Trees.srt": srt(TREES),
            "faq.csv": FAQ,
        },
    )
    write_course(folder / "sorting", {"01 - Sorting.srt": srt(SORTING), "faq.csv": FAQ})


REVIEWS = "class,review,date\nCOMP 1200,Easy if you start early.,2025-12\nCOMP 1200,Easy if you start early.,\n,lost,\n"


def write_every_source(folder: Path) -> None:
    """`structures` with every kind of source, `sorting` with a FAQ without ids and two documents."""
    snippet = {
        "headline": "The skip list",
        "text": "A skip list is a list with lanes.",
        "url": "https://x.example/skip",
    }
    skipped = {"headline": "No words", "text": "", "url": "https://x.example/none"}
    paper = {
        "kind": "paper",
        "id": "W1",
        "question": "Skip lists",
        "answer": "By Ada Quill, 1990.",
        "url": "https://x.example/W1",
    }
    scholar = {"kind": "scholar", "id": "A7", "question": "Who is Ada Quill?", "answer": "A researcher.", "url": None}
    write_course(
        folder / "structures",
        {
            "course.yaml": "title: Data Structures\nlang: en\nsubject: computer science\n",
            "subtitles/01 - Stacks.srt": srt(STACKS),
            "faq.csv": FAQ + "graded,How are exams graded?,Out of ten points.\n",
            "documents/exams.md": EXAMS,
            "snippets.jsonl": replies(("skip list", [snippet, skipped]), ("lanes", [snippet])),
            "scholar.jsonl": replies(("skip list", [paper, scholar]), ("lanes", [paper])),
            "catalog/comp.html": CLASSES,
            "catalog/ethics.html": PROGRAM,
            "informal_reviews.csv": REVIEWS,
        },
    )
    write_course(
        folder / "sorting",
        {
            "faq.csv": UNNAMED_FAQ,
            "documents/regulation.txt": REGULATION.format(month="August"),
            "documents/parking.md": "# Parking\n\n## Bicycles\n\nBicycles stand behind the boathouse.\n",
        },
    )


def replies(*answered: tuple[str, Sequence[object]]) -> str:
    """The lines of recorded replies, `(query, results)` each."""
    return "".join(json.dumps({"query": query, "results": results}) + "\n" for query, results in answered)


@dataclass(frozen=True)
class Place:
    """A home and the courses it is built from."""

    root: Path

    @property
    def courses(self) -> Path:
        return self.root / "courses"

    @property
    def data_dir(self) -> DataDir:
        return DataDir(self.root / "home")

    def build(self, *, dry_run: bool = False, verify: bool = False) -> tuple[int, str]:
        """Build as `coteach build` does: the exit code, and what was printed with every run of spaces made one."""
        with self._environment():
            self._have_an_intent_model()
            printed = io.StringIO()
            code = build_home(Console(file=printed, width=200), only=[], dry_run=dry_run, verify=verify)
        return code, " ".join(printed.getvalue().split())

    def report(self, out: Path) -> tuple[int, str]:
        """Evaluate as `coteach report --no-model` does: the exit code and what was printed."""
        with self._environment():
            self._have_an_intent_model()
            printed = io.StringIO()
            code = report(Console(file=printed, width=200), out=out, with_model=False)
        return code, " ".join(printed.getvalue().split())

    def outcomes(self) -> list[RunOutcome]:
        """Build, and tell of every run that it took."""
        with self.builder() as builder:
            return [builder.run(plan) for plan in builder.plans(builder.prepare())]

    def plans(self) -> list[RunPlan]:
        """What a build would run first, given what is there."""
        with self.builder() as builder:
            return list(builder.plans(builder.prepare()))

    def make(self, course: str, *assets: str) -> RunOutcome:
        """Make these assets of a course and nothing else, whether or not they are stale."""
        with self.builder() as builder:
            builder.prepare()
            return builder.run(RunPlan("course_build", course, tuple(dg.AssetKey(name) for name in assets), {}))

    def forget(self, course: str) -> tuple[int, str]:
        """Forget a course as `coteach forget` does: the exit code and what was printed."""
        with self._environment():
            printed = io.StringIO()
            code = forget_course(Console(file=printed, width=200), course)
        return code, " ".join(printed.getvalue().split())

    @contextmanager
    def builder(self) -> Iterator[Builder]:
        with self._environment():
            self._have_an_intent_model()
            with open_instance(PipelineSettings()) as instance:
                yield Builder(defs(), instance, inputs_of(PipelineSettings()), self.data_dir)

    @contextmanager
    def instance(self) -> Iterator[dg.DagsterInstance]:
        """The event log, as Dagster's pages read it."""
        with self._environment(), open_instance(PipelineSettings()) as instance:
            yield instance

    def pairs(self, course: str | None = None) -> Pairs:
        """The QA pairs by source and origin, of one course or of all (then origins must not be shared)."""
        rows = read_rows(self.data_dir.qa_pairs)
        return {(row["source"], row["origin_id"]): row for row in rows if course in (None, row["course_id"])}

    def tables(self) -> dict[str, str]:
        """The digest of every Parquet file below the home, by path."""
        root = self.data_dir.root
        return {str(path.relative_to(root)): digest(path) for path in sorted(root.rglob("*.parquet"))}

    def check(self, asset: str, name: str, course: str) -> dg.AssetCheckEvaluation:
        """The newest result of a check in a run for a course."""
        with self.instance() as instance:
            runs = instance.get_run_records(dg.RunsFilter(tags={"dagster/partition": course}))
            events = [
                record.event_log_entry.dagster_event
                for run in runs
                for record in instance.get_records_for_run(run.dagster_run.run_id).records
            ]
        return next(
            event.asset_check_evaluation_data
            for event in events
            if event is not None
            and event.event_type == dg.DagsterEventType.ASSET_CHECK_EVALUATION
            and event.asset_check_evaluation_data.asset_check_key == dg.AssetCheckKey(dg.AssetKey(asset), name)
        )

    def metadata(self, asset: str, course: str | None) -> Mapping[str, dg.MetadataValue]:
        """The metadata of an asset's newest materialization."""
        wanted = dg.AssetRecordsFilter(dg.AssetKey(asset), asset_partitions=[course] if course else None)
        with self.instance() as instance:
            materialization = instance.fetch_materializations(wanted, limit=1).records[0].asset_materialization
        assert materialization is not None
        return materialization.metadata

    @contextmanager
    def store(self) -> Iterator[Store]:
        """The store of the home, made when there is none."""
        self.data_dir.root.mkdir(parents=True, exist_ok=True)
        store = Store.open(sqlite_url(self.data_dir.store))
        try:
            yield store
        finally:
            store.close()

    @contextmanager
    def _environment(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            # A warning is an error in these tests, and inside a run it would fail a step of dbt or Great Expectations
            # for what these libraries do among themselves.
            warnings.simplefilter("ignore")
            patch.setenv("COTEACH_HOME", str(self.data_dir.root))
            patch.setenv("COTEACH_COURSES", str(self.courses))
            patch.setenv("DAGSTER_HOME", os.environ.get("DAGSTER_HOME", ""))
            # Exporting the embedding model takes longer than these courses do.
            patch.setenv("COTEACH_EMBED_LIMIT", os.environ.get("COTEACH_EMBED_LIMIT", "0"))
            # The intent model follows the embedder, and takes longer still.
            patch.setenv("COTEACH_INTENT_TRAINING", os.environ.get("COTEACH_INTENT_TRAINING", "false"))
            yield

    def _have_an_intent_model(self) -> None:
        """Report the intent model as built from today's labels, unless it was before."""
        with open_instance(PipelineSettings()) as instance:
            known = [dg.AssetKey(name) for name in INTENT_ASSETS]
            if all(instance.get_latest_materialization_event(key) for key in known):
                return
            Builder(defs(), instance, inputs_of(PipelineSettings()), self.data_dir).prepare()
            code = {spec.key: spec.code_version or "" for spec in defs().resolve_all_asset_specs()}
            for name in INTENT_ASSETS:
                if instance.get_latest_materialization_event(dg.AssetKey(name)) is None:
                    tags = {"dagster/code_version": code[dg.AssetKey(name)], "dagster/data_version": "earlier"}
                    instance.report_runless_asset_event(dg.AssetMaterialization(name, tags=tags))
