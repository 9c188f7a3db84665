"""Whether what an answer cites supports what it says: citation precision and statement recall.

After Liu, Zhang and Liang 2023, to whose figures Course Hero (3.3) compares: of the citations, which support the
statement they stand at; of the statements, which are supported by what they cite. There people judged. Here the
project's own checker of support does (`serving.assistant.grounding`), which compares words: a proxy, and the same that
looks at drafts while an answer is written. It does not know partial support: a citation that supports its statement
only together with others counts for nothing here and for one there, so that our precision is the lower.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from serving.assistant.answer import Answer
from serving.assistant.generation.phrases import phrases
from serving.assistant.grounding.grading import Grounding, grade
from serving.assistant.grounding.material import GroundingMaterial
from serving.assistant.grounding.sentences import MOST_READ, readable, split
from serving.assistant.references import find_cited_evidence, without_citations
from serving.index.confidence import Weigh
from serving.index.evidence import Evidence

ANSWERING = ("direct", "teach", "explain")
"""Routes that say something about the subject; the others decline, hand over or chat."""

_AHEAD = re.compile(r"[\s*+\-•]*(?:\[\d{1,3}\]\s*)+")
"""Marks with which a line begins, after the sign of a list item."""

_HEADING = (":", "：")


@dataclass(frozen=True)
class Citations:
    """What was counted in one answer. `grounded`: whether its evidence supports what a model wrote; where the text is
    stored or assembled it holds by construction, which is no measurement."""

    statements: int
    supported_statements: int
    citations: int
    supported_citations: int
    grounded: bool


@dataclass(frozen=True)
class _Statement:
    text: str
    cited: tuple[Evidence, ...]


def count_citations(answer: Answer, *, weigh: Weigh = lambda _: 1.0) -> Citations | None:
    """The citations of an answer; `None` where its route answers nothing.

    A statement is a sentence that says more than its question; a heading, which ends in a colon, is none, and neither
    is a hint what to watch. A mark such as `[1]` cites for its sentence, and at the beginning of a line for the whole
    line. Where an answer has no mark, the references beside it cite for all of it: each is right when it supports any
    of its statements.
    """
    if answer.route not in ANSWERING:
        return None
    question = answer.trace.resolved
    everything = tuple({one.evidence_id: one for one in (*answer.evidence, *answer.referred)}.values())
    whole = GroundingMaterial.of(question, everything)
    grades = _Grades(question, weigh)
    beside = _beside(answer, everything)
    told = _statements(answer, beside)
    grounded = not _is_generated(answer) or grade("\n".join(one.text for one in told), whole, weigh=weigh).grounded
    statements = [one for one in told if _claims(grade(one.text, whole, weigh=weigh))]
    supported = sum(bool(one.cited) and grades.supports(one.text, one.cited) for one in statements)
    if beside:
        citing = [any(grades.supports(one.text, (each,)) for one in statements) for each in beside]
    else:
        citing = [grades.supports(one.text, (each,)) for one in statements for each in one.cited]
    return Citations(len(statements), supported, len(citing), sum(citing), grounded)


class _Grades:
    """Grades against some of the evidence, each piece read once."""

    def __init__(self, question: str, weigh: Weigh) -> None:
        self._question, self._weigh = question, weigh
        self._read: dict[tuple[str, ...], GroundingMaterial] = {}

    def supports(self, text: str, evidence: Sequence[Evidence]) -> bool:
        key = tuple(one.evidence_id for one in evidence)
        if key not in self._read:
            self._read[key] = GroundingMaterial.of(self._question, evidence)
        return grade(text, self._read[key], weigh=self._weigh).grounded


def _statements(answer: Answer, beside: Sequence[Evidence]) -> list[_Statement]:
    said, found = phrases(answer.lang), []
    hints = tuple(each.partition("{")[0] for each in (said.watch_first, said.watch_from))
    for line in readable(answer.text)[:MOST_READ].splitlines():
        if line.startswith(hints):
            continue
        ahead = _evidence_at(_AHEAD.match(line), answer)
        for piece in split(line):
            cited = tuple(beside) or tuple(dict.fromkeys((*ahead, *find_cited_evidence(piece.text, answer.evidence))))
            found.append(_Statement(without_citations(piece.text).strip(), cited))
    return [one for one in found if one.text and not one.text.endswith(_HEADING)]


def _evidence_at(marks: re.Match[str] | None, answer: Answer) -> tuple[Evidence, ...]:
    return find_cited_evidence(marks.group(), answer.evidence) if marks else ()


def _is_generated(answer: Answer) -> bool:
    """Whether a model's text is shown, and not the material in its place."""
    return answer.trace.model is not None and answer.route != "direct" and not answer.degraded


def _beside(answer: Answer, everything: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What the references lead to, where no mark in the text says which sentence they belong to."""
    if find_cited_evidence(answer.text, answer.evidence):
        return ()
    shown = {one.evidence_id for one in answer.references}
    return tuple(one for one in everything if one.evidence_id in shown)


def _claims(grounding: Grounding) -> bool:
    return any(one.claims > 0 for one in grounding.sentences)
