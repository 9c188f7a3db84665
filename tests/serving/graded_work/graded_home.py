"""A home with graded work: two items in English and one in Chinese, and material in which each of them is solved."""

from pathlib import Path
from typing import Any

import course_rows as rows

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Allowed, GradedItem, to_row
from serving.index.build import build_index

QUEUE = "Implement a queue with two stacks and prove that each operation takes amortized O(1) time."
BRACKETS = "Write a program that decides with a stack whether a string of brackets is balanced, and give three tests."
QUEUE_ZH = "用两个栈实现一个队列，写出入队和出队的代码，并证明每个操作的均摊时间是常数。"

SOLUTION = "Push onto the inbox, and pour it into the outbox when the outbox is empty."
SOLUTION_BRACKETS = "Push each opening bracket; every closing one must match the bracket that is popped."
SOLUTION_ZH = "入队时压进收件栈，出队时若发件栈为空就把收件栈倒进去。"

PROTECTED = ("inbox", "outbox", "opening bracket", "that is popped", "收件栈", "发件栈")
"""Words of the solutions, which stand nowhere else."""

AT_TWO_STACKS: rows.Row = {**rows.AT_STACKS, "start_ms": 800_000}
AT_TWO_STACKS_ZH: rows.Row = {**rows.NOWHERE, "video_id": "02", "video_title": "栈和队列", "start_ms": 900_000}

SOLVED: list[rows.Row] = [
    rows.pair("g1", "faq", "How do I implement a queue with two stacks?", SOLUTION, origin_id="faq#11"),
    rows.pair("g2", "faq", "How does a stack decide whether brackets are balanced?", SOLUTION_BRACKETS, origin_id="x"),
    rows.pair("g3", "faq", "怎样用两个栈实现一个队列？", SOLUTION_ZH, course_id="sjjg", lang="zh", origin_id="faq#13"),
]
TAUGHT: list[rows.Row] = [
    rows.passage("g4", "Stacks and queues", f"a queue with two stacks: {SOLUTION}", AT_TWO_STACKS),
    rows.passage(
        "g5", "栈和队列", f"用两个栈实现一个队列：{SOLUTION_ZH}", AT_TWO_STACKS_ZH, course_id="sjjg", lang="zh"
    ),
]


def item(text: str = QUEUE, allows: Allowed = "hints", **more: Any) -> GradedItem:
    """An item of `ds`, or of what `more` says."""
    facts: dict[str, Any] = {
        "course_id": "ds",
        "assessment": "Assignment 3",
        "number": 1,
        "text": text,
        "lang": "en",
        "allows": allows,
        "opens": None,
        "closes": None,
    }
    return GradedItem(**facts | more)


def items_of(allows: Allowed, **more: Any) -> list[GradedItem]:
    """The three items under one rule."""
    return [
        item(QUEUE, allows, **more),
        item(BRACKETS, allows, number=2, **more),
        item(QUEUE_ZH, allows, course_id="sjjg", assessment="作业三", lang="zh", **more),
    ]


def rule(home: Path, items: list[GradedItem]) -> None:
    """Put the items into a home, in the place of those that were there."""
    data_dir = DataDir(home)
    for course_id in ("ds", "sjjg"):
        own = [to_row(one) for one in items if one.course_id == course_id]
        tables.write_table(data_dir.table("graded_items", course_id), own, schemas.GRADED_ITEMS)


def write_graded_home(folder: Path) -> Path:
    """A home whose FAQ and lectures solve the items; nothing is ruled in it yet."""
    home = rows.write_home(folder)
    solved = rows.tables(folder / "solved", qa=[*rows.QA, *SOLVED], passages=[*rows.PASSAGES, *TAUGHT])
    build_index(solved, DataDir(home).index)
    return home
