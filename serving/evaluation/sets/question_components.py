"""What students' questions are made of: the six categories of LittleMu, Table 1, counted beside the paper. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.intent.labels.categories import CATEGORIES, Category
from models.statistics.intervals import wilson
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table

PUBLISHED: Mapping[Category, tuple[int, str]] = {
    "simple": (2117, "52.90%"),
    "complex": (293, "7.32%"),
    "general_chat": (571, "14.27%"),
    "emotional_chat": (131, "3.27%"),
    "platform_faq": (449, "11.22%"),
    "other": (441, "11.02%"),
}
"""Number and share of each in Table 1."""

_GROUPS: Mapping[str, tuple[Category, ...]] = {
    "knowledge questions": ("simple", "complex"),
    "chit-chat": ("general_chat", "emotional_chat"),
    "others": ("platform_faq", "other"),
}
_PUBLISHED_GROUPS = {"knowledge questions": "60.22%", "chit-chat": "17.54%", "others": "22.24%"}
_TOTAL = sum(number for number, _ in PUBLISHED.values())


@dataclass(frozen=True)
class Labelled:
    """Questions with categories. `name` heads the column, `about` is a sentence on where they come from.

    `slug` begins the names of their metrics.
    """

    slug: str
    name: str
    about: str
    categories: Sequence[Category]
    blank: int = 0


def components_table(sets: Sequence[Labelled]) -> Table:
    """Six categories and three groups; for each set of questions its number and share."""
    columns = ["category", "published", "share"]
    for one in sets:
        columns += [one.name, "share"]
    counted = [Counter(one.categories) for one in sets]
    rows: list[tuple[Cell, ...]] = []
    for group, members in _GROUPS.items():
        number = sum(PUBLISHED[member][0] for member in members)
        cells = _counts(sets, counted, members, group.replace(" ", "_").replace("-", "_"))
        rows.append((group, Published(f"{number:,}"), Published(_PUBLISHED_GROUPS[group]), *cells))
        for member in members:
            number, share = PUBLISHED[member]
            named = member.replace("_", " ")
            rows.append(
                (f"— {named}", Published(f"{number:,}"), Published(share), *_counts(sets, counted, (member,), member))
            )
    totals = [
        cell for one in sets for cell in (MeasuredNumber(f"{one.slug}/all", len(one.categories), style="count"), "")
    ]
    rows.append(("all", Published(f"{_TOTAL:,}"), "", *totals))
    return Table(
        name="question_components",
        title="What students' questions are made of",
        source="LittleMu, Table 1",
        columns=tuple(columns),
        rows=tuple(rows),
        notes=tuple(_notes(sets, counted)),
    )


def equal_leaves(categories: Sequence[Category]) -> int:
    """How many of the six counts are the published ones."""
    counted = Counter(categories)
    return sum(counted[name] == PUBLISHED[name][0] for name in CATEGORIES)


def _counts(
    sets: Sequence[Labelled], counted: Sequence[Counter[Category]], members: Sequence[Category], name: str
) -> list[Cell]:
    cells: list[Cell] = []
    for one, found in zip(sets, counted, strict=True):
        number, metric = sum(found[member] for member in members), f"{one.slug}/{name}"
        share = wilson(number, len(one.categories)).value
        cells += [
            MeasuredNumber(metric, number, style="count"),
            MeasuredNumber(f"{metric}.share", share, style="percent", digits=2),
        ]
    return cells


def _notes(sets: Sequence[Labelled], counted: Sequence[Counter[Category]]) -> list[NumberedNote]:
    notes = [
        NumberedNote(
            "The paper's text says that 16% of chit-chat is emotional, its table 131 of 702; the table is used here."
        )
    ]
    for one, found in zip(sets, counted, strict=True):
        chat = found["general_chat"] + found["emotional_chat"]
        numbers = {
            "equal": MeasuredNumber(f"{one.slug}/equal_counts", equal_leaves(one.categories), style="count"),
            "blank": MeasuredNumber(f"{one.slug}/blank", one.blank, style="count"),
            "emotional": MeasuredNumber.of(f"{one.slug}/emotional_of_chat", wilson(found["emotional_chat"], chat)),
        }
        told = (
            f"{one.name}: {one.about} {{equal}} of the six counts are the published ones; {{blank}} rows have no label "
        )
        notes.append(NumberedNote(f"{told}or no question. Of chit-chat {{emotional}} is emotional.", numbers))
    return notes
