"""The course card: what `course.yaml` says, checked, completed with defaults, every defect told with its line.

Folders and digests come from `folders.py` and are offered here too, since whoever wants a course wants both.
"""

import difflib
import re
from collections.abc import Callable
from pathlib import Path

import yaml

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import ConceptMode, CourseCard, Lang
from knowledge_graph.lake.source_kinds import InputKind
from knowledge_graph.sources.fields import ProblemLog, repair, whole_characters
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import (
    LECTURE_FOLDERS,
    CourseFolder,
    find_courses,
    find_left_out,
    find_skipped_folders,
    input_digest,
    input_files,
    is_subtitle,
)
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.markup import MarkupError, compose_yaml
from knowledge_graph.sources.policy import LONGEST_POLICY, policy_text
from knowledge_graph.sources.subtitles import sample_text
from knowledge_graph.sources.video_addresses import why_unusable

__all__ = [
    "CourseFolder",
    "InputKind",
    "find_courses",
    "find_skipped_folders",
    "input_digest",
    "input_files",
    "read_course_card",
    "read_entries",
]

_TEXT_KEYS = ("title", "subject", "policy", "support")
_LIST_KEYS = ("domains", "instructors", "video_order")
_OTHER_KEYS = ("concepts", "videos", "video_url", "shares_with", "platform", "assessments")
_KEYS = ("title", "lang", *_TEXT_KEYS[1:], *_LIST_KEYS, *_OTHER_KEYS)
_YES_OR_NO = {"true": True, "yes": True, "false": False, "no": False}
_LANGS: dict[str, Lang] = {
    "en": "en",
    "english": "en",
    "zh": "zh",
    "cn": "zh",
    "chinese": "zh",
    "中文": "zh",
    "汉语": "zh",
}
_CONCEPT_MODES: dict[str, ConceptMode] = {"merged": "merged", "given": "given", "extracted": "extracted"}
_KINDS = {yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list", yaml.ScalarNode: "text"}
_KEYS_REMEDY = f"Allowed keys: {', '.join(_KEYS)}."
_SYNTAX_REMEDY = (
    "Mend that line or the one above (spaces not tabs, quotes around a text that holds ': ' or begins with a bracket); "
    "until then the folder's name and the detected language are used."
)
_SAMPLE_FILES = 12

Entries = dict[str, yaml.Node]
Report = Callable[[Problem], None]


def read_course_card(folder: CourseFolder) -> tuple[CourseCard, tuple[Problem, ...]]:
    """The course's card. `course.yaml` is optional and so is each key; a defect never stops the course.

    Defaults: the title is the folder's name, the language is detected in the subtitles (bilingual counts as Chinese).
    """
    problems: list[Problem] = []
    entries, file = read_entries(folder, problems.append)
    reader = _CardReader(file, entries, problems.append)
    reader.report_unknown_keys()
    card = CourseCard(
        course_id=folder.course_id,
        title=reader.text("title") or folder.course_id,
        lang=reader.lang() or detect_lang(folder),
        subject=reader.text("subject"),
        domains=reader.texts("domains"),
        instructors=reader.texts("instructors"),
        policy=reader.policy(),
        support=reader.text("support") or None,
        video_order=reader.texts("video_order"),
        concepts=reader.concept_mode(),
        videos=reader.addresses("videos"),
        video_url=reader.address("video_url"),
        shares_with=reader.shares_with(),
        is_platform=reader.is_platform(),
    )
    return card, (*problems, *find_left_out(folder))


def read_entries(folder: CourseFolder, report: Report) -> tuple[Entries, str]:
    """What `course.yaml` says under each of its keys, and the name of the file; nothing where there is none."""
    files = input_files(folder, "card")
    if not files:
        return {}, "course.yaml"
    file = display_path(files[0], folder.path)
    for other in files[1:]:
        report(Problem(display_path(other, folder.path), None, f"Not read: {file} exists too.", "Keep one.", "warning"))
    log = ProblemLog(file)
    entries = _entries_of(files[0], log)
    for problem in log.problems:
        report(problem)
    return entries, file


def _entries_of(path: Path, log: ProblemLog) -> Entries:
    decoded = read_text(path, log)
    if decoded is None:
        return {}
    try:
        root = compose_yaml(decoded.text)
    except MarkupError as error:
        log.error(error.line, str(error), _SYNTAX_REMEDY)
        return {}
    if root is None:
        return {}
    if not isinstance(root, yaml.MappingNode):
        message = f"Expected lines of the form 'key: value', found {_kind(root)}."
        log.error(root.start_mark.line + 1, message, _KEYS_REMEDY)
        return {}
    return _by_key(root, log)


def _by_key(root: yaml.MappingNode, log: ProblemLog) -> Entries:
    entries: Entries = {}
    lines: dict[str, int] = {}
    for key, value in root.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            log.warning(line, f"A key must be one word, found {_kind(key)}; it was ignored.", _KEYS_REMEDY)
            continue
        name = whole_characters(str(key.value))
        if name in entries:
            message = f"'{name}' is given twice: this one is used, not that on line {lines[name]}."
            log.warning(line, message, "Keep one of the two.")
        entries[name], lines[name] = value, line
    return entries


def _kind(node: yaml.Node) -> str:
    return _KINDS.get(type(node), "something else")


class _CardReader:
    """Typed look-ups in the parsed file; each reports what does not fit, with its line."""

    def __init__(self, file: str, entries: Entries, report: Report) -> None:
        self._file, self._entries, self._report = file, entries, report

    def report_unknown_keys(self) -> None:
        for key, node in self._entries.items():
            if key not in _KEYS:
                near = difflib.get_close_matches(key.lower().replace("-", "_"), _KEYS, n=1, cutoff=0.6)
                remedy = f"Did you mean '{near[0]}'?" if near else _KEYS_REMEDY
                self._tell(node, f"Unknown key '{key}' was ignored.", remedy, severity_is_error=False)

    def text(self, key: str) -> str | None:
        node = self._entries.get(key)
        if node is None or _is_null(node):
            return None
        if isinstance(node, yaml.ScalarNode):
            return self._words(key, node)
        self._tell(node, f"'{key}' must be text, found {_kind(node)}; it was left out.", f"Write '{key}: some words'.")
        return None

    def policy(self) -> str | None:
        text = self.text("policy")
        if (length := len(policy_text(text))) > LONGEST_POLICY:
            message = f"'policy' has {length:,} characters; the model is shown the first {LONGEST_POLICY:,} of them."
            remedy = f"Shorten it to {LONGEST_POLICY:,}, or put what matters most first."
            self._tell(self._entries["policy"], message, remedy, severity_is_error=False)
        return text

    def texts(self, key: str) -> tuple[str, ...]:
        node = self._entries.get(key)
        if node is None or _is_null(node):
            return ()
        if isinstance(node, yaml.ScalarNode):
            remedy = f"Write '{key}: [{whole_characters(str(node.value))}]'."
            self._tell(
                node,
                f"'{key}' must be a list, found text; it was read as a list of one.",
                remedy,
                severity_is_error=False,
            )
            return (words,) if (words := self._words(key, node)) else ()
        if isinstance(node, yaml.SequenceNode):
            return tuple(text for item in node.value if (text := self._item(key, item)))
        self._tell(
            node, f"'{key}' must be a list, found {_kind(node)}; it was left out.", f"Write '{key}: [one, two]'."
        )
        return ()

    def lang(self) -> Lang | None:
        text = self.text("lang")
        if text is None:
            return None
        lang = _LANGS.get(text.lower()) or _LANGS.get(re.split(r"[-_]", text.lower())[0])
        if lang is None:
            remedy = "Write 'lang: en' or 'lang: zh'; until then it is detected in the subtitles."
            self._tell(self._entries["lang"], f"'lang' must be en or zh, found '{text}'.", remedy)
        return lang

    def concept_mode(self) -> ConceptMode:
        text = self.text("concepts") or CourseCard.concepts
        mode = _CONCEPT_MODES.get(text.lower())
        if mode is None:
            message = f"'concepts' must be {', '.join(_CONCEPT_MODES)}, found '{text}'."
            self._tell(self._entries["concepts"], message, "Write one of these; until then it is merged.")
        return mode or CourseCard.concepts

    def shares_with(self) -> tuple[str, ...] | None:
        """The courses that are named; none for `[]` and for what cannot be read, which must not share by mistake."""
        return self.texts("shares_with") if "shares_with" in self._entries else None

    def is_platform(self) -> bool:
        """What is neither yes nor no is no: a FAQ must not answer everywhere by mistake."""
        text = self.text("platform")
        said = _YES_OR_NO.get((text or "no").lower())
        if said is None:
            message = f"'platform' must be true or false, found '{text}'; it was read as false."
            self._tell(self._entries["platform"], message, "Write 'platform: true' for the FAQ of all courses.")
        return bool(said)

    def address(self, key: str) -> str | None:
        return self._address(key, self._entries[key]) if self.text(key) else None

    def addresses(self, key: str) -> dict[str, str]:
        node = self._entries.get(key)
        if node is None or _is_null(node):
            return {}
        if not isinstance(node, yaml.MappingNode):
            remedy = "Write below it, for each video, '  \"name of its subtitle file\": https://...'."
            self._tell(node, f"'{key}' must be a mapping, found {_kind(node)}; it was left out.", remedy)
            return {}
        named = [(self._item(key, name), self._address(key, address)) for name, address in node.value]
        return {name: address for name, address in named if name and address}

    def _address(self, key: str, node: yaml.Node) -> str | None:
        text = self._item(key, node)
        if text is not None and (reason := why_unusable(text)) is not None:
            self._tell(node, f"An address of '{key}' was left out: {reason}.", "Write 'https://host/path'.")
            return None
        return text

    def _item(self, key: str, node: yaml.Node) -> str | None:
        if isinstance(node, yaml.ScalarNode) and not _is_null(node):
            return self._words(key, node)
        self._tell(
            node,
            f"Each item of '{key}' must be text, found {_kind(node)}; it was left out.",
            "Write words, in quotes if they hold ': '.",
        )
        return None

    def _words(self, key: str, node: yaml.ScalarNode) -> str | None:
        log = ProblemLog(self._file)
        words = repair(key, str(node.value), node.start_mark.line + 1, log).strip()
        for problem in log.problems:
            self._report(problem)
        return words or None

    def _tell(self, node: yaml.Node, message: str, remedy: str, *, severity_is_error: bool = True) -> None:
        line = node.start_mark.line + 1
        self._report(Problem(self._file, line, message, remedy, "error" if severity_is_error else "warning"))


def _is_null(node: yaml.Node) -> bool:
    return str(node.tag) == "tag:yaml.org,2002:null"


def detect_lang(folder: CourseFolder) -> Lang:
    """By share of Chinese in up to a dozen subtitle files spread over the course, else in its FAQ or snippets."""
    kinds: tuple[InputKind, ...] = ("subtitles", "faq", "search_snippets")
    files = next((found for kind in kinds if (found := input_files(folder, kind))), ())
    step = max(1, len(files) // _SAMPLE_FILES)
    return lang_of("\n".join(_sample(path) for path in files[::step]))


def _sample(path: Path) -> str:
    if is_subtitle(path.name) or path.parent.name in LECTURE_FOLDERS:
        return sample_text(path)
    decoded = read_text(path, ProblemLog())
    return decoded.text if decoded else ""
