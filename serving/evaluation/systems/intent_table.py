"""Ways to tell what a question is, compared by cross-validation, with what the rule chooses among them. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from models.intent.release.system_choice import SystemChoice, SystemStanding
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Table

NAME = "intent_systems"


@dataclass(frozen=True)
class Compared:
    """One set of labelled questions. `slug` begins the names of its metrics, `about` is a sentence on it."""

    slug: str
    name: str
    about: str
    questions: int
    sessions: int
    parts: int
    choice: SystemChoice
    rounds: int = 1
    """Times that they were dealt into the parts."""


def intent_table(sets: Sequence[Compared], *, served: str | None, missing: Sequence[str] = ()) -> Table:
    """A row for each system and set. `served` is what the settings serve; `missing` says what could not be compared."""
    return Table(
        name=NAME,
        title="What a question is: systems by cross-validation",
        source="LittleMu, 3.2.1; the rule is this project's",
        columns=(
            "Labels",
            "System",
            "Accuracy",
            "Macro-F1",
            "Chit-chat AUC",
            "Chit-chat F1",
            "Macro-F1 ahead of the linear baseline",
            "Macro-F1 behind the best",
            "p",
            "By the rule",
        ),
        rows=tuple(_row(one, standing) for one in sets for standing in one.choice.standings),
        notes=(*(_about(one, served) for one in sets), *(NumberedNote(text) for text in missing), *_NOTES),
    )


_NOTES = (
    NumberedNote(
        "Every question is answered by a system that learnt from the other parts alone; sessions are never divided, "
        "and no text that is asked is among those learnt. All systems learn from the same questions. Macro-F1 has its "
        "95% interval. p: that the best of those that can be served is no better, in macro-F1 (the larger p of a "
        "bootstrap and of exchanged answers) or in chit-chat AUC; twice the smaller of both, after Holm's correction "
        "over the systems. Sessions are drawn whole. Chit-chat F1 is at the alpha .5."
    ),
    NumberedNote(
        "The rule: of the systems that can be served, the simplest (in the order of the rows) that is not shown to be "
        "worse than the best, at a level of .05. With sentence embeddings: the mean of what the system and the linear "
        "heads over sentence embeddings say."
    ),
)


def _row(one: Compared, standing: SystemStanding) -> tuple[Cell, ...]:
    slug = f"{one.slug}/{metric_name(standing.system)}"
    found, behind, ahead = standing.metrics, standing.behind, standing.ahead
    interval = standing.macro_f1
    return (
        one.name,
        standing.system,
        MeasuredNumber(f"{slug}/accuracy", found.accuracy, digits=3),
        MeasuredNumber(f"{slug}/macro_f1", found.macro_f1, interval.low, interval.high, digits=3),
        MeasuredNumber(f"{slug}/chat_auc", found.chat_auc, digits=3),
        MeasuredNumber(f"{slug}/chat_f1", found.chat_f1, digits=3),
        "–"
        if ahead is None
        else MeasuredNumber(f"{slug}/ahead", ahead.macro_f1.value, ahead.macro_f1.low, ahead.macro_f1.high, digits=3),
        "–"
        if behind is None
        else MeasuredNumber(
            f"{slug}/behind", behind.macro_f1.value, behind.macro_f1.low, behind.macro_f1.high, digits=3
        ),
        "–" if behind is None else MeasuredNumber(f"{slug}/p", standing.p, digits=4),
        _verdict(one.choice, standing.system),
    )


def _verdict(choice: SystemChoice, system: str) -> str:
    words = [word for word, who in (("best", choice.best), ("chosen", choice.chosen)) if who == system]
    return ", ".join(words)


def _about(one: Compared, served: str | None) -> NumberedNote:
    if one.choice.chosen is None:
        told = "Nothing that can be served was compared."
    elif served is None:
        told = "What the settings serve is none of these."
    else:
        agrees = "" if served == one.choice.chosen else "not "
        told = f"What the settings serve, *{served}*, is {agrees}what the rule chooses."
    return NumberedNote(
        f"{one.name}: {one.about} {{questions}} questions of {{sessions}} sessions, in {{parts}} parts, "
        f"dealt {{rounds}} time{'s' * (one.rounds > 1)}. {told}",
        {
            "questions": MeasuredNumber(f"{one.slug}/questions", one.questions, style="count"),
            "sessions": MeasuredNumber(f"{one.slug}/sessions", one.sessions, style="count"),
            "parts": MeasuredNumber(f"{one.slug}/parts", one.parts, style="count"),
            "rounds": MeasuredNumber(f"{one.slug}/rounds", one.rounds, style="count"),
        },
    )


def metric_name(system: str) -> str:
    """A system's name as metrics have it: `albert_and_bag`."""
    return "_".join("".join(letter if letter.isalnum() else " " for letter in system.lower()).split())
