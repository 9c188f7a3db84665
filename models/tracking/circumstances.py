"""Under which a run of MLflow was made: commit, versions and machine, as tags that every run has alike."""

import os
import platform
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import mlflow
from mlflow.utils.mlflow_tags import MLFLOW_GIT_COMMIT

from knowledge_graph.lake.home import DataDir
from models.tracking.place import place_of
from models.tracking.reaching import reaching

_CODE = Path(__file__).parent
_PACKAGES = ("mlflow", "numpy", "onnxruntime", "scikit-learn", "tokenizers", "torch", "transformers")
_PATIENCE = 5.0
"""Seconds that git has."""


@contextmanager
def begun(
    name: str, experiment_id: str, *, data_dir: DataDir, nested: bool = False, watched: bool = False
) -> Iterator[mlflow.ActiveRun]:
    """A run that says under which circumstances it is made and, on a server, of which home it is; it fails with what
    fails inside. Raises `MlflowUnusable`.

    A `watched` run has the machine's metrics too: processor, memory, disk, every few seconds.
    """
    place = place_of(data_dir)
    with (
        reaching(place),
        mlflow.start_run(
            experiment_id=experiment_id,
            run_name=name,
            nested=nested,
            tags={**circumstances(), **place.own_tags},
            log_system_metrics=watched,
        ) as run,
    ):
        yield run


@cache
def circumstances() -> Mapping[str, str]:
    """The tags: the commit of the code, if it is a checkout, and whether anything was changed in it; the versions of
    Python and of the packages that train; processor, cores and memory."""
    found = {
        "coteach.python": platform.python_version(),
        "coteach.packages": ", ".join(f"{name} {known}" for name in _PACKAGES if (known := _version(name))),
        "coteach.machine": _machine(),
    }
    is_checkout = bool(_git("ls-files", Path(__file__).name))  # an installed package may lie in another repository
    if is_checkout and (commit := _git("rev-parse", "HEAD")):
        found[MLFLOW_GIT_COMMIT] = commit
        found["coteach.uncommitted"] = str(bool(_git("status", "--porcelain", "--untracked-files=no"))).lower()
    return found


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    cores = len(os.sched_getaffinity(0))
    return f"{platform.machine()}, {cores} core{'s' if cores > 1 else ''}, {memory:.0f} GiB, {platform.system()}"


def _git(*arguments: str) -> str:
    """What git says of this code; nothing without git, or where the code is no checkout."""
    command = ["git", "-C", str(_CODE), *arguments]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return told.stdout.strip()
