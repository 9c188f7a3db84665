"""Trainings kept on this machine by what went into them, so that a new home need not train the same model again.

What is kept is what the training returned. Its file is read with `pickle`, which runs what is in it: the folder is
trusted like the code beside it.
"""

import hashlib
import json
import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from knowledge_graph.lake.tables import digest, replacing

Result = TypeVar("Result")

_MODELS = Path(__file__).parent
_LIBRARIES = ("numpy", "scikit-learn", "tokenizers", "torch", "transformers")
_MOST_KEPT = 12
_UNREADABLE = (
    OSError,
    EOFError,
    pickle.UnpicklingError,
    AttributeError,
    ImportError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
    RuntimeError,
)
"""What `pickle` raises for a cut or foreign file."""


@dataclass(frozen=True)
class KeptTrainings:
    """A folder of results. Without `reuse` nothing is taken from it, and every result replaces the one it holds."""

    folder: Path
    reuse: bool = True

    def get(
        self,
        what: str,
        inputs: Mapping[str, object],
        train: Callable[[], Result],
        *,
        is_whole: Callable[[Result], bool],
    ) -> tuple[Result, bool]:
        """The result of training `what` on `inputs`, and whether it was kept from before.

        Kept is what `is_whole`: a training that its time limit cut short would be another one on a faster machine. A
        folder that cannot be written to and a file that cannot be read are as good as none.
        """
        path = self.folder / f"{what}-{_key(inputs)}.pickle"
        if self.reuse and (found := _read(path)) is not None:
            return found[0], True  # type: ignore[return-value]
        made = train()
        if is_whole(made):
            with suppress(OSError):  # a read-only installation trains each time
                self._write(path, made)
        return made, False

    def _write(self, path: Path, made: object) -> None:
        with replacing(path) as temporary:
            temporary.write_bytes(pickle.dumps((made,)))
        oldest_first = sorted(self.folder.glob("*.pickle"), key=lambda each: each.stat().st_mtime)
        for each in oldest_first[:-_MOST_KEPT]:
            each.unlink(missing_ok=True)


def _read(path: Path) -> tuple[object] | None:
    try:
        found = pickle.loads(path.read_bytes())
    except _UNREADABLE:
        return None
    return found if isinstance(found, tuple) and len(found) == 1 else None


def _key(inputs: Mapping[str, object]) -> str:
    told = json.dumps({**inputs, "code": _code()}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@cache
def _code() -> str:
    """Another one whenever a file of `models/` or a library that trains is another one."""
    files = "".join(f"{path.relative_to(_MODELS)} {digest(path)}\n" for path in sorted(_MODELS.rglob("*.py")))
    libraries = "".join(f"{name} {version(name)}\n" for name in _LIBRARIES)
    return hashlib.sha256((files + libraries).encode()).hexdigest()
