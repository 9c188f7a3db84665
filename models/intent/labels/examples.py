"""Examples: questions with a category, and a split that leaks nothing. What they teach is elsewhere.

Where they come from: `label_files.py` reads what people labelled, `weak_examples.py` labels the rest by rules.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.bounded_report import BoundedTold
from models.intent.labels.categories import Category
from models.intent.labels.conflicts import agreements, conflicts, tell_conflicts
from models.intent.labels.files import LabelRow, read_label_files
from models.intent.labels.question_text import question_key

Split = Literal["train", "valid", "test"]

SHARES: dict[Split, float] = {"train": 0.8, "valid": 0.1, "test": 0.1}

LabelKind = Literal["human", "weak"]


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
    return make_labelled_examples(rows), tuple(told.problems)


def make_labelled_examples(rows: Sequence[LabelRow]) -> tuple[IntentExample, ...]:
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

    A session is dealt by a keyed hash of its id, a question without one by its text, whatever else is labelled: labels
    that are added or deleted move no other example, and the test questions of today are among those of tomorrow.
    A text that was asked in sessions of two splits has a label in both; `without_leaks` leaves one of them.
    """
    return tuple(replace(example, split=_side(example, seed)) for example in examples)


def without_leaks(examples: Sequence[IntentExample]) -> tuple[IntentExample, ...]:
    """Those that may be used: no question text stands in two splits.

    Where one does, the test questions keep theirs, and the validation questions before the training questions: what is
    asked of a model never depends on what it may learn.
    """
    held: dict[Split, set[str]] = {name: set() for name in SHARES}
    for example in examples:
        held[example.split].add(question_key(example.question))
    barred = {"test": set[str](), "valid": held["test"], "train": held["test"] | held["valid"]}
    return tuple(one for one in examples if question_key(one.question) not in barred[one.split])


def _side(example: IntentExample, seed: int) -> Split:
    group = f"session\0{example.session_id}" if example.session_id else f"text\0{question_key(example.question)}"
    dealt = int.from_bytes(hashlib.sha256(f"{seed}\0{group}".encode()).digest()[:8]) / 2**64
    if dealt < SHARES["test"]:
        return "test"
    return "valid" if dealt < SHARES["test"] + SHARES["valid"] else "train"
