"""Fits what decides whether a composed answer is given as sure, on the development half of the student questions.

    .venv/bin/python benchmarks/sufficiency.py --home HOME --questions FOLDER_OF_COURSES

For every question that a composer answers from sentences: what is known of its best window, and whether the answer is
right (by the question's own patterns). Prints the weights for `serving/assistant/composing/sufficiency.py`, how well
they tell right from wrong across courses (each course left out in turn), and the cut that
`models.statistics.calibration` promises at most 5% wrong sure answers for, with 90% confidence; for stored answers the
same. Never reads the unseen half.
"""

import argparse
import asyncio
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from knowledge_graph.sources.folders import find_courses
from models.statistics.calibration import choose_cut
from serving.assistant.assistant import Assistant
from serving.assistant.composing.composer import ComposerInput
from serving.assistant.composing.composers import COMPOSERS, compose
from serving.assistant.composing.explain import compose_explanation
from serving.assistant.composing.request import Request
from serving.assistant.composing.stored import stored_matches
from serving.assistant.composing.sufficiency import FEATURES, features_of
from serving.assistant.composing.windows import best_windows
from serving.evaluation.students.marking import GivenAnswer, mark
from serving.evaluation.students.questions import StudentQuestion, read_student_questions
from serving.gateway.knowledge import load_knowledge
from serving.settings import Settings

RISK, DELTA = 0.05, 0.1


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument(
        "--questions", type=Path, required=True, help="folder of course folders with gold/students.dev.jsonl"
    )
    given = parser.parse_args()
    knowledge = load_knowledge(Settings(home=given.home), None)
    files = [course.path / "gold" / "students.dev.jsonl" for course in find_courses(given.questions)]
    questions = [one for path in files if path.is_file() for one in read_student_questions(path, "dev")]
    asyncio.run(_fit(knowledge.assistant, [one for one in questions if not one.history]))


async def _fit(assistant: Assistant, questions: list[StudentQuestion]) -> None:
    rows: list[tuple[str, list[float], bool]] = []
    stored: list[tuple[float, bool]] = []
    for question in questions:
        request = await request_of(assistant, question)
        if COMPOSERS[request.kind] is compose_explanation or request.kind in ("yes_no", "definition", "comparison"):
            windows = best_windows(request.pieces, request.units, kind=request.kind, aspects=request.aspects, most=1)
            if windows:
                rows.append((question.course_id, features_of(windows[0], request), _is_right(question, request)))
        for match in stored_matches(request)[:1]:
            text = f"{match.candidate.entry.title}\n{match.candidate.entry.text}"
            stored.append((match.score, question.answerable and mark(question, GivenAnswer(text, True, ())).right))
    x, y = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    _tell(f"{len(y)} answers from sentences, {y.mean():.2f} right")
    scores = np.zeros(len(y))
    by_course: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        by_course[row[0]].append(place)
    for places in by_course.values():
        others = np.setdiff1d(np.arange(len(y)), places)
        scores[places] = _model().fit(x[others], y[others]).predict_proba(x[places])[:, 1]
    _tell(f"AUC, each course left out in turn: {roc_auc_score(y, scores):.3f}")
    fitted = _model().fit(x, y)
    for name, weight in zip(FEATURES, fitted.coef_[0], strict=True):
        _tell(f"  {name:12} {weight:+.2f}")
    _tell(f"  {'intercept':12} {fitted.intercept_[0]:+.2f}")
    _print_cut("sentences", scores, ~y)
    _print_cut("stored", np.array([one[0] for one in stored]), ~np.array([one[1] for one in stored]))


def _model() -> LogisticRegression:
    return LogisticRegression(C=1.0, max_iter=1000)


def _print_cut(name: str, scores: np.ndarray, wrong: np.ndarray) -> None:
    promise = choose_cut(scores, wrong, risk=RISK, delta=DELTA)
    _tell(f"{name}: {promise}")
    for cut in np.arange(0.4, 1.0, 0.05):
        above = scores > cut
        if above.any():
            _tell(f"   cut {cut:.2f}: {above.sum():3} sure, {wrong[above].mean():.2f} wrong")


async def request_of(assistant: Assistant, question: StudentQuestion) -> Request:
    turn = assistant._turn(question.question, question.course_id, {}, live=False)
    understood = await assistant._understand(question.question, turn)
    composer, course_id = assistant._composer, question.course_id
    translated = composer.in_course_language(understood, course_id)
    sought = understood if translated is None else await assistant._understand(translated, turn)
    found = await assistant._strategy.retrieve(sought, course_id=course_id, domains=())
    return composer.request(ComposerInput(understood, sought, found, course_id))


def _is_right(question: StudentQuestion, request: Request) -> bool:
    composed = compose(request)
    return question.answerable and mark(question, GivenAnswer(composed.text, True, ())).right


if __name__ == "__main__":
    main()
