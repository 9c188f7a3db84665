"""Human evaluation by course category (LittleMu 4.2.1 and Figure 3a): a table and its picture. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from knowledge_graph.concepts.academic_fields import ACADEMIC_FIELDS
from knowledge_graph.sources.terms import fold_name
from models.statistics.intervals import Interval
from serving.evaluation.figures import COLOURS
from serving.evaluation.ratings.rating_estimates import mean_of_answers
from serving.evaluation.ratings.rating_table import SystemRow
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CATEGORIES: Mapping[str, str] = {
    "工": "engineering",
    "理": "natural science",
    "文": "arts",
    "社": "social science",
    "其": "others",
}
"""The letters of the files, and what the paper calls them."""

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "工": ("computer science", "engineering"),
    "理": ("mathematics", "statistics", "physics", "chemistry", "astronomy", "earth science", "biology"),
    "文": ("history", "philosophy", "language and literature", "art"),
    "社": (
        *("economics", "management", "law", "political science", "sociology", "psychology", "education"),
        "journalism and communication",
    ),
    "其": ("medicine", "agriculture", "sport"),
}
"""The academic fields of each category. The paper lists no fields; these are the usual faculties, a choice."""

_LETTER_OF: Mapping[str, str] = {
    fold_name(name): letter
    for letter, fields in _FIELDS.items()
    for field in ACADEMIC_FIELDS
    if field.en in fields
    for name in (field.en, field.zh)
}

_PUBLISHED_BEST = ("LittleMu", "LittleMu", "LittleMu", "GLM-130B", "GLM-130B")
"""Who performs best in each, by the text of 4.2.1; the figure's heights are not printed."""

Means = Mapping[str, Interval]


def category_of(domains: Iterable[str]) -> str:
    """The letter of a course by the first of its domains that is a known academic field; empty where none is."""
    return next((letter for domain in domains if (letter := _LETTER_OF.get(fold_name(domain)))), "")


def category_means(rows: Sequence[SystemRow]) -> dict[str, Means]:
    """By system, of each category the mean over all six aspects, 0..2. Systems with no category at all are left out."""
    found: dict[str, Means] = {}
    for row in rows:
        if row.system is not None:
            means = {letter: mean_of_answers(row.system, letter) for letter in CATEGORIES}
            if any(mean.n for mean in means.values()):
                found[row.name] = means
    return found


def category_table(rows: Sequence[SystemRow], means: Mapping[str, Means]) -> Table:
    """A row for each system, and who is best in each category, here and in the paper."""
    slugs = {row.name: row.slug for row in rows}
    lines: list[tuple[Cell, ...]] = [
        (name, *(_number(slugs[name], letter, mean) for letter, mean in of_system.items()))
        for name, of_system in means.items()
    ]
    lines += [("best of these", *(_best(means, letter) for letter in CATEGORIES))] if means else []
    lines.append(("best in the paper", *map(Published, _PUBLISHED_BEST)))
    return Table(
        name="ratings_by_category",
        title="Human evaluation by course category, mean of the six aspects, 0 to 2",
        source="LittleMu, Figure 3a",
        columns=("system", *CATEGORIES.values()),
        rows=tuple(lines),
        notes=tuple(_notes(rows, means)),
    )


def paint_categories(figure: "Figure", means: Mapping[str, Means]) -> None:
    """Five bars for each system, with 95% intervals."""
    axes = figure.subplots()
    width = 0.8 / len(CATEGORIES)
    for number, (letter, name) in enumerate(CATEGORIES.items()):
        found = [of_system[letter] for of_system in means.values()]
        places = [place + (number - 2) * width for place in range(len(found))]
        heights = [one.value or 0.0 for one in found]
        halves = [(one.high - one.value) if one.high is not None and one.value is not None else 0.0 for one in found]
        axes.bar(places, heights, width * 0.92, yerr=halves, color=COLOURS[number], label=name, error_kw={"lw": 0.8})
    axes.set_xticks(range(len(means)), list(means))
    axes.tick_params(axis="x", length=0, labelrotation=0 if len(means) <= 6 else 30)
    axes.grid(visible=False, axis="x")
    axes.set_ylim(0, 2)
    axes.set_ylabel("mean of six aspects, 0 to 2")
    figure.legend(loc="outside upper center", ncols=len(CATEGORIES), frameon=False)


def _number(slug: str, letter: str, found: Interval) -> MeasuredNumber:
    return MeasuredNumber.of(f"{slug}/{CATEGORIES[letter].replace(' ', '_')}", found, style="decimal", digits=2)


def _best(means: Mapping[str, Means], letter: str) -> str:
    known = {name: value for name, of_system in means.items() if (value := of_system[letter].value) is not None}
    return max(known, key=lambda name: known[name]) if known else "–"


def _notes(rows: Sequence[SystemRow], means: Mapping[str, Means]) -> Iterator[NumberedNote]:
    if not means:
        yield NumberedNote(
            "No rated answer with a course category was given: set COTEACH_EVAL_RATINGS to files with a column "
            f"`category` that holds {', '.join(CATEGORIES)}, or rate answers on the page "
            "/rate of courses whose domains are known academic fields."
        )
        return
    yield NumberedNote(
        "Each answer's raters and aspects are averaged first; intervals are over answers and know nothing of "
        "differences between raters, which are larger (see the table of agreement)."
    )
    systems = [row.system for row in rows if row.system is not None]
    without = sum(row.category not in CATEGORIES for one in systems for file in one.files for row in file.rows)
    yield NumberedNote(
        "{without} ratings name no known category and are in none.",
        {"without": MeasuredNumber("without_category", without, style="count")},
    )
