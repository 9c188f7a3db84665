"""Slides, glossaries and handouts: terms with their meaning, lists under their headings, rows of tables."""

from pathlib import Path

import course_rows as rows
import pytest
from asker import Asker

from knowledge_graph.graph.concept_graph import ConceptGraph
from knowledge_graph.lake import schemas, tables
from knowledge_graph.lake.home import DataDir
from serving.assistant.assistant import Assistant
from serving.assistant.composing.lectures import CourseLectureIndex
from serving.settings import Settings

SLIDES = {
    "Compilers": "Prof. Ada Brandt\nUniversity of the North",
    "Phases of a compiler": "- Lexer: turns characters into tokens\n- Parser: builds the syntax tree\n- Code generator",
    "Preheader": "- Code must run once before the loop\n- So every loop gets a block before its header",
    "Garbage collectors": "- Mark and sweep\n  - walks all objects\n- Reference counting\n  - counts who points at it",
    "Allocators": "The allocator finds a block.\n```\nfree(p);\n```\nIt may fail.",
    "Costs": "kind | time | space\nbump | constant | none\nbuddy | logarithmic | half",
    "Dates": "- Project report: 9 December\n- Peer review: 16 December",
    "Weights": "Exam | 30 %\nProject report | 70 %",
    "Single assignment": "- Easy for a straight line\n- Each assignment gets a variable of its own",
    "Liberal Marking": "- Marks every line at once\n- Costs little space",
    "Strict Marking": "- Marks a line when it is read\n- Costs more time",
    "Marking in the literature": "- “Marking lines”, Strict and Liberal, 1996\n- “Which marking should I use?”, 2001",
    "Mood: Self-esteem": "Do you think well of yourself?\n\nSelf-esteem will change from task to task.",
    "Warnings of the front end": "What has been called “shadowing,” a kind of hiding of names, got warnings.",
}


@pytest.fixture
def ask(tmp_path: Path, graph: ConceptGraph) -> Asker:
    places = [{**rows.NOWHERE, "document": "documents/deck.pptx", "page": page} for page in range(1, 1 + len(SLIDES))]
    passages = [
        rows.passage(f"s{page}", f"deck — {heading}", text, places[page], source="document")
        for page, (heading, text) in enumerate(SLIDES.items())
    ]
    data_dir = DataDir(tmp_path)
    tables.write_table(data_dir.table("passages", "ds"), passages, schemas.PASSAGES)
    index = rows.open_index(tmp_path, qa=[], passages=passages)
    settings = Settings(home=tmp_path, model_admission="exam")
    lectures = CourseLectureIndex(data_dir)
    return Asker(Assistant(graph=graph, index=index, intent=None, llm=None, settings=settings, lectures=lectures))


def test_a_term_on_a_slide_is_told_with_its_meaning_and_nothing_else(ask: Asker) -> None:
    answer = ask("what is a lexer")
    assert answer.text == "**Phases of a compiler**\n- Lexer: turns characters into tokens [1]"
    assert [one.label for one in answer.references] == ["Deck, slide 2"]


def test_a_slide_that_is_headed_by_a_term_says_what_it_is(ask: Asker) -> None:
    assert ask("what is a preheader?").text == (
        "**Preheader**\n- Code must run once before the loop\n- So every loop gets a block before its header [1]"
    )


def test_an_item_with_items_below_it_says_what_it_is(ask: Asker) -> None:
    assert ask("what is reference counting").text == (
        "**Garbage collectors**\n- Reference counting\n  - counts who points at it [1]"
    )


def test_an_apposition_says_what_a_thing_is(ask: Asker) -> None:
    assert "“shadowing,” a kind of hiding" in ask("what is shadowing?").text


def test_a_list_under_its_heading_is_given_whole(ask: Asker) -> None:
    answer = ask("which phases does a compiler have?")
    assert answer.text.startswith("**Phases of a compiler**\n- Lexer: turns characters into tokens\n- Parser")
    assert "Code generator [1]" in answer.text


def test_items_of_one_list_are_compared_side_by_side(ask: Asker) -> None:
    text = ask("difference between mark and sweep and reference counting").text
    assert "- Mark and sweep\n  - walks all objects\n- Reference counting" in text
    assert "does not compare" not in text


def test_of_two_things_that_no_text_names_nothing_is_said(ask: Asker) -> None:
    text = ask("difference between gram schmidt and QR decomposition?").text
    assert "does not compare" not in text
    assert "gram schmidt" in text
    assert "I do not know" in text


def test_two_slides_that_are_headed_by_the_things_tell_them_apart_without_a_doubt(ask: Asker) -> None:
    text = ask("What's the difference between liberal and strict marking?").text
    assert text.startswith(
        "**Liberal Marking**\n- Marks every line at once\n- Costs little space [1]\n\n**Strict Marking**"
    )
    assert "not sure" not in text
    assert "literature" not in text


def test_what_something_does_under_its_name_leaves_out_nothing_before_it(ask: Asker) -> None:
    assert ask("what is self-esteem?").text.startswith("**Mood: Self-esteem**\nDo you think well")


def test_rows_of_a_table_are_compared_in_it(ask: Asker) -> None:
    text = ask("difference between bump and buddy").text
    assert "| bump | constant | none |\n| buddy | logarithmic | half |\n\n[1]" in text


def test_code_stays_code_and_the_mark_stands_behind_its_fence(ask: Asker) -> None:
    assert "```\nfree(p);\n```\n\nIt may fail. [1]" in ask("what does the allocator do?").text


@pytest.mark.parametrize(
    ("question", "said"),
    [("when is the project report due?", "9 December"), ("how much is the project report worth?", "70 %")],
)
def test_a_date_or_a_weight_is_told_by_the_line_that_is_called_so(ask: Asker, question: str, said: str) -> None:
    answer = ask(question)
    assert said in answer.text
    assert "Peer review" not in answer.text


def test_the_first_slide_names_who_teaches(ask: Asker) -> None:
    assert ask("who teaches this course?").text == "Prof. Ada Brandt [1]"


def test_a_slide_is_found_by_what_it_explains(ask: Asker) -> None:
    answer = ask("which slide explains the preheader?")
    assert answer.text.startswith("preheader is explained here:")
    assert [one.label for one in answer.references] == ["Deck, slide 3"]


def test_an_unknown_maker_is_declined_without_anything_near(ask: Asker) -> None:
    answer = ask("who invented the linked list?")
    assert answer.coverage == "none"
    assert answer.references == ()


def test_an_assignment_of_a_variable_is_no_graded_one(ask: Asker) -> None:
    assert ask("can i hand in assignment 2 late").coverage == "none"
    assert "9 December" in ask("when is the project report due").text


def test_an_example_of_what_was_just_listed_is_not_that_list_again(ask: Asker) -> None:
    first = "which garbage collectors are there"
    assert "- Mark and sweep" in ask(first).text
    assert "- Mark and sweep" not in ask(first, "can you give me an example of garbage collectors").text
