"""The state machine of self-reflection: every transition, every cap, and that every walk ends."""

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.assistant.reflection.machine import TABLE, Caps, Event, State, Walk, drawn

EVENTS = {state: [event for known, event in TABLE if known == state] for state in get_args(State)}


def walk(*events: Event, caps: Caps | None = None) -> Walk:
    found = Walk()
    for event in events:
        found = found.after(event, caps or Caps())
    return found


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ((), "retrieve"),
        (("found",), "generate"),
        (("found", "written"), "grounded?"),
        (("found", "written", "yes"), "answers?"),
        (("found", "written", "yes", "yes"), "done"),
        (("found", "written", "no"), "generate"),
        (("found", "failed"), "material"),
        (("found", "failed", "found"), "done"),
        (("found", "failed", "nothing"), "ask_ta"),
        (("found", "failed", "nothing", "written"), "done"),
        (("found", "written", "yes", "no"), "rewrite"),
        (("found", "written", "yes", "no", "rewritten"), "retrieve"),
        (("found", "written", "yes", "no", "unchanged"), "clarify"),
        (("found", "written", "yes", "no", "unchanged", "questions"), "done"),
        (("found", "written", "yes", "no", "unchanged", "nothing"), "ask_ta"),
        (("nothing",), "rewrite"),
    ],
)
def test_each_event_leads_where_the_table_says(events: tuple[Event, ...], state: State) -> None:
    assert walk(*events).state == state


def test_a_draft_is_written_again_twice_and_then_the_material_speaks() -> None:
    once = walk("found", "written", "no")
    assert (once.state, once.regenerations) == ("generate", 1)
    twice = walk("found", *(("written", "no") * 2))
    assert (twice.state, twice.regenerations) == ("generate", 2)
    assert walk("found", *(("written", "no") * 3)).state == "material"


def test_a_question_is_rewritten_twice_and_then_clarified() -> None:
    tried: tuple[Event, ...] = ("found", "written", "yes", "no", "rewritten")
    assert (walk(*tried).state, walk(*tried).rewrites) == ("retrieve", 1)
    assert walk(*tried, *tried[:-1]).rewrites == 2
    assert walk(*tried, *tried, "nothing").state == "clarify"


def test_caps_of_none_allow_no_loop_at_all() -> None:
    none = Caps(0, 0)
    assert walk("found", "written", "no", caps=none).state == "material"
    assert walk("found", "written", "yes", "no", caps=none).state == "clarify"
    assert walk("nothing", caps=none).state == "clarify"


def test_an_event_that_a_state_does_not_know_is_named_with_those_it_knows() -> None:
    with pytest.raises(ValueError, match="no event written; there are: found, nothing"):
        Walk().after("written", Caps())


def test_the_path_is_kept_for_the_trace() -> None:
    assert walk("found", "written", "no").path == ("retrieve: found", "generate: written", "grounded?: no")


@given(st.integers(0, 4), st.integers(0, 4), st.randoms(use_true_random=False))
def test_every_walk_ends_within_its_caps(regenerations: int, rewrites: int, chance: object) -> None:
    caps, found, steps = Caps(regenerations, rewrites), Walk(), 0
    while found.state != "done":
        found = found.after(chance.choice(EVENTS[found.state]), caps)  # type: ignore[attr-defined]
        steps += 1
        assert found.regenerations <= regenerations
        assert found.rewrites <= rewrites
        assert steps <= 5 + 2 * regenerations + 5 * (rewrites + 1) + 3


def test_every_state_but_the_last_has_a_way_on_and_every_way_leads_to_a_state() -> None:
    assert [state for state, events in EVENTS.items() if not events] == ["done"]
    assert {each.to for each in TABLE.values()} | {each.spent for each in TABLE.values()} - {None} <= set(EVENTS)


def test_the_documentation_shows_the_table_as_it_is() -> None:
    page = Path(__file__).parents[2] / "docs" / "self-reflection.md"
    assert drawn() in page.read_text(encoding="utf-8")
