"""Where commands write lines for programs: standard output, or a file that is whole or not there."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from knowledge_graph.lake import replacing
from knowledge_graph.problems import CoteachError


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
