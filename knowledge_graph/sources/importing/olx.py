"""An Open edX course export (OLX, as Studio writes it) to items: captions, pages and problems in teaching order."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.files import read_bytes, read_text
from knowledge_graph.sources.importing.export_files import file_inside
from knowledge_graph.sources.importing.items import Captions, Header, ImportedPage, ImportSource, Item
from knowledge_graph.sources.importing.names import folder_id, number_title
from knowledge_graph.sources.importing.olx_captions import captions_of, json_or_none, transcripts
from knowledge_graph.sources.importing.olx_problem import problem_text
from knowledge_graph.sources.importing.olx_tree import Block, OlxTree, read_tree
from knowledge_graph.sources.importing.outline import CourseOutline, plain_text, whole_page
from knowledge_graph.sources.importing.problem_entries import ProblemEntries

KIND = "Open edX course export"
_LANGS: dict[str, Lang] = {"en": "en", "zh": "zh"}
_TEMPLATE = "Include your long course description here"
"""In the page about the course until its author writes one."""
_KEEP = "Change it in Studio and export again, or leave it so."


def open_olx(root: Path, *, with_graded: bool = False) -> ImportSource:
    """The course at `root`, the folder of `course.xml`; with the solutions of graded problems only if asked for.

    Raises `CoteachError` when it is no course that can be read.
    """
    log = BoundedTold(file=root.name)
    tree = read_tree(root, log)
    if tree is None:
        raise CoteachError(" ".join(map(str, log.problems)) or f"{root}: no course.xml that can be read.")
    number = tree.course.get("course", "")
    course_id = folder_id("-".join(part for part in (number, tree.run) if part))
    reader = _Reader(tree, course_id, log, with_graded)
    return ImportSource(KIND, (course_id,), reader.items(), log, reader.outline.left_out)


@dataclass
class _Reader:
    tree: OlxTree
    course_id: str
    log: BoundedTold
    with_graded: bool = False
    outline: CourseOutline = field(init=False)
    problems: ProblemEntries = field(init=False)

    def __post_init__(self) -> None:
        self.outline = CourseOutline(self.course_id)
        self.problems = ProblemEntries(self.outline, self.with_graded)

    def items(self) -> Iterator[Item]:
        yield from self._pages_about()
        read = {"video": self._video, "html": self._page, "problem": self._problem}
        for block in self.tree.blocks():
            yield from read[block.tag](block)
        lang = self._lang()
        yield Header(
            course_id=self.course_id,
            title=str(self.tree.setting("display_name") or self.course_id).strip(),
            lang=lang,
            instructors=tuple(self._instructors()),
            video_order=tuple(self.outline.video_order),
        )
        self._tell()
        self.log.close()

    def _video(self, block: Block) -> Iterator[Item]:
        captions = [
            found
            for lang in self._langs_wanted()
            if (found := captions_of(self.tree.root, block.element, lang)) is not None
        ]
        if not captions:
            named = transcripts(block.element)
            others = not any(lang[:2].lower() in _LANGS for lang in named) and ", ".join(sorted(named))
            with_others = f"with captions only in another language ({others})"
            self._leave_out(f"videos {with_others if others else 'without captions'}", block)
            return
        path = captions[0]
        content = read_bytes(path, self.log)
        if content is not None:
            video_id = self._place(block, "video")
            self.outline.video_order.append(video_id)
            yield Captions(self.course_id, video_id, path.suffix.lower(), content)

    def _page(self, block: Block) -> Iterator[Item]:
        text = self._page_text(block)
        if text is None:
            self._leave_out("pages whose file is not there or has over 20 MB", block)
        elif plain_text(text):
            yield ImportedPage(self.course_id, f"{self._place(block, 'html')}.html", whole_page(block.title, text))
        else:
            self._leave_out("pages without text", block)

    def _page_text(self, block: Block) -> str | None:
        """The HTML of a page: in the file that it names, else in the block itself."""
        name = block.element.get("filename")
        if not name:
            inner = [ET.tostring(child, encoding="unicode", method="html") for child in block.element]
            return (block.element.text or "") + "".join(inner)
        for spelled in (f"html/{name}.html", f"html/{name}"):
            path = file_inside(self.tree.root, spelled)
            if path is not None:
                decoded = read_text(path, self.log)
                return None if decoded is None else decoded.text
        return None

    def _problem(self, block: Block) -> Iterator[Item]:
        if block.showanswer == "never":
            self._leave_out("problems that never show their answer", block)
            return
        yield from self.problems.entry(
            problem_text(block.element),
            title=block.title,
            author=f"Open edX problem: {block.title}",
            section=" › ".join(block.trail[:2]),
            name=block.name,
            is_graded=block.graded,
        )

    def _pages_about(self) -> Iterator[Item]:
        """The page about the course, and the tabs that its author added."""
        tabs = self.tree.setting("tabs")
        pages = [("about/overview.html", "About this course")]
        for tab in tabs if isinstance(tabs, list) else []:
            if isinstance(tab, dict) and tab.get("type") == "static_tab" and not _is_hidden(tab):
                pages.append((f"tabs/{tab.get('url_slug')}.html", str(tab.get("name") or tab.get("url_slug"))))
        folder = number_title(0, "About the course")
        for place, (name, title) in enumerate(pages, start=1):
            path = file_inside(self.tree.root, name)
            decoded = None if path is None else read_text(path, self.log)
            if decoded is not None and plain_text(decoded.text) and _TEMPLATE not in decoded.text:
                yield ImportedPage(
                    self.course_id, f"{folder}/{number_title(place, title)}.html", whole_page(title, decoded.text)
                )

    def _place(self, block: Block, kind: str) -> str:
        """The path of a video or page: number and title of its chapter, then its own."""
        return self.outline.place(block.trail[0] if block.trail else "Course", kind, block.title)

    def _lang(self) -> Lang | None:
        return _LANGS.get(str(self.tree.setting("language") or "").lower().split("-")[0].split("_")[0])

    def _langs_wanted(self) -> list[str]:
        """The languages of captions that are read, the course's own first."""
        own = self._lang()
        return sorted(_LANGS, key=lambda lang: (lang != own, lang))

    def _instructors(self) -> Iterator[str]:
        info = self.tree.setting("instructor_info")
        if isinstance(info, str):
            info = json_or_none(info)
        people = info.get("instructors") if isinstance(info, dict) else None
        for person in people if isinstance(people, list) else []:
            if isinstance(person, dict) and str(person.get("name") or "").strip():
                yield str(person["name"]).strip()

    def _leave_out(self, reason: str, block: Block) -> None:
        self.outline.leave_out(reason, block.title)

    def _tell(self) -> None:
        language = self.tree.setting("language")
        if language and self._lang() is None:
            message = f"The course is in '{language}'; only English and Chinese are understood."
            self.log.warning(None, message, "Set 'lang' in course.yaml if that is wrong.")
        if self.tree.hidden:
            self.outline.left_out["parts that are hidden from students"] = self.tree.hidden
        self.outline.tell_left_out(self.log, _KEEP)
        if self.tree.unread:
            kinds = ", ".join(f"{count} {tag}" for tag, count in sorted(self.tree.unread.items()))
            self.log.warning(None, f"Blocks of other kinds were not read: {kinds}.", "Nothing to do.")
        self.problems.tell_graded(self.log)
        drafts = len(list((self.tree.root / "drafts").glob("vertical/*.xml")))
        if drafts:
            self.log.warning(None, f"{drafts} units are drafts and were left out.", "Publish them and export again.")


def _is_hidden(tab: dict[str, object]) -> bool:
    return bool(tab.get("is_hidden") or tab.get("course_staff_only"))
