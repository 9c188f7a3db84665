"""Fits what decides whether an answer from sentences needs a doubt, on the development half of the student questions.

    .venv/bin/python benchmarks/sufficiency.py --home HOME --questions FOLDER_OF_COURSES [--home … --questions …]

For every question that a composer answers from sentences: what is known of its best window, and whether the windows
that are shown say all that a right answer must (by the question's own patterns). Prints the weights for
`serving/assistant/composing/sufficiency.py`, how well they tell right from wrong across courses (each course left out
in turn), by cut how many answers stand without a doubt and how many of these are right, and the cut that
`models.statistics.calibration` promises at most 5% wrong sure answers for, with 90% confidence; for stored answers the
same. Never reads the unseen half.
"""

import argparse
import asyncio
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from knowledge_graph.sources.folders import find_courses
from models.statistics.calibration import choose_cut
from serving.assistant.assistant import Assistant
from serving.assistant.composing.composer import ComposerInput
from serving.assistant.composing.explain import SHOWN, find_windows
from serving.assistant.composing.request import Request
from serving.assistant.composing.stored import find_stored_matches
from serving.assistant.composing.sufficiency import FEATURES, LIKELIHOOD_OF, features_of
from serving.evaluation.students.marking import GivenAnswer, mark
from serving.evaluation.students.questions import StudentQuestion, read_student_questions
from serving.gateway.knowledge import load_knowledge
from serving.settings import Settings

RISK, DELTA = 0.05, 0.1


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, action="append", required=True)
    parser.add_argument(
        "--questions",
        type=Path,
        action="append",
        required=True,
        help="of each home the folder of course folders with gold/students.dev.jsonl",
    )
    given = parser.parse_args()
    rows: list[Row] = []
    stored: list[tuple[float, bool]] = []
    for home, folder in zip(given.home, given.questions, strict=True):
        knowledge = load_knowledge(Settings(home=home), None)
        files = [course.path / "gold" / "students.dev.jsonl" for course in find_courses(folder)]
        questions = [one for path in files if path.is_file() for one in read_student_questions(path, "dev")]
        asyncio.run(_look_up(knowledge.assistant, [one for one in questions if not one.history], rows, stored))
    _fit(rows, stored)


@dataclass(frozen=True)
class Row:
    """One question that sentences answer: `features` of the best window with its kind, and whether they are right."""

    course_id: str
    features: list[float]
    has_aspect: bool
    right: bool


async def _look_up(
    assistant: Assistant, questions: list[StudentQuestion], rows: list[Row], stored: list[tuple[float, bool]]
) -> None:
    for question in questions:
        request = await request_of(assistant, question)
        if request.kind in LIKELIHOOD_OF and (windows := find_windows(request, most=SHOWN)):
            text = " ".join(window.text for window in windows)
            right = question.answerable and mark(question, GivenAnswer(text, False, ())).right
            kinds = [float(request.kind == one) for one in LIKELIHOOD_OF]
            features = [*features_of(windows[0], request), *kinds]
            rows.append(Row(question.course_id, features, windows[0].has_aspect, right))
        for match in find_stored_matches(request)[:1]:
            text = f"{match.candidate.entry.title}\n{match.candidate.entry.text}"
            stored.append((match.score, question.answerable and mark(question, GivenAnswer(text, True, ())).right))


def _fit(rows: list[Row], stored: list[tuple[float, bool]]) -> None:
    x, y = np.array([row.features for row in rows]), np.array([row.right for row in rows])
    shows_aspect = np.array([row.has_aspect for row in rows])
    _tell(f"{len(y)} answers from sentences, {y.mean():.2f} right")
    scores = np.zeros(len(y))
    by_course: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        by_course[row.course_id].append(place)
    for places in by_course.values():
        others = np.setdiff1d(np.arange(len(y)), places)
        scores[places] = _model().fit(x[others], y[others]).predict_proba(x[places])[:, 1]
    _tell(f"AUC, each course left out in turn: {roc_auc_score(y, scores):.3f}")
    fitted = _model().fit(x, y)
    scale, model = fitted[0], fitted[1]
    weights = model.coef_[0] / scale.scale_
    for name, weight in zip((*FEATURES, *LIKELIHOOD_OF), weights, strict=True):
        _tell(f"  {name:12} {weight:+.2f}")
    _tell(f"  {'intercept':12} {model.intercept_[0] - float(weights @ scale.mean_):+.2f}")
    for cut in np.arange(0.4, 0.9, 0.04):
        above = (scores >= cut) & shows_aspect
        if above.any():
            _tell(f"   cut {cut:.2f}: {above.sum():3} without a doubt, {y[above].mean():.2f} right")
    _print_cut("sentences", scores, ~y)
    _print_cut("stored", np.array([one[0] for one in stored]), ~np.array([one[1] for one in stored]))


def _model() -> Pipeline:
    return make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=3000))


def _print_cut(name: str, scores: np.ndarray, wrong: np.ndarray) -> None:
    promise = choose_cut(scores, wrong, risk=RISK, delta=DELTA)
    _tell(f"{name}: {promise}")


async def request_of(assistant: Assistant, question: StudentQuestion) -> Request:
    turn = assistant._turn(question.question, question.course_id, {}, live=False)
    understood = await assistant._reader.understand(question.question, turn)
    composer, course_id = assistant._composed_answers._composer, question.course_id
    translated = composer.in_course_language(understood, course_id)
    sought = understood if translated is None else await assistant._reader.understand(translated, turn)
    found = await assistant._strategy.retrieve(sought, course_id=course_id, domains=())
    return composer.request(ComposerInput(understood, sought, found, course_id))


if __name__ == "__main__":
    main()
