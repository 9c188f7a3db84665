"""The concept graph as the gateway asks it: mentions in a question, definitions, prerequisites, domains.

Belongs here: reading the merged graph and looking things up in it. How it is merged from the courses is in
`merging.py`, whose two functions are offered here too.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from knowledge_graph.home import DataDir
from knowledge_graph.lake import GRAPH_CONCEPTS, GRAPH_COURSES, GRAPH_PREREQUISITES, Row
from knowledge_graph.matching import Match, TermMatcher
from knowledge_graph.merging import merge_concepts, merge_prerequisites
from knowledge_graph.records import CourseCard, DefinitionKind, Lang, Locator, from_row
from knowledge_graph.text import language_of

__all__ = ["ConceptGraph", "GraphConcept", "Mention", "merge_concepts", "merge_prerequisites"]


@dataclass(frozen=True)
class Mention:
    """A concept named in a text: `text[start:end] == surface`."""

    concept_id: str
    name: str
    surface: str
    start: int
    end: int


@dataclass(frozen=True)
class GraphConcept:
    """A concept with what all its courses know of it; one row of `lake.GRAPH_CONCEPTS`."""

    concept_id: str
    name: str
    aliases: tuple[str, ...]
    lang: Lang
    score: float
    definition: str | None
    definition_kind: DefinitionKind
    definition_locator: Locator | None
    definition_course_id: str | None
    domains: tuple[str, ...]
    course_ids: tuple[str, ...]


class ConceptGraph:
    """The merged graph, read-only. Rows stay in Arrow until someone asks for one, so a large graph stays small."""

    def __init__(self, concepts: pa.Table, prerequisites: pa.Table, courses: pa.Table) -> None:
        self._concepts = concepts.combine_chunks()
        self._row_of = {key: row for row, key in enumerate(self._concepts["concept_id"].to_pylist())}
        self._prerequisites = _by_concept(prerequisites)
        self._courses = {row["course_id"]: _card(row) for row in courses.to_pylist()}

    @classmethod
    def load(cls, data_dir: DataDir) -> "ConceptGraph":
        """Read the three graph tables of a home.

        Raises `FileNotFoundError` naming every table that is missing when the graph has not been built.
        """
        paths = (data_dir.graph_concepts, data_dir.graph_prerequisites, data_dir.graph_courses)
        missing = [str(path) for path in paths if not path.is_file()]
        if missing:
            raise FileNotFoundError(f"No concept graph: {', '.join(missing)} not found. Run `coteach build` first.")
        return cls(*(pq.read_table(path) for path in paths))

    @classmethod
    def from_rows(
        cls, concepts: Iterable[Row] = (), prerequisites: Iterable[Row] = (), courses: Iterable[Row] = ()
    ) -> "ConceptGraph":
        """A graph from rows of the three graph tables, such as `merge_concepts` gives."""
        tables = ((concepts, GRAPH_CONCEPTS), (prerequisites, GRAPH_PREREQUISITES), (courses, GRAPH_COURSES))
        return cls(*(pa.Table.from_pylist(list(rows), schema=schema) for rows, schema in tables))

    @property
    def courses(self) -> tuple[CourseCard, ...]:
        """Every course, by id."""
        return tuple(self._courses[key] for key in sorted(self._courses))

    def __len__(self) -> int:
        return len(self._row_of)

    def __contains__(self, concept_id: object) -> bool:
        return concept_id in self._row_of

    def mentions(self, text: str, lang: Lang | None = None) -> tuple[Mention, ...]:
        """The concepts that `text` names, left to right, without overlap, the longest name first.

        Case, hyphens and plurals do not matter; Latin names match whole words, Chinese names anywhere. A name that two
        concepts share goes to the one of language `lang` (by default the text's own), then to the better scored.
        """
        wanted = lang or language_of(text)
        return tuple(self._mention(match, text, wanted) for match in self._matcher.find(text))

    def concept(self, concept_id: str) -> GraphConcept:
        """Raises `KeyError` when the graph does not hold the concept, as do all look-ups by id."""
        return from_row(GraphConcept, self._concepts.slice(self._row_of[concept_id], 1).to_pylist()[0])

    def definition(self, concept_id: str) -> str | None:
        """The definition's text, `None` when no source defines the concept."""
        return cast("str | None", self._value("definition", concept_id))

    def domains(self, concept_id: str) -> tuple[str, ...]:
        """D(k): the domains the concept belongs to, sorted."""
        return tuple(self._value("domains", concept_id) or ())

    def prerequisites(self, concept_id: str) -> tuple[GraphConcept, ...]:
        """What should be known before, most probable first; those that no course's concept table holds are left out."""
        if concept_id not in self._row_of:
            raise KeyError(concept_id)
        return tuple(self.concept(key) for key in self._prerequisites.get(concept_id, ()) if key in self._row_of)

    def course(self, course_id: str) -> CourseCard:
        return self._courses[course_id]

    def domain_overlap(self, course_a: str, course_b: str) -> float:
        """g of LittleMu eq. 5: |D(a) ∩ D(b)| / |D(a) ∪ D(b)|, the Jaccard index of the courses' domains, 0..1.

        The paper leaves two empty sets open: they overlap 0.0, as nothing is known. A course overlaps itself 1.0.
        """
        if course_a == course_b:
            return 1.0
        a, b = set(self.course(course_a).domains), set(self.course(course_b).domains)
        return len(a & b) / len(a | b) if a | b else 0.0

    @cached_property
    def _matcher(self) -> TermMatcher:
        columns = (self._concepts[name].to_pylist() for name in ("concept_id", "name", "aliases"))
        return TermMatcher((key, name) for key, main, others in zip(*columns, strict=True) for name in (main, *others))

    def _mention(self, match: Match, text: str, lang: Lang) -> Mention:
        key = match.keys[0] if len(match.keys) == 1 else min(match.keys, key=lambda key: self._preference(key, lang))
        return Mention(key, self._value("name", key), text[match.start : match.end], match.start, match.end)

    def _preference(self, concept_id: str, lang: Lang) -> tuple[bool, float, str]:
        return self._value("lang", concept_id) != lang, -self._value("score", concept_id), concept_id

    def _value(self, column: str, concept_id: str) -> Any:
        return self._concepts[column][self._row_of[concept_id]].as_py()


def _by_concept(prerequisites: pa.Table) -> dict[str, tuple[str, ...]]:
    columns = (prerequisites[name].to_pylist() for name in ("concept_id", "prerequisite_id", "probability"))
    found: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for concept_id, prerequisite_id, probability in zip(*columns, strict=True):
        found[concept_id].append((-probability, prerequisite_id))
    return {concept_id: tuple(key for _, key in sorted(edges)) for concept_id, edges in found.items()}


def _card(row: Row) -> CourseCard:
    return CourseCard(
        course_id=row["course_id"],
        title=row["title"],
        lang=row["lang"],
        subject=row["subject"],
        domains=tuple(row["domains"] or ()),
        policy=row["policy"],
    )
