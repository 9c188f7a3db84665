"""What the merged graph answers with. Each row type mirrors its table in `lake/schemas.py`, column for column.

Belongs here: the records alone; how they are found is in `graph.py`.
"""

from dataclasses import dataclass

from knowledge_graph.lake.records import DefinitionKind, Lang, Locator, Span


@dataclass(frozen=True)
class Mention:
    """A concept named in a text: `text[start:end] == surface`."""

    concept_id: str
    name: str
    surface: str
    start: int
    end: int


@dataclass(frozen=True)
class GraphEvidence:
    """A span and the course whose lecture or document it stands in."""

    course_id: str
    span: Span


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
    mention_count: int = 0
    evidence: tuple[GraphEvidence, ...] = ()


@dataclass(frozen=True)
class GraphPrerequisite:
    """An edge: `prerequisite_id` should be known before `concept_id`; one row of `lake.GRAPH_PREREQUISITES`.

    `probability` is how sure it is that a teacher would name it.
    """

    prerequisite_id: str
    concept_id: str
    probability: float
    course_ids: tuple[str, ...]
    evidence: tuple[GraphEvidence, ...]


@dataclass(frozen=True)
class Step:
    """A concept to learn on the way to another, and what to watch or read for it.

    `watch` is where it is defined, else where it is best spoken of, in course `course_id`; both are `None` when no
    course says. `need`, 0..1, is how probable it is that the goal cannot do without. `because` is the edge to the later
    step, or to the goal, that asks for it.
    """

    concept: GraphConcept
    watch: Span | None
    course_id: str | None
    need: float
    because: GraphPrerequisite


@dataclass(frozen=True)
class Neighbours:
    """What surrounds a concept: what comes before and after it, most probable first, and what is taught with it."""

    prerequisites: tuple[GraphConcept, ...]
    dependants: tuple[GraphConcept, ...]
    taught_with: tuple[GraphConcept, ...]
