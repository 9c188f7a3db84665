"""Labelled questions: reading label files, and a split that leaks nothing. What the labels teach is elsewhere."""

import csv
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from knowledge_graph.problems import Problem
from knowledge_graph.records import Lang
from models.intent.categories import CATEGORIES, Category, category_of

Split = Literal["train", "valid", "test"]

SHARES: dict[Split, float] = {"train": 0.70, "valid": 0.15, "test": 0.15}

_REQUIRED = ("question", "category")
_BIG_GROUP = 0.01
"""Groups above this share of all examples are dealt first, while every split still has room for them."""


@dataclass(frozen=True)
class IntentExample:
    """One labelled question; mirrors `INTENT_EXAMPLES` of the lake, column for column."""

    id: str
    """`<file name without suffix>/<the row's id>`: files need not agree on their numbering."""
    question: str
    previous: str
    """The turn before it in the session, or empty."""
    course: str
    session_id: str
    """Prefixed like `id`; empty when the label file names none."""
    category: Category
    lang: Lang
    split: Split = "train"


def read_intent_examples(folder: Path) -> tuple[tuple[IntentExample, ...], tuple[Problem, ...]]:
    """Every usable row of `<folder>/intents/*.csv`, in file and row order, and what was wrong with the others.

    Columns: id, question, category and optionally session_id, previous, course. A missing `previous` is the question
    before it in the same session. Where one question text carries different categories both rows are kept and named.
    """
    examples: list[IntentExample] = []
    problems: list[Problem] = []
    lines: dict[str, int] = {}
    files = sorted((folder / "intents").glob("*.csv"))
    if not files:
        missing = Problem("intents/*.csv", None, f"No label file in {folder}.", "Add intents/<name>.csv there.")
        return (), (missing,)
    for file in files:
        for line, found in _read_file(file):
            if isinstance(found, Problem):
                problems.append(found)
            elif found.id in lines:
                problems.append(_row_problem(file, line, f"The id is already used in line {lines[found.id]}.", "id"))
            else:
                lines[found.id] = line
                examples.append(found)
    problems += _contradictions(examples, lines)
    return tuple(_with_previous(examples)), tuple(problems)


def question_key(question: str) -> str:
    """What makes two question texts the same: letters and digits only, in lower case."""
    kept = "".join(char for char in question.lower() if char.isalnum())
    return kept or question.strip()


def language_of(text: str) -> Lang:
    """`zh` when at least 3 in 10 letters are Chinese characters, else `en`."""
    letters = [char for char in text if char.isalpha()]
    chinese = sum("\u3400" <= char <= "\u9fff" for char in letters)
    return "zh" if chinese >= 0.3 * max(1, len(letters)) and chinese else "en"


def split(examples: Sequence[IntentExample], *, seed: int) -> tuple[IntentExample, ...]:
    """The same examples, in the same order, each with its split: about 70 % train, 15 % valid, 15 % test.

    No session and no question text spans two splits: examples that share either, directly or through others, stay
    together. Groups are dealt in the order of a seeded hash, each to the split that most lacks what it holds.
    """
    counts = Counter(example.category for example in examples)
    seen: dict[Split, Counter[Category]] = {name: Counter() for name in SHARES}
    placed: dict[int, Split] = {}
    for group in sorted(_groups(examples), key=lambda group: _deal_key(group, examples, seed)):
        held = Counter(examples[number].category for number in group)
        needs = {name: _need(held, seen[name], counts, SHARES[name]) for name in SHARES}
        into = max(SHARES, key=lambda name: (needs[name], SHARES[name]))
        seen[into] += held
        placed |= dict.fromkeys(group, into)
    return tuple(replace(example, split=placed[number]) for number, example in enumerate(examples))


