"""The sample of questions: whole sessions, evenly over time, the same for the same seed."""

import random
from collections import Counter
from datetime import datetime, timedelta

import pytest

from serving.evaluation.sets.session_sample import AskedQuestion, sample_sessions

START = datetime(2026, 1, 1)  # noqa: DTZ001  the logs' times are UTC without a zone


def asked(sessions: int, *, days: int = 360) -> list[AskedQuestion]:
    """Sessions of one to four questions, evenly over the days, lengths in no order that a step could fall in with."""
    lengths = random.Random(5)
    return [
        AskedQuestion(f"s{n}", START + timedelta(days=n * days / sessions, minutes=turn), "simple")
        for n in range(sessions)
        for turn in range(lengths.randint(1, 4))
    ]


def test_no_session_is_divided() -> None:
    turns = asked(400)
    drawn = Counter(turn.session for turn in sample_sessions(turns, questions=100, seed=1))
    whole = Counter(turn.session for turn in turns)
    assert drawn
    assert all(count == whole[session] for session, count in drawn.items())


def test_about_as_many_questions_come_as_were_asked_for() -> None:
    assert sum(1 for _ in sample_sessions(asked(4000), questions=1000, seed=2)) == pytest.approx(1000, rel=0.05)


def test_every_month_gives_its_share_of_sessions() -> None:
    turns = asked(3600)
    drawn = sample_sessions(turns, questions=900, seed=3)
    whole, months = (
        Counter(month for _, month in {(turn.session, turn.asked_at.month) for turn in listed})
        for listed in (turns, drawn)
    )
    step = whole.total() / months.total()
    assert len(months) == 12
    assert all(abs(months[month] - whole[month] / step) <= 1 for month in whole)


def test_the_same_seed_draws_the_same_whatever_the_order_of_the_rows() -> None:
    turns = asked(400)
    first = sample_sessions(turns, questions=100, seed=4)
    assert sample_sessions(turns[::-1], questions=100, seed=4) == first
    assert any(sample_sessions(turns, questions=100, seed=seed) != first for seed in range(5, 10))


def test_few_turns_are_all_drawn_and_none_give_none() -> None:
    turns = asked(3)
    assert sample_sessions(turns, questions=100, seed=1) == turns
    assert sample_sessions([], questions=100, seed=1) == []


def test_a_sample_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="found 0"):
        sample_sessions(asked(3), questions=0, seed=1)
