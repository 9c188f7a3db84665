"""The benchmarks that make their own data still run: a table that a stage reads anew is missing in them at once."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def printed(name: str, *arguments: str) -> str:
    """What a benchmark prints. Its ratios, and so its exit code, mean nothing at such a size."""
    command = [sys.executable, str(BENCHMARKS / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done.stdout


def test_the_large_table_is_built_by_dbt_with_all_tests() -> None:
    assert "dbt build of 5,000 QA pairs, tests included" in printed("large_table.py", "--pairs", "5000")


def test_the_large_index_is_built_searched_and_updated() -> None:
    assert "changed 1000, updated in place: True" in printed("large_index.py", "--pairs", "21000")
