"""`catalog.yaml` of a course folder: where a catalogue begins and how it is written, checked, with defaults.

Start links are the only thing that must be said (Tulane 2.I); what a certain university calls its classes is nowhere
in the code. Every defect is reported with its line and the default used instead.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

import yaml

from knowledge_graph.lake.problems import display_path
from knowledge_graph.sources.catalog.addresses import page_address
from knowledge_graph.sources.fields import ProblemLog, whole_characters
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.markup import MarkupError, compose_yaml

HOME = "home"
"""The topic of what a program's page says outside its other tabs."""

_NUMBER = r"[ -]?\d{3,5}[A-Z]{0,2}"
_CODE = rf"[A-Z]{{4}}{_NUMBER}"
"""Four capitals (Tulane 2.I) and a number: CMPS 1100, BIOL-1134L."""
_CODE_IN_HEADING = rf"[A-Z][A-Z&]{{1,5}}{_NUMBER}"
"""A heading is evidence enough for subjects of two to six letters: PE 1101, CCS 2350."""
_TABS = {
    HOME: ("home", "overview", "about", "概况", "简介"),
    "requirements": (
        "requirements",
        "program requirements",
        "degree requirements",
        "major requirements",
        "minor requirements",
        "curriculum",
        "培养要求",
        "毕业要求",
    ),
}
_LEAVE_OUT = (
    r"independent (?:study|studies|research|readings?)",
    r"directed (?:study|studies|research|readings?)",
    r"special (?:problems?|topics?|projects?)",
    r"sel(?:ected)? top(?:ics?)?",
    "thesis",
    "dissertation",
    "internship",
    "毕业论文",
    "毕业设计",
    "独立研究",
)
_LONGEST_DELAY_SECONDS = 3_600.0
_MOST_PAGES = 100_000
"""A crawl of more would take a day at one page a second."""

T = TypeVar("T")


@dataclass(frozen=True)
class CatalogSettings:
    """How one catalogue is read. The file's keys have the same names."""

    file: str = "catalog.yaml"
    programs: tuple[str, ...] = ()
    """Start links of the programs; every page below them on the same host is followed."""
    classes: tuple[str, ...] = ()
    stay_within: tuple[str, ...] = ()
    """More addresses whose pages may be followed, for catalogues whose pages do not lie below their start link."""
    code: re.Pattern[str] = re.compile(_CODE)
    heading_code: re.Pattern[str] = re.compile(_CODE_IN_HEADING)
    """Both are the same when the file gives `code_pattern`."""
    delay_seconds: float = 1.0
    """Least time between two pages of one host, 0..3600; a site's robots.txt may ask for more."""
    max_pages: int = 5_000
    """Most pages asked for in one run, 1..100,000."""
    tabs: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(_TABS))
    """Topic -> what its tab or heading is called, in lower case."""
    leave_out: re.Pattern[str] = field(default_factory=lambda: any_of(_LEAVE_OUT))
    """What a class left out has in its title; patterns, as whole words in either case."""

    def topic_of(self, label: str) -> str | None:
        """The topic whose tab is called `label`; `None` when it is no tab."""
        name = " ".join(label.split()).strip(" :#»›").lower()
        return next((topic for topic, names in self.tabs.items() if name in names), None)

    def is_special(self, title: str) -> bool:
        """Whether a class is of the kind that is left out, such as Independent Study."""
        return self.leave_out.search(title) is not None


def any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    """Any of some patterns as whole words, in either case; nothing when there are none. Raises `re.error`."""
    for pattern in patterns:
        re.compile(pattern)
    either = "|".join(f"(?:{pattern})" for pattern in patterns)
    return re.compile(rf"(?<![A-Za-z])(?:{either})(?![A-Za-z])" if patterns else r"(?!)", re.IGNORECASE)


def read_settings(folder: CourseFolder, log: ProblemLog) -> CatalogSettings:
    """What `catalog.yaml` says; defaults without one, and for what is wrong in it."""
    files = [path for path in input_files(folder, "catalog_pages") if path.suffix.lower() in (".yaml", ".yml")]
    log.file = display_path(files[0], folder.path) if files else CatalogSettings.file
    text = read_text(files[0], log) if files else None
    for other in files[1:]:
        log.warning(None, f"{display_path(other, folder.path)} was not read, because both exist.", "Keep one of them.")
    return settings_of(text.text if text else "", log)


