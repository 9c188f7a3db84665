"""What every test runs in: none of this machine's own settings, no telemetry; and the versions that were tested."""

import gc
import os
import sys
import tempfile
import warnings
from collections.abc import Generator, Iterator
from importlib.metadata import version

import hypothesis
import memory_disk
import pytest
from migrated_mlflow import migrated_once
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

_REPORTED = ("dagster", "dbt-core", "duckdb", "mlflow", "pyarrow", "tantivy", "torch")


with warnings.catch_warnings():
    # It says that it is deprecated when sqlglot (below dagster-dbt) imports it; once imported it is silent.
    warnings.simplefilter("ignore", DeprecationWarning)
    import sqlglotrs  # noqa: F401


# How long one example takes says nothing where two workers share a machine.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

# Before pytest asks for its folder, and before its workers are started.
memory_disk.use()


class FileOrFolderScheduling(LoadScopeScheduling):
    """A file of tests runs in one process; so does the whole of end_to_end, in its own order.

    That folder shares one built home and one model server, which its last file kills. (`--dist loadgroup` would say
    the same with marks, but pytest-xdist 3.8 cannot read them under pytest 9.)
    """

    def _split_scope(self, nodeid: str) -> str:
        return "end_to_end" if nodeid.startswith("tests/end_to_end/") else nodeid.split("::", 1)[0]


LONGEST = (
    "tests/end_to_end/",
    "tests/orchestration/test_daemon.py",
    "tests/test_benchmarks.py",
    "tests/serving/endpoint/test_wheel.py",
    "tests/test_growth_of_patterns.py",
)
"""What takes a minute and more comes first: a run ends with short files, and no process waits long for another.

The daemon's story mostly waits for the daemon's looks: it runs beside end_to_end, which has work for two cores.
"""


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Importing the product and its tests makes a million and a half objects, all of which stay: nobody looks for
    garbage among them, then or later. It was a quarter of the time that collecting takes.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(
        key=lambda item: next((at for at, one in enumerate(LONGEST) if item.nodeid.startswith(one)), len(LONGEST))
    )


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return FileOrFolderScheduling(config, log)


def pytest_report_header() -> list[str]:
    versions = ", ".join(f"{name} {version(name)}" for name in _REPORTED)
    return [versions, f"temporary files: {tempfile.gettempdir()}"]


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
            # A busy machine turns no test's question away. Tests of turning away say how long is waited.
            ("COTEACH_PATIENCE_SECONDS", "0"),
        ):
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session", autouse=True)
def migrated_mlflow(environment_without_settings: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """MLflow migrates an empty database once in a process of tests that imported it, and not for every home."""
    if "mlflow" not in sys.modules:
        yield
        return
    with migrated_once(tmp_path_factory.mktemp("mlflow") / "migrated.db"):
        yield
