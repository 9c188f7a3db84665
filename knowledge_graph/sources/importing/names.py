"""Titles to the names of files and folders, so that the title read back from the name is the one that went in."""

import re
import unicodedata
from collections.abc import Iterable

from knowledge_graph.sources.fields import whole_characters

LONGEST_NAME = 180
"""Bytes of a name as UTF-8; file systems allow 255, and number and suffix come on top."""

_NOT_IN_ID = re.compile(r"[^\w.-]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_PORTABLE = str.maketrans({"/": "-", "\\": "-", "|": "-", ":": "-", '"': "'", "<": "(", ">": ")", "*": "-", "?": ""})


def file_name(title: str) -> str:
    """A title as a name that every file system takes; `videos.title_of` puts `: ` and a last `?` back.

    >>> file_name("What is TCP/IP: a protocol?")
    'What is TCP-IP_ a protocol_'
    """
    words = " ".join(_CONTROL.sub(" ", whole_characters(title)).split())
    words = re.sub(r":(?=\s)", "_", words)
    words = re.sub(r"\?$", "_", words)
    return cut(words.translate(_PORTABLE).strip(" .")) or "untitled"


def number_title(number: int, title: str) -> str:
    """`number` before the name of a title; numbers have two digits or more, so that names sort as they are taught."""
    return f"{number:02d} - {file_name(title)}"


def folder_id(name: str) -> str:
    """A course's name as the name of its folder, which is its id: letters, digits, `_`, `.` and `-`."""
    return cut(_NOT_IN_ID.sub("-", unicodedata.normalize("NFC", name)).strip("-.")) or "course"


def folder_ids(names: Iterable[str]) -> dict[str, str]:
    """The folder id of each name, in their order; names that would share one get `-2`, `-3` behind it."""
    found: dict[str, str] = {}
    for name in names:
        if name not in found:
            base, number = folder_id(name), 1
            while (free := base if number == 1 else f"{base}-{number}") in found.values():
                number += 1
            found[name] = free
    return found


def cut(name: str) -> str:
    """At most `LONGEST_NAME` bytes, no character divided."""
    return name.encode()[:LONGEST_NAME].decode(errors="ignore").strip()
