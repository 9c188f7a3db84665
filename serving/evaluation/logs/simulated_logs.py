"""Simulated logs: rows in the schemas of `knowledge_graph.lake.log_schemas.LOGS`, drawn from a design and its seed.

They show that the marts and the tables recover effects that were put in. They say nothing about real students.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from knowledge_graph.lake.log_schemas import LOGS
from serving.evaluation.logs.log_design import LogDesign, SessionDesign
from serving.feedback.experiments import Trial, Variant, variant_of

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

_DAY = 24 * 60 * 60
_BETWEEN_ROUNDS = 40
"""Seconds from one question of a conversation to the next. A choice."""

_QUESTIONS: Mapping[str, Sequence[str]] = {
    "frq": ("What is a stack?", "Why does recursion end?", "栈是什么？", "How is a heap built?"),
    "mcq": ("Which of the following is a tree?\nA. a ring\nB. a heap\nC. a row", "下列哪项是树？\nA. 环\nB. 堆"),
    "bare": ("Which of the following is a tree?", "下列哪项是树？"),
    "chat": ("Hello!", "你好", "Thank you."),
}


@dataclass(frozen=True)
class _Turns:
    """Columns of the turns, in order of time."""

    session: Ints
    person: Ints
    course: Ints
    position: Ints
    second: Ints
    is_late: Bools
    route: NDArray[np.object_]
    is_mcq: Bools
    has_options: Bools
    variant: Ints
    is_failed: Bools

    @property
    def is_answered(self) -> Bools:
        return np.isin(self.route.astype(str), ("direct", "teach", "explain")) & ~self.is_failed


def simulate_logs(design: LogDesign) -> dict[str, pa.Table]:
    """All logs by name. The same design gives the same rows. Raises `ValueError` for a design without a course."""
    if design.courses < 1 or design.turns < 0:
        raise ValueError(f"Expected at least 1 course and 0 turns; found {design.courses} and {design.turns}.")
    rng = np.random.default_rng(design.seed)
    turns = _turns(design, rng)
    return {
        "turns": _turn_table(turns, design, rng),
        "feedback": _feedback(turns, design, rng),
        "ratings": _ratings(turns, design, rng),
        "exposures": _exposures(turns, design),
        "experiments": _experiments(design),
    }


def _turns(design: LogDesign, rng: np.random.Generator) -> _Turns:
    starts = rng.integers(0, design.days * _DAY, size=max(design.turns, 1))
    late = starts >= design.release_day * _DAY
    rounds = np.where(late, *(_rounds(one, len(starts), rng) for one in reversed(design.sessions)))
    of_turn = np.repeat(np.arange(len(starts)), rounds)[: design.turns]
    position = _places(of_turn)
    second = starts[of_turn] + position * _BETWEEN_ROUNDS
    order = np.lexsort((position, of_turn, second))
    of_turn, position, second = of_turn[order], position[order], second[order]
    weights = 1 / np.arange(1, design.courses + 1)
    courses = rng.choice(design.courses, size=len(starts), p=weights / weights.sum())
    people = rng.integers(0, max(design.turns // 4, 1), size=len(starts))
    variant = _buckets(design, people)[of_turn]
    variant[second < design.trial.first_day * _DAY] = -1
    is_mcq = rng.random(len(second)) < design.votes.multiple_choice
    has_options = is_mcq & (rng.random(len(second)) < design.votes.with_options)
    asks_back = is_mcq & ~has_options & late[of_turn]
    return _Turns(
        session=of_turn,
        person=people[of_turn],
        course=courses[of_turn],
        position=position,
        second=second,
        is_late=late[of_turn],
        route=_routes(design, variant, asks_back, rng),
        is_mcq=is_mcq,
        has_options=has_options,
        variant=variant,
        is_failed=rng.random(len(second)) < 0.01,
    )


def _rounds(design: SessionDesign, n: int, rng: np.random.Generator) -> Ints:
    """One round, or two and a geometric number of more, so that the mean comes out."""
    beyond = (design.mean_rounds - design.single) / (1 - design.single) - 1
    longer = 1 + rng.geometric(1 / beyond, size=n)
    return np.where(rng.random(n) < design.single, 1, longer).astype(np.int64)


def _places(groups: Ints) -> Ints:
    """0, 1, 2, … within each run of the same number."""
    begins = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]]) if len(groups) else np.zeros(0, np.int64)
    lengths = np.diff(np.r_[begins, len(groups)])
    return np.arange(len(groups)) - np.repeat(begins, lengths)


def _trial(design: LogDesign) -> Trial:
    variants = tuple(Variant(name, 1, {}) for name in design.trial.variants)
    return Trial("simulated", design.trial.name, None, variants)


def _buckets(design: LogDesign, people: Ints) -> Ints:
    """The place of each person's variant, by the hashing of real experiments."""
    trial, names = _trial(design), list(design.trial.variants)
    known, inverse = np.unique(people, return_inverse=True)
    places = [names.index(variant_of(trial, _name("person", int(one))).name) for one in known]
    return np.array(places, dtype=np.int64)[inverse]


