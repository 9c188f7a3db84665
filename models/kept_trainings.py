"""Trainings and published models kept on this machine by what went into them, so that a new home need not make the same
again.

What is kept of a training is what it returned. Its file is read with `pickle`, which runs what is in it: the folder is
trusted like the code beside it. What is kept of a published model is a copy of its folder.
"""

import hashlib
import json
import pickle
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from knowledge_graph.lake.tables import digest, move_lastingly, replacing
from models.versions import publish, staging, use_version

Result = TypeVar("Result")

_MODELS = Path(__file__).parent
_LIBRARIES = ("numpy", "scikit-learn", "tokenizers", "torch", "transformers")
_MOST_KEPT = 12
_MOST_FOLDERS_KEPT = 2
"""Of one kind: an embedder has 340 MB."""
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

    def publish(
        self, what: str, inputs: Mapping[str, object], folder: Path, make: Callable[[], str]
    ) -> tuple[str, bool]:
        """The version of `what` that is made of `inputs`, published in `folder` and in use there, and whether it was
        kept from before. `make` publishes it and returns its version.

        A copy that is not what its name says is as good as none.
        """
        place = self.folder / f"{what}-{_key(inputs)}"
        if self.reuse and (version := _publish_copy(place, folder)) is not None:
            return version, True
        version = make()
        with suppress(OSError):
            self._copy(folder / version, place, what)
        return version, False

    def _copy(self, made: Path, place: Path, what: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with staging(self.folder) as staged:
            shutil.copytree(made, staged / made.name)
            shutil.rmtree(place, ignore_errors=True)
            move_lastingly(staged, place)
        oldest_first = sorted(self.folder.glob(f"{what}-*/"), key=lambda each: each.stat().st_mtime)
        for each in oldest_first[:-_MOST_FOLDERS_KEPT]:
            shutil.rmtree(each, ignore_errors=True)

    def _write(self, path: Path, made: object) -> None:
        with replacing(path) as temporary:
            temporary.write_bytes(pickle.dumps((made,)))
        oldest_first = sorted(self.folder.glob("*.pickle"), key=lambda each: each.stat().st_mtime)
        for each in oldest_first[:-_MOST_KEPT]:
            each.unlink(missing_ok=True)


def _publish_copy(place: Path, folder: Path) -> str | None:
    """The version kept in `place`, in use in `folder`; None where none is kept whole."""
    try:
        (kept,) = place.iterdir()
        with staging(folder) as staged:
            shutil.copytree(kept, staged, dirs_exist_ok=True)
            version = publish(folder, staged, use=False)
    except (OSError, ValueError):
        return None
    if version != kept.name:
        shutil.rmtree(folder / version)
        return None
    use_version(folder, version)
    return version


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
