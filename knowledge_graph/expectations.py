"""What must hold of rows that come from outside, as Great Expectations suites, and how they are run.

Division of labour: these suites look at one source's rows before dbt reads them; dbt tests look at the unified table;
facts about graphs, models and the index are plain asset checks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pyarrow.parquet as pq

from knowledge_graph.records import GIVEN, LANGS, StatementKind
from knowledge_graph.sources.fields import LONGEST_QUESTION, LONGEST_TEXT

LONGEST_ASKED = 4_000
"""Characters of a question that a TA answers: students explain themselves."""
LONGEST_DESCRIPTION = 200_000
"""Characters of one topic of a program: its requirements are pages of tables."""

# Great Expectations takes 6 to 13 s to import, so only the functions that run a suite import it. An expectation is
# kept as its type and arguments until then.
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
    """An expectation that does not hold, with the rows (0-based) that break it."""

    expectation: str
    column: str
    rows: tuple[int, ...]


def unmet_expectations(path: Path, expectations: Sequence[Expectation]) -> tuple[Unmet, ...]:
    """Run a suite over a Parquet file; empty when everything holds, as it does of no rows."""
    if pq.ParquetFile(path).metadata.num_rows == 0:
        return ()
    import great_expectations as gx  # noqa: PLC0415  6 to 13 s
    import great_expectations.expectations as gxe  # noqa: PLC0415
    from great_expectations.data_context.types.base import ProgressBarsConfig  # noqa: PLC0415

    frame = pq.ParquetFile(path).read().to_pandas()
    context = gx.get_context(mode="ephemeral")
    # Progress bars would be written over the build's own lines.
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    asset = context.data_sources.add_pandas("lake").add_dataframe_asset(path.stem)
    batch = asset.add_batch_definition_whole_dataframe("rows").get_batch(batch_parameters={"dataframe": frame})
    suite = gx.ExpectationSuite(
        name=path.stem, expectations=[getattr(gxe, kind)(**arguments) for kind, arguments in expectations]
    )
    result = batch.validate(suite, result_format={"result_format": "COMPLETE"})
    return tuple(_unmet(item) for item in result.results if not item.success)


def _unmet(item: Any) -> Unmet:
    arguments = item.expectation_config.kwargs
    column = arguments.get("column") or ", ".join(arguments.get("column_list", []))
    rows = item.result.get("unexpected_index_list") or ()
    return Unmet(item.expectation_config.type, column, tuple(int(row) for row in rows))
