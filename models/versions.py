"""Published folders: written aside, named by their content, one of them in use. What is inside is not known."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import digest, move_lastingly, write_text_atomic

_CURRENT = "CURRENT"


class ModelError(CoteachError):
    """Base of what can be wrong with a model on disk: `ModelMissing`, `ModelBroken`."""


class ModelMissing(ModelError):
    """No model is there yet; the message says what to run."""


class ModelBroken(ModelError):
    """A model is there but cannot be used; the message says why."""


@contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """A new empty folder beside the versions, removed afterwards unless `publish` moved it away."""
    folder.mkdir(parents=True, exist_ok=True)
    staged = Path(tempfile.mkdtemp(dir=folder, prefix=".new-"))
    try:
        yield staged
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def publish(folder: Path, staged: Path, *, use: bool = True) -> str:
    """Move a staged folder to `<folder>/<version>` and, with `use`, make it the current one; returns the version.

    The version is a digest of the files, so the same content published twice is one version.
    """
    for file in staged.rglob("*"):
        file.chmod(0o755 if file.is_dir() else 0o644)
    staged.chmod(0o755)
    version = digest(staged)[:16]
    target = folder / version
    if target.exists() and digest(target)[:16] != version:
        shutil.rmtree(target)
    if not target.exists():
        move_lastingly(staged, target)
    if use:
        use_version(folder, version)
    return version


def use_version(folder: Path, version: str) -> None:
    """Make a published version the current one, in one rename."""
    write_text_atomic(folder / _CURRENT, f"{version}\n")


def current_version(folder: Path) -> str | None:
    """The version in use, None when nothing was published."""
    pointer = folder / _CURRENT
    return pointer.read_text(encoding="utf-8", errors="replace").strip() if pointer.exists() else None


def current_folder(folder: Path, *, what: str, remedy: str) -> Path:
    """The folder of the version in use.

    Raises `ModelMissing`, or `ModelBroken` when the content is not what its name says.
    """
    version = current_version(folder)
    if version is None:
        raise ModelMissing(f"No {what} in {folder}. {remedy}")
    found = folder / version
    if not found.is_dir():
        raise ModelBroken(f"{folder / _CURRENT} names {version}, but there is no such folder. {remedy}")
    if digest(found)[:16] != version:
        raise ModelBroken(f"The files of {found} are not those that were published. {remedy}")
    return found
