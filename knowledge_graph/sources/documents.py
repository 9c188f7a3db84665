"""Regulations, syllabi and slides to citable sections: by article where numbered, else by heading or page.

How each format is taken apart is in modules of their own; here is which of them is used, and what a section is made
of.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CourseCard, DocumentSection
from knowledge_graph.sources.articles import Article, join_paragraphs, split_articles
from knowledge_graph.sources.fields import LONGEST_QUESTION, LONGEST_TEXT, ProblemLog, repair, without_controls
from knowledge_graph.sources.files import LARGEST_FILE, decode_with_warnings, read_bytes
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.headed_text import Headed, HtmlError, html_parts, markdown_parts
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.office import OfficeError, read_book, read_notebook, read_slides, read_word
from knowledge_graph.sources.pdf import MAX_PAGES, PdfError, PdfText, read_pdf
from knowledge_graph.sources.videos import title_of
from knowledge_graph.text.layout import layout_of

_HEADING_NUMBER = re.compile(r"^(?:(?:Article|Section|§)\s*)?(\d{1,3}(?:\.\d{1,3}){0,4})[.:)]?\s+(.+)$", re.IGNORECASE)
_CHINESE_NUMBER = re.compile(r"^(第[零〇一二三四五六七八九十百\d]{1,6}[条章节])[\s:：、]*(.*)$")

LARGEST_TEXT = 8 * 2**20
"""Bytes of a document without pictures: two books of a thousand pages. Reading HTML takes up to 43 times the memory."""
_KEY_DIGITS = 12
_LISTED = 20
"""Page numbers named in a message."""

Parts = tuple[str | None, list[Article]]
"""A document's own title, if it has one, and its parts."""


def read_documents(folder: CourseFolder, card: CourseCard) -> tuple[tuple[DocumentSection, ...], tuple[Problem, ...]]:
    """Every section of every document, by file and place. A file that cannot be read is a problem, not an error."""
    sections: list[DocumentSection] = []
    log = ProblemLog()
    for path in input_files(folder, "documents"):
        log.file = display_path(path, folder.path)
        reader = _READERS.get(path.suffix.lower())
        if reader is None:
            readable = ", ".join(sorted(_READERS))
            log.error(None, f"Not read: '{path.suffix}' is not a document format.", f"Save it as one of {readable}.")
            continue
        data = read_bytes(path, log, LARGEST_FILE if path.suffix.lower() in _WITH_PICTURES else LARGEST_TEXT)
        if data is None:
            continue
        title, parts = reader(data, log)
        if not parts and not log.has_errors():
            log.error(None, "The document has no text.", "Add text, or remove the file.")
        kept = [piece for part in parts for piece in _within_limits(part, log)]
        sections += _sections(path, log.file, title and repair("title", title, None, log), kept, card)
    return tuple(sections), tuple(dict.fromkeys(log.problems))


def _sections(
    path: Path, file: str, title: str | None, parts: list[Article], card: CourseCard
) -> list[DocumentSection]:
    return [
        DocumentSection(
            course_id=card.course_id,
            document=file,
            title=title or title_of(path.stem),
            section_index=index,
            section_key=key,
            page=part.page,
            article=part.number,
            heading=part.heading,
            text=part.text,
            lang=lang_of(part.text, card.lang),
        )
        for index, (part, key) in enumerate(zip(parts, _keys(parts), strict=True))
    ]


def _keys(parts: Sequence[Article]) -> list[str]:
    """What each part is called by in its document; only one that is alike with another depends on its place."""
    seen: Counter[str] = Counter()
    keys = []
    for part in parts:
        named = part.heading or part.text.split("\n", 1)[0]
        key = part.number or hashlib.sha256(named.encode()).hexdigest()[:_KEY_DIGITS]
        seen[key] += 1
        keys.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return keys


def _within_limits(part: Article, log: ProblemLog) -> list[Article]:
    """The part, in pieces if it is too long; a heading that is none goes before the text. Nothing is left out."""
    heading = part.heading and repair("heading", part.heading, None, log)
    text = repair("text", part.text, None, log).strip()
    if heading and len(heading) > LONGEST_QUESTION:
        message = f"The heading '{heading[:60]}' has {len(heading):,} characters, the limit is {LONGEST_QUESTION:,}"
        log.warning(None, f"{message}; it was made part of the text.", "Shorten the heading.")
        heading, text = None, f"{heading}\n{text}"
    pieces = _pieces(text)
    if len(pieces) > 1:
        where = f" '{heading[:60]}'" if heading else f" on page {part.page}" if part.page else ""
        message = f"The section{where} has {len(text):,} characters, the limit is {LONGEST_TEXT:,}"
        remedy = "Divide it by headings, so that a reader is sent to the right place."
        log.warning(None, f"{message}; it was divided into {len(pieces)}.", remedy)
    return [Article(part.number, heading, part.page, piece) for piece in pieces]


def _pieces(text: str) -> list[str]:
    """Cut at the last line break within the limit, else at the last blank, else where the limit is."""
    pieces = []
    while len(text) > LONGEST_TEXT:
        cut = next((place for sign in "\n " if (place := text.rfind(sign, 1, LONGEST_TEXT)) > 0), LONGEST_TEXT)
        pieces.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*pieces, text] if text else pieces


def _read_pdf(data: bytes, log: ProblemLog) -> Parts:
    try:
        pdf = read_pdf(data)
    except PdfError as error:
        log.error(None, str(error), error.remedy)
        return None, []
    _tell_pages(pdf, log)
    return pdf.title, split_articles(pdf.lines) or [
        Article(None, None, number, text)
        for number in range(1, pdf.page_count + 1)
        if (text := join_paragraphs(line for page, line in pdf.lines if page == number))
    ]