def _routes(design: LogDesign, variant: Ints, asks_back: Bools, rng: np.random.Generator) -> NDArray[np.object_]:
    n = len(variant)
    coverage = np.array([*design.trial.coverage, design.coverage])[variant]
    answering = rng.choice(np.array(["direct", "teach", "explain"], dtype=object), size=n, p=[0.5, 0.35, 0.15])
    route = np.where(rng.random(n) < coverage, answering, "ask_ta").astype(object)
    route[asks_back] = "clarify"
    drawn = rng.random(n)
    route[drawn < design.small_talk + design.declined] = "refuse"
    route[drawn < design.small_talk] = "chat"
    return route


def _turn_table(turns: _Turns, design: LogDesign, rng: np.random.Generator) -> pa.Table:
    n = len(turns.second)
    is_talk = turns.route == "chat"
    kind = np.select([is_talk, turns.has_options, turns.is_mcq], ["chat", "mcq", "bare"], "frq")
    picks = rng.integers(0, 1 << 30, size=n).tolist()
    asked = [_QUESTIONS[one][pick % len(_QUESTIONS[one])] for one, pick in zip(kind.tolist(), picks, strict=True)]
    sources = rng.choice(np.array(["faq", "concept", "document", "search"], dtype=object), size=n)
    taught = np.isin(turns.route.astype(str), ("teach", "explain"))
    trial = np.array([*design.trial.variants, None], dtype=object)
    columns: dict[str, object] = {name: pa.nulls(n, LOGS["turns"].field(name).type) for name in LOGS["turns"].names}
    columns |= {
        "trace_id": _names("trace", np.arange(n)),
        "person": _names("person", turns.person),
        "session": _names("session", turns.session),
        "position": turns.position,
        "asked_at": _times(design, turns.second),
        "question": asked,
        "outcome": np.where(turns.is_failed, "failed", "answered"),
        "route": turns.route,
        "course_id": [f"simulated-{one + 1:03d}" for one in turns.course.tolist()],
        "lang": ["zh" if not one.isascii() else "en" for one in asked],
        "form": pa.array(np.where(turns.is_mcq, "mcq", "frq"), mask=is_talk),
        "has_options": pa.array(turns.has_options, mask=~turns.is_mcq | is_talk),
        "source": pa.array(sources, mask=turns.route != "direct"),
        "degraded": taught & (rng.random(n) < 0.02),
        "total_ms": np.round(rng.lognormal(6, 1, size=n), 1),
        "prompt_tokens": np.where(taught, rng.integers(200, 1500, size=n), 0),
        "completion_tokens": np.where(taught, rng.integers(20, 300, size=n), 0),
        "experiment": pa.array([design.trial.name] * n, mask=turns.variant < 0),
        "variant": trial[turns.variant],
    }
    return pa.table(columns, schema=LOGS["turns"])


