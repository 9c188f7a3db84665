"""What every run uses, loaded once: imported by the process that runs are forked from (warm_workers.py), and no other.

Nothing here may start a thread that a fork would miss, open a file, or read what may change while the code does not.
"""

import gc
import os
import signal
import traceback
from importlib import import_module

MODULES = (
    "orchestration.definitions",
    "orchestration.building.kept_results",
    "knowledge_graph.lake.lean_expectations",
    "knowledge_graph.concepts.extract",
    "networkx",
    "pandas",
    "duckdb",
)
"""Modules that assets import only when they are at work, and which every run needs."""

_TO_SHOW_ALIVE_S = 30
"""For a fork until it shows that it is alive (warm_workers.py): it unpickles what it was asked and locks a file."""


def limit_forks() -> None:
    """Let the kernel end each fork of this process that does not stop its alarm in time."""
    here = os.getpid()
    os.register_at_fork(after_in_child=lambda: signal.alarm(_TO_SHOW_ALIVE_S) if os.getppid() == here else None)


def load() -> None:
    """Load modules and definitions. What cannot be loaded is printed here, and told by the run that needs it."""
    try:
        for name in MODULES:
            import_module(name)
        import_module("orchestration.definitions").defs().get_repository_def()
    except Exception:  # noqa: BLE001  without a process to fork from, no run would start
        traceback.print_exc()
    gc.collect()
    gc.freeze()  # forks neither look through it nor, by that, copy it


load()
limit_forks()
