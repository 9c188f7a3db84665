"""`Composed`: an answer made of sentences that people said or wrote, each with where it stands. Pure.

Belongs here: the record and how it becomes numbered text. What goes into it is decided by the composers.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from knowledge_graph.text.layout import FENCE
from serving.assistant.understanding.question_kind import QuestionKind
from serving.index.evidence import MAX_CITED, Evidence

Coverage = Literal["full", "partial", "none"]
"""How well the material covers what was asked: all of it, what is nearest, or nothing."""


@dataclass(frozen=True)
class ComposedStatement:
    """A sentence or a few, and the evidence they stand in; without `evidence` the product's own words.

    `is_item` puts it on a line of its own, as an item of a list.
    """

    text: str
    evidence: Evidence | None = None
    is_item: bool = False


@dataclass(frozen=True)
class ComposedPart:
    """One of several questions in a message, and how it was answered: its kind, coverage and score, and whether by a
    stored answer."""

    question: str
    kind: QuestionKind
    coverage: Coverage
    score: float
    is_stored: bool


@dataclass(frozen=True)
class Composed:
    """An answer before it is numbered.

    `note` stands above it (what is missing, how the question was taken), `after` below it (what to do next). `choices`
    are stored questions the student may have meant. `stored` is the entry's own evidence when the answer is a stored
    one, word for word. `score` is how sure the composer is, 0..1. `parts` are those of an answer to several questions.
    """

    kind: QuestionKind
    coverage: Coverage
    statements: tuple[ComposedStatement, ...] = ()
    note: str = ""
    after: str = ""
    choices: tuple[str, ...] = ()
    stored: Evidence | None = None
    score: float = 0.0
    parts: tuple[ComposedPart, ...] = ()
    is_whole: bool = False
    """Whether nothing that is only near is to be added: a document lays the answer out itself."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Every piece of evidence once, numbered from 1 in the order of the statements."""
        return tuple(replace(one, number=number) for number, one in enumerate(_distinct(self.statements), 1))

    @property
    def text(self) -> str:
        """The answer as it is shown: note, statements with their marks, what to do next."""
        numbers = {_place(one): one.number for one in self.evidence}
        paragraphs: list[str] = [self.note] if self.note else []
        for run in _runs(self.statements):
            said = "\n".join(f"- {one.text}" if one.is_item else one.text for one in run)
            evidence = run[0].evidence
            number = numbers[_place(evidence)] if evidence is not None else 0
            mark = f"[{number}]" if 1 <= number <= MAX_CITED else ""
            if mark:  # behind code or a table it would be a part of them
                mark = f"\n\n{mark}" if said.endswith((FENCE, " |")) else f" {mark}"
            is_listed = bool(paragraphs) and run[0].is_item and paragraphs[-1].rsplit("\n", 1)[-1].startswith("- ")
            if is_listed:
                paragraphs[-1] += f"\n{said}{mark}"
            else:
                paragraphs.append(f"{said}{mark}")
        return "\n\n".join([*paragraphs, *([self.after] if self.after else [])])


def body_of(text: str) -> str:
    """What stands below the heading of a statement that has one."""
    heading, _, body = text.partition("\n")
    return body if heading.startswith("**") and heading.endswith("**") and body else text


def within(statements: Sequence[ComposedStatement], places: int) -> tuple[ComposedStatement, ...]:
    """The statements of the first `places` places, for no other could be cited; items name their place themselves."""
    cited = {_place(one) for one in _distinct(statements)[:places]}
    return tuple(one for one in statements if one.is_item or one.evidence is None or _place(one.evidence) in cited)


def without_shown(statements: Sequence[ComposedStatement], shown: str) -> tuple[ComposedStatement, ...]:
    """The statements of which less than half stands in a text that was shown; items of lists stay."""
    return tuple(one for one in statements if one.is_item or one.evidence is None or not is_shown(one.text, shown))


def is_shown(text: str, shown: str) -> bool:
    """Whether half of a text, by its sentences, stands in one that was shown."""
    sentences = _SENTENCE.findall(text.replace("**", ""))
    return 2 * sum(len(one) for one in sentences if one.strip() in shown) >= sum(map(len, sentences))


_SENTENCE = re.compile(r"[^.?!。？！]+[.?!。？！]*\s*")


def _runs(statements: Sequence[ComposedStatement]) -> Iterable[list[ComposedStatement]]:
    """Neighbouring statements of one piece of evidence, which share its mark; items stand alone."""
    run: list[ComposedStatement] = []
    for one in statements:
        if run and (one.is_item or run[-1].is_item or _place(one.evidence) != _place(run[-1].evidence)):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _distinct(statements: Sequence[ComposedStatement]) -> list[Evidence]:
    found = {_place(one.evidence): one.evidence for one in statements if one.evidence is not None}
    return list(found.values())


def _place(evidence: Evidence | None) -> tuple[object, ...] | None:
    if evidence is None:
        return None
    at = evidence.locator
    return (evidence.evidence_id, at.start_ms if at is not None else None)
