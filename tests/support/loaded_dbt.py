"""dbt forked from a process that has loaded it, where a process of tests would load it for every run of its.

Loading is half of the processor time of dbt on a home of tests, and the same each time. What runs is dbt as builds and
`coteach dbt` start it: in a process of its own, with the same arguments, environment, folder and output. That these
programs start, too, is seen by tests which start `coteach`, and by `test_loaded_dbt.py`.
"""

import os
import pickle
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

PRELOADED = "preloaded_dbt"
BY_HAND = [str(Path(sys.executable).parent / "dbt")]
OF_BUILDS = [sys.executable, "-P", "-m", "knowledge_graph.lean_imports", "orchestration.building.carried_parse:run"]
PROGRAMS = ((OF_BUILDS, "orchestration.building.carried_parse", "run"), (BY_HAND, "dbt.cli.main", "cli"))
"""How dbt is started, and what then is called."""


@dataclass(frozen=True)
class Run:
    """What a fork is to do. The forking process calls `_bootstrap` of what it is sent."""

    module: str
    function: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    folder: str

    def _bootstrap(self, _: int) -> int:
        for at, given in enumerate(forkserver._forkserver.get_inherited_fds(), start=1):  # type: ignore[attr-defined]
            os.dup2(given, at)
            os.close(given)
        os.environ.clear()
        os.environ.update(self.environment)
        os.chdir(self.folder)
        sys.argv = [*self.arguments]
        try:
            getattr(import_module(self.module), self.function)()
        except SystemExit as left:
            return left.code if isinstance(left.code, int) else int(left.code is not None)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
        return 0


class LoadedDbt:
    """A run of dbt, as far as dagster-dbt and `subprocess.run` know a `Popen`."""

    def __init__(self, args: Sequence[str], run: Run, *, piped: bool) -> None:
        self.args = args
        self.returncode: int | None = None
        read, written = os.pipe() if piped else (None, None)
        self.stdout = None if read is None else os.fdopen(read, "rb")
        outputs = [1, 2] if written is None else [written, written]
        try:
            self._status, told = _server(os.getpid()).connect_to_new_process(outputs)
        finally:
            if written is not None:
                os.close(written)
        with open(told, "wb") as to:
            pickle.dump({"sys_path": sys.path}, to)
            pickle.dump(run, to)
        self.pid: int = forkserver.read_signed(self._status)  # type: ignore[attr-defined]

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            self.returncode = forkserver.read_signed(self._status)  # type: ignore[attr-defined]
            os.close(self._status)
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)


class Subprocess:
    """The module `subprocess` for who starts dbt; any other program is started as ever."""

    def __getattr__(self, name: str) -> Any:
        return getattr(subprocess, name)

    def Popen(self, args: Sequence[str], **how: Any) -> Any:  # noqa: N802
        run = _run(args, how)
        return subprocess.Popen(args, **how) if run is None else LoadedDbt(args, run, piped="stdout" in how)

    def run(self, args: Sequence[str], **how: Any) -> subprocess.CompletedProcess[Any]:
        run = _run(args, how)
        if run is None:
            return subprocess.run(args, **how)
        return subprocess.CompletedProcess(args, LoadedDbt(args, run, piped=False).wait())


@contextmanager
def loaded_once() -> Iterator[None]:
    """Let builds and `coteach dbt` of this process fork their dbt from one that is loaded when the first asks."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("dagster_dbt.core.dbt_cli_invocation", "orchestration.cli.dbt_command"):
            if module in sys.modules:
                patch.setattr(sys.modules[module], "subprocess", Subprocess())
        yield


def _run(args: Sequence[str], how: Mapping[str, Any]) -> Run | None:
    environment, folder = how.get("env") or dict(os.environ), str(how.get("cwd") or Path.cwd())
    for program, module, function in PROGRAMS:
        if [*args[: len(program)]] == program:
            return Run(module, function, ["dbt", *args[len(program) :]], environment, folder)
    return None


@cache
def _server(_: int) -> Any:
    """What forks for a process. It ends with that process."""
    server: Any = forkserver.ForkServer()  # type: ignore[attr-defined]
    server.set_forkserver_preload([PRELOADED])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(each for each in sys.path if each))
        server.ensure_running()
    return server
