"""A course of documents alone, whose headings ask: what is overfitting, how does k-means work."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import course_rows as rows
import pytest
from asked_rows import asking
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from knowledge_graph.text.layout import LayoutBlock
from serving.assistant.assistant import Assistant
from serving.assistant.composing.document_answers import (
    _expand_abbreviations,
    _with_its_end,
    document_fact,
    document_statement,
)
from serving.assistant.composing.expected_replies import find_expected_pattern
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.assistant.composing.material import MaterialLine, MaterialPiece
from serving.assistant.composing.request import Request
from serving.assistant.composing.sufficiency import _gives_a_reason, sufficient
from serving.assistant.composing.terms import NEVER, unit_of, units_of
from serving.assistant.composing.window import Window
from serving.assistant.composing.windows import best_windows
from serving.index.schema import Entry
from serving.settings import Settings

PAPER = "Interview questions"
ASKED = {
    "Validation › What is overfitting? How is it seen?": "The model repeats its examples. It fails on new ones.",
    "Clustering › Do you know how K-means works?": "1. Choose the centroids.\n2. Move them until nothing changes.",
    "Text › What is a bag of words?": "A bag of words counts the words of a text. K-means groups texts, CNN news too.",
    "Trees › Why do we average trees?": "That is bagging, and averaging lowers the variance.",
    "Weights › What does a penalty do?": "A penalty on large weights keeps them small.",
    "Flow › Numbering": "Two cases:\n\n- Easy for a basic block\n  - number each use\n- Blocks\n  - assume the worst",
    "Flow › Tiling": "Tiling splits loops. An example of tiling is a loop for example split in two.",
    "Flow › Tiling Example": "S1: a = load(x)\nS2: b = load(y)",
    "Registers › Single assignment": "Static single assignment gives each assignment a variable. Spilling comes last.",
}


@pytest.fixture
def asked_of_documents(tmp_path: Path, graph: ConceptGraph) -> Asker:
    at = [{**rows.NOWHERE, "document": "documents/questions.md", "page": place} for place in range(len(ASKED))]
    passages = [
        rows.passage(f"q{place}", f"{PAPER} — {heading}", text, at[place], source="document")
        for place, (heading, text) in enumerate(ASKED.items())
    ]
    pairs = [
        rows.pair(f"d{place}", "document", heading, text, section=PAPER, locator=at[place])
        for place, (heading, text) in enumerate(ASKED.items())
    ]
    data_dir = DataDir(tmp_path)
    tables.write_table(data_dir.table("passages", "ds"), passages, schemas.PASSAGES)
    index = rows.open_index(tmp_path, qa=pairs, passages=passages)
    settings = Settings(home=tmp_path, model_admission="exam")
    lectures = CourseLectureIndex(data_dir)
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


def test_what_a_heading_asks_is_answered_by_what_stands_under_it(asked_of_documents: Asker) -> None:
    answer = asked_of_documents("what is overfitting")
    assert answer.coverage == "full"
    assert answer.text.startswith("**What is overfitting? How is it seen?**\nThe model repeats its examples.")
    assert [one.source for one in answer.references] == ["document"]


@pytest.mark.parametrize("typed", ["what is overfiting", "what is overfittin"])
def test_a_mistyped_word_of_a_document_is_put_right(asked_of_documents: Asker, typed: str) -> None:
    assert "The model repeats its examples." in asked_of_documents(typed).text


def test_a_name_whose_hyphen_was_left_out_is_put_right(asked_of_documents: Asker) -> None:
    answer = asked_of_documents("how does kmeans work")
    assert "Choose the centroids." in answer.text
    assert "k-means" in answer.text


def test_what_an_answer_only_mentions_is_not_what_its_heading_asks(asked_of_documents: Asker) -> None:
    assert "**What is a bag of words?**" not in asked_of_documents("what is k-means").text


def test_a_basic_block_is_neither_a_block_nor_what_is_easy_for_it(asked_of_documents: Asker) -> None:
    assert asked_of_documents("what is a basic block").text.startswith("I am not sure")


def test_what_no_text_says_of_the_whole_course_is_not_made_up(asked_of_documents: Asker) -> None:
    assert asked_of_documents("what do i need to know before this course").coverage == "none"


def test_what_is_only_named_and_nowhere_defined_stands_under_a_doubt(asked_of_documents: Asker) -> None:
    assert asked_of_documents("what is spilling").text.startswith("I am not sure")


def test_a_date_is_not_answered_by_what_has_none(asked_of_documents: Asker) -> None:
    answer = asked_of_documents("when is assignment 2 due")
    assert answer.coverage == "none"
    assert answer.references == ()


def test_a_bag_of_words_is_no_bagging(asked_of_documents: Asker) -> None:
    answer = asked_of_documents("whats bagging")
    assert "That is bagging" in answer.text
    assert "counts the words" not in answer.text


@pytest.mark.parametrize("question", ["what happens if I submit late?", "when is the exam", "can i retake the midterm"])
def test_a_rule_that_is_nowhere_is_not_made_of_what_is_taught(asked_of_documents: Asker, question: str) -> None:
    assert asked_of_documents(question).coverage == "none"


def test_an_abbreviation_with_a_hyphen_is_no_other_language(asked_of_documents: Asker) -> None:
    assert "another language" not in asked_of_documents("what is tf-idf").text


@pytest.mark.parametrize(
    ("source", "said", "coverage"),
    [
        ("subtitle", "A penalty keeps weights small.", "full"),
        ("document", "A penalty keeps weights small.", "partial"),
        ("document", "A penalty keeps the weights of a model small.", "full"),
    ],
)
def test_what_is_written_stands_without_a_doubt_only_where_it_names_all(source: str, said: str, coverage: str) -> None:
    entry = Entry("p", "passage", source, "ds", "en", "Weights", said)  # type: ignore[arg-type]
    piece = MaterialPiece(entry, (MaterialLine(said, meaning=1.0),), words=1.0, meaning=1.0)
    units = tuple(unit_of(word, lambda term: 2.0 if term == NEVER else 1.0) for word in ("penalty", "weights", "model"))
    (window,) = best_windows([piece], units, kind="other")
    known = {
        "units": units,
        "is_compared": True,
        "graph": None,
        "lang": "en",
        "aspects": (),
        "kind": "other",
        "question": "",
    }
    assert sufficient(window, cast(Request, SimpleNamespace(**known))) == coverage


@pytest.mark.parametrize(("is_compared", "coverage"), [(True, "none"), (False, "partial")])
def test_a_word_in_common_is_no_answer_where_nothing_is_common_in_meaning(is_compared: bool, coverage: str) -> None:
    entry = Entry("p", "passage", "document", "ds", "en", "Weights", "A penalty keeps them small.")
    piece = MaterialPiece(entry, (MaterialLine("A penalty keeps them small."),), words=1.0)
    units = tuple(unit_of(word, lambda term: 2.0 if term == NEVER else 1.0) for word in ("penalty", "homework"))
    (window,) = best_windows([piece], units, kind="other")
    known = {"units": units, "is_compared": is_compared, "graph": None, "lang": "en", "aspects": (), "kind": "other"}
    assert sufficient(window, cast(Request, SimpleNamespace(**known, question=""))) == coverage


@pytest.mark.parametrize("question", ["what topics are covered", "summarize the course", "summarize the document"])
def test_a_course_of_documents_is_summed_up_by_its_headings(asked_of_documents: Asker, question: str) -> None:
    answer = asked_of_documents(question)
    assert f"“{PAPER}” speaks of: Validation, Clustering, Text, Trees, Weights, Flow, Registers." in answer.text
    assert len(answer.references) == 1


def test_what_is_missing_is_no_word_of_the_question(asked_of_documents: Asker) -> None:
    assert asked_of_documents("how to handle missing penalties").coverage != "full"
    units = units_of("how to handle missing values", (), lambda _: pytest.fail("no concept"), lambda term: 1.0)
    assert [unit.label for unit in units] == ["missing", "values"]


def test_under_a_heading_that_asks_the_same_the_answer_is_read_from_its_beginning() -> None:
    lines = [
        MaterialLine("All of the weights are adapted.", meaning=0.3),
        *[MaterialLine("First Adam keeps a mean of all of the slopes that were seen until now.", meaning=0.9)] * 9,
    ]
    units = (unit_of("Adam", lambda term: 2.0 if term == NEVER else 1.0),)
    entries = [Entry("p", "passage", "document", "ds", "en", title, "") for title in ("What is Adam?", "Of Adam")]
    found = [best_windows([MaterialPiece(entry, tuple(lines), 1.0, 0.7)], units, kind="how")[0] for entry in entries]
    assert found[0].start == 0
    assert found[1].start > 0


@pytest.mark.parametrize(
    ("name", "text", "whole"),
    [
        ("SSA", "Static Single Assignment (SSA): a variable has one definition.", {"Static Single Assignment"}),
        ("ssa", "What static single-assignment (SSA) is", {"static single-assignment"}),
        ("SSA", "Simple Slides about Assignments", set()),
        ("tree", "the red eager elm (tree)", {"the red eager elm"}),
        ("trees and graphs", "the red eager elm (tree)", set()),
    ],
)
def test_an_abbreviation_is_what_the_documents_write_before_it(name: str, text: str, whole: set[str]) -> None:
    entry = Entry("p", "passage", "document", "ds", "en", "Slide 1", text)
    piece = MaterialPiece(entry, (MaterialLine(text),), words=1.0)
    assert _expand_abbreviations(frozenset({name}), [piece]) == whole


def test_what_a_thing_is_stands_under_its_algorithm_and_not_under_its_example() -> None:
    said = {"Andersen Example": "p = alloc(T);", "Andersen’s Algorithm": "It builds one graph of all pointers."}
    entries = [
        Entry(text, "passage", "document", "ds", "en", f"Slides — {title}", text) for title, text in said.items()
    ]
    pieces = [MaterialPiece(entry, (MaterialLine(entry.text),), words=1.0) for entry in entries]
    found = document_statement(frozenset({"Andersen"}), pieces)
    assert found is not None
    assert found.text == said["Andersen’s Algorithm"]


def test_why_is_answered_by_a_reason_and_by_no_list_that_names_the_thing() -> None:
    window = SimpleNamespace(is_cued=False, lines=(MaterialLine("register allocation, scheduling", meaning=0.46),))
    asked = SimpleNamespace(kind="why", is_compared=True)
    assert not _gives_a_reason(cast(Window, window), cast(Request, asked))
    window.is_cued = True
    assert _gives_a_reason(cast(Window, window), cast(Request, asked))
    window.is_cued, asked.kind = False, "how"
    assert _gives_a_reason(cast(Window, window), cast(Request, asked))


def test_an_example_is_first_what_stands_under_its_own_heading(asked_of_documents: Asker) -> None:
    answer = asked_of_documents("give an example of tiling")
    assert answer.references[0].title.endswith("Tiling Example")
    assert "S1: a = load(x)" in answer.text


def test_an_abbreviation_that_is_said_of_something_else_stands_for_no_name(asked_of_documents: Asker) -> None:
    assert "Taken as" not in asked_of_documents("what does a convolutional network do").text


def test_a_thing_is_told_by_its_whole_name_and_not_by_the_concept_that_it_begins_with() -> None:
    said = "A queue for printing (QP) is a list of papers."
    piece = SimpleNamespace(entry=SimpleNamespace(text=said))
    whole = cast(Request, SimpleNamespace(question="what is a queue for printing?", pieces=(piece,)))
    assert _with_its_end("queue", whole) == "queue for printing"
    assert (
        _with_its_end("queue", cast(Request, SimpleNamespace(question="what is a queue for?", pieces=(piece,)))) is None
    )
    assert _with_its_end("queue", cast(Request, SimpleNamespace(question=whole.question, pieces=()))) is None


@pytest.mark.parametrize(("row", "is_told"), [("Report | 1,200 words", True), ("Report | 30%", False)])
def test_a_row_tells_the_number_of_what_is_counted(row: str, *, is_told: bool) -> None:
    question = "how many words must the report have"
    entry = Entry("r", "passage", "document", "ds", "en", "Rules › Work", row)
    line = MaterialLine(row, block=LayoutBlock("row", row))
    asked = asking(question, unit_of("report", lambda _: 1.0), pieces=(MaterialPiece(entry, (line,), 1.0, 0.0),))
    assert (document_fact(asked, find_expected_pattern(question)) is not None) is is_told
