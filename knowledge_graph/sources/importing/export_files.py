"""The files of an unpacked export, from any system: XML without entities, and nothing outside of the export."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

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
    """The element in a file below `root`; `None` when there is no such file, and, with a problem logged, when it is
    none that is read."""
    path = file_inside(root, name)
    if path is None and (large := inside(root, name)) is not None and large.is_file():
        size, most = large.stat().st_size / 1024**2, LARGEST_FILE // 1024**2
        log.error(None, f"{name} has {size:.0f} MB, of {most} that are read; it is left out.", "Export it in parts.")
    data = None if path is None else read_bytes(path, log)
    if data is None:
        return None
    try:
        return cast(ET.Element, fromstring(data, forbid_dtd=True))
    except DefusedXmlException:
        log.error(None, f"{name} declares a document type; it was not read.", "Remove the declaration.")
        return None
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
