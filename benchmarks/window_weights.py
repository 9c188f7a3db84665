"""Fits the weights of `serving/assistant/composing/windows.py`: which few sentences of the material answer a question.

    .venv/bin/python benchmarks/window_weights.py --home HOME [--home HOME] FILE...

`FILE` are files of student questions, the development half; each is asked in the first home that has its course.

Every window of every answerable question that sentences answer is judged by the question's own patterns and places:
how much of what must be said it says, and whether it stands where a right answer stands. A logistic regression over
pairs of a better and a worse window of one question gives the weights, by language; what else orders windows (flaws,
the part of the course, beginnings) keeps its own. Printed beside them: the share of questions whose best one, two and
three windows answer them whole, in the order in use and by the fitted weights, each course left out in turn. Never
give it the unseen half.
"""

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sufficiency import request_of

from knowledge_graph.lake.records import Lang
from serving.assistant.assistant import Assistant
from serving.assistant.composing.explain import LENGTHS
from serving.assistant.composing.request import Request
from serving.assistant.composing.window import Window, not_overlapping
from serving.assistant.composing.windows import BY_TOKENS, all_windows, weights_for
from serving.assistant.references.reference import from_evidence
from serving.evaluation.students.marking import GivenAnswer, mark, opens
from serving.evaluation.students.questions import StudentQuestion, read_student_questions
from serving.gateway.knowledge import load_knowledge
from serving.settings import Settings

SHOWN = 3
WORSE, HARDEST = 0.25, 30
"""By how much a window is worse than the best to be learnt from, and how many such of one question are."""
STRENGTH = 0.001
"""Inverse of the regularisation, over facts of unit variance; chosen with each course left out in turn."""
LEFT_OUT = (3, 5, 9)
"""Facts without a weight: with them the fit is worse on a course that is left out. Those of the first sentence and the
title, how well words found the piece, and the aspect in the first sentence."""
LEAST_COURSES = 2
"""Of a language, to leave one out."""
FROM_SENTENCES = frozenset(
    {"aspect", "comparison", "definition", "false_premise", "how", "list", "premise", "why", "yes_no"}
)
"""Kinds that sentences of lectures and texts answer; a catalogue's records are shown whole."""


@dataclass(frozen=True)
class Judged:
    """The windows of one question, what each says of what must be said (0..1 and where it should: up to 1.3)."""

    question: StudentQuestion
    windows: list[Window]
    gains: NDArray[np.float64]

    @property
    def facts(self) -> NDArray[np.float64]:
        """What the weights weigh, and last the rest of the score in use: (windows, facts + 1)."""
        facts = np.array([one.facts for one in self.windows])
        weighed = (facts * [weights_for(one.piece.lang, one.facts) for one in self.windows]).sum(axis=1)
        rest = np.array([one.score for one in self.windows]) - weighed
        return np.column_stack([facts, rest])

    @property
    def lang(self) -> Lang:
        return self.windows[0].piece.lang


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, action="append", required=True, help="may be given several times")
    parser.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    if named := [path.name for path in given.files if "unseen" in path.name]:
        parser.error(f"the unseen half is not to be looked at: {', '.join(named)}")
    assistants: dict[str, Assistant] = {}
    for home in given.home:
        knowledge = load_knowledge(Settings(home=home), None)
        assistants = dict.fromkeys(knowledge.course_ids, knowledge.assistant) | assistants
    questions = [one for path in given.files for one in read_student_questions(path, "dev")]
    asyncio.run(_report([(assistants[one.course_id], one) for one in questions if one.course_id in assistants]))


async def _report(asked: list[tuple[Assistant, StudentQuestion]]) -> None:
    judged = []
    for assistant, one in asked:
        if one.answerable and one.must and not one.history and one.kind in FROM_SENTENCES:
            found = _judge(one, await request_of(assistant, one))
            is_written = all(window.piece.entry.source != "catalog" for window in found.windows)
            if is_written and any(fact > 0.0 for window in found.windows for fact in window.facts[-5:]):
                judged.append(found)
    for lang, in_use in BY_TOKENS.items():
        _report_language([one for one in judged if one.lang == lang], lang, np.array([*in_use, 1.0]))


def _report_language(judged: list[Judged], lang: Lang, in_use: NDArray[np.float64]) -> None:
    if len(courses := sorted({one.question.course_id for one in judged})) < LEAST_COURSES:
        return
    spread = np.concatenate([one.facts for one in judged]).std(axis=0) + 1e-6
    now = [_answered(one, in_use) for one in judged]
    held_out = []
    for course in courses:
        weights = _fit([one for one in judged if one.question.course_id != course], spread)
        held_out += [_answered(one, weights) for one in judged if one.question.course_id == course]
    fitted = _fit(judged, spread)
    sys.stdout.write(f"{lang}: {len(judged)} questions with vectors; answered whole by the best 1, 2, 3 windows\n")
    sys.stdout.write(f"  weights in use               {np.mean(now, axis=0).round(3)}\n")
    sys.stdout.write(f"  fitted, each course left out {np.mean(held_out, axis=0).round(3)}\n")
    sys.stdout.write(
        f"  fitted to all                {np.mean([_answered(one, fitted) for one in judged], axis=0).round(3)}\n"
    )
    sys.stdout.write(f"  {tuple(float(one) for one in (fitted[:-1] / fitted[-1]).round(2))}\n")


def _judge(question: StudentQuestion, request: Request) -> Judged:
    length = LENGTHS.get(request.kind, 1.0)
    windows = [
        one
        for one in all_windows(request.pieces, request.units, kind=request.kind, aspects=request.aspects, length=length)
        if one.lines
    ]
    return Judged(question, windows, np.array([_gain(question, one) for one in windows]))


def _gain(question: StudentQuestion, window: Window) -> float:
    is_placed = not question.cite or any(opens(one, question.cite) for one in _given([window]).references)
    says = np.mean([one.search(window.text) is not None for one in question.must])
    return float(says * (1.0 if is_placed else 0.4) + 0.3 * is_placed)


def _given(windows: list[Window]) -> GivenAnswer:
    references = tuple(from_evidence(one.piece.evidence(one.lines), "en") for one in windows)
    return GivenAnswer("\n".join(one.text for one in windows), False, references)


def _answered(judged: Judged, weights: NDArray[np.float64]) -> list[bool]:
    """Whether the best one, two and three windows answer the question whole, rightly cited."""
    order = np.argsort(-(judged.facts @ weights), kind="stable")
    best = not_overlapping((judged.windows[place] for place in order), SHOWN)
    return [mark(judged.question, _given(best[:most])).cited for most in range(1, SHOWN + 1)]


def _fit(judged: list[Judged], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    rng = np.random.default_rng(0)
    pairs = []
    for one in judged:
        best = one.gains.max()
        facts = one.facts / spread
        better, worse = np.flatnonzero(one.gains >= best - 0.01)[:6], np.flatnonzero(one.gains < best - WORSE)[:HARDEST]
        if best > 0.0:
            pairs += [facts[good] - facts[bad] for good in better for bad in worse]
    signs = np.where(rng.random(len(pairs)) < 0.5, 1.0, -1.0)
    model = LogisticRegression(fit_intercept=False, C=STRENGTH, max_iter=2000)
    x = np.array(pairs) * signs[:, None]
    x[:, LEFT_OUT] = 0.0
    return np.asarray(model.fit(x, signs).coef_[0] / spread)


if __name__ == "__main__":
    main()
