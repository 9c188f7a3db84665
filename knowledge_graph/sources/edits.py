"""`graph.yaml`, the teacher's edits of a course's graph, to statements; every entry that does not fit is reported.

Belongs here: the form of the file. Which of its statements go together is in `contradictions.py`, what becomes of them
in `knowledge_graph/statements/`.
"""

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import yaml

from knowledge_graph.lake.records import Statement, StatementKind
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.markup import MarkupError, compose_yaml
from knowledge_graph.sources.terms import definition_of, name_of

LARGEST_EDITS = 2**20
"""Bytes of a `graph.yaml`."""
MOST_EDITS = 10_000
"""Statements of a `graph.yaml`: people write hundreds."""

_KINDS = {yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list", yaml.ScalarNode: "text"}
_PAIR = "Write [derivative, gradient descent]: the first is to be known before the second."
_ADDED_KEYS = ("name", "aliases", "definition")


def edits_of(text: str, course_id: str, log: ProblemLog) -> Iterator[Statement]:
    """The statements in the text of a `graph.yaml` in the order they are written; `told.file` is its name."""
    try:
        root = compose_yaml(text)
    except MarkupError as error:
        log.error(error.line, str(error), "Mend that line or the one above; until then nothing of the file is used.")
        return
    reader = _Reader(course_id, log)
    for number, statement in enumerate(reader.sections(root, reader.top, "graph.yaml") if root else ()):
        if number == MOST_EDITS:
            log.error(statement.row, f"Only the first {MOST_EDITS:,} statements were read.", "Shorten the file.")
            return
        yield statement


Read = Callable[[yaml.Node], Iterator[Statement]]


@dataclass(frozen=True)
class _Reader:
    course_id: str
    log: ProblemLog

    @property
    def top(self) -> Mapping[str, Read]:
        return {
            "accept": lambda node: self.concepts(node, "concept"),
            "reject": lambda node: self.concepts(node, "no_concept"),
            "rename": self.read_renames,
            "merge": self.read_merges,
            "add": self.read_additions,
            "prerequisites": lambda node: self.sections(node, self.of_prerequisites, "prerequisites"),
        }

    @property
    def of_prerequisites(self) -> Mapping[str, Read]:
        return {
            "accept": lambda node: self.pairs(node, "prerequisite"),
            "reject": lambda node: self.pairs(node, "no_prerequisite"),
        }

    def sections(self, node: yaml.Node, known: Mapping[str, Read], where: str) -> Iterator[Statement]:
        """What stands under each of the `known` keys of a mapping."""
        form = f"Allowed in {where}: {', '.join(known)}."
        lines: dict[str, int] = {}
        for key, value in self.entries(node, form):
            if (read := known.get(key.lower())) is None:
                self.log.warning(_line(value), *_unknown(key, tuple(known), form))
            elif not _is_null(value):
                if key.lower() in lines:
                    message = f"'{key}' is given twice, in line {lines[key.lower()]} too; both were read."
                    self.log.warning(_line(value), message, "Join the two.")
                lines[key.lower()] = _line(value)
                yield from read(value)

    def concepts(self, node: yaml.Node, kind: StatementKind) -> Iterator[Statement]:
        for name, line in self.names(node):
            yield self.statement(kind, name, None, line)

    def read_renames(self, node: yaml.Node) -> Iterator[Statement]:
        form = "Write 'rename: {old name: new name}'."
        for old, value in self.entries(node, form):
            subject, new = name_of(old, _line(value), self.log), self.name(value, form)
            if subject and new:
                yield self.statement("name", subject, new, _line(value))

    def read_merges(self, node: yaml.Node) -> Iterator[Statement]:
        for key, value in self.entries(node, "Write 'merge: {name to keep: [other, another]}'."):
            if subject := name_of(key, _line(value), self.log):
                for name, line in self.names(value):
                    yield self.statement("alias", subject, name, line)

    def read_additions(self, node: yaml.Node) -> Iterator[Statement]:
        for item in self.items(node):
            if isinstance(item, yaml.ScalarNode):
                yield from self.concepts(item, "concept")
            else:
                yield from self.read_description(item)

    def read_description(self, node: yaml.Node) -> Iterator[Statement]:
        form = "Write '- {name: a term, aliases: [other names], definition: a sentence}'."
        given: dict[str, yaml.Node] = {}
        for key, value in self.entries(node, form):
            if key.lower() in _ADDED_KEYS:
                given[key.lower()] = value
            else:
                self.log.warning(_line(value), *_unknown(key, _ADDED_KEYS, form))
        if "name" not in given:
            if isinstance(node, yaml.MappingNode):
                self.log.error(_line(node), "The concept has no name; it was left out.", form)
        elif name := self.name(given["name"], form):
            defined = self.text(given["definition"], form) if "definition" in given else None
            definition = definition_of(defined, _line(node), self.log)
            yield self.statement("concept", name, None, _line(node), definition)
            for alias, line in self.names(given["aliases"]) if "aliases" in given else ():
                yield self.statement("alias", name, alias, line)

    def pairs(self, node: yaml.Node, kind: StatementKind) -> Iterator[Statement]:
        for item in self.items(node):
            ends = item.value if isinstance(item, yaml.SequenceNode) else []
            if len(ends) != 2:
                found = f"{len(ends)} names" if isinstance(item, yaml.SequenceNode) else _kind(item)
                self.log.error(_line(item), f"Expected two names in brackets, found {found}; left out.", _PAIR)
                continue
            first, second = (self.name(end, _PAIR) for end in ends)
            if first and second:
                yield self.statement(kind, first, second, _line(item))

    def statement(
        self, kind: StatementKind, subject: str, object_: str | None, line: int, definition: str | None = None
    ) -> Statement:
        return Statement(self.course_id, kind, "teacher", subject, object_, definition, self.log.file, line)

    def entries(self, node: yaml.Node, form: str) -> Iterator[tuple[str, yaml.Node]]:
        """Keys and values of a mapping; for anything else nothing, with a problem logged."""
        if not isinstance(node, yaml.MappingNode):
            if not _is_null(node):
                self.log.error(_line(node), f"Expected 'key: value', found {_kind(node)}; it was left out.", form)
            return
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield str(key.value).strip(), value
            else:
                self.log.error(_line(key), f"A key must be text, found {_kind(key)}; it was left out.", form)

    def items(self, node: yaml.Node) -> list[yaml.Node]:
        """The items of a list; a single one may stand without the list."""
        return list(node.value) if isinstance(node, yaml.SequenceNode) else [] if _is_null(node) else [node]

    def names(self, node: yaml.Node) -> Iterator[tuple[str, int]]:
        for item in self.items(node):
            if name := self.name(item, "Write words, in quotes if they hold ': '."):
                yield name, _line(item)

    def name(self, node: yaml.Node, form: str) -> str | None:
        text = self.text(node, form)
        return None if text is None else name_of(text, _line(node), self.log)

    def text(self, node: yaml.Node, form: str) -> str | None:
        if isinstance(node, yaml.ScalarNode) and not _is_null(node):
            return str(node.value)
        found = "nothing" if _is_null(node) else _kind(node)
        self.log.error(_line(node), f"Expected text, found {found}; it was left out.", form)
        return None


def _unknown(key: str, known: tuple[str, ...], form: str) -> tuple[str, str]:
    near = difflib.get_close_matches(key.lower(), known, n=1, cutoff=0.6)
    return f"Unknown key '{key[:60]}' was ignored.", f"Did you mean '{near[0]}'?" if near else form


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _kind(node: yaml.Node) -> str:
    return _KINDS.get(type(node), "something else")


def _is_null(node: yaml.Node) -> bool:
    return str(node.tag) == "tag:yaml.org,2002:null"
