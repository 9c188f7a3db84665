"""A catalogue's schedule as a page: a section for each term, a line for each class."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from knowledge_graph.lake.records import Lang, Offering, from_row
from serving.assistant.composing.semester.calendar import terms_in
from serving.assistant.composing.semester.wording import plan_wording
from serving.gateway.source_pages.sections import DocumentPage, PageSection
from serving.pages.words import words


def schedule_page(rows: Sequence[Mapping[str, Any]], lang: Lang) -> DocumentPage:
    """The offerings of one file in the order of the terms and of the codes, as the reader's language writes days."""
    offerings = [from_row(Offering, dict(row)) for row in rows]
    order = {term.label: place for place, term in enumerate(terms_in(one.term for one in offerings))}
    ordered = sorted(offerings, key=lambda one: (order[one.term], one.code, one.section))
    parts = [
        PageSection("", term, "\n".join(_line(one, lang) for one in each), lang)
        for term, each in groupby(ordered, key=lambda one: one.term)
    ]
    return DocumentPage(offerings[0].file, tuple(parts), kind="schedule")


def _line(one: Offering, lang: Lang) -> str:
    say, said = words("source", lang), plan_wording(lang)
    section = say("schedule_section", section=one.section) if one.section else ""
    name = " ".join(part for part in (one.code, one.title, section) if part)
    told = (
        name,
        said.meets(one),
        said.credits.format(credits=f"{one.credits:g}") if one.credits is not None else "",
        say("schedule_seats", seats=one.seats) if one.seats is not None else "",
        one.room or "",
        one.instructor or "",
    )
    return " · ".join(part for part in told if part)
