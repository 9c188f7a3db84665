"""Questions drawn for a closer look: whole sessions, evenly over time (LittleMu 2.1).

The paper drew 4,002 of 312,000 questions by systematic sampling "in terms of sessions for assurance of completeness,
which means all the contexts were preserved". Pure.
"""

import math
import random
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

PUBLISHED_QUESTIONS = 4002


class SessionQuestion(Protocol):
    """What of a question is looked at: its session and when it was asked."""

    @property
    def session(self) -> Hashable: ...
    @property
    def asked_at(self) -> datetime: ...


Turn = TypeVar("Turn", bound=SessionQuestion)


def sample_sessions(turns: Sequence[Turn], *, questions: int, seed: int) -> list[Turn]:
    """About `questions` of the turns, in order of session and time; no session is divided.

    Sessions are put in order of their first question; every k-th is drawn, from a random place within the first k (k
    may be a fraction). So each period gives its share of sessions. With fewer turns than asked for, all are returned.
    Raises `ValueError` for less than one question.
    """
    if questions < 1:
        raise ValueError(f"Expected at least one question to draw; found {questions}.")
    of_session: defaultdict[Hashable, list[Turn]] = defaultdict(list)
    for turn in turns:
        of_session[turn.session].append(turn)
    sessions = [sorted(listed, key=lambda turn: turn.asked_at) for listed in of_session.values()]
    sessions.sort(key=lambda listed: (listed[0].asked_at, str(listed[0].session)))
    return [turn for place in _places(len(sessions), len(turns), questions, seed) for turn in sessions[place]]


def _places(sessions: int, turns: int, questions: int, seed: int) -> list[int]:
    """Which sessions, by place: their number times the mean length of a session is what was asked for."""
    if turns <= questions:
        return list(range(sessions))
    wanted = max(1, round(questions * sessions / turns))
    step = sessions / wanted
    start = random.Random(seed).uniform(0, step)
    return [min(math.floor(start + number * step), sessions - 1) for number in range(wanted)]


@dataclass(frozen=True)
class AskedQuestion:
    """A question of the logs with the category that the intent model gave it, if any."""

    session: str
    asked_at: datetime
    category: str | None
