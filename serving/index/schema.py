"""What is stored in the index: the `Entry` record and its Tantivy fields. How it is made from tables is tables.py."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from typing import Literal

import orjson
import tantivy

from knowledge_graph.lake.records import Locator
from knowledge_graph.lake.source_kinds import PAIR_SOURCES
from serving.index.analysis import ANALYSIS_VERSION

Kind = Literal["qa", "passage"]

KINDS: tuple[Kind, ...] = ("qa", "passage")

VectorKind = Literal["qa", "passage", "sentence"]
"""What has vectors: entries of the index, and the sentences of lectures and documents, which are found through their
passages."""


def sentence_id(passage_id: str, place: int) -> str:
    """The id of a sentence of a document's passage by its place in it, from 0."""
    return f"{passage_id}#{place}"


VECTOR_KINDS: tuple[VectorKind, ...] = ("qa", "passage", "sentence")

FORMAT_VERSION = "5"
"""Raise it when the fields or the `Entry` change."""

TextField = Literal["words", "pairs"]

TEXT_FIELDS: tuple[TextField, ...] = ("words", "pairs")
"""Fields that are scored: the terms of section, title and text, and the neighbours among their content terms."""

EVERY_COURSE_SOURCES = frozenset(name for name, source in PAIR_SOURCES.items() if source.everywhere)
"""Sources whose QA pairs may answer in any course; a FAQ, catalogue page or document answers in its own only."""

PLATFORM_SOURCE = "faq"
"""What of a platform's own course may answer in the others."""

EVERY_COURSE = "*"
"""The place of entries that may answer in any course; the others have their course's id."""

FILTERS = ("entry_id", "source", "scope", "lang", "subject", "mode")
"""Fields that are matched as they are and not scored."""


def scopes(source: str, course_id: str | None) -> list[str]:
    """Where an entry may be found: its course, every course where its source allows, and both with its source.

    One term for course and source: in a large index that finds the FAQ of a course four times as fast as two filters.
    """
    shared = course_id is None or source in EVERY_COURSE_SOURCES
    places = [*([] if course_id is None else [course_id]), *([EVERY_COURSE] if shared else [])]
    return [*places, *(f"{place}\t{source}" for place in places)]


def list_scopes(
    kind: VectorKind, course_id: str, sources: Collection[str] | None, platforms: Collection[str] = ()
) -> list[str]:
    """The scopes whose entries may answer in a course; of what lectures and documents say, those of the course
    alone. `platforms` are the courses whose FAQ answers in it, too."""
    places = [course_id] if kind != "qa" else [course_id, EVERY_COURSE]
    asked = places if sources is None else [f"{place}\t{source}" for source in sorted(sources) for place in places]
    is_faq_asked = kind == "qa" and (sources is None or PLATFORM_SOURCE in sources)
    return [*asked, *(f"{platform}\t{PLATFORM_SOURCE}" for platform in platforms if is_faq_asked)]


@dataclass(frozen=True)
class Entry:
    """A QA pair or a passage as it is found: what it says, where it is from, where it can be opened.

    `title` is the question of a QA pair or the title of a passage; `text` the answer or the passage; `section` what a
    pair stands under where it comes from. `course_id` is `None` for what belongs to no single course.
    `explanation_kind` is "ai" for an explanation that a model wrote.
    """

    entry_id: str
    kind: Kind
    source: str
    course_id: str | None
    lang: str
    title: str
    text: str
    section: str | None = None
    subject: str | None = None
    mode: str | None = None
    domains: tuple[str, ...] = ()
    explanation: str | None = None
    explanation_kind: str | None = None
    locator: Locator | None = None
    origin_id: str | None = None
    reviewer: str | None = None
    is_platform: bool = False
    """Whether it is of the FAQ of the platform. Not stored: the index is told which courses are a platform's."""


def index_format() -> str:
    """What the files of an index depend on; one made with anything else cannot be read."""
    versions = (metadata.version(name) for name in ("tantivy", "jieba"))
    return " ".join((f"format {FORMAT_VERSION}", f"analysis {ANALYSIS_VERSION}", *versions))


def build_schema() -> tantivy.Schema:
    """Fields of one Tantivy index.

    One field for the whole entry: on 2,123 questions to 435 course FAQs a second one for titles, with the same weight,
    cost .06 hit@1. The pairs count beside it and were worth .02 more (benchmarks/faq_search.py has the sum of both).
    """
    builder = tantivy.SchemaBuilder()
    for name in FILTERS:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in TEXT_FIELDS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    builder.add_bytes_field("payload", stored=True)
    return builder.build()


KEPT_ENTRIES = 1 << 11
"""Entries that are kept as they were read: the same ones are found by one look-up after another. About 10 MB."""


@lru_cache(maxsize=KEPT_ENTRIES)
def from_payload(payload: bytes) -> Entry:
    """The entry that was stored as JSON by `tables.py`."""
    values = orjson.loads(payload)
    values["domains"] = tuple(values["domains"] or ())
    locator = values["locator"]
    values["locator"] = Locator(**locator) if locator and any(v is not None for v in locator.values()) else None
    return Entry(**values)
