"""The table of a catalogue's ablations: one row per arm, beside what the paper says of it. Pure."""

from collections.abc import Iterator, Sequence

from knowledge_graph.sources.passages import DOCUMENT_CHARACTERS
from models.statistics.intervals import mean, wilson
from serving.evaluation.catalog.catalog_ablation import CatalogAblation, Paired, compare_arms
from serving.evaluation.catalog.catalogs import LabelledCatalog
from serving.evaluation.tables import Cell, MeasuredNumber, NumberedNote, Published, Table


def ablation_table(found: Sequence[CatalogAblation], *, notes: Sequence[NumberedNote] = ()) -> Table:
    """One row per arm; each arm is compared with the first of its ablation."""
    return Table(
        "catalog_ablations",
        "What chunks, modes, title words and embeddings are worth to the catalogue expert",
        "Tulane, sections 2.III (chunks), 2.IV (embeddings), 2.V (title words) and 3.II (modes)",
        (
            "catalogue",
            "what changes",
            "arm",
            "questions",
            "first page right",
            "gold in first 5",
            "gained",
            "lost",
            "p",
            "documents in 16,000 tokens",
            "the paper",
        ),
        tuple(row for one in found for row in _rows_of(one)),
        (*notes, *(_ABOUT if found else ())),
    )


_ABOUT = (
    NumberedNote(
        "Gained and lost are questions whose first page is right in this arm alone and in the first arm alone; p is of "
        "McNemar's exact test of the two. No p where no question tells them apart. One question belongs to an expert "
        "when all its gold records do; others are not asked here."
    ),
    NumberedNote(
        "Only what is found is measured here: the paper's fall of accuracy in mixed mode was one of written answers. "
        "A token is counted as four characters. The simulated catalogue is made up, and its pages are as long as whole "
        "pages must be for the paper's figure: that pieces are more follows from the code, and nothing is shown of "
        "accuracy."
    ),
)


def _rows_of(one: CatalogAblation) -> Iterator[tuple[Cell, ...]]:
    usual = next(iter(one.arms.values()))
    for number, (arm, outcome) in enumerate(one.arms.items()):
        key = f"{one.name}/arm_{number}"
        said: Cell = Published(one.published[arm]) if arm in one.published else ""
        counted: Cell = ""
        if one.counts_documents:
            given = outcome.documents
            counted = MeasuredNumber(f"{key}/documents", sum(given) / len(given) if given else None, digits=1)
        yield (
            one.where,
            one.about,
            arm,
            MeasuredNumber(f"{key}/questions", len(outcome.hits), style="count"),
            MeasuredNumber.of(f"{key}/hit_at_1", wilson(sum(outcome.hits), len(outcome.hits))),
            MeasuredNumber(f"{key}/recall_at_5", mean(outcome.recalls).value, style="percent", digits=1),
            *_comparison_cells(key, compare_arms(usual, outcome), is_usual=number == 0),
            counted,
            said,
        )


def _comparison_cells(key: str, found: Paired, *, is_usual: bool) -> tuple[Cell, Cell, Cell]:
    if is_usual:
        return "", "", ""
    return (
        MeasuredNumber(f"{key}/gained", found.gained, style="count"),
        MeasuredNumber(f"{key}/lost", found.lost, style="count"),
        MeasuredNumber(f"{key}/p", found.p, digits=3),
    )


def notes_on(catalogs: Sequence[LabelledCatalog], *, why_no_embeddings: str) -> list[NumberedNote]:
    """What the table cannot show: pages too short to be split, parts that are not there. `why_no_embeddings` is empty
    when there are some."""
    if not catalogs:
        return [NumberedNote(_NO_CATALOGUE)]
    told = [_lengths(one) for one in catalogs]
    if why_no_embeddings:
        plain = why_no_embeddings.replace("{", "{{").replace("}", "}}")
        told.append(NumberedNote(f"Embeddings are not measured. {plain}"))
    return told


_NO_CATALOGUE = (
    "Modes, title words and embeddings are not measured here: no course of this home has a catalogue with labelled "
    "questions. They are the lines of `gold/questions.jsonl` in the course's folder."
)


def _lengths(catalog: LabelledCatalog) -> NumberedNote:
    pages = [record for record in catalog.records if record.mode == "program"]
    long = sum(len(record.text) > DOCUMENT_CHARACTERS for record in pages)
    return NumberedNote(
        f"{catalog.course_id}: of {{pages}} pages of programs {{long}} have more than {DOCUMENT_CHARACTERS:,} "
        "characters; chunks change nothing where none has, and where all pages fit into the context.",
        {
            "pages": MeasuredNumber(f"{catalog.name}/program_pages", len(pages), style="count"),
            "long": MeasuredNumber(f"{catalog.name}/long_pages", long, style="count"),
        },
    )
