"""PDF bytes to lines with their page numbers, running headers and footers taken out. pypdf does the reading.

A PDF is a program that can ask for any amount of work, so what a stream, a page and a document may ask for is limited.
"""

import io
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pypdf import Configuration, PageObject, PdfReader, apply_configuration
from pypdf.errors import DependencyError, FileNotDecryptedError

from knowledge_graph.sources.articles import Line

MAX_PAGES = 5_000
"""Pages read of a document. The longest regulations have some hundreds; 10,000 plain pages take 40 s."""
MAX_SECONDS = 120.0
"""After so long no further page is begun and the document is refused, so that the time is bounded whatever it holds."""
_LIMITS = Configuration(
    # Bytes that a stream may unpack to. A page of text has 5 to 50 kB; a bomb has 1,000 times its size in the file.
    zlib_maximum_output_length=10_000_000,
    lzw_maximum_output_length=10_000_000,
    run_length_maximum_output_length=10_000_000,
    array_based_stream_maximum_output_length=10_000_000,
    stream_decoding_work_maximum_length=50_000_000,
    # Operands and operators in a stream, 0.7 s of work. A page of text has some thousands, a large plot 100,000.
    stream_parsing_work_maximum_count=200_000,
    # Figures and the like that a page may draw, each a stream of its own. Slides have up to 40.
    xform_maximum_invocations_per_extraction=100,
    # No program of the system is started for a document.
    jbig2dec_binary=None,
)

_PAGE_NUMBER = re.compile(
    r"^\s*+(?:[-–—]\s*+)?+(?:page|p\.|第)?+\s*+\d{1,4}\s*+页?+\s*+(?:(?:of|/|[,，]?\s*+共)\s*+\d{1,4}\s*+页?+)?+\s*+[-–—]?\s*+$",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"(?:\b(?:article|section|chapter|part|art\.|sec\.)|§)\s*\d+|第\s*\d+\s*[条章节]|(?<![\d.])\d{1,4}(?!\d|\.\d)",
    re.IGNORECASE,
)
_EDGE_LINES = 2
"""Lines at the top and at the bottom of a page that may be a running header or footer."""
_FRONT_PAGES = 4
"""Unnumbered pages (cover, contents) that printed page numbers may lag behind."""


@dataclass(frozen=True)
class PdfText:
    """`title` is the document's own, if it states one. Pages are counted from 1.

    `empty_pages` have no text: pictures or scans. `unread_pages` are damaged or ask for too much, for the reason given.
    Of `page_count` pages at most `MAX_PAGES` are read.
    """

    title: str | None
    lines: tuple[Line, ...]
    page_count: int
    empty_pages: tuple[int, ...]
    unread_pages: tuple[tuple[int, str], ...] = ()


class PdfError(ValueError):
    """The file cannot be read; the message says why, `remedy` what to do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


def read_pdf(data: bytes, *, max_seconds: float = MAX_SECONDS, clock: Callable[[], float] = time.monotonic) -> PdfText:
    """The text of a PDF by line and page; raises `PdfError` for a broken, encrypted, text-less or endless file."""
    with apply_configuration(_LIMITS):
        title, pages, page_count = _extract(data, clock() + max_seconds, clock)
    unread = tuple((number, page) for number, page in enumerate(pages, start=1) if isinstance(page, str))
    texts = [[] if isinstance(page, str) else page for page in pages]
    has_text = [any(line.strip() for line in lines) for lines in texts]
    if not any(has_text):
        raise _without_text(page_count, unread)
    failed = {number for number, _ in unread}
    empty = (number for number, filled in enumerate(has_text, start=1) if not filled and number not in failed)
    lines = [(number, line) for number, page in enumerate(_without_running_lines(texts), start=1) for line in page]
    return PdfText(title, tuple(lines), page_count, tuple(empty), unread)


def _without_text(page_count: int, unread: Sequence[tuple[int, str]]) -> PdfError:
    if unread or not page_count:
        reason = unread[0][1] if unread else "it has no pages"
        return PdfError(f"Not a readable PDF: {reason}.", "Export the PDF again, or add its text as .md.")
    remedy = "Run text recognition (OCR) over it, or add the text as .md or .txt."
    return PdfError(f"No text on any of its {page_count} page(s): it is probably a scan.", remedy)


def _extract(data: bytes, end: float, clock: Callable[[], float]) -> tuple[str | None, list[list[str] | str], int]:
    """The document's title, its pages as lines, or as the reason why there are none, and how many pages there are."""
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileNotDecryptedError("a password is needed")
        pages: list[list[str] | str] = []
        for page in _pages(reader):
            pages.append(_lines_of(page))
            if clock() > end:
                message = f"Reading was given up after page {len(pages)} of {len(reader.pages)}: it took too long."
                raise PdfError(message, "Export the PDF again, divide it, or add its text as .md.")
        title = reader.metadata.title if reader.metadata else None
    except (FileNotDecryptedError, DependencyError) as error:
        raise PdfError("The PDF is encrypted.", "Save it without a password, or add its text as .md.") from error
    except PdfError:
        raise
    except Exception as error:  # pypdf lets errors of any type through when a file is damaged
        message = f"Not a readable PDF: {_reason(error)}."
        raise PdfError(message, "Export the PDF again, or add its text as .md.") from error
    return (title.strip() or None) if isinstance(title, str) else None, pages, len(reader.pages)


def _pages(reader: PdfReader) -> Iterator[PageObject]:
    return islice(iter(reader.pages), MAX_PAGES)


def _lines_of(page: PageObject) -> list[str] | str:
    """The lines of a page, or why it cannot be read."""
    try:
        return page.extract_text().split("\n")
    except Exception as error:  # noqa: BLE001 - as above; the other pages may be sound
        return _reason(error)


def _reason(error: Exception) -> str:
    return (" ".join(str(error).split()) or type(error).__name__).rstrip(".")


def _without_running_lines(pages: list[list[str]]) -> list[list[str]]:
    """Drop page numbers and lines that come back, but for their digits, at the edge of over half of the pages."""
    cleaned = [[line for line in page if line.strip()] for page in pages]
    shaped = [[_shape(line, number) for line in page] for number, page in enumerate(cleaned, start=1)]
    counts = Counter(shape for page in shaped for shape in {*page[:_EDGE_LINES], *page[-_EDGE_LINES:]})
    running = {shape for shape, count in counts.items() if count >= 2 and count > len(pages) / 2}
    return [_body_lines(page, shapes, running) for page, shapes in zip(cleaned, shaped, strict=True)]


def _body_lines(page: list[str], shapes: list[str], running: set[str]) -> list[str]:
    def is_running(place: int) -> bool:
        at_edge = place < _EDGE_LINES or place >= len(page) - _EDGE_LINES
        return at_edge and (shapes[place] in running or _PAGE_NUMBER.match(page[place]) is not None)

    return [line for place, line in enumerate(page) if not is_running(place)]


def _shape(line: str, page: int) -> str:
    """The line with numbers near the page's own written as a distance to it: alike on all pages in a running line.

    The numbers of articles stay: where each has a page of its own, "Article 3" stands on page 3.
    """

    def relative(match: re.Match[str]) -> str:
        found = match.group()
        is_near = found.isdecimal() and abs(int(found) - page) <= _FRONT_PAGES
        return f"#{int(found) - page}" if is_near else found

    return _NUMBERS.sub(relative, " ".join(line.split())).casefold()
