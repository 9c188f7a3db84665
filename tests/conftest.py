"""What every test runs in: none of this machine's own settings, no telemetry; and the versions that were tested."""

import os
import warnings
from collections.abc import Iterator
from importlib.metadata import version

import pytest

_REPORTED = ("dagster", "dbt-core", "duckdb", "mlflow", "pyarrow", "tantivy", "torch")


with warnings.catch_warnings():
    # It says that it is deprecated when sqlglot (below dagster-dbt) imports it; once imported it is silent.
    warnings.simplefilter("ignore", DeprecationWarning)
    import sqlglotrs  # noqa: F401


def pytest_report_header() -> str:
    return ", ".join(f"{name} {version(name)}" for name in _REPORTED)


@pytest.fixture(scope="session", autouse=True)
def environment_without_settings() -> Iterator[None]:
    """A person's own `COTEACH_*` and `DAGSTER_HOME` never reach a test, nor the processes it starts."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.startswith("COTEACH_") or name == "DAGSTER_HOME":
                patch.delenv(name)
        for name, value in (
            ("DAGSTER_DISABLE_TELEMETRY", "1"),
            ("DO_NOT_TRACK", "1"),
            ("GX_ANALYTICS_ENABLED", "false"),
            ("MLFLOW_DISABLE_TELEMETRY", "true"),
            # Most tests with a model server are about what it is asked and what becomes of its words. Those of composed
            # answers say `exam`, the default.
            ("COTEACH_MODEL_ADMISSION", "always"),
        ):
            patch.setenv(name, value)
        yield
