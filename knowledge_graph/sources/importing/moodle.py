"""A Moodle backup (`.mbz`, Moodle 2 and newer) to items: pages, books, glossaries and files in teaching order.

Hidden sections and activities are left out, and so are graded quizzes: their solutions are not for the assistant to
give.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.importing.export_files import file_inside, folders_of, read_xml
from knowledge_graph.sources.importing.items import GivenConcept, Header, ImportSource, Item
from knowledge_graph.sources.importing.moodle_quiz import MoodleQuestion, MoodleQuestions, is_for_practice, questions_in
from knowledge_graph.sources.importing.names import folder_id
from knowledge_graph.sources.importing.outline import CourseOutline, plain_text
from knowledge_graph.sources.importing.problem_entries import ProblemEntries

KIND = "Moodle backup"
_LISTING = "moodle_backup.xml"
_OLD_LISTING = "moodle.xml"
_NULL = "$@NULL@$"
_KEEP = "Change it in Moodle and back it up again, or leave it so."
_TEXTS = {"page": "content", "label": "intro", "assign": "intro", "forum": "intro", "url": "intro"}
"""The field of an activity that students read, by kind of activity."""
_LEFT_OUT = {
    "lesson": "lessons, whose questions students would be told the answers of",
}
_LANGS: dict[str, Lang] = {"en": "en", "zh": "zh"}


@dataclass(frozen=True)
class _Activity:
    """An activity of the backup: kind (`page`, `book`, …), title, title of its section, and its folder."""

    kind: str
    title: str
    section: str
    folder: str


@dataclass(frozen=True)
class _StoredFile:
    """A file of the backup: who it belongs to, its name, and where its bytes are."""

    context: str
    name: str
    path: str


def find_moodle(place: Path) -> Path | None:
    """The folder of a backup: `place`, or the first folder in it that is one."""
    listings = (_LISTING, _OLD_LISTING)
    return next((each for each in folders_of(place) if any((each / name).is_file() for name in listings)), None)


def open_moodle(root: Path, *, with_graded: bool = False) -> ImportSource:
    """The course at `root`, with the solutions of graded quizzes only if asked for.

    Raises `CoteachError` for a backup of Moodle 1.9 or one that cannot be read.
    """
    if not (root / _LISTING).is_file():
        raise CoteachError(
            f"{root.name}: a backup of Moodle 1.9. Restore it in Moodle 2 or newer, and back it up there."
        )
    log = BoundedTold(file=root.name)
    listing = read_xml(root, _LISTING, log)
    if listing is None:
        raise CoteachError(" ".join(map(str, log.problems)) or f"{root}: no {_LISTING} that can be read.")
    title = _text(listing, "information/original_course_fullname") or root.name
    course_id = folder_id(_text(listing, "information/original_course_shortname") or title)
    reader = _Reader(root, listing, course_id, title, log, with_graded)
    return ImportSource(KIND, (course_id,), reader.items(), log, reader.outline.left_out)


@dataclass
class _Reader:
    root: Path
    listing: Element
    course_id: str
    title: str
    log: BoundedTold
    with_graded: bool = False
    restricted: int = 0
    outline: CourseOutline = field(init=False)
    problems: ProblemEntries = field(init=False)
    bank: MoodleQuestions = field(default_factory=MoodleQuestions)

    def __post_init__(self) -> None:
        self.outline = CourseOutline(self.course_id)
        self.problems = ProblemEntries(self.outline, self.with_graded)

    def items(self) -> Iterator[Item]:
        files = self._files()
        self._read_bank()
        for activity in self._activities():
            yield from self._read(activity, files)
        yield Header(
            course_id=self.course_id, title=self.title, lang=self._lang(), video_order=tuple(self.outline.video_order)
        )
        self.outline.tell_left_out(self.log, _KEEP)
        self.problems.tell_graded(self.log)
        if self.restricted:
            message = f"Restricted in Moodle, by date or by what was done before: {self.restricted:,}."
            self.log.warning(
                None, f"{message} Here everybody is told what these activities say.", "Remove those that must wait."
            )
        self.log.close()

    def _activities(self) -> Iterator[_Activity]:
        """Activities that students see, in the order of the sections."""
        sections = {key: (number, name, shown) for key, number, name, shown in self._sections()}
        found = list(self.listing.iterfind("information/contents/activities/activity"))
        found.sort(key=lambda element: sections.get(_text(element, "sectionid"), (0, "", True))[0])
        for element in found:
            _, section, is_shown = sections.get(_text(element, "sectionid"), (0, "Course", True))
            kind, folder = _text(element, "modulename"), _text(element, "directory")
            activity = _Activity(kind, _text(element, "title") or kind, section or "Course", folder)
            module = read_xml(self.root, f"{folder}/module.xml", self.log)
            if not is_shown or (module is not None and _text(module, "visible") == "0"):
                self.outline.leave_out("hidden from students", activity.title)
                continue
            self.restricted += module is not None and _is_restricted(_text(module, "availability"))
            yield activity

    def _sections(self) -> Iterator[tuple[str, int, str, bool]]:
        """Id, number, title and visibility of each section."""
        for element in self.listing.iterfind("information/contents/sections/section"):
            section = read_xml(self.root, f"{_text(element, 'directory')}/section.xml", self.log)
            if section is None:
                continue
            number = _number(section, "number")
            name = _text(section, "name") or ("General" if number == 0 else f"Topic {number}")
            yield section.get("id", ""), number, name, _text(section, "visible") != "0"

    def _read(self, activity: _Activity, files: list[_StoredFile]) -> Iterator[Item]:
        reason = _LEFT_OUT.get(activity.kind)
        whole = None if reason else read_xml(self.root, f"{activity.folder}/{activity.kind}.xml", self.log)
        if reason is not None:
            self.outline.leave_out(reason, activity.title)
        elif whole is None:
            self.outline.leave_out("activities that could not be read", activity.title)
        elif activity.kind in _TEXTS:
            yield from self.outline.page(
                activity.section, activity.title, _text(whole, f"{activity.kind}/{_TEXTS[activity.kind]}")
            )
        elif activity.kind == "quiz":
            yield from self._quiz(activity, whole)
        elif activity.kind == "book":
            yield from self._book(activity, whole)
        elif activity.kind == "glossary":
            yield from self._glossary(whole)
        elif activity.kind in ("resource", "folder"):
            yield from self._attachments(activity, [file for file in files if file.context == whole.get("contextid")])
        else:
            self.outline.leave_out(f"activities of the kind '{activity.kind}'", activity.title)

    def _read_bank(self) -> None:
        """The questions, and which of them graded quizzes ask: all, where one draws some at random."""
        held = (self.root / "questions.xml").is_file()
        bank = read_xml(self.root, "questions.xml", self.log) if held else None
        if bank is None:
            return
        self.bank = questions_in(bank)
        for element in self.listing.iterfind("information/contents/activities/activity"):
            name = f"{_text(element, 'directory')}/quiz.xml"
            held = _text(element, "modulename") == "quiz" and file_inside(self.root, name) is not None
            quiz = read_xml(self.root, name, BoundedTold(file=self.root.name)) if held else None
            if quiz is None or is_for_practice(quiz):
                continue
            asked = list(self.bank.questions_of(quiz))
            drawn = list(self.bank.by_id.values()) if "drawn" in asked else []
            listed = [one for one in (*asked, *drawn) if isinstance(one, MoodleQuestion)]
            self.problems.asked_graded |= {one.text.question for one in listed if one.text is not None}

    def _quiz(self, activity: _Activity, whole: Element) -> Iterator[Item]:
        is_graded = not is_for_practice(whole)
        shows_answers = _text(whole, "quiz/reviewrightanswer") != "0"
        if self.problems.leaves_out(activity.title, is_graded=is_graded, shows_answers=shows_answers):
            return
        for number, question in enumerate(self.bank.questions_of(whole), start=1):
            title = f"{activity.title}, question {number}"
            if question is None:
                self.outline.leave_out("questions that are not in the backup", title)
            elif question == "drawn":
                self.outline.leave_out("questions that are drawn at random", title)
            else:
                yield from self.problems.quiz_entry(
                    question.text,
                    question.kind,
                    quiz=activity.title,
                    number=number,
                    section=activity.section,
                    name=f"question-{question.question_id}",
                    is_graded=is_graded,
                )

    def _book(self, activity: _Activity, whole: Element) -> Iterator[Item]:
        chapters = [each for each in whole.iterfind("book/chapters/chapter") if _text(each, "hidden") != "1"]
        for chapter in sorted(chapters, key=lambda each: _number(each, "pagenum")):
            title = f"{activity.title}: {_text(chapter, 'title')}"
            yield from self.outline.page(activity.section, title, _text(chapter, "content"))

    def _glossary(self, whole: Element) -> Iterator[Item]:
        """The approved entries, which are concepts with their definitions."""
        for entry in whole.iterfind("glossary/entries/entry"):
            definition = plain_text(_text(entry, "definition"))
            if _text(entry, "approved") != "0" and (name := _text(entry, "concept")):
                yield GivenConcept(self.course_id, f"glossary-{entry.get('id', name)}", name, definition or None)

    def _attachments(self, activity: _Activity, files: list[_StoredFile]) -> Iterator[Item]:
        for file in files:
            suffix = PurePosixPath(file.name).suffix.lower()
            yield from self.outline.file(activity.section, file.name, self.root, file.path, suffix, self.log)

    def _files(self) -> list[_StoredFile]:
        """The files that activities attach, by name; the bytes lie under their SHA-1."""
        listed = read_xml(self.root, "files.xml", self.log) if (self.root / "files.xml").is_file() else None
        found = []
        for file in () if listed is None else listed.iterfind("file"):
            digest, name = _text(file, "contenthash"), _text(file, "filename")
            if _text(file, "filearea") == "content" and digest and name not in ("", "."):
                found.append(_StoredFile(_text(file, "contextid"), name, f"files/{digest[:2]}/{digest}"))
        return sorted(found, key=lambda file: file.name)

    def _lang(self) -> Lang | None:
        course = read_xml(self.root, "course/course.xml", self.log) if (self.root / "course").is_dir() else None
        return None if course is None else _LANGS.get(_text(course, "lang").lower().split("_")[0])


def _is_restricted(availability: str) -> bool:
    """Whether Moodle's JSON of who may see an activity names a condition."""
    try:
        found = json.loads(availability or "{}")
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool(found.get("c"))


def _number(element: Element, path: str) -> int:
    text = _text(element, path)
    return int(text) if text.isdecimal() else 0


def _text(element: Element, path: str) -> str:
    """The text at a path, `""` where Moodle wrote none or its sign for NULL."""
    text = (element.findtext(path) or "").strip()
    return "" if text == _NULL else text
