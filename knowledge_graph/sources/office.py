"""Slides, Word documents, notebooks and e-books: their bytes to parts with the number of a slide or cell, or a heading.

Belongs here: the formats that a library opens for us (python-pptx, mammoth, nbformat) and EPUB, which is a zip of HTML
pages. What a section is made of is in `documents.py`.
"""

import io
import posixpath
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from mimetypes import guess_type
from urllib.parse import unquote
from xml.etree.ElementTree import Element

import mammoth
import nbformat
from defusedxml.ElementTree import fromstring
from pptx import Presentation

from knowledge_graph.sources.articles import Article
from knowledge_graph.sources.encodings import decode
from knowledge_graph.sources.headed_text import Headed, NumberedParts, html_parts, markdown_pieces
from knowledge_graph.sources.slides import read_slide
from knowledge_graph.sources.zip_files import check_members
from knowledge_graph.text.layout import code_lines

MOST_FILES = 20_000
MOST_BYTES = 512 * 2**20
"""Files in a package, and the bytes they unpack to. Slides with videos have some hundred megabytes."""
_LARGEST_PAGE = 32 * 2**20
"""Bytes of one part; pictures, sound and videos, which are not read, may be larger. What a part is, its name says here
and its package elsewhere: so any other name may hold a page."""
_UNREAD = ("image/", "audio/", "video/")
_UNNAMED_DECK = "PowerPoint Presentation"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}rootfile"
_OPF = "{http://www.idpf.org/2007/opf}"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"


class OfficeError(ValueError):
    """The file cannot be read; the message says why, to follow "Not read: "."""


@dataclass(frozen=True)
class Slides:
    """A deck's title and its slides, numbered from 1 as `page`; `silent` are those without any text, `repeated` those
    that say word for word what one before them says, which are left out."""

    title: str | None
    slides: tuple[Article, ...]
    silent: tuple[int, ...]
    repeated: tuple[int, ...] = ()


def read_slides(data: bytes) -> Slides:
    """The text of every slide of a `.pptx`: title as heading, text boxes and tables in order, then the notes.

    Raises `OfficeError` for what is no presentation, is damaged or unpacks to more than `MOST_BYTES`.
    """
    _check_package(data)
    with _refusing("a PowerPoint presentation"):
        deck = Presentation(io.BytesIO(data))
        found = [read_slide(number, slide) for number, slide in enumerate(deck.slides, 1)]
        title = (deck.core_properties.title or "").strip()
    first = {(slide.heading, slide.text): slide.page for slide in reversed(found) if slide.text}
    spoken = tuple(slide for slide in found if slide.text and first[slide.heading, slide.text] == slide.page)
    kept = {slide.page for slide in spoken}
    silent = tuple(slide.page for slide in found if not slide.text and slide.page is not None)
    repeated = tuple(one.page for one in found if one.text and one.page is not None and one.page not in kept)
    return Slides(title if title != _UNNAMED_DECK else None, spoken, silent, repeated)


def read_word(data: bytes) -> Headed:
    """The parts of a `.docx` under its headings. Raises `OfficeError` for what is no Word document."""
    _check_package(data)
    with _refusing("a Word document"):
        without_images = mammoth.images.img_element(lambda _image: {"src": ""})
        return html_parts(mammoth.convert_to_html(io.BytesIO(data), convert_image=without_images).value)


def read_notebook(data: bytes) -> NumberedParts:
    """The parts of a Jupyter notebook under the headings of its Markdown cells, each with the number of the cell it
    begins in, from 1. Code belongs to the text before it and stays code; outputs are left out.

    Raises `OfficeError` for what is no notebook.
    """
    with _refusing("a Jupyter notebook"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about cells without ids, which older notebooks do not have
        cells = nbformat.reads(decode(data).text, as_version=4).cells  # type: ignore[no-untyped-call]
        return markdown_pieces(_with_their_code([(cell.cell_type, str(cell.source)) for cell in cells]))


def read_book(data: bytes) -> Headed:
    """The chapters of an EPUB in reading order, under their headings.

    Raises `OfficeError` for what is no EPUB, is damaged or is encrypted.
    """
    _check_package(data)
    with _refusing("an EPUB"), zipfile.ZipFile(io.BytesIO(data)) as package:
        if "META-INF/encryption.xml" in package.namelist():
            raise OfficeError("it is encrypted")
        opf_path, opf = _book_outline(package)
        title = next((" ".join((node.text or "").split()) for node in opf.iter(_TITLE)), None)
        parts = tuple(part for page in _book_pages(package, opf_path, opf) for part in _chapter(page))
    return Headed(title or None, parts)


@contextmanager
def _refusing(expected: str) -> Iterator[None]:
    """Turn whatever a library raises on a damaged file, which none of them lists, into `OfficeError`."""
    try:
        yield
    except OfficeError:
        raise
    except Exception as error:
        raise OfficeError(f"it is not {expected}, or it is damaged ({error})") from error


def _check_package(data: bytes) -> None:
    """Refuse what is no zip, a zip that unpacks to more than its limits, and one whose listing is wrong."""
    with _refusing("a package of this format"), zipfile.ZipFile(io.BytesIO(data)) as package:
        files = package.infolist()
        if len(files) > MOST_FILES or sum(file.file_size for file in files) > MOST_BYTES:
            raise OfficeError(f"it unpacks to more than {MOST_FILES:,} files or {MOST_BYTES // 2**20:,} MB")
        for file in files:
            if file.file_size > _LARGEST_PAGE and not (guess_type(file.filename)[0] or "").startswith(_UNREAD):
                raise OfficeError(f"'{file.filename}' in it unpacks to more than {_LARGEST_PAGE // 2**20} MB")
        check_members(package)


def _with_their_code(cells: Iterable[tuple[str, str]]) -> Iterator[tuple[int, str]]:
    """Text cells, each with the code cells behind it, by the number of the first."""
    first, texts = 1, list[str]()
    for number, (kind, source) in enumerate(cells, 1):
        if kind == "markdown" and texts:
            yield first, "\n\n".join(texts)
            texts = []
        first = first if texts else number
        texts += filter(None, [_cell_text(kind, source)])
    if texts:
        yield first, "\n\n".join(texts)


def _cell_text(kind: str, source: str) -> str:
    """The Markdown of a cell."""
    if kind == "code":
        return "\n".join(code_lines(source.splitlines()))
    return source if kind == "markdown" else ""


def _book_outline(package: zipfile.ZipFile) -> tuple[str, Element]:
    """The path and the tree of the file that lists a book's pages."""
    container = fromstring(package.read("META-INF/container.xml"))
    path = next(container.iter(_CONTAINER)).attrib["full-path"]
    return path, fromstring(package.read(path))


def _book_pages(package: zipfile.ZipFile, opf_path: str, opf: Element) -> Iterator[str]:
    """The HTML of the pages in reading order."""
    manifest = {item.attrib["id"]: item.attrib for item in opf.iter(f"{_OPF}item")}
    names = set(package.namelist())
    for reference in opf.iter(f"{_OPF}itemref"):
        item = manifest.get(reference.attrib.get("idref", ""))
        if item is None or "html" not in item.get("media-type", "") or "nav" in item.get("properties", "").split():
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(opf_path), unquote(item.get("href", ""))))
        if path in names:
            yield decode(package.read(path)).text


def _chapter(page: str) -> Iterator[tuple[str | None, str]]:
    """The parts of a page; its first top heading, which `html_parts` takes for a title, is the chapter's."""
    found = html_parts(page)
    for heading, text in found.parts:
        yield " › ".join(filter(None, (found.title, heading))) or None, text
