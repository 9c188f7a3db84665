"""How good a course's graph is against what people labelled, as the last build measured it, beside what needs no
learning."""

from serving.pages.graph_reading import Measured
from serving.pages.parts import text
from serving.pages.tables import show_table
from serving.pages.words import PageTexts

_MEASURES = ("precision", "recall", "f1")
_SYSTEMS = ("coteach", "shown", "reference_distance", "first_mention", "every_pair")
"""Of the prerequisites, in the order of the table's rows."""


def show_quality(measured: Measured, say: PageTexts) -> None:
    """A table for concepts and prerequisites, as far as there is gold for them."""
    if not measured:
        text(say("not_measured"), "empty")
        return
    text(say("measured_how"), "muted")
    head = [say("measured_what"), say("precision"), say("recall"), "F1"]
    show_table(head, [*_of_concepts(measured, say), *_of_pairs(measured, say)], numbers=(1, 2, 3))
    if labelled := measured.get(("prerequisites", "coteach", "labelled")):
        covered = measured["prerequisites", "coteach", "covered"]
        text(say("measured_pairs", labelled=int(labelled), covered=int(covered)), "small muted")


def _of_concepts(measured: Measured, say: PageTexts) -> list[list[str]]:
    figures = {measure: value for (of, _, measure), value in measured.items() if of == "concepts"}
    if not figures:
        return []
    ranked, gold = int(figures["concepts"]), int(figures["gold_concepts"])
    rows = [[say("concepts_of_gold", ranked=ranked, gold=gold), *_shares(figures["precision"], figures["recall"]), "–"]]
    if ranked >= 50:
        rows.append([say("first_concepts", count=50), *_shares(figures["precision_at_50"]), "–", "–"])
    return rows


def _of_pairs(measured: Measured, say: PageTexts) -> list[list[str]]:
    return [
        [say(f"system_{system}"), *_shares(*(measured["prerequisites", system, name] for name in _MEASURES))]
        for system in _SYSTEMS
        if ("prerequisites", system, "f1") in measured
    ]


def _shares(*values: float) -> list[str]:
    return [f"{100 * value:.0f}%" for value in values]
