"""The rows of docs/requirements.md name files, tests and tables that there are."""

import ast
from functools import cache
from pathlib import Path

import pytest

from orchestration.cli.requirements_page import PaperStatement, read_statements
from orchestration.project import PROJECT

STATEMENTS = read_statements()


@cache
def _tests_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))


def test_there_is_a_row_for_every_statement_and_no_second_one() -> None:
    assert [one.id for one in STATEMENTS] == [f"R{number:03}" for number in range(1, 164)]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda one: one.id)
def test_what_a_row_names_exists(statement: PaperStatement) -> None:
    assert [place for place in statement.where if not (PROJECT / place).is_file()] == []
    missing = [
        each
        for each in statement.shown
        for path, _, name in (each.partition("::"),)
        if not (PROJECT / path).is_file() or name not in _tests_in(PROJECT / path)
    ]
    assert missing == []
    headings = (PROJECT / "docs" / "results.md").read_text(encoding="utf-8").splitlines()
    assert not statement.result or f"### {statement.result}" in headings


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda one: one.id)
def test_a_row_has_code_and_a_test_or_says_why_not(statement: PaperStatement) -> None:
    assert (statement.where and statement.shown) or len(statement.lacks.split()) > 8
    assert not statement.lacks or len(statement.lacks.split()) > 8


def test_a_row_with_a_key_that_is_none_is_refused_by_its_id(tmp_path: Path) -> None:
    path = tmp_path / "rows.yaml"
    path.write_text("tulane:\n- {id: R999, section: 1, says: something, wheer: []}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"R999: wrong or missing: wheer"):
        read_statements(path)
    path.write_text("oxford: []\n", encoding="utf-8")
    with pytest.raises(ValueError, match="found oxford"):
        read_statements(path.rename(tmp_path / "others.yaml"))
