"""`Assessment`: graded work as a course's staff read it, with its rule, its times and its items."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Literal

from knowledge_graph.lake.records import Allowed, GradedItem

RuleState = Literal["to_come", "in_force", "over"]


@dataclass(frozen=True)
class Assessment:
    """`opens` and `closes` are ISO 8601 in UTC; `None`: the rule has no beginning, or no end. `items` are texts."""

    name: str
    allows: Allowed
    opens: str | None
    closes: str | None
    state: RuleState
    items: tuple[str, ...]


def gather_assessments(items: Iterable[GradedItem], now: datetime) -> tuple[Assessment, ...]:
    """The assessments of one course, whose items stand in the order of its card. Two of one name under different rules
    stay two."""
    return tuple(
        Assessment(name, allows, opens, closes, rule_state(opens, closes, now), tuple(one.text for one in own))
        for (name, allows, opens, closes), own in groupby(items, _rule_of)
    )


def rule_state(opens: str | None, closes: str | None, now: datetime) -> RuleState:
    """Whether a rule holds now: from when it opens until it closes, always without times."""
    if opens is not None and now < datetime.fromisoformat(opens):
        return "to_come"
    return "over" if closes is not None and datetime.fromisoformat(closes) < now else "in_force"


def _rule_of(item: GradedItem) -> tuple[str, Allowed, str | None, str | None]:
    return item.assessment, item.allows, item.opens, item.closes
