"""Libraries loaded without what they would load beside themselves, and no build uses.

Most of the processor time of a small build is imports. A library that makes do without another where that is not
installed is imported `without` it, though it is; one that needs another for what hardly anybody asks of it is given it
`on_demand`. What is loaded already is used as ever, and whoever wants it later imports it as ever.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, cast


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
def _instead(given: Mapping[str, ModuleType | None]) -> Iterator[None]:
    placed = {name: module for name, module in given.items() if name not in sys.modules}
    sys.modules.update(cast(dict[str, ModuleType], placed))  # `None` is Python's word for a module that is not there
    try:
        yield
    finally:
        for name, module in placed.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]
