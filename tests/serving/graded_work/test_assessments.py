"""The graded work of a course as its staff read it, over HTTP."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from gateways import Gateway, bearer, running
from graded_home import BRACKETS, QUEUE, QUEUE_ZH, item, rule

from knowledge_graph.lake.records import GradedItem
from serving.assistant.graded_work.assessments import gather_assessments, rule_state
from serving.assistant.graded_work.rules import is_in_force
from serving.settings import Settings

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
BEFORE, AFTER = "2026-11-25T11:59:59+00:00", "2026-11-25T12:00:01+00:00"


def got(home: Path, *, role: Any = "ta", course: str = "ds", courses: list[str] | None = None) -> Any:
    async def run() -> Any:
        async with running(Settings(home=home, access="keys")) as gateway:
            return await _ask(gateway, role, course, courses)

    return asyncio.run(run())


async def _ask(gateway: Gateway, role: Any, course: str, courses: list[str] | None) -> Any:
    key = gateway.key(role, courses=courses)
    return await gateway.client.get(f"/v1/courses/{course}/assessments", headers=bearer(key))


def ruled() -> list[GradedItem]:
    return [
        item(QUEUE, "hints", closes="2999-01-01T00:00:00+00:00"),
        item(BRACKETS, "hints", number=2, closes="2999-01-01T00:00:00+00:00"),
        item(
            "Balance a tree by hand and draw each step of it.",
            "closed",
            assessment="Midterm",
            opens="2998-01-01T00:00:00+00:00",
        ),
        item(QUEUE_ZH, "references", course_id="sjjg", assessment="作业三", lang="zh"),
    ]


def test_staff_read_what_each_work_allows_when_and_its_items(graded: Path) -> None:
    rule(graded, ruled())
    reply = got(graded)
    assert reply.status_code == 200
    first, second = reply.json()["data"]
    assert first == {
        "name": "Assignment 3",
        "allows": "hints",
        "opens": None,
        "closes": "2999-01-01T00:00:00+00:00",
        "state": "in_force",
        "items": [QUEUE, BRACKETS],
    }
    assert (second["name"], second["allows"], second["state"], len(second["items"])) == (
        "Midterm",
        "closed",
        "to_come",
        1,
    )


def test_a_home_without_rules_has_an_empty_list(graded: Path) -> None:
    assert got(graded).json() == {"course": "ds", "data": []}


@pytest.mark.parametrize(
    ("asker", "status"),
    [({"role": "student"}, 403), ({"courses": ["sjjg"]}, 404), ({"course": "nope"}, 404)],
    ids=["student", "ta of another course", "no such course"],
)
def test_nobody_else_reads_an_item_or_that_there_is_one(graded: Path, asker: dict[str, Any], status: int) -> None:
    rule(graded, ruled())
    reply = got(graded, **asker)
    assert reply.status_code == status
    assert "Assignment 3" not in reply.text
    assert "two stacks" not in reply.text


def test_two_works_of_one_name_under_different_rules_stay_two() -> None:
    found = gather_assessments([item(QUEUE, "hints"), item(BRACKETS, "closed", number=2)], NOON)
    assert [(one.name, one.allows, one.items) for one in found] == [
        ("Assignment 3", "hints", (QUEUE,)),
        ("Assignment 3", "closed", (BRACKETS,)),
    ]


@pytest.mark.parametrize(
    ("opens", "closes", "state"),
    [(None, None, "in_force"), (AFTER, None, "to_come"), (None, BEFORE, "over"), (BEFORE, AFTER, "in_force")],
)
def test_what_is_told_of_a_rule_is_what_it_does(opens: str | None, closes: str | None, state: str) -> None:
    assert rule_state(opens, closes, NOON) == state
    assert is_in_force(item(opens=opens, closes=closes), NOON) == (state == "in_force")
