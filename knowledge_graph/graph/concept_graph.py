"""The concept graph as the gateway asks it: mentions in a question, definitions, prerequisites, domains, study paths.

Belongs here: reading the merged graph and looking things up in it. How it is merged from the courses is in
`merging.py`; the search for a path is in `study_path.py`.
"""

import copy
from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from knowledge_graph.graph.lectures import Lectures, concepts_at, lecture_order, place_of
from knowledge_graph.graph.ragged_array import Numbers
from knowledge_graph.graph.records import GraphConcept, GraphPrerequisite, Mention, Neighbours, Step
from knowledge_graph.graph.study_path import LEAST_NEED, MOST_STEPS, Edges, Need
from knowledge_graph.graph.visibility import visible_concepts, visible_edges
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import CourseCard, Lang, from_row
from knowledge_graph.lake.schemas import GRAPH_CONCEPTS, GRAPH_COURSES, GRAPH_PREREQUISITES
from knowledge_graph.lake.tables import Row, read_table
from knowledge_graph.text.matching import Match, TermMatcher
from knowledge_graph.text.sentences import language_of

_MOST_NEIGHBOURS = 12
REMEMBERED = 1 << 11
"""Concepts that were read, and texts that were searched for names, of which the last are kept: one question asks for
the same several times, and a class for the same concepts."""


