"""A course that has a FAQ and no lectures: errors and rules, asked in other words than its entries'."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import course_rows as rows
import pytest
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from serving.assistant.assistant import Assistant
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.request import Request
from serving.assistant.composing.stored import MAY_BE_MEANT, MOST_CHOICES, nearest_questions
from serving.assistant.retrieval.candidates import PairCandidate
from serving.index.schema import Entry
from serving.settings import Settings

FAQ = {
    "Docs served but not accessible in the browser": "They are served on port 8080. Forward it with ssh to read them.",
    "Where do I find the example code for Airflow with Postgres?": "The example code for Airflow is in module 4.",
    "Why is the parquet export killed?": "The container ran out of memory; give it 6 GB.",
    "Blank screen after the login to pgAdmin": "The blank screen goes away when the cookies are removed.",
}


@pytest.fixture
def asked_of_faq(tmp_path: Path, graph: ConceptGraph) -> Asker:
    pairs = [rows.pair(f"f{place}", "faq", *one) for place, one in enumerate(FAQ.items())]
    data_dir = DataDir(tmp_path)
    tables.write_table(data_dir.table("passages", "ds"), [], schemas.PASSAGES)
    index = rows.open_index(tmp_path, qa=pairs, passages=[])
    settings = Settings(home=tmp_path, model_admission="exam")
    lectures = CourseLectureIndex(data_dir)
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


@pytest.mark.parametrize(
    ("question", "entry"),
    [
        ("What should I do if the docs are served but not accessible in my browser?", "Docs served"),
        ("What can I try when the docs are not accessible in the browser?", "Docs served"),
        ("Where can I find example code for Airflow with Postgres?", "Where do I find the example code"),
        ("What causes a blank screen after the login to pgAdmin?", "Blank screen"),
    ],
)
def test_an_entry_is_found_whatever_its_question_and_the_students_ask_for(
    asked_of_faq: Asker, question: str, entry: str
) -> None:
    answer = asked_of_faq(question)
    assert f"**FAQ: {entry}" in answer.text
    assert answer.coverage in ("full", "partial")


def test_how_a_thing_is_set_up_does_not_say_what_it_is(asked_of_faq: Asker) -> None:
    assert asked_of_faq("what is Airflow").coverage == "none"


@pytest.mark.parametrize("question", ["pgadmin ui doesn't open", "jupyter in vscode asks for ipykernel"])
def test_names_of_tools_are_in_no_other_language(asked_of_faq: Asker, question: str) -> None:
    assert "another language" not in asked_of_faq(question).text


def test_the_faq_does_not_say_where_a_lecture_is(asked_of_faq: Asker) -> None:
    assert asked_of_faq("which lecture covers the login to pgAdmin?").coverage == "none"


def test_what_the_faq_speaks_of_is_not_told_as_never_spoken_of(asked_of_faq: Asker) -> None:
    answer = asked_of_faq("what is ssh")
    assert answer.coverage == "none"
    assert "says nothing about" not in answer.text
    assert "says nothing about GraphQL" in asked_of_faq("what is GraphQL").text


def candidate(title: str, cosine: float, *, source: str = "faq", is_platform: bool = False) -> PairCandidate:
    entry = Entry(title, "qa", source, "ds", "en", title, "Yes.", is_platform=is_platform)
    return PairCandidate(entry, 1.0, parts={"cosine": cosine})


def test_what_may_have_been_meant_is_offered_where_nothing_answers() -> None:
    near = [candidate(f"Is it {place}?", MAY_BE_MEANT["en"] + place / 100) for place in range(MOST_CHOICES + 1)]
    others = [
        candidate("Far?", MAY_BE_MEANT["en"] - 0.01),
        candidate("Of a slide?", 0.9, source="document"),
        candidate("Of the platform?", 0.9, is_platform=True),
    ]
    request = cast(Request, SimpleNamespace(lang="en", stored=(*near, *others)))
    assert nearest_questions(request) == ("Is it 3?", "Is it 2?", "Is it 1?")
