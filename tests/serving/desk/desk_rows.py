"""People, answers and reviewed answers for tests of the desk, as rows of the store; and small lakes to rest on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from serving.desk.course_tables import CourseTables
from serving.desk.material_units import MaterialUnit, find_units
from serving.store.caller import Caller
from serving.store.tables.conversation import ChatSession, TurnRow
from serving.store.tables.identity import Person

ADA = Caller("ada", "ta", "k-ada", "Ada", None)
BEN = Caller("ben", "ta", "k-ben", "Ben", None)
ONLY_ML = Caller("mia", "ta", "k-mia", "Mia", frozenset({"ml"}))
STUDENT = Caller("stu")
OTHER = Caller("otto")

Row = dict[str, Any]


def people(db: Session) -> None:
    """The callers above, as the store knows them."""
    for caller in (ADA, BEN, ONLY_ML, STUDENT, OTHER):
        db.add(Person(person_id=caller.person_id, role=caller.role, key_id=caller.key_id, name=caller.name))


def turn(db: Session, question: str, *, by: Caller = STUDENT, course_id: str | None = "ds", **more: Any) -> TurnRow:
    """A stored answer to `question`, in a session of its own."""
    session = ChatSession(person_id=by.person_id, course_id=course_id)
    db.add(session)
    db.flush()
    row = TurnRow(
        session_id=session.session_id,
        person_id=by.person_id,
        position=0,
        question=question,
        course_id=course_id,
        **{"answer": "I do not know.", "outcome": "answered", "route": "ask_ta", "lang": "en"} | more,
    )
    db.add(row)
    db.flush()
    return row


def cue(number: int, text: str, *, video: str = "01", start: int | None = None, length: int = 4000) -> Row:
    """The n-th cue of a video, four seconds after the one before."""
    begin = 4000 * number if start is None else start
    return {
        "course_id": "ds",
        "video_id": video,
        "video_title": "Stacks",
        "video_index": 0,
        "cue_index": number,
        "start_ms": begin,
        "end_ms": begin + length,
        "text": text,
        "lang": "en",
    }


def section(key: str, text: str, heading: str | None = None) -> Row:
    return {
        "course_id": "ds",
        "document": "rules.md",
        "title": "Rules",
        "section_index": 0,
        "section_key": key,
        "page": None,
        "article": key,
        "heading": heading,
        "text": text,
        "lang": "en",
    }


def faq(origin_id: str, question: str, answer: str) -> Row:
    return {
        "course_id": "ds",
        "origin_id": origin_id,
        "section": None,
        "question": question,
        "answer": answer,
        "author": None,
        "reviewer": None,
        "updated_at": None,
        "file": "faq.csv",
        "row": 1,
        "lang": "en",
    }


def catalogue(record_id: str, title: str, text: str) -> Row:
    return {
        "course_id": "ds",
        "mode": "class",
        "record_id": record_id,
        "code": "MUSC 1000",
        "title": title,
        "topic": None,
        "text": text,
        "page": "musc.html",
        "url": None,
        "fetched_at": None,
        "lang": "en",
    }


def ta_answer(origin_id: str, question: str, answer: str, replaces: str | None = None) -> Row:
    return {
        "course_id": "ds",
        "origin_id": origin_id,
        "replaces": replaces,
        "question": question,
        "answer": answer,
        "reviewer": "Ada",
        "updated_at": None,
        "lang": "en",
    }


def lake_of(
    root: Path,
    *,
    cues: Sequence[Row] = (),
    answers: Sequence[Row] = (),
    sections: Sequence[Row] = (),
    entries: Sequence[Row] = (),
    records: Sequence[Row] = (),
) -> CourseTables:
    """The tables of the course `ds` under a home."""
    data_dir = DataDir(root)
    tables.write_table(data_dir.table("cues", "ds"), cues, schemas.CUES)
    tables.write_table(data_dir.table("documents", "ds"), sections, schemas.DOCUMENTS)
    tables.write_table(data_dir.table("faq", "ds"), entries, schemas.FAQ)
    tables.write_table(data_dir.table("catalog_pages", "ds"), records, schemas.CATALOG_PAGES)
    tables.write_table(data_dir.table("ta_answers", "ds"), answers, schemas.TA_ANSWERS)
    return CourseTables(data_dir)


def unit(tables: CourseTables, name: str) -> MaterialUnit:
    return find_units([name], "ds", tables)[0]
