"""Two tiny courses, as rows of the lake: `ds` in English and `sjjg` in Chinese. Small enough to be read whole."""

import atexit
import json
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from knowledge_graph.lake import schemas
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Locator
from knowledge_graph.lake.schemas import PASSAGES as PASSAGES_SCHEMA
from knowledge_graph.lake.schemas import QA_PAIRS
from knowledge_graph.lake.tables import write_table
from serving.index.build import build_index
from serving.index.schema import Entry
from serving.index.search import SearchIndex
from serving.index.tables import Tables

Row = dict[str, Any]

NOWHERE: Row = {
    "url": None,
    "video_id": None,
    "video_title": None,
    "start_ms": None,
    "end_ms": None,
    "document": None,
    "page": None,
    "article": None,
}
AT_STACKS: Row = {**NOWHERE, "video_id": "02 stacks", "video_title": "Stacks and queues", "start_ms": 192_000}
AT_QUEUES: Row = {**NOWHERE, "video_id": "02 stacks", "video_title": "Stacks and queues", "start_ms": 400_000}
AT_ARTICLE: Row = {**NOWHERE, "document": "documents/regulations.pdf", "page": 3, "article": "5.1.1"}

STACK = "A stack is a list where the last element added is the first removed."
QUEUE = "A queue is a list where the first element added is the first removed."
LIST = "A list is a sequence of elements."

COURSES: list[Row] = [
    {
        "course_id": "ds",
        "title": "Data structures",
        "lang": "en",
        "subject": "computing",
        "domains": ["computer science"],
        "policy": None,
        "support": None,
        "instructors": [],
        "shares_with": None,
        "is_platform": False,
    },
    {
        "course_id": "sjjg",
        "title": "数据结构",
        "lang": "zh",
        "subject": "计算机",
        "domains": ["计算机科学"],
        "policy": None,
        "support": None,
        "instructors": [],
        "shares_with": None,
        "is_platform": False,
    },
]


SAID_OF_STACKS: Row = {
    "course_id": "ds",
    "span": {
        **{name: None for name in ("document", "page", "article")},
        "video_id": "02 stacks",
        "start_ms": 192_000,
        "end_ms": 199_000,
        "text": STACK,
    },
}


def concept(key: str, name: str, definition: str | None, **more: Any) -> Row:
    row = {
        "concept_id": key,
        "name": name,
        "aliases": [],
        "lang": key[:2],
        "score": 0.9,
        "definition": definition,
        "definition_kind": "subtitle" if definition else "none",
        "definition_locator": None,
        "definition_course_id": "sjjg" if key.startswith("zh") else "ds",
        "domains": ["计算机科学"] if key.startswith("zh") else ["computer science"],
        "course_ids": ["sjjg"] if key.startswith("zh") else ["ds"],
        "mention_count": 1,
        "evidence": [],
    }
    return {**row, **more}


CONCEPTS: list[Row] = [
    concept("en:stack", "stack", STACK, aliases=["LIFO list"], definition_locator=AT_STACKS, evidence=[SAID_OF_STACKS]),
    concept("en:queue", "queue", QUEUE, definition_locator=AT_QUEUES),
    concept("en:list", "list", LIST),
    concept("zh:栈", "栈", "栈是只允许在一端插入和删除的线性表。"),
    concept("zh:线性表", "线性表", "线性表是元素的有限序列。"),
]


def edge(before: str, after: str) -> Row:
    return {"prerequisite_id": before, "concept_id": after, "probability": 0.9, "course_ids": ["ds"], "evidence": []}


PREREQUISITES: list[Row] = [
    edge("en:list", "en:stack"),
    edge("zh:线性表", "zh:栈"),
]


def pair(qa_id: str, source: str, question: str, answer: str, **more: Any) -> Row:
    row = {
        "qa_id": qa_id,
        "source": source,
        "course_id": "ds",
        "lang": "en",
        "subject": "computing",
        "domains": ["computer science"],
        "mode": None,
        "section": None,
        "question": question,
        "answer": answer,
        "explanation": None,
        "explanation_kind": None,
        "locator": None,
        "origin_id": qa_id,
        "also_from": [],
        "reviewer": None,
        "content_hash": f"hash of {qa_id}",
        "updated_at": None,
    }
    return {**row, **more}