def _feedback(turns: _Turns, design: LogDesign, rng: np.random.Generator) -> pa.Table:
    """Thumbs on answers. One reason at most, so that each reason's share is as designed."""
    votes = design.votes
    place = np.flatnonzero(turns.is_answered & (rng.random(len(turns.second)) < votes.per_answer))
    liked = np.select(
        [turns.has_options[place], turns.is_mcq[place]],
        [votes.with_options_up, votes.without_options_up],
        votes.free_response,
    )
    liked = liked * np.array([*design.trial.liked, 1.0])[turns.variant[place]]
    up = rng.random(len(place)) < liked
    drawn, named = rng.random(len(place)), np.where(up, votes.thorough, votes.more)
    reason = np.select(
        [up & (drawn < named), drawn < named, drawn >= named + votes.other_reason],
        ["thorough_explanation", "needs_more_explanation", ""],
        np.where(up, "correct", "incorrect"),
    )
    columns = {
        "trace_id": _names("trace", place),
        "person": _names("person", turns.person[place]),
        "thumb": np.where(up, 1, -1).astype(np.int8),
        "reasons": [[one] if one else [] for one in reason.tolist()],
        "created_at": _times(design, turns.second[place] + 20),
        "updated_at": _times(design, turns.second[place] + 20),
    }
    return pa.table(columns, schema=LOGS["feedback"])


def _ratings(turns: _Turns, design: LogDesign, rng: np.random.Generator) -> pa.Table:
    """A sample of answers, each looked at by one expert, every fifth by two who judge for themselves."""
    first = np.flatnonzero(turns.is_answered & (rng.random(len(turns.second)) < design.rated))
    place = np.sort(np.r_[first, first[::5]])
    satisfied = rng.random(len(place)) < np.where(turns.is_late[place], design.satisfied[1], design.satisfied[0])
    n = len(place)
    columns = {
        "trace_id": _names("trace", place),
        "rater": _names("rater", _places(place)),
        "form": ["satisfaction"] * n,
        "item": [""] * n,
        "value": np.where(satisfied, "1", "0"),
        "batch_id": pa.nulls(n, pa.string()),
        "at": _times(design, turns.second[place] + _DAY),
    }
    return pa.table(columns, schema=LOGS["ratings"])


def _exposures(turns: _Turns, design: LogDesign) -> pa.Table:
    """The first question of each person in the experiment."""
    place = np.flatnonzero(turns.variant >= 0)
    _, first = np.unique(turns.person[place], return_index=True)
    place = np.sort(place[first])
    columns = {
        "person": _names("person", turns.person[place]),
        "experiment": [design.trial.name] * len(place),
        "variant": np.array(design.trial.variants, dtype=object)[turns.variant[place]],
        "at": _times(design, turns.second[place]),
    }
    return pa.table(columns, schema=LOGS["exposures"])


def _experiments(design: LogDesign) -> pa.Table:
    names = design.trial.variants
    columns = {
        "experiment": [design.trial.name] * len(names),
        "variant": list(names),
        "place": np.arange(len(names), dtype=np.int32),
        "weight": np.ones(len(names)),
    }
    return pa.table(columns, schema=LOGS["experiments"])


def _times(design: LogDesign, second: Ints) -> NDArray[np.datetime64]:
    begins = datetime(design.begins.year, design.begins.month, design.begins.day, tzinfo=UTC)
    return (np.int64(begins.timestamp()) + second).astype("datetime64[s]").astype("datetime64[us]")


def _name(kind: str, number: int) -> str:
    return f"simulated-{kind}-{number}"


def _names(kind: str, numbers: Ints) -> list[str]:
    return [_name(kind, one) for one in numbers.tolist()]
