"""What whole exports of learning systems become: by format and file what was read, by kind, and left out, by reason.

    python benchmarks/course_imports.py course.imscc backup.mbz export.tar.gz

Each file or folder is imported as `coteach import` does it, into a folder that is removed; the table is Markdown.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.importing.sources import Imported, import_courses

HEAD = "| format | file | read | left out | further warnings |\n|---|---|---|---|--:|"


def cells_of(found: Imported) -> tuple[str, str, str, int]:
    """Format, what was read, what was left out, and how many other warnings there are."""
    read = Counter[str]()
    for course in found.courses:
        read.update(course.counts)
    further = len(found.problems) - len(found.left_out)
    return found.kind, _listed(read), _listed(found.left_out), further


def row_of(source: Path) -> str:
    """The row of one export; one that is refused says why."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            kind, read, left_out, further = cells_of(import_courses(source, Path(folder) / "courses"))
        except CoteachError as error:
            told = str(error).replace(f"{source.parent}/", "")
            return f"| refused | `{source.name}` | {_cell(told)} | | |"
    return f"| {kind} | `{source.name}` | {read} | {left_out} | {further or ''} |"


def _listed(counts: Mapping[str, int]) -> str:
    """What is counted with its number; what is left out in the order of its reasons."""
    return _cell("; ".join(f"{what}: {number:,}" for what, number in counts.items()) or "nothing")


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("sources", nargs="+", type=Path, metavar="EXPORT", help="What `coteach import` reads.")
    sys.stdout.write(f"{HEAD}\n")
    for source in parser.parse_args().sources:
        sys.stdout.write(f"{row_of(source)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
