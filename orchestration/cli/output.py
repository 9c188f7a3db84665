"""Where commands write lines for programs: standard output, or a file that is whole or not there; and what a file
holds that an earlier run left unfinished."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, TypeVar

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.tables import replacing, write_text_atomic

Kept = TypeVar("Kept")


class OutputUnusable(CoteachError):
    """The place named for the output cannot be written to."""


@contextmanager
def output(path: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that appears only when all is written. Raises `OutputUnusable` for a folder."""
    if path is None:
        yield sys.stdout
        return
    if path.is_dir():
        raise OutputUnusable(f"{path} is a folder: name the file that the lines are to be written to.")
    with replacing(path) as part, part.open("w", encoding="utf-8") as stream:
        yield stream


def read_kept_lines(path: Path, read: Callable[[str], Kept | None], written: Callable[[Kept], str]) -> list[Kept]:
    """What an earlier run left in a file; a line that `read` cannot read, cut off by a kill, goes from the file too."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [kept for line in lines if (kept := read(line)) is not None]
    if len(found) != len(lines):
        write_text_atomic(path, "".join(written(one) for one in found))
    return found
