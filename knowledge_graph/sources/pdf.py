"""PDF bytes to lines with their page numbers, running headers and footers taken out. pypdf does the reading."""

import io
import re
from collections import Counter
from dataclasses import dataclass

from pypdf import PdfReader
from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError

from knowledge_graph.sources.articles import Line

_PAGE_NUMBER = re.compile(
    r"^\s*(?:[-–—]\s*)?(?:page|p\.|第)?\s*\d{1,4}\s*页?\s*(?:(?:of|/|[,，]?\s*共)\s*\d{1,4}\s*页?)?\s*(?:[-–—])?\s*$",
    re.IGNORECASE,
)
_EDGE_LINES = 2
"""Lines at the top and at the bottom of a page that may be a running header or footer."""
_FRONT_PAGES = 4
"""Unnumbered pages (cover, contents) that printed page numbers may lag behind."""


@dataclass(frozen=True)
class PdfText:
    """`title` is the document's own, if it states one. `empty_pages` (1-based) have no text: pictures or scans."""

    title: str | None
    lines: tuple[Line, ...]
    page_count: int
    empty_pages: tuple[int, ...]


class PdfError(ValueError):
    """The file cannot be read; the message says why, `remedy` what to do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


def read_pdf(data: bytes) -> PdfText:
    """The text of a PDF by line and page; raises `PdfError` for a broken, encrypted or text-less file."""
    title, pages = _extract(data)
    if not any(line.strip() for lines in pages for line in lines):
        remedy = "Run text recognition (OCR) over it, or add the text as .md or .txt."
        raise PdfError(f"No text on any of its {len(pages)} page(s): it is probably a scan.", remedy)
    empty = tuple(number for number, lines in enumerate(pages, start=1) if not any(line.strip() for line in lines))
    lines = [(number, line) for number, page in enumerate(_without_running_lines(pages), start=1) for line in page]
    return PdfText(title, tuple(lines), len(pages), empty)


def _extract(data: bytes) -> tuple[str | None, list[list[str]]]:
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileNotDecryptedError("a password is needed")
        pages = [page.extract_text().split("\n") for page in reader.pages]
        title = reader.metadata.title if reader.metadata else None
    except (FileNotDecryptedError, DependencyError) as error:
        raise PdfError("The PDF is encrypted.", "Save it without a password, or add its text as .md.") from error
    # pypdf lets many built-in errors through when the structure of a file is damaged.
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OSError) as error:
        raise PdfError(f"Not a readable PDF: {error}.", "Export the PDF again, or add its text as .md.") from error
    return (title.strip() or None) if isinstance(title, str) else None, pages


def _without_running_lines(pages: list[list[str]]) -> list[list[str]]:
    """Drop page numbers and lines that come back, but for their digits, at the edge of over half of the pages."""
    cleaned = [[line for line in page if line.strip()] for page in pages]
    shaped = [[_shape(line, number) for line in page] for number, page in enumerate(cleaned, start=1)]
    counts = Counter(shape for page in shaped for shape in {*page[:_EDGE_LINES], *page[-_EDGE_LINES:]})
    running = {shape for shape, count in counts.items() if count >= 2 and count > len(pages) / 2}
    return [_spoken(page, shapes, running) for page, shapes in zip(cleaned, shaped, strict=True)]


def _spoken(page: list[str], shapes: list[str], running: set[str]) -> list[str]:
    def is_running(place: int) -> bool:
        at_edge = place < _EDGE_LINES or place >= len(page) - _EDGE_LINES
        return at_edge and (shapes[place] in running or _PAGE_NUMBER.match(page[place]) is not None)

    return [line for place, line in enumerate(page) if not is_running(place)]


def _shape(line: str, page: int) -> str:
    """The line with numbers near the page's own written as a distance to it: alike on all pages in a running line."""

    def relative(match: re.Match[str]) -> str:
        distance = int(match.group()) - page
        return f"#{distance}" if abs(distance) <= _FRONT_PAGES else match.group()

    return re.sub(r"\d{1,4}", relative, " ".join(line.split())).casefold()
