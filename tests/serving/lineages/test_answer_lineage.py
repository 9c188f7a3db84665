"""Back from an answer: its index version and when that was built, its sources then and now, models, prompt, what is
not known."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import course_rows as rows
import pytest
from answered import Asking
from sqlalchemy import select
from sqlalchemy.orm import Session

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.assistant import Assistant
from serving.desk.lineage.answer_lineage import AnswerLineage, answer_lineage, lineage_of
from serving.desk.lineage.material import IndexedMaterial
from serving.index.build import build_index
from serving.index.lineage import IndexBuild, IndexLineage, Materialization, ModelUsed, record_build
from serving.index.search import SearchIndex
from serving.settings import Settings
from serving.store.database import Store, sqlite_url
from serving.store.tables.conversation import RestsOn, TraceRow, TurnRow

CUES = Materialization("subtitles", "ds", "run-1", "2026-03-01T08:00:00.000+00:00", "cues of March", "2")
BUILD = IndexBuild("2026-03-01T08:01:00.000+00:00", (CUES,), (ModelUsed("intent", "i1", run="abc"),))

Stored = tuple[TurnRow, TraceRow | None, list[RestsOn]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(sqlite_url(tmp_path / "store.db"))
    yield opened
    opened.close()


def open_over(home: Path, graph: ConceptGraph, qa: list[rows.Row]) -> IndexedMaterial:
    build_index(rows.tables(home / "tables", qa=qa), home / "index", keep=1)
    return IndexedMaterial(SearchIndex.open(home / "index"), graph)


def stored(db: Session, trace_id: str) -> Stored:
    turn = db.get(TurnRow, trace_id)
    assert turn is not None
    rests = list(db.scalars(select(RestsOn).where(RestsOn.trace_id == trace_id)))
    return turn, db.get(TraceRow, trace_id), rests


def ask(home: Path, store: Store, graph: ConceptGraph, question: str) -> Stored:
    material = open_over(home, graph, rows.QA)
    assistant = Assistant(
        graph=graph,
        index=material.index,
        intent=None,
        llm=None,
        settings=Settings(home=home, beta=0.5, model_admission="always"),
    )
    told = asyncio.run(Asking(store, material, assistant).told(question))
    return store.read(lambda db: stored(db, told.answer.trace.trace_id))


@pytest.fixture
def faq(tmp_path: Path, store: Store, graph: ConceptGraph) -> Stored:
    return ask(tmp_path, store, graph, "When is the deadline of homework 3?")


def test_an_answer_leads_to_its_source_index_settings_and_materializations(
    tmp_path: Path, faq: Stored, graph: ConceptGraph
) -> None:
    material = open_over(tmp_path, graph, rows.QA)
    record_build(tmp_path / "index", material.index.version, BUILD)
    found = answer_lineage(*faq, tmp_path / "index", material=material)
    assert (found.index.version, found.index.built_at) == (material.index.version, BUILD.at)
    assert (found.index.is_current, found.index.is_there) == (True, True)
    assert [(one.entry_id, one.origin_id, one.state) for one in found.sources] == [("f1", "faq#1", "same")]
    assert found.sources[0].then == found.sources[0].now
    assert found.materializations == (CUES,)
    assert (found.settings["beta"], found.settings["strategy"]) == (0.5, "concept_aware")
    assert (found.model, found.prompt.sha256) == (None, None)


def test_a_source_that_was_edited_has_another_digest_now(tmp_path: Path, faq: Stored, graph: ConceptGraph) -> None:
    edited = [row | {"answer": "Monday.", "content_hash": "m"} if row["qa_id"] == "f1" else row for row in rows.QA]
    found = answer_lineage(*faq, tmp_path / "index", material=open_over(tmp_path, graph, edited))
    assert found.sources[0].state == "changed"
    assert found.sources[0].then != found.sources[0].now
    assert found.index.is_current is False


def test_of_a_removed_index_version_what_was_recorded_is_still_known(
    tmp_path: Path, faq: Stored, graph: ConceptGraph
) -> None:
    version = faq[0].index_version
    record_build(tmp_path / "index", str(version), BUILD)
    found = answer_lineage(*faq, tmp_path / "index", material=open_over(tmp_path, graph, rows.QA[:-1]))
    assert (found.index.version, found.index.built_at, found.index.is_there) == (version, BUILD.at, False)
    assert found.materializations == (CUES,)
    assert any(f"The index version {version}: it was removed" in line for line in found.unknown)
    assert found.sources[0].state == "same"


def of(faq: Stored, versions: dict[str, str], recorded: IndexLineage | None) -> AnswerLineage:
    turn, trace, rests = faq
    assert trace is not None
    trace = TraceRow(trace_id=trace.trace_id, record=trace.record | {"versions": versions})
    return lineage_of(turn, trace, rests, recorded=recorded, is_there=True, material=None)


def test_the_models_are_those_the_trace_names_with_what_the_build_knows_of_them(faq: Stored) -> None:
    built = IndexLineage("v", (BUILD,))
    named = of(faq, {"intent": "i1", "coteach": "0.1.0"}, built)
    assert named.models == (ModelUsed("intent", "i1", run="abc"),)
    assert named.program == "0.1.0"
    assert of(faq, {"intent": "i2"}, built).models == (ModelUsed("intent", "i2"),)
    assert of(faq, {}, built).models == BUILD.models


def test_what_is_not_known_is_said(faq: Stored) -> None:
    found = of(faq, {}, None)
    assert [line.split(":")[0] for line in found.unknown] == [
        "The Dagster materializations",
        "The versions of the program, the intent model and the embedder at the time of the answer.",
        "What the sources say now",
    ]
    assert found.sources[0].state is None


def test_an_answer_that_was_stopped_has_a_lineage_too(faq: Stored) -> None:
    turn, _, _ = faq
    turn.outcome, turn.index_version = "stopped", None
    found = lineage_of(turn, None, [], recorded=None, is_there=False, material=None)
    assert (found.outcome, found.sources, found.settings) == ("stopped", (), {})
    assert found.unknown[0].startswith("The trace:")
