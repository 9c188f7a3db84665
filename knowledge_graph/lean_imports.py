"""Libraries loaded without what they would load beside themselves, and no build uses; and not taken apart at the end.

Most of the processor time of a small build is imports. A library that makes do without another where that is not
installed is imported `without` it, though it is; one that needs another for what hardly anybody asks of it is given it
`on_demand`; of a package that brings more than is used, `only_modules_of` it are imported. What is loaded already is
used as ever, and whoever wants it later imports it as ever.
"""

import atexit
import gc
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any, cast

_OBJECTS = 50_000
"""New objects after which Python looks for garbage; by itself, 700. Importing makes a million that stay: looking
through them was a sixth of the start of a gateway."""
_ROUNDS = 20
"""Such looks after which it looks through what is older, too; by itself, 10. A build of one changed course ends before
it looks through everything."""


def collect_garbage_rarely() -> None:
    """For a process that imports much and ends soon, or was loaded and stays as it is."""
    gc.set_threshold(_OBJECTS, _ROUNDS, _ROUNDS)


@contextmanager
def end_at_once() -> Iterator[None]:
    """End the process, when `SystemExit` leaves this block, as soon as threads and all that was registered for its exit
    are done.

    Python would take apart what was loaded, and look through all of it for garbage several times: 2.3 s of processor
    at the end of a small build. DuckDB's binding tells at length what it then finds in use. Enter the block before
    anything that registers something for the exit. Whatever else ends a process, an error or a signal, does as ever.
    """
    status: list[int] = []

    def end() -> None:
        if status:
            with suppress(OSError, ValueError):  # of a stream that nobody reads; Python then says so itself
                logging.shutdown()  # registered before this block, by its import
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status[0])

    atexit.register(end)  # the first that is registered is the last that is called
    try:
        yield
    except SystemExit as left:
        if left.code is None or isinstance(left.code, int):
            status.append(left.code or 0)
        raise


class ModuleOnDemand(ModuleType):
    """Stands for a module until somebody asks for something in it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def without(*names: str) -> AbstractContextManager[None]:
    """Let imports of these modules fail for as long as it lasts, as if they were not installed."""
    return _instead({name: None for name in names})


def on_demand(*names: str) -> AbstractContextManager[None]:
    """Let what imports these modules meanwhile load them only when it asks for something in them."""
    return _instead({name: ModuleOnDemand(name) for name in names})


@contextmanager
def only_modules_of(package: str) -> Iterator[None]:
    """Let modules of a package be imported for as long as it lasts, and not all that its `__init__` brings."""
    spec = None if package in sys.modules else find_spec(package)
    with _instead({package: module_from_spec(spec)} if spec else {}):
        yield


@contextmanager
def _instead(given: Mapping[str, ModuleType | None]) -> Iterator[None]:
    placed = {name: module for name, module in given.items() if name not in sys.modules}
    sys.modules.update(cast(dict[str, ModuleType], placed))  # `None` is Python's word for a module that is not there
    try:
        yield
    finally:
        for name, module in placed.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _run_program(place: str) -> None:
    """The console program `module:function` with the arguments of this process."""
    module, _, function = place.partition(":")
    sys.exit(getattr(import_module(module), function)())


if __name__ == "__main__":
    collect_garbage_rarely()
    with end_at_once():
        _run_program(sys.argv.pop(1))
