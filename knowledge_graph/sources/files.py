"""One file of a course to bytes or text: whatever the disk or the encoding has against it is told, never raised."""

import re
from pathlib import Path

from knowledge_graph.sources.encodings import Decoded, decode
from knowledge_graph.sources.fields import Told


def read_bytes(path: Path, told: Told) -> bytes | None:
    """The bytes of a regular file; `None`, with an error in `told`, when the system does not give them."""
    try:
        if path.exists() and not path.is_file():
            raise OSError("it is not a regular file")
        return path.read_bytes()
    except OSError as error:
        broken = path.is_symlink() and not path.exists()
        remedy = "Mend or remove the link." if broken else "Check that the file is there and may be read, or remove it."
        told.error(None, f"The file could not be read: {error.strerror or error}.", remedy)
        return None


def read_text(path: Path, told: Told) -> Decoded | None:
    """The text of a file; `None`, with an error in `told`, when it could not be read."""
    data = read_bytes(path, told)
    return None if data is None else decode_told(data, told)


def decode_told(data: bytes, told: Told) -> Decoded:
    """The text of a file, with a warning when it is not UTF-8 throughout."""
    decoded = decode(data)
    if decoded.defect:
        line = _line_of_replacement(decoded.text)
        told.warning(line, decoded.defect, "Save the file as UTF-8 if the text looks wrong.")
    elif decoded.encoding != "utf-8":
        told.warning(None, f"Read as {decoded.encoding}; nothing was lost.", "Save it as UTF-8 to be sure.")
    return decoded


def _line_of_replacement(text: str) -> int | None:
    place = text.find("\N{REPLACEMENT CHARACTER}")
    return None if place < 0 else len(re.findall(r"\r\n|\r|\n", text[:place])) + 1
