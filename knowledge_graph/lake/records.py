"""The typed records that stages hand to each other. Each mirrors a table of `schemas.py`, column for column.

`to_row(record)` is the row to write; `from_row(Type, row)` is the record of a row read.
"""

from collections.abc import Callable, Hashable
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from knowledge_graph.text.time_code import paragraph_of

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = get_args(Lang)
DefinitionKind = Literal["teacher", "subtitle", "document", "search", "dataset", "none"]
"""Where a definition comes from, the most trusted first."""
Mode = Literal["class", "program"]
"""What a catalogue expert knows of (Tulane 3.II): classes or programs, never both. `None` for every other source."""
ConceptMode = Literal["merged", "given", "extracted"]
"""Where a course's concepts come from: its lectures and the files that name some, those files alone, or the lectures
and what its teacher says, a dataset's files left unread."""


CARD_DOCUMENT = "course.yaml"
"""Name under which a course's card is cited and opened."""


@dataclass(frozen=True)
class CourseCard:
    """What is known of a course before anything is built from it."""

    course_id: str
    title: str
    lang: Lang
    subject: str | None = None
    domains: tuple[str, ...] = ()
    instructors: tuple[str, ...] = ()
    policy: str | None = None
    support: str | None = None
    """Whom a student in a crisis can turn to: a name, a number, an address, as it is shown."""
    video_order: tuple[str, ...] = ()
    """Video ids in teaching order; empty means natural sort of the file names."""
    concepts: ConceptMode = "merged"
    videos: dict[str, str] = field(default_factory=dict, hash=False)
    """Addresses of videos by id (or file name), where they are known."""
    video_url: str | None = None
    """The address of any other video, with `{video}` in the place of its id."""
    shares_with: tuple[str, ...] | None = None
    """Ids of the courses whose students are shown what this one says of a concept; `None`: whoever may see this one."""
    is_platform: bool = False
    """Whether its FAQ is that of the platform, which answers in every course, or in those of `shares_with`."""


@dataclass(frozen=True)
class Span:
    """The words of a lecture or document that support a fact, and where they stand.

    Of a lecture `video_id` and the times, in milliseconds from its start, are set; of a document `document`, and `page`
    and `article` when it has them.
    """

    video_id: str | None
    start_ms: int | None
    end_ms: int | None
    text: str
    document: str | None = None
    page: int | None = None
    article: str | None = None


@dataclass(frozen=True)
class Locator:
    """Where something can be opened: a URL, a time in a video, or a page and article of a document.

    Places of a lecture are milliseconds from its start; of one without times they are counted as `text/time_code.py`
    says, and `paragraph` is what can be told of them.
    """

    url: str | None = None
    video_id: str | None = None
    video_title: str | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    document: str | None = None
    page: int | None = None
    article: str | None = None

    @property
    def paragraph(self) -> int | None:
        """The paragraph of a lecture without times, from 1; `None` for a place of anything else."""
        return paragraph_of(self.start_ms)

    @property
    def page_kind(self) -> "PageKind":
        """What `page` counts."""
        return page_kind(self.document)


PageKind = Literal["page", "slide", "cell", "paragraph"]
"""What the `page` of a document counts: pages, slides of a deck, or cells of a notebook. Of a lecture without times its
paragraphs are counted."""


def page_kind(document: str | None) -> PageKind:
    """What is counted in a document, by its path in the course."""
    name = (document or "").lower()
    return "slide" if name.endswith(".pptx") else "cell" if name.endswith(".ipynb") else "page"


@dataclass(frozen=True)
class Cue:
    """One timed subtitle line, or a sentence of a transcript without times, placed as `text/time_code.py` says."""

    course_id: str
    video_id: str
    video_title: str
    video_index: int
    cue_index: int
    start_ms: int
    end_ms: int
    text: str
    lang: Lang


@dataclass(frozen=True)
class Concept:
    """A term the course teaches."""

    course_id: str
    concept_id: str
    name: str
    aliases: tuple[str, ...]
    lang: Lang
    rank: int
    score: float
    definition: str | None
    definition_kind: DefinitionKind
    definition_locator: Locator | None
    domains: tuple[str, ...]
    mention_count: int
    evidence: tuple[Span, ...]
    votes: dict[str, int] = field(default_factory=dict)
    """Labelling function -> 1 or -1; those that abstained are left out. Of a concept that people name also `GIVEN`."""
    definition_confidence: float | None = None
    """How sure it is that the definition answers "What is it?", 0..1; `None` where there is none or nobody weighed it.
    Students are shown what `showing.py` lets through."""


