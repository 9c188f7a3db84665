"""Fits what decides whether a FAQ entry is given as the answer, on questions asked in other words than the entries'.

    .venv/bin/python benchmarks/stored_answers.py HOME QUESTIONS.jsonl [--sample 700]

HOME holds the FAQs, built with vectors; lines of QUESTIONS.jsonl are {"question", "course", "gold"}, gold being the
`origin_id` of the entry that answers (`faq_search.py` reads the same). Every question is asked twice: with its entry,
and with that entry taken away, when any sure answer is wrong. Fitted on every second question; on the others it prints
how many are answered as sure, how many of these are right, and how many are sure without their entry, for each cut.
Then what a student reads, of all questions: the entry as sure, under a doubt, or that nothing was found.
"""

import argparse
import asyncio
import json
import random
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from serving.assistant.assistant import Assistant
from serving.assistant.composing.composed import Coverage
from serving.assistant.composing.composer import ComposerInput
from serving.assistant.composing.composers import compose
from serving.assistant.composing.request import Request
from serving.assistant.composing.stored import find_stored_matches
from serving.assistant.composing.stored_match import STORED_FULL, StoredMatch
from serving.gateway.knowledge import load_knowledge
from serving.settings import Settings

SEED = 5


@dataclass(frozen=True)
class Found:
    """The best entry found for one question, with its own entry in the FAQ or without."""

    match: StoredMatch
    is_right: bool
    is_removed: bool
    is_held_out: bool


@dataclass(frozen=True)
class Read:
    """What a student reads for one question; `is_right` where the first thing shown is its own entry."""

    coverage: Coverage
    is_right: bool
    is_removed: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--sample", type=int, default=700, help="questions drawn by a seed")
    given = parser.parse_args()
    knowledge = load_knowledge(Settings(home=given.home), None)
    lines = [json.loads(line) for line in given.questions.read_text(encoding="utf-8").splitlines()]
    questions = [line for line in lines if line["course"] in knowledge.course_ids]
    random.Random(SEED).shuffle(questions)
    found, read = asyncio.run(_ask(knowledge.assistant, questions[: given.sample]))
    _report(found)
    _report_read(read)


async def _ask(assistant: Assistant, questions: list[dict[str, str]]) -> tuple[list[Found], list[Read]]:
    found, read = list[Found](), list[Read]()
    for place, line in enumerate(questions):
        request = await _request(assistant, line["question"], line["course"])
        without = replace(request, stored=tuple(one for one in request.stored if one.entry.origin_id != line["gold"]))
        for is_removed, asked in ((False, request), (True, without)):
            matches = find_stored_matches(asked)
            if matches:
                is_right = not is_removed and matches[0].candidate.entry.origin_id == line["gold"]
                found.append(Found(matches[0], is_right, is_removed, place % 2 == 1))
            answer = compose(asked)
            shown = [one.evidence.origin_id for one in answer.statements if one.evidence is not None]
            read.append(Read(answer.coverage, shown[:1] == [line["gold"]], is_removed))
    return found, read


async def _request(assistant: Assistant, question: str, course_id: str) -> Request:
    turn = assistant._turn(question, course_id, {}, live=False)
    understood = await assistant._reader.understand(question, turn)
    retrieved = await assistant._strategy.retrieve(understood, course_id=course_id, domains=())
    return assistant._composed_answers._composer.request(ComposerInput(understood, understood, retrieved, course_id))


def _report(found: list[Found]) -> None:
    known = [one for one in found if one.match.meaning is not None]
    x = np.array([one.match.facts for one in known])
    y = np.array([one.is_right for one in known])
    held_out = np.array([one.is_held_out for one in known])
    removed = np.array([one.is_removed for one in known])
    fitted = LogisticRegression(C=1.0, max_iter=1000).fit(x[~held_out], y[~held_out])
    _tell(f"weights {[round(float(one), 2) for one in fitted.coef_[0]]}, intercept {float(fitted.intercept_[0]):.2f}")
    _tell(f"AUC on the other half: {roc_auc_score(y[held_out], fitted.predict_proba(x[held_out])[:, 1]):.3f}")
    scores = np.array([one.match.score for one in known])
    asked, gone = held_out & ~removed, held_out & removed
    _tell("with the weights of stored_match.py, the other half:")
    for cut in sorted({*np.arange(0.5, 0.96, 0.05).round(2).tolist(), STORED_FULL}):
        sure = asked & (scores > cut)
        right = f"{y[sure].mean():.3f}" if sure.any() else "-"
        _tell(
            f"  cut {cut:.2f}: sure {sure.sum() / asked.sum():.3f} ({sure.sum()}), right of these {right}, "
            f"sure without their entry {(gone & (scores > cut)).sum() / gone.sum():.3f}"
        )


def _report_read(read: list[Read]) -> None:
    for is_removed in (False, True):
        of_all = [one for one in read if one.is_removed is is_removed]
        _tell(f"what is read {'without' if is_removed else 'with'} the entry, of {len(of_all)}:")
        for coverage, told in (("full", "sure"), ("partial", "under a doubt"), ("none", "nothing")):
            these = [one for one in of_all if one.coverage == coverage]
            right = sum(one.is_right for one in these)
            _tell(f"  {told}: {len(these)} ({len(these) / len(of_all):.3f}), {right} by the entry")


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