class ConceptGraph:
    """The merged graph, read-only. Rows stay in Arrow until someone asks for one, so a large graph stays small.

    Every look-up by id raises `KeyError` when the graph does not hold the concept or course.
    """

    def __init__(self, concepts: pa.Table, prerequisites: pa.Table, courses: pa.Table) -> None:
        self._concepts = concepts.combine_chunks()
        self._ids: list[str] = self._concepts["concept_id"].to_pylist()
        self._row_of = {key: row for row, key in enumerate(self._ids)}
        self._edge_rows, self._edges = _edges(prerequisites, self._concepts["concept_id"])
        self._course_rows = courses
        self._courses = {row["course_id"]: _card(row) for row in courses.to_pylist()}
        self._at = lru_cache(maxsize=REMEMBERED)(self._read)
        self._named = lru_cache(maxsize=REMEMBERED)(self._find_named)
        self._mentions_of: str | None = None

    @classmethod
    def load(cls, data_dir: DataDir) -> "ConceptGraph":
        """Read the three graph tables of a home.

        Raises `FileNotFoundError` naming every table that is missing when the graph has not been built.
        """
        paths = (data_dir.graph_concepts, data_dir.graph_prerequisites, data_dir.graph_courses)
        missing = [str(path) for path in paths if not path.is_file()]
        if missing:
            raise FileNotFoundError(f"No concept graph: {', '.join(missing)} not found. Run `coteach build` first.")
        return cls(*(read_table(path) for path in paths))

    @classmethod
    def from_rows(
        cls, concepts: Iterable[Row] = (), prerequisites: Iterable[Row] = (), courses: Iterable[Row] = ()
    ) -> "ConceptGraph":
        """A graph from rows of the three graph tables."""
        tables = ((concepts, GRAPH_CONCEPTS), (prerequisites, GRAPH_PREREQUISITES), (courses, GRAPH_COURSES))
        return cls(*(pa.Table.from_pylist(list(rows), schema=schema) for rows, schema in tables))

    def within(self, course_ids: Collection[str]) -> "ConceptGraph":
        """The graph as it is without all other courses: no concept, definition, edge or mention that only they have."""
        return ConceptGraph(
            visible_concepts(self._concepts, course_ids),
            visible_edges(self._edge_rows, course_ids),
            pa.Table.from_pylist(
                [row for row in self._course_rows.to_pylist() if row["course_id"] in course_ids],
                schema=self._course_rows.schema,
            ),
        )

    def restrict_mentions(self, course_id: str | None) -> "ConceptGraph":
        """The same graph, of which a text names the concepts of that course alone, `None` of all. Nothing is copied."""
        view = copy.copy(self)
        view._mentions_of = course_id
        return view

    def shares(self, course_id: str | None, asked: str | None) -> bool:
        """Whether what one course says of a concept may be shown in another: `shares_with` of its course.yaml."""
        card = self._courses.get(course_id or "")
        if card is None or card.shares_with is None or asked is None or asked == course_id:
            return True
        return asked in card.shares_with

    def warm_up(self) -> None:
        """Build now what the first question would wait for: the dictionary of names."""
        _ = self._matcher

    @property
    def courses(self) -> tuple[CourseCard, ...]:
        """Every course, by id."""
        return tuple(self._courses[key] for key in sorted(self._courses))

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, concept_id: object) -> bool:
        return concept_id in self._row_of

    def mentions(self, text: str, lang: Lang | None = None) -> tuple[Mention, ...]:
        """The concepts that `text` names, left to right, without overlap, the longest name first.

        Case, hyphens and plurals do not matter; Latin names match whole words, Chinese names anywhere. A name that two
        concepts share goes to the one of language `lang` (by default the text's own), then to the better scored.
        """
        found = self._named(text, lang or language_of(text))
        if self._mentions_of is None:
            return found
        return tuple(one for one in found if self._mentions_of in self.concept(one.concept_id).course_ids)

    def _find_named(self, text: str, lang: Lang) -> tuple[Mention, ...]:
        return tuple(self._mention(match, text, lang) for match in self._matcher.find(text))

    def find(self, name: str, lang: Lang | None = None) -> str | None:
        """The id of the concept called `name`, by its name or an alias in any spelling; `None` when there is none.

        Of several the first of `candidates`.
        """
        return next(iter(self.candidates(name, lang)), None)

    def names(self) -> list[str]:
        """The name of every concept, in the order of their ids."""
        return list(self._concepts["name"].to_pylist())

    def names_of(self, course_id: str | None) -> list[str]:
        """Every name and alias of a course's concepts, of all courses without one."""
        rows = self._concepts.select(["name", "aliases", "course_ids"]).to_pylist()
        own = [row for row in rows if course_id is None or course_id in row["course_ids"]]
        return [name for row in own for name in (row["name"], *(row["aliases"] or ()))]

    def concepts_of(self, course_id: str | None) -> list[tuple[str, str]]:
        """Id and name of a course's concepts, of all courses without one; in the order of their ids."""
        rows = self._concepts.select(["concept_id", "name", "course_ids"]).to_pylist()
        return [(row["concept_id"], row["name"]) for row in rows if course_id is None or course_id in row["course_ids"]]

    def candidates(self, name: str, lang: Lang | None = None) -> tuple[str, ...]:
        """The ids of all concepts called `name`: those of `lang` (by default the name's own) first, then by score."""
        wanted = lang or language_of(name)
        return tuple(sorted(self._matcher.owners(name), key=lambda key: self._preference(key, wanted)))

    def concept(self, concept_id: str) -> GraphConcept:
        return self._at(self._row_of[concept_id])

    def definition(self, concept_id: str) -> str | None:
        """The definition's text, `None` when no source defines the concept."""
        return cast("str | None", self._value("definition", concept_id))

    def domains(self, concept_id: str) -> tuple[str, ...]:
        """D(k): the domains the concept belongs to, sorted."""
        return tuple(self._value("domains", concept_id) or ())

    def prerequisites(self, concept_id: str, *, least: float = 0.0) -> tuple[GraphConcept, ...]:
        """What should be known before, most probable first, as far as its probability is at least `least`.

        What no course's concept table holds is left out.
        """
        edges = self._edges.into[self._row_of[concept_id]]
        return self._all_at(self._edges.sources[edges[self._edges.probabilities[edges] >= least]])

    def dependants(self, concept_id: str) -> tuple[GraphConcept, ...]:
        """What it should be known before: the other side of `prerequisites`."""
        return self._all_at(self._edges.targets[self._edges.out_of[self._row_of[concept_id]]])

    def neighbours(self, concept_id: str, *, most: int = _MOST_NEIGHBOURS) -> Neighbours:
        """What comes before, what comes after and what is taught in the same lectures, at most `most` of each."""
        row = self._row_of[concept_id]
        return Neighbours(
            prerequisites=self._all_at(self._edges.sources[self._edges.into[row][:most]]),
            dependants=self._all_at(self._edges.targets[self._edges.out_of[row][:most]]),
            taught_with=self._all_at(self._lectures.taught_with(row, most=most)),
        )

    def study_path(
        self,
        concept_id: str,
        known: Iterable[str] = (),
        *,
        course_id: str | None = None,
        most: int = MOST_STEPS,
        least: float = LEAST_NEED,
    ) -> tuple[Step, ...]:
        """What to learn before a concept, in order: each step comes after those it needs itself. Without the concept.

        All prerequisites of a concept are needed, none stands in for another, so the shortest path is the smallest set:
        without what is `known`, without what that needs in turn, without what the concept needs less probably than
        `least`, and of the rest the `most` most needed. Need is the product of the probabilities along the surest chain
        of edges, so the path is bounded in depth too. Equally deep steps go in lecture order. Ids in `known` that the
        graph does not hold are ignored. Passages of course `course_id`, when given, are preferred to those of others.
        """
        rows = [self._row_of[key] for key in known if key in self._row_of]
        needs = self._edges.path_to(self._row_of[concept_id], rows, most=most, least=least)
        steps = [(self._edges.levels[need.row], self._step(need, course_id)) for need in needs]
        return tuple(step for _, step in sorted(steps, key=lambda item: (item[0], lecture_order(item[1].watch))))

    def concepts_at(self, course_id: str, video_id: str, at_ms: int) -> tuple[str, ...]:
        """The concepts that a moment of a video is about, as far as their evidence shows it; unknown videos have none.

        Of those of the moment, or shortly before, in the order in which they are begun to be spoken of.
        """
        concepts = self._all_at(self._lectures.concepts_of(course_id, video_id))
        return concepts_at(concepts, course_id, video_id, at_ms)

    def course(self, course_id: str) -> CourseCard:
        return self._courses[course_id]

    @cached_property
    def _matcher(self) -> TermMatcher:
        aliases = self._concepts["aliases"].combine_chunks()
        owners = map(self._ids.__getitem__, pc.list_parent_indices(aliases).to_pylist())
        names = zip(self._ids, self._concepts["name"].to_pylist(), strict=True)
        return TermMatcher(chain(names, zip(owners, pc.list_flatten(aliases).to_pylist(), strict=True)))

    @cached_property
    def _lectures(self) -> Lectures:
        return Lectures(self._concepts["evidence"].combine_chunks(), len(self))

    def _step(self, need: Need, course_id: str | None) -> Step:
        concept = self._at(need.row)
        place = place_of(concept, course_id)
        course, watch = (place.course_id, place.span) if place else (None, None)
        return Step(concept, watch, course, need.need, self._edge(need.edge))

    def _mention(self, match: Match, text: str, lang: Lang) -> Mention:
        key = match.keys[0] if len(match.keys) == 1 else min(match.keys, key=lambda key: self._preference(key, lang))
        return Mention(key, self._value("name", key), text[match.start : match.end], match.start, match.end)

    def _preference(self, concept_id: str, lang: Lang) -> tuple[bool, float, str]:
        return self._value("lang", concept_id) != lang, -self._value("score", concept_id), concept_id

    def _all_at(self, rows: Numbers) -> tuple[GraphConcept, ...]:
        found = self._concepts.take(rows).to_pylist() if len(rows) else []
        return tuple(from_row(GraphConcept, row) for row in found)

    def _read(self, row: int) -> GraphConcept:
        return from_row(GraphConcept, self._concepts.slice(row, 1).to_pylist()[0])

    def _edge(self, edge: int) -> GraphPrerequisite:
        return from_row(GraphPrerequisite, self._edge_rows.slice(edge, 1).to_pylist()[0])

    def _value(self, column: str, concept_id: str) -> Any:
        return self._concepts[column][self._row_of[concept_id]].as_py()


def _edges(prerequisites: pa.Table, ids: pa.ChunkedArray) -> tuple[pa.Table, Edges]:
    """The edges of which both ends are known, as rows and by row number of the concepts."""
    ends = [pc.index_in(prerequisites[name], value_set=ids) for name in ("prerequisite_id", "concept_id")]
    known = pc.and_(*(pc.is_valid(end) for end in ends))
    sources, targets = (end.filter(known).to_numpy().astype(np.int64) for end in ends)
    rows = prerequisites.filter(known).combine_chunks()
    return rows, Edges(sources, targets, rows["probability"].to_numpy(), len(ids))


def _card(row: Row) -> CourseCard:
    return CourseCard(
        course_id=row["course_id"],
        title=row["title"],
        lang=row["lang"],
        subject=row["subject"],
        domains=tuple(row["domains"] or ()),
        policy=row["policy"],
        instructors=tuple(row.get("instructors") or ()),
        support=row.get("support"),
        shares_with=None if row.get("shares_with") is None else tuple(row["shares_with"]),
        is_platform=bool(row.get("is_platform")),
    )
