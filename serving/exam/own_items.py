"""`own_items`: what a teacher adds to a course's exam, `gold/exam.jsonl`, one item a line."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast, get_args

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import Lang
from serving.exam.item import ExamItem, ItemKind
from serving.exam.items import item_id
from serving.index.evidence import Evidence
from serving.llm.messages import Message

FILE = "gold/exam.jsonl"


def own_items(folder: Path, course_id: str, lang: Lang) -> tuple[list[ExamItem], list[Problem]]:
    """The items of a course folder, and the lines that cannot be used; none of either without the file."""
    path = folder / FILE
    if not path.is_file():
        return [], []
    items, problems = list[ExamItem](), list[Problem]()
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            items.append(_item(json.loads(line), course_id, lang))
        except (KeyError, TypeError, ValueError) as error:
            problems.append(
                Problem(
                    FILE,
                    number,
                    f"Expected an exam item with kind, question and evidence; found {error!r}.",
                    "Mend the line; the others are used.",
                )
            )
    return items, problems


def _item(row: Mapping[str, Any], course_id: str, lang: Lang) -> ExamItem:
    kind = row["kind"]
    if kind not in get_args(ItemKind):
        raise ValueError(f"kind {kind!r} is none of {', '.join(get_args(ItemKind))}")
    texts = [str(text) for text in row["evidence"]]
    question = str(row["question"])
    own = item_id(course_id, kind, question)
    return ExamItem(
        item_id=own,
        course_id=course_id,
        lang=row.get("lang", lang),
        kind=cast("ItemKind", kind),
        question=question,
        evidence=tuple(
            Evidence(number, f"{own}-{number}", "document", course_id, str(row.get("title", "")), text)
            for number, text in enumerate(texts, 1)
        ),
        subjects=tuple(row.get("subjects") or ()),
        must_say=tuple(tuple([group] if isinstance(group, str) else group) for group in row.get("must_say") or ()),
        must_not_say=tuple(row.get("must_not_say") or ()),
        is_answerable=bool(row.get("answerable", True)),
        history=tuple(
            Message("user" if place % 2 == 0 else "assistant", str(text))
            for place, text in enumerate(row.get("history") or ())
        ),
    )
