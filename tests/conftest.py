"""What every test runs in: none of this machine's own settings, no telemetry; and the versions that were tested."""

import gc
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path

import beside
import hypothesis
import loaded_dbt
import memory_disk
import pytest
from migrated_mlflow import migrated_once
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from knowledge_graph.lean_imports import collect_garbage_rarely

_REPORTED = ("dagster", "dbt-core", "duckdb", "mlflow", "pyarrow", "tantivy", "torch")


with warnings.catch_warnings():
    # It says that it is deprecated when sqlglot (below dagster-dbt) imports it; once imported it is silent.
    warnings.simplefilter("ignore", DeprecationWarning)
    import sqlglotrs  # noqa: F401


# How long one example takes says nothing where two workers share a machine.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.register_profile("thorough", deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "untimed"))

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
    "tests/serving/access/test_fuzz.py",
    "tests/test_benchmarks.py",
    "tests/serving/endpoint/test_wheel.py",
    "tests/orchestration/test_broken_input.py",
    "tests/test_growth_of_patterns.py",
)
"""What takes a minute and more comes first: a run ends with short files, and no process waits long for another."""

LAST = tuple(program.file for program in beside.PROGRAMS)
"""What looks at a program that was begun with the run: it has ended by then, and nobody waited for it."""


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Importing the product and its tests makes a million and a half objects, all of which stay: nobody looks for
    garbage among them, then or later. It was a quarter of the time that collecting takes. What tests make is looked
    through as rarely as in the product's own processes.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        collect_garbage_rarely()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        first = next((at for at, one in enumerate(LONGEST) if item.nodeid.startswith(one)), len(LONGEST))
        return len(LONGEST) + 1 if item.nodeid.startswith(LAST) else first

    items.sort(key=place)


class Beside:
    """Begins the programs of the tests in the process that hands out tests, and ends with it what they have left."""

    def __init__(self, config: pytest.Config) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="beside-"))
        self._running = ExitStack()
        self._running.callback(shutil.rmtree, self._folder, ignore_errors=True)
        config.add_cleanup(self._running.close)

    @pytest.hookimpl
    def pytest_configure_node(self, node: WorkerController) -> None:
        node.workerinput["beside"] = str(self._folder)

    @pytest.hookimpl
    def pytest_xdist_node_collection_finished(self, node: WorkerController, ids: Sequence[str]) -> None:
        if not any(self._folder.iterdir()):
            self._running.enter_context(beside.run_programs(ids, self._folder, without_settings(os.environ)))


def pytest_configure(config: pytest.Config) -> None:
    hands_out_tests = config.getoption("dist", "no") != "no" and not hasattr(config, "workerinput")
    if hands_out_tests and not config.getoption("collectonly"):
        config.pluginmanager.register(Beside(config))


@pytest.fixture(scope="session")
def programs_beside(request: pytest.FixtureRequest) -> Path | None:
    """Where the programs lie that were begun with this run; `None` in a run of one process."""
    told: Mapping[str, str] = getattr(request.config, "workerinput", {})
    return Path(told["beside"]) if "beside" in told else None


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    return FileOrFolderScheduling(config, log)


def pytest_report_header() -> list[str]:
    versions = ", ".join(f"{name} {version(name)}" for name in _REPORTED)
    return [versions, f"temporary files: {tempfile.gettempdir()}"]


def without_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without a person's own settings, and without telemetry."""
    own = {name: value for name, value in environment.items() if not name.startswith("COTEACH_")}
    own.pop("DAGSTER_HOME", None)
    return own | {
        "DAGSTER_DISABLE_TELEMETRY": "1",
        "DO_NOT_TRACK": "1",
        "GX_ANALYTICS_ENABLED": "false",
        "MLFLOW_DISABLE_TELEMETRY": "true",
        # A busy machine turns no test's question away. Tests of turning away say how long is waited.
        "COTEACH_PATIENCE_SECONDS": "0",
    }


@pytest.fixture(scope="session", autouse=True)
def environment_without_settings() -> Iterator[None]:
    """A person's own `COTEACH_*` and `DAGSTER_HOME` never reach a test, nor the processes it starts."""
    chosen = without_settings(os.environ)
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ.keys() - chosen.keys():
            patch.delenv(name)
        for name, value in chosen.items():
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


@pytest.fixture(scope="session", autouse=True)
def loaded_dbt_once(environment_without_settings: None) -> Iterator[None]:
    """dbt is loaded once in a process of tests that builds, and not for every build."""
    with loaded_dbt.loaded_once():
        yield