QA: list[Row] = [
    pair("c1", "concept", "stack", STACK, origin_id="en:stack", locator=AT_STACKS),
    pair("c2", "concept", "queue", QUEUE, origin_id="en:queue", locator=AT_QUEUES),
    pair("c3", "concept", "list", LIST, origin_id="en:list"),
    pair("f1", "faq", "When is the deadline of homework 3?", "Sunday at 23:59.", reviewer="Ada", origin_id="faq#1"),
    pair("f2", "faq", "Where do I hand in homework?", "On the course page, under Tasks.", origin_id="faq#2"),
    pair("f3", "faq", "How is the final grade made up?", "Homework 40 %, exam 60 %.", origin_id="faq#3"),
    pair("d1", "document", "Late submission", "Each day late costs ten percent.", locator=AT_ARTICLE),
    pair(
        "s1", "search", "Stack in real life", "Plates on a pile.", locator={**NOWHERE, "url": "https://example.org/s"}
    ),
    pair(
        "z1",
        "concept",
        "栈",
        "栈是只允许在一端插入和删除的线性表。",
        course_id="sjjg",
        lang="zh",
        domains=["计算机科学"],
        origin_id="zh:栈",
    ),
    pair("z2", "faq", "作业什么时候截止？", "每周日晚上。", course_id="sjjg", lang="zh", origin_id="faq#1"),
]


def passage(key: str, title: str, text: str, locator: Row, **more: Any) -> Row:
    row = {
        "passage_id": key,
        "course_id": "ds",
        "source": "subtitle",
        "title": title,
        "text": text,
        "subject": "computing",
        "mode": None,
        "lang": "en",
        "locator": locator,
        "content_hash": f"hash of {key}",
    }
    return {**row, **more}


PASSAGES: list[Row] = [
    passage("p1", "Stacks and queues", "you push a plate on the stack and pop the plate from the stack", AT_STACKS),
    passage("p2", "Stacks and queues", "the queue at the bakery serves whoever came first", AT_QUEUES),
    passage("p3", "Regulations", "Late submission costs ten percent per day.", AT_ARTICLE, source="document"),
    passage(
        "p4", "栈和队列", "栈就像一摞盘子", {**NOWHERE, "video_id": "02", "start_ms": 5000}, course_id="sjjg", lang="zh"
    ),
]

CUES: list[Row] = [
    {
        "course_id": "ds",
        "video_id": "02 stacks",
        "video_title": "Stacks and queues",
        "video_index": 1,
        "cue_index": place,
        "start_ms": 190_000 + 4000 * place,
        "end_ms": 194_000 + 4000 * place,
        "text": text,
        "lang": "en",
    }
    for place, text in enumerate(["a stack is <b>last in</b>", "first out"])
]


def tables(folder: Path, qa: Sequence[Row] = QA, passages: Sequence[Row] = PASSAGES) -> Tables:
    """The rows as the Parquet files an index is made from, in `folder`."""
    paths = folder / "qa_pairs.parquet", folder / "passages.parquet"
    write_table(paths[0], qa, QA_PAIRS)
    write_table(paths[1], passages, PASSAGES_SCHEMA)
    return Tables(paths[0], (paths[1],))


def open_index(folder: Path, qa: Sequence[Row] = QA, passages: Sequence[Row] = PASSAGES) -> SearchIndex:
    """The rows as an index in `folder`: a copy of the one that this process builds of them, which takes a while."""
    shutil.copytree(_built_index(json.dumps([list(qa), list(passages)])), folder / "index")
    return SearchIndex.open(folder / "index")


@cache
def _built_index(of_rows: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="index-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    build_index(tables(folder, *json.loads(of_rows)), folder / "index")
    return folder / "index"


def write_home(folder: Path) -> Path:
    """A home in `folder` with everything a gateway needs but the intent model; its root."""
    data_dir = DataDir(folder / "home")
    listed = (
        (data_dir.graph_concepts, CONCEPTS, schemas.GRAPH_CONCEPTS),
        (data_dir.graph_prerequisites, PREREQUISITES, schemas.GRAPH_PREREQUISITES),
        (data_dir.graph_courses, COURSES, schemas.GRAPH_COURSES),
        (data_dir.table("cues", "ds"), CUES, schemas.CUES),
    )
    for path, rows, schema in listed:
        write_table(path, rows, schema)
    build_index(tables(folder / "tables"), data_dir.index)
    return data_dir.root


def entry(row: Row) -> Entry:
    """A QA pair as the index gives it back."""
    same = ("source", "course_id", "lang", "section", "subject", "mode", "explanation", "origin_id", "reviewer")
    return Entry(
        entry_id=row["qa_id"],
        kind="qa",
        title=row["question"],
        text=row["answer"],
        domains=tuple(row["domains"]),
        locator=Locator(**row["locator"]) if row["locator"] else None,
        **{name: row[name] for name in same},
    )
