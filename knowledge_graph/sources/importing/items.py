"""What importers find in a course of another system, one record a thing; `course_writer.py` puts each in place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from knowledge_graph.lake.records import Lang
from knowledge_graph.sources.bounded_report import BoundedTold


@dataclass(frozen=True)
class Header:
    """What goes into `course.yaml`; `lang` is `None` where the source does not say a language that is read here."""

    course_id: str
    title: str
    lang: Lang | None = None
    domains: tuple[str, ...] = ()
    instructors: tuple[str, ...] = ()
    video_order: tuple[str, ...] = ()


@dataclass(frozen=True)
class Captions:
    """The subtitle file of one video as it was found; `video_id` is its path in `subtitles/` without `suffix`."""

    course_id: str
    video_id: str
    suffix: str
    content: bytes


@dataclass(frozen=True)
class ImportedPage:
    """A document: its path in `documents/`, suffix included, and its text."""

    course_id: str
    name: str
    text: str


@dataclass(frozen=True)
class File:
    """A document as it was found: its path in `documents/`, suffix included, and its bytes."""

    course_id: str
    name: str
    content: bytes


@dataclass(frozen=True)
class ImportedEntry:
    """A row of the FAQ, with every field that its source has."""

    course_id: str
    fields: Mapping[str, object]


@dataclass(frozen=True)
class GivenConcept:
    """A concept that the source names; its definition may be missing."""

    course_id: str
    concept_id: str
    name: str
    definition: str | None


@dataclass(frozen=True)
class GivenPrerequisite:
    """A pair that people labelled: 1 when `prerequisite` should be known before `concept`, else 0."""

    course_id: str
    prerequisite: str
    concept: str
    label: int


Item = Header | Captions | ImportedPage | File | ImportedEntry | GivenConcept | GivenPrerequisite


@dataclass(frozen=True)
class ImportSource:
    """A source that was recognised: its courses, and their items, read when they are asked for.

    `log` and `left_out`, the titles of what is not taken by reason, grow while `items` are read. Every course has
    exactly one `Header` among them.
    """

    kind: str
    courses: tuple[str, ...]
    items: Iterator[Item]
    log: BoundedTold = field(default_factory=BoundedTold)
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
