"""Runs of the daemon that begin with everything loaded: each is a fork of one process that imported what runs use.

Dagster's code server starts every run in a new Python, which imports the assets and their libraries, and takes a
million objects apart when it ends: more than half of the processor time of a small run, dbt's aside. `multiprocessing`
has a server that forks instead. It starts with the code server, for on a machine under load it takes longer to load
`orchestration.building.preloaded_modules` than Dagster waits for a run to start, and ends with it. When a file of the
code is another than when the code server loaded it, runs start as Dagster starts them, with the code as it is then,
until *Reload* in Dagster's pages brings a new code server.

Whichever way a run starts, it shows that it is alive before it does anything else (`home_lock.show_alive`), so a run
whose process is gone is never waited for. Nor is a fork that hangs, though none was seen to: OpenBLAS ends its threads
before one, jemalloc takes its locks and gives them back. A fork that does not get so far as to show that it is alive is
ended by an alarm, which needs no lock and no Python; a process to fork from that makes none is ended, and the next run
starts another.

It replaces a private name of the pinned Dagster: `tests/orchestration/test_warm_workers.py` says whether that holds.
"""

import os
import signal
import sys
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.context import BaseContext, ForkServerContext, ForkServerProcess, SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from threading import Timer
from typing import Any

from dagster._serdes import deserialize_value

from knowledge_graph.lake.home import DataDir
from orchestration.building.code_server_guard import guard_this_server
from orchestration.building.home_lock import show_alive
from orchestration.building.up_to_date import look
from orchestration.resources import PipelineSettings, check_home

_CODE_SERVER = "dagster._grpc.server"
_CONTEXT = "_mp_ctx"
"""Attribute of a code server: how it starts processes."""
PRELOADED = "orchestration.building.preloaded_modules"

_TO_FORK_S = 120.0
"""For a process to fork from to load, which takes six seconds of processor, and to make a fork."""


class _LivingRun(BaseProcess):
    """A run of a code server, whose first argument says which."""

    _args: tuple[Any, ...]

    def run(self) -> None:
        show_alive(DataDir(check_home(PipelineSettings())), run_id_of(self._args[0]))
        signal.alarm(0)  # of preloaded_modules.py
        super().run()


class ForkedRun(_LivingRun, ForkServerProcess):
    """A run that is forked from the process that has loaded what runs use."""

    def start(self) -> None:
        """Start it. Raises `EOFError` when no fork came; Dagster then says that the run failed."""
        watch = Timer(_TO_FORK_S, end_fork_server)
        watch.start()
        try:
            super().start()
        finally:
            watch.cancel()
            watch.join()


class ImportedRun(_LivingRun, SpawnProcess):
    """A run that imports everything, as Dagster starts them."""


class ForkingContext(ForkServerContext):
    Process = ForkedRun


class ImportingContext(SpawnContext):
    Process = ImportedRun


class WarmContext:
    """What a code server finds under `_CONTEXT`: a context that forks while the code is as it was."""

    def __init__(self, code: str | None) -> None:
        """`code` is a digest of the code that was loaded; `None` when it changed at that moment."""
        self._code = code
        self._forking, self._importing = ForkingContext(), ImportingContext()
        self._forking.set_forkserver_preload([PRELOADED])

    def __get__(self, server: Any, _: type) -> BaseContext:
        return self._forking if self._code is not None and look(()) == self._code else self._importing

    def __set__(self, server: Any, context: BaseContext) -> None:
        """What a server sets itself is not used."""


def keep_workers_warm() -> None:
    """Let the code server fork its runs from now on, and be started again when it is killed, if this process is one."""
    server = sys.modules.get(_CODE_SERVER)
    if server is not None:
        setattr(server.DagsterApiServer, _CONTEXT, WarmContext(look(())))
        forkserver.ensure_running()
        guard_this_server()


def run_id_of(told: str) -> str:
    """Which run a process of a code server is for, by what the server was asked."""
    from dagster._grpc.types import ExecuteExternalJobArgs  # noqa: PLC0415  gRPC, which only a code server has loaded

    return deserialize_value(told, ExecuteExternalJobArgs).run_id


def end_fork_server() -> None:
    """End the process that runs are forked from. Who waits for a fork gets an `EOFError`.

    Returns once it is gone: its socket closes first, and a process that is seen in between is taken to be alive.
    """
    pid = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    if pid is not None:
        with suppress(ProcessLookupError, ChildProcessError):  # `forkserver`, which starts another, buried it
            os.kill(pid, signal.SIGKILL)
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
