"""`coteach affected`: what is named, what is printed for people and for scripts, and the questions asked again."""

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import course_rows as rows
import pytest
from answered import Asking
from rich.console import Console

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.schemas import GRAPH_CONCEPTS
from knowledge_graph.lake.tables import write_table
from orchestration.cli.affected_command import (
    AnswerFilters,
    NamedSource,
    NothingNamed,
    current_material,
    list_affected,
    place_of,
)
from serving.assistant.assistant import Assistant
from serving.desk.lineage.affected_answers import find_affected
from serving.desk.lineage.places import CueAt, DocumentPart
from serving.desk.lineage.reasking import repeats
from serving.index.build import build_index
from serving.index.search import SearchIndex
from serving.settings import Settings
from serving.store.database import Store, open_store

ANY = AnswerFilters()
CUE = NamedSource(cue="02 stacks@03:12")
WRONG = "A stack is a list where the first [bold]element added[/bold] is the first removed."


@pytest.fixture(autouse=True)
def of_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_HOME", str(home))
    monkeypatch.setenv("COTEACH_LLM_URL", "http://127.0.0.1:9/v1")  # nobody is there


def build(home: Path, answer: str) -> None:
    """The home with another definition of a stack."""
    qa = [row | {"answer": answer, "content_hash": answer} if row["qa_id"] == "c1" else row for row in rows.QA]
    concepts = [row | {"definition": answer} if row["concept_id"] == "en:stack" else row for row in rows.CONCEPTS]
    build_index(rows.tables(home / "tables", qa=qa), DataDir(home).index)
    write_table(DataDir(home).graph_concepts, concepts, GRAPH_CONCEPTS)


def asking(home: Path, store: Store) -> Asking:
    data_dir = DataDir(home)
    graph, index = ConceptGraph.load(data_dir), SearchIndex.open(data_dir.index)
    material = current_material(data_dir, store)
    assert material is not None
    assistant = Assistant(graph=graph, index=index, intent=None, llm=None, settings=Settings(home=home))
    return Asking(store, material, assistant)


@pytest.fixture
def mended(home: Path) -> Path:
    """A home whose definition of a stack was wrong while two students asked for it, and is right again."""
    store = open_store(Settings(home=home))
    build(home, WRONG)
    asyncio.run(asking(home, store).all_told(["What is a stack?", "What is a stack?", "What is a queue?"]))
    store.close()
    build(home, rows.STACK)
    return home


def run(named: NamedSource, filters: AnswerFilters = ANY, **flags: bool) -> tuple[int, str]:
    printed = io.StringIO()
    code = list_affected(Console(file=printed, width=160), named, filters, **flags)
    return code, printed.getvalue()


def facts(named: NamedSource, filters: AnswerFilters = ANY, **flags: bool) -> Any:
    return json.loads(run(named, filters, as_json=True, **flags)[1])


def test_a_home_where_nobody_asked_has_no_affected_answers_and_gets_no_store(home: Path) -> None:
    DataDir(home).store.unlink()
    code, printed = run(CUE)
    assert (code, "No stored answer rests on it." in printed) == (0, True)
    assert not DataDir(home).store.exists()


def test_people_read_a_table_with_the_text_of_the_cue(mended: Path) -> None:
    code, printed = run(NamedSource(cue="02 stacks@03:12"))
    assert code == 0
    assert printed.count("What is a stack?") == 2
    assert "What is a queue?" not in printed
    assert "Answers: 2. Their source has changed since: 2." in printed


def test_a_cue_that_is_not_there_is_told(mended: Path) -> None:
    code, printed = run(NamedSource(cue="02 stacks@59:59"), AnswerFilters(course="ds"))
    assert code == 0
    assert "There is no cue at '02 stacks@59:59' now" in " ".join(printed.split())


def test_scripts_read_everything_but_who_asked(mended: Path) -> None:
    found = facts(CUE, AnswerFilters(course="ds"))["answers"]
    assert [one["source"] for one in found] == ["changed", "changed"]
    assert all(WRONG in one["answer"] for one in found)
    assert not any("person" in key for one in found for key in one)


def test_only_changed_or_unchanged_sources_can_be_asked_for(mended: Path) -> None:
    assert len(facts(CUE, AnswerFilters(changed=True))["answers"]) == 2
    assert facts(CUE, AnswerFilters(changed=False))["answers"] == []


def test_each_distinct_question_is_asked_again_once_and_shown_beside_the_old_answer(mended: Path) -> None:
    again = facts(CUE, reask=True)["asked_again"]
    assert [(one["question"], len(one["trace_ids"])) for one in again] == [("What is a stack?", 2)]
    assert WRONG in again[0]["old"]
    assert rows.STACK in again[0]["new"]
    assert again[0]["same"] is False
    printed = run(CUE, reask=True)[1]
    assert "What is a stack? (asked: 2)" in printed
    assert "[bold]element" in printed


def test_asking_again_stores_nothing(mended: Path) -> None:
    assert len(facts(CUE, reask=True)["answers"]) == len(facts(CUE)["answers"])


def test_a_follow_up_is_asked_again_with_what_was_said_before_it(home: Path) -> None:
    store = open_store(Settings(home=home))
    asked = asking(home, store)
    first = asyncio.run(asked.told("What is a stack?"))
    asyncio.run(asked.told("What is a queue?", session_id=first.session_id))
    place, _ = place_of(NamedSource(concept="en:queue"), None, DataDir(home))
    (repeat,) = store.read(lambda db: repeats(db, find_affected(db, place)))
    store.close()
    assert [one.content for one in repeat.history] == ["What is a stack?", first.answer.text]


@pytest.mark.parametrize(
    ("named", "found"),
    [
        (NamedSource(), "Found: none."),
        (NamedSource(faq="a", concept="b"), "Found: --faq, --concept."),
        (NamedSource(faq="a", article="5"), "Found: --faq, --article."),
        (NamedSource(page=3), "Found: --page."),
    ],
)
def test_exactly_one_source_is_named(named: NamedSource, found: str) -> None:
    with pytest.raises(NothingNamed, match="Name one source: --cue") as error:
        run(named)
    assert found in str(error.value)


def test_a_second_is_resolved_to_the_cue_that_begins_in_it(home: Path) -> None:
    assert place_of(NamedSource(cue="02 stacks@194"), None, DataDir(home)) == (CueAt("02 stacks", 196_000), "first out")


def test_a_document_is_narrowed_by_article_and_page(home: Path) -> None:
    named = NamedSource(document="a/b.pdf", article="5.1", page=3)
    assert place_of(named, None, DataDir(home)) == (DocumentPart("a/b.pdf", "5.1", 3), None)


def test_a_course_that_is_not_built_is_told(home: Path) -> None:
    with pytest.raises(NothingNamed, match="No course 'art' is built"):
        run(CUE, AnswerFilters(course="art"))
