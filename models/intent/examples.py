"""Examples: questions with a category, and a split that leaks nothing. What they teach is elsewhere.

Where they come from: `label_files.py` reads what people labelled, `weak_examples.py` labels the rest by rules.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from knowledge_graph.problems import Problem
from knowledge_graph.records import Lang
from knowledge_graph.sources.bounded_told import BoundedTold
from models.intent.categories import Category
from models.intent.conflicts import agreements, conflicts, tell_conflicts
from models.intent.label_files import LabelRow, read_label_files
from models.intent.question_text import question_key

Split = Literal["train", "valid", "test"]

SHARES: dict[Split, float] = {"train": 0.8, "valid": 0.1, "test": 0.1}

LabelKind = Literal["human", "weak"]

_BIG_GROUP = 0.01
"""Groups above this share of all examples are dealt first, while every split still has room for them."""


@dataclass(frozen=True)
class IntentExample:
    """One labelled question; mirrors `INTENT_EXAMPLES` of the lake, column for column."""

    id: str
    """As in `LabelRow`; that of a FAQ entry is `faq:<course>/<the entry's id>`."""
    question: str
    previous: str
    """The turn before it in the session, or empty."""
    course: str
    session_id: str
    category: Category
    lang: Lang
    split: Split = "train"
    label_kind: LabelKind = "human"
    """`weak`: by rules. Such an example is in no split but train."""
    probability: float = 1.0
    """Of the category, 0..1, as the label models see it; 1 where a person gave it."""
    weight: float = 1.0
    """How much the example counts in training: 1 where a person gave the category, less by rules."""
    agreement: float = 1.0
    """The share, above 0, up to 1, of the rows with this question text that people gave this category."""


def read_intent_examples(folder: Path) -> tuple[tuple[IntentExample, ...], tuple[Problem, ...]]:
    """The labelled rows of `<folder>/intents/*.csv` (see `read_label_files`), and what was wrong with the others.

    Where one question text carries different categories all its rows are kept, and the conflict is a problem.
    """
    told = BoundedTold()
    rows = read_label_files(folder, told).rows
    tell_conflicts(conflicts(rows), told)
    return labelled_examples(rows), tuple(told.problems)


def labelled_examples(rows: Sequence[LabelRow]) -> tuple[IntentExample, ...]:
    """An example, of no split yet, for each row that has a category, in their order."""
    shares = agreements(rows)
    return tuple(
        IntentExample(
            id=row.id,
            question=row.question,
            previous=row.previous,
            course=row.course,
            session_id=row.session_id,
            category=row.category,
            lang=row.lang,
            agreement=shares[row.id],
        )
        for row in rows
        if row.category is not None
    )


def split(examples: Sequence[IntentExample], *, seed: int) -> tuple[IntentExample, ...]:
    """The same examples, in the same order, each with its split: about 80 % train, 10 % valid, 10 % test.

    No session and no question text spans two splits: examples that share either, directly or through others, stay
    together. Groups are dealt in the order of a seeded hash, each to the split that most lacks what it holds.
    """
    keys = [question_key(example.question) for example in examples]
    counts = Counter(example.category for example in examples)
    seen: dict[Split, Counter[Category]] = {name: Counter() for name in SHARES}
    placed: dict[int, Split] = {}
    for group in sorted(_groups(examples, keys), key=lambda group: _deal_key(group, keys, seed)):
        held = Counter(examples[number].category for number in group)
        needs = {name: _need(held, seen[name], counts, SHARES[name]) for name in SHARES}
        into = max(SHARES, key=lambda name: (needs[name], SHARES[name]))
        seen[into] += held
        placed |= dict.fromkeys(group, into)
    return tuple(replace(example, split=placed[number]) for number, example in enumerate(examples))


def _groups(examples: Sequence[IntentExample], keys: Sequence[str]) -> list[list[int]]:
    """Union-find over sessions and question texts."""
    parent = list(range(len(examples)))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    first: dict[tuple[str, str], int] = {}
    for number, example in enumerate(examples):
        shared = [("question", keys[number])]
        shared += [("session", example.session_id)] if example.session_id else []
        for key in shared:
            parent[root(number)] = root(first.setdefault(key, number))
    groups: dict[int, list[int]] = defaultdict(list)
    for number in range(len(examples)):
        groups[root(number)].append(number)
    return list(groups.values())


def _deal_key(group: list[int], keys: Sequence[str], seed: int) -> tuple[int, str]:
    text = min(keys[number] for number in group)
    size = len(group) if len(group) > _BIG_GROUP * len(keys) else 0
    return -size, hashlib.sha256(f"{seed}\0{text}".encode()).hexdigest()


def _need(held: Counter[Category], seen: Counter[Category], counts: Counter[Category], share: float) -> float:
    """How far a split is from its share of the categories that a group holds, weighted by how many it holds."""
    return round(sum(n * (1 - seen[category] / (share * counts[category])) for category, n in held.items()), 9)
