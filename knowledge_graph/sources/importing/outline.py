"""A course as an importer collects it: where its parts go in teaching order, and what is left out, by reason."""

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.files import read_bytes
from knowledge_graph.sources.folders import SUBTITLE_SUFFIXES
from knowledge_graph.sources.headed_text import HtmlError, html_parts
from knowledge_graph.sources.importing.export_files import file_inside
from knowledge_graph.sources.importing.items import Captions, File, ImportedPage, Item
from knowledge_graph.sources.importing.names import number_title

_NAMED = 10
"""Parts named in a message; the others are counted."""
DOCUMENT_SUFFIXES = (".pdf", ".docx", ".pptx", ".ipynb", ".epub", ".html", ".htm", ".md", ".txt")
"""Documents that are taken over as they are."""


@dataclass
class CourseOutline:
    """The chapters of a course in teaching order, the parts placed in them, and the titles left out by reason.

    `video_order` has the lectures whose captions were placed.
    """

    course_id: str
    video_order: list[str] = field(default_factory=list)
    chapters: list[str] = field(default_factory=list)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    _numbers: Counter[tuple[str, str]] = field(default_factory=Counter)

    def place(self, chapter: str, kind: str, title: str) -> str:
        """The path of the next part of a kind: number and title of its chapter, then its own."""
        if chapter not in self.chapters:
            self.chapters.append(chapter)
        self._numbers[chapter, kind] += 1
        folder = number_title(self.chapters.index(chapter) + 1, chapter)
        return f"{folder}/{number_title(self._numbers[chapter, kind], title)}"

    def page(self, chapter: str, title: str, text: str) -> Iterator[ImportedPage]:
        """The document of an HTML page; one without text is left out."""
        if plain_text(text):
            place = self.place(chapter, "page", title)
            yield ImportedPage(self.course_id, f"{place}.html", whole_page(title, text))
        else:
            self.leave_out("pages without text", title)

    def file(self, chapter: str, title: str, root: Path, name: str, suffix: str, log: BoundedTold) -> Iterator[Item]:
        """The document or captions in the file `name` of the export at `root`; other kinds of files are left out."""
        if suffix not in (*DOCUMENT_SUFFIXES, *SUBTITLE_SUFFIXES):
            self.leave_out("files that are no documents, such as pictures and films", title)
            return
        path = file_inside(root, name)
        content = None if path is None else read_bytes(path, log)
        if content is None:
            self.leave_out("files that are not in the export, or too large", title)
        elif suffix in SUBTITLE_SUFFIXES:
            place = self.place(chapter, "video", title.removesuffix(suffix))
            self.video_order.append(place)
            yield Captions(self.course_id, place, suffix, content)
        else:
            yield File(self.course_id, f"{self.place(chapter, 'page', title.removesuffix(suffix))}{suffix}", content)

    def leave_out(self, reason: str, title: str) -> None:
        self.left_out.setdefault(reason, []).append(title)

    def tell_left_out(self, log: BoundedTold, remedy: str) -> None:
        """One warning a reason, with how many parts it concerns and the first titles."""
        for reason, titles in sorted(self.left_out.items()):
            log.warning(None, f"Left out, {reason}: {len(titles):,} ({_names(titles)}).", remedy)


def plain_text(page: str) -> str:
    """What can be read on an HTML page; empty for one that cannot be parsed."""
    try:
        return " ".join(text for _, text in html_parts(page).parts).strip()
    except HtmlError:
        return ""


def whole_page(title: str, body: str) -> str:
    """A piece of HTML as a page with a title; a page that has a title stays as it is."""
    if re.search(r"<title\b", body, re.IGNORECASE):
        return body
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title>'
    return f"<!doctype html>\n<html><head>{head}</head>\n<body>\n{body.strip()}\n</body></html>\n"


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(f"'{name[:60]}'" for name in names[:_NAMED]) + more
