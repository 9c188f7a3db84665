"""One file of a course to bytes or text: whatever the disk or the encoding has against it is reported, never raised."""

import re
from pathlib import Path
from typing import TextIO

from knowledge_graph.sources.encodings import Decoded, decode
from knowledge_graph.sources.fields import ProblemLog

LARGEST_FILE = 64 * 2**20
"""Bytes of a file that is read at once. A book of a thousand pages has 3 MB of text, and what is made of a text takes
several times its size in memory."""

_HEAD = 2**20
"""Bytes looked at to find the encoding of a file that is read bit by bit."""


def read_bytes(path: Path, log: ProblemLog, limit: int = LARGEST_FILE) -> bytes | None:
    """The bytes of a regular file; `None`, with an error in `log`, when the system does not give them.

    A file of more than `limit` bytes is reported, too, and not read.
    """
    try:
        _check_regular(path)
        size = path.stat().st_size
        if size <= limit:
            return path.read_bytes()
    except OSError as error:
        _tell_unreadable(path, error, log)
        return None
    message = f"Not read: the file has {size / 2**20:,.1f} MB, the limit is {limit / 2**20:,.0f} MB."
    log.error(None, message, "Divide it into smaller files, or remove it if it is something else.")
    return None


def read_text(path: Path, log: ProblemLog, limit: int = LARGEST_FILE) -> Decoded | None:
    """The text of a file of up to `limit` bytes; `None`, with an error in `log`, when it could not be read."""
    data = read_bytes(path, log, limit)
    return None if data is None else decode_with_warnings(data, log)


def open_text(path: Path, log: ProblemLog) -> TextIO | None:
    """A text of any size, to be read bit by bit and closed; `None`, with an error in `log`, when it cannot be opened.

    A byte order mark is skipped. The encoding is found from the beginning; what does not fit it later on becomes
    U+FFFD. Line breaks become `\n`.
    """
    try:
        _check_regular(path)
        with path.open("rb") as file:
            head = file.read(_HEAD)
        encoding = decode(head if len(head) < _HEAD else _without_half_character(head)).encoding
        stream = path.open(encoding=encoding, errors="replace")
        if stream.read(1) != "\ufeff":
            stream.seek(0)
    except OSError as error:
        _tell_unreadable(path, error, log)
        return None
    if encoding != "utf-8":
        log.warning(None, f"Read as {encoding}.", "Save it as UTF-8 to be sure.")
    return stream


def _without_half_character(head: bytes) -> bytes:
    return head[: head.rfind(b"\n") + 1] or head.rstrip(bytes(range(0x80, 0x100))) or head


def _check_regular(path: Path) -> None:
    """A folder or a device gives no bytes, and a pipe would be waited for."""
    if path.exists() and not path.is_file():
        raise OSError("it is not a regular file")


def _tell_unreadable(path: Path, error: OSError, log: ProblemLog) -> None:
    broken = path.is_symlink() and not path.exists()
    remedy = "Mend or remove the link." if broken else "Check that the file is there and may be read, or remove it."
    log.error(None, f"The file could not be read: {error.strerror or error}.", remedy)


def decode_with_warnings(data: bytes, log: ProblemLog) -> Decoded:
    """The text of a file, with a warning when it is not UTF-8 throughout."""
    decoded = decode(data)
    if decoded.defect:
        line = _line_of_replacement(decoded.text)
        log.warning(line, decoded.defect, "Save the file as UTF-8 if the text looks wrong.")
    elif decoded.encoding != "utf-8":
        log.warning(None, f"Read as {decoded.encoding}; nothing was lost.", "Save it as UTF-8 to be sure.")
    return decoded


def _line_of_replacement(text: str) -> int | None:
    place = text.find("\N{REPLACEMENT CHARACTER}")
    return None if place < 0 else len(re.findall(r"\r\n|\r|\n", text[:place])) + 1
