"""The lines a person sees while a build runs, from runs of a small lineage."""

import logging
from pathlib import Path

import dagster as dg
import pytest
from mlflow.exceptions import MlflowException

from knowledge_graph.lake.home import DataDir
from models.tracking.place import MlflowPlace
from models.tracking.reaching import reaching
from orchestration.building.progress import line_of, progress_logger


@dg.asset(check_specs=[dg.AssetCheckSpec("input_is_clean", asset="cues")])
def cues(context: dg.AssetExecutionContext) -> dg.MaterializeResult:  # type: ignore[type-arg]
    context.log.info("read 12 files")
    context.log.debug("not for people")
    unclean = dg.AssetCheckResult(
        check_name="input_is_clean",
        passed=False,
        severity=dg.AssetCheckSeverity.WARN,
        description="a.srt:3: Times run backwards. Swap them.\nb.srt: The file is empty. Remove it.",
    )
    return dg.MaterializeResult(metadata={"dagster/row_count": 1234}, check_results=[unclean])


@dg.asset(deps=[cues])
def concepts() -> None:
    try:
        raise ValueError("no tagger for the language 'fr'")
    except ValueError as error:
        raise RuntimeError("concepts cannot be found") from error


@dg.asset
def graph_scores() -> None:
    with reaching(MlflowPlace(DataDir(Path()), "http://mlflow.example")):
        raise MlflowException("Max retries exceeded")


@dg.asset_check(asset=cues)
def cues_have_evidence() -> dg.AssetCheckResult:
    """A check that says what it found in figures alone."""
    found = {"edges": 12, "gaps": 0, "cycle": "none yet", "not_opening": {"count": 1, "first": ["stack → heap"]}}
    return dg.AssetCheckResult(passed=False, metadata={**found, "loops": {"count": 0, "first": []}})


@dg.asset_check(asset=cues)
def cues_in_order() -> dg.AssetCheckResult:
    return dg.AssetCheckResult(passed=True)


def run(capfd: pytest.CaptureFixture[str]) -> list[str]:
    lineage = dg.Definitions(
        [cues, concepts, graph_scores],
        asset_checks=[cues_in_order, cues_have_evidence],
        loggers={"progress": progress_logger},
    )
    result = lineage.resolve_implicit_global_asset_job_def().execute_in_process(
        run_config={"loggers": {"progress": {}}}, raise_on_error=False
    )
    assert not result.success
    return capfd.readouterr().err.splitlines()


def test_a_run_shows_one_line_per_asset_and_what_went_wrong_in_its_own_words(
    capfd: pytest.CaptureFixture[str],
) -> None:
    lines = run(capfd)
    assert "    ✓ cues  1,234 rows" in lines
    assert "    ✗ concepts: ValueError: no tagger for the language 'fr'" in lines
    (told,) = [line for line in lines if "✗ graph_scores" in line]
    assert "The MLflow server of COTEACH_MLFLOW_SERVER, http://mlflow.example, cannot be used: Max retries" in told


def test_a_failed_check_shows_every_line_of_its_description(capfd: pytest.CaptureFixture[str]) -> None:
    lines = run(capfd)
    at = lines.index("    ! cues: input_is_clean")
    assert lines[at + 1 : at + 3] == [
        "        a.srt:3: Times run backwards. Swap them.",
        "        b.srt: The file is empty. Remove it.",
    ]


def test_a_failed_check_without_words_shows_what_it_found(capfd: pytest.CaptureFixture[str]) -> None:
    lines = run(capfd)
    at = lines.index("    ✗ cues: cues_have_evidence")
    assert lines[at + 1 : at + 5] == [
        "        edges: 12",
        "        cycle: none yet",
        '        not_opening: {"count": 1, "first": ["stack → heap"]}',
        "        More is in Dagster.",
    ]


def test_a_check_that_passed_and_details_are_not_shown(capfd: pytest.CaptureFixture[str]) -> None:
    lines = run(capfd)
    assert "      read 12 files" in lines
    assert not [line for line in lines if "cues_in_order" in line or "not for people" in line]
    assert len(lines) == 12


def record(message: str, level: int, **meta: object) -> logging.LogRecord:
    made = logging.LogRecord("dagster", level, "", 0, message, None, None)
    made.dagster_meta = {"orig_message": message, **meta}
    return made


def test_dbt_shows_its_warnings_only() -> None:
    assert line_of(record("1 of 9 START model", logging.INFO, step_key="dbt_models")) is None
    assert line_of(record("no rows", logging.WARNING, step_key="dbt_models")) == "      no rows"
    assert line_of(record("epoch 3/9", logging.INFO, step_key="intent_model")) == "      epoch 3/9"
