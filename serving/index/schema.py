"""What is stored in the index: the `Entry` record, its Tantivy fields, and how it is made from rows of the lake."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import tantivy

from knowledge_graph.records import Locator
from serving.index.analysis import terms

Kind = Literal["qa", "passage"]

KINDS: tuple[Kind, ...] = ("qa", "passage")

EVERY_COURSE_SOURCES = frozenset({"concept", "search", "scholar"})
"""Sources whose QA pairs may answer in any course; a FAQ, catalogue page or document answers in its own only."""


@dataclass(frozen=True)
class Entry:
    """A QA pair or a passage as it is found: what it says, where it is from, where it can be opened.

    `title` is the question of a QA pair or the title of a passage; `text` the answer or the passage. `course_id` is
    `None` for what belongs to no single course.
    """

    entry_id: str
    kind: Kind
    source: str
    course_id: str | None
    lang: str
    title: str
    text: str
    subject: str | None = None
    domains: tuple[str, ...] = ()
    explanation: str | None = None
    locator: Locator | None = None
    origin_id: str | None = None
    reviewer: str | None = None
    content_hash: str | None = None


def from_qa_row(row: Mapping[str, Any]) -> Entry:
    """The entry of a row of `qa_pairs`."""
    return Entry(
        entry_id=row["qa_id"],
        kind="qa",
        title=row["question"],
        text=row["answer"],
        domains=tuple(row.get("domains") or ()),
        explanation=row.get("explanation"),
        origin_id=row.get("origin_id"),
        reviewer=row.get("reviewer"),
        **_shared(row),
    )


def from_passage_row(row: Mapping[str, Any]) -> Entry:
    """The entry of a row of `passages`."""
    return Entry(entry_id=row["passage_id"], kind="passage", title=row["title"], text=row["text"], **_shared(row))


def build_schema() -> tantivy.Schema:
    """Fields of one Tantivy index. `words` holds the analysed terms of title and text, joined by spaces.

    One field for the whole entry, not a sum over two: on 948 course FAQs with 4,627 questions that is worth .10 hit@1.
    """
    builder = tantivy.SchemaBuilder()
    for name in ("entry_id", "source", "course_id", "lang"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="freq")
    builder.add_bytes_field("payload", stored=True)
    return builder.build()


def to_document(entry: Entry) -> tantivy.Document:
    return tantivy.Document(
        entry_id=entry.entry_id,
        source=entry.source,
        course_id=entry.course_id or "",
        lang=entry.lang,
        words=" ".join(terms(f"{entry.title}\n{entry.text}")),
        payload=json.dumps(asdict(entry), ensure_ascii=False).encode(),
    )


def from_payload(payload: bytes) -> Entry:
    """The entry that `to_document` stored."""
    values = json.loads(payload)
    values["domains"] = tuple(values["domains"])
    values["locator"] = None if values["locator"] is None else Locator(**values["locator"])
    return Entry(**values)


def _shared(row: Mapping[str, Any]) -> dict[str, Any]:
    locator = row.get("locator")
    return {
        "source": row["source"],
        "course_id": row.get("course_id"),
        "lang": row.get("lang") or "en",
        "subject": row.get("subject"),
        "locator": Locator(**locator) if locator and any(v is not None for v in locator.values()) else None,
        "content_hash": row.get("content_hash"),
    }
