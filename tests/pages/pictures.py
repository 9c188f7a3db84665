"""Pictures of pages: where one goes, and which of them the documentation shows."""

import os
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PICTURES = PROJECT / "docs" / "screenshots"
IS_TO_WRITE = os.environ.get("COTEACH_WRITE_SCREENSHOTS") == "1"
"""Read here: a test sees no settings."""


def path_of(name: str, folder: Path) -> Path:
    """Where a picture goes: a folder of the test, or the documentation where that shows it and it is to be written."""
    return (PICTURES if IS_TO_WRITE and is_shown(name) else folder) / name


def is_shown(name: str) -> bool:
    """Whether a page of the documentation shows a picture."""
    return f"screenshots/{name}" in _documentation()


@cache
def _documentation() -> str:
    return "\n".join(one.read_text() for one in (PROJECT / "README.md", *(PROJECT / "docs").glob("*.md")))
