"""Rules about graded work: what `course.yaml` says under `assessments`, an entry for each assignment, quiz or exam.

An entry names the work, when it is open, what students may get of it meanwhile, and its items, in the card itself or in
a text file of `gold/`, whose files are never shown. What cannot be read is reported, and the rest is kept; where it is
doubtful what was meant, the stricter reading holds until the entry is repaired.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import get_args

import yaml

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import Allowed, CourseCard, GradedItem
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.course import Entries, read_entries
from knowledge_graph.sources.fields import ProblemLog, repair, whole_characters
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.text.sentences import language_of

LONGEST_ITEM = 8_000
"""Characters of one item; more is a whole sheet, which should be cut at blank lines."""
MOST_ITEMS = 500
"""Items of one assessment. A choice: each question of a student is compared with every one."""
FEWEST_WORDS = 4
"""Words, or twice as many Chinese characters, below which an item is hard to tell from an ordinary question."""

_KEYS = ("name", "opens", "closes", "allows", "items", "file")
_ALLOWED: tuple[Allowed, ...] = get_args(Allowed)
_STRICTEST: Allowed = "closed"
_FORM = "Write '- name: ...' with 'allows: closed, references or hints' and 'items:' or 'file:' below it."
_TIME = "Write a date and time with its zone, such as 2026-11-27T23:59:00Z."
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_]+")


@dataclass(frozen=True)
class _Place:
    """Where an item stands, for what is reported of it."""

    file: str
    line: int
    text: str


def read_graded_items(folder: CourseFolder, card: CourseCard) -> tuple[tuple[GradedItem, ...], tuple[Problem, ...]]:
    """The items of all assessments in the order of the card, and what is wrong with their entries.

    A file that cannot be read, or an entry without a name or items, is left out. What is wrong with the YAML itself is
    told by the card's own reader.
    """
    entries, file = read_entries(folder, lambda problem: None)
    log = BoundedTold(file)
    found: list[GradedItem] = []
    for node in _mappings(entries, log):
        assessment = _Assessment(folder, card, file, node, log)
        found += assessment.items(after={one.assessment: one.number for one in found})
        log.file = file
    log.close()
    return tuple(found), tuple(log.problems)


def item_files(folder: CourseFolder) -> frozenset[str]:
    """The files, by path in the course folder, that the card names as holding items."""
    entries, _ = read_entries(folder, lambda problem: None)
    mappings = (_by_key(node) for node in _mappings(entries, ProblemLog()))
    nodes = (keys.get("file") for keys in mappings)
    return frozenset(str(node.value).strip() for node in nodes if isinstance(node, yaml.ScalarNode))


def _mappings(entries: Entries, log: ProblemLog) -> list[yaml.MappingNode]:
    """The entries that are mappings; what else stands under `assessments` is reported."""
    node = entries.get("assessments")
    if node is None or _is_null(node):
        return []
    if not isinstance(node, yaml.SequenceNode):
        log.error(_line(node), f"'assessments' must be a list, found {_kind(node)}; it was left out.", _FORM)
        return []
    for number, each in enumerate(node.value, 1):
        if not isinstance(each, yaml.MappingNode):
            log.error(_line(each), f"Entry {number} of 'assessments' is {_kind(each)}; it was left out.", _FORM)
    return [each for each in node.value if isinstance(each, yaml.MappingNode)]


class _Assessment:
    """One entry; each look-up tells what does not fit, with its line."""

    def __init__(
        self, folder: CourseFolder, card: CourseCard, file: str, node: yaml.MappingNode, log: BoundedTold
    ) -> None:
        self._folder, self._card, self._file, self._log = folder, card, file, log
        self._node, self._keys = node, _by_key(node)

    def items(self, *, after: Mapping[str, int]) -> list[GradedItem]:
        """The items, numbered behind those of an entry of the same name; none where the entry cannot be used."""
        self._tell_unknown_keys()
        name = self._text("name")
        if name is None:
            self._error(self._node, "An entry of 'assessments' has no name; it was left out.", _FORM)
            return []
        allows, (opens, closes) = self._allows(name), self._times(name)
        places = [*self._items_in_card(name), *self._in_file(name)]
        if not places:
            remedy = "Write the texts of its items below 'items:', or name a file of gold/ with 'file:'."
            self._error(self._node, f"'{name}' has no items, so none can be recognised; it was left out.", remedy)
        if len(places) > MOST_ITEMS:
            message = f"'{name}' has more than {MOST_ITEMS:,} items; the first {MOST_ITEMS:,} are used."
            self._error(self._node, message, "Make several assessments of it.")
        first = after.get(name, 0) + 1
        return [
            GradedItem(
                course_id=self._card.course_id,
                assessment=name,
                number=number,
                text=place.text,
                lang=language_of(place.text),
                allows=allows,
                opens=opens,
                closes=closes,
            )
            for number, place in enumerate(places[:MOST_ITEMS], first)
        ]

    def _tell_unknown_keys(self) -> None:
        for key, node in self._keys.items():
            if key not in _KEYS:
                near = difflib.get_close_matches(key.lower(), _KEYS, n=1, cutoff=0.6)
                remedy = f"Did you mean '{near[0]}'?" if near else f"Allowed keys: {', '.join(_KEYS)}."
                self._log.warning(_line(node), f"Unknown key '{key}' of an assessment was ignored.", remedy)

    def _text(self, key: str) -> str | None:
        node = self._keys.get(key)
        if node is None or _is_null(node):
            return None
        if not isinstance(node, yaml.ScalarNode):
            self._error(
                node, f"'{key}' of an assessment must be text, found {_kind(node)}.", f"Write '{key}: some words'."
            )
            return None
        return repair(key, str(node.value), _line(node), self._log).strip() or None

    def _allows(self, name: str) -> Allowed:
        found = self._text("allows")
        known = next((one for one in _ALLOWED if one == (found or "").lower()), None)
        if known is not None:
            return known
        said = "is missing" if found is None else f"must be {', '.join(_ALLOWED)}, found '{found}'"
        near = difflib.get_close_matches((found or "").lower(), _ALLOWED, n=1, cutoff=0.6)
        remedy = f"Did you mean '{near[0]}'? " if near else f"Write one of {', '.join(_ALLOWED)}. "
        remedy += f"Until then it is {_STRICTEST}."
        self._error(self._keys.get("allows", self._node), f"'allows' of '{name}' {said}.", remedy)
        return _STRICTEST

    def _times(self, name: str) -> tuple[str | None, str | None]:
        """From when and until when the rule holds, in UTC. A time that cannot be read does not limit it."""
        opens, closes = self._time("opens", name), self._time("closes", name)
        if opens is not None and closes is not None and closes <= opens:
            message = f"'{name}' closes at {closes}, which is not after it opens, {opens}; both times were left out."
            self._error(self._node, message, "Mend them; until then the rule always holds.")
            return None, None
        return opens, closes

    def _time(self, key: str, name: str) -> str | None:
        found = self._text(key)
        if found is None:
            return None
        try:
            when = datetime.fromisoformat(found)
        except ValueError:
            message = f"'{key}' of '{name}' must be a date and time, found '{found}'; it was left out."
            self._error(self._keys[key], message, f"{_TIME} Until then the rule holds without it.")
            return None
        line = _line(self._keys[key])
        if len(found) <= len("2026-11-27"):
            when = when.replace(hour=23, minute=59, second=59) if key == "closes" else when
            self._log.warning(line, f"'{key}' of '{name}' is a day without a time: read as {when} UTC.", _TIME)
        elif when.tzinfo is None:
            self._log.warning(line, f"'{key}' of '{name}' names no zone: read as UTC.", _TIME)
        zoned = when.replace(tzinfo=UTC) if when.tzinfo is None else when
        try:
            return zoned.astimezone(UTC).isoformat(timespec="seconds")
        except OverflowError:
            self._error(self._keys[key], f"'{key}' of '{name}' is beyond the years that can be counted.", _TIME)
            return None

    def _items_in_card(self, name: str) -> list[_Place]:
        """The items in the card."""
        node = self._keys.get("items")
        if node is None or _is_null(node):
            return []
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        found: list[_Place] = []
        for each in nodes:
            if not isinstance(each, yaml.ScalarNode) or _is_null(each):
                remedy = "Write its text, in quotes if it holds ': '."
                self._error(each, f"An item of '{name}' must be text, found {_kind(each)}; it was left out.", remedy)
                continue
            found += self._fit(name, _Place(self._file, _line(each), str(each.value)))
        return found

    def _in_file(self, name: str) -> list[_Place]:
        """The items in the file of `gold/` that the entry names, with blank lines between them."""
        named = self._text("file")
        path = None if named is None else self._path(named, name)
        if path is None:
            return []
        self._log.close()
        self._log.file = display_path(path, self._folder.path)
        decoded = read_text(path, self._log)
        text = "" if decoded is None else decoded.text.replace("\r\n", "\n")
        fitting = (fit for place in _places(self._log.file, text) for fit in self._fit(name, place))
        return list(islice(fitting, MOST_ITEMS + 1))

    def _path(self, named: str, name: str) -> Path | None:
        files = {display_path(path, self._folder.path): path for path in input_files(self._folder, "gold")}
        if named in files:
            return files[named]
        near = difflib.get_close_matches(named, files, n=1, cutoff=0.6)
        remedy = f"Did you mean '{near[0]}'?" if near else "Name a .txt file in gold/, as 'file: gold/assignment3.txt'."
        self._error(self._keys["file"], f"The file '{named}' of '{name}' is not in gold/; it was left out.", remedy)
        return None

    def _fit(self, name: str, place: _Place) -> list[_Place]:
        """An item as it can be compared: none that says nothing, or is too long."""
        text = repair("items", place.text, place.line, self._log).strip()
        words = _WORD.findall(text)
        size = sum(0.5 if "\u3400" <= word <= "\u9fff" else 1 for word in words)
        if not words:
            self._log.error(place.line, f"An item of '{name}' has no words; it was left out.", "Write its text.")
            return []
        if len(text) > LONGEST_ITEM:
            message = f"An item of '{name}' has {len(text):,} characters; the first {LONGEST_ITEM:,} are compared."
            self._log.warning(place.line, message, "Make several items of it.")
        if size < FEWEST_WORDS:
            message = f"An item of '{name}' has {len(words)} words: ordinary questions may be taken for it."
            self._log.warning(place.line, message, "Write the whole text that students are given.")
        return [_Place(place.file, place.line, text[:LONGEST_ITEM])]

    def _error(self, node: yaml.Node, message: str, remedy: str) -> None:
        self._log.error(_line(node), message, remedy)


def _places(file: str, text: str) -> Iterator[_Place]:
    """The pieces of a text between blank lines, each with the line it begins in."""
    start, line = 0, 1
    for gap in (*_BLANK_LINES.finditer(text), None):
        piece = text[start : None if gap is None else gap.start()]
        if piece.strip():
            yield _Place(file, line, piece)
        if gap is not None:
            line += text.count("\n", start, gap.end())
            start = gap.end()


def _by_key(node: yaml.MappingNode) -> dict[str, yaml.Node]:
    """The values of an entry by key, of a key that is given twice the last; keys that are no words are left out."""
    return {whole_characters(str(key.value)): value for key, value in node.value if isinstance(key, yaml.ScalarNode)}


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _kind(node: yaml.Node) -> str:
    if _is_null(node):
        return "nothing"
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    return "a list" if isinstance(node, yaml.SequenceNode) else "text"


def _is_null(node: yaml.Node) -> bool:
    return str(node.tag) == "tag:yaml.org,2002:null"
