"""What the page of a course's graph shows: the last build's concepts and prerequisites beside what teachers said since.

Reading and matching up; no NiceGUI. What may be said is decided in `serving.store.corrections`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal
from urllib.parse import quote

from knowledge_graph.graph.name_search import NOT_NAMED, name_rank
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Concept, Prerequisite, Span, Statement, from_row
from knowledge_graph.lake.source_kinds import CourseTable
from knowledge_graph.lake.tables import read_table
from knowledge_graph.sources.terms import fold_name
from knowledge_graph.text.time_code import address_query, time_code
from knowledge_graph.transcripts.lecture_names import read_lecture_names
from serving.store.corrections import Arrow, Correction
from serving.store.graph_edits import as_correction
from serving.store.tables.review import GraphEdit

Which = Literal["accepted", "rejected", "all"]

Measured = Mapping[tuple[str, str, str], float]
"""Figures by what they are of (`concepts`, `prerequisites`), whose they are, and their name."""

MOST_COURSES = 16
"""Courses whose graph is kept read, the latest looked at: one of 75 concepts and 2,172 pairs takes 8 MB. A choice."""

_READING = Lock()
"""So that dozens who come at once wait for one reading, and do not each read the same."""


@dataclass(frozen=True)
class CourseGraph:
    """The tables of one course as the last build left them. `stated` is what people had said by then."""

    concepts: tuple[Concept, ...] = ()
    prerequisites: tuple[Prerequisite, ...] = ()
    stated: frozenset[tuple[str, ...]] = frozenset()

    @property
    def arrows(self) -> list[Arrow]:
        return [Arrow(one.prerequisite, one.concept) for one in self.prerequisites if one.accepted]

    @cached_property
    def ends(self) -> tuple[tuple[str, str], ...]:
        """Both names of each pair, folded."""
        return tuple((fold_name(one.prerequisite), fold_name(one.concept)) for one in self.prerequisites)


@dataclass(frozen=True)
class GraphView:
    """What the page shows of a course that is the same for all who look: `titles` are what its videos are called, by
    id, `measured` how good the last build found the graph against the course's gold, empty without gold."""

    graph: CourseGraph
    titles: Mapping[str, str]
    measured: Measured


@dataclass(frozen=True)
class EvidenceLink:
    """A place that supports a fact. `url` opens the lecture at its second, or the document."""

    label: str
    text: str
    url: str | None


@dataclass(frozen=True)
class ShownConcept:
    """A concept with the corrections of it that no build has taken up yet."""

    concept: Concept
    edits: tuple[GraphEdit, ...]

    @property
    def is_rejected(self) -> bool:
        return any(edit.kind == "no_concept" for edit in self.edits)


@dataclass(frozen=True)
class ShownPair:
    """A prerequisite as it will be. `edit` is the correction that says so, `None` when the machine does."""

    pair: Prerequisite
    is_accepted: bool
    edit: GraphEdit | None


def read_view(data_dir: DataDir, course_id: str) -> GraphView:
    """What the last build left of a course, read once for each; empty for a course that is not built yet."""
    named: tuple[CourseTable, ...] = ("concepts", "prerequisites", "statements", "cues", "graph_scores")
    paths = tuple(data_dir.table(name, course_id) for name in named)
    with _READING:
        return _read_once(paths, tuple(map(_stamp, paths)))


@lru_cache(MOST_COURSES)
def _read_once(paths: tuple[Path, ...], stamps: tuple[object, ...]) -> GraphView:
    """Read again when a build has replaced a table, which another of the `stamps` tells."""
    concepts, pairs, stated, cues, scores = paths
    listed = sorted((from_row(Concept, row) for row in _rows(concepts)), key=lambda one: one.rank)
    by_probability = sorted((from_row(Prerequisite, row) for row in _rows(pairs)), key=lambda one: -one.probability)
    graph = CourseGraph(tuple(listed), tuple(by_probability), frozenset(_find_taken_up(_rows(stated))))
    _ = graph.ends  # now: a thread waits for it here, the event loop would when the page is drawn
    names = read_lecture_names(cues)
    measured = {(row["of"], row["system"], row["measure"]): row["value"] for row in _rows(scores)}
    return GraphView(graph, names, measured)


def _find_taken_up(rows: Iterable[dict[str, Any]]) -> Iterable[tuple[str, ...]]:
    for one in (from_row(Statement, row) for row in rows):
        if one.given_by == "teacher":
            yield _key_of(Correction(one.course_id, one.kind, one.subject, one.object, one.definition))


