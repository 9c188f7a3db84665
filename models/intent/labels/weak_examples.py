"""Examples from questions that nobody labelled: chosen so that nothing leaks, labelled by rules, counted for less.

Belongs here: which unlabelled questions may be used, and how far the rules agree with people. What the rules are is in
`weak_functions.py`, what they say together in `weak_labels.py`.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from knowledge_graph.labelling.analysis import FunctionReport
from models.intent.labels.categories import CHAT
from models.intent.labels.examples import IntentExample, Split
from models.intent.labels.files import LabelRow
from models.intent.labels.question_text import question_key
from models.intent.labels.weak_functions import Asks, QuestionContext, make_context
from models.intent.labels.weak_labels import WeakLabel, WeakLabeller

WEIGHT = 0.3
"""What a weak example with probability 1 counts beside one that a person labelled. Chosen among 0.1, 0.3 and 1 by the
six-way macro-F1 of the linear baseline when 5, 10 or 30 % of the public Chinese labels of its train split are kept."""

MOST = 20_000
"""A choice: unlabelled questions that are looked at, by a seeded hash. It bounds the time of a training."""

_MOST_KNOWN = 5_000
"""A choice: labelled questions that the label models learn from, and those that they are measured on."""

NamesConcept = Callable[[str], bool]

T = TypeVar("T", IntentExample, LabelRow)


@dataclass(frozen=True)
class LabelAgreement:
    """How far weak labels agree with people on questions that the label models did not see with a label.

    All but `questions` lie between 0 and 1 and are None where there is nothing to divide by.
    """

    questions: int
    coverage: float | None
    """Share of the questions that get a weak label; what follows is of these."""
    chat_accuracy: float | None
    chat_f1: float | None
    category_accuracy: float | None


@dataclass(frozen=True)
class WeakExamples:
    """The examples, all in train, in the order of their ids, and how they came about."""

    examples: tuple[IntentExample, ...]
    questions: int
    """Unlabelled questions that were looked at."""
    left_out: int
    """Others: asked in a held-out example or its session, labelled by a person already, said twice, or above `MOST`."""
    agreement: LabelAgreement
    """On the validation questions."""
    reports: dict[Asks, tuple[FunctionReport, ...]]


def weak_examples(
    human: Sequence[IntentExample],
    unlabelled: Sequence[LabelRow],
    *,
    faq: Iterable[str] = (),
    names_concept: NamesConcept,
    seed: int,
) -> WeakExamples:
    """Label `unlabelled` by rules. `human` are the examples of people with their splits.

    Labels of the train split teach the label models; those of the validation split measure them. `faq` are the
    questions of the courses' FAQs; `names_concept` says whether the graph knows something that a text names.
    """
    frequent = {question_key(question) for question in faq}

    def ask(question: str) -> QuestionContext:
        return make_context(question, names_concept=names_concept(question), in_faq=question_key(question) in frequent)

    chosen = usable(human, unlabelled, seed=seed)
    known = _first([example for example in human if example.split == "train"], _MOST_KNOWN, seed)
    candidates = [ask(row.question) for row in chosen]
    fitted = WeakLabeller.fit(
        [*(ask(example.question) for example in known), *candidates], known=[example.category for example in known]
    )
    valid = _first([example for example in human if example.split == "valid"], _MOST_KNOWN, seed)
    labels = zip(chosen, fitted.label(candidates), strict=True)
    return WeakExamples(
        examples=tuple(_example(row, label) for row, label in labels if label is not None),
        questions=len(chosen),
        left_out=len(unlabelled) - len(chosen),
        agreement=agreement(valid, fitted.label([ask(example.question) for example in valid])),
        reports=dict(fitted.reports),
    )


def usable(human: Sequence[IntentExample], unlabelled: Iterable[LabelRow], *, seed: int) -> list[LabelRow]:
    """The unlabelled questions that may teach, by id: one for each text, no text that a person labelled, and nothing of
    a session, or after a question, that is held out."""
    held_out: set[Split] = {"valid", "test"}
    labelled = {question_key(example.question) for example in human}
    texts = {question_key(example.question) for example in human if example.split in held_out}
    sessions = {example.session_id for example in human if example.split in held_out} - {""}
    found: dict[str, LabelRow] = {}
    for row in unlabelled:
        key = question_key(row.question)
        if key not in labelled and row.session_id not in sessions and question_key(row.previous) not in texts:
            found.setdefault(key, row)
    return sorted(_first(list(found.values()), MOST, seed), key=lambda row: row.id)


def agreement(human: Sequence[IntentExample], labels: Sequence[WeakLabel | None]) -> LabelAgreement:
    """How far `labels` agree with the categories of `human`, one for one."""
    pairs = [(one.category, label.category) for one, label in zip(human, labels, strict=True) if label is not None]
    chat = [(a in CHAT, b in CHAT) for a, b in pairs]
    both, either = chat.count((True, True)), sum(a + b for a, b in chat)
    return LabelAgreement(
        questions=len(human),
        coverage=_share(len(pairs), len(human)),
        chat_accuracy=_share(sum(a == b for a, b in chat), len(chat)),
        chat_f1=_share(2 * both, either),
        category_accuracy=_share(sum(a == b for a, b in pairs), len(pairs)),
    )


def _example(row: LabelRow, label: WeakLabel) -> IntentExample:
    return IntentExample(
        id=row.id,
        question=row.question,
        previous=row.previous,
        course=row.course,
        session_id=row.session_id,
        category=label.category,
        lang=row.lang,
        split="train",
        label_kind="weak",
        probability=label.probability,
        weight=WEIGHT * label.probability,
        agreement=1.0,
    )


def _first(rows: list[T], most: int, seed: int) -> list[T]:
    """At most `most` of them, drawn by a seeded hash of their ids."""
    if len(rows) <= most:
        return rows
    return sorted(rows, key=lambda row: hashlib.sha256(f"{seed}\0{row.id}".encode()).hexdigest())[:most]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