def _read_file(file: Path) -> Iterator[tuple[int, IntentExample | Problem]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        yield line, Problem(_name(file), line, "Not UTF-8 text.", "Save the file as UTF-8.")
        return
    reader = csv.DictReader(text.splitlines(keepends=True))
    line = 1
    try:
        missing = [name for name in _REQUIRED if name not in (reader.fieldnames or ())]
        if missing:
            found = f"Columns {', '.join(missing)} are missing; found: {', '.join(reader.fieldnames or ()) or 'none'}."
            yield 1, Problem(_name(file), 1, found, "Start the file with id,question,category.")
            return
        line = reader.line_num + 1
        for row in reader:
            yield line, _example(row, file, line)
            line = reader.line_num + 1
    except csv.Error as error:
        yield (
            line,
            Problem(_name(file), line, f"Not a CSV row ({error}).", "Mend this row; those after it were left out."),
        )


def _example(row: dict[str | None, str | list[str] | None], file: Path, line: int) -> IntentExample | Problem:
    if None in row:
        return _row_problem(file, line, "More cells than the header has columns.", "commas; quote a text that has one")
    cells = {name: value.strip() for name, value in row.items() if isinstance(name, str) and isinstance(value, str)}
    question, named = cells.get("question", ""), cells.get("category", "")
    category = category_of(named)
    if not question:
        return _row_problem(file, line, "The question is empty.", "question, or delete the row")
    if category is None:
        return _row_problem(file, line, f"Unknown category '{named}'.", f"category: {', '.join(CATEGORIES)}")
    session = cells.get("session_id", "")
    return IntentExample(
        id=f"{file.stem}/{cells.get('id') or line}",
        question=question,
        previous=cells.get("previous", ""),
        course=cells.get("course", ""),
        session_id=f"{file.stem}/{session}" if session else "",
        category=category,
        lang=language_of(question),
    )


def _row_problem(file: Path, line: int, message: str, what: str) -> Problem:
    return Problem(_name(file), line, message, f"Correct the {what}.")


def _name(file: Path) -> str:
    return f"intents/{file.name}"


def _contradictions(examples: Iterable[IntentExample], lines: dict[str, int]) -> Iterator[Problem]:
    first: dict[str, IntentExample] = {}
    for example in examples:
        known = first.setdefault(question_key(example.question), example)
        if known.category != example.category:
            yield Problem(
                f"intents/{example.id.partition('/')[0]}.csv",
                lines[example.id],
                f"'{example.question[:40]}' is {example.category} here and {known.category} in {known.id}.",
                "Both were kept; decide on one.",
                "warning",
            )


def _with_previous(examples: Iterable[IntentExample]) -> Iterator[IntentExample]:
    last: dict[str, str] = {}
    for example in examples:
        before = last.get(example.session_id, "") if example.session_id else ""
        last[example.session_id] = example.question
        yield example if example.previous else replace(example, previous=before)


def _groups(examples: Sequence[IntentExample]) -> list[list[int]]:
    """Union-find over sessions and question texts."""
    parent = list(range(len(examples)))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    first: dict[tuple[str, str], int] = {}
    for number, example in enumerate(examples):
        keys = [("question", question_key(example.question))]
        keys += [("session", example.session_id)] if example.session_id else []
        for key in keys:
            parent[root(number)] = root(first.setdefault(key, number))
    groups: dict[int, list[int]] = defaultdict(list)
    for number in range(len(examples)):
        groups[root(number)].append(number)
    return list(groups.values())


def _deal_key(group: list[int], examples: Sequence[IntentExample], seed: int) -> tuple[int, str]:
    text = min(question_key(examples[number].question) for number in group)
    size = len(group) if len(group) > _BIG_GROUP * len(examples) else 0
    return -size, hashlib.sha256(f"{seed}\0{text}".encode()).hexdigest()


def _need(held: Counter[Category], seen: Counter[Category], counts: Counter[Category], share: float) -> float:
    """How far a split is from its share of the categories that a group holds, weighted by how many it holds."""
    return round(sum(n * (1 - seen[category] / (share * counts[category])) for category, n in held.items()), 9)