StatementKind = Literal["concept", "no_concept", "name", "alias", "prerequisite", "no_prerequisite"]


GivenBy = Literal["seed", "dataset", "teacher"]
GIVEN: frozenset[str] = frozenset(get_args(GivenBy))
"""Who may state something, and under which name it stands among the votes."""


@dataclass(frozen=True)
class Statement:
    """What somebody says of a course's graph, before or after the machine does: seeds, a dataset or a teacher.

    `concept`/`no_concept`: `subject` is one or is none. `name`: `subject` is to be shown as `object`. `alias`: `object`
    is another name of `subject`. `prerequisite`/`no_prerequisite`: `subject` should, or need not, be known before
    `object`. All by name, in any spelling that `text.normal_form` folds.
    """

    course_id: str
    kind: StatementKind
    given_by: GivenBy
    subject: str
    object: str | None
    definition: str | None
    file: str
    row: int


@dataclass(frozen=True)
class TeacherEdit:
    """A statement that a teacher made in the console, not in a file. `at` is ISO 8601, `by` the teacher's name."""

    course_id: str
    edit_id: str
    kind: StatementKind
    subject: str
    object: str | None
    definition: str | None
    by: str
    at: str


@dataclass(frozen=True)
class Prerequisite:
    """An ordered pair of concepts: `prerequisite` should be known before `concept`."""

    course_id: str
    prerequisite_id: str
    concept_id: str
    prerequisite: str
    concept: str
    probability: float
    accepted: bool
    rejected_because: str | None
    votes: dict[str, int]
    evidence: tuple[Span, ...]
    confidence: float | None = None
    """How sure it is that a teacher would name it, 0..1: of accepted edges only; `None` where nobody weighed it. 0
    where the course teaches the prerequisite in a later lecture than what needs it."""


@dataclass(frozen=True)
class FaqEntry:
    """A question with the answer people stand behind."""

    course_id: str
    origin_id: str
    section: str | None
    question: str
    answer: str
    author: str | None
    reviewer: str | None
    updated_at: str | None
    file: str
    row: int
    lang: Lang


@dataclass(frozen=True)
class TaAnswer:
    """A student's question with the answer a TA approved. `replaces` is the `origin_id` of the entry it corrects."""

    course_id: str
    origin_id: str
    replaces: str | None
    question: str
    answer: str
    reviewer: str
    updated_at: str
    lang: Lang


@dataclass(frozen=True)
class Snippet:
    """One result of a recorded search."""

    course_id: str
    query: str
    position: int
    headline: str
    text: str
    url: str | None
    fetched_at: str | None
    lang: Lang


@dataclass(frozen=True)
class SearchQuery:
    """A question that the course's own material does not answer, to be asked outside.

    `reason` says who asks: a concept of the graph without a definition, or a student's question nobody could answer.
    `lang` is the query's.
    """

    course_id: str
    query: str
    reason: Literal["concept", "unanswered"]
    concept_id: str | None
    lang: Lang


@dataclass(frozen=True)
class InformalReview:
    """What somebody says of a class, as it was written; checked by nobody. `written_at` is as the file has it."""

    course_id: str
    review_id: str
    about: str
    text: str
    written_at: str | None
    lang: Lang


@dataclass(frozen=True)
class ScholarRecord:
    """What an academic search says: a scholar, a paper or a research trend as a pair (LittleMu 3.2.2).

    `record_id` is the service's own id, for a trend the topic's. `fetched_at` is ISO 8601.
    """

    course_id: str
    kind: Literal["scholar", "paper", "trend"]
    record_id: str
    query: str
    position: int
    question: str
    answer: str
    url: str | None
    fetched_at: str | None
    lang: Lang


@dataclass(frozen=True)
class CatalogRecord:
    """A class, or one topic of a program, of a university's catalogue (Tulane 2.I); or, without a `mode`, what a page
    says of its classes together, which is neither expert's.

    `record_id` is unique in the catalogue and stays when the text changes. `code` is a class's ("BIOL 1134"), null for
    programs; `topic` a program's tab ("home", "requirements"), null for classes. `fetched_at`, ISO 8601, is when this
    text was first seen; null for saved pages.
    """

    course_id: str
    mode: Mode | None
    record_id: str
    code: str | None
    title: str
    topic: str | None
    text: str
    page: str
    url: str | None
    fetched_at: str | None
    lang: Lang


