"""Some hundred entries in English and Chinese from a seed, and edits to them: for tests of the index as a whole."""

import hashlib
import random
from collections.abc import Sequence

import course_rows as rows

ENGLISH = (
    "stack queue list tree graph node edge heap sort search binary linked array pointer deadline homework exam grade "
    "submit late course project team certificate docker container install windows error running the a of how when"
).split()
CHINESE = "栈 队列 线性表 二叉树 图 结点 排序 查找 作业 考试 成绩 截止 提交 课程 数据结构 什么 怎么 的 是".split()
SOURCES = ("faq", "faq", "concept", "document", "search")


def hashed(row: rows.Row) -> rows.Row:
    """The row with the hash of its own text, as the pipeline writes it."""
    text = "\n".join(row[name] for name in ("question", "answer", "title", "text") if name in row)
    return {**row, "content_hash": hashlib.sha256(text.encode()).hexdigest()}


def written(chance: random.Random, most: int) -> tuple[str, str]:
    """A text of 1 to `most` words and its language; one in ten Chinese texts holds English too."""
    count = chance.randint(1, most)
    if chance.random() < 0.7:
        return " ".join(chance.choices(ENGLISH, k=count)), "en"
    mixed = CHINESE + (ENGLISH if chance.random() < 0.1 else [])
    return "，".join(chance.choices(mixed, k=count)), "zh"


def qa_row(chance: random.Random, number: int) -> rows.Row:
    question, lang = written(chance, 8)
    answer, _ = written(chance, 30)
    more = {"section": written(chance, 3)[0] if chance.random() < 0.3 else None, "lang": lang}
    course = "ds" if lang == "en" else "sjjg"
    return hashed(rows.pair(f"q{number:04}", chance.choice(SOURCES), question, answer, course_id=course, **more))


def passage_row(chance: random.Random, number: int) -> rows.Row:
    title, _ = written(chance, 4)
    text, lang = written(chance, 60)
    course = "ds" if lang == "en" else "sjjg"
    return hashed(rows.passage(f"p{number:04}", title, text, rows.NOWHERE, lang=lang, course_id=course))


def collection(seed: int, qa: int, passages: int) -> tuple[list[rows.Row], list[rows.Row]]:
    """QA pairs and passages; the same for the same seed."""
    chance = random.Random(seed)
    return [qa_row(chance, n) for n in range(qa)], [passage_row(chance, n) for n in range(passages)]


def edited(chance: random.Random, table: Sequence[rows.Row], most: int) -> tuple[list[rows.Row], tuple[int, int, int]]:
    """The rows with at most `most` added, changed and removed, shuffled; and how many of each."""
    key = "qa_id" if table and "qa_id" in table[0] else "passage_id"
    make = qa_row if key == "qa_id" else passage_row
    touched = chance.sample(range(len(table)), min(len(table), chance.randint(0, most)))
    cut = chance.randint(0, len(touched))
    changed, removed = set(touched[:cut]), set(touched[cut:])
    first = 1 + max((int(row[key][1:]) for row in table), default=0)
    added = [make(chance, first + number) for number in range(chance.randint(0, most))]
    kept = [
        {**make(chance, 0), key: row[key], "source": row["source"]} if place in changed else row
        for place, row in enumerate(table)
        if place not in removed
    ]
    chance.shuffle(kept)
    return [*added, *kept], (len(added), len(changed), len(removed))
