"""The scores of the best pages for a question: the part of the cosine and the part of the title words (Tulane 5.I).

The paper's figure shows that "the math Minor query appropriately scored the math minor chunk with the greatest score".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from serving.assistant.retrieval.candidates import Retrieved
from serving.evaluation.catalog.catalogs import LabelledCatalog
from serving.evaluation.catalog.projection import Projection, shorten_title
from serving.evaluation.figures import COLOURS
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHARTED = "math minor"
PROJECTED = "Computer Science Major"
"""The two questions of the paper's figures (Tulane 5.I), asked of the expert on programs."""

SHOWN = 5
"""Rows of a table for each question. A choice."""

_BARS = 10
_LONGEST_TITLE = 44
_NO_CATALOGUE = (
    "Not measured here: no course of this home has a catalogue. Put saved pages into the folder `catalog` of a course, "
    "or links into its `catalog.yaml`, and run `coteach build`."
)


@dataclass(frozen=True)
class ScoredPage:
    """One page with the two parts of its score, each 0..1 before the weight of the title words."""

    entry_id: str
    title: str
    cosine: float
    title_words: float

    @property
    def score(self) -> float:
        return self.cosine + self.title_words


@dataclass(frozen=True)
class Looked:
    """What one catalogue gives for the paper's two questions: the pages found, and the space they lie in."""

    catalog: LabelledCatalog
    charted: tuple[ScoredPage, ...]
    projected: tuple[ScoredPage, ...]
    projection: Projection | None
    pages: int


def score_pages(found: Retrieved) -> tuple[ScoredPage, ...]:
    """What `catalog_expert` gave, best first, with the parts it tells."""
    return tuple(
        ScoredPage(one.entry.entry_id, one.entry.title, one.parts["cosine"], one.parts["title"]) for one in found.ranked
    )


def paint_scores(figure: "Figure", pages: Sequence[ScoredPage], *, question: str) -> None:
    """One bar for each of the best pages, the best on top."""
    axes = figure.add_subplot()
    best = list(reversed(pages[:_BARS]))
    titles = [shorten_title(page.title, _LONGEST_TITLE) for page in best]
    heights = range(len(best))
    cosines, words = [page.cosine for page in best], [page.title_words for page in best]
    axes.barh(heights, cosines, color=COLOURS[0], label="cosine of TF-IDF")
    axes.barh(heights, words, left=cosines, color=COLOURS[1], label="words of the question in the title")
    axes.set_yticks(heights, titles)
    axes.set_xlabel(f"score for “{question}”")
    axes.grid(visible=False, axis="y")
    axes.legend(loc="lower right", frameon=False)


def projection_table(looked: Sequence[Looked]) -> Table:
    """The best pages for the paper's two questions, with the parts of their scores; what a picture keeps in notes."""
    columns = ("catalogue", "question", "rank", "page", "cosine", "title words", "score")
    rows: list[tuple[Cell, ...]] = [
        ("Tulane's", CHARTED, "1", Published("the math minor chunk"), "", "", ""),
        *(row for one in looked for row in _rows_of(one, CHARTED, one.charted)),
        *(row for one in looked for row in _rows_of(one, PROJECTED, one.projected)),
    ]
    notes = tuple(_explanation(one) for one in looked) if looked else (NumberedNote(_NO_CATALOGUE),)
    return Table(
        "catalog_projection",
        "What the catalogue expert finds, and how it is scored",
        "Tulane, section 5.I: the projection of “Computer Science Major” and the score chart of “math minor”",
        columns,
        tuple(rows),
        (*notes, NumberedNote(_ABOUT)) if looked else notes,
    )


_ABOUT = (
    "Both questions are the paper's own, asked of the expert on programs. The score is the cosine of TF-IDF plus the "
    "share of the question's words that stand in the title; the paper adds them too and does not print the scores."
)


def _rows_of(one: Looked, question: str, pages: Sequence[ScoredPage]) -> list[tuple[Cell, ...]]:
    slug = question.lower().replace(" ", "_")
    return [
        (
            one.catalog.course_id,
            question,
            str(rank),
            page.title,
            MeasuredNumber(f"{one.catalog.name}/{slug}/{rank}/cosine", page.cosine),
            MeasuredNumber(f"{one.catalog.name}/{slug}/{rank}/title_words", page.title_words),
            MeasuredNumber(f"{one.catalog.name}/{slug}/{rank}/score", page.score),
        )
        for rank, page in enumerate(pages[:SHOWN], start=1)
    ]


def _explanation(one: Looked) -> NumberedNote:
    name, found = one.catalog.name, one.projection
    pages = MeasuredNumber(f"{name}/pages", one.pages, style="count")
    retrieved = MeasuredNumber(f"{name}/retrieved", len(one.projected), style="count")
    if found is None:
        text = f"{one.catalog.course_id}: {{pages}} pages of programs are too few, or too much alike, for a projection."
        return NumberedNote(text, {"pages": pages})
    text = (
        f"{one.catalog.course_id}: of {{pages}} pages of programs {{retrieved}} have anything of “{PROJECTED}” and fit "
        "into the paper's 16,000 tokens. The three directions of the picture hold {first}, {second} and {third} of the "
        "variance: pages that lie together in it need not be alike."
    )
    shares = {
        key: MeasuredNumber(f"{name}/explained_{place}", share, style="percent", digits=1)
        for place, (key, share) in enumerate(zip(("first", "second", "third"), found.explained, strict=True), start=1)
    }
    return NumberedNote(text, {"pages": pages, "retrieved": retrieved, **shares})