Allowed = Literal["closed", "references", "hints"]
"""What students may get of an item of graded work: nothing, the places to read, or hints. The strictest first."""


@dataclass(frozen=True)
class GradedItem:
    """One item of graded work, as the assistant has to know it; students never see its text.

    `assessment` is what people call the work and `number`, from 1, the item's place in it. `opens` and `closes` are ISO
    8601 in UTC, between which the rule holds; `None`: without a beginning, or without an end.
    """

    course_id: str
    assessment: str
    number: int
    text: str
    lang: Lang
    allows: Allowed
    opens: str | None
    closes: str | None


@dataclass(frozen=True)
class Meeting:
    """One meeting a week. `day` is 1, Monday, to 7; `start` and `end` are minutes since midnight."""

    day: int
    start: int
    end: int


@dataclass(frozen=True)
class Offering:
    """One section of a class as a schedule offers it in one term.

    `offering_id` is unique in the schedule. `code` is the class's as the schedule writes it, with single blanks.
    `meetings` are in order; none of a class without a time of its own. `seats` are those that are still free. `file`
    and `row` are where it first stands.
    """

    course_id: str
    offering_id: str
    code: str
    title: str | None
    term: str
    section: str
    meetings: tuple[Meeting, ...]
    credits: float | None
    seats: int | None
    room: str | None
    instructor: str | None
    file: str
    row: int
    lang: Lang


@dataclass(frozen=True)
class DocumentSection:
    """A citable part of a document: an article, a page or a headed section."""

    course_id: str
    document: str
    title: str
    section_index: int
    section_key: str
    """What names the section in its document and stays when others come or go: its article number, else a digest."""
    page: int | None
    article: str | None
    heading: str | None
    text: str
    lang: Lang


@dataclass(frozen=True)
class Passage:
    """A citable piece of a source with its locator."""

    passage_id: str
    course_id: str
    source: Literal["subtitle", "document", "catalog"]
    title: str
    text: str
    subject: str | None
    mode: Mode | None
    lang: Lang
    locator: Locator
    content_hash: str


Record = TypeVar("Record")


def from_row(kind: type[Record], row: dict[str, Any]) -> Record:
    """The record of a row read from the lake; nested structs and lists become records and tuples.

    A column that an older build did not write keeps its default.
    """
    columns = _columns(cast(Hashable, kind))  # any class is
    given = {
        name: row[name] if convert is None else convert(row[name])
        for name, is_needed, convert in columns
        if is_needed or name in row
    }
    return kind(**given)


def to_row(record: Any) -> dict[str, Any]:
    """What `dataclasses.asdict` gives of a record, for writing: values are the record's own, nothing is copied.

    A tenth of the time: a course has tens of thousands of cues and pairs.
    """
    return {name: _plain(getattr(record, name)) for name in _names(cast(Hashable, type(record)))}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is tuple or kind is list:
        return [_plain(item) for item in value]
    if kind is dict:
        return {key: _plain(item) for key, item in value.items()}
    return to_row(value) if is_dataclass(kind) else value


_ATOMS = frozenset((str, int, float, bool, type(None)))

Converter = Callable[[Any], Any]


@cache
def _columns(kind: Any) -> tuple[tuple[str, bool, Converter | None], ...]:
    """For each field: its name, whether a row must have it, and its converter; `None` takes the value as it is."""
    hints = get_type_hints(kind)
    return tuple((one.name, one.default is MISSING, _converter(hints[one.name])) for one in fields(kind))


def _converter(hint: Any) -> Converter | None:
    if get_origin(hint) is tuple:
        return _to_tuple(_converter(get_args(hint)[0]))
    records = [option for option in (hint, *get_args(hint)) if is_dataclass(option) and isinstance(option, type)]
    return _to_record(records[0]) if records else None


def _to_tuple(convert: Converter | None) -> Converter:
    def make(value: Any) -> Any:
        if value is None or convert is None:
            return None if value is None else tuple(value)
        return tuple(map(convert, value))

    return make


def _to_record(kind: type[Any]) -> Converter:
    return lambda value: from_row(kind, value) if isinstance(value, dict) else value
