"""Classes of a catalogue, named by code or title, are answered by their own record."""

import pytest
from asker import Asker

from serving.assistant.composing.catalogue_fields import SELDOM_SAID
from serving.assistant.composing.catalogue_records import code_of


@pytest.mark.parametrize(
    "question", ["prerequisites of comp3300?", "What do I need before COMP 3300?", "COMP 3300 prereqs"]
)
def test_a_field_is_answered_by_the_record_of_the_class(composed_by: Asker, question: str) -> None:
    answer = composed_by(question)
    assert answer.text.startswith("**COMP 3300 Operating Systems**")
    assert "COMP 1200" in answer.text
    assert [one.title for one in answer.references] == ["COMP 3300 Operating Systems"]


@pytest.mark.parametrize("question", ["what do I need for distributed data?", "Do I need calculus to take COMP 5400?"])
def test_no_class_needs_itself(composed_by: Asker, question: str) -> None:
    answer = composed_by(question)
    assert "did not find its prerequisites" in answer.text
    assert [one.title for one in answer.references] == ["COMP 5400 Distributed Data"]


def test_a_record_that_holds_what_is_asked_is_in_no_doubt_for_a_strange_word(composed_by: Asker) -> None:
    assert "I am not sure" not in composed_by("distributed data sounds fluffernutty, is replication in it?").text
    assert composed_by("is there fluffernutty in distributed data?").text.startswith("I did not find “fluffernutty”")


def test_a_class_is_known_by_its_whole_title(composed_by: Asker) -> None:
    assert composed_by("how many credits is distributed data").text.startswith("**COMP 5400 Distributed Data**")


def test_a_field_that_the_record_lacks_is_said_to_be_missing(composed_by: Asker) -> None:
    answer = composed_by("prerequisites of COMP 5400")
    assert "did not find its prerequisites" in answer.text
    assert answer.coverage != "full"


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        ("is there a final exam in operating systems?", "anything on exams"),
        ("which book does COMP 3300 use?", "a book"),
        ("is COMP 3300 hard?", "how hard a class is"),
    ],
)
def test_what_records_seldom_say_is_said_to_be_missing_where_they_do_not(
    composed_by: Asker, question: str, lacks: str
) -> None:
    answer = composed_by(question)
    assert f"but I did not find {lacks} in it" in answer.text
    assert answer.coverage == "partial"


@pytest.mark.parametrize(
    ("question", "line", "is_held"),
    [
        ("what minimum grade do i need in my classes", "A grade of C or better is needed.", True),
        ("what minimum grade do i need in my classes", "Credits: 4", False),
        ("期末怎么考", "期末考试占六成。", True),
        ("is the final year hard", "The final year is demanding.", True),
    ],
)
def test_a_field_that_is_seldom_said_is_held_by_a_line_of_its_words(question: str, line: str, *, is_held: bool) -> None:
    fields = [one for one in SELDOM_SAID if one.asked.search(question)]
    assert len(fields) == 1
    assert (fields[0].held.search(line) is not None) is is_held


def test_what_its_page_says_of_all_classes_holds_for_a_class_that_names_no_prerequisites(composed_by: Asker) -> None:
    answer = composed_by("what are the prerequisites of HIST 2040?")
    assert answer.text.startswith("HIST 1000-level classes are open to everybody; all others need HIST 1010.")
    assert [one.title for one in answer.references] == ["History (HIST)", "HIST 2040 Maps and Their Makers"]
    assert "did not find" not in answer.text
    assert "1000-level" not in composed_by("how many credits is HIST 2040?").text


def test_a_class_without_a_record_of_its_own_is_answered_by_its_page(composed_by: Asker) -> None:
    assert "HIST 3990 Special Problems" in composed_by("how often is Special Problems offered?").text


def test_two_classes_are_compared_by_both_records(composed_by: Asker) -> None:
    answer = composed_by("COMP 3300 vs COMP 5400?")
    assert [one.title for one in answer.references][:2] == ["COMP 3300 Operating Systems", "COMP 5400 Distributed Data"]


@pytest.mark.parametrize(
    ("title", "code"),
    [("COMP\u00a03300 Systems", "COMP 3300"), ("MATH2100H Algebra", "MATH 2100H"), ("History (BA)", ""), ("", "")],
)
def test_the_code_of_a_title(title: str, code: str) -> None:
    assert code_of(title) == code
