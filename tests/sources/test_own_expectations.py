"""`expectations.yaml`: what is taken of it, and what is told of the rest."""

from pathlib import Path

import pytest

from knowledge_graph.sources.folders import CourseFolder, find_courses
from knowledge_graph.sources.own_expectations import OwnExpectations, read_own_expectations

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Great Expectations, when it is imported

TABLES = ("faq", "documents")
GOOD = """faq:
  - type: expect_column_values_to_not_be_null
    kwargs: {column: reviewer}
    severity: warning
  - {type: expect_table_row_count_to_be_between, kwargs: {min_value: 1}}
"""


def read(folder: Path, text: str) -> OwnExpectations:
    folder.mkdir(exist_ok=True)
    (folder / "expectations.yaml").write_text(text, encoding="utf-8")
    return read_own_expectations(CourseFolder(folder.name, folder), TABLES)


def test_expectations_are_taken_by_table_with_their_severity(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD)
    assert found.by_table["faq"] == [
        ("ExpectColumnValuesToNotBeNull", {"column": "reviewer", "severity": "warning"}),
        ("ExpectTableRowCountToBeBetween", {"min_value": 1, "severity": "critical"}),
    ]
    assert not any(found.problems.values())


WRONG = [
    ("faq: [1, 2\n", "", 2, ""),
    ("- faq\n", "", 1, "no mapping of tables"),
    ("\nfqa: []\n", "", 2, "There is no table 'fqa'."),
    ("faq: {}\n", "", 1, "there is no list"),
    ("faq:\n  - column: answer\n", "faq", 2, "no expectation"),
    ("faq:\n  - {type: expect_answers_to_be_wise}\n", "faq", 2, "none of that name"),
    ("faq:\n  - {type: expect_column_values_to_be_unique, kwargs: {colum: x}}\n", "faq", 2, "column"),
    ("faq:\n  - {type: expect_column_to_exist, kwargs: {column: x}, severity: bad}\n", "faq", 2, "no expectation"),
]


@pytest.mark.parametrize(("text", "table", "line", "told"), WRONG)
def test_what_is_none_is_told_with_its_line(tmp_path: Path, text: str, table: str, line: int, told: str) -> None:
    found = read(tmp_path, text)
    (problem,) = found.problems[table]
    assert (problem.file, problem.line) == ("expectations.yaml", line)
    assert told in problem.message
    assert not any(found.by_table.values())


def test_without_a_file_nothing_more_is_expected(tmp_path: Path) -> None:
    assert read_own_expectations(CourseFolder("trees", tmp_path), TABLES) == OwnExpectations()


def test_a_folder_with_nothing_but_expectations_is_no_course(tmp_path: Path) -> None:
    read(tmp_path / "trees", GOOD)
    assert find_courses(tmp_path) == ()
