"""A store in which every kind of turn, thumb and rating occurs, for tests of what is counted in it."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

from sqlalchemy.orm import Session

from serving.store.tables.conversation import ChatSession, Feedback, TurnRow
from serving.store.tables.experiment import Experiment, Exposure
from serving.store.tables.identity import Person
from serving.store.tables.rating import Rating

BEGAN = datetime(2026, 2, 24, 9, tzinfo=UTC)
"""A Tuesday; the last turns are in March."""

ROUTES = ("direct", "teach", "explain", "chat", "refuse", "clarify", "ask_ta", None)
OUTCOMES = ("answered", "stopped", "failed")
LISTED = "Which of these is a tree?\nA. a ring\nB. a heap\nC. a row"
BARE = "Which of the following is a tree?"


def add_everything(db: Session) -> None:
    """Turns of every route, outcome, course and form in sessions of up to five, by four people in two of three buckets;
    thumbs and ratings on some of them."""
    people = [f"person-{number}" for number in range(4)]
    db.add_all(Person(person_id=one) for one in (*people, "expert-a", "expert-b"))
    variants = [{"name": name, "weight": 1, "settings": {}} for name in ("plain", "new", "{unmet}")]
    db.add(Experiment(experiment_id="trial", name="prompts", variants=variants))
    db.flush()
    kinds = list(product(ROUTES, OUTCOMES, (False, True), ("trees", "graphs", None), (None, "frq", "mcq")))
    for number in range(0, len(kinds), 5):
        person = people[number % 4]
        db.add(ChatSession(session_id=f"session-{number}", person_id=person))
        db.flush()
        for position, kind in enumerate(kinds[number : number + 5]):
            db.add(_turn(number, position, person, *kind))
    for number, person in enumerate(people):
        db.add(Exposure(experiment_id="trial", person_id=person, variant=("plain", "new")[number % 2], at=BEGAN))
    _add_talk(db)
    db.flush()
    _add_opinions(db, len(kinds))


def _turn(
    number: int,
    position: int,
    person: str,
    route: str | None,
    outcome: str,
    degraded: bool,
    course_id: str | None,
    form: str | None,
) -> TurnRow:
    place = number + position
    takes_part = place % 2 == 0
    return TurnRow(
        trace_id=f"trace-{place}",
        session_id=f"session-{number}",
        person_id=person,
        position=position,
        asked_at=BEGAN + timedelta(minutes=40 * place),
        question=(LISTED if place // 3 % 3 else BARE) if form == "mcq" else "What is a tree?",
        answer="A tree.",
        outcome=outcome,
        route=route,
        degraded=degraded,
        course_id=course_id,
        form=form,
        source="faq" if route == "direct" else None,
        experiment="prompts" if takes_part else None,
        variant=("plain", "new")[int(person[-1]) % 2] if takes_part else None,
    )


def _add_talk(db: Session) -> None:
    """A course of which nobody asked a question."""
    db.add(ChatSession(session_id="talk", person_id="person-0"))
    db.flush()
    at: dict[str, Any] = {
        "asked_at": BEGAN,
        "question": "Hello!",
        "answer": "Hello.",
        "outcome": "answered",
        "route": "chat",
    }
    db.add(TurnRow(trace_id="talk", session_id="talk", person_id="person-0", position=0, course_id="quiet", **at))


def _add_opinions(db: Session, turns: int) -> None:
    for place in range(0, turns, 2):
        thumb = 1 if place // 3 % 3 else -1
        reasons = {0: [], 1: ["correct", "fast"], 2: ["thorough_explanation"]}[place // 3 % 3]
        said: dict[str, Any] = {"reasons": reasons, "comment": "Ming says so", "updated_at": BEGAN}
        db.add(Feedback(trace_id=f"trace-{place}", person_id=f"person-{place % 4}", thumb=thumb, **said))
    for place in range(0, turns, 7):
        raters = ("expert-a", "expert-b")[: 1 + place % 2]
        for rater, value in zip(raters, ("1", "0") if place % 3 else ("0", "0"), strict=False):
            known: dict[str, Any] = {"form": "satisfaction", "value": value, "at": BEGAN}
            db.add(Rating(trace_id=f"trace-{place}", person_id=rater, **known))
        db.add(Rating(trace_id=f"trace-{place}", person_id="expert-a", form="aspects", item="coherence", value="2"))
