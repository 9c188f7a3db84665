"""Runs of the daemon that begin with everything loaded: each is a fork of one process that imported what runs use.

Dagster's code server starts every run in a new Python, which imports the assets and their libraries, and takes a
million objects apart when it ends: more than half of the processor time of a small run, dbt's aside. `multiprocessing`
has a server that forks instead. It starts with the first run, loads `orchestration.building.preloaded` and ends with
the code server. When a file of the code is another than when the code server loaded it, runs start as Dagster starts
them, with the code as it is then, until *Reload* in Dagster's pages brings a new code server.

It replaces a private name of the pinned Dagster: `tests/orchestration/test_warm_workers.py` says whether that holds.
"""

import multiprocessing
import sys
from multiprocessing.context import BaseContext
from typing import Any

from orchestration.building.up_to_date import look

_CODE_SERVER = "dagster._grpc.server"
_CONTEXT = "_mp_ctx"
"""Attribute of a code server: how it starts processes."""
PRELOADED = "orchestration.building.preloaded"


class WarmContext:
    """What a code server finds under `_CONTEXT`: a context that forks while the code is as it was, else Dagster's."""

    def __init__(self, code: str | None) -> None:
        """`code` is a digest of the code that was loaded; `None` when it changed at that moment."""
        self._code = code
        self._forking = multiprocessing.get_context("forkserver")
        self._forking.set_forkserver_preload([PRELOADED])

    def __get__(self, server: Any, _: type) -> BaseContext:
        """The context. What a server set itself lies in its dictionary, also when it did so before this was here."""
        own: BaseContext = vars(server)[_CONTEXT]
        return self._forking if self._code is not None and look(()) == self._code else own

    def __set__(self, server: Any, context: BaseContext) -> None:
        vars(server)[_CONTEXT] = context


def keep_workers_warm() -> None:
    """Let the code server fork its runs from now on, if this process is one."""
    server = sys.modules.get(_CODE_SERVER)
    if server is not None:
        setattr(server.DagsterApiServer, _CONTEXT, WarmContext(look(())))
