"""What must hold of rows that come from outside, as Great Expectations suites, and how they are run.

Division of labour: these suites look at one source's rows before dbt reads them; dbt tests look at the unified table;
facts about graphs, models and the index are plain asset checks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pyarrow.parquet as pq

from knowledge_graph.lake.records import GIVEN, LANGS, Allowed, StatementKind
from knowledge_graph.sources.fields import LONGEST_QUESTION, LONGEST_TEXT
from knowledge_graph.sources.schedule import MOST_CREDITS

LONGEST_ASKED = 4_000
"""Characters of a question that a TA answers: students explain themselves."""
LONGEST_DESCRIPTION = 200_000
"""Characters of one topic of a program: its requirements are pages of tables."""

# Great Expectations takes 1.6 s to import, 4 s with all that it brings, so only the functions that run a suite import
# it. An expectation is kept as its type and arguments until then.
Expectation = tuple[str, dict[str, Any]]


def _present(column: str, longest: int) -> list[Expectation]:
    return [
        ("ExpectColumnValuesToNotBeNull", {"column": column}),
        ("ExpectColumnValueLengthsToBeBetween", {"column": column, "min_value": 1, "max_value": longest}),
    ]


FAQ_EXPECTATIONS: Sequence[Expectation] = (
    ("ExpectColumnValuesToBeUnique", {"column": "origin_id"}),
    *_present("question", LONGEST_QUESTION),
    *_present("answer", LONGEST_TEXT),
)

INFORMAL_REVIEW_EXPECTATIONS: Sequence[Expectation] = (
    ("ExpectColumnValuesToBeUnique", {"column": "review_id"}),
    *_present("about", LONGEST_QUESTION),
    *_present("text", LONGEST_TEXT),
)

TA_ANSWER_EXPECTATIONS: Sequence[Expectation] = (
    ("ExpectColumnValuesToBeUnique", {"column": "origin_id"}),
    *_present("question", LONGEST_ASKED),
    *_present("answer", LONGEST_TEXT),
    *_present("reviewer", LONGEST_QUESTION),
    ("ExpectColumnValuesToBeInSet", {"column": "lang", "value_set": list(LANGS)}),
)

TEACHER_EDIT_EXPECTATIONS: Sequence[Expectation] = (
    ("ExpectColumnValuesToBeUnique", {"column": "edit_id"}),
    *_present("subject", LONGEST_QUESTION),
    ("ExpectColumnValuesToBeInSet", {"column": "kind", "value_set": list(get_args(StatementKind))}),
)

SNIPPET_EXPECTATIONS: Sequence[Expectation] = (
    *_present("query", LONGEST_QUESTION),
    *_present("headline", LONGEST_QUESTION),
    *_present("text", LONGEST_TEXT),
    ("ExpectColumnValuesToBeBetween", {"column": "position", "min_value": 1}),
)

SCHOLAR_EXPECTATIONS: Sequence[Expectation] = (
    *_present("record_id", LONGEST_QUESTION),
    *_present("question", LONGEST_QUESTION),
    *_present("answer", LONGEST_TEXT),
    ("ExpectColumnValuesToBeInSet", {"column": "kind", "value_set": ["scholar", "paper", "trend"]}),
    ("ExpectColumnValuesToBeBetween", {"column": "position", "min_value": 1}),
)

CATALOG_EXPECTATIONS: Sequence[Expectation] = (
    ("ExpectColumnValuesToBeUnique", {"column": "record_id"}),
    *_present("title", LONGEST_QUESTION),
    *_present("text", LONGEST_DESCRIPTION),
    ("ExpectColumnValuesToBeInSet", {"column": "mode", "value_set": ["class", "program"]}),
)

SCHEDULE_EXPECTATIONS: Sequence[Expectation] = (
    ("ExpectColumnValuesToBeUnique", {"column": "offering_id"}),
    *_present("code", LONGEST_QUESTION),
    *_present("term", LONGEST_QUESTION),
    ("ExpectColumnValuesToBeBetween", {"column": "credits", "min_value": 0, "max_value": MOST_CREDITS}),
    ("ExpectColumnValuesToBeBetween", {"column": "seats", "min_value": 0}),
)

GRADED_ITEM_EXPECTATIONS: Sequence[Expectation] = (
    *_present("assessment", LONGEST_QUESTION),
    *_present("text", LONGEST_TEXT),
    ("ExpectColumnValuesToBeInSet", {"column": "allows", "value_set": list(get_args(Allowed))}),
    ("ExpectColumnValuesToBeInSet", {"column": "lang", "value_set": list(LANGS)}),
)

DOCUMENT_EXPECTATIONS: Sequence[Expectation] = (
    *_present("text", LONGEST_TEXT),
    ("ExpectColumnValueLengthsToBeBetween", {"column": "heading", "max_value": LONGEST_QUESTION}),
    ("ExpectColumnValuesToBeBetween", {"column": "page", "min_value": 1}),
    ("ExpectCompoundColumnsToBeUnique", {"column_list": ["document", "section_index"]}),
    ("ExpectCompoundColumnsToBeUnique", {"column_list": ["document", "section_key"]}),
)

STATEMENT_EXPECTATIONS: Sequence[Expectation] = (
    *_present("subject", LONGEST_QUESTION),
    ("ExpectColumnValueLengthsToBeBetween", {"column": "object", "min_value": 1, "max_value": LONGEST_QUESTION}),
    ("ExpectColumnValueLengthsToBeBetween", {"column": "definition", "min_value": 1, "max_value": LONGEST_TEXT}),
    ("ExpectColumnValuesToBeInSet", {"column": "kind", "value_set": list(get_args(StatementKind))}),
    ("ExpectColumnValuesToBeInSet", {"column": "given_by", "value_set": sorted(GIVEN)}),
)


@dataclass(frozen=True)
class Unmet:
    """An expectation that does not hold, with the rows (0-based) that break it, or why it could not be looked at."""

    expectation: str
    column: str
    rows: tuple[int, ...]
    is_critical: bool = True
    reason: str | None = None


@dataclass(frozen=True)
class Validation:
    """What Great Expectations says of a table."""

    unmet: tuple[Unmet, ...]
    document: Mapping[str, Any]
    """Its own result, for its data docs: of the rows that break an expectation the first, by their keys."""


def fault_of(expectation: Expectation) -> str | None:
    """Why Great Expectations cannot make an expectation; `None` when it can."""
    from knowledge_graph.lake.lean_expectations import gxe  # noqa: PLC0415  1.6 s

    kind, arguments = expectation
    known = getattr(gxe, kind, None)
    if known is None or not kind.startswith("Expect"):
        return "it has none of that name"
    try:
        known(**arguments)
    except (TypeError, ValueError) as error:
        return " ".join(str(error).split())[:_LONGEST_REASON]
    return None


def validate(path: Path, expectations: Sequence[Expectation]) -> Validation | None:
    """Run a suite over a Parquet file; `None` of a table without rows, of which everything holds."""
    if pq.ParquetFile(path).metadata.num_rows == 0:
        return None
    from knowledge_graph.lake.lean_expectations import gx, gxe  # noqa: PLC0415  1.6 s; first, isort: skip
    from great_expectations.data_context.types.base import ProgressBarsConfig  # noqa: PLC0415

    frame = pq.ParquetFile(path).read().to_pandas()
    context = gx.get_context(mode="ephemeral")
    # Progress bars would be written over the build's own lines.
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    asset = context.data_sources.add_pandas("lake").add_dataframe_asset(path.stem)
    batch = asset.add_batch_definition_whole_dataframe("rows").get_batch(batch_parameters={"dataframe": frame})
    suite = gx.ExpectationSuite(
        name=path.parent.name, expectations=[getattr(gxe, kind)(**arguments) for kind, arguments in expectations]
    )
    result = batch.validate(suite, result_format={"result_format": "COMPLETE"})
    unmet = tuple(_unmet(item) for item in result.results if not item.success)
    shown: Any = result  # its method that makes JSON has no types
    if unmet:
        names = [name for name in (*_KEYS[:_MOST_NAMING], *_PLACE) if name in frame.columns]
        how = {"result_format": "SUMMARY", "unexpected_index_column_names": names, "include_unexpected_rows": False}
        shown = batch.validate(suite, result_format=how)
    return Validation(unmet, shown.to_json_dict())


def _unmet(item: Any) -> Unmet:
    config = item.expectation_config
    column = config.kwargs.get("column") or ", ".join(config.kwargs.get("column_list", []))
    rows = item.result.get("unexpected_index_list") or ()
    is_critical = str(getattr(config.severity, "value", config.severity)) == "critical"
    return Unmet(
        config.type, column, tuple(int(row) for row in rows), is_critical, _exception_message(item.exception_info)
    )


def _exception_message(told: Mapping[str, Any] | None) -> str | None:
    """The message of an expectation that could not be looked at, such as of a column that is not there."""
    of_metrics = [each for each in (told or {}).values() if isinstance(each, dict)]
    messages = [each.get("exception_message") for each in (told or {}, *of_metrics)]
    found = next((message for message in messages if message), None)
    return " ".join(str(found).split())[:_LONGEST_REASON] if found else None


_LONGEST_REASON = 300

_KEYS = (
    "origin_id",
    "record_id",
    "offering_id",
    "edit_id",
    "statement_id",
    "document",
    "section_key",
    "query",
    "position",
    "question",
)
"""Columns that name a row for a person, as far as a table has them; `file` and `row` say where it was read."""
_MOST_KEYS = 2
_MOST_NAMING = 5
"""Those of `_KEYS` that are ids, for data docs."""
_PLACE = ("file", "row")
_LONGEST_VALUE = 80


@dataclass(frozen=True)
class FailingRow:
    """A row that breaks an expectation: its key, where it was read, and the values that were looked at."""

    key: Mapping[str, str]
    place: str | None
    values: Mapping[str, str]

    def __str__(self) -> str:
        where = f"{self.place}, " if self.place else ""
        named = ", ".join(f"{name} {value}" for name, value in self.key.items())
        found = ", ".join(f"{name} is {value}" for name, value in self.values.items() if self.key.get(name) != value)
        return f"{where}{named}{f': {found}' if found else ''}"


def failing_rows(path: Path, unmet: Unmet, *, limit: int) -> list[FailingRow]:
    """The first rows of a table that break an expectation, as a person finds them again in their file."""
    table = pq.ParquetFile(path).read()
    rows = table.take(pa.array(unmet.rows[:limit], pa.int64())).to_pylist()
    keys = [name for name in _KEYS if name in table.column_names][:_MOST_KEYS]
    columns = [name for name in unmet.column.split(", ") if name in table.column_names]
    return [
        FailingRow(
            key={name: _one_line(row[name]) for name in keys},
            place=f"{row['file']}:{row['row']}" if row.get("file") and row.get("row") else row.get("file"),
            values={name: _one_line(row[name]) for name in columns},
        )
        for row in rows
    ]


def _one_line(value: object) -> str:
    """A value on one line; what is long is cut and its length told."""
    if not isinstance(value, str):
        return "null" if value is None else str(value)
    if len(value) <= _LONGEST_VALUE:
        return repr(value)
    return f"{value[:_LONGEST_VALUE]!r} … ({len(value):,} characters)"
