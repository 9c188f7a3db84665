"""The classes that lead to one, in an order in which they can be passed, by what the records ask for. Pure."""

import re

from serving.assistant.composing.composed import Composed, ComposedStatement
from serving.assistant.composing.explain import LIKELY
from serving.assistant.composing.material import safe
from serving.assistant.composing.request import Request
from serving.assistant.composing.semester.names import find_classes
from serving.assistant.composing.semester.offers import Catalogue, Class
from serving.assistant.composing.semester.wording import plan_wording

_ORDER = re.compile(
    r"\b(?:(?:what|which) order|work (?:my|your|one's) way|from (?:zero|scratch|nothing|the start|the beginning)"
    r"|road ?map|sequence of|chain of|path (?:to|towards)|all the (?:classes|courses).{0,20}\bbefore"
    r"|how (?:do|can) i get to)\b|什么顺序|从零|从头|路线|一步步|一路",
    re.IGNORECASE,
)


def compose_way(request: Request) -> Composed | None:
    """The order of classes up to the last one that is named; `None` for another question and where none is named."""
    if _ORDER.search(request.asked) is None or not request.catalogue.classes:
        return None
    named = find_classes(request.asked, request.catalogue)
    if not named:
        return None
    said, goal = plan_wording(request.spoken), named[-1]
    steps = way_to(goal, request.catalogue)
    if len(steps) == 1 and not goal.needs.condition:
        return Composed(
            request.kind,
            "full",
            (ComposedStatement(said.needs_none.format(name=safe(goal.name)), goal.evidence),),
            score=LIKELY,
        )
    items = [ComposedStatement(safe(one.name) + _beside(one, said.or_), one.evidence, is_item=True) for one in steps]
    lead = ComposedStatement(said.way.format(name=f"**{safe(goal.name)}**"))
    conditions = [
        ComposedStatement(
            said.left_item.format(name=safe(one.name), reason=said.condition.format(text=safe(one.needs.condition))),
            one.evidence,
        )
        for one in steps
        if one.needs.condition
    ]
    return Composed(request.kind, "partial", (lead, *items, *conditions), score=LIKELY)


def way_to(goal: Class, catalogue: Catalogue) -> list[Class]:
    """The classes to pass before `goal`, each behind what it needs, and `goal` last. Of several ways to meet a
    prerequisite that of the fewest classes is taken; what has no record, and circles, are left out."""
    order: list[Class] = []
    entered: set[str] = set()

    def visit(one: Class) -> None:
        entered.add(one.key)
        for key in sorted(one.needs.missing(frozenset(each.key for each in order))):
            if key in catalogue.classes and key not in entered:
                visit(catalogue.classes[key])
        order.append(one)

    visit(goal)
    return order


def _beside(one: Class, or_: str) -> str:
    """That a class has other ways in than the one that is shown."""
    return f" ({or_})" if len(one.needs.before) > 1 else ""
