"""The files of an unpacked export, from any system: XML without entities, and nothing outside of the export."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.files import read_bytes

LARGEST_FILE = 20 * 1024**2
"""Bytes of one file that is read. The largest pages, problems and captions have some hundred kilobytes."""
_LONGEST_PART = 255
"""Bytes of a name; a longer one is an error to ask a file system for."""


def folders_of(place: Path) -> Iterator[Path]:
    """Where an export may begin: the folder itself, then the folders in it, by name."""
    if place.is_dir():
        yield place
        yield from sorted(path for path in place.iterdir() if path.is_dir())


def read_xml(root: Path, name: str, log: ProblemLog) -> ET.Element | None:
    """The element in a file below `root`; `None`, with a problem logged, when it is none that is read."""
    path = file_inside(root, name)
    data = None if path is None else read_bytes(path, log)
    if data is None:
        return None
    plain = data.replace(b"\0", b"")  # UTF-16 and UTF-32 have the same letters, with zeros between them
    if b"<!DOCTYPE" in plain or b"<!ENTITY" in plain:
        log.error(None, f"{name} declares a document type; it was not read.", "Remove the declaration.")
        return None
    try:
        return ET.fromstring(data)
    except (ET.ParseError, ValueError, LookupError) as error:
        log.error(None, f"{name} is not valid XML: {error}.", "Repair it where it was made and export again.")
        return None


def inside(root: Path, name: str) -> Path | None:
    """The path of a file that the export names; `None` when it would lie outside of the export."""
    if any(len(part.encode(errors="replace")) > _LONGEST_PART for part in name.split("/")):
        return None
    try:
        path = (root / name).resolve()
        return path if path.is_relative_to(root.resolve()) else None
    except (OSError, ValueError):
        return None


def file_inside(root: Path, name: str) -> Path | None:
    """As `inside`, and `None` for what is no regular file or larger than `LARGEST_FILE`."""
    path = inside(root, name)
    is_read = path is not None and path.is_file() and path.stat().st_size <= LARGEST_FILE
    return path if is_read else None