def is_in_effect(edit: GraphEdit, graph: CourseGraph) -> bool:
    """Whether the last build has taken the correction up."""
    return _key_of(as_correction(edit)) in graph.stated


def list_concepts(graph: CourseGraph, edits: Iterable[GraphEdit], sought: str = "") -> list[ShownConcept]:
    """The concepts whose names or definition hold the words sought, each with its corrections: those that are named so
    first (`name_rank`), then by rank."""
    of_name: dict[str, list[GraphEdit]] = {}
    for edit in edits:
        if edit.kind in ("concept", "no_concept", "name", "alias"):
            of_name.setdefault(fold_name(edit.subject), []).append(edit)
    wanted = sought.casefold().split()
    nearness = {one.concept_id: name_rank(sought, (one.name, *one.aliases)) for one in graph.concepts} if wanted else {}
    return [
        ShownConcept(concept, tuple(edit for name in _names(concept) for edit in of_name.get(name, ())))
        for concept in sorted(graph.concepts, key=lambda one: nearness.get(one.concept_id, 0))
        if nearness.get(concept.concept_id, 0) < NOT_NAMED
        or _holds((concept.name, *concept.aliases, concept.definition or ""), wanted)
    ]


def list_pairs(
    graph: CourseGraph, edits: Iterable[GraphEdit], *, which: Which = "all", sought: str = ""
) -> list[ShownPair]:
    """The pairs, those that a teacher added since the build first, then by probability; of either end the words."""
    said = {
        (fold_name(edit.subject), fold_name(edit.object or "")): edit
        for edit in edits
        if edit.kind in ("prerequisite", "no_prerequisite")
    }
    new = said.keys() - set(graph.ends)
    added = [
        _to_shown_pair(_to_prerequisite(edit), edit)
        for ends, edit in said.items()
        if ends in new and edit.kind == "prerequisite"
    ]
    wanted = sought.casefold().split()
    found = [
        *added,
        *(_to_shown_pair(one, said.get(ends)) for ends, one in zip(graph.ends, graph.prerequisites, strict=True)),
    ]
    return [
        one
        for one in found
        if (which == "all" or one.is_accepted == (which == "accepted"))
        and _holds((one.pair.prerequisite, one.pair.concept), wanted)
    ]


def evidence_of(course_id: str, spans: Sequence[Span], titles: Mapping[str, str]) -> list[EvidenceLink]:
    """Where spans can be opened; `titles` are what the course's videos are called, by id."""
    return [_evidence(course_id, span, titles) for span in spans]


def _evidence(course_id: str, span: Span, titles: Mapping[str, str]) -> EvidenceLink:
    course = f"/courses/{quote(course_id, safe='')}"
    if span.video_id is not None:
        start = span.start_ms or 0
        label = f"{titles.get(span.video_id, span.video_id)} @ {time_code(start)}"
        return EvidenceLink(label, span.text, f"{course}/videos/{quote(span.video_id, safe='')}?{address_query(start)}")
    if span.document is not None:
        return EvidenceLink(span.document, span.text, f"{course}/documents/{quote(span.document, safe='')}")
    return EvidenceLink("", span.text, None)


def _to_shown_pair(pair: Prerequisite, edit: GraphEdit | None) -> ShownPair:
    return ShownPair(pair, pair.accepted if edit is None else edit.kind == "prerequisite", edit)


def _to_prerequisite(edit: GraphEdit) -> Prerequisite:
    second = edit.object or ""
    return Prerequisite(edit.course_id, "", "", edit.subject, second, 1.0, True, None, {}, ())


def _names(concept: Concept) -> list[str]:
    return list(dict.fromkeys(fold_name(name) for name in (concept.name, *concept.aliases)))


def _holds(texts: Iterable[str], wanted: Sequence[str]) -> bool:
    whole = "\n".join(texts).casefold()
    return all(word in whole for word in wanted)


def _key_of(one: Correction) -> tuple[str, ...]:
    return one.kind, fold_name(one.subject), fold_name(one.object or ""), one.definition or ""


def _rows(path: Path) -> list[dict[str, Any]]:
    """Of a table that a course has not, none."""
    if not path.is_file():
        return []
    rows: list[dict[str, Any]] = read_table(path).to_pylist(maps_as_pydicts="strict")
    return rows


def _stamp(path: Path) -> tuple[int, ...]:
    """What is another after every replacement of a file; empty where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return ()
    return found.st_mtime_ns, found.st_ino, found.st_size
