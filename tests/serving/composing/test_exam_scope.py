"""What an exam covers is told from where the material names parts of the course, and else said not to be told."""

from pathlib import Path

import course_rows as rows
import pytest
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from serving.assistant.assistant import Assistant
from serving.assistant.composing.exam_scope import ASKS, SCOPE
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.settings import Settings

SYLLABUS = """Week | Seminars | Test
4 | The census | midterm on chapters 1 to 3
9 | Review | Final exam"""
RULES = "The quizzes are written online. Each quiz covers the readings of its week and nothing else."
FAQ = (
    ("format", "Is the final exam open book?", "One sheet of paper may be used. It takes two hours."),
    ("oral", "What does the oral exam cover?", "It covers the whole course, and your essay."),
)


def asker(tmp_path: Path, graph: ConceptGraph, *, faq: tuple[tuple[str, str, str], ...] = FAQ[:1]) -> Asker:
    texts = {"Plan": SYLLABUS, "Quizzes": RULES}
    passages = [
        rows.passage(
            f"s{page}",
            f"syllabus — {title}",
            text,
            {**rows.NOWHERE, "document": "documents/syllabus.md"},
            source="document",
        )
        for page, (title, text) in enumerate(texts.items())
    ]
    data_dir = DataDir(tmp_path)
    tables.write_table(data_dir.table("passages", "ds"), passages, schemas.PASSAGES)
    qa = [rows.pair(key, "faq", question, answer) for key, question, answer in faq]
    index = rows.open_index(tmp_path, qa=qa, passages=passages)
    settings = Settings(home=tmp_path, model_admission="exam")
    lectures = CourseLectureIndex(data_dir)
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


@pytest.fixture
def ask(tmp_path: Path, graph: ConceptGraph) -> Asker:
    return asker(tmp_path, graph)


@pytest.mark.parametrize(
    "question",
    [
        "what topics are on the midterm?",
        "which chapters does the midterm cover",
        "What do I need to know for the midterm?",
    ],
)
def test_a_row_that_names_the_parts_answers(ask: Asker, question: str) -> None:
    answer = ask(question)
    assert "midterm on chapters 1 to 3" in answer.text
    assert "does not say" not in answer.text
    assert answer.references


def test_a_sentence_that_names_the_parts_answers(ask: Asker) -> None:
    text = ask("what should I revise for the quiz?").text
    assert "Each quiz covers the readings of its week" in text
    assert "midterm" not in text


@pytest.mark.parametrize(
    "question", ["does the final cover everything", "what is on the final exam?", "will trees be on the final"]
)
def test_what_no_text_names_is_said_not_to_be_told(ask: Asker, question: str) -> None:
    answer = ask(question)
    assert "The material of this course does not say what the final exam covers." in answer.text
    assert "One sheet" not in answer.text, "how it is written is not what it covers"
    assert answer.coverage != "full"


def test_an_entry_to_just_this_question_is_given_whole(tmp_path: Path, graph: ConceptGraph) -> None:
    answer = asker(tmp_path, graph, faq=FAQ)("what's on the exam?")
    assert "It covers the whole course, and your essay." in answer.text
    assert answer.coverage == "full"


@pytest.mark.parametrize(
    "question",
    [
        "what's on the exam",
        "is week 12 on the final?",
        "which lectures are covered by the second midterm",
        "what should we study for the test",
        "are graphs going to be on the exam",
        "期末考什么",
        "期中考试范围是什么",
        "红黑树会考吗",
    ],
)
def test_what_an_exam_covers_is_asked_in_many_ways(question: str) -> None:
    assert ASKS.search(question)


@pytest.mark.parametrize(
    "question",
    [
        "are notes allowed on the exam?",
        "is there a formula sheet on the final",
        "what is on the test set",
        "which data are in the test data",
        "what does the final layer cover",
        "is it on the exam page",
        "when is the final",
        "what is the final exam like",
        "how long is the quiz",
        "线索二叉树是什么，会考吗",
    ],
)
def test_what_else_is_asked_of_an_exam_or_a_test_set_is_left_to_others(question: str) -> None:
    assert not ASKS.search(question)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The exam covers chapters 1 to 4.", True),
        ("The final is cumulative.", True),
        ("midterm on lectures 1 to 6", True),
        ("期末考试范围为第一章至第八章。", True),
        ("The exam takes two hours and is taken online in week 13.", False),
        ("Final exam | 25%", False),
        ("期末考试占40%。", False),
    ],
)
def test_a_text_that_names_parts_of_the_course_is_told_from_others(text: str, names: bool) -> None:
    assert bool(SCOPE.search(text)) is names
