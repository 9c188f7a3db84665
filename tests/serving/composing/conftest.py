"""A course of two lectures for the composers: its graph, its index, its lectures' sentences, and who asks of them."""

from pathlib import Path

import course_rows as rows
import pytest
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Cue
from knowledge_graph.transcripts.sentences import lecture_sentences
from serving.assistant.assistant import Assistant
from serving.assistant.composing.catalogue_records import code_of
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.index.search import SearchIndex
from serving.settings import Settings

SAID = {
    "01 welcome": ("Welcome", ["Welcome to data structures.", "This course needs some Python."]),
    "02 stacks": (
        "Stacks and queues",
        [
            rows.STACK,
            "A push on a stack takes constant time.",
            "A stack is used because the last call must return first.",
            "A stack is not a fair waiting line.",
            rows.QUEUE,
            "The difference is that a stack takes from the top, whereas a queue takes from the front.",
        ],
    ),
    "03 measures": (
        "Measures",
        ["The height of a stack is the number of its items.", "The word capacity means the greatest height."],
    ),
}


RECORDS = {
    "COMP 3300 Operating Systems": "Processes, memory and files.\nCredits: 4\nPrerequisites: COMP 1200.",
    "COMP 5400 Distributed Data": "Replication and agreement. Students of COMP 3300 may take it.\nCredits: 3",
    "HIST 2040 Maps and Their Makers": "Who draws a map, and for whom.\nCredits: 3",
    "History (HIST)": "HIST 1000-level classes are open to everybody; all others need HIST 1010.\n"
    "HIST 3990 Special Problems. Offered on demand for small groups.",
}
"""Of each subject one page; the last record is what its page says beside the classes."""


def cues() -> list[Cue]:
    found = []
    for number, (video_id, (title, said)) in enumerate(SAID.items()):
        for place, text in enumerate(said):
            start = 192_000 + 5_000 * place
            found.append(Cue("ds", video_id, title, number, place, start, start + 5_000, text, "en"))
    return found


def passages() -> list[rows.Row]:
    """A passage for each lecture, from its first word to its last, and what else the course has."""
    found = []
    for video_id, (title, said) in SAID.items():
        where = {
            **rows.NOWHERE,
            "video_id": video_id,
            "video_title": title,
            "start_ms": 192_000,
            "end_ms": 192_000 + 5_000 * len(said),
        }
        found.append(rows.passage(video_id, title, " ".join(said), where))
    pages = {name: {**rows.NOWHERE, "document": f"catalog/classes/{name}.html"} for name in ("comp", "hist")}
    records = [
        rows.passage(f"c{place}", title, text, pages[title[:4].lower()], source="catalog", mode=mode)
        for place, (title, text) in enumerate(RECORDS.items())
        for mode in ["class" if code_of(title) else None]
    ]
    return [*found, *records, *(row for row in rows.PASSAGES if row["source"] != "subtitle")]


@pytest.fixture
def index(tmp_path: Path) -> SearchIndex:
    return rows.open_index(tmp_path, passages=passages())


@pytest.fixture
def composed_by(tmp_path: Path, graph: ConceptGraph, index: SearchIndex) -> Asker:
    data_dir = DataDir(tmp_path)
    sentences = [vars_of(one) for one in lecture_sentences(cues(), "ds")]
    tables.write_table(data_dir.table("lecture_sentences", "ds"), sentences, schemas.LECTURE_SENTENCES)
    lectures = CourseLectureIndex(data_dir)
    settings = Settings(home=tmp_path, model_admission="exam")
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


@pytest.fixture
def composed_in_mathematics(tmp_path: Path, graph: ConceptGraph, index: SearchIndex, composed_by: Asker) -> Asker:
    """The same course, where its subject is on the list of those without references."""
    card = graph.course("ds")
    settings = Settings(home=tmp_path, model_admission="exam", no_references_for=(card.subject or "",))
    lectures = CourseLectureIndex(DataDir(tmp_path))
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


def vars_of(sentence: object) -> dict[str, object]:
    return {name: getattr(sentence, name) for name in schemas.LECTURE_SENTENCES.names}