def _tell_pages(pdf: PdfText, log: ProblemLog) -> None:
    """What is missing of a PDF."""
    if pdf.page_count > MAX_PAGES:
        message = f"Pages {MAX_PAGES + 1:,} to {pdf.page_count:,} were not read, the limit is {MAX_PAGES:,} pages."
        log.error(None, message, "Divide the document into several files.")
    for reason in sorted({reason for _, reason in pdf.unread_pages}):
        pages = _numbers([number for number, each in pdf.unread_pages if each == reason])
        message = f"Page(s) {pages} of {pdf.page_count} could not be read: {reason}."
        log.error(None, message, "Export the PDF again, or add what is there as .md.")
    if pdf.empty_pages:
        message = f"No text on page(s) {_numbers(pdf.empty_pages)} of {pdf.page_count}."
        log.warning(None, message, "Add what is pictured there as .md.")


def _numbers(pages: Sequence[int]) -> str:
    """The first of many: a scan in the middle of a book has hundreds of pages without text."""
    listed = ", ".join(map(str, pages[:_LISTED]))
    return f"{listed} and {len(pages) - _LISTED:,} more" if len(pages) > _LISTED else listed


def _read_text(data: bytes, log: ProblemLog) -> Parts:
    text = _decode(data, log)
    lines = [(None, line) for line in text.split("\n")]
    whole = join_paragraphs(text.split("\n"))
    return None, split_articles(lines) or ([Article(None, None, None, whole)] if whole else [])


def _read_markdown(data: bytes, log: ProblemLog) -> Parts:
    return _under_headings(markdown_parts(_decode(data, log)))


def _read_html(data: bytes, log: ProblemLog) -> Parts:
    try:
        return _under_headings(html_parts(without_controls("The page", _decode(data, log), None, log)))
    except HtmlError as error:
        log.error(None, f"Not read: {error}.", "Save the page again from a browser, or add its text as .md.")
        return None, []


def _read_slides(data: bytes, log: ProblemLog) -> Parts:
    """A deck of slides; the number of a slide is its page."""
    try:
        deck = read_slides(data)
    except OfficeError as error:
        return _tell_not_read(error, log)
    if deck.silent:
        message = f"No text on slide(s) {_numbers(deck.silent)}."
        log.warning(None, message, "Add what is pictured there to the slide's notes.")
    if deck.repeated:
        message = f"Slide(s) {_numbers(deck.repeated)} left out: they say word for word what an earlier one says."
        log.warning(None, message, "Nothing need be done; answers lead to the earlier slide.")
    return deck.title, list(deck.slides)


def _read_notebook(data: bytes, log: ProblemLog) -> Parts:
    """A notebook; the number of a cell is its page."""
    try:
        found = read_notebook(data)
    except OfficeError as error:
        return _tell_not_read(error, log)
    parts = [(cell, part) for cell, heading, text in found.parts for part in _by_number(_with_number(heading, text))]
    return found.title, [replace(part, page=cell) for cell, part in parts]


def _read_office(data: bytes, log: ProblemLog, *, read: Callable[[bytes], Headed]) -> Parts:
    try:
        return _under_headings(read(data))
    except OfficeError as error:
        return _tell_not_read(error, log)


def _tell_not_read(error: OfficeError, log: ProblemLog) -> Parts:
    log.error(None, f"Not read: {error}.", "Save it again from the program that made it, or export it as PDF.")
    return None, []


def _under_headings(found: Headed) -> Parts:
    """The parts by number; what stands right under a title that asks, "What is a mindset?", is headed by it."""
    asked = found.title if found.title and found.title.rstrip().endswith(("?", "？")) else None
    parts = [(heading or (asked if place == 0 else None), text) for place, (heading, text) in enumerate(found.parts)]
    return found.title, [article for heading, text in parts for article in _by_number(_with_number(heading, text))]


def _by_number(part: Article) -> list[Article]:
    """The numbered articles in a part; its bare 1, 2, 3 are a list and stay together."""
    if any(block.number[:1].isdecimal() for block in layout_of(part.text)):
        return [part]
    found = split_articles([(None, line) for line in part.text.split("\n")])
    if not found or any(article.number is not None and article.number.isdecimal() for article in found):
        return [part]
    return [
        Article(
            article.number or part.number,
            " › ".join(heading for heading in (part.heading, article.heading) if heading) or None,
            None,
            article.text,
        )
        for article in found
    ]


def _with_number(heading: str | None, text: str) -> Article:
    """The number in the innermost heading, "5.1 Resits", becomes the article's."""
    if heading is None:
        return Article(None, None, None, text)
    *above, last = heading.split(" › ")
    match = _HEADING_NUMBER.match(last) or _CHINESE_NUMBER.match(last)
    number, title = match.groups() if match else (None, last)
    return Article(number, " › ".join([*above, title] if title else above) or None, None, text)


def _decode(data: bytes, log: ProblemLog) -> str:
    return decode_with_warnings(data, log).text.replace("\r\n", "\n").replace("\r", "\n")


_READERS: dict[str, Callable[[bytes, ProblemLog], Parts]] = {
    ".pdf": _read_pdf,
    ".md": _read_markdown,
    ".html": _read_html,
    ".htm": _read_html,
    ".txt": _read_text,
    ".pptx": _read_slides,
    ".docx": partial(_read_office, read=read_word),
    ".ipynb": _read_notebook,
    ".epub": partial(_read_office, read=read_book),
}
_WITH_PICTURES = frozenset({".pdf", ".pptx", ".docx", ".ipynb", ".epub"})
