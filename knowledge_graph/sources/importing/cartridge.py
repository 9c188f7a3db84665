"""A Common Cartridge, as Canvas and other systems export it, to items: pages, files, captions in teaching order.

IMS Common Cartridge 1.1 to 1.3, with the files that Canvas puts beside it. What students cannot see there (unpublished
or hidden) is left out, and so are graded quizzes: their solutions are not for the assistant to give.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from selectolax.lexbor import LexborHTMLParser

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.importing.cartridge_quiz import BANK, CartridgeQuiz, read_quiz
from knowledge_graph.sources.importing.export_files import file_inside, folders_of, read_xml
from knowledge_graph.sources.importing.items import Header, ImportSource, Item
from knowledge_graph.sources.importing.names import folder_id
from knowledge_graph.sources.importing.outline import CourseOutline
from knowledge_graph.sources.importing.problem_entries import ProblemEntries

KIND = "Common Cartridge"
MANIFEST = "imsmanifest.xml"
_PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
_OTHER = "Other material"
_KEEP = "Change it in the learning management system and export again, or leave it so."
_HIDDEN = "not published there"
_SETTINGS = ("course_settings/", "non_cc_assessments/")
_SETTINGS_SUFFIXES = (".xml", ".qti")
"""Files that say how a part is set up and hold nothing to read."""
_QUIZ = "imsqti"
"""How the type of a quiz or a question bank begins."""
_LEFT_OUT = {
    "imswl": "links to other places",
    "imsbasiclti": "external tools",
}
"""Why resources of a type are not read, by how its name begins."""


@dataclass(frozen=True)
class _Resource:
    """A resource of the manifest: its type, and the paths of its files, the main one first."""

    identifier: str
    kind: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class _Part:
    """Where a resource stands in the course."""

    resource: _Resource
    chapter: str
    title: str


def find_cartridge(place: Path) -> Path | None:
    """The folder with a manifest: `place`, or the first folder in it that has one."""
    return next((folder for folder in folders_of(place) if (folder / MANIFEST).is_file()), None)


def open_cartridge(root: Path, *, with_graded: bool = False) -> ImportSource:
    """The course at `root`, the folder of the manifest; with the solutions of graded quizzes only if asked for.

    Raises `CoteachError` when the manifest cannot be read.
    """
    log = BoundedTold(file=root.name)
    manifest = read_xml(root, MANIFEST, log)
    if manifest is None:
        raise CoteachError(" ".join(map(str, log.problems)) or f"{root}: no {MANIFEST} that can be read.")
    title = " ".join((manifest.findtext("{*}metadata/{*}lom/{*}general/{*}title/{*}string") or "").split())
    course_id = folder_id(title or root.name)
    reader = _Reader(root, manifest, course_id, title or course_id, log, with_graded)
    return ImportSource(KIND, (course_id,), reader.items(), log, reader.outline.left_out)


@dataclass
class _Reader:
    root: Path
    manifest: Element
    course_id: str
    title: str
    log: BoundedTold
    with_graded: bool = False
    outline: CourseOutline = field(init=False)
    problems: ProblemEntries = field(init=False)
    quizzes: dict[str, CartridgeQuiz | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.outline = CourseOutline(self.course_id)
        self.problems = ProblemEntries(self.outline, self.with_graded)

    def items(self) -> Iterator[Item]:
        hidden = self._find_hidden()
        self._read_quizzes()
        for part in self._parts():
            if part.resource.identifier in hidden:
                self.outline.leave_out(_HIDDEN, part.title)
            else:
                yield from self._read(part)
        yield Header(course_id=self.course_id, title=self.title, video_order=tuple(self.outline.video_order))
        self.outline.tell_left_out(self.log, _KEEP)
        self.problems.tell_graded(self.log)
        self.log.close()

    def _parts(self) -> Iterator[_Part]:
        """Every resource once, in the order of the course, then those that no chapter names."""
        resources = {found.identifier: found for found in map(_resource, self.manifest.iterfind(".//{*}resource"))}
        placed: set[str] = set()
        for chapter, item in self._items_with_resource():
            resource = resources.get(item.get("identifierref", ""))
            if resource is not None and resource.identifier not in placed:
                placed.add(resource.identifier)
                yield _Part(self._with_fallback(resource, resources), chapter, _title(item))
        fallbacks = {f"{identifier}_fallback" for identifier in placed}
        for resource in resources.values():
            if resource.identifier not in placed | fallbacks and resource.files:
                yield _Part(resource, _OTHER, PurePosixPath(resource.files[0]).stem.replace("-", " ").replace("_", " "))

    def _items_with_resource(self) -> Iterator[tuple[str, Element]]:
        """The items of the course that name a resource, with the title of their chapter."""
        for chapter in self.manifest.iterfind("{*}organizations/{*}organization/{*}item/{*}item"):
            for item in (chapter, *chapter.iterfind(".//{*}item")):
                yield _title(chapter) or "Course", item

    def _with_fallback(self, resource: _Resource, resources: dict[str, _Resource]) -> _Resource:
        """An assignment with the page that systems show which do not know assignments."""
        fallback = resources.get(f"{resource.identifier}_fallback")
        return resource if fallback is None else _Resource(resource.identifier, fallback.kind, fallback.files)

    def _read(self, part: _Part) -> Iterator[Item]:
        kind, files = part.resource.kind, part.resource.files
        reason = next((reason for start, reason in _LEFT_OUT.items() if kind.startswith(start)), None)
        if reason is not None:
            self.outline.leave_out(reason, part.title)
        elif kind.startswith(_QUIZ):
            yield from self._quiz(part)
        elif kind.startswith("imsdt"):
            yield from self._discussion(part)
        elif page := next((name for name in files if name.lower().endswith(_PAGE_SUFFIXES)), None):
            yield from self._page(part, page)
        elif files and not files[0].endswith(_SETTINGS_SUFFIXES) and not files[0].startswith(_SETTINGS):
            suffix = PurePosixPath(files[0]).suffix.lower()
            yield from self.outline.file(part.chapter, part.title, self.root, files[0], suffix, self.log)

    def _read_quizzes(self) -> None:
        """All quizzes and banks, and what the graded quizzes ask, themselves or from a bank."""
        for resource in map(_resource, self.manifest.iterfind(".//{*}resource")):
            if resource.kind.startswith(_QUIZ):
                self.quizzes[resource.identifier] = read_quiz(self.root, resource.identifier, resource.files, self.log)
        for quiz in [one for one in self.quizzes.values() if one is not None and one.is_graded]:
            banks = [self.quizzes.get(name) or read_quiz(self.root, name, (), self.log) for name in sorted(quiz.banks)]
            for asked in (quiz, *filter(None, banks)):
                self.problems.asked_graded |= {one.text.question for one in asked.questions if one.text is not None}

    def _quiz(self, part: _Part) -> Iterator[Item]:
        quiz = self.quizzes[part.resource.identifier]
        title = (quiz.title if quiz is not None else "") or part.title
        if quiz is None:
            self.outline.leave_out("quizzes whose file is not there or cannot be read", title)
        elif quiz.is_hidden:
            self.outline.leave_out(_HIDDEN, title)
        elif part.resource.kind.endswith(BANK) and not self.with_graded:
            self.outline.leave_out("question banks, from which graded quizzes may draw", title)
        elif not self.problems.leaves_out(title, is_graded=quiz.is_graded, shows_answers=quiz.shows_answers):
            for number, question in enumerate(quiz.questions, start=1):
                yield from self.problems.quiz_entry(
                    question.text,
                    question.kind,
                    quiz=title,
                    number=number,
                    section=part.chapter,
                    name=question.name,
                    is_graded=quiz.is_graded,
                )

    def _discussion(self, part: _Part) -> Iterator[Item]:
        topic = read_xml(self.root, part.resource.files[0], self.log) if part.resource.files else None
        if topic is not None:
            yield from self.outline.page(part.chapter, part.title, topic.findtext("{*}text") or "")

    def _page(self, part: _Part, name: str) -> Iterator[Item]:
        path = file_inside(self.root, name)
        decoded = None if path is None else read_text(path, self.log)
        if decoded is None:
            self.outline.leave_out("pages whose file is not there or too large", part.title)
        elif _is_unpublished(decoded.text):
            self.outline.leave_out(_HIDDEN, part.title)
        else:
            yield from self.outline.page(part.chapter, part.title, decoded.text)

    def _find_hidden(self) -> set[str]:
        """What Canvas says students cannot see: items of unpublished modules, unpublished parts, hidden files."""
        read = partial(read_xml, self.root, log=self.log)
        hidden: set[str] = set()
        meta = read("course_settings/module_meta.xml") if self._has("course_settings/module_meta.xml") else None
        for module in () if meta is None else meta.iterfind(".//{*}module"):
            is_hidden = _state(module) == "unpublished"
            for item in module.iterfind(".//{*}item"):
                if is_hidden or _state(item) == "unpublished":
                    hidden.add(item.findtext("{*}identifierref") or "")
        files = read("course_settings/files_meta.xml") if self._has("course_settings/files_meta.xml") else None
        for file in () if files is None else files.iterfind(".//{*}file"):
            if "true" in (file.findtext("{*}hidden"), file.findtext("{*}locked")):
                hidden.add(file.get("identifier", ""))
        return hidden | set(self._find_unpublished_parts())

    def _find_unpublished_parts(self) -> Iterator[str]:
        """Assignments and discussions whose own settings say that they are not published."""
        for resource in map(_resource, self.manifest.iterfind(".//{*}resource")):
            for name in () if resource.kind.startswith(_QUIZ) else resource.files:
                if not name.endswith(".xml") or name.startswith(_SETTINGS):
                    continue
                settings = read_xml(self.root, name, self.log) if self._has(name) else None
                if settings is not None and "unpublished" in (_state(settings), _state_inside(settings)):
                    yield settings.findtext("{*}topic_id") or resource.identifier

    def _has(self, name: str) -> bool:
        return file_inside(self.root, name) is not None


def _resource(element: Element) -> _Resource:
    named = [element.get("href"), *(file.get("href") for file in element.iterfind("{*}file"))]
    files = tuple(dict.fromkeys(unquote(name) for name in named if name))
    return _Resource(element.get("identifier", ""), element.get("type", ""), files)


def _title(item: Element) -> str:
    return " ".join((item.findtext("{*}title") or "").split())


def _state(element: Element) -> str | None:
    return element.findtext("{*}workflow_state")


def _state_inside(element: Element) -> str | None:
    """The state of an assignment that another system's extension holds."""
    return element.findtext("{*}extensions/{*}assignment/{*}workflow_state")


def _is_unpublished(page: str) -> bool:
    """Whether a page of Canvas says in its head that it is not published."""
    meta = LexborHTMLParser(page).css_first("meta[name=workflow_state]")
    return meta is not None and meta.attributes.get("content") == "unpublished"
