"""How a build runs dbt."""

from pathlib import Path

import pytest

from orchestration.resources import dbt_resource


@pytest.mark.slow
def test_dbt_runs_without_an_adapter_of_it_in_this_process(tmp_path: Path) -> None:
    """dagster-dbt takes a second for one, before each run."""
    invocation = dbt_resource().cli(["ls", "--quiet"], target_path=tmp_path).wait()
    assert invocation.adapter is None
    assert invocation.is_successful()
