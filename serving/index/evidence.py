"""`Evidence`: what one answer may rest on and cite, numbered as the student and the model see it."""

from dataclasses import dataclass

from knowledge_graph.graph.records import GraphConcept
from knowledge_graph.lake.records import Locator
from serving.index.schema import Entry

MAX_REFERENCES = 3
"""References of one answer; so only the first three pieces of evidence can be cited by number."""
MAX_CITED = 6
"""References of an answer composed of the material's own sentences: each of several questions has its places. A
choice."""


MAP = "map"
"""What an answer that shows a course's concept map comes from: no text, but a page of its own."""


@dataclass(frozen=True)
class Evidence:
    """One piece of material. `number` counts from 1 within a turn; the first `MAX_REFERENCES` are written `[1]`."""

    number: int
    evidence_id: str
    source: str
    course_id: str | None
    title: str
    text: str
    locator: Locator | None = None
    reviewer: str | None = None
    origin_id: str | None = None
    is_platform: bool = False
    """Whether it is of the FAQ of the platform."""

    @property
    def mark(self) -> str:
        """`[1]`, or nothing when it cannot be cited."""
        return f"[{self.number}]" if 1 <= self.number <= MAX_REFERENCES else ""


def source_of(entry: Entry) -> str:
    """What a person should be told an entry comes from: "search" for the stored definition of a web page.

    A definition of the course stands in a video or a document, or nowhere that has an address.
    """
    where = entry.locator
    if entry.source != "concept" or where is None or where.url is None:
        return entry.source
    return "search" if where.video_id is None and where.document is None else entry.source


def from_entry(number: int, entry: Entry) -> Evidence:
    return Evidence(
        number=number,
        evidence_id=entry.entry_id,
        source=source_of(entry),
        course_id=entry.course_id,
        title=entry.title,
        text=entry.text,
        locator=entry.locator,
        reviewer=entry.reviewer,
        origin_id=entry.origin_id,
        is_platform=entry.is_platform,
    )


def to_entry(evidence: Evidence, lang: str) -> Entry:
    """What a piece of evidence says, as an entry that can be shown to a model."""
    return Entry(
        entry_id=evidence.evidence_id,
        kind="passage",
        source=evidence.source,
        course_id=evidence.course_id,
        lang=lang,
        title=evidence.title,
        text=evidence.text,
        locator=evidence.locator,
        origin_id=evidence.origin_id,
        reviewer=evidence.reviewer,
        is_platform=evidence.is_platform,
    )


def from_map(number: int, course_id: str, title: str) -> Evidence:
    """The concept map of a course, which opens and says nothing that could be quoted."""
    return Evidence(number, f"{course_id}/{MAP}", MAP, course_id, title, "")


def from_definition(number: int, concept: GraphConcept) -> Evidence:
    """The definition of a concept, which must have one; of the source "search" when a web page gave it."""
    return Evidence(
        number=number,
        evidence_id=concept.concept_id,
        source="search" if concept.definition_kind == "search" else "concept",
        course_id=concept.definition_course_id,
        title=concept.name,
        text=concept.definition or "",
        locator=concept.definition_locator,
        origin_id=concept.concept_id,
    )
