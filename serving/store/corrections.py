"""A teacher's correction of a course's graph: what may be said, what it takes back, what would close a circle. Pure.

Belongs here: decisions on corrections. How they are stored is in `serving.store.graph_edits`; what a build makes of
them is `knowledge_graph.statements`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.records import Statement, StatementKind
from knowledge_graph.sources.contradictions import consistent, shortest_path
from knowledge_graph.sources.fields import ProblemLog
from knowledge_graph.sources.terms import definition_of, fold_name, name_of

FILE = "the console"
"""What a statement from the console names as its file while it is weighed."""

_PAIRS = ("name", "alias", "prerequisite", "no_prerequisite")


class CorrectionRefused(CoteachError):
    """A correction that cannot be kept: an empty or overlong name, or no second name where one is needed."""


class ClosesACircle(CorrectionRefused):
    """A prerequisite that the other accepted ones contradict. `names` is the circle, its first name at both ends."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        super().__init__(f"That closes a circle: {' → '.join(names)}. Reject one of these prerequisites first.")


@dataclass(frozen=True)
class Correction:
    """One statement of a teacher, as `knowledge_graph.lake.records.Statement` means it."""

    course_id: str
    kind: StatementKind
    subject: str
    object: str | None = None
    definition: str | None = None

    def statement(self, row: int = 0) -> Statement:
        return Statement(self.course_id, self.kind, "teacher", self.subject, self.object, self.definition, FILE, row)


@dataclass(frozen=True)
class Arrow:
    """An accepted prerequisite by the names of its ends."""

    prerequisite: str
    concept: str


def clean_correction(correction: Correction) -> Correction:
    """The correction with its names and definition as a build reads them. Raises `CorrectionRefused`."""
    log = ProblemLog(FILE)
    subject = name_of(correction.subject, None, log)
    second = name_of(correction.object, None, log) if correction.object is not None else None
    definition = definition_of(correction.definition, None, log)
    if log.has_errors():
        raise CorrectionRefused(" ".join(f"{one.message} {one.remedy}" for one in log.problems))
    if correction.kind in _PAIRS and second is None:
        raise CorrectionRefused(f"A statement of kind '{correction.kind}' needs two names; found one.")
    return Correction(correction.course_id, correction.kind, subject or "", second, definition)


def agree(earlier: Correction, later: Correction) -> bool:
    """Whether both can stand: neither says again what the other says, nor something else of the same thing."""
    log = ProblemLog(FILE)
    return len(list(consistent([earlier.statement(1), later.statement(2)], log))) == 2


def circle(arrows: Iterable[Arrow], added: Arrow) -> tuple[str, ...]:
    """The names on the shortest circle that `added` closes with `arrows`, from its prerequisite round to it again."""
    after: dict[str, list[str]] = {}
    shown: dict[str, str] = {}
    for arrow in (*arrows, added):
        for name in (arrow.prerequisite, arrow.concept):
            shown.setdefault(fold_name(name), name)
    first, second = fold_name(added.prerequisite), fold_name(added.concept)
    for arrow in arrows:
        after.setdefault(fold_name(arrow.prerequisite), []).append(fold_name(arrow.concept))
    found = shortest_path(after, second, first)
    return tuple(shown[name] for name in (first, *found)) if found else ()


def arrows_now(accepted: Iterable[Arrow], edits: Iterable[Correction]) -> list[Arrow]:
    """The prerequisites after the edits: those of the last build without the rejected ones, and the accepted ones."""
    found = {_key(arrow): arrow for arrow in accepted}
    for edit in edits:
        if edit.object is None or edit.kind not in ("prerequisite", "no_prerequisite"):
            continue
        arrow = Arrow(edit.subject, edit.object)
        if edit.kind == "prerequisite":
            found[_key(arrow)] = arrow
        else:
            found.pop(_key(arrow), None)
    return list(found.values())


def _key(arrow: Arrow) -> tuple[str, str]:
    return fold_name(arrow.prerequisite), fold_name(arrow.concept)