def settings_of(text: str, log: ProblemLog) -> CatalogSettings:
    """The settings in the text of a `catalog.yaml`; `told.file` is its name."""
    entries = _Entries(_nodes(text, log), log)
    code = entries.value("code_pattern", _pattern, None)
    read = CatalogSettings(
        file=log.file,
        programs=entries.value("programs", _addresses, ()),
        classes=entries.value("classes", _addresses, ()),
        stay_within=entries.value("stay_within", _addresses, ()),
        code=code or re.compile(_CODE),
        heading_code=code or re.compile(_CODE_IN_HEADING),
        delay_seconds=entries.value("delay_seconds", _delay, CatalogSettings.delay_seconds),
        max_pages=entries.value("max_pages", _pages, CatalogSettings.max_pages),
        tabs=entries.value("tabs", _tabs, _TABS),
        leave_out=entries.value("leave_out", lambda node: any_of(_texts(node)), any_of(_LEAVE_OUT)),
    )
    entries.tell_unknown()
    return read


def _nodes(text: str, log: ProblemLog) -> dict[str, yaml.Node]:
    try:
        root = compose_yaml(text)
    except MarkupError as error:
        log.error(error.line, str(error), "Mend that line or the one above; until then defaults are used.")
        return {}
    if root is not None and not isinstance(root, yaml.MappingNode):
        log.error(
            root.start_mark.line + 1, "Expected lines of the form 'key: value'.", "Write 'programs: [https://...]'."
        )
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    return {_text(key): value for key, value in pairs if isinstance(key, yaml.ScalarNode)}


class _Entries:
    """Typed look-ups that tell what does not fit."""

    def __init__(self, nodes: dict[str, yaml.Node], log: ProblemLog) -> None:
        self._nodes, self._log = nodes, log
        self._known: list[str] = []

    def value(self, key: str, read: Callable[[yaml.Node], T], default: T) -> T:
        """The entry as `read` understands it; `default` when it is missing, null or wrong, which is logged."""
        self._known.append(key)
        node = self._nodes.get(key)
        if node is None or str(node.tag).endswith(":null"):
            return default
        try:
            return read(node)
        except (ValueError, re.error) as error:
            self._log.error(node.start_mark.line + 1, f"'{key}': {error}.", "Mend it; until then the default is used.")
            return default

    def tell_unknown(self) -> None:
        for key, node in self._nodes.items():
            if key not in self._known:
                line = node.start_mark.line + 1
                self._log.warning(line, f"Unknown key '{key}' was ignored.", f"Allowed keys: {', '.join(self._known)}.")


def _text(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise ValueError("expected text, found a list or a mapping")
    return whole_characters(str(node.value)).strip()


def _texts(node: yaml.Node) -> tuple[str, ...]:
    """A list of texts; a single text is a list of one."""
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    return tuple(dict.fromkeys(text for item in items if (text := _text(item))))


def _addresses(node: yaml.Node) -> tuple[str, ...]:
    addresses = _texts(node)
    for address in addresses:
        parts = urlsplit(page_address(address))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"expected addresses with http:// or https://, found '{address}'")
    return addresses


def _pattern(node: yaml.Node) -> re.Pattern[str]:
    pattern = re.compile(_text(node))
    if pattern.match(""):
        raise ValueError("the pattern fits where nothing is written, so that every line would begin a class")
    return pattern


def _delay(node: yaml.Node) -> float:
    return _number(node, 0.0, _LONGEST_DELAY_SECONDS)


def _pages(node: yaml.Node) -> int:
    return int(_number(node, 1, _MOST_PAGES))


def _number(node: yaml.Node, least: float, most: float) -> float:
    try:
        number = float(_text(node))
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise ValueError(f"expected a number from {least:g} to {most:g}, found '{node.value}'")
    return number


def _tabs(node: yaml.Node) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(node, yaml.MappingNode):
        raise ValueError("expected 'topic: [names of its tab]', such as 'requirements: [Degree Requirements]'")
    return {_text(key).lower(): tuple(name.lower() for name in _texts(value)) for key, value in node.value}
