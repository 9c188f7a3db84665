"""Rows that break an expectation are named as a person finds them again: by file, row, key and value."""

from pathlib import Path

from knowledge_graph.lake.expectations import Unmet, failing_rows
from knowledge_graph.lake.schemas import FAQ
from knowledge_graph.lake.tables import write_table


def faq(path: Path, *entries: dict[str, object]) -> Path:
    write_table(path, [dict.fromkeys(FAQ.names) | entry for entry in entries], FAQ)
    return path


def test_a_row_is_named_by_file_row_key_and_value(tmp_path: Path) -> None:
    table = faq(
        tmp_path / "faq.parquet",
        {"origin_id": "due", "question": "When?", "answer": "Today.", "file": "faq.csv", "row": 3},
        {"origin_id": "late", "question": "Late?", "answer": None, "file": "faq.csv", "row": 4},
    )
    (row,) = failing_rows(table, Unmet("expect_column_values_to_not_be_null", "answer", (1,)), limit=20)
    assert str(row) == "faq.csv:4, origin_id 'late', question 'Late?': answer is null"


def test_a_doubled_key_is_told_once(tmp_path: Path) -> None:
    entry: dict[str, object] = {"origin_id": "due", "question": "When?", "file": "faq.csv"}
    table = faq(tmp_path / "faq.parquet", entry | {"row": 1}, entry | {"row": 2})
    rows = failing_rows(table, Unmet("expect_column_values_to_be_unique", "origin_id", (0, 1)), limit=20)
    assert [str(row) for row in rows] == [f"faq.csv:{n}, origin_id 'due', question 'When?'" for n in (1, 2)]


def test_long_values_are_cut_and_few_rows_are_shown(tmp_path: Path) -> None:
    table = faq(tmp_path / "faq.parquet", *({"origin_id": str(n), "answer": "x" * 9_000} for n in range(30)))
    rows = failing_rows(table, Unmet("lengths", "answer", tuple(range(30))), limit=20)
    assert len(rows) == 20
    assert "(9,000 characters)" in str(rows[0])
    assert len(str(rows[0])) < 200
