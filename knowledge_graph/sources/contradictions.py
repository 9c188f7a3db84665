"""One meaning for a file of statements: if some repeat or contradict each other, the first counts.

When two statements contradict belongs here. Statements in, statements and problems out; no files.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from knowledge_graph.lake.records import Statement
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.terms import fold_name

_ONE = "Keep one of the two."
_WORDS = {
    "concept": "'{subject}' is a concept",
    "no_concept": "'{subject}' is no concept",
    "name": "'{subject}' is shown as '{object}'",
    "alias": "'{object}' is another name of '{subject}'",
    "prerequisite": "'{subject}' comes before '{object}'",
    "no_prerequisite": "'{subject}' need not come before '{object}'",
}
Claim = tuple[tuple[str, ...], str]
"""What a statement presupposes: a question and its answer. Two answers to one question contradict."""


def consistent(statements: Iterable[Statement], log: ProblemLog) -> Iterator[Statement]:
    """The statements of one file, in order, that are consistent with all those above them; the others are reported.

    Circles are looked for among a teacher's prerequisites only: labels in bulk are evidence and are weighed as such.
    """
    said = _Said()
    for statement in statements:
        if (again := said.find_repetition(statement)) is not None:
            where = _where(again, statement)
            log.warning(statement.row, f"That {clause(statement)} is said in {where} already.", _ONE)
        elif (other := said.find_contradiction(statement)) is not None:
            where = _where(other, statement)
            log.error(statement.row, f"That {clause(statement)} contradicts {where}; it was left out.", _ONE)
        elif circle := said.circle(statement):
            message = f"That {clause(statement)} closes a circle with lines above; it was left out: {circle}."
            log.error(statement.row, message, "Remove one of them.")
        else:
            said.note(statement)
            yield statement


def clause(statement: Statement) -> str:
    """The statement as a clause: 'derivative' comes before 'gradient descent'."""
    return _WORDS[statement.kind].format(subject=statement.subject, object=statement.object)


def shortest_path(edges: Mapping[str, Iterable[str]], start: str, goal: str) -> list[str]:
    """The nodes of a shortest path from `start` to `goal`, both included; an empty list if there is none."""
    came_from = {start: start}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if here == goal:
            found = [here]
            while here != start:
                here = came_from[here]
                found.append(here)
            return found[::-1]
        for there in edges.get(here, ()):
            if there not in came_from:
                came_from[there] = here
                waiting.append(there)
    return []


@dataclass
class _Said:
    """The statements of a file read so far."""

    _said: dict[tuple[str | None, ...], Statement] = field(default_factory=dict)
    _answers: dict[tuple[str, ...], tuple[str, Statement]] = field(default_factory=dict)
    _edges: dict[str, dict[str, dict[str, None]]] = field(default_factory=dict)
    """By kind, `alias` or `prerequisite`: which names lead on to which."""
    _led_to: set[tuple[str, str]] = field(default_factory=set)
    """Kind and name: only what something leads to can lie on a circle."""

    def find_repetition(self, statement: Statement) -> Statement | None:
        """The earlier statement that says the same."""
        return self._said.get(_key(statement))

    def find_contradiction(self, statement: Statement) -> Statement | None:
        """The earliest statement that contradicts this one."""
        found = ((self._answers.get(question), answer) for question, answer in _claims(statement))
        others = (known[1] for known, answer in found if known is not None and known[0] != answer)
        return min(others, key=lambda other: other.row, default=None)

    def circle(self, statement: Statement) -> str:
        """The names on the circle that the statement would close, joined by arrows; "" if it closes none."""
        first, second = _ends(statement)
        if first == second:
            return first if statement.kind == "prerequisite" else ""
        is_bulk = statement.kind == "prerequisite" and statement.given_by != "teacher"
        if is_bulk or (statement.kind, first) not in self._led_to:
            return ""
        return " → ".join(shortest_path(self._edges.get(statement.kind, {}), second, first))

    def note(self, statement: Statement) -> None:
        self._said[_key(statement)] = statement
        for question, answer in _claims(statement):
            self._answers.setdefault(question, (answer, statement))
        first, second = _ends(statement)
        if statement.kind in ("alias", "prerequisite") and first != second:
            self._edges.setdefault(statement.kind, {}).setdefault(first, {})[second] = None
            self._led_to.add((statement.kind, second))


def _where(said: Statement, here: Statement) -> str:
    """Where the other statement is, seen from `here`."""
    return f"line {said.row}" if said.file == here.file else f"{said.file}:{said.row}"


def _key(statement: Statement) -> tuple[str | None, ...]:
    """Two spellings of an alias are two aliases, though they fold into one."""
    first, second = _ends(statement)
    spelled = statement.object if statement.kind == "alias" else second
    return statement.kind, first, spelled, statement.definition


def _ends(statement: Statement) -> tuple[str, str]:
    return fold_name(statement.subject), fold_name(statement.object or "")


def _claims(statement: Statement) -> Iterator[Claim]:
    first, second = _ends(statement)
    match statement.kind:
        case "concept":
            yield ("is", first), "a concept"
            if statement.definition:
                yield ("means", first), statement.definition
        case "no_concept":
            yield ("is", first), "no concept"
        case "name" | "alias":
            yield from ((("is", name), "a concept") for name in (first, second))
            if statement.kind == "name":
                yield ("is shown as", first), str(statement.object)
            elif first != second:
                yield ("belongs to", second), first
        case "prerequisite":
            yield from ((("is", name), "a concept") for name in (first, second))
            yield ("comes before", first, second), "yes"
            yield ("comes first", *sorted((first, second))), first
        case "no_prerequisite":
            yield ("comes before", first, second), "no"
