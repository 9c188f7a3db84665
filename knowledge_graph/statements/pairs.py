"""What people say of pairs of concepts, by the ids of a course's concepts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from knowledge_graph.graph.acyclic import Edge
from knowledge_graph.lake.problems import Problem
from knowledge_graph.lake.records import Concept, Statement
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.contradictions import clause, shortest_path
from knowledge_graph.sources.terms import fold_name
from knowledge_graph.statements.edits import SPELLING, UnknownNames, by_authority


def resolve_pairs(
    concepts: Iterable[Concept], statements: Iterable[Statement]
) -> tuple[dict[Edge, Statement], tuple[Problem, ...]]:
    """What people say of pairs of the course's concepts, one statement a pair, found by name or alias.

    A teacher's pairs that would close a circle are reported; a dataset's pairs that contradict a teacher's are dropped
    without a report. Unknown names are reported one by one for a teacher, and counted for a dataset.
    """
    ids = _ids_by_name(concepts)
    found, unknown_names = _Pairs(BoundedTold()), UnknownNames()
    unknown: Counter[str] = Counter()
    for each in by_authority(statements):
        if each.kind not in ("prerequisite", "no_prerequisite") or each.object is None:
            continue
        missing = next((name for name in (each.subject, each.object) if fold_name(name) not in ids), None)
        if missing is None:
            found.add((ids[fold_name(each.subject)], ids[fold_name(each.object)]), each)
        elif each.given_by == "teacher":
            found.tell(each, unknown_names.message(each, missing, lambda: ids), SPELLING)
        else:
            unknown[each.file] += 1
    found.log.close()
    counted = [_unknown_names(file, count) for file, count in sorted(unknown.items())]
    return found.pairs, (*found.log.problems, *counted)


@dataclass
class _Pairs:
    """Pairs that do not contradict each other, in the order of the statements, a teacher's first."""

    log: BoundedTold
    pairs: dict[Edge, Statement] = field(default_factory=dict)
    _after: dict[str, dict[str, None]] = field(default_factory=dict)
    """A teacher's prerequisites as edges: concept -> what comes after it."""

    def add(self, pair: Edge, statement: Statement) -> None:
        first, second = pair
        if first == second:
            self.tell(statement, f"Both names are of one concept: that {clause(statement)} has no effect.", SPELLING)
        elif pair not in self.pairs and not self._is_opposed(pair, statement):
            if statement.given_by == "teacher" and statement.kind == "prerequisite":
                self._after.setdefault(first, {})[second] = None
            self.pairs[pair] = statement

    def _is_opposed(self, pair: Edge, statement: Statement) -> bool:
        """Whether an earlier statement says the opposite: for a teacher along any path, else for this very pair."""
        first, second = pair
        if statement.kind != "prerequisite":
            return False
        if statement.given_by != "teacher":
            opposite = self.pairs.get((second, first))
            return opposite is not None and opposite.kind == "prerequisite"
        if circle := shortest_path(self._after, second, first):
            message = f"That {clause(statement)} closes a circle: {' → '.join(circle)}."
            self.tell(statement, message, "Remove one of these statements.")
        return bool(circle)

    def tell(self, statement: Statement, message: str, remedy: str) -> None:
        self.log.file = statement.file
        self.log.warning(statement.row, message, remedy)


def _unknown_names(file: str, count: int) -> Problem:
    message = f"Pairs that name a concept which the course does not have: {count:,}."
    return Problem(file, None, message, "Nothing to do, unless names are misspelt.", "warning")


def _ids_by_name(concepts: Iterable[Concept]) -> Mapping[str, str]:
    ordered = sorted(concepts, key=lambda each: each.rank)
    found: dict[str, str] = {}
    for concept in ordered:
        found.setdefault(fold_name(concept.name), concept.concept_id)
    for concept in ordered:
        for alias in concept.aliases:
            found.setdefault(fold_name(alias), concept.concept_id)
    return found
